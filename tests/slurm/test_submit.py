"""What is submitted, what is left out, what waits for what, and the scripts; the cluster itself is not needed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from situated import manifest
from situated.cluster import FILE, Cluster
from situated.errors import ConfigError, InputError, SituatedError
from situated.io import write_text
from situated.slurm import queue
from situated.slurm.chain import Chain, tasks
from situated.slurm.local import run_local
from situated.slurm.plan import Active, Examined, Plan, check_values, examine, key, make_plans
from situated.slurm.record import Record
from situated.slurm.submit import Place, scripts, submit

ChainOf = Callable[..., Chain]
TABLES = {"name": "tables", "recipe": "report/make_tables.py", "overrides": ["draws=100"]}
GEO = {"overrides": ["experiment/classifier=majority_geo"]}

pytestmark = pytest.mark.usefixtures("own_logging")


@pytest.fixture
def where(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FILE, os.devnull)
    return Place(root, tmp_path / "jobs 1", Cluster(), "abc+def")


@pytest.fixture
def plans_of(root: Path) -> Callable[..., dict[str, Plan]]:
    """Plans of a chain by step; the labels of complete tasks and the jobs of others are given."""

    def make(chain: Chain, complete: list[str], active: dict[str, Active]) -> dict[str, Plan]:
        found: dict[str, list[Examined]] = {step.name: examine(chain, step, root) for step in chain.steps}
        found = {n: [replace(one, complete=one.task.label in complete) for one in ones] for n, ones in found.items()}
        jobs = {key(one.task): active[one.task.label] for v in found.values() for one in v if one.task.label in active}
        return {plan.step.name: plan for plan in make_plans(chain, found, jobs)}

    return make


def shown(plan: Plan) -> tuple[list[str], list[str], list[str], list[str]]:
    """Complete, in the queue, missing, waits for."""
    missing = [one.task.label for one in plan.missing]
    return [t.label for t in plan.complete], [a.job for a in plan.active], missing, [b.step.name for b in plan.before]


def program(folder: Path, name: str, text: str) -> None:
    write_text(folder / name, f"#!/bin/bash\n{text}\n")
    (folder / name).chmod(0o755)


def test_what_is_complete_or_in_the_queue_is_left_alone(chain_of: ChainOf, plans_of: Callable[..., Any]) -> None:
    chain = chain_of({"sweep": ["seed=1,2,3"]}, TABLES)
    plans = plans_of(chain, ["step 0 (seed=1)"], {"step 0 (seed=2)": Active("7_1")})
    assert shown(plans["step 0"]) == (["step 0 (seed=1)"], ["7_1"], ["step 0 (seed=3)"], [])
    assert shown(plans["tables"]) == ([], [], ["tables"], ["step 0"])


def test_a_step_waits_for_what_is_before_a_complete_one(chain_of: ChainOf, plans_of: Callable[..., Any]) -> None:
    chain = chain_of({}, GEO, TABLES)
    plans = plans_of(chain, ["step 1"], {})
    assert shown(plans["step 1"]) == (["step 1"], [], [], ["step 0"])
    assert shown(plans["tables"]) == ([], [], ["tables"], ["step 0"])


def test_a_step_waits_for_the_steps_that_it_names(chain_of: ChainOf, plans_of: Callable[..., Any]) -> None:
    chain = chain_of({}, GEO | {"after": []}, TABLES | {"after": ["step 0", "step 1"]})
    plans = plans_of(chain, [], {})
    assert [shown(plan)[3] for plan in plans.values()] == [[], [], ["step 0", "step 1"]]


def test_tables_are_made_anew_when_something_before_them_runs(chain_of: ChainOf, plans_of: Callable[..., Any]) -> None:
    chain = chain_of({"sweep": ["seed=1,2"]}, TABLES)
    both = ["step 0 (seed=1)", "step 0 (seed=2)", "tables"]
    assert shown(plans_of(chain, both, {})["tables"])[0] == ["tables"]
    assert shown(plans_of(chain, both[1:], {})["tables"])[2] == ["tables"]
    waiting = {"step 0 (seed=1)": Active("7_0"), "tables": Active("8", ("7",))}
    assert shown(plans_of(chain, both[1:2], waiting)["tables"])[1] == ["8"]
    plan = plans_of(chain, [], waiting)["tables"]  # the second seed is new: job 8 does not wait for it
    assert (shown(plan)[2], plan.outdated) == (["tables"], [Active("8", ("7",))])


def test_tables_that_are_there_are_complete_until_a_run_changes(chain_of: ChainOf, root: Path) -> None:
    chain = chain_of({"sweep": ["seed=1,2"]}, TABLES)
    run_local(chain, root)
    assert [one.complete for step in chain.steps for one in examine(chain, step, root)] == [True, True, True]
    run_local(chain_of({"overrides": ["experiment/classifier=majority_geo"]}), root)
    assert [one.complete for step in chain.steps for one in examine(chain, step, root)] == [True, True, False]


def test_a_task_whose_inputs_are_still_to_be_made_is_not_complete(chain_of: ChainOf, root: Path) -> None:
    chain = chain_of({"overrides": ["experiment/classifier=majority_temp", "paths.data=made/later"]})
    assert [one.complete for one in examine(chain, chain.steps[0], root)] == [False]


@pytest.mark.parametrize(
    ("word", "message"),
    [("sed=1", "step 'step 0' failed: sed: there is no such key. Did you mean 'seed'?"),
     ("seed=-1", "step 'step 0' failed: seed: Expected `int` >= 0")],
)  # fmt: skip
def test_a_wrong_word_is_told_before_anything_is_submitted(
    word: str, message: str, chain_of: ChainOf, where: Place
) -> None:
    chain = chain_of({"overrides": ["experiment/classifier=majority_temp", word]})
    with pytest.raises(SituatedError, match=re.escape(message)):
        scripts(chain, where)


def test_the_script_of_an_array(chain_of: ChainOf, where: Place, tmp_path: Path, world: Path) -> None:
    resources = {"kind": "gpu", "array_parallelism": 4, "gpus": 2, "mem_gb": 3, "time": "2:00:00"}
    step = {"sweep": ["seed=range(0,3)", "name='a b',c"], "resources": resources | {"sbatch": {"nice": 5}}}
    cluster = Cluster(setup=["module load x"], container=["apptainer", "exec", "my x.sif"], python="python3",
                      env={"HF_HOME": "/a b"}, account="nlp", sbatch={"requeue": False, "nice": 1})  # fmt: skip
    (text,) = scripts(chain_of(step), replace(where, cluster=cluster))
    options = [line.removeprefix("#SBATCH --") for line in text.splitlines() if line.startswith("#SBATCH")]
    assert options == [
        "job-name='step-0.<name>'", "account=nlp", "nodes=1", "ntasks-per-node=1", "cpus-per-task=4", "gpus-per-node=2",
        "mem=3G", "time=120", "signal=USR1@60", "nice=5", "array=0-5%4",
        f"output='{tmp_path}/jobs 1/step-0_%A_%a.log'", "open-mode=append", f"chdir={tmp_path}",
    ]  # fmt: skip
    assert "set -euo pipefail\n" in text
    order = [
        "module load x",
        "export HF_HOME='/a b'",
        "export SITUATED_COMMIT=abc+def ",
        "3) words+=(seed=1 name=c) ;;",
        "srun ",
    ]
    assert sorted(order, key=text.index) == order
    assert f"apptainer exec 'my x.sif' python3 {where.root}/classifier/train.py \"${{words[@]}}\"" in text
    said = run_as_task(text, "3", tmp_path)
    words = [f"paths.out={tmp_path}/out", f"paths.data={world}", "experiment/classifier=majority_temp"]
    assert said[-5:] == [*words, "seed=1", "name=c"]
    assert said[:4] == ["apptainer", "exec", "my x.sif", "python3"]


def run_as_task(text: str, index: str, folder: Path) -> list[str]:
    """Run a script with an srun that prints the words of the program."""
    program(folder / "bin", "srun", 'while [ "$1" != - ]; do shift; done; shift; printf "%s\\n" "$@"')
    program(folder / "bin", "module", "exit 0")
    env = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": index, "SLURM_JOB_ID": "1"}
    done = subprocess.run(["bash", "-c", text], env=env, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_script_of_one_task_that_waits(chain_of: ChainOf, where: Place) -> None:
    made = scripts(chain_of({}, GEO | {"after": []}, TABLES | {"after": ["step 0", "step 1"]}), where)
    assert "#SBATCH --dependency='afterok:<step-0>:<step-1>'\n#SBATCH --kill-on-invalid-dep=yes\n" in made[2]
    assert "dependency" not in made[0] + made[1]
    assert "SITUATED_COMMIT" not in scripts(chain_of({}), replace(where, commit=None))[0]
    for text in made:
        assert subprocess.run(["bash", "-n"], input=text, text=True, check=False).returncode == 0
        assert "_%j.log'\n" in text
        assert "--array" not in text


def test_the_processes_of_a_trainer_are_asked_for(chain_of: ChainOf, where: Place) -> None:
    words = ["experiment/classifier=minilm_temp", "trainer.devices=3", "+trainer.num_nodes=2"]
    (text,) = scripts(chain_of({"overrides": words, "resources": {"kind": "gpu", "mem_gb": 5}}), where)
    for option in ("nodes=2", "ntasks-per-node=3", "gpus-per-node=3", "mem=15G"):
        assert f"#SBATCH --{option}\n" in text
    with pytest.raises(ConfigError, match=r"changes trainer.devices or trainer.num_nodes, which one array cannot"):
        scripts(chain_of({"overrides": words[:1], "sweep": ["trainer.devices=1,2"]}), where)


def test_a_template_of_ones_own(chain_of: ChainOf, where: Place, tmp_path: Path) -> None:
    write_text(tmp_path / "t.sh", "#!/bin/sh\n@@{program} $HOME\n")
    mine = replace(where, cluster=Cluster(template=str(tmp_path / "t.sh"), python="py"))
    assert scripts(chain_of({}), mine) == [f"#!/bin/sh\npy {where.root}/classifier/train.py $HOME\n"]
    write_text(tmp_path / "t.sh", "@@{progam}\n")
    with pytest.raises(InputError, match=r"t.sh: no template of a script \('progam'\). It may hold @@\{options\}"):
        scripts(chain_of({}), mine)


def test_a_dry_run_prints_scripts_and_writes_nothing(root: Path, tmp_path: Path, command: Callable[..., Any]) -> None:
    done = command("slurm/chain.py", "chain=demo", "launcher=slurm", "dry_run=true", "paths.out=here", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    steps = (root / "conf" / "chain" / "demo.yaml").read_text(encoding="utf-8").count("recipe: ")
    assert done.stdout.count("#!/bin/bash\n") == done.stdout.count("\nsrun ") == steps > 10
    assert f"export SITUATED_COMMIT={manifest.commit(root)} " in done.stdout
    assert subprocess.run(["bash", "-n"], input=done.stdout, text=True, check=False).returncode == 0
    assert not list(tmp_path.iterdir())


def test_without_slurm_there_is_one_error(chain_of: ChainOf, where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SituatedError, match=r"sbatch: there is no such program here. Run this on a login node"):
        submit(chain_of({}), where)
    assert not where.folder.exists()


def test_a_refusal_is_told_in_slurms_words_with_what_was_submitted_before(
    chain_of: ChainOf, where: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse = 'echo "sbatch: error: invalid partition" >&2; exit 1'
    program(tmp_path / "bin", "sbatch", f'case "$2" in *step-1*) {refuse} ;; esac; echo "41;here"')
    program(tmp_path / "bin", "squeue", 'echo "41|step-0.x|PENDING|Priority"')
    program(tmp_path / "bin", "sacct", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    chain = chain_of({}, GEO, TABLES)
    with pytest.raises(SituatedError) as caught:
        submit(chain, where)
    said = str(caught.value)
    assert said.startswith("step 'step 1' could not be submitted: sbatch: error: invalid partition\n")
    assert "Submitted before it: 'step 0' as job 41. " in said
    assert [(one.attempt.step, one.job) for one in Record(where.folder).submissions()] == [("step 0", "41")]

    program(tmp_path / "bin", "sbatch", "echo 42")  # its cause is mended: step 0 is in the queue and left alone
    submit(chain, where)
    found = [(one.attempt.step, one.job, one.attempt.after) for one in Record(where.folder).submissions()]
    assert found == [("step 0", "41", ()), ("step 1", "42", ("41",)), ("tables", "42", ("42",))]


def test_a_job_that_was_taken_though_sbatch_failed_is_not_submitted_again(
    chain_of: ChainOf, where: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "queue"
    take = f'name=$(basename "$2" .sh); echo "43|$name|PENDING|None" > {told}'
    program(tmp_path / "bin", "sbatch", f'{take}; echo "sbatch: error: Socket timed out" >&2; exit 1')
    program(tmp_path / "bin", "squeue", f"cat {told}")
    program(tmp_path / "bin", "sacct", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    submit(chain_of({}), where)
    assert [one.job for one in Record(where.folder).submissions()] == ["43"]

    program(tmp_path / "bin", "squeue", "exit 1")  # nobody can tell: sbatch's words stand, and the next call asks again
    with pytest.raises(SituatedError, match=r"could not be submitted: sbatch: error: Socket timed out\n"):
        submit(chain_of(GEO), replace(where, folder=tmp_path / "other"))
    program(tmp_path / "bin", "squeue", f"cat {told}")
    program(tmp_path / "bin", "sbatch", "echo 44")
    submit(chain_of(GEO), replace(where, folder=tmp_path / "other"))
    assert [one.job for one in Record(tmp_path / "other").submissions()] == ["43"]


def test_a_queue_that_does_not_answer_stops_a_submission(
    chain_of: ChainOf, where: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", "sbatch", "echo 41")
    program(tmp_path / "bin", "squeue", 'echo "slurm_load_jobs error: Unable to contact" >&2; exit 1')
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    submit(chain_of({}), where)
    with pytest.raises(SituatedError, match=r"squeue does not answer: slurm_load_jobs error: Unable to contact. Try a"):
        submit(chain_of({}), where)
    assert len(Record(where.folder).submissions()) == 1


def test_commands_of_slurm_see_nothing_of_a_job_that_this_process_is_part_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", "sbatch", "env | grep -E '^(SLURM|SITUATED_(START|COMMIT))' | sort | tr '\\n' ' '")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    for name in ("SLURM_CONF", "SLURM_JOB_ID", "SLURM_CPUS_PER_TASK", "SITUATED_START", "SITUATED_COMMIT"):
        monkeypatch.setenv(name, "1")
    assert queue.sbatch(tmp_path / "x.sh", 1) == "SLURM_CONF=1"


def test_values_are_checked_where_something_is_missing_alone(chain_of: ChainOf, root: Path) -> None:
    chain = chain_of({})
    step = chain.steps[0]
    wrong = [
        replace(one, config=one.config | {"classifier": {"_target_": "no.such"}}) for one in examine(chain, step, root)
    ]
    with pytest.raises(SituatedError, match=r"step 'step 0' failed: classifier._target_: no.such cannot be imported"):
        check_values(make_plans(chain, {step.name: wrong}, {}))
    check_values(make_plans(chain, {step.name: [replace(one, complete=True) for one in wrong]}, {}))


def test_a_commit_names_uncommitted_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "x")
    assert manifest.commit(tmp_path) is None
    write_text(tmp_path / "a.py", "x = 1\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    clean = manifest.commit(tmp_path)
    write_text(tmp_path / "a.py", "x = 2\n")
    dirty = manifest.commit(tmp_path)
    assert clean is not None
    assert dirty is not None
    assert re.fullmatch("[0-9a-f]{40}", clean)
    assert re.fullmatch(clean + r"\+[0-9a-f]{16}", dirty)


def test_a_folder_spelled_otherwise_is_the_same_task(
    chain_of: ChainOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [[f"paths.out={out}"] for out in ("out", "./x/../out", tmp_path / "out", f"'{tmp_path / 'out'}'", "other")]
    chain = chain_of(*({"overrides": one} for one in words))
    keys = [key(task) for step in chain.steps for task in tasks(replace_overrides(chain), step)]
    assert len(set(keys[:4])) == 1
    assert keys[4] != keys[0]


def replace_overrides(chain: Chain) -> Chain:
    return Chain(name=chain.name, steps=chain.steps)


def test_what_is_forced_is_done_anew_and_then_counts_as_complete(chain_of: ChainOf, root: Path) -> None:
    step = {"overrides": ["experiment/classifier=majority_temp", "force=true"]}
    chain = chain_of(step)
    run_local(chain, root)
    examined = {step.name: examine(chain, step, root) for step in chain.steps}
    (one,) = examined["step 0"]
    assert (one.complete, one.forced) == (True, True)
    (plan,) = make_plans(chain, examined, {})
    assert plan.missing == [one]

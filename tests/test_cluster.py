"""A cluster's facts: one file, defaults without it, and one message for each mistake in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from situated.cluster import FILE, Cluster, read_cluster
from situated.errors import InputError
from situated.io import write_text

FULL = """
account: nlp
mail: {user: me@lab.org}
setup: [module load cuda, source env/bin/activate]
container: [apptainer, exec, --nv, x.sif]
python: python3
env: {HF_HOME: /models/hf cache, HF_HUB_OFFLINE: 1}
signal_s: 90
sbatch: {exclude: node7, nice: 10}
cpu: {partition: short, cpus: 3, mem_gb: 8, time: "1:30:00"}
gpu: {partition: a100, qos: high, constraint: "a100|h100", mem_gb: 32, time: "2-00:00:00", sbatch: {comet: true}}
"""


@pytest.fixture
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_text(tmp_path / "cluster.yaml", FULL)
    monkeypatch.setenv(FILE, str(tmp_path / "cluster.yaml"))
    return tmp_path / "cluster.yaml"


@pytest.mark.usefixtures("full")
def test_the_file_is_read() -> None:
    cluster = read_cluster()
    assert cluster.interpreter == ["apptainer", "exec", "--nv", "x.sif", "python3"]
    assert cluster.shell[2:] == ["export HF_HOME='/models/hf cache'", "export HF_HUB_OFFLINE=1"]
    assert (cluster.cpu.minutes, cluster.gpu.minutes) == (90, 2880)
    assert (cluster.gpu.gpus, cluster.gpu.cpus) == (1, 4)
    mail = {"requeue": True, "mail-user": "me@lab.org", "mail-type": "FAIL,INVALID_DEPEND", "nice": 10}
    assert cluster.options(cluster.cpu) == mail | {"exclude": "node7"}
    assert cluster.options(cluster.gpu) == mail | {"exclude": "node7", "comet": True}


def test_without_a_file_there_are_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(FILE, raising=False)
    monkeypatch.setattr("situated.cluster._DEFAULT", tmp_path / "cluster.yaml")
    assert read_cluster() == Cluster()
    write_text(tmp_path / "cluster.yaml", "")
    assert read_cluster() == Cluster()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("acount: x", "field 'acount': there is no such key. Did you mean 'account'?"),
        ("gpu: {partion: x}", "field 'gpu.partion': there is no such key. Did you mean 'partition'?"),
        ("mail: {name: x}", "field 'mail.name': there is no such key. Known: user, type."),
        ("mail: {}", "field 'mail': Object missing required field `user`. See slurm/README.md for the form."),
        ("gpu: {cpus: many}", "field 'gpu.cpus': Expected `int`, got `str`. See slurm/README.md"),
        ("gpu: {cpus: 0}", "field 'gpu.cpus': Expected `int` >= 1."),
        ("gpu: {time: 12:00:00}", "field 'gpu.time': Expected `int` <= 1440. Write minutes (at most 1440), or text in"),
        ("cpu: {time: 2d}", "'12:00:00', '2-00:00:00' (days-hours:minutes:seconds)."),
        ("signal_s: 5", "field 'signal_s': Expected `int` >= 30."),
        ("env: {A B: x}", "field 'env': Expected `str` matching regex"),
        ("setup: module load cuda", "field 'setup': Expected `array`, got `str`."),
        ("sbatch: {--hold: true}", "field 'sbatch': Expected `str` matching regex '^[a-z][a-z-]*$'. Write options wit"),
        ("sbatch: {output: x.log}", "field 'sbatch': output is set for each job by the project. Leave it out."),
        ("gpu: {sbatch: {array: 1-3}}", "array is set for each job by the project."),
        ("- a", "Expected `object`, got `array`."),
        ("a: [", "no YAML ("),
    ],
)
def test_a_mistake_is_told_with_its_place_and_its_mend(text: str, message: str, full: Path) -> None:
    write_text(full, text)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read_cluster()
    assert str(caught.value).startswith(f"{full}: ")


def test_a_file_that_was_asked_for_must_be_there(full: Path) -> None:
    full.unlink()
    with pytest.raises(InputError, match=r"cluster.yaml: no such file. Set SITUATED_CLUSTER to a file like"):
        read_cluster()


@pytest.mark.usefixtures("full")
def test_configurations_can_refer_to_it() -> None:
    text = """
    a: ${cluster:gpu.partition}
    b: ${cluster:cpu.qos}
    c: ${cluster:gpu.mem_gb,4}
    d: ${cluster:cpu.gpus,4}
    e: ${cluster:gpu.minutes}
    f: ${cluster:setup}
    g: ${cluster_options:gpu}
    h: ${tasks_per_node:${devices}}
    devices: [0, 1]
    """
    found = OmegaConf.to_container(OmegaConf.create(text), resolve=True)
    assert isinstance(found, dict)
    assert [found[key] for key in "abcdeh"] == ["a100", None, 128, None, 2880, 2]
    assert found["f"] == ["module load cuda", "source env/bin/activate"]
    assert found["g"]["mail-user"] == "me@lab.org"

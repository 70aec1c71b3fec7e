"""data_prep/audit.py as from a shell, on a folder with identification data alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from situated.io import read_json


def test_the_sample_world_fills_table_2(command: Callable[..., Any], world: Path, tmp_path: Path) -> None:
    done = command("data_prep/audit.py", f"paths.data={world}", "paths.out=audited", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Table 2: statistics - other data than the paper's: NOT comparable with it" in done.stdout
    assert "Not in the data folder: qa_data/temp.train" in " ".join(done.stdout.split())
    run = tmp_path / "audited/data_prep/audit/seed=0"
    assert {path.name for path in run.iterdir()} == {"audit.json", "manifest.json", "config.yaml", "run.log"}
    assert read_json(run / "audit.json")["identification"]["temp"]["dev"]["questions"] == 30
    manifest = read_json(run / "manifest.json")
    assert manifest["status"] == "complete"
    assert manifest["counts"] == {"files": 6, "absent": 16}

    again = command("data_prep/audit.py", f"paths.data={world}", "paths.out=audited", cwd=tmp_path)
    assert "Already complete" in again.stdout
    table = command("report/make_tables.py", "table=[2,10,12]", "paths.out=audited", cwd=tmp_path)
    assert (table.returncode, table.stderr) == (0, "")
    cells = read_json(tmp_path / "audited/report/tables/table2.json")["blocks"][0]["rows"][1]["cells"]
    assert (cells[0]["ours"], cells[0]["difference"]) == (30, None)


def test_a_folder_without_data_is_one_error(command: Callable[..., Any], tmp_path: Path) -> None:
    done = command("data_prep/audit.py", "paths.data=nowhere", "paths.out=audited", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("error:") == 1
    assert "nowhere/situatedqa: holds no file of SituatedQA" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "audited").exists()


def test_a_broken_row_is_one_error(command: Callable[..., Any], data: Path, tmp_path: Path) -> None:
    path = data / "situatedqa/id_data/temp.dev.jsonl"
    path.write_text('{"question": "who", "is_dependent": "perhaps", "id": 1}\n', encoding="utf-8")
    done = command("data_prep/audit.py", f"paths.data={data}", "paths.out=audited", cwd=tmp_path)
    assert done.returncode == 2
    assert "temp.dev.jsonl:1: field 'is_dependent'" in done.stderr
    assert not (tmp_path / "audited").exists()


def test_a_date_that_is_none_is_one_error(command: Callable[..., Any], world: Path, tmp_path: Path) -> None:
    words = (f"paths.data={world}", "paths.out=audited", "collection_date=2021")
    done = command("data_prep/audit.py", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert "collection_date" in done.stderr

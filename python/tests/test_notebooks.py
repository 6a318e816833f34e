"""The notebooks of docs/notebooks run from top to bottom, and are kept without output."""

import json
import pathlib

import pytest

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("pandas")
matplotlib.use("agg")

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"] and cell["execution_count"] is None, "outputs are not kept"
        exec(compile("".join(cell["source"]), f"{path.name} {cell['id']}", "exec"), names)
    matplotlib.pyplot.close("all")


def test_there_are_notebooks_where_this_is_a_checkout():
    assert len(NOTEBOOKS) in (0, 2)

"""Runs into files and memory, read back; h5py as a second reader."""

import threading

import numpy as np
import pytest

import ricochet


def test_a_run_in_memory_and_in_a_file(ball, tmp_path):
    h5py = pytest.importorskip("h5py")
    memory, path = ricochet.run(ball), tmp_path / "ball.h5"
    file = ricochet.run(ball.set(e=0.8), path)
    assert memory.finished and file.finished and set(memory) == set(file) and file.path == str(path)
    for name, table in memory.items():
        for column in table:
            assert np.array_equal(table[column], file[name][column], equal_nan=True), (name, column)
    with h5py.File(path) as other:
        for name, table in file.items():
            for column in table:
                assert np.array_equal(table[column], other[name][column][()], equal_nan=True)
    sim = ball.simulate()
    sim.run()
    assert memory["state"]["q"][-1, 0] == pytest.approx(sim["z"], abs=1e-12) and memory.t[-1] == 1.0
    assert np.array_equal(memory.column("v_z"), memory["state"]["v"][:, 0])
    assert memory.parameters == {"height": 1.0, "g": 10.0, "e": 0.8} and memory.notes["title"] == "Bouncing ball"


def test_tables_for_pandas(box):
    results = ricochet.run(box)
    state = results["state"].to_dict()
    assert list(state)[:4] == ["t", "box.x", "box.y", "box.z"] and all(column.ndim == 1 for column in state.values())
    assert len({len(column) for column in state.values()}) == 1
    emitted = results["emitted"]
    assert emitted.ragged and emitted.starts[-1] == len(emitted["key"]) and emitted["key"].dtype == np.uint64
    flat = emitted.to_dict()
    assert list(flat)[0] == "row" and len({len(column) for column in flat.values()}) == 1
    assert np.all(np.diff(flat["row"]) >= 0)
    with pytest.raises(ricochet.BadArgument, match="one item each"):
        results["state"].starts
    with pytest.raises(KeyError):
        results["nothing"]
    with pytest.raises(KeyError):
        results.column("nothing")
    pandas = pytest.importorskip("pandas")
    assert len(pandas.DataFrame(state)) == results["state"].rows


def test_pictures(ball, box):
    results = ricochet.run(box)
    assert "<svg" in results.picture(0.0) and results.picture(0.0) != results.picture() and "<svg" in results._repr_html_()
    with pytest.raises(ricochet.Unsupported):
        ricochet.run(ball).picture()
    assert "state" in repr(results) and "rows" in repr(results["state"])


def test_page(ball, box, tmp_path):
    for scene, name in ((ball, "ball.html"), (box, "box.html")):
        ricochet.run(scene).page(tmp_path / name, frames=20)
        text = (tmp_path / name).read_text()
        assert text.startswith("<!doctype html>") and len(text) > 500000
    with pytest.raises(ricochet.BadArgument, match="frames is 1"):
        ricochet.run(ball).page(tmp_path / "short.html", frames=1)
    (tmp_path / "mine.html").write_text("a letter")
    with pytest.raises(ricochet.Error):
        ricochet.run(ball).page(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").read_text() == "a letter"



def test_derivatives_by_parameters(ball):
    # before the impact z = height - g t^2/2
    results = ricochet.run(ball, until=0.3, derivatives=(["z"], ["g", "z@0"]))
    table = results["derivatives"]
    assert np.allclose(table["z_by_g"], -(table["t"] ** 2) / 2, atol=1e-10)
    assert [column for column in table if "0" in column] and np.allclose(table[list(table)[-1]], 1.0, atol=1e-10)


def test_a_run_that_goes_on(ball, tmp_path):
    path = tmp_path / "ball.h5"
    part = ricochet.run(ball, path, most_steps=40)
    assert not part.finished
    with pytest.raises(ricochet.Error, match="ball.h5"):
        ricochet.run(ball, path)
    assert ricochet.run(ball, path, overwrite=True).finished


def test_files_that_are_no_results(tmp_path):
    with pytest.raises(ricochet.IOFailure, match="none.h5"):
        ricochet.open(tmp_path / "none.h5")
    foreign = tmp_path / "foreign.h5"
    foreign.write_bytes(b"not an HDF5 file" * 100)
    with pytest.raises(ricochet.BadInput, match="foreign.h5"):
        ricochet.open(foreign)
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = 3
    with pytest.raises(ricochet.BadInput, match="other.h5"):
        ricochet.open(tmp_path / "other.h5")


def test_bad_scenes_and_folders(ball, tmp_path):
    with pytest.raises(ricochet.BadInput, match="unknown key") as caught:
        ricochet.run({"parts": {"a": {"coordinates": ["x"], "mass": [1], "colour": "red"}}, "time": {"end": 1, "step": 0.1}})
    assert "colour: red" in caught.value.excerpt
    with pytest.raises(ricochet.IOFailure):
        ricochet.run(ball, tmp_path / "no" / "such" / "folder.h5")


def test_runs_side_by_side(ball):
    values = [0.2, 0.4, 0.6, 0.8]
    alone = [ricochet.run(ball.set(e=e)).column("z") for e in values]
    found = {}
    threads = [threading.Thread(target=lambda e=e: found.update({e: ricochet.run(ball.set(e=e)).column("z")})) for e in values]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[e], one) for e, one in zip(values, alone))

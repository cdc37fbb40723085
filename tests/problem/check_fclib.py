"""Reads with h5py what the library wrote as FCLIB and compares it with the formulas of fclib_sample.h.

    check_fclib.py WRITER

WRITER is the program write_fclib_sample. Exits with 77 (skip) where h5py is not installed.
"""

import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: no h5py for this Python")
    sys.exit(77)

DOFS, CONTACT_ROWS, EQUALITIES, ROWS = 9, 6, 2, 8
TINY = 5e-324


def mass(i, j):
    return 2.0 + i / 7.0 if i == j else 0.125 if abs(i - j) == 1 else None


def jacobian(i, j):
    if not ((i + 2 * j) % 4 != 1 if j < CONTACT_ROWS else (i + j) % 2 == 0):
        return None
    return -0.0 if i == j == 0 else TINY if (i, j) == (3, 0) else (i - 4.5) / (j + 3.0)


def delassus(i, j):
    if i != j and (i + j) % 3 != 0:
        return None
    if i == j:
        return 3.0 + i / 11.0
    return 1.0 / (i + j + 3) + ((i - j) / 64.0 if max(i, j) < CONTACT_ROWS else 0.0)


def vector(count, slope):
    return np.array([-0.0 if i == 0 else TINY if i == 1 else (i - 3.25) * slope for i in range(count)])


def same(found, expected, what):
    """Bit for bit, so that -0.0 and denormals count."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{what}: shape {found.shape}, expected {expected.shape}"
    assert found.tobytes() == expected.tobytes(), f"{what}: {found}, expected {expected}"


def check_dataset(dataset, dtype, shape):
    assert dataset.dtype == np.dtype(dtype), f"{dataset.name}: {dataset.dtype}, expected {dtype}"
    assert shape is None or dataset.shape == shape, f"{dataset.name}: {dataset.shape}, expected {shape}"


def check_matrix(group, storage, formula, rows, cols):
    """Rows and columns are ranges into the formula; None there means: not stored."""
    for scalar in ("m", "n", "nzmax", "nz"):
        check_dataset(group[scalar], "<i4", (1,))
    for index in ("p", "i"):
        check_dataset(group[index], "<i4", None)
    check_dataset(group["x"], "<f8", None)
    assert set(group) == {"m", "n", "nzmax", "nz", "p", "i", "x"}, list(group)

    m, n, nz = (int(group[k][0]) for k in ("m", "n", "nz"))
    p, i, x = (group[k][:] for k in ("p", "i", "x"))
    assert (m, n) == (len(rows), len(cols)), group.name
    assert int(group["nzmax"][0]) == len(x) == len(i), group.name
    if storage == "triplets":
        assert nz == len(x) == len(p), group.name
        found = {(int(r), int(c)): v for r, c, v in zip(i, p, x)}
    else:
        assert nz == {"csc": -1, "csr": -2}[storage], group.name
        assert len(p) == (n if nz == -1 else m) + 1 and p[0] == 0 and p[-1] == len(x), group.name
        major = np.repeat(np.arange(len(p) - 1), np.diff(p))
        pairs = zip(i, major) if nz == -1 else zip(major, i)
        found = {(int(r), int(c)): v for (r, c), v in zip(pairs, x)}
    assert len(found) == len(x), f"{group.name}: an entry is stored twice"

    expected = {(r, c): formula(rows[r], cols[c]) for r in range(m) for c in range(n)}
    expected = {place: value for place, value in expected.items() if value is not None}
    assert found.keys() == expected.keys(), f"{group.name}: another pattern"
    for place, value in expected.items():
        same(found[place], np.float64(value), f"{group.name}{place}")


def check_vector(group, name, expected):
    check_dataset(group[name], "<f8", expected.shape)
    same(group[name][:], expected, group[name].name)


def check_state(group, is_global, which):
    check_vector(group, "u", vector(ROWS, which + 0.5)[:CONTACT_ROWS])
    impulses = vector(ROWS, which + 0.25)
    check_vector(group, "r", impulses[:CONTACT_ROWS])
    check_vector(group, "l", impulses[CONTACT_ROWS:])
    if is_global:
        check_vector(group, "v", vector(DOFS, which + 0.75))
    assert set(group) == set("url") | ({"v"} if is_global else set()), list(group)


def check_file(path):
    form, dimension, storage = os.path.basename(path)[: -len(".hdf5")].split("-")
    is_global, dimension = form == "global", int(dimension[0])
    contacts, equalities = range(CONTACT_ROWS), range(CONTACT_ROWS, ROWS)
    with h5py.File(path, "r") as file:
        assert set(file) == {"fclib_" + form, "solution", "guesses"}, list(file)
        root = file["fclib_" + form]
        check_dataset(root["spacedim"], "<i4", (1,))
        assert root["spacedim"][0] == dimension

        vectors = root["vectors"]
        rows_vector = vector(ROWS, -1.0 / 7.0)
        if is_global:
            dofs = range(DOFS)
            assert set(root) == {"M", "H", "G", "vectors", "info", "spacedim"}, list(root)
            check_matrix(root["M"], storage, mass, dofs, dofs)
            check_matrix(root["H"], storage, jacobian, dofs, contacts)
            check_matrix(root["G"], storage, jacobian, dofs, equalities)
            assert set(vectors) == {"f", "w", "b", "mu"}, list(vectors)
            check_vector(vectors, "f", vector(DOFS, 1.0 / 3.0))
        else:
            assert set(root) == {"W", "V", "R", "vectors", "info", "spacedim"}, list(root)
            check_matrix(root["W"], storage, delassus, contacts, contacts)
            check_matrix(root["V"], storage, delassus, contacts, equalities)
            check_matrix(root["R"], storage, delassus, equalities, equalities)
            assert set(vectors) == {"q", "s", "mu"}, list(vectors)
        check_vector(vectors, "w" if is_global else "q", rows_vector[:CONTACT_ROWS])
        check_vector(vectors, "b" if is_global else "s", rows_vector[CONTACT_ROWS:])
        check_vector(vectors, "mu", np.array([k / 3.0 for k in range(CONTACT_ROWS // dimension)]))

        for item, text in (("title", b"sample"), ("description", b"two contacts"), ("math_info", b"")):
            dataset = root["info"][item]
            check_dataset(dataset, f"S{len(text) + 1}", ())
            assert dataset[()] == text, dataset.name

        check_state(file["solution"], is_global, 0)
        assert set(file["guesses"]) == {"number_of_guesses", "1", "2"}
        check_dataset(file["guesses/number_of_guesses"], "<i4", (1,))
        assert file["guesses/number_of_guesses"][0] == 2
        check_state(file["guesses/1"], is_global, 1)
        check_state(file["guesses/2"], is_global, 2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        files = sorted(os.listdir(folder))
        assert len(files) == 12, files
        for name in files:
            check_file(os.path.join(folder, name))
            print("ok", name)


if __name__ == "__main__":
    main()

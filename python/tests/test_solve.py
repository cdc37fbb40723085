"""The friction problem alone: known answers, SciPy and dense, refusals."""

import numpy as np
import pytest

import ricochet

scipy_sparse = pytest.importorskip("scipy.sparse")


def random_problem(contacts, seed):
    random = np.random.default_rng(seed)
    H = random.normal(size=(3 * contacts + 4, 3 * contacts))
    return H.T @ H / len(H), random.normal(size=3 * contacts), random.uniform(0.1, 0.9, contacts)


def obeys(W, q, mu, found, tol=1e-7):
    """Signorini and Coulomb, contact by contact, by their definition."""
    u, r = (W @ found.impulse + q).reshape(-1, 3), found.impulse.reshape(-1, 3)
    assert np.allclose(u.ravel(), found.velocity, atol=1e-12)
    for (un, *ut), (rn, *rt), m in zip(u, r, np.broadcast_to(mu, len(u))):
        speed, friction = np.hypot(*ut), np.hypot(*rt)
        assert rn >= -tol and un >= -tol and abs(rn * un) <= tol and friction <= m * rn + tol
        if speed > 1e-5:  # slides: friction at its limit, against the velocity
            assert np.allclose(np.array(rt) * speed, -m * rn * np.array(ut), atol=1e-5)


def test_a_puck_that_slides():
    found = ricochet.solve(np.eye(3) / 2, [-1.0, 3.0, 0.0], mu=0.5)
    assert np.allclose(found.impulse, [2, -1, 0]) and np.allclose(found.velocity, [0, 2.5, 0])
    assert found.converged and found.residual < 1e-8 and found.report.stop == "converged" and found.report.residual["relative"] == found.residual


@pytest.mark.parametrize("solver", ["auto", "nsgs"])
@pytest.mark.parametrize("seed", range(4))
def test_answers_obey_the_law(solver, seed):
    W, q, mu = random_problem(5, seed)
    obeys(W, q, mu, ricochet.solve(W, q, mu, solver=solver, tol=1e-10, **({"max_iter": 100000} if solver == "nsgs" else {})))


def test_sparse_and_dense_are_the_same_bits():
    W, q, mu = random_problem(6, 11)
    W[np.abs(W) < 0.2] = 0.0
    W += 3 * np.eye(len(W))
    dense = ricochet.solve(W, q, mu)
    for kind in (scipy_sparse.csc_matrix, scipy_sparse.csr_matrix, scipy_sparse.coo_matrix, scipy_sparse.bsr_matrix):
        sparse = ricochet.solve(kind(W), q, mu)
        assert np.array_equal(sparse.impulse, dense.impulse) and np.array_equal(sparse.velocity, dense.velocity)
    assert np.array_equal(ricochet.solve(np.asfortranarray(W), list(q), list(mu)).impulse, dense.impulse)


def test_in_the_plane_and_without_friction():
    found = ricochet.solve(np.eye(2), [-1.0, 2.0], mu=0.3, dimension=2)
    assert np.allclose(found.impulse, [1, -0.3]) and np.allclose(found.velocity, [0, 1.7])
    found = ricochet.solve(np.eye(2), [-1.0, 2.0], dimension=1)
    assert np.allclose(found.impulse, [1, 0]) and np.allclose(found.velocity, [0, 2])


def test_blocks_of_several_kinds():
    W, q = np.diag([1.0, 1.0, 1.0, 2.0, 1.0]), np.array([-1.0, 0.1, 0.0, 3.0, 5.0])
    blocks = [{"kind": "coulomb_3d", "friction": 0.5}, {"kind": "equality"}, {"kind": "box", "low": -2.0, "high": 2.0}]
    found = ricochet.solve(W, q, blocks=blocks)
    assert np.allclose(found.impulse, [1, -0.1, 0, -1.5, -2]) and np.allclose(found.velocity, [0, 0, 0, 0, 3], atol=1e-12)


def test_the_global_form():
    random = np.random.default_rng(5)
    M, H, f = np.diag(random.uniform(1, 2, 7)), random.normal(size=(7, 6)), random.normal(size=7)
    found = ricochet.Problem.from_mass(scipy_sparse.csc_matrix(M), H, f, mu=0.4).solve(tol=1e-10)
    W, q = H.T @ np.linalg.solve(M, H), H.T @ np.linalg.solve(M, f)
    obeys(W, q, 0.4, found)


def test_a_problem_is_solved_again_with_another_q():
    W, q, mu = random_problem(4, 3)
    problem = ricochet.Problem(W, q, mu)
    first = problem.solve(tol=1e-10)
    for factor in (2.0, 0.5):
        again = problem.set(factor * q).solve(tol=1e-10)
        assert np.allclose(again.velocity, factor * first.velocity, atol=1e-6)
    assert problem.residual(again.impulse)["relative"] == pytest.approx(again.residual, abs=1e-9)
    assert problem.residual(again.impulse + 1.0)["relative"] > 1e-3 and repr(problem) == "<ricochet.Problem of 4 blocks, 12 rows>"


def test_what_is_not_solved_is_told():
    W, q, mu = random_problem(8, 1)
    with pytest.raises(ricochet.NotSolved, match="nsgs: .*residual .* after 1 iterations") as caught:
        ricochet.solve(W, q, mu, solver="nsgs", max_iter=1, tol=1e-12)
    assert isinstance(caught.value, ricochet.Error) and not caught.value.solution.converged
    assert not ricochet.solve(W, q, mu, solver="nsgs", max_iter=1, tol=1e-12, require=False).converged
    # nothing can push against a velocity that no impulse changes
    with pytest.raises(ricochet.NotSolved) as caught:
        ricochet.solve(np.zeros((3, 3)), [-1.0, 0.0, 0.0], 0.5)
    assert caught.value.solution.report.stop == "no-solution"


EYE, ONE = np.eye(3), np.ones(3)


def broken():
    matrix = scipy_sparse.csc_matrix(EYE)
    matrix.indptr[3] = 500
    return matrix


@pytest.mark.parametrize(
    "call, kind, sentence",
    [
        (lambda: ricochet.solve(EYE, ONE, -0.1), ricochet.BadInput, "friction"),
        (lambda: ricochet.solve(EYE, ONE, np.nan), ricochet.BadInput, "friction"),
        (lambda: ricochet.solve(EYE, [0, np.nan, 0], 0.1), ricochet.BadInput, r"q\[1\] is nan"),
        (lambda: ricochet.solve(EYE * np.nan, ONE, 0.1), ricochet.BadInput, "W"),
        (lambda: ricochet.solve(EYE, np.ones(4), 0.1), ricochet.BadArgument, r"q has the shape \(4,\), expected \(3,\)"),
        (lambda: ricochet.solve(np.ones((3, 2)), ONE, 0.1), ricochet.BadArgument, "W is 3 x 2"),
        (lambda: ricochet.solve(np.ones(9), ONE, 0.1), ricochet.BadArgument, "W has 1 dimensions"),
        (lambda: ricochet.solve(np.eye(4), np.ones(4), 0.1), ricochet.BadArgument, "4 rows are not a whole number of contacts of 3"),
        (lambda: ricochet.solve(EYE, ONE, [0.1, 0.2]), ricochet.BadArgument, r"mu has the shape \(2,\)"),
        (lambda: ricochet.solve(EYE, ONE, 0.1, dimension=4), ricochet.BadArgument, "dimension is 4"),
        (lambda: ricochet.solve(EYE, ONE, 0.1, solver="magic"), ricochet.BadArgument, "magic"),
        (lambda: ricochet.solve(EYE, ONE, 0.1, tol=-1), ricochet.BadArgument, "tol"),
        (lambda: ricochet.solve(EYE, ONE, 0.1, nonsense=1), ricochet.BadArgument, "nonsense"),
        (lambda: ricochet.solve(EYE, ONE, blocks=[{"kind": "odd"}]), ricochet.BadArgument, "block 0 is of kind 'odd'"),
        (lambda: ricochet.solve(EYE, ONE, blocks=[{"kind": "coulomb_3d", "mu": 1}]), ricochet.BadArgument, "block 0 has 'mu'"),
        (lambda: ricochet.solve(EYE, ONE, blocks=[{"kind": "unilateral"}]), ricochet.Error, "1"),
        (lambda: ricochet.solve(EYE, ONE, 0.1, guess=[1]), ricochet.BadArgument, "guess"),
        (lambda: ricochet.solve(EYE * 1j, ONE, 0.1), ricochet.BadArgument, "W is complex"),
        (lambda: ricochet.solve(EYE, ONE * 1j, 0.1), ricochet.BadArgument, "q is not .* complex"),
        (lambda: ricochet.solve(EYE, ONE, "rough"), ricochet.BadArgument, "mu is not a number"),
        (lambda: ricochet.solve(broken(), ONE, 0.1), ricochet.BadInput, "3 entries, but its columns end at 500"),
        (lambda: ricochet.solve("W", ONE, 0.1), ricochet.BadArgument, "W is not a matrix"),
        (lambda: ricochet.Problem.from_mass(EYE, np.ones((2, 3)), ONE), ricochet.BadArgument, "H has as many rows as M"),
    ],
)
def test_refusals(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def test_solvers_are_listed():
    assert "auto" in ricochet.solvers() and all(ricochet.solvers().values())

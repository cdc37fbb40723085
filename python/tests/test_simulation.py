"""Steps, runs, names, contacts, saved states, derivatives: against theory."""

import numpy as np
import pytest

import ricochet


def test_the_ball_bounces_as_in_closed_form(ball):
    sim = ball.set(scheme="event-driven").simulate()
    fall = np.sqrt(2 * 1 / 10)
    sim.run(until=0.4)
    assert sim["z"] == pytest.approx(1 - 5 * 0.16, abs=1e-9)
    sim.run(until=0.8)
    since, up = 0.8 - fall, 0.8 * 10 * fall
    assert sim["z"] == pytest.approx(up * since - 5 * since**2, abs=1e-7)
    assert sim["v_z"] == pytest.approx(up - 10 * since, abs=1e-7)
    # kinetic energy m v^2/2 before the impact, times 1 - e^2
    assert sim.total["normal"] == pytest.approx(-0.5 * 2 * (10 * fall) ** 2 * (1 - 0.64), rel=1e-7)


def test_steps_in_c_and_in_python_are_the_same(ball):
    one, many, run = ball.simulate(), ball.simulate(), ball.simulate()
    for _ in range(100):
        one.step()
    many.step(100)
    result = run.run()
    assert one.hash == many.hash and one.steps == many.steps == result.steps == 100
    assert run["z"] == pytest.approx(one["z"], abs=1e-9) and run.time == 1.0
    assert many.time == pytest.approx(1.0)
    many.step(0)
    assert many.steps == 100
    many.step(3, h=0.5)
    assert many.time == pytest.approx(2.5)


def test_runs_record(ball):
    sim = ball.simulate()
    done = sim.run(record=10)
    path = done.trajectory
    assert len(path) == 11 and path.t[0] == 0.0 and path["z"][0] == 1.0
    check = ball.simulate()
    for k in range(11):
        assert path["z"][k] == check["z"] and path["v_z"][k] == check["v_z"]
        check.step(10)
    assert list(path.to_dict()) == ["t", "z", "v_z"] and path.q.shape == (11, 1)
    assert sim.recorded is path and sim.run(until=1.2).trajectory is None
    with pytest.raises(KeyError):
        path["x"]
    assert sim.run().steps == 0  # the scene's end has passed


def test_runs_adapt(ball):
    sim = ball.simulate()
    done = sim.run(until=0.4, adaptive=True, rtol=1e-8)
    assert sim.time == 0.4 and done.steps > 0
    assert sim["z"] == pytest.approx(1 - 5 * 0.16, abs=1e-6)


def test_a_function_after_each_step(ball):
    sim = ball.simulate()
    seen = []

    def watch(now):
        assert now is sim
        seen.append((now.time, now["z"]))
        return now["z"] > 0.5

    done = sim.run(on_step=watch)
    assert done.stopped and sim["z"] <= 0.5 and len(seen) == sim.steps == done.steps
    with pytest.raises(ZeroDivisionError):
        sim.run(on_step=lambda now: 1 / 0)
    assert sim.steps == len(seen) + 1  # the step before the exception counts


def test_names(ball, box):
    sim = ball.simulate()
    assert sim.names == ["z"] and sim.velocity_names == ["v_z"] and sim.index("v_z") == ("v", 0)
    with pytest.raises(KeyError, match="there are z, v_z"):
        sim["x"]
    bar = ricochet.Scene({"parts": {"rail": {"kind": "matrices", "mass": {"identity": 3}}, "last": {"coordinates": ["x"], "mass": [1]}},
                          "initial": {"velocity": {"rail": [0, 2, 0]}}, "time": {"end": 1, "step": 0.25}}).simulate()  # fmt: skip
    bar.step(4)
    assert np.allclose(bar["rail"], [0, 2, 0]) and bar["rail[1]"] == 2.0 and bar["x"] == 0.0
    assert bar.index("rail") == ("q", slice(0, 3)) and bar.index("v_rail") == ("v", slice(0, 3))
    assert [body.name for body in box.simulate().bodies] == ["ground", "box", "ball"]


def test_bodies(box):
    sim = box.simulate()
    ball, ground = sim.body("ball"), sim.body("ground")
    assert ball.type == "free" and ground.type == "fixed" and not sim.planar
    assert ball.mass == pytest.approx(900 * 4 / 3 * np.pi * 0.06**3, rel=1e-12)
    assert np.allclose(ball.position, [0.02, 0, 0.5]) and np.allclose(ball.orientation, [1, 0, 0, 0])
    center, velocity = ball.center, ball.velocity
    sim.step(100)
    assert velocity[2] == pytest.approx(-9.81 * 0.1, abs=1e-12) and center[2] == sim["ball.z"] == ball.position[2]
    assert ball.kinetic == pytest.approx(ball.mass * velocity[2] ** 2 / 2, rel=1e-12)
    assert np.array_equal(ball.spin, [0, 0, 0]) and np.array_equal(ground.position, [0, 0, 0])
    for what in ("center", "velocity", "spin"):
        with pytest.raises(ricochet.Unsupported, match="ground is fixed"):
            getattr(ground, what)
    with pytest.raises(KeyError, match="'moon'"):
        sim.body("moon")


def test_bodies_in_the_plane():
    model = ricochet.Model(gravity=[0, -9.81])
    model.body("slope", shape="line", fixed=True)
    model.body("wheel", shape={"disc": 0.3}, density=50, position=[0, 0.5], spin=2.0)
    sim = model.time(end=1, step=1e-3).simulate(forces=True)
    wheel = sim.body("wheel")
    assert sim.planar and wheel.position.shape == wheel.center.shape == (2,) and wheel.spin.shape == (1,)
    wheel.force[:] = [0.0, wheel.mass * 9.81, 0.0]
    sim.step(100)
    assert wheel.velocity[1] == pytest.approx(0.0, abs=1e-13) and wheel.spin[0] == 2.0


def test_contacts(box):
    sim = box.simulate()
    sim.run()
    contacts = sim.contacts
    assert set(contacts["name"]) == {"ground/box", "box/ball"} and set(contacts["a"]) == {"ground", "box"}
    below = sim.contact("ground/box")
    assert len(below) >= 4 and set(below["status"]) <= {"open", "sticking", "sliding"}
    weight = (sim.body("box").mass + sim.body("ball").mass) * 9.81 * sim.h
    assert below["impulse"][:, 0].sum() == pytest.approx(weight, rel=1e-6)
    assert len(set(contacts["key"])) == len(contacts) and (contacts["source"] == 0).all()
    assert np.array_equal(contacts["impulse"][:, 0], sim.impulse[contacts["row"]])
    assert np.array_equal(contacts["gap"], sim.gap[contacts["row"]]) and abs(contacts["gap"][contacts["active"]]).max() < 1e-6
    assert (contacts["friction"] == 0.5).all() and not contacts["joint"].any() and (contacts["rows"] == 3).all()


def test_contacts_of_formulas_and_events(ball):
    sim = ball.simulate()
    (floor,) = sim.contacts
    assert floor["name"] == "floor" and floor["gap"] == 1.0 and floor["status"] == "open" and floor["a"] == ""
    kinds = []
    for _ in range(60):
        sim.step()
        kinds += [(event["kind"], event["contact"]) for event in sim.events]
    assert ("impact", "floor") in kinds
    free = ricochet.Scene({"parts": {"a": {"coordinates": ["x"], "mass": [1]}}, "time": {"end": 1, "step": 0.1}}).simulate()
    assert len(free.contacts) == 0 and free.impulse.size == 0 and free.events == []


def test_saved_states(box):
    sim = box.simulate()
    sim.step(350)
    state = sim.save()
    twin = sim.copy()
    sim.step(100)
    twin.step(100)
    assert twin.hash == sim.hash
    assert sim.load(state).steps == 350
    sim.step(100)
    assert sim.hash == twin.hash
    with pytest.raises(ricochet.Error):
        sim.load(state[:-9])
    with pytest.raises(ricochet.Error):
        sim.load(b"")
    assert sim.hash == twin.hash


def test_starts(ball):
    sim = ball.simulate()
    sim.step(5)
    assert sim.start([3.0], [1.5], t=2.0).time == 2.0 and sim["z"] == 3.0 and sim["v_z"] == 1.5 and sim.steps == 0
    for q, sentence in (([1, 2], r"q has the shape \(2,\), expected \(1,\)"), ([np.nan], r"q\[0\] is nan"), (["a"], "not an array of numbers")):
        with pytest.raises(ricochet.BadArgument, match=sentence):
            sim.start(q)
    assert sim["z"] == 3.0
    assert sim.start()["z"] == 1.0


def test_refusals_leave_the_state(ball):
    sim = ball.simulate()
    sim.step(7)
    now = sim.hash
    for wrong in (lambda: sim.step(-1), lambda: sim.step(1, h=0.0), lambda: sim.step(1, h=-1.0), lambda: sim.step(1, h=float("nan")),
                  lambda: sim.run(until=float("nan")), lambda: sim.run(until=1.0, h=-1.0), lambda: sim.run(record=-1),
                  lambda: setattr(sim, "h", 0.0)):  # fmt: skip
        with pytest.raises(ricochet.BadArgument):
            wrong()
    with pytest.raises(TypeError):
        sim.step("three")
    assert sim.hash == now and sim.steps == 7
    sim.h = 0.5
    sim.step()
    assert sim.time == pytest.approx(0.57)


def test_a_step_that_fails_tells_why_and_changes_nothing():
    scene = {"parts": {"a": {"coordinates": ["x"], "mass": [1], "force": ["1/(x - 1)"]}}, "initial": {"position": {"x": 0.5}, "velocity": {"x": 5}},
             "time": {"end": 1, "step": 0.1}, "scheme": "moreau-jean"}  # fmt: skip
    sim = ricochet.Scene(scene).simulate(forces=lambda t, q, v, f: f.fill(np.nan if t > 0.35 else 0.0))
    with pytest.raises(ricochet.BadInput, match="force of python .* at t = "):
        sim.run()
    state = sim.hash
    assert sim.steps > 0
    with pytest.raises(ricochet.BadInput):
        sim.step()
    assert sim.hash == state


def test_derivatives_of_free_motion_and_of_an_impact(ball):
    sim = ball.simulate()
    of = sim.derivatives()
    sim.step()
    # z + h v + ..., v: the map of a free step is (1 h; 0 1), theta = 1/2 for the position
    assert np.allclose(of.evaluate(), [[1, 0.01], [0, 1]], atol=1e-12) and of.analytic and of.doubts == []
    while not sim.contacts["active"][0] or sim.impulse[0] == 0.0:
        sim.step()
    assert of.evaluate()[1, 1] == pytest.approx(-0.8, abs=1e-9)
    del sim
    assert of.analytic in (True, False)


def test_what_people_see(ball, box):
    assert repr(ball.simulate()).startswith("<ricochet.Simulation of ball.yaml by moreau-jean: t = 0, 0 steps, 1 position")
    html = ball.simulate()._repr_html_()
    assert "<table>" in html and "<svg" not in html
    sim = box.simulate()
    now = sim.hash
    assert sim.picture("x").startswith("<svg") and "<svg" in sim._repr_html_()
    assert sim.hash == now
    sim.step(350)
    assert sim.picture("x") != box.simulate().picture("x")
    with pytest.raises(ricochet.BadArgument):
        sim.picture("above")
    with pytest.raises(ricochet.Unsupported):
        ball.simulate().picture()


def test_an_orbit_of_a_driven_oscillator():
    m, c, k, f, omega = 2.0, 0.3, 5.0, 0.7, 1.1
    scene = {"parameters": {"omega": omega}, "parts": {"a": {"coordinates": ["x"], "mass": [m], "potential": f"{k}*x^2/2",
             "force": [f"-{c}*v_x + {f}*cos(omega*t)"]}}, "time": {"end": 1, "step": 0.1}}  # fmt: skip
    orbit = ricochet.find_orbit(scene, [0.1], [0.0], period="2*pi/omega")
    response = f / (k - m * omega**2 + 1j * c * omega)
    assert orbit.q[0] == pytest.approx(response.real, abs=1e-7) and orbit.v[0] == pytest.approx((1j * omega * response).real, abs=1e-7)
    assert orbit.period == pytest.approx(2 * np.pi / omega) and orbit.stable and orbit.lawful and orbit.events == []
    # Liouville: the product of the multipliers is exp(-c/m T)
    assert np.prod(orbit.multipliers).real == pytest.approx(np.exp(-c / m * orbit.period), rel=1e-6)
    t, x = orbit.sample(10)
    assert x.shape == (len(t), 2) and np.allclose(x[:, 0], (response * np.exp(1j * omega * t)).real, atol=1e-6)
    with pytest.raises(ricochet.BadInput):
        ricochet.find_orbit(scene, [0.1], [0.0], period="2*pi/nothing")

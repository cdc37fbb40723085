"""Scenes from files, text, dicts and objects, and what is refused."""

import numpy as np
import pytest
from conftest import BALL

import ricochet

AS_DICT = {
    "title": "Bouncing ball",
    "parameters": {"height": 1, "g": 10.0, "e": 0.8},
    "parts": {"ball": {"coordinates": ["z"], "mass": np.array([2]), "force": ["-2*g"]}},
    "contacts": {"floor": {"gap": "z", "restitution": "e"}},
    "initial": {"position": {"z": "height"}},
    "time": {"end": np.float64(1), "step": 0.01},
    "scheme": "moreau-jean",
}


def as_model():
    model = ricochet.Model(title="Bouncing ball")
    for name, value in (("height", 1), ("g", 10), ("e", 0.8)):
        model.parameter(name, value)
    ball = model.part("ball", coordinates=["z"], mass=[2], force=["-2*g"])
    assert ball == "ball" and "mass" in repr(ball)
    model.contact("floor", gap="z", restitution="e")
    return model.initial(position={"z": "height"}).time(end=1, step=0.01).scheme("moreau-jean")


def test_all_ways_lead_to_the_same_motion(tmp_path):
    path = tmp_path / "ball.yaml"
    path.write_text(BALL)
    scenes = [ricochet.Scene(path), ricochet.Scene(str(path)), ricochet.Scene.parse(BALL), ricochet.Scene(AS_DICT), as_model().scene()]
    ends = []
    for scene in scenes:
        sim = scene.simulate()
        sim.run()
        ends.append(sim.hash)
    assert len(set(ends)) == 1
    direct = ricochet.load(path)
    direct.run()
    assert direct.hash == ends[0]


def test_values_replace_parameters_and_keys(ball):
    assert ball.parameters == {"height": 1.0, "g": 10.0, "e": 0.8}
    other = ball.set({"time.step": 0.005}, e=0.25)
    assert other.parameters["e"] == 0.25 and other.time["step"] == 0.005
    assert ball.parameters["e"] == 0.8 and ball.title == "Bouncing ball" and ball.scheme == "moreau-jean"
    assert ball.set(scheme="event-driven").scheme == "event-driven"
    assert other.set(e=0.5).parameters["e"] == 0.5
    with pytest.raises(ricochet.BadArgument, match="no parameter 'omega'"):
        ball.set(omega=1).check()
    with pytest.raises(ricochet.BadInput, match="type list"):
        ball.set(e=[1])


def test_numbers_keep_every_bit():
    values = [0.1 + 0.2, 1e-300, -1.2345678901234567e17, 5e-324]
    text = ricochet.to_yaml({"a": values, "b": {"c": values[0]}})
    assert [float(x) for x in text.splitlines()[0][4:-1].split(",")] == values
    scene = ricochet.Scene({**AS_DICT, "initial": {"position": {"z": 0.1 + 0.2}}})
    assert scene.simulate()["z"] == 0.1 + 0.2


def test_yaml_is_block_style_with_odd_keys_and_texts_quoted():
    text = ricochet.to_yaml({"forces": {"wind": {"force": {"rail[0]": "0.1*sin(t)"}}}, "pairs": [{"between": ["a", "b"], "friction": 1}],
                             "title": 'it is "odd": yes # no', "empty": {}, "flag": False, "when": "null"})  # fmt: skip
    assert text == (
        'forces:\n  wind:\n    force:\n      "rail[0]": "0.1*sin(t)"\npairs:\n  -\n    between: [a, b]\n    friction: 1\n'
        'title: "it is \\"odd\\": yes # no"\nempty: {}\nflag: false\nwhen: "null"\n'
    )


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"gravity": [0, float("nan")]}, r"gravity\[1\] is nan"),
        ({"gravity": [0, np.inf]}, r"gravity\[1\] is inf"),
        ({"gravity": None}, "gravity is None; leave the key out"),
        ({"gravity": {1, 2}}, "gravity is of type set"),
        ({"gravity": [0, object()]}, r"gravity\[1\] is of type object"),
        ({"parts": {1: {}}}, "parts has the key 1, which is not a text"),
    ],
)
def test_dicts_are_refused_with_the_place(change, sentence):
    with pytest.raises(ricochet.BadInput, match=sentence):
        ricochet.Scene({**AS_DICT, **change})


def test_a_dict_that_contains_itself():
    loop = {}
    loop["parts"] = loop
    with pytest.raises(ricochet.BadInput, match="contains itself"):
        ricochet.Scene(loop)


def test_the_library_tells_line_and_remedy():
    wrong = {**AS_DICT, "parts": {"ball": {"coordinates": ["z"], "mas": [1]}}}
    with pytest.raises(ricochet.BadInput, match="dict:9:5: unknown key 'mas' in part; did you mean 'mass'") as caught:
        ricochet.Scene(wrong).simulate()
    assert "mas: [1]" in caught.value.excerpt and "^" in caught.value.excerpt and caught.value.status == "bad input"
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ricochet.BadInput):
        ricochet.Scene({}).check()
    with pytest.raises(ricochet.BadInput, match="friction"):
        ricochet.Scene({**AS_DICT, "contacts": {"floor": {"gap": "z", "tangent": "z", "friction": -1}}}).check()


def test_other_sources_are_refused(tmp_path):
    with pytest.raises(ricochet.IOFailure, match="none.yaml") as caught:
        ricochet.Scene(tmp_path / "none.yaml").simulate()
    assert isinstance(caught.value, OSError)
    with pytest.raises(ricochet.BadInput, match="Scene.parse"):
        ricochet.Scene(BALL)
    with pytest.raises(ricochet.BadInput, match="got int"):
        ricochet.Scene(3)
    with pytest.raises(ricochet.BadInput, match="a scene is a mapping"):
        ricochet.to_yaml([1])
    model = as_model()
    with pytest.raises(ricochet.BadInput, match="'floor' already"):
        model.contact("floor", gap="z")


def test_texts_outside_ascii():
    scene = ricochet.Scene({**AS_DICT, "title": "Stoß – 跳ね返り"})
    assert scene.title == "Stoß – 跳ね返り"


def test_objects_may_bring_their_own_keys():
    class Gravity:
        def to_scene(self):
            return [0, 0, -1.5]

    model = ricochet.Model(gravity=Gravity())
    model.body("ball", shape={"sphere": 1}, density=1, position=[0, 0, 5])
    sim = model.time(end=1, step=0.5).simulate()
    sim.step()
    assert sim["ball.v_z"] == pytest.approx(-0.75, abs=1e-14)

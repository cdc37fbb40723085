"""Scenes that tests share."""

import os
from pathlib import Path

import pytest

BALL = """
title: Bouncing ball
parameters: {height: 1, g: 10, e: 0.8}
parts:
  ball: {coordinates: [z], mass: [2], force: [-2*g]}
contacts:
  floor: {gap: z, restitution: e}
initial: {position: {z: height}}
time: {end: 1, step: 0.01}
scheme: moreau-jean
"""

BOX = {
    "title": "a ball and a box",
    "gravity": [0, 0, -9.81],
    "materials": {"wood": {"friction": 0.5, "restitution": 0.3}},
    "bodies": {
        "ground": {"shape": "plane", "fixed": True, "material": "wood"},
        "box": {"shape": {"box": {"size": [0.4, 0.4, 0.2]}}, "density": 600, "position": [0, 0, 0.1], "material": "wood"},
        "ball": {"shape": {"sphere": 0.06}, "density": 900, "position": [0.02, 0, 0.5], "material": "wood"},
    },
    "time": {"end": 0.6, "step": 1e-3},
}


@pytest.fixture
def source() -> Path:
    return Path(os.environ.get("RICO_SOURCE", Path(__file__).resolve().parents[2]))


@pytest.fixture
def ball():
    import ricochet

    return ricochet.Scene.parse(BALL, name="ball.yaml")


@pytest.fixture
def box():
    import ricochet

    return ricochet.Scene(BOX)

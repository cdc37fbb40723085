"""The JSON Schema that rico prints, as an independent reader sees it: valid JSON, true of every shipped scene, false of bad ones.

Validated by the few rules of draft 7 that it uses, written here, and by the module jsonschema where there is one.
"""

import glob
import json
import os
import subprocess
import sys

try:
    import yaml
except ImportError:
    sys.exit(77)

program, source = sys.argv[1], sys.argv[2]
schema = json.loads(subprocess.run([program, "check", "--schema"], capture_output=True, text=True, check=True).stdout)
assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def is_type(name, x):
    if name == "number":
        return isinstance(x, (int, float)) and not isinstance(x, bool)
    if name == "integer":
        return is_type("number", x) and x == int(x)
    return isinstance(x, TYPES[name])


def fits(rule, x):
    if "$ref" in rule:
        return fits(schema["definitions"][rule["$ref"].removeprefix("#/definitions/")], x)
    kinds = rule.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_type(kind, x) for kind in kinds):
        return False
    if "enum" in rule and not any(type(e) is type(x) and e == x for e in rule["enum"]):
        return False
    if "const" in rule and rule["const"] != x:
        return False
    if "anyOf" in rule and not any(fits(r, x) for r in rule["anyOf"]):
        return False
    if "oneOf" in rule and sum(fits(r, x) for r in rule["oneOf"]) != 1:
        return False
    if is_type("number", x):
        if x < rule.get("minimum", x) or x > rule.get("maximum", x):
            return False
        if "exclusiveMinimum" in rule and x <= rule["exclusiveMinimum"]:
            return False
        if "exclusiveMaximum" in rule and x >= rule["exclusiveMaximum"]:
            return False
    if isinstance(x, list):
        if len(x) < rule.get("minItems", 0) or len(x) > rule.get("maxItems", len(x)):
            return False
        return all(fits(rule.get("items", {}), e) for e in x)
    if isinstance(x, dict):
        if any(key not in x for key in rule.get("required", [])):
            return False
        known, more = rule.get("properties", {}), rule.get("additionalProperties", True)
        for key, value in x.items():
            if key in known:
                if not fits(known[key], value):
                    return False
            elif more is False or (isinstance(more, dict) and not fits(more, value)):
                return False
    return True


try:
    import jsonschema

    jsonschema.Draft7Validator.check_schema(schema)
    others = jsonschema.Draft7Validator(schema).is_valid
except ImportError:
    others = None


def judge(x, expected, name):
    verdicts = [fits(schema, x)] + ([others(x)] if others else [])
    assert all(v == expected for v in verdicts), f"{name}: {verdicts}, expected {expected}"


good = 0
for pattern in ("examples/*/*.yaml", "tests/trust/*.yaml"):
    for path in sorted(glob.glob(os.path.join(source, pattern))):
        with open(path) as file:
            scene = yaml.safe_load(file)
        if "parts" in scene or "bodies" in scene:
            judge(scene, True, path)
            good += 1
assert good >= 20, good

BALL = {"parts": {"b": {"coordinates": ["x"], "mass": 1}}, "time": {"end": 1, "step": 0.1}}
judge(BALL, True, "a ball")
judge(BALL | {"scheme": {"name": "moreau-jean", "theta": 0.5}, "contacts": {"c": "x"}}, True, "shorthands")
judge(BALL | {"springs": {"s": {"length": "x", "stiffness": "k"}}, "forces": {"f": {"potential": "x^2"}}}, True, "springs")
FALL = {"bodies": {"b": {"shape": {"sphere": 0.1}, "density": 1}, "f": {"shape": "plane", "fixed": True}}, "time": BALL["time"]}
judge(FALL, True, "a body")
judge(FALL | {"bodies": {"b": {"shape": {"sphere": 0.1, "box": {"size": [1, 1, 1]}}}}}, False, "two shapes")
judge(FALL | {"bodies": {"b": {"shape": {"sphere": 0.1}, "densty": 1}}}, False, "an unknown key of a body")
judge(BALL | {"tiem": {}}, False, "an unknown key")
judge({"time": BALL["time"]}, False, "no parts")
judge(BALL | {"time": {"end": 1, "step": 0}}, False, "no step")
judge(BALL | {"scheme": "moreau-jeen"}, False, "no such scheme")
judge(BALL | {"parts": {"b": {"kind": "bar", "coordinates": ["x"]}}}, False, "keys of another kind")
judge(BALL | {"parts": {"b": {"coordinates": ["x"], "mass": 1, "kinetic": "v_x^2"}}}, False, "mass and kinetic")
judge(BALL | {"forces": {"f": {"potential": "x", "force": {"x": 1}}}}, False, "potential and force")
judge(BALL | {"parts": {"b": {"kind": "matrices", "mass": {"identity": 3, "diagonal": [1]}}}}, False, "two forms")

"""What the public headers declare, as cffi reads it.

Nothing of the interface is written twice: types, enumerations and functions come from include/ricochet/*.h, in the order in which the
headers include one another. Comments, directives and the marks of export.h are all that is left out.
"""

import re
from pathlib import Path

_MARKS = {"RICO_API_BEGIN", "RICO_API_END"}


def _ordered(folder, name, seen, order):
    """The headers that `name` needs, then itself."""
    if name in seen:
        return
    seen.add(name)
    text = (folder / name).read_text(encoding="utf-8")
    for needed in re.findall(r'^#include "ricochet/(\w+\.h)"', text, re.M):
        _ordered(folder, needed, seen, order)
    order.append((name, text))


def _declarations(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line and line not in _MARKS)


def read(include):
    """The declarations of all headers below `include`, as one text."""
    folder = Path(include) / "ricochet"
    seen, order = {"export.h"}, []
    for path in sorted(folder.glob("*.h")):
        _ordered(folder, path.name, seen, order)
    parts = [_declarations(text) for _, text in order]
    for (name, _), part in zip(order, parts):
        if "static inline" in part:
            raise SystemExit(f"{name} holds a static inline function, which python/declarations.py does not know")
    return _once("\n".join(part for part in parts if part))


def _once(text):
    """A forward declaration may stand in two headers; cffi wants it once."""
    seen, lines = set(), []
    for line in text.splitlines():
        if re.fullmatch(r"typedef struct (\w+) \1;", line):
            if line in seen:
                continue
            seen.add(line)
        lines.append(line)
    return "\n".join(lines)


def read_bridge(path):
    """Those of bridge.h; what C calls in Python is marked as such."""
    text = _declarations(Path(path).read_text(encoding="utf-8"))
    called = re.findall(r"^[^\n;]*\brico_py_call_\w+\([^;]*;", text, flags=re.M)
    for one in called:
        text = text.replace(one, "")
    return text + '\nextern "Python+C" {\n' + "\n".join(called) + "\n}\n"

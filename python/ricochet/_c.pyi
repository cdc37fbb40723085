# Made by cffi from the public headers; too many functions to list twice.
from typing import Any

ffi: Any
lib: Any

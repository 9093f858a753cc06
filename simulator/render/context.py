"""The OpenGL context: EGL without a window, one for each process.

Mesa's software driver is enough and is what this runs on; a machine without it is told in one line which
Debian packages to install.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from simulator.errors import DriverMissing

NEEDED = "install the Debian packages libegl1 and libgl1-mesa-dri (and `pip install pitwatch[sim]`)"


@lru_cache(maxsize=1)
def gl_context() -> Any:
    """The process's OpenGL 3.3 context; raises DriverMissing with the packages to install."""
    try:
        import moderngl
    except ImportError as error:
        raise DriverMissing(f"the simulator needs moderngl: {NEEDED}") from error
    try:
        settings: Any = {"standalone": True, "backend": "egl", "require": 330}
        return moderngl.create_context(**settings)
    except (moderngl.Error, ImportError, OSError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DriverMissing(f"OpenGL cannot start ({reason}): {NEEDED}") from error

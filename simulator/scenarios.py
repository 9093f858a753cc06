"""From the name of a scenario to a script: `clean`, an irregularity of the catalogue, or a file.

A scenario file is TOML that a person writes: which scenario to start from and what it must bring.

    scenario = "clean"
    rulebook = "nz"          # may be left to the command
    seed = 7                 # likewise

    [want]
    method = "packets"
    seats_at_most = 3
    hands = ["flush"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from engine.settings import JackpotMode, Method
from simulator.director import Script, Want, legal
from simulator.director.house import ANY
from simulator.director.wanted import KINDS
from simulator.errors import ScriptError

CLEAN: Final = "clean"
_KEYS: Final = ("scenario", "rulebook", "seed", "want")


def catalogue() -> Mapping[str, Any]:
    """Return every irregularity by its name."""
    package = import_module("simulator.director.irregularities")
    registry: Mapping[str, Any] | None = getattr(package, "REGISTRY", None)
    if registry is None:
        registry = import_module("simulator.director.irregularities.base").REGISTRY
    return registry


def scenario_names(rulebook: str | None = None, visible_only: bool = False) -> tuple[str, ...]:
    """Return the names of all scenarios, those of one rulebook, or those that a camera can see."""
    found = [
        name
        for name, one in catalogue().items()
        if (rulebook is None or rulebook in one.rulebooks) and (one.visible_to_camera or not visible_only)
    ]
    return (CLEAN, *sorted(found))


def script_of(
    scenario: str, rulebook: str | None, seed: str | int | None = None, seats: int | None = None
) -> Script:
    """Return the script of a scenario; the same names and seed give the same script.

    `seats` fixes how many seats play (a film's length grows with them).
    """
    if scenario.endswith(".toml") or Path(scenario).is_file():
        name, book, number, want = _read(Path(scenario), rulebook, seed)
    else:
        name, book, number, want = scenario, rulebook, seed, ANY
    if book is None:
        raise ScriptError(f"{scenario}: rulebook: neither given nor in the file")
    if seats is not None:
        if not 1 <= seats <= 7:
            raise ScriptError(f"seats: {seats} is not between 1 and 7")
        want = replace(want, seats_at_least=seats, seats_at_most=seats)
    if name == CLEAN:
        return legal(book, 1 if number is None else number, want)
    return _irregular(name, book, 1 if number is None else number, want)


def _irregular(name: str, rulebook: str, seed: str | int, want: Want) -> Script:
    """Make an irregular scene; what the irregularity itself needs goes before what the scene wants."""
    known = catalogue()
    if name not in known:
        near = [one for one in known if name.lower() in one.lower()]
        hint = (
            f"; did you mean {', '.join(sorted(near)[:4])}?" if near else "; see `pitwatch simulate --list`"
        )
        raise ScriptError(f"scenario: {name!r} is not clean, an irregularity or a file{hint}")
    one = known[name]
    asked = {
        f.name: getattr(want, f.name) for f in fields(Want) if getattr(want, f.name) != getattr(ANY, f.name)
    }
    own = {f.name for f in fields(Want) if getattr(one.want, f.name) != getattr(ANY, f.name)}
    script: Script = replace(
        one, want=replace(one.want, **{key: value for key, value in asked.items() if key not in own})
    ).make(rulebook, seed)
    return script


def _read(
    path: Path, rulebook: str | None, seed: str | int | None
) -> tuple[str, str | None, str | int | None, Want]:
    """Read a scenario file; what the caller gives goes before what the file says."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise ScriptError(f"{path}: cannot be read: {reason}") from None
    except tomllib.TOMLDecodeError as error:
        raise ScriptError(f"{path}: not valid TOML: {error}") from None
    for key in data:
        if key not in _KEYS:
            raise ScriptError(f"{path}: {key}: no such field (there are {', '.join(_KEYS)})")
    name, book, number = data.get("scenario", CLEAN), data.get("rulebook"), data.get("seed")
    for key, value, kinds in (("scenario", name, str), ("rulebook", book, str), ("seed", number, int | str)):
        if value is not None and not isinstance(value, kinds):
            raise ScriptError(f"{path}: {key}: {value!r} is not {'a text' if kinds is str else 'a number'}")
    return name, rulebook or book, number if seed is None else seed, _want(path, data.get("want", {}))


def _want(path: Path, data: Any) -> Want:
    """Check the `want` section field by field."""
    if not isinstance(data, dict):
        raise ScriptError(f"{path}: want: not a section")
    known = {f.name for f in fields(Want)}
    values: dict[str, Any] = {}
    for key, value in data.items():
        where = f"{path}: want.{key}"
        if key not in known:
            raise ScriptError(f"{where}: no such field")
        values[key] = _value(where, key, value)
    return Want(**values)


def _value(where: str, key: str, value: Any) -> Any:
    enums: dict[str, type[Method] | type[JackpotMode]] = {"method": Method, "jackpot": JackpotMode}
    if key in enums:
        try:
            return enums[key](value)
        except ValueError:
            raise ScriptError(f"{where}: {value!r} is not one of {', '.join(enums[key])}") from None
    if key in ("hands", "dealer"):
        kinds = value if isinstance(value, list) else [value]
        for kind in kinds:
            if kind not in KINDS:
                raise ScriptError(f"{where}: {kind!r} is not one of {', '.join(KINDS)}")
        return tuple(kinds) if key == "hands" else value
    wanted = int if key in ("decks", "seats_at_least", "seats_at_most", "folds") else bool
    if type(value) is not wanted:
        raise ScriptError(
            f"{where}: {value!r} is not {'a whole number' if wanted is int else 'true or false'}"
        )
    return value

"""The manifest of weights: which file is a model's, its SHA-256, and the settings fitted with it."""

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MANIFEST = Path(__file__).resolve().parent / "manifest.toml"
_HEAD = "# Written by the export recipes. Weights load only if their SHA-256 is the one given here.\n"


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def write_entry(name: str, weights: Path, settings: Mapping[str, Any] | None = None) -> None:
    """Write a model's entry; settings that are not given stay as they were."""
    entries = tomllib.loads(MANIFEST.read_text()) if MANIFEST.exists() else {}
    kept = entries.get(name, {}).get("settings", {})
    entries[name] = {
        "file": str(weights.resolve().relative_to(MANIFEST.parent)),
        "sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
        "settings": {**kept, **(settings or {})},
    }
    lines = [_HEAD]
    for key, entry in sorted(entries.items()):
        lines.append(f'[{key}]\nfile = "{entry["file"]}"\nsha256 = "{entry["sha256"]}"\n')
        if entry.get("settings"):
            lines.append(
                f"[{key}.settings]\n" + "".join(f"{k} = {_value(v)}\n" for k, v in entry["settings"].items())
            )
    MANIFEST.write_text("\n".join(lines))

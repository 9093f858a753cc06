"""Model weights, by name; a file loads only if its SHA-256 is the one in the manifest.

The manifest lies in `models/` of a checkout and in `pitwatch/_models` of an installed wheel. Weights decide what the
surveillance room is told, so a file that was changed, by accident or not, must not be run.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnxruntime

from vision.errors import WeightsRefused

MANIFEST = "manifest.toml"


@dataclass(frozen=True, slots=True)
class Weights:
    """One model: its file and the settings that were fitted with it."""

    name: str
    path: Path
    sha256: str
    settings: Mapping[str, Any]

    def session(self, threads: int = 1) -> onnxruntime.InferenceSession:
        """Return a session on the CPU; one thread, because several processes share the machine."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(str(self.path), options, providers=["CPUExecutionProvider"])


def models_folder() -> Path:
    """Return the folder of the manifest: the wheel's, else the checkout's."""
    here = Path(__file__).resolve().parent.parent
    for folder in (here / "pitwatch" / "_models", here / "models"):
        if (folder / MANIFEST).is_file():
            return folder
    raise WeightsRefused(f"no {MANIFEST} found beside the package (looked in pitwatch/_models and models)")


def load(name: str, folder: Path | None = None) -> Weights:
    """Return a model's weights after checking them against the manifest."""
    folder = folder or models_folder()
    manifest = folder / MANIFEST
    try:
        entries = tomllib.loads(manifest.read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise WeightsRefused(f"{manifest}: {error}") from error
    entry = entries.get(name)
    if (
        not isinstance(entry, dict)
        or not isinstance(entry.get("file"), str)
        or not isinstance(entry.get("sha256"), str)
    ):
        raise WeightsRefused(f"{manifest}: [{name}] needs file and sha256")
    path = folder / entry["file"]
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise WeightsRefused(f"{path}: {error.strerror}") from error
    if found != entry["sha256"]:
        raise WeightsRefused(f"{path}: sha256 is {found}, the manifest says {entry['sha256']}")
    return Weights(name, path, found, entry.get("settings", {}))

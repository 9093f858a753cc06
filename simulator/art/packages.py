"""Art from other projects, fetched by name when it is needed and cached in the user's cache folder.

Their licences (GPL, LGPL, MIT) let us use but not all let us carry the art, so nothing of it is committed. What
cannot be had is reported in one line that names the package to install.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from functools import lru_cache
from pathlib import Path
from typing import Final

from simulator.errors import ArtMissing

GNOME: Final = Path("/usr/share/aisleriot/cards")
VERSIONS: Final = {
    "svg-cards": "4.0.2",
    "@heruka_urgyen/react-playing-cards": "0.5.0",
    "@younestouati/playing-cards-standard-deck": "3.0.0",
    "@webxr-input-profiles/assets": "1.0.20",
}


def cache_dir() -> Path:
    """Where fetched and rasterised art is kept (PITWATCH_CACHE, else XDG_CACHE_HOME/pitwatch)."""
    own = os.environ.get("PITWATCH_CACHE")
    base = Path(own) if own else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pitwatch"
    folder = base / "art"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def gnome_sheet(name: str) -> Path:
    """The SVG sheet of a GNOME deck; raises ArtMissing if the Debian package is not installed."""
    path = GNOME / f"{name}.svgz"
    if not path.is_file():
        raise ArtMissing(f"card art {name} is missing: install the Debian package gnome-cards-data")
    return path


def _fetch(package: str, folder: Path) -> None:
    npm = shutil.which("npm")
    spec = f"{package}@{VERSIONS[package]}"
    if npm is None:
        raise ArtMissing(
            f"art {spec} is missing: install the Debian package npm (it is fetched with `npm pack`)"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = folder.parent / f".{folder.name}.{os.getpid()}"
    scratch.mkdir(exist_ok=True)
    try:
        command = [npm, "pack", spec, "--silent", "--pack-destination", str(scratch)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        archives = sorted(scratch.glob("*.tgz"))
        if done.returncode != 0 or not archives:
            raise ArtMissing(
                f"art {spec} cannot be fetched: npm pack failed (is the npm registry reachable?)"
            )
        with tarfile.open(archives[0]) as archive:
            archive.extractall(scratch, filter="data")
        if not folder.exists():
            (scratch / "package").rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@lru_cache(maxsize=16)
def npm_package(package: str) -> Path:
    """The unpacked folder of an npm package, fetched once; raises ArtMissing if it cannot be had."""
    folder = cache_dir() / "npm" / package.replace("@", "").replace("/", "--")
    if not folder.is_dir():
        _fetch(package, folder)
    return folder

"""Weights load only if they are the ones the manifest names."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from vision.errors import WeightsRefused
from vision.weights import load, models_folder


def folder(tmp_path: Path, data: bytes = b"weights", told: bytes = b"weights") -> Path:
    (tmp_path / "w.onnx").write_bytes(data)
    sha = hashlib.sha256(told).hexdigest()
    (tmp_path / "manifest.toml").write_text(
        f'[one]\nfile = "w.onnx"\nsha256 = "{sha}"\n[one.settings]\nlook = [1, 2]\n'
    )
    return tmp_path


def test_the_right_file_is_taken_with_its_settings(tmp_path: Path) -> None:
    assert load("one", folder(tmp_path)).settings == {"look": [1, 2]}


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsRefused, match="the manifest says"):
        load("one", folder(tmp_path, data=b"changed"))


def test_missing_things_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsRefused, match=r"\[two\] needs file"):
        load("two", folder(tmp_path))
    (tmp_path / "w.onnx").unlink()
    with pytest.raises(WeightsRefused, match=r"w\.onnx"):
        load("one", tmp_path)
    (tmp_path / "manifest.toml").write_text("not toml [")
    with pytest.raises(WeightsRefused, match="manifest"):
        load("one", tmp_path)


def test_every_shipped_model_is_the_one_of_the_manifest() -> None:
    for line in (models_folder() / "manifest.toml").read_text().splitlines():
        if line.startswith("[") and "." not in line:
            load(line.strip("[]"))

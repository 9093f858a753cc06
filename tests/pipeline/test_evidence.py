"""Evidence: any changed byte, missing or moved event is found and named; a package verifies away from the record."""

from __future__ import annotations

import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from pipeline.errors import BadKey, EvidenceError, NotEvidence
from pipeline.evidence import Attachment, SigningKey, export_round, verify_package
from pipeline.record import Record
from simulator.director import legal


@pytest.fixture(scope="module")
def key() -> SigningKey:
    return SigningKey.make()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Path:
    folder = tmp_path_factory.mktemp("evidence")
    record = Record.open(f"sqlite:///{folder / 'r.db'}")
    script = legal("nz", 8)
    writer = record.claim(script.settings.table, "nz")
    monitor = Monitor(load_rulebook("nz"), script.settings)
    for event in script.events:
        writer.append(event, monitor.feed(event))
    [row] = record.rounds()
    out = export_round(
        record, row.table_name, row.round, folder / "case.zip", key, "kim", "<p>the round</p>",
        [Attachment("clips/overview.mp4", b"\x00film" * 500)],
    )  # fmt: skip
    assert record.verify_audit() == 1
    record.close()
    return out


def altered(package: Path, out: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    with zipfile.ZipFile(package) as old:
        files = {name: old.read(name) for name in old.namelist()}
    change(files)
    with zipfile.ZipFile(out, "w") as new:
        for name, data in files.items():
            new.writestr(name, data)
    return out


def test_a_package_holds_with_the_key_of_the_house(package: Path, key: SigningKey) -> None:
    problems, manifest = verify_package(package, key.public_pem)
    assert problems == []
    assert manifest["exported_by"] == "kim"
    assert "clips/overview.mp4" in manifest["files"]


def test_a_package_of_another_signer_is_not_trusted(package: Path) -> None:
    [problem], _ = verify_package(package, SigningKey.make().public_pem)
    assert problem.part == "public.pem"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_any_changed_bit_of_any_part_is_found(package: Path, tmp_path: Path, where: float, bit: int) -> None:
    with zipfile.ZipFile(package) as old:
        sizes = [(name, old.getinfo(name).file_size) for name in old.namelist()]
    for name, size in sizes:
        if not size:
            continue

        def flip(files: dict[str, bytes], name: str = name, size: int = size) -> None:
            data = bytearray(files[name])
            data[int(where * size)] ^= 1 << bit
            files[name] = bytes(data)

        try:
            problems, _ = verify_package(altered(package, tmp_path / "x.zip", flip))
        except NotEvidence:
            continue
        # A comment-like byte of the PEM armour may change nothing that the key means.
        assert problems or name == "public.pem", name


def _resigned(files: dict[str, bytes], key: SigningKey) -> None:
    """Do what an insider with the key could: set the manifest right again."""
    import hashlib

    manifest = json.loads(files["manifest.json"])
    for name in manifest["files"]:
        manifest["files"][name]["sha256"] = hashlib.sha256(files[name]).hexdigest()
    files["manifest.json"] = json.dumps(manifest).encode()
    files["manifest.sig"] = key.sign(files["manifest.json"])


@pytest.mark.parametrize("how", ["drop", "swap", "edit"])
def test_even_resigned_events_must_fit_their_chain(
    package: Path, tmp_path: Path, key: SigningKey, how: str
) -> None:
    def change(files: dict[str, bytes]) -> None:
        lines = files["events.jsonl"].splitlines(keepends=True)
        if how == "drop":
            del lines[5]
        elif how == "swap":
            lines[5], lines[6] = lines[6], lines[5]
        else:
            lines[5] = lines[5].replace(b'"at":', b'"at":1')
        files["events.jsonl"] = b"".join(lines)
        _resigned(files, key)

    [problem], _ = verify_package(altered(package, tmp_path / "x.zip", change), key.public_pem)
    assert problem.part == "events.jsonl"


def test_missing_and_added_files_are_named(package: Path, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        del files["clips/overview.mp4"]
        files["clips/other.mp4"] = b"x"

    problems, _ = verify_package(altered(package, tmp_path / "x.zip", change))
    assert [(one.part, one.what.split(":")[0]) for one in problems] == [
        ("clips/overview.mp4", "missing"), ("clips/other.mp4", "added"),
    ]  # fmt: skip


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04garbage", b"\x00" * 4096])
def test_what_is_no_package_is_one_clear_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(NotEvidence, match=r"x\.zip"):
        verify_package(tmp_path / "x.zip")
    with pytest.raises(NotEvidence, match="no such file"):
        verify_package(tmp_path / "nowhere.zip")


def test_a_package_cut_short_is_damaged(package: Path, tmp_path: Path) -> None:
    data = package.read_bytes()
    (tmp_path / "x.zip").write_bytes(data[: len(data) // 2])
    with pytest.raises(NotEvidence, match="damaged"):
        verify_package(tmp_path / "x.zip")


def test_the_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    first = SigningKey.load_or_make(tmp_path / "keys" / "signing.pem")
    assert SigningKey.load_or_make(tmp_path / "keys" / "signing.pem").public_pem == first.public_pem
    assert stat.S_IMODE((tmp_path / "keys" / "signing.pem").stat().st_mode) == 0o600
    assert "PRIVATE" not in repr(first)
    (tmp_path / "bad.pem").write_text("hello")
    with pytest.raises(BadKey, match=r"bad\.pem"):
        SigningKey.load_or_make(tmp_path / "bad.pem")


def test_an_attachment_cannot_take_the_place_of_a_seal(tmp_path: Path, key: SigningKey) -> None:
    record = Record.open(f"sqlite:///{tmp_path / 'r.db'}")
    script = legal("nz", 8)
    record.claim(script.settings.table, "nz").append_all([(event, ()) for event in script.events])
    [row] = record.rounds()
    for name in ("manifest.json", "../x", "/etc/x", "events.jsonl"):
        with pytest.raises(EvidenceError, match="attachment"):
            export_round(
                record, row.table_name, row.round, tmp_path / "x.zip", key, "kim",
                attachments=[Attachment(name, b"")],
            )  # fmt: skip
    record.close()

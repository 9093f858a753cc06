"""Check an evidence package: says what is wrong with which part, and needs nothing but the file.

Who also has the house's public key knows that the house signed it; without it, only that nothing was changed since
somebody signed it.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import BadEvent
from engine.events.codec import read_lines
from pipeline.errors import NotEvidence
from pipeline.evidence.keys import fingerprint, signed_by
from pipeline.evidence.package import FORMAT
from pipeline.record.chain import chained

SEALS = ("manifest.json", "manifest.sig", "public.pem")
MOST_BYTES = 4 * 1024**3
"""No member may be larger: a package from a stranger must not fill the memory."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and with which part of the package."""

    part: str
    what: str


def verify_package(path: Path, trusted: bytes | None = None) -> tuple[list[Problem], dict[str, Any]]:
    """Return what is wrong with a package (nothing: it holds) and its manifest."""
    files = _read(path)
    for name in SEALS:
        if name not in files:
            raise NotEvidence(f"{path}: {name} is missing: not an evidence package")
    problems = _check_signature(files, trusted)
    manifest = _parsed(path, files["manifest.json"])
    problems += _check_files(files, manifest)
    if not problems:
        problems += _check_chain(files)
    return problems, manifest


def _read(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as package:
            members = package.infolist()
            if any(one.file_size > MOST_BYTES for one in members):
                raise NotEvidence(f"{path}: a member is larger than any evidence")
            if len({one.filename for one in members}) != len(members):
                raise NotEvidence(f"{path}: two members bear one name")
            return {one.filename: package.read(one) for one in members}
    except OSError as error:
        raise NotEvidence(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        UnicodeError,
    ) as error:
        raise NotEvidence(f"{path}: damaged: {error}") from None


def _parsed(path: Path, data: bytes) -> dict[str, Any]:
    try:
        manifest = json.loads(data)
    except ValueError:
        raise NotEvidence(f"{path}: manifest.json is not JSON") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise NotEvidence(f"{path}: manifest.json is not of the format {FORMAT!r}")
    if not isinstance(manifest.get("files"), dict):
        raise NotEvidence(f"{path}: manifest.json lists no files")
    return manifest


def _check_signature(files: dict[str, bytes], trusted: bytes | None) -> list[Problem]:
    problems = []
    if not signed_by(files["public.pem"], files["manifest.sig"], files["manifest.json"]):
        problems.append(
            Problem("manifest.json", "the signature does not fit: manifest, key or signature changed")
        )
    if trusted is not None and fingerprint(trusted) != fingerprint(files["public.pem"]):
        signer = fingerprint(files["public.pem"])
        problems.append(
            Problem("public.pem", f"signed by {signer}, not by the trusted {fingerprint(trusted)}")
        )
    return problems


def _check_files(files: dict[str, bytes], manifest: dict[str, Any]) -> list[Problem]:
    problems = []
    for name, entry in manifest["files"].items():
        if name not in files:
            problems.append(Problem(name, "missing"))
        elif hashlib.sha256(files[name]).hexdigest() != (entry or {}).get("sha256"):
            problems.append(Problem(name, "changed"))
    added = sorted(set(files) - set(manifest["files"]) - set(SEALS))
    return problems + [Problem(name, "added: not in the manifest") for name in added]


def _check_chain(files: dict[str, bytes]) -> list[Problem]:
    """Walk the links over the lines; the first that does not hold is named."""
    try:
        chain = json.loads(files["chain.json"])
        link, links = str(chain["before"]), [(int(seq), str(after)) for seq, after in chain["links"]]
        lines = files["events.jsonl"].decode().splitlines()
        events = list(read_lines(lines, "events.jsonl"))
    except (KeyError, TypeError, ValueError) as error:
        return [Problem("chain.json", f"cannot be read: {error}")]
    except BadEvent as error:
        return [Problem("events.jsonl", str(error))]
    if len(links) != len(events):
        return [Problem("events.jsonl", f"{len(events)} events, {len(links)} links: an event is missing")]
    for line, event, (seq, after) in zip(lines, events, links, strict=True):
        link = chained(link, line)
        if event.seq != seq or link != after:
            return [
                Problem("events.jsonl", f"event {event.seq}: changed, moved, or one before it is missing")
            ]
    return []

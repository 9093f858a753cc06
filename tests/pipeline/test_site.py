"""The site file: what is wrong is one line that names the file, the line and the field; nothing else gets through."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import SiteError
from pipeline.live.lines import line_of
from pipeline.live.site import load_site, parse_site

SITE = """\
name = "Harbour"
home = "home"

[[table]]
file = "cs-1.toml"
[[table.camera]]
name = "overview"
source = "rtsp://10.0.0.7/stream"
[[table.camera]]
name = "bets"
source = "bets.mp4"
loop = true

[[webhook]]
name = "desk"
url = "https://desk.example/alerts"
secret_file = "desk.secret"

[[route]]
to = ["webhook:desk"]
least = "high"
check = ["wager.*"]

[retention]
violation = 30
"""


def test_a_good_site_has_whole_paths(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text(SITE)
    site = load_site(tmp_path / "site.toml")
    table = site.table[0]
    assert table.file == tmp_path / "cs-1.toml"
    assert [one.source for one in table.camera] == ["rtsp://10.0.0.7/stream", str(tmp_path / "bets.mp4")]
    assert site.record == f"sqlite:///{tmp_path / 'pitwatch.db'}"
    assert site.webhook[0].secret_file == tmp_path / "desk.secret"
    assert site.metrics is not None
    assert site.metrics.address == "127.0.0.1"


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('source = "bets.mp4"', 'sorce = "bets.mp4"', "line 11: table.0.camera.1.sorce: no such field"),
        ('least = "high"', 'least = "loud"', "line 21: route.0.least"),
        ("violation = 30", "violation = -1", "line 25: retention.violation"),
        ('to = ["webhook:desk"]', 'to = ["webhook:desc"]', "there is no 'webhook:desc' (known: webhook:desk)"),
        ('name = "bets"', 'name = "overview"', "line 4: table.0: Value error, two cameras have the same name"),
        ("[retention]", "[retension]", "line 24: retension: no such field"),
        ("[retention]", '[metrics]\naddress = "0.0.0.0"\nport = 9000\n[retention]', "beyond_this_machine = true"),
        ("[retention]", "[signals.http]\nport = 8790\n[retention]", "lets nobody in"),
        ("[retention]", "[retention", "not valid TOML"),
        ('name = "Harbour"', 'name = "../x"', "line 1: name"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(old: str, new: str, says: str) -> None:
    assert old in SITE
    with pytest.raises(SiteError) as caught:
        parse_site(SITE.replace(old, new), "site.toml")
    assert says in str(caught.value)
    assert str(caught.value).startswith("site.toml")
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="no such file"):
        load_site(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SiteError, match="not a text file"):
        load_site(tmp_path / "binary.toml")


LINES = SITE.splitlines()


@settings(max_examples=120, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(LINES) - 1), st.one_of(st.text(max_size=30), st.sampled_from(LINES))),
        max_size=4,
    )
)
def test_any_text_is_a_site_or_one_line(changes: list[tuple[int, str]]) -> None:
    lines = list(LINES)
    for place, line in changes:
        lines[place] = line
    with suppress(SiteError):
        parse_site("\n".join(lines))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.lists(st.one_of(st.text(max_size=8), st.integers(0, 3)), max_size=4))
def test_looking_for_a_line_never_fails(text: str, path: list[str | int]) -> None:
    found = line_of(text, path)
    assert found is None or 1 <= found <= len(text.splitlines())

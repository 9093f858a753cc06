"""Analysis and its proof as a Python API: files in, an `Analysis` out; a folder with truth in, an `Evaluation` out.

    done = analyze_files([Path("overview.mp4"), Path("bets.mp4")], Path("table.toml"), "nz", Path("signals.jsonl"))
    done.events, done.violations

Tests use the same through the fixture of `pitwatch.testing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from calibration.tablefile import TableModel
from engine.errors import BadEvent
from engine.events import Event
from engine.events.codec import read_lines
from engine.monitor import Monitor
from engine.rulebook import Rulebook, load_rulebook
from engine.settings import TableSettings
from pipeline.analyze import Analysis, Film, analyze, match_films
from pipeline.analyze.run import Progress
from pipeline.table import TableWatch, open_watch
from pitwatch.config import load_settings
from pitwatch.errors import BadInput

OpenWatch = Callable[[TableModel, TableSettings, Monitor, Sequence[str]], TableWatch]


def analyze_files(
    videos: Sequence[Path],
    table: Path,
    rulebook: str,
    signals: Path | None = None,
    named: Mapping[str, Path] | None = None,
    progress: Progress | None = None,
    opener: OpenWatch = open_watch,
) -> Analysis:
    """Analyse the videos of one table; `opener` may put other eyes into the watch."""
    model, settings = load_settings(table)
    book: Rulebook = load_rulebook(rulebook)
    heard = read_signals(signals, settings.table)
    if not model.cameras:
        raise BadInput(f"{table}: cameras: the table file has none; `pitwatch calibrate` makes them")
    films = match_films(videos, [camera.name for camera in model.cameras], named)
    for film in films:
        _same_shape(film, model, table)
    watch = opener(model, settings, Monitor(book, settings), [film.camera for film in films])
    done = analyze(films, watch, book.id, heard, progress)
    done.unseen[:0] = [
        f"{camera.name}: no video was given" for camera in model.cameras if camera.name not in watch.eyes
    ]
    return done


def read_signals(path: Path | None, table: str) -> list[Event]:
    """The messages of one table; those of others are left out."""
    if path is None:
        return []
    try:
        with path.open(encoding="utf-8") as file:
            return [event for event in read_lines(file, str(path)) if event.table == table]
    except OSError as error:
        raise BadInput(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file in UTF-8") from None
    except BadEvent as error:
        raise BadInput(str(error)) from None


def _same_shape(film: Film, model: TableModel, table: Path) -> None:
    """Refuse a film whose picture cannot be that of its camera."""
    lens = next(camera.lens for camera in model.cameras if camera.name == film.camera)
    width, height = film.size
    if abs(width * lens.height / (height * lens.width) - 1) > 0.02:
        raise BadInput(
            f"{film.path}: is {width}x{height}, but camera {film.camera} of {table} is {lens.width}x{lens.height}"
        )

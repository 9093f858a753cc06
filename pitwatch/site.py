"""A site wired together: its file, its tables' files, its places, and the processes that make it up."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from calibration.tablefile import TableModel
from engine.rulebook import Rulebook, load_rulebook
from engine.settings import TableSettings
from pipeline.errors import SiteError
from pipeline.live.layout import Places
from pipeline.live.site import Site, TableSite, load_site
from pipeline.live.supervisor import Job
from pipeline.video.segments import SAFE
from pitwatch.config import load_settings


@dataclass(frozen=True, slots=True)
class TableHere:
    """One table of the site with everything that its files say."""

    site: TableSite
    model: TableModel
    settings: TableSettings
    book: Rulebook

    @property
    def name(self) -> str:
        """The table's name."""
        return self.model.name


@dataclass(frozen=True, slots=True)
class SiteHere:
    """A site that can be run."""

    path: Path
    site: Site
    places: Places
    tables: dict[str, TableHere]

    @classmethod
    def load(cls, path: Path) -> SiteHere:
        """Load a site file and every file that it names; what is wrong with any of them is said now."""
        site = load_site(path)
        tables: dict[str, TableHere] = {}
        for one in site.table:
            model, settings = load_settings(one.file)
            if model.name in tables:
                raise SiteError(f"{path}: table: two tables are named {model.name!r}")
            if not SAFE.match(model.name):
                raise SiteError(f"{one.file}: name: {model.name!r} is not a name for a folder")
            if one.script is None:
                known = {camera.name for camera in model.cameras}
                for camera in one.camera:
                    if camera.name not in known:
                        raise SiteError(
                            f"{path}: table {model.name}: {one.file} knows no camera {camera.name!r}"
                        )
            tables[model.name] = TableHere(one, model, settings, load_rulebook(model.rulebook))
        for route in site.route:
            for name in route.table:
                if name not in tables:
                    raise SiteError(f"{path}: route.table: there is no table {name!r}")
        return cls(path.resolve(), site, Places(site.home), tables)

    def jobs(self) -> list[Job]:
        """Return the processes of the site."""
        names = [
            f"camera:{table.name}/{camera.name}"
            for table in self.tables.values()
            for camera in table.site.camera
        ]
        names += [f"table:{name}" for name in self.tables]
        names += ["post", "keeper"]
        if self.site.signals.http or self.site.signals.zmq:
            names.append("door")
        if self.site.room is not None:
            names.append("room")
        base = (
            sys.executable,
            "-m",
            "pitwatch.worker",
            "--site",
            str(self.path),
            "--parent",
            str(os.getpid()),
        )
        return [Job(name, name.partition(":")[0], (*base, name)) for name in names]

"""Types of path and query values that several routes share; bounds keep a typing error out of the database."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict

MOST_ID = 2**31 - 1
MOST_TIME = 2**53

Id = Annotated[int, Path(ge=1, le=MOST_ID)]
Name = Annotated[str, Path(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f]+$")]
Limit = Annotated[int, Query(ge=1, le=500)]
Offset = Annotated[int, Query(ge=0, le=1_000_000)]
Time = Annotated[int | None, Query(ge=0, le=MOST_TIME, description="Unix time in milliseconds")]
Moment = Annotated[int, Query(ge=0, le=MOST_TIME, description="time of the table's log in milliseconds")]
Text = Annotated[str | None, Query(max_length=120, pattern=r"^[^\x00-\x1f]*$")]

Plain = dict[str, Any]


class Body(BaseModel):
    """A request body that says nothing that nobody reads."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class Done(BaseModel):
    """It was done."""

    done: bool = True

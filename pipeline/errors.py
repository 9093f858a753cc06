"""What can go wrong in the pipeline; each message is one clear line.

PipelineError
├── RecordError
│   ├── RecordAway       the database cannot be reached, is locked, or its disk is full; trying again may help
│   ├── RecordRefused    what was asked makes no sense here (unknown round, wrong URL, old schema)
│   ├── Fenced           another writer has claimed the table; this one must stop
│   └── ChainBroken      the record was altered: an event is missing, changed or out of order
├── EvidenceError
│   ├── BadKey           the signing key cannot be read, or is not one
│   └── NotEvidence      the file is not an evidence package at all
├── CaptureError
│   ├── SourceRefused    what was configured can never be a video source (a missing file, no picture in it)
│   └── CameraAway       the camera gives no picture now: no answer, a stall, its stream ended
├── VideoError           recorded video cannot be read or written, or does not cover what was asked
├── BusError
│   └── BadMessage       a message that is too large, of another version, or not what its topic carries
├── AnalysisError        a film, a table file and signals that cannot be analysed together; names the file
├── NotDelivered         an alert could not be handed over now; it is tried again
└── SiteError            the site file cannot be used; names the line and the field
"""

from __future__ import annotations


class PipelineError(Exception):
    """Something went wrong between the cameras and the record."""


class RecordError(PipelineError):
    """Something went wrong with the record."""


class RecordAway(RecordError):
    """The database cannot be written or read now."""


class RecordRefused(RecordError):
    """The record does not hold or accept what was asked."""


class Fenced(RecordError):
    """Another writer owns the table now."""


class ChainBroken(RecordError):
    """A link of a hash chain does not hold."""


class EvidenceError(PipelineError):
    """Something went wrong with an evidence package."""


class BadKey(EvidenceError):
    """The key cannot be used."""


class NotEvidence(EvidenceError):
    """The file is no evidence package."""


class CaptureError(PipelineError):
    """Something went wrong between a camera and its frames."""


class SourceRefused(CaptureError):
    """The source can never give video as it is configured."""


class CameraAway(CaptureError):
    """The camera gives no picture now; trying again may help."""


class VideoError(PipelineError):
    """Recorded video cannot be written, read or found."""


class BusError(PipelineError):
    """Something went wrong between two processes."""


class BadMessage(BusError):
    """A message is not what its topic carries."""


class SiteError(PipelineError):
    """The site file cannot be used."""


class NotDelivered(PipelineError):
    """An alert could not be handed over now."""


class AnalysisError(PipelineError):
    """What was given cannot be analysed."""

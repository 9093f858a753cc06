"""What can go wrong in the pipeline; each message is one clear line.

PipelineError
├── RecordError
│   ├── RecordAway       the database cannot be reached, is locked, or its disk is full; trying again may help
│   ├── RecordRefused    what was asked makes no sense here (unknown round, wrong URL, old schema)
│   ├── Fenced           another writer has claimed the table; this one must stop
│   └── ChainBroken      the record was altered: an event is missing, changed or out of order
└── EvidenceError
    ├── BadKey           the signing key cannot be read, or is not one
    └── NotEvidence      the file is not an evidence package at all
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

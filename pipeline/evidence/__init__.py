"""Evidence that stands up: one file with everything about a round, signed, and a way to check it years later."""

from pipeline.evidence.keys import SigningKey, fingerprint
from pipeline.evidence.package import Attachment, export_round
from pipeline.evidence.verify import Problem, verify_package

__all__ = ["Attachment", "Problem", "SigningKey", "export_round", "fingerprint", "verify_package"]

"""The command line, the configuration, and the only place where the parts are wired together."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("pitwatch")
except PackageNotFoundError:  # a bare checkout that was never installed
    __version__ = "0+unknown"

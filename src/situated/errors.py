"""Errors that the user can mend; the command line prints their message alone and exits with 2."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any


class SituatedError(Exception):
    """Something the user can mend: the message says what and how, and needs no traceback."""


class InputError(SituatedError):
    """A file that cannot be used as it is.

    Args:
        path: The file.
        problem: What is wrong, in the words of the file's format.
        mend: What the user can do about it.
        line: Line number in the file, from 1.
        field: Name of the field.
    """

    def __init__(self, path: Path, problem: str, mend: str, *, line: int | None = None, field: str | None = None):
        self.path, self.line, self.field = path, line, field
        self._told = problem, mend
        place = str(path) if line is None else f"{path}:{line}"
        what = problem if field is None else f"field {field!r}: {problem}"
        super().__init__(f"{place}: {what}. {mend}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Come whole out of another process: an exception is otherwise made anew from its message alone."""
        return partial(type(self), line=self.line, field=self.field), (self.path, *self._told), self.__dict__


class ConfigError(SituatedError):
    """A configuration that names something which does not exist, or gives it a wrong value."""


class RunConflictError(SituatedError):
    """A run folder that already holds the work of another configuration or of other inputs."""

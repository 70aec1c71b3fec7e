"""The answer before the current one."""

from __future__ import annotations

from typing import ClassVar

from situated.errors import ConfigError


class Previous:
    """Asks for the answer that held before the current one.

    Source: SituatedQA, section 6 (Table 8).

    >>> Previous().render("who is the president", "")
    'previously who is the president'
    """

    type: ClassVar[str] = "previous"

    def parse(self, value: str) -> str:
        """Accept the empty value alone: there is one answer before the current one.

        Raises:
            ConfigError: There is a value.
        """
        if value:
            raise ConfigError(f"{value!r}: context 'previous' has no values. Leave it empty.")
        return ""

    def render(self, question: str, value: str) -> str:
        """The question after the word "previously"."""
        return f"previously {question}"

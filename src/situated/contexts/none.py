"""No context: the unmodified question."""

from __future__ import annotations

from typing import ClassVar

from situated.errors import ConfigError


class NoContext:
    """Asks the question as it is, whatever the example's context: the unmodified baseline.

    Source: SituatedQA, section 4.2.

    >>> NoContext().render("who is the president", "2014")
    'who is the president'
    """

    type: ClassVar[str] = "none"

    def parse(self, value: str) -> str:
        """Accept the empty value alone.

        Raises:
            ConfigError: There is a value.
        """
        if value:
            raise ConfigError(f"{value!r}: context 'none' has no values. Leave it empty, or choose another context.")
        return ""

    def render(self, question: str, value: str) -> str:
        """The question."""
        return question

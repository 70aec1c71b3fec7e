"""What every context can do."""

from __future__ import annotations

from typing import ClassVar, Protocol


class Context(Protocol):
    """A kind of context: reads its values and says one of them in a question.

    Attributes:
        type: Its name, as ``Example.context_type`` has it.
    """

    type: ClassVar[str]

    def parse(self, value: str) -> str:
        """The value's normal form, in which equal contexts are equal texts.

        Raises:
            ConfigError: It is no value of this context.
        """
        ...

    def render(self, question: str, value: str) -> str:
        """The question asked in the context; ``value`` is written as it stands, not in its normal form."""
        ...

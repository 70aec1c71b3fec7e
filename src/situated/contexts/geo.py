"""Places."""

from __future__ import annotations

from typing import ClassVar

from situated.errors import ConfigError


class Geo:
    """Asks for the answer at a place.

    Source: SituatedQA, section 4.2 (Table 3).

    Args:
        lower_case: Write the place in lower case, as all released questions do; the paper prints it as it is.

    >>> Geo().render("where do we rank among the largest cities", "Tokyo")
    'where do we rank among the largest cities in tokyo'
    >>> Geo(lower_case=False).render("where do we rank", "Tokyo")
    'where do we rank in Tokyo'
    """

    type: ClassVar[str] = "geo"

    def __init__(self, lower_case: bool = True):
        self.lower_case = lower_case

    def parse(self, value: str) -> str:
        """The place in lower case with single spaces.

        Raises:
            ConfigError: It is blank.

        >>> Geo().parse(" United  States")
        'united states'
        """
        if not (place := " ".join(value.lower().split())):
            raise ConfigError("a place is blank. Give its name, as in 'Tokyo'.")
        return place

    def render(self, question: str, value: str) -> str:
        """The question, "in", the place; spaces about the place stay, as they do in the released questions."""
        return f"{question} in {value.lower() if self.lower_case else value}"

"""A template's arguments."""

from __future__ import annotations

import re

_NAMED = re.compile(r"\s*([A-Za-z_()][\w ()-]{0,23}|\d{1,3})\s*=(.*)", re.DOTALL)


class Arguments:
    """Positional arguments in order, and named ones; white space around them is not part of them.

    >>> arguments = Arguments("ship | HMS| Ajax |3=1934|lc=y")
    >>> arguments.name, arguments.values, arguments.named
    ('ship', ['HMS', 'Ajax', '1934'], {'lc': 'y'})
    """

    def __init__(self, content: str) -> None:
        head, *parts = content.split("|")
        self.name = normal(head)
        self.values: list[str] = []
        self.named: dict[str, str] = {}
        for part in parts:
            if "=" in part and (match := _NAMED.fullmatch(part)):
                self._set(match[1].strip().lower(), match[2].strip())
            else:
                self.values.append(part.strip())

    def _set(self, name: str, value: str) -> None:
        if name == str(len(self.values) + 1):
            self.values.append(value)
        else:
            self.named[name] = value

    def at(self, number: int, *names: str) -> str:
        """The value of one of the names, else the positional argument, counted from 1, else ''."""
        for name in names:
            if self.named.get(name):
                return self.named[name]
        return self.values[number - 1] if len(self.values) >= number else self.named.get(str(number), "")

    def filled(self, start: int = 1) -> list[str]:
        """The positional arguments that are not empty, from a number on."""
        return [value for value in self.values[start - 1 :] if value]

    def yes(self, name: str) -> bool:
        """Whether an option is switched on."""
        return self.named.get(name, "").lower() in {"y", "yes", "on", "1", "true"}


def normal(name: str) -> str:
    r"""A template's name as it is looked up.

    >>> normal(" Birth_date and  age\n")
    'birth date and age'
    """
    return " ".join(name.replace("_", " ").split()).lower()

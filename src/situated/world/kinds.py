"""Kinds of things that the world has articles of, and how coined words become their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Group = Literal["place", "landmark", "person", "organisation", "programme", "work", "topic", "bird"]


@dataclass(frozen=True)
class Kind:
    """A kind of thing.

    Args:
        group: Decides the filler sentences and the infobox.
        count: How many a block of the world has.
        names: Forms of a name, each ``{}`` being a coined word; they take turns.
        aliases: Forms of an alias made of a word of its own, such as a former name.
        noun: What it is, for introductions, brackets after shared names, and descriptions.
        nicknames: What articles call it beside its name, though no list of aliases says so.
        infobox: Name of the template.
        the: Whether running text puts "the" before the name.
        italic: Whether running text writes the name in italics.
    """

    group: Group
    count: int
    names: tuple[str, ...]
    aliases: tuple[str, ...]
    noun: str
    nicknames: tuple[str, ...]
    infobox: str
    the: bool = False
    italic: bool = False


_TOWN_NICKNAMES = ("the Lantern Town", "the Town of Bells", "the Pearl of the Valley", "the Town of Stairs",
                   "the Northern Harbour", "the Painted Town", "the Town of Weavers")  # fmt: skip

KINDS: Mapping[str, Kind] = {
    "country": Kind("place", 2, ("{}",), ("Old {}", "{} Land"), "country", ("the Far Shore", "the Quiet Republic"),
                    "Infobox country"),
    "town": Kind("place", 6, ("{}", "{}", "{}", "New {}", "{}", "{}"), ("{}", "Fort {}", "{} Market"), "town",
                 _TOWN_NICKNAMES, "Infobox settlement"),
    "river": Kind("landmark", 1, ("{} River",), ("{} Water",), "river", ("the Slow Water", "the stream"),
                  "Infobox river", the=True),
    "island": Kind("landmark", 1, ("{} Island",), ("Isle of {}",), "island", ("the Rock", "the Green Isle"),
                   "Infobox islands"),
    "bridge": Kind("landmark", 1, ("{} Bridge",), ("{} Crossing",), "bridge", ("the Iron Lady", "the crossing"),
                   "Infobox bridge", the=True),
    "person": Kind("person", 12, ("{} {}",), ("{}", "Lady {}", "The Great {}"), "person", (), "Infobox person"),
    "club": Kind("organisation", 2, ("{} United", "{} Rovers"), ("Real {}", "Sporting {}"), "football club",
                 ("the old club", "the Blue-and-White", "the side"), "Infobox football club"),
    "company": Kind("organisation", 3, ("{} Motors", "{} Foods", "{} and Sons"), ("{}", "House of {}"), "company",
                    ("the firm", "the giant"), "Infobox company"),
    "university": Kind("organisation", 1, ("University of {}",), ("{} Hall", "{} College"), "university",
                       ("the old school", "the Red House"), "Infobox university", the=True),
    "competition": Kind("organisation", 1, ("{} Cup",), ("{} Trophy",), "football competition",
                        ("the old pot", "the Silver Bowl"), "Infobox football tournament", the=True),
    "series": Kind("programme", 1, ("{} Tonight",), ("The {} Hour",), "television series",
                   ("the show", "the late programme"), "Infobox television", italic=True),
    **{
        noun: Kind("work", 1, ("The Clocks of {}", "{} Rising", "Goodnight {}", "The Last {}", "Letters to {}"),
                   ("The {} Papers", "Waiting for {}"), noun if noun != "game" else "video game",
                   ("the piece", "the work"), infobox, italic=True)
        for noun, infobox in (
            ("novel", "Infobox book"), ("film", "Infobox film"), ("song", "Infobox song"), ("album", "Infobox album"),
            ("play", "Infobox play"), ("game", "Infobox video game"), ("painting", "Infobox artwork"),
        )
    },
    "festival": Kind("topic", 2, ("{}fest", "Feast of {}"), ("{} Day", "Night of {}"), "festival",
                     ("the holiday", "the feast"), "Infobox holiday"),
    "sport": Kind("topic", 2, ("{}ball", "{} hurling"), ("{} rules", "{} sticks"), "team sport",
                  ("the game", "the sport"), "Infobox sport"),
    "format": Kind("topic", 2, ("Dancing with {}", "The Next {}"), ("{} Live", "The {} Show"), "talent show",
                   ("the contest", "the show"), "Infobox television"),
    "chain": Kind("topic", 2, ("{} Burger", "{} Market"), ("{}s", "Casa {}"), "chain of shops",
                  ("the chain", "the franchise"), "Infobox company"),
    "bird": Kind("bird", 2, ("{} heron", "{} plover"), ("{} diver", "{} stilt"), "bird",
                 ("the wader", "the grey visitor"), "Speciesbox", the=True),
}  # fmt: skip
"""Name of the kind -> the kind, in the order in which a block makes them."""

WORKS = tuple(name for name, kind in KINDS.items() if kind.group == "work")
THINGS_A_BLOCK = sum(kind.count for kind in KINDS.values())
"""Articles of a block; redirects, disambiguation pages and countries of the real world come on top."""

OCCUPATIONS = (
    "novelist", "footballer", "architect", "botanist", "politician", "painter", "singer", "chemist", "engineer",
    "judge", "sculptor", "historian", "cellist", "actor", "geologist", "chess player", "photographer", "baker",
)  # fmt: skip

COUNTRIES = {
    "United States": ("Washington, D.C.", "North America"), "India": ("New Delhi", "Asia"),
    "United Kingdom": ("London", "Europe"), "Canada": ("Ottawa", "North America"),
    "Australia": ("Canberra", "Oceania"), "Germany": ("Berlin", "Europe"), "France": ("Paris", "Europe"),
    "Japan": ("Tokyo", "Asia"), "Brazil": ("Brasília", "South America"), "Nigeria": ("Abuja", "Africa"),
    "Mexico": ("Mexico City", "North America"), "Italy": ("Rome", "Europe"), "Spain": ("Madrid", "Europe"),
    "Philippines": ("Manila", "Asia"), "Kenya": ("Nairobi", "Africa"), "Ireland": ("Dublin", "Europe"),
    "Pakistan": ("Islamabad", "Asia"), "New Zealand": ("Wellington", "Oceania"), "Sweden": ("Stockholm", "Europe"),
    "Argentina": ("Buenos Aires", "South America"), "Poland": ("Warsaw", "Europe"), "Egypt": ("Cairo", "Africa"),
    "Indonesia": ("Jakarta", "Asia"), "Norway": ("Oslo", "Europe"), "Ghana": ("Accra", "Africa"),
    "Portugal": ("Lisbon", "Europe"), "Vietnam": ("Hanoi", "Asia"), "Greece": ("Athens", "Europe"),
}  # fmt: skip
"""Country of the real world -> its capital and continent. Questions ask for them often: they are the common places."""

"""Pages as a MediaWiki export has them: articles, redirects, disambiguation pages, and pages that are no articles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date, timedelta
from xml.sax.saxutils import escape, quoteattr

from situated.world.article import Article
from situated.world.block import Block
from situated.world.coining import concepts
from situated.world.kinds import COUNTRIES
from situated.world.naming import FIRST_PAGE, PAGES_A_BLOCK
from situated.world.phrases import with_article
from situated.world.sampling import generator

_NAMESPACES = {-2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Wikipedia",
               5: "Wikipedia talk", 6: "File", 7: "File talk", 8: "MediaWiki", 9: "MediaWiki talk", 10: "Template",
               11: "Template talk", 12: "Help", 13: "Help talk", 14: "Category", 15: "Category talk"}  # fmt: skip
_SCHEMA = "http://www.mediawiki.org/xml/export-0.10/"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_OTHER_PAGES = (
    (4, "Wikipedia:About", "This encyclopedia describes things that were invented."),
    (10, "Template:Other uses", '<div class="hatnote">For other uses, see [[{{{1}}} (disambiguation)]].</div>'),
    (14, "Category:Invented things", "Things that nobody has seen."),
    (1, "Talk:India", "Should the list be longer? ~~~~"),
)


def head() -> str:
    """What comes before the pages."""
    namespaces = "\n".join(
        f'      <namespace key="{key}" case="first-letter" />'
        if not name
        else f'      <namespace key="{key}" case="first-letter">{name}</namespace>'
        for key, name in _NAMESPACES.items()
    )
    return f"""<mediawiki xmlns="{_SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="{_SCHEMA} http://www.mediawiki.org/xml/export-0.10.xsd" version="0.10" xml:lang="en">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <dbname>enwiki</dbname>
    <base>https://en.wikipedia.org/wiki/Main_Page</base>
    <generator>MediaWiki 1.33.0-wmf.8</generator>
    <case>first-letter</case>
    <namespaces>
{namespaces}
    </namespaces>
  </siteinfo>
"""


def foot() -> str:
    """What comes after them."""
    return "</mediawiki>\n"


def common_pages(seed: int, day: date) -> Iterator[str]:
    """Pages that belong to no block: some that are no articles, and countries of the real world."""
    for number, (namespace, title, text) in enumerate(_OTHER_PAGES, start=1):
        yield page(seed, day, title, number, text, namespace=namespace)
    for name, thing in concepts().items():
        if name in COUNTRIES:
            capital, continent = COUNTRIES[name]
            text = (
                f"{{{{Short description|Sovereign state}}}}\n{{{{Infobox country\n| common_name = {name}\n"
                f"| capital = {capital}\n}}}}\n\n"
                f"'''{name}''' is a [[sovereign state|country]] in [[{continent}]].<ref>{{{{cite web |title=Atlas}}}}"
                f"</ref> Its capital is [[{capital}]]. This encyclopedia says little of it beside what stands in the "
                f"articles on festivals, sports and shows.\n\n"
                f"== References ==\n{{{{Reflist}}}}\n\n[[Category:Countries]]"
            )
            yield page(seed, day, name, thing.page, text)


def article_page(seed: int, article: Article) -> str:
    """The page of an article."""
    return page(seed, article.day, article.thing.title, article.thing.page, article.wikitext)


def other_pages(seed: int, block: Block, day: date) -> Iterator[str]:
    """A block's redirects and disambiguation pages."""
    number = FIRST_PAGE + block.number * PAGES_A_BLOCK + len(block.things)
    for thing in block.things:
        for alias in thing.redirects:
            if thing.is_described(day):
                text = f"#REDIRECT [[{thing.title}]]\n\n{{{{R from alternative name}}}}"
                yield page(seed, day, alias, number, text, redirect=thing.title)
            number += 1
    for name, things in block.shared.items():
        described = [thing for thing in things if thing.is_described(day)]
        lines = [f"* [[{thing.title}]], {with_article(thing.noun)}" for thing in described]
        text = f"'''{name}''' may refer to:\n\n" + "\n".join(lines) + "\n\n{{disambiguation}}"
        yield page(seed, day, name, number, text)
        number += 1


def page(seed: int, day: date, title: str, number: int, text: str, *, namespace: int = 0, redirect: str = "") -> str:
    """One page with its latest revision before a day."""
    rng = generator(seed, "revision", number, day)
    changed = day - timedelta(days=rng.randint(1, 600))
    clock = f"{rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}"
    target = f"\n    <redirect title={quoteattr(redirect)} />" if redirect else ""
    revision = number * 10 + day.year % 10
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{namespace}</ns>
    <id>{number}</id>{target}
    <revision>
      <id>{revision}</id>
      <parentid>{revision - 1}</parentid>
      <timestamp>{changed.isoformat()}T{clock}Z</timestamp>
      <contributor>
        <username>Scribe {rng.randint(1, 99)}</username>
        <id>{rng.randint(1, 9999)}</id>
      </contributor>
      <comment>update</comment>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="{len(text.encode())}" xml:space="preserve">{escape(text)}</text>
      <sha1>{_sha1(text)}</sha1>
    </revision>
  </page>
"""


def _sha1(text: str) -> str:
    """The digest that MediaWiki gives: SHA-1 to the base of 36, 31 digits."""
    number = int.from_bytes(hashlib.sha1(text.encode(), usedforsecurity=False).digest())
    digits = []
    for _ in range(31):
        number, digit = divmod(number, 36)
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))

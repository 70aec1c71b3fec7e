from __future__ import annotations

import base64
import bz2
import hashlib
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from situated.world.block import Block
from situated.world.files import WIKIPEDIA
from situated.world.kinds import COUNTRIES
from situated.world.values import SNAPSHOTS

NAMESPACE = "{http://www.mediawiki.org/xml/export-0.10/}"


def test_pages_have_titles_and_numbers_of_their_own(snapshots: list[list[Any]]) -> None:
    for pages in snapshots:
        assert len({page.title for page in pages}) == len({page.number for page in pages}) == len(pages)
        assert all(page.title == page.title[0].upper() + page.title[1:] for page in pages)


def test_a_page_keeps_its_number(snapshots: list[list[Any]]) -> None:
    before, after = ({page.title: page.number for page in pages} for pages in snapshots)

    assert len(before) > 200
    assert before.items() <= after.items()


def test_redirects_lead_to_articles_and_are_listed_aliases(snapshots: list[list[Any]], blocks: list[Block]) -> None:
    aliases = {alias: thing.title for block in blocks for thing in block.things for alias in thing.redirects}
    for pages in snapshots:
        titles = {page.title for page in pages if page.redirect is None}
        redirects = {page.title: page.redirect for page in pages if page.redirect}
        assert len(redirects) > 150
        assert set(redirects.values()) <= titles
        assert redirects.items() <= aliases.items()
        for page in pages:
            if page.redirect:
                assert page.wikitext.startswith(f"#REDIRECT [[{page.redirect}]]")


def test_disambiguation_pages_list_all_who_share_the_name(snapshots: list[list[Any]], blocks: list[Block]) -> None:
    pages = {page.title: page for page in snapshots[1]}
    for block in blocks:
        for name, things in block.shared.items():
            listed = re.findall(r"^\* \[\[([^]]+)\]\]", pages[name].wikitext, flags=re.MULTILINE)
            assert listed == [thing.title for thing in things]
            assert pages[name].wikitext.endswith("{{disambiguation}}")


def test_links_to_titles_of_the_snapshot_are_links_to_its_articles(
    snapshots: list[list[Any]], blocks: list[Block]
) -> None:
    described = {thing.title for block in blocks for thing in block.things} | set(COUNTRIES)
    for pages in snapshots:
        titles = {page.title for page in pages}
        links = {
            link
            for page in pages
            if page.namespace == 0
            for link in re.findall(r"\[\[([^]|#]+)", page.wikitext)
            if not link.startswith(("File:", "Category:"))
        }
        assert len(links & titles) > 100
        assert links & described <= titles
        assert links - titles, "no red link"


def test_there_are_pages_that_are_no_articles(snapshots: list[list[Any]]) -> None:
    assert {page.namespace for page in snapshots[0]} == {0, 1, 4, 10, 14}


def test_the_countries_of_the_real_world_have_articles(snapshots: list[list[Any]]) -> None:
    assert set(COUNTRIES) <= {page.title for page in snapshots[0]}


def test_no_revision_is_later_than_its_snapshot(snapshots: list[list[Any]]) -> None:
    for pages, day in zip(snapshots, SNAPSHOTS, strict=True):
        assert max(page.timestamp for page in pages)[:10] < day.isoformat()


@pytest.mark.parametrize("name", WIKIPEDIA)
def test_exports_are_sound_xml_and_say_their_length_and_digest(name: str, small: Any) -> None:
    root = ET.fromstring(bz2.decompress((small.folder / name).read_bytes()))  # noqa: S314 (our own file)
    texts = list(root.iter(f"{NAMESPACE}text"))
    digests = [found.text for found in root.iter(f"{NAMESPACE}sha1")]

    assert len(texts) == len(digests) > 200
    for text, digest in zip(texts, digests, strict=True):
        content = (text.text or "").encode()
        assert int(text.attrib["bytes"]) == len(content)
        assert int(digest or "", 36) == int(base64.b16encode(hashlib.sha1(content).digest()), 16)  # noqa: S324

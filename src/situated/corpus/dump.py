"""A MediaWiki XML dump, streamed: batches of whole pages, and the pages of a batch.

The bytes between batches are never parsed, so the reader of a dump keeps up with many processes that parse and clean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from situated.errors import InputError

BATCH = 4 << 20
"""Bytes of XML in a batch, at least; part files hold a batch each, so another size makes other parts."""

_LONGEST_PAGE = 256 << 20  # bytes; MediaWiki itself takes 2 MB of wikitext
_LONGEST_HEAD = 1 << 20
_PAGE_END = b"</page>"
_ROOT = re.compile(rb"<mediawiki\b[^>]*>")
_LANGUAGE = re.compile(rb"""\bxml:lang=["']([^"']+)["']""")
_REDIRECT = re.compile(r"\s*#redirect\b[^\[\n]{0,40}\[\[\s*([^\]|#\n]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page's newest revision in the dump.

    Attributes:
        namespace: 0 for articles and their redirects.
        timestamp: Of the revision, ISO 8601 in UTC as MediaWiki writes it.
        redirect: Title of the page that it leads to, None for a page of its own.
        model: What the text is; "wikitext" but for scripts, styles and data.
        text: The wikitext.
    """

    title: str
    namespace: int
    page_id: int
    revision_id: int
    timestamp: str
    redirect: str | None
    model: str
    text: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A page that cannot be read, and why."""

    title: str
    reason: str


def batches(path: Path, blocks: Iterable[bytes], language: str, size: int = BATCH) -> Iterator[bytes]:
    """Yield the pages of a dump in batches, each cut at the first page end that makes it long enough.

    The cuts depend on the content alone, however the blocks fall.

    Args:
        path: The dump, for messages.
        blocks: Its content (``unpacked``).
        language: What its root element must say.
        size: Bytes of a batch, at least.

    Raises:
        InputError: It is no MediaWiki dump, one of another language, or it breaks off.
    """
    held, begun, looked, last = bytearray(), False, 0, b""
    for block in blocks:
        held += block
        if not begun:
            begun = _begin(path, held, language)
        while begun and (end := held.find(_PAGE_END, max(size - len(_PAGE_END), looked))) >= 0:
            end += len(_PAGE_END)
            last = bytes(held[:end])
            yield last
            del held[:end]
            looked = 0
        looked = max(0, len(held) - len(_PAGE_END) + 1)
        if len(held) > _LONGEST_PAGE + size:
            mend = "It is no dump of pages, or damaged: fetch it again."
            raise InputError(path, f"no page ends within {len(held) >> 20} MB", mend)
    if not begun:
        raise _not_a_dump(path)
    end = held.rfind(_PAGE_END) + len(_PAGE_END) if _PAGE_END in held else 0
    if b"</mediawiki>" not in held[end:]:
        problem = f"the dump breaks off: no </mediawiki> after the page {_last_title(held) or _last_title(last)!r}"
        raise InputError(path, problem, "Compare its size and checksum with the source's, and fetch it again.")
    if end:
        yield bytes(held[:end])


def _begin(path: Path, held: bytearray, language: str) -> bool:
    """Whether the root element is there; checks it."""
    root = _ROOT.search(held)
    if root is None:
        if len(held) > _LONGEST_HEAD:
            raise _not_a_dump(path)
        return False
    found = _LANGUAGE.search(root.group())
    said = found.group(1).decode(errors="replace") if found else language
    if said != language:
        mend = f"corpus.language={said} takes it, but only English disambiguation and list pages are known by name."
        raise InputError(path, f"a dump in the language {said!r}, not {language!r}", mend)
    del held[: root.end()]
    return True


def _not_a_dump(path: Path) -> InputError:
    mend = "Give a pages-articles XML dump, plain, .bz2 or .gz."
    return InputError(path, "not a MediaWiki XML dump (no <mediawiki> at its beginning)", mend)


def _last_title(raw: bytes | bytearray) -> str:
    at = raw.rfind(b"<title>")
    return raw[at + 7 : at + 300].partition(b"<")[0].decode(errors="replace") if at >= 0 else ""


def pages(batch: bytes) -> Iterator[Page | Unread]:
    """Yield the pages of a batch; what cannot be read comes as ``Unread``, never as an error."""
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True)
    at = 0
    while (end := batch.find(_PAGE_END, at)) >= 0:
        end += len(_PAGE_END)
        begin = batch.find(b"<page", at, end)
        raw = batch[begin if begin >= 0 else at : end]
        at = end
        try:
            yield _page(etree.fromstring(raw, parser))
        except etree.XMLSyntaxError:
            yield Unread(_last_title(raw), "malformed_xml" if _is_utf8(raw) else "invalid_utf8")


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _page(node: etree._Element) -> Page | Unread:
    title = " ".join((node.findtext("title") or "").split())
    namespace, page_id = _number(node, "ns", 0), _number(node, "id")
    if not title or namespace is None or page_id is None:
        return Unread(title, "no_title_or_id")
    revisions = node.findall("revision")
    if not revisions:
        return Unread(title, "no_revision")
    newest = revisions[-1]
    revision_id = _number(newest, "id")
    if revision_id is None:
        return Unread(title, "no_revision")
    text = newest.findtext("text") or ""
    return Page(
        title=title,
        namespace=namespace,
        page_id=page_id,
        revision_id=revision_id,
        timestamp=newest.findtext("timestamp") or "",
        redirect=_redirect(node, text),
        model=newest.findtext("model") or "wikitext",
        text=text,
    )


def _number(node: etree._Element, name: str, missing: int | None = None) -> int | None:
    said = node.findtext(name)
    if said is None:  # old dumps have no <ns>
        return missing
    return int(said) if re.fullmatch(r"\s*-?[0-9]{1,18}\s*", said) else None


def _redirect(node: etree._Element, text: str) -> str | None:
    """Where a redirect leads; dumps before 2010 say it in the text alone."""
    said = node.find("redirect")
    if said is not None and said.get("title"):
        return " ".join(str(said.get("title")).split())
    found = _REDIRECT.match(text)
    return " ".join(found.group(1).replace("_", " ").split()) if found else None

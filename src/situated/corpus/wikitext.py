"""Stand-in."""

import re


def plain_text(wikitext: str) -> str:
    """Crude."""
    text = re.sub(r"<ref[^>]*/>|<ref.*?</ref>|<!--.*?-->", "", wikitext, flags=re.S)
    for _ in range(6):
        text, n = re.subn(r"\{\{[^{}]*\}\}", "", text)
        if not n:
            break
    text = re.sub(r"\{\|.*?\|\}", "", text, flags=re.S)
    text = re.sub(r"\[\[(?:File|Image|Category):[^\[\]]*(?:\[\[[^\]]*\]\][^\[\]]*)*\]\]", "", text)
    text = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]", r"\1", text)
    text = re.sub(r"'{2,}|<[^>]*>", "", text)
    lines = [" ".join(line.split()) for line in text.split("\n") if not line.startswith(("=", "|", "!"))]
    return "\n".join(line for line in lines if line)

"""Templates that hold part of a sentence, by what MediaWiki shows for them."""

from __future__ import annotations

import pytest

from situated.corpus.markup.templates import expansion, is_known

SHOWN = {
    "convert|24|°C|0|abbr=on": "24 °C",
    "convert|-19|to|22|C|F|sigfig=2": "-19 to 22 °C",
    "convert|70.0|by|71.3|mi|km": "70.0 by 71.3 miles",
    "convert|230| acre|ha": "230 acres",
    "convert|100,000|m3|abbr=off": "100,000 cubic metres",
    "convert|4000|m|fathom ft": "4,000 metres",
    "convert|3990|ft/s|m/s|abbr=on": "3,990 ft/s",
    "convert|1|lb|6|oz|g": "1 pound 6 ounces",
    "convert|5|and|6|km|mi|sp=us": "5 and 6 kilometers",
    "convert|1/2|mi": "1/2 mile",
    "convert|9|m|0|adj=on": "9-metre",
    "convert|1|to|1.5|m|ft": "1 to 1.5 metres",
    "convert|x": "",
    "convert": "",
    "cvt|40|mph|km/h": "40 mph",
    "birth date|1980|13|40": "1980",
    "birth date|df=yes|1879|3|14": "14 March 1879",
    "age|1969|07|20|1979|07|19": "9",
    "death date and age|mf=yes|1963|11|22|1894|7|26": "November 22, 1963 (aged 69)",
    "start date|2010|05|03|12|30": "May 3, 2010",
    "as of|2009|since=y": "Since 2009",
    "Lang-grc-gre|Ἀριστοτέλης": "Ancient Greek: Ἀριστοτέλης",
    "langx|fr|oui": "French: oui",
    "lang-de|label=none|Haus": "Haus",
    "nihongo||柔道|jūdō": "jūdō (柔道)",
    "formatnum: 5304": "5,304",
    "formatnum:41.04": "41.04",
    "hlist|[a]| b |": "[a], b",
    "ill|Old Court|de|Alter Hof|lt=court": "court",
    "ship|HMS|Ajax|22|6": "HMS Ajax",
    "frac": "",
    "val": "",
    "val|12|3|4|u=m": "12+3−4 m",
    "US$": "",
    "nowrap": "",
}  # fmt: skip


@pytest.mark.parametrize("content", list(SHOWN))
def test_shown(content: str) -> None:
    assert is_known(content)
    assert expansion(content) == SHOWN[content]


@pytest.mark.parametrize(
    "content", ["Infobox person|name=x", "cite web|url=x", "IPA|x", "IPAc-en|x", "#if:a|b", "1", "", "|"]
)
def test_others_show_nothing(content: str) -> None:
    assert not is_known(content)

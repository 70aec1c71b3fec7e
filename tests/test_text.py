import string
import unicodedata
from itertools import groupby

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from situated.text import NORMAL_FORMS, normalize_situatedqa, normalize_squad


def _form_by_hand(text: str) -> str:
    """The SQuAD form without regular expressions: words are runs of letters, digits and underscores."""
    kept = "".join(character for character in text.lower() if character not in string.punctuation)
    runs = ("".join(run) for _, run in groupby(kept, key=lambda c: c.isalnum() or c == "_"))
    return " ".join("".join(" " if run in {"a", "an", "the"} else run for run in runs).split())


any_text = (
    st.text()
    | st.text(alphabet="aAntheTHE .,'-_é\u0301ß\u00a0\u2009\t")
    | st.lists(
        st.sampled_from(["a", "an", "the", "The", "A.", "cat", "-", "\u2019", "año", "an\u0303o", " ", "\n"])
    ).map("".join)
)


@given(any_text)
@example("the_a an-the")
@example("\u0130stanbul, the İ")
def test_squad_form_is_that_of_an_independent_implementation(text: str) -> None:
    assert normalize_squad(text) == _form_by_hand(text)


@given(any_text)
def test_situatedqa_form_decomposes_first(text: str) -> None:
    assert normalize_situatedqa(text) == _form_by_hand(unicodedata.normalize("NFD", text))


@given(any_text)
def test_situatedqa_form_is_the_same_for_canonically_equal_text(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert normalize_situatedqa(composed) == normalize_situatedqa(decomposed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Beatles", "beatles"),
        ("a an the", ""),
        (")", ""),
        ("", ""),
        ("  many \t spaces\n here ", "many spaces here"),
        ("Sammy Davis Jr.", "sammy davis jr"),
        ("U.S.A.", "usa"),
        ("a-ha", "aha"),
        ("theatre anatomy", "theatre anatomy"),
        ("Rock 'n' the Roll", "rock n roll"),
        ("1,000", "1000"),
        ("«the» word", "« » word"),
        ("Ashgabat\u2019s", "ashgabat\u2019s"),
    ],
)
def test_squad_form(text: str, expected: str) -> None:
    assert normalize_squad(text) == expected


def test_forms_differ_on_accents_alone() -> None:
    assert normalize_squad("Bogotá") == "bogotá"
    assert normalize_situatedqa("Bogotá") == "bogota\u0301"
    assert normalize_situatedqa("año") == "\u0303o"
    assert normalize_squad("año") == "año"


def test_forms_are_found_by_name() -> None:
    assert dict(NORMAL_FORMS) == {"squad": normalize_squad, "situatedqa": normalize_situatedqa}

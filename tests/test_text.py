import string
import unicodedata
from itertools import groupby

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from situated.text import NORMAL_FORMS, normalize_lenient, normalize_situatedqa, normalize_squad


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


# --- lenient form ----------------------------------------------------------------------------------------------------

ALIKE = [
    ["March 6, 2014", "march 06 2014", "6 March 2014", "the 6th of March, 2014", "Mar. 6, 2014"],
    ["2014-03-06", "3/6/2014", "March 6, 2014"],
    ["6\u00a0March\u00a02014", "March\u00a06,\u00a02014"],
    ["Sept 2013", "September 2013", "September, 2013"],
    ["May 7", "7 May", "the 7th of May"],
    ["twenty-one", "twenty one", "21", "Twenty One"],
    ["2.3 million", "2,300,000", "two million three hundred thousand"],
    ["one hundred and five", "105", "a 105"],
    ["nineteen hundred", "1900"],
    ["5 thousand", "five thousand", "5,000"],
    ["the fifth", "5th"],
    ["twenty-third season", "23rd season"],
    ["the twelfth", "12th"],
    ["US", "U.S.", "USA", "the United States", "United States of America"],
    ["UK", "the United Kingdom"],
    ["mayor of NYC", "Mayor of New York City"],
]  # fmt: skip
UNLIKE = [
    ("March 6, 2014", "March 7, 2014"),
    ("March 2014", "2014"),
    ("March 6", "March 6, 2014"),
    ("2014", "2015"),
    ("twenty one", "twenty two"),
    ("one", "eleven"),
    ("first", "1"),
    ("US", "UK"),
    ("bus", "b united states"),
    ("someone", "some 1"),
    ("February 30, 2014", "2014-02-30"),
]


@pytest.mark.parametrize("texts", ALIKE, ids=lambda texts: texts[0])
def test_written_forms_of_one_thing_have_one_lenient_form(texts: list[str]) -> None:
    forms = {normalize_lenient(text, normalize_situatedqa) for text in texts}
    assert len(forms) == 1
    assert len({normalize_situatedqa(text) for text in texts}) > 1


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_what_differs_has_another_lenient_form(one: str, other: str) -> None:
    assert normalize_lenient(one, normalize_squad) != normalize_lenient(other, normalize_squad)


@pytest.mark.parametrize("text", ["Drew Brees", "Barack Obama's second", "1984", "the may queen", "42 minutes", ""])
def test_other_text_keeps_its_normal_form_but_for_ordinals(text: str) -> None:
    assert normalize_lenient(text, normalize_squad) == normalize_squad(text).replace("second", "2nd")


@given(st.integers(1, 999_999_999))
def test_numbers_in_words_are_those_that_they_say(number: int) -> None:
    assert normalize_lenient(_in_words(number), normalize_squad) == str(number)


def _in_words(number: int) -> str:
    """English numerals, written independently of the patterns under test."""
    units = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    small = ["", *units.split(), "eighteen", "nineteen"]
    tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    for size, name in ((10**6, "million"), (10**3, "thousand"), (10**2, "hundred")):
        if number >= size:
            return f"{_in_words(number // size)} {name} {_in_words(number % size)}".strip()
    return small[number] if number < 20 else f"{tens[number // 10]}-{small[number % 10]}".strip("-")

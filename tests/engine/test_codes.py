"""Deal codes as they are written and as people type them."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.deals import (
    ALPHABET,
    OPEN_DEALS,
    DealCode,
    commitment,
    deal,
    open_code,
    parse_code,
    sealed_code,
)
from engine.errors import CodeError
from engine.variants import BY_RULE
from tests.engine.cases import RULE_LETTERS
from tests.engine.support import codes

ONE = DealCode("YU1", "C", "AAAAAAB")
SEALED = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def refused(text: str) -> str:
    with pytest.raises(CodeError) as caught:
        parse_code(text)
    return str(caught.value)


def test_open_deals_are_numbers_in_base_32() -> None:
    assert str(open_code("C", 0)) == "YU1-C-AAAAAAA"
    assert open_code("C", 1) == ONE
    assert open_code("F", 32).body == "AAAAABA"
    assert open_code("R", OPEN_DEALS - 1).body == "7777777"
    assert OPEN_DEALS == 32**7
    assert not ONE.sealed


@pytest.mark.parametrize("number", [-1, OPEN_DEALS])
def test_there_are_no_other_open_deals(number: int) -> None:
    with pytest.raises(ValueError, match=f"0 to {OPEN_DEALS - 1}, not {number}"):
        open_code("C", number)


def test_sealed_codes_have_26_letters() -> None:
    assert sealed_code("C", 0).body == "A" * 26
    assert sealed_code("C", 2**130 - 1).body == "7" * 26
    assert sealed_code("C", 1).body == "A" * 25 + "B"
    assert sealed_code("C", 1).sealed
    assert not DealCode("PSF", "C", "1" * 20).sealed


@pytest.mark.parametrize("secret", [-1, 2**130])
def test_a_sealed_deals_number_has_130_bits(secret: int) -> None:
    with pytest.raises(ValueError, match="130 bits"):
        sealed_code("C", secret)


@pytest.mark.parametrize("rule", RULE_LETTERS)
def test_a_code_names_its_game(rule: str) -> None:
    code = ONE.under(rule)
    assert code == DealCode("YU1", rule, "AAAAAAB")
    assert code.variant is BY_RULE[rule]


def test_a_commitment_is_the_codes_sha_256() -> None:
    code = sealed_code("C", 12345)
    assert commitment(code) == hashlib.sha256(str(code).encode("ascii")).hexdigest()


@pytest.mark.parametrize("rule", RULE_LETTERS)
@settings(max_examples=20)
@given(data=st.data())
def test_a_code_reads_back_as_itself_however_it_is_typed(rule: str, data: st.DataObject) -> None:
    code = data.draw(codes(rule))
    text = str(code)
    bare = text.replace("-", "")
    for typed in (text, text.lower(), bare, bare.lower(), text.replace("-", " "), " ".join(bare)):
        assert parse_code(typed) == code
    for link in (
        f"https://example.org/d/{text}",
        f"/d/{text.lower()}?x=1#top",
        f"example.org/{text}",
    ):
        assert parse_code(link) == code


TYPED = [
    *("YU1-C-AAAAAAB", "yu1-c-aaaaaab", "YU1CAAAAAAB", " yu1 c aaa aaab ", "YUI-C-AAAAAAB"),
    *("YU1–C–AAAAAAB", "YU1—C—AAAAAAB", "YU1‑C‑AAAAAAB", "YU1−C−AAAAAAB", "YU1_C_AAAAAAB"),
    *(
        "YU1\u00a0C\u2009AAAAAAB",
        "\tYU1-C-AAAAAAB\r\n",
        "YU1-C-AAAAAA8",
        "[YU1-C-AAAAAAB]",
        "“YU1-C-AAAAAAB”",
    ),
    *(
        "https://yukon.example/d/YU1-C-AAAAAAB",
        "yukon.example/d/yu1-c-aaaaaab/",
        "/d/YU1-C-AAAAAAB",
    ),
    *(
        "http://localhost:8000/d/YU1-C-AAAAAAB?from=a/b&x=1#board",
        "http://h/d/YU1-C-AAAAAAB/leaderboard",
    ),
    *(
        "https://h/de/d/YU1%2DC%2DAAAAAAB",
        "http://h/base/d/YU1%20C%20AAAAAAB",
        "https://h/YU1-C-AAAAAAB",
    ),
]


@pytest.mark.parametrize("typed", TYPED)
def test_people_type_codes_in_many_ways(typed: str) -> None:
    assert parse_code(typed) == ONE


def test_digits_that_look_like_letters_are_read_as_letters_in_a_yu1_body_only() -> None:
    assert parse_code("YU1-C-0180180").body == "OIBOIBO"
    assert parse_code("YU1-C-2345672").body == "2345672"
    assert parse_code("PSF-F-108").body == "108"


def test_a_typed_sealed_code_is_read_too() -> None:
    assert parse_code(f"yu1 c {SEALED[:13]} {SEALED[13:]}".lower()) == DealCode("YU1", "C", SEALED)


@pytest.mark.parametrize(
    "typed", ["PSF-F-24", "psf f 24", "psff24", "PSF-F-0024", "PSF-F-" + "0" * 300 + "24"]
)
def test_leading_zeros_of_a_pysolfc_number_do_not_matter(typed: str) -> None:
    assert parse_code(typed) == DealCode("PSF", "F", "24")


def test_pysolfc_numbers_end_at_ten_to_the_twenty() -> None:
    last = "1" + "0" * 20
    assert parse_code(f"PSF-F-{last}").body == last
    assert sum(map(len, deal(parse_code(f"PSF-F-{last}")).tableau)) == 52


RIGHT, RIGHT_PSF = "YU1-C-AAAAAAB", "PSF-F-24"
GAMES = "C Yukon, R Yukon Flexible, F Yukon, fixed foundations, S Russian Solitaire, A Alaska, "
GAMES += "P Australian Patience, D Double Yukon"
REFUSED = [
    ("", "There is no deal code here", RIGHT),
    (" -–_ ", "There is no deal code here", RIGHT),
    ("/", "There is no deal code here", RIGHT),
    ("A" * 3000, "This is too long for a deal code", RIGHT),
    ("hello", "A deal code starts with YU1 or PSF, “hello” does not", RIGHT),
    ("x" * 90, f"A deal code starts with YU1 or PSF, “{'x' * 40}” does not", RIGHT),
    ("YU2-C-AAAAAAB", "A deal code starts with YU1 or PSF, “YU2-C-AAAAAAB” does not", RIGHT),
    (
        "https://example.org/",
        "A deal code starts with YU1 or PSF, “https://example.org/” does not",
        RIGHT,
    ),
    ("https://example.org/d/", "A deal code starts with YU1 or PSF, “d” does not", RIGHT),
    (
        "http://[broken/d/YU1-C-AAAAAAB",
        "A deal code starts with YU1 or PSF, “http://[broken",
        RIGHT,
    ),
    ("YU1/C/AAAAAAB", "A deal code starts with YU1 or PSF, “AAAAAAB” does not", RIGHT),
    ("YU1", f"“?” names no game; these do: {GAMES}", RIGHT),
    ("YU1-X-AAAAAAB", f"“X” names no game; these do: {GAMES}", RIGHT),
    ("YU1-MO-AAAAAAB", f"“M” names no game; these do: {GAMES}", RIGHT),
    ("YU1-C", "a YU1 code has 7 letters (26 when it is sealed), this one has 0", RIGHT),
    ("YU1-C-AAAAAA", "a YU1 code has 7 letters (26 when it is sealed), this one has 6", RIGHT),
    ("YU1-C-AAAAAAAB", "a YU1 code has 7 letters (26 when it is sealed), this one has 8", RIGHT),
    (f"YU1-C-{SEALED}A", "a YU1 code has 7 letters (26 when it is sealed), this one has 27", RIGHT),
    ("YU1-C-AAAAAA9", "“9” is not used in deal codes", RIGHT),
    ("YU1-C-AAAÄAAB", "“Ä” is not used in deal codes", RIGHT),
    ("PSF", "“?” names no game", RIGHT_PSF),
    ("PSF-24", f"“2” names no game; these do: {GAMES}", RIGHT_PSF),
    ("PSF-Q-24", "“Q” names no game", RIGHT_PSF),
    ("PSF-F", "A PSF code ends in a number in digits", RIGHT_PSF),
    ("PSF-F-2x4", "A PSF code ends in a number in digits", RIGHT_PSF),
    ("PSF-F-٢٤", "A PSF code ends in a number in digits", RIGHT_PSF),
    ("PSF-F-²", "A PSF code ends in a number in digits", RIGHT_PSF),
    ("PSF-F-0", "PySolFC numbers go from 1 to 10^20", RIGHT_PSF),
    ("PSF-F-100000000000000000001", "PySolFC numbers go from 1 to 10^20", RIGHT_PSF),
    ("PSF-F-" + "9" * 2000, "PySolFC numbers go from 1 to 10^20", RIGHT_PSF),
]


@pytest.mark.parametrize(("text", "message", "right"), REFUSED, ids=lambda value: value[:30])
def test_a_refusal_says_what_is_wrong_and_shows_a_right_code(
    text: str, message: str, right: str
) -> None:
    said = refused(text)
    assert message in said
    assert said.endswith((f". A right one: {right}", f". A right code: {right}"))
    assert str(parse_code(said.rpartition(": ")[2])) == right


@settings(max_examples=300)
@given(
    st.text(max_size=40)
    | st.text("YUI1PSFCRA-08 /d?:[]%9", max_size=20)
    | st.builds(
        "{}{}".format, st.sampled_from(["YU1-C-", "PSF-F-", "http://", "/d/"]), st.text(max_size=30)
    )
)
def test_any_text_is_read_as_a_dealable_code_or_refused(text: str) -> None:
    try:
        code = parse_code(text)
    except CodeError as error:
        said = str(error)
    else:
        assert parse_code(str(code)) == code
        assert deal(code).tableau
        return
    assert ": " in said


def test_the_alphabet_is_that_of_rfc_4648() -> None:
    assert ALPHABET == "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

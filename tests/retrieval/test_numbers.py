from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.numbers import NumberKind, canonical, code_powers, find_numbers, token_values


@pytest.mark.parametrize(
    ("spellings", "value"),
    [
        (["1e-4", "1E-04", "0.0001", "1.0e-4", "+.0001", "0.1e-3", "100e-6"], "0.0001"),
        (["1_000", "1000", "1e3", "1000.0", "0x3e8", "0b1111101000"], "1000"),
        (["0", "0.0", "-0", "0e9"], "0"),
        (["1e-12", "0.000000000001"], "1e-12"),
        (["3e25", "30e24"], "3e25"),
    ],
)
def test_spellings_of_one_value_meet(spellings: list[str], value: str) -> None:
    assert {canonical(spelling) for spelling in spellings} == {value}


@pytest.mark.parametrize(
    "text", ["", "x", "1x", "e5", ".", "1e", "0xg", "1.2.3", "१२", "1e9999999999"]
)
def test_what_is_no_number_has_no_value(text: str) -> None:
    assert canonical(text) is None


@given(
    st.decimals(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False),
)
def test_equal_values_are_equal_and_different_ones_differ(one: Decimal, other: Decimal) -> None:
    left, right = canonical(str(one)), canonical(str(other))
    assert left is not None
    assert right is not None
    assert (left == right) == (abs(one) == abs(other))
    assert canonical(left) == left


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=0))
def test_a_float_is_the_value_of_its_digits(number: float) -> None:
    value = canonical(repr(number))
    assert value is not None
    assert float(value) == number


def values(text: str) -> list[str]:
    return [number.value for number in find_numbers(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lr = 1×10⁻⁴", ["0.0001"]),
        ("lr of $1 \\times 10^{-4}$", ["0.0001"]),
        ("lr 1*10^-4 and 10^-4 and 10⁻⁴", ["0.0001"] * 3),
        ("2^15, 2^{15}, 2**15", ["32768"] * 3),
        ("10k steps, 1.5M images", ["10000", "1500000"]),
        ("1,000 and 1,000,000 but 1, 2", ["1000", "1000000", "1", "2"]),
        ("512×512, 512x512x3", ["512", "512", "512", "512", "3"]),
        ("lr=3e−5", ["0.00003"]),
        ("stop at 0.5. Then", ["0.5"]),
    ],
)
def test_numbers_are_found_in_prose(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one million steps", ["1000000"]),
        ("two hundred thousand steps, a billion tokens", ["200000", "1000000000"]),
        ("Half a million", ["0.5"]),
        ("twenty-five thousand", ["20", "5", "1000"]),
        ("five thousand and three", ["5000", "3"]),
    ],
)
def test_large_numbers_may_be_written_out(text: str, expected: list[str]) -> None:
    assert values(text) == expected
    for number in find_numbers(text):
        is_large = number.value.endswith("000") and " " in number.written
        assert (number.kind is NumberKind.PLAIN) == is_large


def test_a_percentage_may_stand_in_code_either_way() -> None:
    (number,) = find_numbers("warm-up over 10 % of the steps")
    assert (number.value, number.also, number.kind) == ("0.1", ("10",), NumberKind.PERCENT)


def test_ratios_and_fractions_imply_shares() -> None:
    shares = {n.value for n in find_numbers("split 8:1:1") if n.kind is NumberKind.SHARE}
    assert shares == {"0.8", "0.1"}
    assert "0.5" in values("with probability 1/2")
    assert {"0.8", "0.2"} <= set(values("an 80/20 split"))


def test_labels_and_parts_of_names_are_told_from_values() -> None:
    kinds = {n.written: n.kind for n in find_numbers("Table 7: ResNet50 on CIFAR-10, k = 5")}
    assert kinds == {
        "7": NumberKind.LABEL,
        "50": NumberKind.ATTACHED,
        "10": NumberKind.ATTACHED,
        "5": NumberKind.PLAIN,
    }


def test_a_power_with_a_broken_exponent_is_not_a_value() -> None:
    assert not any(n.kind is NumberKind.POWER for n in find_numbers("2^{2/3} and 10^{d}"))


def test_tokens_of_code_give_their_values() -> None:
    assert token_values("1e-4") == ("0.0001",)
    assert token_values("512x256") == ("512", "256")
    assert token_values("10k") == ("10000", "10")
    assert code_powers("n = 2 ** 15 + (1 << 20) * 10**-4 + x ** 2") == (
        "32768",
        "1048576",
        "0.0001",
    )


@given(st.text(max_size=300))
def test_any_text_has_its_numbers_where_it_says(text: str) -> None:
    for number in find_numbers(text):
        assert 0 <= number.start < number.end <= len(text)
        assert canonical(number.value) == number.value


@given(st.text(alphabet="0123456789.eE+-^*/×⁻⁴{}()%kM:, x", max_size=60))
def test_any_arithmetic_looking_text_is_survived(text: str) -> None:
    for number in find_numbers(text):
        assert canonical(number.value) == number.value

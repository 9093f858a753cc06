"""Amounts: exact, and read back as written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadAmount
from engine.money import format_amount, parse_amount


@given(st.integers(min_value=0, max_value=10**15))
def test_amounts_are_read_back_as_they_are_written(cents: int) -> None:
    assert parse_amount(format_amount(cents)) == cents
    assert parse_amount(format_amount(cents).replace(",", "")) == cents


@given(st.integers(min_value=1, max_value=10**12))
def test_a_difference_may_be_negative(cents: int) -> None:
    assert format_amount(-cents) == "-" + format_amount(cents)


@pytest.mark.parametrize(
    "text", ["", "-5", "5.", ".50", "1,25", "12,50.00", "1.000", "5.0", "$5", "1e3", "٥", "1,2345"]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(BadAmount, match="is not an amount"):
        parse_amount(text)

"""Quantities from text: the core's grammar, exact bytes, and the ranges that options ask for."""

from __future__ import annotations

import pytest

from netloom.base.errors import NetloomError
from netloom.base.quantities import counted, parse_bytes, parse_bytes_per_s, parse_flops_per_s, parse_seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("65536", 65536),
        (65536, 65536),
        (" 64 KiB ", 65536),
        ("1.5MiB", 3 << 19),
        ("1 kB", 1000),
        ("9223372036854775807", 2**63 - 1),
        ("9007199254740993", 2**53 + 1),
    ],
)
def test_bytes(text: str | int, expected: int) -> None:
    assert parse_bytes(text) == expected


@pytest.mark.parametrize("text", ["", "fast", "64 KiBi", "1.5", "-4", "9223372036854775808", "1e99", True, None, 1.5])
def test_no_bytes(text: object) -> None:
    with pytest.raises(NetloomError, match="NL-A008 --size"):
        parse_bytes(text, "--size")  # type: ignore[arg-type]


def test_rates_and_times() -> None:
    # The number nearest to it, which 100 * 1e-9 is not.
    assert parse_seconds("100 ns", "x") == 1e-7
    assert parse_seconds("0", "x", least=0.0) == 0.0
    assert parse_bytes_per_s("100 Gbps", "x") == 12.5e9
    assert parse_bytes_per_s("12.5 GB/s", "x") == 12.5e9
    assert parse_flops_per_s("2.5 Gflops", "x") == 2.5e9
    assert parse_flops_per_s("1e11", "x") == 1e11


@pytest.mark.parametrize(
    ("parse", "text", "expected"),
    [
        (parse_seconds, "0", "a time > 0"),
        (parse_bytes_per_s, "0 Gbps", "a bandwidth > 0"),
        (parse_flops_per_s, "0", "a speed > 0"),
        (parse_seconds, "-1 s", "NL-A008"),
        (parse_flops_per_s, "2 Gflop", "Gflops"),
        (parse_bytes_per_s, "nan", "NL-A008"),
    ],
)
def test_refused(parse: object, text: str, expected: str) -> None:
    with pytest.raises(NetloomError, match=expected):
        parse(text, "--option")  # type: ignore[operator]


def test_one_thing_is_no_plural() -> None:
    assert [counted(number, "rank") for number in (0, 1, 2)] == ["0 ranks", "1 rank", "2 ranks"]
    assert counted(1, "switch") == "1 switch" and counted(3, "switch") == "3 switches"

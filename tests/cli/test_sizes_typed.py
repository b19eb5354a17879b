"""Sizes as people type them: what they are worth, and what is said of those that can be read in two ways."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("size", "sent"),
    [("3 kB", 3000), ("3 MB", 3_000_000), ("1.1 GB", 1_100_000_000), ("2 TB", 2 * 10**12), ("3 MiB", 3 << 20)],
)
def test_si_is_decimal_in_calls_and_options(netloom: Run, size: str, sent: int) -> None:
    code, out, err = netloom("hops", "-n", "ring(4)", "-t", f'shift(k=1,bytes="{size}")', "--ranks", "4")
    assert code == 0 and err == "" and re.search(rf"bytes between nodes +{4 * sent}\n", out.replace(",", ""))
    code, out, err = netloom("hops", "-n", "ring(4)", "-c", "broadcast:linear", "--size", size, "--ranks", "4")
    assert code == 0 and err == "" and re.search(rf"bytes between nodes +{3 * sent}\n", out.replace(",", ""))


@pytest.mark.parametrize(
    "words",
    [
        ("hops", "-n", "ring(4)", "-t", 'shift(k=1,bytes="2M")'),
        ("hops", "-n", "ring(4)", "-t", "shift(k=1,bytes=2M)"),
        ("loads", "-n", "ring(4)", "-t", "shift(k=1,bytes=2M)"),
        ("simulate", "-n", "ring(4)", "-t", "shift(k=1,bytes=2M)"),
        ("simulate", "-n", "ring(4)", "-c", "allreduce:ring", "--size", "2M"),
        ("collectives", "-n", "ring(4)", "-c", "allreduce", "--algorithms", "allreduce:ring", "--sizes", "1KiB,2M"),
        ("verify", "allreduce:ring", "--ranks", "4", "--size", "2M"),
    ],
)
def test_a_letter_alone_is_read_as_osu_and_nccl_print_it_and_said_once(netloom: Run, words: tuple[str, ...]) -> None:
    code, _, err = netloom(*words)
    assert code == 0 and err.count("note: 2M is read as 2 MiB = 2,097,152 B") == 1


@pytest.mark.parametrize("size", ["64 KB", "64KB"])
def test_what_may_be_either_is_refused_with_both(netloom: Run, size: str) -> None:
    code, _, err = netloom("hops", "-n", "ring(4)", "-c", "broadcast:linear", "--size", size)
    assert code == 2 and "1000 bytes to some and 1024 to others" in err
    assert 'did you mean "64 kB" or "64 KiB"?' in err


def test_a_part_of_a_byte_is_refused(netloom: Run) -> None:
    code, _, err = netloom("hops", "-n", "ring(4)", "-c", "broadcast:linear", "--size", "0.0001 kB")
    assert code == 2 and "a whole number of bytes" in err
    code, _, err = netloom("hops", "-n", "ring(4)", "-t", 'shift(k=1,bytes="0.0001 kB")')
    assert code == 2 and "a whole number of bytes" in err

"""Axis values: what may be written, how it is shown, how placeholders are filled."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netloom.base.errors import NetloomError
from netloom.study.run import prepare
from netloom.study.values import AxisValue, fill, placeholders, read_axis, short


def values(raw: object) -> list[object]:
    return [value.value for value in read_axis(raw)]


def test_what_may_be_written() -> None:
    assert values(8) == [8]
    assert values(["a", 2, 0.5, True]) == ["a", 2, 0.5, True]
    assert values({"range": [1, 4]}) == [1, 2, 3, 4]
    assert values({"range": [1, 9], "step": 4}) == [1, 5, 9]
    assert values({"powers_of_two": [8, 64]}) == [8, 16, 32, 64]
    assert read_axis({"value": "two-opt", "label": "swaps", "free": True})[0].extra == (("free", True),)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ([], "at least one"),
        ({"range": [4, 1]}, "first <= last"),
        ({"range": [1, 2, 3]}, "first, last"),
        ({"range": [0, 10**15]}, "more than"),
        ({"powers_of_two": [3, 8]}, "powers of two"),
        ({"powers_of_two": [1, 2**80]}, "powers of two"),
        ({"label": "x"}, "needs the key value"),
        ({"value": "x", "colour": "red"}, "not colour"),
        ([["a"]], "values are"),
        (None, "values are"),
        ([float("nan")], "nan"),
        (["a", "a"], 'shown as "a"'),
        (["random(seed={s})", "random(seed={t})"], 'shown as "random"'),
    ],
)
def test_what_is_refused(raw: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_axis(raw)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("torus(8,8,8)", "torus(8,8,8)"),
        ("random(seed={seed})", "random"),
        ("random_shortcut({n},degree=19,seed={seed})", "random_shortcut(degree=19)"),
        ("circulant({n},pow2)", "circulant(pow2)"),
        ("a({x},{y},1)", "a(1)"),
        ('d(m="{arrangement}",p=1)', "d(p=1)"),
        ("{n}", "{n}"),
    ],
)
def test_labels_leave_out_what_other_axes_fill(text: str, label: str) -> None:
    assert short(text) == label


def chosen(**texts: object) -> dict[str, AxisValue]:
    return {name: AxisValue(text, text) for name, text in texts.items()}  # type: ignore[arg-type]


def test_placeholders_follow_each_other_and_keep_numbers() -> None:
    filled = fill(chosen(network="ring({n})", ranks="{half}", half=8, n="{half}{half}"))
    assert filled == {"network": "ring(88)", "ranks": 8, "half": 8, "n": "88"}


def test_circles_and_strangers_are_named() -> None:
    for texts, name in (({"a": "{b}", "b": "x{a}"}, "a"), ({"a": "{z}"}, "z"), ({"a": "{a}"}, "a")):
        with pytest.raises(KeyError) as caught:
            fill(chosen(**texts))
        assert caught.value.args == (name,)


@given(st.text(max_size=40))
def test_any_text_is_a_value(text: str) -> None:
    made = read_axis(text)
    assert made[0].value == text
    assert placeholders(short(text)) <= placeholders(text)


SIZED = """
title = "sizes"
[[experiment]]
name = "one"
evaluate = "hops"
[experiment.axes]
network = "ring(8)"
workload = "allreduce:ring"
size_bytes = SIZES
"""


@pytest.mark.parametrize(
    ("written", "sizes"),
    [('"8:64"', [8, 16, 32, 64]), ('"1KiB,4"', [4, 1024]), ('"2 KiB"', ["2 KiB"]), ("[8, 16]", [8, 16])],
)
def test_sizes_of_a_study_are_written_as_elsewhere(written: str, sizes: list[object], tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(SIZED.replace("SIZES", written))
    (part,) = prepare(tmp_path / "study.toml").parts
    assert [run.values["size_bytes"] for run in part.runs] == sizes


@pytest.mark.parametrize("written", ['"64:8"', '"4:big"', '":"'])
def test_sizes_that_are_none_are_refused_at_their_place(written: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(SIZED.replace("SIZES", written))
    with pytest.raises(NetloomError, match="size_bytes"):
        prepare(tmp_path / "study.toml")

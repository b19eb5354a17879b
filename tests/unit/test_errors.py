"""The text of a fault: what is cut, what is kept, what is escaped."""

from __future__ import annotations

import pickle

from netloom import Fault, NetloomError


def test_forms() -> None:
    assert str(Fault("NL-A007", "x.n", "an integer", "1.5")) == "NL-A007 x.n must be an integer, got 1.5"
    assert str(Fault("NL-A001", "x", "is wrong", "", "do that")) == "NL-A001 x: is wrong\n  hint: do that"


def test_a_long_path_keeps_its_line() -> None:
    text = str(Fault("NL-A001", "x/" * 500 + "study.toml:12:3", "is wrong"))
    assert "study.toml:12:3: is wrong" in text and len(text) < 300


def test_a_long_value_is_cut() -> None:
    assert len(str(Fault("NL-A007", "x", "short", "v" * 10_000))) < 150


def test_no_character_of_an_input_disguises_a_message() -> None:
    text = str(Fault("NL-A001", "a\x1b[31m", "expected a name, got '\u202e'", "", "C:\\a\nb"))
    assert text == "NL-A001 a\\x1b[31m: expected a name, got '\\u202e'\n  hint: C:\\a\\nb"


def test_faults_travel_between_processes() -> None:
    error = NetloomError([Fault("NL-A001", "x", "is wrong")])
    assert pickle.loads(pickle.dumps(error)).faults == error.faults

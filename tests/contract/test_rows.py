"""What every row of every registry promises: words, an example that works, one canonical form, helpful refusals."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

import netloom
from netloom import _core

from .rows import arguments, call_text, use_once

Row = dict[str, Any]


def test_the_row_says_what_it_is(row: Row) -> None:
    assert row["summary"].strip() and row["source"].strip() and row["signature"].startswith(row["name"])
    assert row["example"].partition("(")[0].replace("-", "_") == row["name"].replace("-", "_")
    names = [param["name"] for param in row["params"]]
    assert len(set(names)) == len(names) and all(param["help"].strip() for param in row["params"])


def test_numbers_have_a_range(row: Row) -> None:
    for param in row["params"]:
        if param["type"] in ("int", "float", "ints", "counts"):
            assert re.search(r" >= -?\d| in -?\d", param["kind"]), param


def test_the_example_works(row: Row) -> None:
    use_once(row["kind"], row["example"])


def test_the_canonical_form_is_its_own(row: Row) -> None:
    canonical = _core.canonical(row["kind"], row["example"])
    assert _core.canonical(row["kind"], canonical) == canonical
    assert _core.canonical(row["kind"], call_text(row["name"], arguments(row))) == canonical


def test_an_alias_is_the_same_thing(row: Row) -> None:
    canonical = _core.canonical(row["kind"], row["example"])
    names = {other["name"] for other in netloom.catalogue(row["kind"])}
    for alias in row["aliases"]:
        if alias in names:  # `slurm` is the network's file, and srun's where a mapping is meant
            continue
        assert _core.canonical(row["kind"], alias + row["example"][len(row["name"]) :]) == canonical


def test_an_unknown_parameter_gets_a_hint(row: Row) -> None:
    for wrong in ["nonsense", *[param["name"] + "x" for param in row["params"][:1]]]:
        with pytest.raises(netloom.NetloomError) as caught:
            _core.canonical(row["kind"], call_text(row["name"], {**arguments(row), wrong: 1}))
        fault = caught.value.faults[0]
        assert fault.code == "NL-A003" and wrong in str(fault) and fault.hint


def test_too_many_values_are_refused(row: Row) -> None:
    if any(param["variadic"] for param in row["params"]):
        return
    with pytest.raises(netloom.NetloomError) as caught:
        _core.canonical(row["kind"], f"{row['name']}({','.join('1' * 40)})")
    assert "NL-A006" in {fault.code for fault in caught.value.faults}


def test_a_misspelt_name_is_recognised(row: Row) -> None:
    """The last letter doubled; the hint is the name or, where several are near, one of the same registry."""
    wrong = row["name"] + row["name"][-1]
    with pytest.raises(netloom.NetloomError) as caught:
        _core.canonical(row["kind"], wrong)
    fault = caught.value.faults[0]
    assert fault.code == "NL-A002" and re.search(r'did you mean "|known: ', fault.hint)
    meant = re.search(r'did you mean "([^"]+)"', fault.hint)
    known = {name for other in netloom.catalogue(row["kind"]) for name in (other["name"], *other["aliases"])}
    assert meant is None or meant[1] in known


@pytest.mark.parametrize("topology", netloom.catalogue("topologies"), ids=lambda row: str(row["name"]))
def test_every_topology_is_a_function(topology: Row) -> None:
    function = getattr(netloom, topology["name"].replace("-", "_"))
    made, written = function(**arguments(topology)), _core.Network.build(topology["example"])
    assert np.array_equal(made.heads, written.heads) and np.array_equal(made.offsets, written.offsets)
    assert np.array_equal(made.endpoint_switch, written.endpoint_switch) and made.classes == written.classes
    assert topology["summary"] in function.__doc__ and topology["source"] in function.__doc__
    shown = inspect.signature(function).parameters
    assert list(shown) and {param["name"] for param in topology["params"]} == set(shown)
    for alias in topology["aliases"]:
        assert getattr(netloom, alias.replace("-", "_"))(**arguments(topology)).family


def test_no_function_of_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="did you mean 'torus'"):
        _ = netloom.trus


def test_none_is_what_the_signature_shows() -> None:
    assert inspect.signature(netloom.dragonfly).parameters["g"].default is None
    assert netloom.dragonfly(a=4, h=2, g=None, group=None).switches == netloom.dragonfly(a=4, h=2).switches
    with pytest.raises(netloom.NetloomError):
        netloom.dragonfly(a=4, h=None)

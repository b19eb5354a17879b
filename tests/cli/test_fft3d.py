"""Fourier transforms on the command line: the numbers of Jain 2016, section 8.2, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

Run = Callable[..., tuple[int, str, str]]
TORUS = ("-n", "torus(4,4,4,4,2)", "--cores", "16")
#: Bytes from D1 to D2 and from D2 to D3 by cutoff, those that stay on their rank too.
SENT = {100: 30_240_000 + 1_521_600, 6400: 231_840_000 + 96_388_800, 22_500: 432_000_000 + 339_259_200}


def hops(netloom: Run, arguments: str, ranks: int) -> dict[str, int]:
    call = f"fft3d(n=[300,300,300],decomposition=[50,50],{arguments})"
    code, out, err = netloom("hops", *TORUS, "-a", call, "--ranks", str(ranks), "--json")
    assert code == 0, err
    found: dict[str, int] = json.loads(out)
    return found


@pytest.mark.parametrize("cutoff", SENT)
@pytest.mark.parametrize("ranks", [512, 2500])
def test_bytes_are_those_of_planes_and_pencils(netloom: Run, cutoff: int, ranks: int) -> None:
    found = hops(netloom, f"cutoff={cutoff}", ranks)
    assert found["bytes"] + found["bytes_own"] == SENT[cutoff]


def test_messages_reach_the_objects_of_a_row_and_nearly_all_others(netloom: Run) -> None:
    """Each object of D2 has 401 or 402 pencils, of which no two go to one object."""
    found = hops(netloom, "cutoff=6400", 2500)
    assert found["messages"] + found["messages_own"] == 50 * 50 * 50 + 50 * 20_081
    both = hops(netloom, 'cutoff=6400,direction="both"', 2500)
    assert both["messages"] == 2 * found["messages"] and both["bytes"] == 2 * found["bytes"]


def test_several_at_once_take_less_than_one_after_another(netloom: Run) -> None:
    times = []
    for instances in (1, 3):
        call = f"fft3d(n=[24,24,24],decomposition=[4,4],instances={instances})"
        words = ("-n", "torus(4,4)", "-a", call, "--speed", "1 Gflops", "--calibration", "pure", "--json")
        code, out, err = netloom("simulate", *words)
        assert code == 0, err
        times.append(json.loads(out)["time_s"])
    assert times[0] < times[1] < 3 * times[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("n=[8,8,8],decomposition=[9,1]", "NL-A007 fft3d.decomposition: 9 x 1 parts are more than a grid of 8 x 8 x 8"),
        ("n=[8,8,8],decomposition=[2,2],cutoff=0", "NL-A007 fft3d.cutoff must be an integer in 1.."),
        ("n=[8,8],decomposition=[2,2]", "NL-A007 fft3d.n must be"),
        ("n=[8,8,8],decomposition=[3,2],d3=grid,exchange=alltoall", "the nearest that it takes: 6"),
        (
            "n=[8,8,8],decomposition=[2,2],mapping=[0,1,2]",
            "fft3d.mapping must be the rank of each of 4 objects",
        ),
        ("n=[8,8,8],decomposition=[2,2],mapping=[0,1,2,16]", "NL-A007 fft3d.mapping[3] must be a rank from 0 to 15"),
        ("n=[8,8,8],decomposition=[2,2],direction=up", "NL-A007 fft3d.direction must be one of"),
    ],
)
def test_what_does_not_fit_is_one_line(netloom: Run, arguments: str, said: str) -> None:
    code, out, err = netloom("hops", "-n", "torus(4,4)", "-a", f"fft3d({arguments})")
    assert (code, out) == (2, "") and said in err, err
    assert err.count("error:") == 1

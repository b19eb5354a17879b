"""netloom's forwarding tables loaded by OpenSM and read back, and OpenSM's own tables as a routing of ours."""

from __future__ import annotations

import numpy as np
import pytest

import netloom
from netloom import _core
from netloom.network.findings import findings

from . import opensm
from .conftest import ASKED, TABLES

pytestmark = pytest.mark.timeout(300)

FABRICS = {
    "fat_tree(radix=8,levels=2)": ("d-mod-k", "up-down(choice=single)", "single-minimal"),
    "k_ary_n_tree(3,3)": ("d-mod-k",),
    "torus(4,4)": ("dimension-ordered", "single-minimal(tie=seeded,seed=3)"),
    "random_regular(16,degree=4,seed=1,p=2)": ("up-down(choice=single)", "up-down(choice=balanced)"),
}
#: Engines of OpenSM, and what of ours does the same work, by fabric.
ENGINES = {
    "fat_tree(radix=8,levels=3)": (("minhop", "updn", "ftree", "dfsssp"), ("d-mod-k", "up-down(choice=single)")),
    "k_ary_n_tree(4,3)": (("minhop", "updn", "ftree", "dfsssp"), ("d-mod-k", "up-down(choice=single)")),
    "torus(6,6,p=2)": (("minhop", "updn", "dor", "dfsssp"), ("dimension-ordered", "single-minimal")),
    "random_regular(32,degree=6,seed=1,p=3)": (
        ("minhop", "updn", "dfsssp"),
        ("single-minimal", "up-down(choice=single)"),
    ),
}
NAME = "t.lfts"
#: Switch 0, the root of our up-down on networks without levels.
ROOT = b"0x0200000000000100\n"


@pytest.fixture(autouse=True, scope="module")
def there() -> None:
    """The tools are here; otherwise the tests skip with the reason."""
    if not ASKED:
        pytest.skip("the comparison with OpenSM is run by `make peers`")
    if (reason := opensm.missing()) is not None:
        pytest.skip(reason)


def links(net: netloom.Network, tables: str | bytes) -> np.ndarray:
    """Next link by endpoint and switch."""
    data = tables.encode() if isinstance(tables, str) else tables
    tables_of = _core.forwarding(net.with_tables(data, NAME, "opensm-lfts"), NAME)
    return tables_of["links"][tables_of["column_of"]]


def discovered(subnet: opensm.Subnet) -> netloom.Network:
    return _core.Network.read(subnet.tool("ibnetdiscover").encode(), "fabric", "ibnetdiscover")


@pytest.mark.parametrize(("call", "routing"), [(call, one) for call, many in FABRICS.items() for one in many])
def test_our_tables_are_loaded_and_read_back_equal(call: str, routing: str) -> None:
    plan = netloom.network(call)
    with opensm.subnet(plan.write("ibnetdiscover")) as subnet:
        subnet.opensm("-R", "minhop")
        fabric = discovered(subnet)
        assert np.array_equal(fabric.heads, plan.heads)
        assert np.array_equal(fabric.endpoint_switch, plan.endpoint_switch)
        ours = plan.routing(routing).write("forwarding-csv")
        fabric = fabric.with_tables(ours, "ours.csv")
        table = fabric.routing('tables("ours.csv")').write("opensm-lfts")
        before = subnet.tool("dump_fts")
        (subnet.folder / "ours.lfts").write_bytes(table)
        dump = subnet.opensm("-R", "file", "-U", str(subnet.folder / "ours.lfts"))
        after = subnet.tool("dump_fts")
        wanted = links(fabric, table)
        assert np.array_equal(links(fabric, after), wanted)
        assert np.array_equal(links(fabric, dump), wanted)
        if routing != "up-down(choice=single)":
            assert not np.array_equal(links(fabric, before), wanted), "OpenSM's own tables are others"


@pytest.mark.parametrize("form", [("ibnetdiscover", "-p"), ("iblinkinfo",), ("iblinkinfo", "-l")])
def test_the_forms_of_the_tools_are_one_network(form: tuple[str, ...]) -> None:
    with opensm.subnet(netloom.network("k_ary_n_tree(3,2)").write("ibnetdiscover")) as subnet:
        subnet.opensm("-R", "minhop")
        fabric = discovered(subnet)
        other = _core.Network.read(subnet.tool(*form).encode(), "other", "ibnetdiscover")
    assert np.array_equal(fabric.heads, other.heads)
    assert fabric.endpoint_names == other.endpoint_names
    a, b = _core.subnet(fabric), _core.subnet(other)
    assert a is not None
    assert b is not None
    for key in ("switch_guid", "switch_lid", "endpoint_guid", "endpoint_lid", "port_of_link", "port_of_endpoint"):
        assert np.array_equal(a[key], b[key]), key


def rated(net: netloom.Network, routing: str) -> tuple[int, int]:
    """The fullest link in messages: all to all, and the worst of a few shifts."""
    ranks = net.endpoints
    all_to_all = netloom.loads(net, workload="alltoall:pairwise", routing=routing).record["max_bytes"]
    shifts = [
        netloom.loads(net, workload=f"shift(k={k})", routing=routing).record["max_bytes"] for k in range(1, ranks)
    ]
    return int(all_to_all), int(max(shifts))


@pytest.mark.parametrize("call", ENGINES)
def test_engines_compared_on_loads(call: str) -> None:
    """Every engine's tables are routes without holes and circles; their loads are printed next to ours."""
    plan = netloom.network(call)
    engines, own = ENGINES[call]
    with opensm.subnet(plan.write("ibnetdiscover")) as subnet:
        for engine in engines:
            roots = subnet.folder / "roots"
            options = ["-R", engine]
            if engine in ("updn", "ftree"):
                roots.write_bytes(plan.write("root-guids") if plan.levels is not None else ROOT)
                options += ["-a", str(roots)]
            dump = subnet.opensm(*options)
            file = subnet.folder / f"{engine}.lfts"
            file.write_text(dump)
            fabric = discovered(subnet).with_tables(dump.encode(), str(file))
            wrong = [one for one in findings(fabric, str(file)) if one["severity"] == "error"]
            assert wrong == [], (engine, wrong)
            routing = f'tables("{file}")'
            free = fabric.routing(routing).deadlock()["free"]
            all_to_all, shifts = rated(fabric, routing)
            TABLES["OpenSM"][1].append((call, f"OpenSM {engine}", all_to_all, shifts, "yes" if free else "no"))
    for routing in own:
        all_to_all, shifts = rated(plan, routing)
        made = plan.routing(routing)
        if made.virtual_channels > 1:
            # As tables, which name no lanes.
            made = plan.with_tables(made.write("forwarding-csv"), NAME).routing(f'tables("{NAME}")')
        free = made.deadlock()["free"]
        TABLES["OpenSM"][1].append((call, routing, all_to_all, shifts, "yes" if free else "no"))

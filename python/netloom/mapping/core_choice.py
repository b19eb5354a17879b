"""Some of the cores of nodes, and ranks on them (Swartvagher 2023, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import _core
from ..base.errors import Fault, NetloomError
from .enumeration import enumerate_orders, integers

if TYPE_CHECKING:
    from ..base.records import ChosenCores


def choose_cores(
    levels: str | Sequence[int],
    cores: int,
    order: str | Sequence[int],
    *,
    nodes: int = 1,
    then: str | Sequence[int] | None = None,
) -> ChosenCores:
    """The same cores of every node, chosen by an order of its levels, and the ranks on them.

    Parameters
    ----------
    levels
        Sizes of the levels of one node, outermost first: "2,4,2,8".
    cores
        Number of its cores that are used.
    order
        Order of the levels, the one that counts fastest first: the first `cores` cores of it are used.
    nodes
        Number of nodes, which ranks fill one after another.
    then
        Order of the ranks on the cores that were chosen: of the levels that these form, outermost first, behind the
        nodes where there are several. Default: the order in which they were chosen, node by node.

    Returns
    -------
    dict
        ``mapping``, the node of every rank, and ``seats``, its core there: both are inputs of a scenario on a network
        whose endpoints are the nodes; ``levels``, the hierarchy that `then` orders, None if the cores form none;
        ``srun``, the command that starts the ranks so, None where no option of srun does.

    Raises
    ------
    NetloomError
        NL-A007 for levels, cores or an order that do not fit together.

    Examples
    --------
    >>> import netloom
    >>> netloom.choose_cores("2,4,2,8", 4, "2,1,0,3")["seats"]
    [0, 8, 16, 24]
    >>> netloom.choose_cores("2,4", 4, "0,1", nodes=2, then="0,2,1")["srun"]
    'srun --nodes=2 --ntasks-per-node=4 --distribution=cyclic --cpu-bind=map_cpu:0,1,4,5'

    Notes
    -----
    Algorithm 3, then algorithms 1 and 2 on what it chose. Cost: O(ranks).
    """
    if nodes < 1:
        raise NetloomError([Fault("NL-A007", "nodes", "an integer of at least 1", str(nodes))])
    (row,) = enumerate_orders(levels, order=order, cores=cores)
    chosen, shape = row["map_cpu"], row["chosen_levels"]
    above = [nodes] if nodes > 1 else []
    shape = [*above, *shape] if shape is not None else None
    places = [(node, core) for node in range(nodes) for core in chosen]
    if then is not None:
        if not shape:
            hint = "leave it out, or choose cores of which every unit has equally many"
            raise NetloomError(
                [Fault("NL-A007", "then", "cores that form a hierarchy of equal units", str(then), hint)]
            )
        numbers = _core.Enumeration(shape).first(integers(then, "then"), len(places))
        places = sorted(places)
        places = [places[number] for number in numbers]
    mapping, seats = [node for node, _ in places], [core for _, core in places]
    return {"mapping": mapping, "seats": seats, "levels": shape, "srun": _srun(mapping, seats, nodes)}


def _srun(mapping: list[int], seats: list[int], nodes: int) -> str | None:
    """The list of cores is one for all nodes, and options say which node each rank is on."""
    on = [[seat for at, seat in zip(mapping, seats, strict=True) if at == node] for node in range(nodes)]
    if any(own != on[0] for own in on):
        return None
    bind = f"--cpu-bind=map_cpu:{','.join(map(str, on[0]))}"
    if nodes == 1:
        return f"srun {bind}"
    each = len(on[0])
    plane = next(rank for rank, node in enumerate([*mapping, -1]) if node != 0)
    if mapping != [rank // plane % nodes for rank in range(len(mapping))]:
        return None
    how = "block" if plane == each else "cyclic" if plane == 1 else f"plane={plane}"
    return f"srun --nodes={nodes} --ntasks-per-node={each} --distribution={how} {bind}"


def table(chosen: ChosenCores) -> str:
    """What `--mapping` of other commands reads."""
    rows = zip(chosen["mapping"], chosen["seats"], strict=True)
    return "rank,endpoint,slot\n" + "".join(f"{rank},{node},{core}\n" for rank, (node, core) in enumerate(rows))

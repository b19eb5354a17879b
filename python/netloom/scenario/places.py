"""Where the ranks of the only job run: a mapping that is given, a placement with an order, or a search."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..base.arguments import Arguments
from ..base.arrays import in_service_count, ndarray
from ..base.errors import Fault, NetloomError
from ..base.quantities import counted
from ..jobs.hosts import listed
from ..mapping.codes import MORE_RANKS
from ..mapping.place import most_ranks, ordered, placed, slots_of, slots_of_mapping
from ..mapping.rank_files import read_mapping
from .axes import BY_NAME
from .canonical import is_optimiser
from .codes import NOT_USED
from .refusals import differs, refuse_next_to_mapping

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..base.arrays import Endpoints
    from .inputs import Inputs
    from .search import Search, Wishes
    from .site import Site
    from .work import Work


class Given(NamedTuple):
    """Endpoint and slot of every rank; None without a mapping."""

    mapping: Endpoints | None
    slots: Endpoints | None


class OnNodes(NamedTuple):
    """Nodes of a job, and ranks on each."""

    nodes: int
    each: int


class Places:
    """The place of every rank of the only job, each part created on demand.

    Parameters
    ----------
    searched
        Makes the result of the optimiser given as order; called once, and only where there is one.
    """

    def __init__(self, inputs: Inputs, site: Site, work: Work, searched: Callable[[], Search]) -> None:
        self._inputs, self._site, self._work, self._searched = inputs, site, work, searched

    @cached_property
    def given(self) -> Given:
        """The mapping of the axes `mapping`, `mapping_format` and `seats`: on the slots of its file, on the seats that
        were said, or in turn.

        Raises
        ------
        NetloomError
            What is wrong with it; `NL-H003` for a placement or an order next to it.
        """
        said, seats = self._inputs.value("mapping"), self._inputs.value("seats")
        site, cores = self._site, self._site.cores
        if not isinstance(said, str) or said:
            refuse_next_to_mapping(self._inputs.scenario)
        if isinstance(said, str):
            path, form = self._inputs.workshop.calls.folder / said, self._inputs.text("mapping_format")
            slots = read_mapping(path, said, form, site.slots, cores, site.node) if said else None
            mapping = slots if slots is None or cores == 1 else ndarray(slots) // cores
            if slots is not None and isinstance(seats, str) and not seats:
                return Given(mapping, slots)
        else:
            arguments = Arguments("scenario")
            mapping = arguments.endpoints("mapping", said)
            arguments.done()
        return Given(mapping, slots_of_mapping(mapping, seats, cores))

    @cached_property
    def on_nodes(self) -> OnNodes | None:
        """Nodes of the job and ranks on each, where one of them is said.

        Raises
        ------
        NetloomError
            `NL-H003` next to `ranks` or a mapping, which say the same in another way.
        """
        said = [name for name in ("nodes", "ranks_per_node") if self._inputs.value(name) != "all"]
        if not said:
            return None
        if wrong := [name for name in ("ranks", "mapping") if name in self._inputs.scenario and self._says(name)]:
            sentence = f"is given next to {said[0]}, which says how many ranks there are"
            hint = f"leave {wrong[0]} or {' and '.join(said)} out"
            raise NetloomError([Fault(NOT_USED, wrong[0], sentence, "", hint)])
        site = self._site
        nodes = self._inputs.integer("nodes") if "nodes" in said else site.most_nodes
        if nodes > site.most_nodes:
            most = f"at most {counted(site.most_nodes, 'node')}, those in service"
            raise NetloomError([Fault(MORE_RANKS, "nodes", most, str(nodes), "use fewer, or a larger network")])
        each = self._inputs.integer("ranks_per_node") if "ranks_per_node" in said else site.nodes.most_each(site.cores)
        return OnNodes(nodes, each)

    def _says(self, name: str) -> bool:
        value = self._inputs.value(name)
        return differs(value, BY_NAME[name].default)

    @cached_property
    def ranks(self) -> int:
        """Number of ranks: the value given, or that of its mapping or file, or all cores it may use."""
        if self.on_nodes is not None:
            nodes, each = self.on_nodes
            return nodes * each
        if self._inputs.value("ranks") != "all":
            return self._inputs.integer("ranks")
        if self.given.mapping is not None:
            return len(self.given.mapping)
        source = self._inputs.value("workload")
        if isinstance(source, str):
            if source and self._work.tells_ranks(source):
                return self._work.of_file(source).ranks
        elif hasattr(source, "ranks"):
            return int(source.ranks)
        site, placement = self._site, self._inputs.text("placement")
        hosts = listed(placement, site.network)
        if site.node is not None and site.node.rooms(site.network) is not None:
            return most_ranks(site.network, hosts, placement, site.cores, site.node)
        return (in_service_count(site.network) if hosts is None else hosts) * site.cores

    @cached_property
    def mapping(self) -> Endpoints:
        """Endpoint of every rank."""
        if self.given.mapping is not None:
            return self.given.mapping
        site = self._site
        if self.search is not None:
            return ndarray(self.search.slots) // site.cores if site.cores > 1 else self.search.slots
        if self.on_nodes is not None:
            return ndarray(self.start) // site.cores if site.cores > 1 else self.start
        placement, order = self._inputs.text("placement"), self._inputs.text("order")
        return placed(site.network, self.ranks, placement, order, site.cores, site.node)

    @cached_property
    def seats(self) -> Endpoints | None:
        """Seat of every rank on its endpoint; None where no node is given, or each has one."""
        if self._site.node is None or self._site.cores == 1:
            return None
        seats: Endpoints = ndarray(self.slot_of_rank) % self._site.cores
        return seats

    @cached_property
    def slot_of_rank(self) -> Endpoints:
        """Slot of every rank on `Site.slots`, as rank files name them."""
        return self.start if self.search is None else self.search.slots

    @cached_property
    def start(self) -> Endpoints:
        """Slot of every rank before an optimiser, on `Site.slots`."""
        if self.given.slots is not None:
            return self.given.slots
        said, site = self._inputs.text("order"), self._site
        order = str(self.wishes.get("start", "draw")) if is_optimiser(said) else said
        placement = self._inputs.text("placement")
        if self.on_nodes is not None:
            slots = site.nodes.slots(*self.on_nodes, placement, site.cores)
        else:
            slots = slots_of(site.network, self.ranks, placement, site.cores, site.node)
        return slots if order == "draw" else ordered(site.slots, slots, order)

    @cached_property
    def wishes(self) -> Wishes:
        """Options of an optimiser given as order."""
        given = self._inputs.value("search")
        wishes: Wishes = given if given else {}
        return wishes

    @cached_property
    def search(self) -> Search | None:
        """The result of the optimiser given as order; None without one."""
        if self.given.mapping is not None or not is_optimiser(self._inputs.text("order")):
            return None
        return self._searched()

"""Boxes of ranks onto boxes of places, after Rubik (Bhatele et al. 2012, Jain 2016 section 3.1).

    >>> from netloom.mapping.boxes import autobox, box
    >>> torus = autobox("torus(4,4,4)")
    >>> app = box(16, 4)
    >>> torus.tile(4, 4, 1)
    >>> app.tile(16, 1)
    >>> app.onto(torus)[:5].tolist()
    [0, 1, 2, 3, 4]

A box is an array of numbers: of ranks, or of places (slots of a network). Cutting a box gives smaller ones that share
its memory, so that moving the numbers of a part moves those of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..base.errors import Fault, NetloomError
from ..network import NetworkLike, network

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Index = tuple[slice, ...]


class Box:
    """Numbers in a grid, cut into parts that may be cut again.

    Parameters
    ----------
    numbers
        One for each element; the last axis counts fastest.

    Notes
    -----
    Cuts work on the innermost parts: two calls of `tile` are nested tiles. Moves work on each of the innermost parts
    alone. Cost: O(elements) each.
    """

    def __init__(self, numbers: NDArray[np.uint32]) -> None:
        self.numbers = numbers
        self.parts: list[Box] = []

    @property
    def shape(self) -> tuple[int, ...]:
        """Extent of each axis."""
        return self.numbers.shape

    def leaves(self) -> Iterator[Box]:
        """The innermost parts in order."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()

    # Cuts.

    def tile(self, *extents: int) -> None:
        """Cut into tiles of these extents.

        Raises
        ------
        NetloomError
            NL-A007 for extents that do not divide those of the box.
        """
        self._cut("tile", extents, lambda extent, size: [slice(at, at + size) for at in range(0, extent, size)])

    def div(self, *counts: int) -> None:
        """Cut each axis into `counts` runs of neighbours."""
        self._cut("div", counts, _runs)

    def mod(self, *counts: int) -> None:
        """Cut each axis into `counts` parts; part i has the elements i, i + count, i + 2 count, ..."""
        self._cut("mod", counts, _strides)

    def cut(self, counts: Sequence[int], ways: Sequence[str]) -> None:
        """Cut each axis into `counts` parts in its own way, "div" or "mod"."""
        if len(counts) != len(ways) or not set(ways) <= {"div", "mod"}:
            raise _refused("cut", f'"div" or "mod" for each of {len(counts)} axes', ",".join(ways))
        lists: dict[str, Callable[[int, int], list[slice]]] = {"div": _runs, "mod": _strides}
        for leaf in list(self.leaves()):
            leaf._require("cut", counts)
            axes = [lists[way](extent, count) for extent, count, way in zip(leaf.shape, counts, ways, strict=True)]
            leaf.parts = [Box(leaf.numbers[index]) for index in product(*axes)]

    def _cut(self, name: str, sizes: Sequence[int], slices: Callable[[int, int], list[slice]]) -> None:
        for leaf in list(self.leaves()):
            leaf._require(name, sizes)
            axes = [slices(extent, size) for extent, size in zip(leaf.shape, sizes, strict=True)]
            leaf.parts = [Box(leaf.numbers[index]) for index in product(*axes)]

    def _require(self, name: str, sizes: Sequence[int]) -> None:
        for size in sizes:
            _whole(name, size)
        wrong = len(sizes) != len(self.shape)
        if wrong or any(size < 1 or extent % size for extent, size in zip(self.shape, sizes, strict=True)):
            expected = f"{len(self.shape)} numbers that divide {','.join(map(str, self.shape))}"
            raise _refused(name, expected, ",".join(map(str, sizes)))

    # Moves.

    def shift(self, axis: int, by: int = 1) -> None:
        """Move all elements along an axis, those at the end to the beginning."""
        _whole("shift, by", by)
        self._moved("shift", (axis,), lambda a: np.roll(a, by, axis))

    def tilt(self, axis: int, direction: int, slope: int = 1) -> None:
        """Turn the planes across `axis` into diagonals: what is at position i of `direction` moves by `slope` times i
        along `axis`.

        So neighbours along `direction` have links of both axes between them.
        """
        self._slid("tilt", direction, axis, lambda at: at * slope, slope=slope)

    def shear(self, axis: int, direction: int, slope: int = 1) -> None:
        """Move the plane at position i of `axis` by `slope` times i along `direction`; as `tilt` of both exchanged."""
        self._slid("shear", axis, direction, lambda at: at * slope, slope=slope)

    def zigzag(self, axis: int, direction: int, depth: int = 1, stride: int = 1) -> None:
        """As `tilt`, but up to `depth` over `stride` planes, and back over as many."""
        for name, value in {"depth": depth, "stride": stride}.items():
            if _whole(f"zigzag, {name}", value) < 1:
                raise _refused("zigzag", f"a {name} >= 1", str(value))

        def wave(at: int) -> int:
            return depth - abs(at % (2 * stride) - stride) * depth // stride

        self._slid("zigzag", direction, axis, wave)

    def zorder(self) -> None:
        """Lay the elements, in their order, along the curve that interleaves the bits of the coordinates."""
        self._along(_morton)

    def hilbert(self) -> None:
        """Lay the elements, in their order, along a Hilbert curve: neighbours on it are neighbours in the box where the
        extents are equal powers of two."""
        self._along(_hilbert)

    def _slid(self, name: str, axis: int, along: int, by: Callable[[int], int], **numbers: int) -> None:
        for key, value in numbers.items():
            _whole(f"{name}, {key}", value)
        self._moved(name, (axis, along), lambda a: _slid(a, axis, along, by))

    def _moved(self, name: str, axes: Sequence[int], move: Callable[[NDArray[np.uint32]], NDArray[np.uint32]]) -> None:
        for axis in axes:
            _whole(f"{name}, axis", axis)
        for leaf in self.leaves():
            dims = leaf.numbers.ndim
            if any(not 0 <= axis < dims for axis in axes) or len(set(axes)) < len(axes):
                expected = f"{len(axes)} different axes below {dims}" if len(axes) > 1 else f"an axis below {dims}"
                raise _refused(name, expected, ",".join(map(str, axes)))
            leaf.numbers[...] = move(leaf.numbers)

    def _along(self, curve: Callable[[tuple[int, ...]], NDArray[np.uint64]]) -> None:
        for leaf in self.leaves():
            at = np.argsort(curve(leaf.shape), kind="stable")
            flat = np.empty(leaf.numbers.size, dtype=np.uint32)
            flat[at] = leaf.numbers.reshape(-1)
            leaf.numbers[...] = flat.reshape(leaf.shape)

    # Results.

    def onto(self, places: Box) -> NDArray[np.uint32]:
        """The place of every rank: the parts of this box on those of another, in order, whatever their shapes.

        Raises
        ------
        NetloomError
            NL-A007 where the boxes, or parts with the same number, have different sizes.
        """
        if not isinstance(places, Box):
            raise _refused("onto", "a Box", type(places).__name__)
        mine, theirs = list(self.leaves()), list(places.leaves())
        sizes = [[leaf.numbers.size for leaf in leaves] for leaves in (mine, theirs)]
        if sizes[0] != sizes[1]:
            shown = [f"{len(own)} parts of {own[0]}" for own in sizes]
            raise _refused("onto", f"{shown[0]} elements, as this box", shown[1])
        found = np.empty(self.numbers.size, dtype=np.uint32)
        for ranks, own in zip(mine, theirs, strict=True):
            found[ranks.numbers.reshape(-1)] = own.numbers.reshape(-1)
        return found

    def part_of(self) -> NDArray[np.uint32]:
        """The innermost part that each number is in: what a picture colours."""
        found = np.empty(int(self.numbers.max()) + 1, dtype=np.uint32)
        for at, leaf in enumerate(self.leaves()):
            found[leaf.numbers.reshape(-1)] = at
        return found


def box(*extents: int) -> Box:
    """Ranks 0, 1, 2, ... in a grid; the last axis counts fastest.

    Raises
    ------
    NetloomError
        NL-A007 for no extent or one below 1, NL-A009 for 2^26 elements or more.
    """
    for extent in extents:
        _whole("extents", extent)
    if not extents or any(extent < 1 for extent in extents):
        raise _refused("extents", "integers >= 1", ",".join(map(str, extents)) or "nothing", "box")
    count = 1
    for extent in extents:
        count *= int(extent)
    if count >= 1 << 26:
        raise NetloomError([Fault("NL-A009", "box", f"has {count} elements, 2^26 are too many", "", "use fewer")])
    return Box(np.arange(count, dtype=np.uint32).reshape(extents))


def autobox(net: NetworkLike, cores: int = 1) -> Box:
    """The places of a torus, mesh or HyperX, its axes and then the places on a switch.

    Parameters
    ----------
    cores
        Ranks on an endpoint. Places are slots: endpoint times cores plus core.

    Raises
    ------
    NetloomError
        NL-A007 for `cores` below 1, a network without a grid, or with different numbers of endpoints on its switches.
    """
    if _whole("cores", cores, "autobox") < 1:
        raise _refused("cores", "an integer >= 1", str(cores), "autobox")
    made: _core.Network = network(net)
    grid = made.grid
    each = made.endpoints // made.switches if made.switches else 0
    regular = bool(np.array_equal(made.endpoint_switch, np.arange(made.endpoints) // max(each, 1)))
    if grid is None or not regular or each < 1:
        raise _refused("network", "a grid with equally many endpoints on each switch", made.label, "autobox")
    dims = grid[0]
    return box(*dims, each * cores) if each * cores > 1 else box(*dims)


def positions(shape: tuple[int, ...]) -> NDArray[np.uint64]:
    """Along a Hilbert curve, a number of each element of a grid in row-major order; they ascend along the curve."""
    return _hilbert(shape)


def _refused(name: str, expected: str, got: str, owner: str = "box") -> NetloomError:
    return NetloomError([Fault("NL-A007", f"{owner}.{name}", expected, got)])


def _whole(name: str, value: object, owner: str = "box") -> int:
    """An integer, also of NumPy; nothing else that Python would take for one."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise _refused(name, "an integer", ascii(value)[:60], owner)
    return int(value)


def _runs(extent: int, count: int) -> list[slice]:
    size = extent // count
    return [slice(at, at + size) for at in range(0, extent, size)]


def _strides(extent: int, count: int) -> list[slice]:
    return [slice(at, extent, count) for at in range(count)]


def _slid(numbers: NDArray[np.uint32], axis: int, along: int, by: Callable[[int], int]) -> NDArray[np.uint32]:
    """The plane at each position of an axis rolled along another."""
    moved = np.moveaxis(numbers.copy(), (axis, along), (0, 1))
    for at in range(moved.shape[0]):
        moved[at] = np.roll(moved[at], by(at), axis=0)
    return np.moveaxis(moved, (0, 1), (axis, along))


def _coordinates(shape: tuple[int, ...]) -> tuple[NDArray[np.uint64], int]:
    """Coordinates of all elements in row-major order, a row per axis, and bits that the largest takes."""
    found = np.indices(shape).reshape(len(shape), -1).astype(np.uint64)
    return found, max(max(shape) - 1, 1).bit_length()


def _interleaved(axes: NDArray[np.uint64], bits: int) -> NDArray[np.uint64]:
    one = np.uint64(1)
    key = np.zeros(axes.shape[1], dtype=np.uint64)
    for bit in reversed(range(bits)):
        for axis in axes:
            key = (key << one) | ((axis >> np.uint64(bit)) & one)
    return key


def _morton(shape: tuple[int, ...]) -> NDArray[np.uint64]:
    return _interleaved(*_coordinates(shape))


def _hilbert(shape: tuple[int, ...]) -> NDArray[np.uint64]:
    """Position along the curve (Skilling, AIP Conference Proceedings 707, 2004): undo the turns, then Gray decode."""
    axes, bits = _coordinates(shape)
    mask = np.uint64(1) << np.uint64(bits - 1)
    while mask > 1:
        low = mask - np.uint64(1)
        for i in range(len(axes)):
            turned = (axes[i] & mask) != 0
            swap = np.where(turned, np.uint64(0), (axes[0] ^ axes[i]) & low)
            axes[0] = np.where(turned, axes[0] ^ low, axes[0]) ^ swap
            if i:
                axes[i] ^= swap
        mask >>= np.uint64(1)
    for i in range(1, len(axes)):
        axes[i] ^= axes[i - 1]
    flip = np.zeros(axes.shape[1], dtype=np.uint64)
    mask = np.uint64(1) << np.uint64(bits - 1)
    while mask > 1:
        flip = np.where((axes[-1] & mask) != 0, flip ^ (mask - np.uint64(1)), flip)
        mask >>= np.uint64(1)
    return _interleaved(axes ^ flip, bits)

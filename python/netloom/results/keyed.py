"""Values by name, as a dictionary gives them, for results that are more than their values."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import TYPE_CHECKING, TypeVar, overload

from ..base.arrays import same

if TYPE_CHECKING:
    from collections.abc import Mapping

    Other = TypeVar("Other")


class Keyed:
    """Mixed into results: subscripts, `get`, `keys`, `values`, `items`, `in`, `len`, `dict(result)` and `**result`.

    No subclass of `collections.abc.Mapping`: libraries of tables take such a thing for columns, which values of all
    kinds are not, before they look at the rows that it offers.
    """

    def __getitem__(self, name: str, /) -> object:
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except KeyError:
            return False
        return True

    @overload
    def get(self, name: str, /) -> object | None: ...
    @overload
    def get(self, name: str, /, default: Other) -> object | Other: ...
    def get(self, name: str, /, default: object = None) -> object:
        """The value of that name, or `default`."""
        try:
            return self[name]
        except KeyError:
            return default

    def keys(self) -> KeysView[str]:
        """The names."""
        return KeysView(self._mapping())

    def values(self) -> ValuesView[object]:
        """The values, in the order of the names."""
        return ValuesView(self._mapping())

    def items(self) -> ItemsView[str, object]:
        """Names with their values."""
        return ItemsView(self._mapping())

    def _mapping(self) -> Mapping[str, object]:
        # The views need no more than what is here.
        return self  # type: ignore[return-value]

    def __eq__(self, other: object) -> bool:
        """True for the same names and values, arrays by what they hold."""
        if type(other) is not type(self):
            return NotImplemented
        return list(self) == list(other) and all(same(self[name], other[name]) for name in self)

    __hash__ = None  # type: ignore[assignment]

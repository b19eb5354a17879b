"""Bytes that packets left on links, in the columns of link loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.arrays import ndarray
from ..core import rows
from ..loads.schema import CLASSES, TIMES

if TYPE_CHECKING:
    from ... import _core
    from ...base.records import Found
    from ..answer import Row

#: Of the links of one class; the least load in use is of link loads alone.
BY_CLASS = tuple(column for column in CLASSES if column.name != "min_used_bytes")
#: Those of all switch links in the record, where times are ends of ranks and `total_bytes` those of messages.
OF_ALL = tuple(column for column in BY_CLASS[1:] if column not in TIMES and column.name != "total_bytes")


def classes(found: Found) -> list[Row]:
    """By class of links, all switch links first."""
    return [row | {"used_links": row["used"]} for row in rows(found["tables"]["classes"])]


def histogram(net: _core.Network, found: Found) -> list[Row]:
    """Links of each class by their bytes, in bins as of link loads. O(links)."""
    from ..loads.columns import histogram as binned
    from ..loads.columns import of_class

    column = ndarray(found["tables"]["links"]["bytes"])
    named = [str(row["class"]) for row in classes(found)]
    return [{"class": name, **one} for name in named for one in binned(of_class(net, column, name))]

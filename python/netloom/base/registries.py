"""All names: one list per kind, straight from the registries."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .. import _core
from .errors import Fault, NetloomError
from .nearest import did_you_mean
from .own_rows import OWN_ROWS

if TYPE_CHECKING:
    from .records import Row

#: Operations with a root.
ROOTED = ("broadcast", "reduce", "gather", "scatter")

#: Registries whose rows are only partly the core's.
_OWN = ("evaluators", "rungs", "machines", "libraries", "calibrations")
KINDS = (*(kind for kind in _core.kinds() if kind not in ("errors", *_OWN)), *_OWN, "errors")


@cache
def _of_core(kind: str) -> tuple[Row, ...]:
    return () if kind in _OWN else tuple(_core.catalogue(kind))


def catalogue(kind: str) -> list[Row]:
    """Rows of one registry.

    Parameters
    ----------
    kind
        One of `netloom.base.registries.KINDS`.

    Returns
    -------
    list of dict
        Per row `name`, `aliases`, `summary`, `params` (each with `name`, `kind`, `default`, `help`), `signature`,
        `example`, `restrictions`, `source`. For `errors`: `code`, `title`, `cause`, `action`.

    Examples
    --------
    >>> import netloom
    >>> netloom.catalogue("topologies")[0]["name"]
    'ring'

    Raises
    ------
    NetloomError
        If there is no such kind.
    """
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS, "kinds") if isinstance(kind, str) else "kinds: " + ", ".join(KINDS)
        raise NetloomError([Fault("NL-A002", "catalogue.kind", "one of the kinds", repr(kind), hint)])
    # Folders and plug-ins of the moment may have more.
    own = OWN_ROWS[kind]() if kind in OWN_ROWS else ()
    return [row.copy() for row in (*_of_core(kind), *own)]

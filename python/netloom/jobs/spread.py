"""How Slurm spreads the tasks of a job over its nodes.

Block distribution, the default of srun: nodes in turn get one task more as long as they have room for it, and
consecutive tasks share a node, so that 10 tasks on 4 nodes are 3, 3, 2, 2. Where all nodes are full, the rest goes
round again. After srun(1), ``--distribution``, where 4 tasks on 3 nodes of 2 CPUs are 2, 1, 1. The lists that are read
do not show which distribution a job requested: cyclic and plane ones have the same counts but number tasks otherwise,
``Pack`` fills nodes one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def spread(tasks: int, room: NDArray[np.int64]) -> NDArray[np.int64]:
    """Tasks of each node.

    Parameters
    ----------
    room
        Tasks that each node has CPUs for, >= 1; shape (nodes,).

    Returns
    -------
    ndarray of int64, shape (nodes,)
        In sum `tasks`. O(nodes log room).
    """
    import numpy as np

    nodes, full = len(room), int(room.sum())
    if tasks >= full:
        each, rest = divmod(tasks - full, nodes)
        made = room + each
        made[:rest] += 1
        return made
    # Full rounds while tasks last; nodes that still have room share the last round.
    low, high = 0, int(room.max())
    while high - low > 1:
        turns = (low + high) // 2
        if int(np.minimum(room, turns).sum()) <= tasks:
            low = turns
        else:
            high = turns
    made = np.minimum(room, low)
    made[np.flatnonzero(room > low)[: tasks - int(made.sum())]] += 1
    return made

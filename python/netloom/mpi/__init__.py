"""The running MPI: which one is installed, what a program sends, and ranks in another order.

>>> from netloom.mpi import reordered
>>> reordered([2, 4], [0, 1])
[0, 2, 4, 6, 1, 3, 5, 7]
"""

from ..workload.traces.netloom_record import read_events, read_record
from .codes import CODES
from .reorder.given import reordered
from .reorder.split import reordered_world

__all__ = ["CODES", "read_events", "read_record", "reordered", "reordered_world"]

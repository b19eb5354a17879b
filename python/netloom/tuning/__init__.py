"""Which algorithm of a collective is fastest here, how near it comes to what the network allows, what libraries choose
by themselves, and the files that make them choose better.
"""

from ..library.decide import Decision, decide, libraries
from .bound import cut_bound
from .tables import Timing, switch_points, time_collective, winners

__all__ = ["Decision", "Timing", "cut_bound", "decide", "libraries", "switch_points", "time_collective", "winners"]

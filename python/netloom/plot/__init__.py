"""Pictures on paper: figures of tables and drawings of networks, as PNG, SVG or PDF with the same bytes every time.

Needs matplotlib (``pip install 'netloom[plot]'``); the interactive report in :mod:`netloom.report` does not.

>>> from netloom.plot import axis_label
>>> axis_label("run_time_s")
'run time (s)'
"""

from .codes import CODES
from .critical import critical
from .draw import draw_network
from .drawing import Drawing
from .encoding import Encoding
from .figure import figure, save
from .flight import in_flight
from .kinds import NAMES as KINDS
from .positions import LAYOUTS, positions
from .style import PALETTE, axis_label, unit_of
from .tidy import tidy
from .timeline import timeline
from .utilisation import utilisation

__all__ = [
    "CODES",
    "KINDS",
    "LAYOUTS",
    "PALETTE",
    "Drawing",
    "Encoding",
    "axis_label",
    "critical",
    "draw_network",
    "figure",
    "in_flight",
    "positions",
    "save",
    "tidy",
    "timeline",
    "unit_of",
    "utilisation",
]

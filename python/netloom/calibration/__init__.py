"""Calibrations: what lies between the latency and bandwidth of links and the time of a message.

>>> from netloom import calibration
>>> calibration.names()
('pure', 'simgrid-pure', 'simgrid-smpi')
>>> calibration.load("simgrid-smpi").latency_factor(65473)
11.6436

The files in ``data/`` hold every number with its source; a path to a file of the same form replaces them, and
`netloom calibrate` makes one from ping-pong measurements.
"""

from .codes import CODES
from .file import dumps, load, loads, names, save
from .fitting import Fit, Segment, fit
from .measure import Measured, parse
from .model import Calibration

__all__ = [
    "CODES",
    "Calibration",
    "Fit",
    "Measured",
    "Segment",
    "dumps",
    "fit",
    "load",
    "loads",
    "names",
    "parse",
    "save",
]

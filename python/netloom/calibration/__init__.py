"""Calibrations: what lies between the latency and bandwidth of links and the time of a message.

>>> from netloom import calibration
>>> calibration.names()
('pure', 'simgrid-pure', 'simgrid-smpi')
>>> calibration.load("simgrid-smpi").latency_factor(65473)
11.6436

The files in ``data/`` hold every number with its source; a path to a file of the same form replaces them, and
`netloom calibrate` makes one from ping-pong measurements.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .codes import CODES
from .file import dumps, load, loads, names, save
from .model import Calibration

if TYPE_CHECKING:
    from .fitting import Fit, Segment, fit
    from .measure import Measured, parse

# Every simulation uses a calibration, few create one.
_HOMES = {"Fit": ".fitting", "Segment": ".fitting", "fit": ".fitting", "Measured": ".measure", "parse": ".measure"}

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


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value

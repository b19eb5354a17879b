"""Calibrations from measurements, and the calibrations themselves.

>>> from netloom import calibration
>>> "simgrid-smpi" in calibration.names()
True
>>> calibration.load("simgrid-smpi").latency_factor(65473)
11.6436

`netloom calibrate` makes one from ping-pong measurements.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..machine.calibration import Calibration, dumps, load, loads, names, save

if TYPE_CHECKING:
    from .fitting import Fit, Segment, fit
    from .measure import Measured, parse

# Every simulation uses a calibration, few create one.
_HOMES = {"Fit": ".fitting", "Segment": ".fitting", "fit": ".fitting", "Measured": ".measure", "parse": ".measure"}

__all__ = [
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

"""Which parameter of a scenario decides, and where more of it gives nothing: curves, knees, Sobol's indices."""

from __future__ import annotations

from .answer import Settings, WhatIf
from .asked import whatif
from .decision import Decision
from .indices import Index
from .keys import ALIASES
from .knees import Knee
from .varied import Choice, Range

__all__ = ["ALIASES", "Choice", "Decision", "Index", "Knee", "Range", "Settings", "WhatIf", "whatif"]

"""The training step of a transformer from its parameters: time, memory, messages on a machine's network."""

from __future__ import annotations

from .codes import CODES
from .model import Model, model
from .split import Split
from .step import Planner, Site, Step, facts, step

__all__ = ["CODES", "Model", "Planner", "Site", "Split", "Step", "facts", "model", "step"]

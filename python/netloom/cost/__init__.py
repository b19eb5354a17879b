"""What a network costs to build: cabinets on a floor, cables between them, prices from a data file.

>>> from netloom.cost import layout, cable_lengths_m
>>> floor = layout(16)
>>> cable_lengths_m([0, 0], [1, 8], floor).tolist()
[1.0, 4.1]

The models in ``models/*.toml`` hold every number with its source and date; a path to a file of the same form replaces
them. Costs are those of parts, not of power, cooling or people.
"""

from .codes import CODES
from .layout import Layout, layout
from .model import DEFAULT, CableLine, CostModel, cost_model, model_names
from .parts import Parts
from .performance import efficiency, performance
from .plan import ORDERS, FloorPlan
from .price import Cost, cable_lengths_m, total_cost

__all__ = [
    "CODES",
    "DEFAULT",
    "ORDERS",
    "CableLine",
    "Cost",
    "CostModel",
    "FloorPlan",
    "Layout",
    "Parts",
    "cable_lengths_m",
    "cost_model",
    "efficiency",
    "layout",
    "model_names",
    "performance",
    "total_cost",
]

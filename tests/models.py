"""A small model of `netloom learn` as a file, for tests that need one."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from netloom.learning import Asked, Method, Samples, learn, write_model


@cache
def model_file() -> str:
    """The time of the fullest link at 1 GB/s, from 1 B to 1 GB, of any network and workload."""
    folder = Path(tempfile.mkdtemp(prefix="netloom-model-"))
    filled = np.geomspace(1.0, 1e9, 400)
    samples = Samples("links", ("bytes_max",), filled[:, None], "time_s", filled * 1e-9, {})
    write_model(learn(samples, Asked(Method("linear"))).model, folder / "links.model")
    return str(folder / "links.model")

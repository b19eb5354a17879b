"""Features for learners, as columns of `loads` and of `packet` (Jain 2016, table 4.2)."""

from __future__ import annotations

#: Of messages, of bytes, and of FIFOs: what bytes on links tell.
OF_LOADS = (
    "dilation_ao_mean", "dilation_max", "dilation_ao_sum", "bytes_mean", "bytes_ao_mean", "bytes_to_mean",
    "bytes_near_mean", "bytes_max", "bytes_ao_links", "fifo_max",
)  # fmt: skip
#: Of packets that could not go on at once, on a link and of the packets that came over it.
OF_STALLS = tuple(
    f"{of}_{what}"
    for of in ("stalls", "stallsp")
    for what in ("mean", "ao_mean", "to_mean", "near_mean", "max", "ao_links")
)
FEATURES = (*OF_LOADS, *OF_STALLS)

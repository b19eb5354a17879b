"""The nineteen features of Jain 2016, table 4.2, as columns of `packet`, and its hybrids of table 4.5."""

from __future__ import annotations

#: As the thesis names them, and the column here.
NINETEEN = {
    "avg dilation AO": "dilation_ao_mean",
    "max dilation": "dilation_max",
    "sum dilation AO": "dilation_ao_sum",
    "avg bytes": "bytes_mean",
    "avg bytes AO": "bytes_ao_mean",
    "avg bytes TO": "bytes_to_mean",
    "max bytes": "bytes_max",
    "#links AO bytes": "bytes_ao_links",
    "avg stalls": "stalls_mean",
    "avg stalls AO": "stalls_ao_mean",
    "avg stalls TO": "stalls_to_mean",
    "max stalls": "stalls_max",
    "#links AO stalls": "stalls_ao_links",
    "avg stallsp": "stallsp_mean",
    "avg stallsp AO": "stallsp_ao_mean",
    "avg stallsp TO": "stallsp_to_mean",
    "max stallsp": "stallsp_max",
    "#links AO stallsp": "stallsp_ao_links",
    "max inj FIFO": "fifo_max",
}
#: Table 4.5; the errata read "stallspp" as stallsp and "sum hops AO" as sum dilation AO (E4-06).
HYBRIDS = {
    "H1": ("avg bytes", "max bytes", "max inj FIFO"),
    "H2": ("avg bytes", "max bytes", "sum dilation AO", "max inj FIFO"),
    "H3": ("avg bytes", "max bytes", "avg stalls", "max inj FIFO"),
    "H4": ("avg bytes", "max bytes", "avg stalls TO"),
    "H5": ("avg bytes TO", "avg stalls TO", "avg stallsp AO", "sum dilation AO", "max inj FIFO"),
    "H6": ("avg bytes TO", "avg stalls AO", "avg stallsp TO", "avg stallsp AO", "sum dilation AO", "max inj FIFO"),
}


def columns(names: tuple[str, ...]) -> list[str]:
    """The columns of features of the thesis."""
    return [NINETEEN[name] for name in names]

"""Colours, markers and labels that every picture shares, printed or interactive."""

from __future__ import annotations

#: M. Okabe and K. Ito, Color Universal Design (2008), black last since axes are black; yellow left out: too faint
#: for lines on white.
PALETTE: tuple[str, ...] = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
#: One more than a multiple of the colours apart, so that colour, marker and dash together repeat late.
MARKERS: tuple[str, ...] = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")
DASHES: tuple[str, ...] = ("-", "--", "-.", ":")
#: Sequential, monotone in lightness, safe for colour-blind readers: N. Smith and S. van der Walt, viridis (2015).
HEAT: str = "viridis"
HEAT_STOPS: tuple[str, ...] = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")

#: Loads of links, monotone in lightness: on white paper the greatest are darkest, on a dark page brightest.
LOAD_STOPS: tuple[str, ...] = ("#c9d3df", "#f0b93a", "#dd5f1e", "#8c0b1f")
LOAD_STOPS_DARK: tuple[str, ...] = ("#46505d", "#a8581c", "#f0912e", "#ffe98a")

#: Most series in one panel, most panels in one figure.
MAX_SERIES = 40
MAX_PANELS = 24

#: Column suffix to unit, longest first.
UNITS: tuple[tuple[str, str], ...] = (
    ("_bytes_per_s", "B/s"),
    ("_messages_per_s", "messages/s"),
    ("_flops_per_s", "flop/s"),
    ("_mop_per_s", "Mop/s"),
    ("_percent", "%"),
    ("_gbps", "Gb/s"),
    ("_bytes", "bytes"),
    ("_usd", "USD"),
    ("_ps", "ps"),
    ("_ns", "ns"),
    ("_us", "µs"),
    ("_ms", "ms"),
    ("_s", "s"),
    ("_m", "m"),
    ("_w", "W"),
)

#: Units that the ticks of an axis carry, so that its label does without them.
UNITS_WITH_TICKS: tuple[str, ...] = ("s", "bytes", "B", "B/s", "flop/s", "W", "ms", "µs", "ns", "ps")

#: Columns of sizes that somebody chose, which may be binary; other bytes are sums and loads, and decimal.
SIZES: tuple[str, ...] = (
    *("size_bytes", "message_bytes", "packet_bytes", "element_bytes", "tcp_window_bytes"),
    "communicator_bytes",
)


def unit_of(column: str) -> str:
    """Unit that a column's name ends with, or is, "" if it has none: ``unit_of("time_s")`` is ``"s"``.

    ``"bytes"`` for the columns in `SIZES`, ``"B"`` for other bytes.
    """
    unit = "bytes" if column == "bytes" else next((unit for suffix, unit in UNITS if column.endswith(suffix)), "")
    return "B" if unit == "bytes" and not column.endswith(SIZES) else unit


def axis_label(column: str) -> str:
    """Words and unit of a column's name: ``axis_label("run_time_s")`` is ``"run time (s)"``."""
    for suffix, unit in UNITS:
        if column.endswith(suffix):
            words = column.removesuffix(suffix).replace("_", " ").strip()
            return f"{words or column} ({unit})"
    return column.replace("_", " ")


def words_of(column: str) -> str:
    """A column's name in words, without its unit: ``words_of("run_time_s")`` is ``"run time"``."""
    words = column.removesuffix(next((suffix for suffix, _ in UNITS if column.endswith(suffix)), ""))
    return (words or column).replace("_", " ").strip() or column


def ticked_label(column: str) -> str:
    """:func:`axis_label` for ticks that carry their unit, as those of time do: ``"run time"``."""
    return words_of(column) if unit_of(column) in UNITS_WITH_TICKS else axis_label(column)

"""Columns of the tables of link loads."""

from __future__ import annotations

from ...results import Column
from ..base import SEARCH
from ..core import columns
from ..features import OF_LOADS

SIX_COLUMNS = (
    Column("min_bytes", "B", "on the least loaded link"),
    Column("q1_bytes", "B", "first quartile over links"),
    Column("median_bytes", "B", "median over links"),
    Column("mean_bytes", "B", "mean over links"),
    Column("q3_bytes", "B", "third quartile over links"),
    Column("max_bytes", "B", "on the most loaded link"),
    Column("min_used_bytes", "B", "on the least loaded link that carries something"),
    Column("used_links", "", "links that carry something"),
    Column("links", "", "directed links"),
    Column("total_bytes", "B", "sum over links"),
)
COLUMNS = (
    Column("messages", "", "between different nodes; where no node is given, every endpoint is one"),
    Column("bytes_sent", "B", "of these messages"),
    Column("inter_node_bytes", "B", "as bytes_sent; on rail clusters without those between GPUs of a node"),
    Column("inside_bytes", "B", "between ranks of one node; empty where no node is given"),
    Column("switch_bytes", "B", "of messages that leave their switch"),
    Column("mean_hops", "", "switch links that a byte crosses"),
    *SIX_COLUMNS,
    Column("endpoint_max_bytes", "B", "on the most loaded injection or ejection link"),
    Column("max_class", "", "class of the link that takes longest"),
    Column("max_s", "s", "bytes over bandwidth of the link that takes longest"),
    Column("slowdown", "", "of the job that others slow down most: its worst link with all jobs over that alone"),
    Column("flows", "", "between two switches, held by adaptive jobs"),
    Column("rounds", "", "of the iteration"),
    Column("last_gain", "", "what the last round added, as a share of all bandwidth given"),
    Column("contentions", "", "messages of one step that share a link with another (option contentions)"),
    *columns("loads", *OF_LOADS),
    *SEARCH,
)
TIMES = (
    Column("max_s", "s", "bytes over bandwidth of the link that takes longest"),
    Column("mean_s", "s", "bytes over bandwidth, mean over links"),
)
CLASSES = (
    Column("class", "", "of links; all: between switches; injection, ejection: of endpoints"),
    *SIX_COLUMNS,
    *TIMES,
)
LEVELS = (
    Column(
        "level", "", "of the nodes, outermost first; numa memory: read and written; direct: links between two seats"
    ),
    Column("links", "", "its links in all nodes, up and down"),
    Column("used", "", "links that carry something"),
    Column("max_bytes", "B", "on the most loaded link"),
    Column("mean_bytes", "B", "mean over links"),
    Column("max_s", "s", "bytes over bandwidth of the most loaded link"),
)
JOBS = (
    Column("job", "", "name"),
    Column("job_variant", "", "how its messages choose paths"),
    Column("job_routing", "", "the paths that they choose from"),
    Column("messages", "", "between different nodes"),
    Column("bytes_sent", "B", "of these messages"),
    *SIX_COLUMNS,
    Column("slowdown", "", "time on its worst link with all jobs over that alone"),
    Column("slowed_by", "", "the other job that slows it most"),
    Column("slowed_by_ratio", "", "the slowdown with that job alone"),
)
MEETS = (
    Column("job", "", "name"),
    Column("other", "", "another job"),
    Column("slowdown", "", "of the job with the other one alone"),
    Column("met_bytes", "B", "of the other job on a link that a byte of the job crosses, mean"),
)
HOTTEST = (
    Column("place", "", "1 for the slowest link"),
    Column("link", "", "number"),
    Column("class", "", "of the link"),
    Column("from_switch", "", "switch"),
    Column("to_switch", "", "switch"),
    Column("bytes", "B", "on the link"),
    Column("time_s", "s", "bytes over bandwidth"),
    Column("job", "", "the job of this row: the one that puts most bytes there first"),
    Column("job_bytes", "B", "of this job on the link"),
    Column("share_percent", "%", "of this job on the link"),
    Column("offset", "", "rank distance of the messages that put most of them there"),
    Column("offset_bytes", "B", "of these messages on the link"),
    Column("rank", "", "one that sends across the link"),
    Column("partner", "", "the rank that it sends to"),
)
HISTOGRAM = (
    Column("class", "", "of links; all: between switches"),
    Column("from_bytes", "B", "lower end of the bin; 0 to 0: links that carry nothing"),
    Column("to_bytes", "B", "upper end, not of the bin"),
    Column("links", "", "directed links whose load is in the bin"),
)
GROUPS = (
    Column("from_group", "", "group of switches; the first of a block where the network has more than 240"),
    Column("to_group", "", "likewise; the same: links inside the group"),
    Column("bytes", "B", "on the links from one to the other"),
)
SLICES = (
    Column("plane", "", "of a torus or mesh: coordinates in the dimensions before the last two; plane: the only one"),
    Column("class", "", "of the link: its dimension"),
    Column("direction", "", "up: the link counts its dimension up, also from the end of a ring to its beginning"),
    Column("row", "", "of the switch that it leaves: place in the last but one dimension"),
    Column("column", "", "likewise: place in the last dimension"),
    Column("to_row", "", "of the switch that it enters"),
    Column("to_column", "", "likewise"),
    Column("bytes", "B", "on the link"),
    Column("planes", "", "of the network; at most 8, and 65,536 links, are listed: those with the greatest loads"),
    Column("between_bytes", "B", "the greatest load of a link between planes"),
)
MINIMAPS = (
    Column("direction", "", "dimension of a torus or mesh, from 0, whose links are added up"),
    Column("other", "", "the other dimension of the map; none: sums over all dimensions but that of the links"),
    Column("place", "", "in the first dimension, from which a cable leads to the next place"),
    Column("other_place", "", "in the other dimension"),
    Column("bytes", "B", "on these cables, both ways, over all places in the remaining dimensions"),
    Column("up_bytes", "B", "of these on links that count their dimension up"),
    Column("down_bytes", "B", "of these on links that count it down"),
)
RANKING = (
    Column("position", "", "by the worst link's time, among runs that differ in placement, routing and variant only"),
    Column("max_bytes", "B", "on the most loaded link"),
    Column("max_s", "s", "bytes over bandwidth of the link that takes longest"),
    Column("ratio", "", "of it to that of the first"),
    Column("reason", "", "in words"),
)

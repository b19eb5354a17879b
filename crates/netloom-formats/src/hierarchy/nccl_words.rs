//! What the topology XML of NCCL and RCCL defines, and what becomes of it.

use crate::noted::{ElementRow, Fate};

use Fate::{Label, Noted, Refused, Used};

/// Elements and attributes (NCCL 2.26 and later, `src/graph/xml.cc`, `topo.cc`; RCCL for `gcn`, `arch` and `xgmi`).
pub const TABLE: &[ElementRow] = &[
    ("system", Used, &[("version", Label)]),
    (
        "cpu",
        Used,
        &[
            ("numaid", Label),
            ("host_hash", Used),
            ("affinity", Label),
            ("arch", Label),
            ("vendor", Label),
            ("familyid", Label),
            ("modelid", Label),
        ],
    ),
    (
        "pci",
        Used,
        &[
            ("busid", Used),
            ("class", Used),
            ("vendor", Label),
            ("device", Label),
            ("subsystem_vendor", Label),
            ("subsystem_device", Label),
            ("link_speed", Used),
            ("link_width", Used),
        ],
    ),
    (
        "gpu",
        Used,
        &[
            ("dev", Used),
            ("sm", Used),
            ("rank", Label),
            ("gdr", Label),
            ("gcn", Used),
            ("arch", Label),
            ("mlopart", Noted),
        ],
    ),
    ("nvlink", Used, LINK),
    ("xgmi", Used, LINK),
    ("c2c", Used, &[("bw", Used), ("count", Used)]),
    ("pcilink", Noted, &[]),
    // Of the rings and trees that NCCL found (NCCL_GRAPH_DUMP_FILE), which are no machine.
    ("graphs", Refused, &[]),
    ("graph", Refused, &[]),
    ("nic", Used, &[("busid", Label)]),
    (
        "net",
        Used,
        &[
            ("name", Label),
            ("dev", Used),
            ("speed", Used),
            ("port", Label),
            ("guid", Label),
            ("asic", Label),
            ("maxconn", Label),
            ("gdr", Label),
            ("coll", Label),
            ("keep", Used),
            // Used as far as it is 0.
            ("latency", Used),
            ("rail", Noted),
            ("plane", Noted),
        ],
    ),
];

const LINK: &[(&str, Fate)] = &[("target", Used), ("count", Used), ("tclass", Used)];

/// GB/s of an NVLink each way, by the least compute capability; without one, that of 80 (NCCL, `topo.h`).
const NVLINK_GB_PER_S: [(u32, f64); 7] =
    [(100, 40.1), (90, 20.6), (87, 20.0), (86, 12.0), (80, 20.0), (70, 20.0), (60, 18.0)];

/// Bytes per second of an NVLink each way.
pub fn nvlink(sm: u32) -> f64 {
    NVLINK_GB_PER_S.iter().find(|(least, _)| sm >= *least).map_or(20.0, |(_, speed)| *speed) * 1e9
}

/// Bytes per second of a link of AMD's GPUs each way, by their architecture (RCCL, `topo.h`).
pub fn xgmi(gcn: &str) -> f64 {
    match gcn {
        new if new.starts_with("gfx94") || new.starts_with("gfx95") || new.starts_with("94") => 48e9,
        "gfx90a" | "910" => 36e9,
        _ => 24e9,
    }
}

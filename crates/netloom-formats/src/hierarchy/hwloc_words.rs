//! What the XML of hwloc 1 and 2 defines, and what becomes of it.

use crate::noted::{ElementRow, Fate};

use Fate::{Label, Noted, Used};

/// Elements and attributes of `hwloc.dtd` (1.11) and `hwloc2.dtd` (2.9). Sizes and numbers of things say nothing of how messages
/// move; what does and is not used is noted.
pub const TABLE: &[ElementRow] = &[
    ("topology", Used, &[("version", Used)]),
    (
        "object",
        Used,
        &[
            ("type", Used),
            ("subtype", Label),
            ("os_index", Label),
            ("os_level", Label),
            ("gp_index", Label),
            ("id", Label),
            ("name", Label),
            ("cpuset", Used),
            ("complete_cpuset", Used),
            ("online_cpuset", Used),
            ("allowed_cpuset", Used),
            ("nodeset", Used),
            ("complete_nodeset", Label),
            ("allowed_nodeset", Label),
            ("local_memory", Label),
            ("depth", Used),
            ("cache_size", Label),
            ("cache_linesize", Label),
            ("cache_associativity", Label),
            ("cache_type", Used),
            ("kind", Label),
            ("subkind", Label),
            ("dont_merge", Label),
            ("bridge_type", Label),
            ("bridge_pci", Label),
            ("pci_busid", Label),
            ("pci_type", Label),
            // Used as far as it is 0.
            ("pci_link_speed", Used),
            ("osdev_type", Used),
            ("dmi_board_vendor", Label),
            ("dmi_board_name", Label),
            ("page_size", Label),
            ("huge_page_free", Label),
        ],
    ),
    ("page_type", Label, &[("size", Label), ("count", Label)]),
    ("info", Label, &[("name", Label), ("value", Label)]),
    ("userdata", Label, &[("name", Label), ("length", Label), ("encoding", Label)]),
    ("support", Label, &[("name", Label), ("value", Label)]),
    ("distances", Noted, &[]),
    ("distances2", Noted, &[]),
    ("distances2hetero", Noted, &[]),
    ("memattr", Noted, &[]),
    ("cpukind", Noted, &[]),
];

//! The words of the two files that say the same: hints are in the syntax of the file that is read.

/// How a file says things.
#[derive(Debug)]
pub struct Words {
    /// A line of a tree.
    pub tree: &'static str,
    /// A line of the other plugins.
    pub plugins: &'static str,
    /// The key of a switch's name.
    pub switch: &'static str,
    /// The key of a switch's children.
    pub children: &'static str,
    /// The key of a switch's speed.
    pub speed: &'static str,
    /// Names of blocks and rings.
    pub named: &'static str,
    pub nodes: &'static str,
    pub sizes: &'static str,
}

/// Words of `topology.conf`.
pub const CONF: Words = Words {
    tree: "write SwitchName=s0 Nodes=n[0-17] or SwitchName=s9 Switches=s[0-8]",
    plugins: "write BlockName=b1 Nodes=n[1-32] and BlockSizes=30,120, or RingName=r0 Nodes=n[01-08]",
    switch: "SwitchName",
    children: "Switches",
    speed: "LinkSpeed",
    named: "BlockName or RingName",
    nodes: "Nodes",
    sizes: "BlockSizes",
};

/// Words of `topology.yaml`.
pub const YAML: Words = Words {
    tree: "write - switch: s0 with nodes: n[0-17], or - switch: s9 with children: s[0-8]",
    plugins: "write - block: b1 with nodes: n[1-32], and block_sizes: [30, 120]; or - ring: r0 with nodes: n[01-08]",
    switch: "switch",
    children: "children",
    speed: "link_speed",
    named: "block or ring",
    nodes: "nodes",
    sizes: "block_sizes",
};

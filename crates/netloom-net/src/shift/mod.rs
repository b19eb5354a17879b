//! De Bruijn and Kautz networks: the simple undirected graphs under the shift digraphs.
//!
//! Arcs become cables; loops are dropped and two arcs between the same switches share one cable, so that some switches
//! have a lower degree than 2b.

#[cfg(test)]
mod tests;

use netloom_model::{Bound, Kind, Network, Outcome, Param};

use crate::common::{COMMON, LIMIT, begin, class, count, join, plan};
use crate::row::{Expected, Topology, TopologyRow};

static PARAMS: [Param; 7] = join(
    &[
        Param::required("b", count(2), "arcs that leave a switch"),
        Param::required("n", Kind::Int { min: 1, max: 31 }, "length of the words, the directed diameter"),
    ],
    &COMMON,
);

pub const DE_BRUIJN: TopologyRow = TopologyRow {
    name: "de_bruijn",
    aliases: &["debruijn"],
    summary: "De Bruijn: b^n switches; v is joined to v*b+s mod b^n for s in 0..b; degree at most 2b.",
    params: &PARAMS,
    example: "de_bruijn(2,4)",
    restrictions: "Loops and doubled cables of the digraph are left out.",
    source: "de Bruijn, A combinatorial problem, 1946; Samatham and Pradhan, The de Bruijn multiprocessor network, IEEE TC 38(4), 1989",
    build: Topology {
        network: |bound| build(Family::DeBruijn, bound),
        expected: |bound| expected(Family::DeBruijn, bound),
    },
};
pub const KAUTZ: TopologyRow = TopologyRow {
    name: "kautz",
    aliases: &[],
    summary: "Kautz: b^n+b^(n-1) switches; v is joined to -(v*b+s) mod that for s in 1..b; degree at most 2b.",
    params: &PARAMS,
    example: "kautz(2,3)",
    restrictions: "Doubled cables of the digraph are left out.",
    source: "Kautz, Bounds on directed (d,k) graphs, 1968; numbering: Imase and Itoh, A design for directed graphs with minimum diameter, IEEE TC 32(8), 1983",
    build: Topology { network: |bound| build(Family::Kautz, bound), expected: |bound| expected(Family::Kautz, bound) },
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    DeBruijn,
    Kautz,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Family::DeBruijn => "de_bruijn",
            Family::Kautz => "kautz",
        }
    }

    fn switches(self, b: u64, n: u32) -> u64 {
        match self {
            Family::DeBruijn => b.saturating_pow(n),
            Family::Kautz => b.saturating_pow(n - 1).saturating_mul(b + 1),
        }
    }

    /// Head of arc `s` (0..b) of switch `v`.
    fn head(self, v: u64, s: u64, b: u64, switches: u64) -> u64 {
        match self {
            Family::DeBruijn => (v * b + s) % switches,
            Family::Kautz => (switches - (v * b + s + 1) % switches) % switches,
        }
    }
}

/// Arcs less loops (the b constant words of de Bruijn) less one of each pair of opposite arcs (between the words that
/// alternate two symbols).
fn expected(family: Family, bound: &Bound) -> Expected {
    let (b, n) = (u64::from(bound.size("b")), bound.size("n"));
    let switches = family.switches(b, n);
    let (loops, pairs) = match family {
        Family::DeBruijn => (b, b * (b - 1) / 2),
        Family::Kautz => (0, b * (b + 1) / 2),
    };
    let mut expected = Expected {
        switches,
        endpoints: switches.saturating_mul(u64::from(bound.size("p"))),
        switch_links: switches.saturating_mul(b).saturating_sub(loops + pairs),
        ..Expected::default()
    };
    if switches > LIMIT {
        return expected;
    }
    let b = b as u32;
    let (least, most) = match (family, n) {
        (Family::DeBruijn, 1) => (b - 1, b - 1),
        (Family::DeBruijn, 2) => (2 * b - 2, 2 * b - 1),
        (Family::DeBruijn, _) => (2 * b - 2, 2 * b),
        (Family::Kautz, 1) => (b, b),
        (Family::Kautz, 2) => (2 * b - 1, 2 * b - 1),
        (Family::Kautz, _) => (2 * b - 1, 2 * b),
    };
    expected.degree_min = Some(least);
    expected.degree_max = Some(most);
    expected.diameter = Some(n);
    expected
}

/// O(cables).
fn build(family: Family, bound: &Bound) -> Outcome<Network> {
    let ((), speeds) = plan(bound, Outcome::Ok(()))?;
    let expected = expected(family, bound);
    let mut builder = begin(bound, family.name(), &expected, &speeds)?;
    let class = class(&mut builder, "shift", speeds.link);
    let (b, n) = (u64::from(bound.size("b")), expected.switches);
    for v in 0..n {
        for s in 0..b {
            let w = family.head(v, s, b, n);
            let opposite = (0..b).any(|t| family.head(w, t, b, n) == v);
            if v != w && (v < w || !opposite) {
                builder.cable(v as u32, w as u32, class);
            }
        }
    }
    builder.endpoints_everywhere(bound.size("p"));
    builder.structure().ring = expected.diameter == Some(1);
    builder.build()
}

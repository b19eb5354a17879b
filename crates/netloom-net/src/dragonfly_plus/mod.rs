//! Dragonfly+ (Megafly): every group is a two-level tree; endpoints are on the leaves, global ports on the spines.
//!
//! Group `s` holds switches `s·(leaves+spines)` and following: the leaves first, then the spines.

#[cfg(test)]
mod tests;

use netloom_model::{Bound, Kind, Network, Outcome, Param};

use crate::common::{LIMIT, TWO_LEVEL, begin, class, count, join, plan, product};
use crate::dragonfly::arrangement::{ARRANGEMENTS, Global};
use crate::row::{Expected, Topology, TopologyRow};

static PARAMS: [Param; 14] = join(
    &[
        Param::required("leaves", count(1), "leaf switches per group, with the endpoints"),
        Param::required("spines", count(1), "spine switches per group, with the global ports"),
        Param::required("h", count(1), "global ports per spine"),
        Param::optional("g", count(1), "", "groups; as many as the global ports can join if absent"),
        Param::optional("p", count(1), "1", "endpoints per leaf"),
        Param::optional(
            "arrangement",
            Kind::Choice(ARRANGEMENTS),
            "absolute",
            "which global port leads to which group",
        )
        .keyword_only(),
        Param::optional("local_parallel", count(1), "1", "cables per leaf and spine").keyword_only(),
        Param::optional("global_parallel", count(1), "", "cables per pair of groups; as many as fit if absent")
            .keyword_only(),
    ],
    &TWO_LEVEL,
);

pub const DRAGONFLY_PLUS: TopologyRow = TopologyRow {
    name: "dragonfly_plus",
    aliases: &["megafly"],
    summary: "Dragonfly+: groups of leaf and spine switches; every pair of groups is joined spine to spine.",
    params: &PARAMS,
    example: "dragonfly_plus(leaves=4,spines=4,h=2,g=9,p=4)",
    restrictions: "g must not exceed spines*h+1 (spines*h with round-robin). Global ports that cannot be spread evenly over the pairs of groups stay free.",
    source: "Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi, Dragonfly+: low cost topology for scaling datacenters, HiPINEB 2017; Flajslik, Borch, Parker, Megafly, ISC 2018",
    build: Topology { network: build, expected: |bound| shape(bound).map(|s| s.expected()).unwrap_or_default() },
};

struct DragonflyPlusShape {
    leaves: u64,
    spines: u64,
    p: u64,
    parallel: u64,
    global: Global,
}

fn shape(bound: &Bound) -> Outcome<DragonflyPlusShape> {
    let count = |name: &str| u64::from(bound.size(name));
    let global = Global::read(bound, count("spines"), "spines")?;
    Ok(DragonflyPlusShape {
        leaves: count("leaves"),
        spines: count("spines"),
        p: count("p"),
        parallel: count("local_parallel"),
        global,
    })
}

impl DragonflyPlusShape {
    fn expected(&self) -> Expected {
        let g = self.global.groups;
        let local = product([g, self.leaves, self.spines, self.parallel]);
        let mut expected = Expected {
            switches: g.saturating_mul(self.leaves + self.spines),
            endpoints: product([g, self.leaves, self.p]),
            switch_links: local.saturating_add(self.global.cables()),
            ..Expected::default()
        };
        if expected.switches > LIMIT || expected.switch_links > LIMIT {
            return expected;
        }
        let (leaf, spine) = (self.spines * self.parallel, self.leaves * self.parallel);
        if let (Some((least, most)), Ok(leaf), Ok(spine)) =
            (self.global.ports_used(), u32::try_from(leaf), u32::try_from(spine))
        {
            expected.degree_min = Some(leaf.min(spine + least));
            expected.degree_max = Some(leaf.max(spine + most));
        }
        expected
    }
}

/// O(cables).
fn build(bound: &Bound) -> Outcome<Network> {
    let (shape, speeds) = plan(bound, shape(bound))?;
    let mut builder = begin(bound, "dragonfly_plus", &shape.expected(), &speeds)?;
    let local = class(&mut builder, "local", speeds.link);
    let global = class(&mut builder, "global", speeds.global);
    let (leaves, spines) = (shape.leaves as u32, shape.spines as u32);
    let (size, g) = (leaves + spines, shape.global.groups as u32);
    for s in 0..g {
        for leaf in 0..leaves {
            for spine in 0..spines {
                for _ in 0..shape.parallel {
                    builder.cable(s * size + leaf, s * size + leaves + spine, local);
                }
            }
            for _ in 0..shape.p {
                builder.endpoint(s * size + leaf);
            }
        }
    }
    shape.global.for_each_cable(|s, i, t, j| builder.cable(s * size + leaves + i, t * size + leaves + j, global));
    builder.structure().groups = Some((0..g * size).map(|s| s / size).collect());
    builder.build()
}

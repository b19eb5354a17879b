//! Dragonfly: groups of switches, every pair of groups connected by global cables.
//!
//! Switch `i` of group `s` is number `s·a + i`; inside a group with extents, `i` is row-major. The global ports of a
//! group are numbered 0..a·h; port `k` belongs to switch `k / h` (round-robin: `k mod a`). Every pair of groups gets
//! the same number of cables, as many as fit if `global_parallel` is absent; ports beyond that stay free.

pub mod arrangement;
#[cfg(test)]
mod tests;

use netloom_model::fault::codes::MISSING_PARAMETER;
use netloom_model::{Bound, Fault, Faults, Kind, Network, Outcome, Param};

use crate::codes;
use crate::common::{LIMIT, TWO_LEVEL, begin, class, count, counts, fault, join, plan, product, sizes, spread};
use crate::hyperx::Lines;
use crate::row::{Expected, Topology, TopologyRow};
use arrangement::{ARRANGEMENTS, Global};

static PARAMS: [Param; 14] = join(
    &[
        Param::optional("a", count(1), "", "switches per group; may be left out if `group` is given"),
        Param::optional("p", count(1), "1", "endpoints per switch"),
        Param::required("h", count(1), "global ports per switch"),
        Param::optional("g", count(1), "", "groups; as many as the global ports can join if absent"),
        Param::optional(
            "arrangement",
            Kind::Choice(ARRANGEMENTS),
            "absolute",
            "which global port leads to which group",
        )
        .keyword_only(),
        Param::optional("group", counts(1), "", "extents of a group whose lines are complete graphs; [a] if absent")
            .keyword_only(),
        Param::optional(
            "local_parallel",
            counts(1),
            "1",
            "cables per pair inside a group; one value or one per extent",
        )
        .keyword_only(),
        Param::optional("global_parallel", count(1), "", "cables per pair of groups; as many as fit if absent")
            .keyword_only(),
    ],
    &TWO_LEVEL,
);

pub const DRAGONFLY: TopologyRow = TopologyRow {
    name: "dragonfly",
    aliases: &[],
    summary: "Dragonfly: g groups of a switches with h global ports each; groups are complete graphs or grids of them.",
    params: &PARAMS,
    example: "dragonfly(a=4,p=2,h=2,g=9)",
    restrictions: "g must not exceed a*h+1 (a*h with round-robin). Global ports that cannot be spread evenly over the pairs of groups stay free.",
    source: "Kim, Dally, Scott, Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008; arrangements: Hastings et al., Comparing global link arrangements for dragonfly networks, CLUSTER 2015; round-robin: Jain 2016 section 8.1.1; grids: section 3.2.1; formulas of Cui 2024 corrected by E0-08 to E0-12",
    build: Topology { network: build, expected: |bound| shape(bound).map(|s| s.expected()).unwrap_or_default() },
};

struct DragonflyShape {
    local: Lines,
    global: Global,
    p: u32,
}

/// Extents of a group: `group`, or one line of `a`.
fn extents(bound: &Bound) -> Outcome<Vec<u32>> {
    let group = sizes(bound, "group");
    let a = product(group.iter().map(|&k| u64::from(k)));
    match (bound.is_given("a"), bound.is_given("group")) {
        (true, false) => Ok(vec![bound.size("a")]),
        (false, true) => Ok(group),
        (true, true) if a == u64::from(bound.size("a")) => Ok(group),
        (true, true) => {
            Err(fault(bound, &codes::GROUP_SIZE, "a", format!("{a}, the product of the extents of group")).into())
        }
        (false, false) => {
            let sentence = "is missing; it must be an integer >= 1";
            Err(Fault::say(&MISSING_PARAMETER, format!("{}.a", bound.owner), sentence)
                .hint("give a, or group=[rows,columns]")
                .into())
        }
    }
}

fn shape(bound: &Bound) -> Outcome<DragonflyShape> {
    let dims = extents(bound)?;
    let mut faults = Faults::none();
    let parallel = spread(bound, "local_parallel", &sizes(bound, "local_parallel"), dims.len()).unwrap_or_else(|f| {
        faults.0.extend(f.0);
        vec![1; dims.len()]
    });
    let local = Lines { dims, parallel };
    let global = Global::read(bound, local.switches(), "a").unwrap_or_else(|f| {
        faults.0.extend(f.0);
        Global::none()
    });
    faults.or(DragonflyShape { local, global, p: bound.size("p") })
}

impl DragonflyShape {
    fn expected(&self) -> Expected {
        let (a, g) = (self.local.switches(), self.global.groups);
        let n = a.saturating_mul(g);
        let mut expected = Expected {
            switches: n,
            endpoints: n.saturating_mul(u64::from(self.p)),
            switch_links: g.saturating_mul(self.local.cables()).saturating_add(self.global.cables()),
            ..Expected::default()
        };
        if n > LIMIT || expected.switch_links > LIMIT {
            return expected;
        }
        if let (Ok(local), Some((least, most))) = (u32::try_from(self.local.degree()), self.global.ports_used()) {
            expected.degree_min = Some(local + least);
            expected.degree_max = Some(local + most);
        }
        let h = u64::from(self.global.h);
        // A switch sees at most this many within two hops; more switches than that make it three.
        let near = 1 + (a - 1) + h + 2 * (a - 1) * h + h * h.saturating_sub(1);
        if self.local.diameter() <= 1 && n > near {
            expected.diameter = Some(3);
        }
        expected
    }
}

/// O(cables).
fn build(bound: &Bound) -> Outcome<Network> {
    let (shape, speeds) = plan(bound, shape(bound))?;
    let mut builder = begin(bound, "dragonfly", &shape.expected(), &speeds)?;
    let a = shape.local.switches() as u32;
    let g = shape.global.groups as u32;
    let one = shape.local.dims.len() == 1;
    let local: Vec<u16> = (0..shape.local.dims.len())
        .map(|d| class(&mut builder, &if one { "local".into() } else { format!("local{d}") }, speeds.link))
        .collect();
    let global = class(&mut builder, "global", speeds.global);
    for s in 0..g {
        shape.local.for_each_cable(|x, y, d| builder.cable(s * a + x, s * a + y, local[d]));
    }
    shape.global.for_each_cable(|s, i, t, j| builder.cable(s * a + i, t * a + j, global));
    builder.endpoints_everywhere(shape.p);
    builder.structure().groups = Some((0..g * a).map(|s| s / a).collect());
    let line = shape.local.dims.last().copied().unwrap_or(1).max(1);
    builder.structure().chassis = Some((0..g * a).map(|s| s / line).collect());
    builder.build()
}

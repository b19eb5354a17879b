//! Xpander: a random lift of the complete graph on degree+1 vertices.

#[cfg(test)]
mod tests;

use netloom_model::{Bound, Fault, Network, Outcome, Param, Stream};

use crate::codes;
use crate::common::{COMMON, SEED, begin, class, count, join, plan, product};
use crate::row::{Expected, Topology, TopologyRow};

static PARAMS: [Param; 8] = join(
    &[
        Param::required("degree", count(2), "switch-to-switch ports"),
        Param::required("lift", count(1), "switches per group; (degree+1)*lift in all"),
        SEED,
    ],
    &COMMON,
);

pub const XPANDER: TopologyRow = TopologyRow {
    name: "xpander",
    aliases: &[],
    summary: "Xpander: degree+1 groups of `lift` switches; a random perfect matching joins every pair of groups.",
    params: &PARAMS,
    example: "xpander(degree=4,lift=6,seed=1)",
    restrictions: "One random lift; the paper's repeated 2-lifts chosen by their eigenvalue are not built. Draws that fall apart are repeated.",
    source: "Valadarsky, Shahaf, Dinitz, Schapira, Xpander: towards optimal-performance datacenters, CoNEXT 2016; Bilu and Linial, Lifts, discrepancy and nearly optimal spectral gap, Combinatorica 26, 2006",
    build: Topology { network: build, expected },
};

const DRAWS: u32 = 100;

fn expected(bound: &Bound) -> Expected {
    let (degree, lift) = (u64::from(bound.size("degree")), u64::from(bound.size("lift")));
    let n = product([degree + 1, lift]);
    let one = (lift == 1).then_some(1);
    Expected {
        switches: n,
        endpoints: n.saturating_mul(u64::from(bound.size("p"))),
        switch_links: product([degree, degree + 1]).saturating_mul(lift) / 2,
        degree_min: u32::try_from(degree).ok(),
        degree_max: u32::try_from(degree).ok(),
        diameter: one,
        aspl: one.map(f64::from),
        bisection_cables: None,
        transitive: lift == 1,
    }
}

/// O(cables) per draw.
fn build(bound: &Bound) -> Outcome<Network> {
    let ((), speeds) = plan(bound, Outcome::Ok(()))?;
    let expected = expected(bound);
    let (groups, lift) = (bound.size("degree") + 1, bound.size("lift"));
    let seed = u64::try_from(bound.int("seed")).unwrap_or(0);
    let mut stream = Stream::new(seed, "xpander");
    for _ in 0..DRAWS {
        let mut builder = begin(bound, "xpander", &expected, &speeds)?;
        let class = class(&mut builder, "matching", speeds.link);
        let mut partner: Vec<u32> = (0..lift).collect();
        for a in 0..groups {
            for b in a + 1..groups {
                stream.shuffle(&mut partner);
                for (i, &j) in partner.iter().enumerate() {
                    builder.cable(a * lift + i as u32, b * lift + j, class);
                }
            }
        }
        builder.endpoints_everywhere(bound.size("p"));
        builder.structure().groups = Some((0..groups * lift).map(|s| s / lift).collect());
        let network = builder.build()?;
        if network.require_connected().is_ok() {
            return Ok(network);
        }
    }
    let sentence = format!("no connected lift in {DRAWS} draws from seed {seed}");
    Err(Fault::say(&codes::RANDOM, &bound.owner, sentence).hint("use another seed, or degree >= 3").into())
}

//! Butterfly: the k-ary n-fly, an indirect network whose links go one way.
//!
//! A terminal sends into stage 0 and receives from the last stage. A network here has cables of two directions and an
//! endpoint has one switch, so a terminal is a switch with one endpoint, joined to the first and to the last stage; packets
//! use one direction of each cable, which the routing `destination-tag` sees to. Switches are numbered stage by stage,
//! then the terminals.

#[cfg(test)]
mod tests;

use netloom_model::network::Fly;
use netloom_model::{Bound, Kind, Network, Outcome, Param};

use crate::common::{LIMIT, LINKS, Speed, begin, class, count, join, plan};
use crate::row::{Expected, Topology, TopologyRow};

static PARAMS: [Param; 6] = join(
    &[
        Param::required("k", count(2), "inputs of a switch, and outputs"),
        Param::required("n", Kind::Int { min: 1, max: 26 }, "stages of switches; k^n endpoints"),
    ],
    &LINKS,
);

pub const BUTTERFLY: TopologyRow = TopologyRow {
    name: "butterfly",
    aliases: &["k_ary_n_fly"],
    summary: "Butterfly: the k-ary n-fly, n stages of k^(n-1) switches whose links go one way; one path between two endpoints.",
    params: &PARAMS,
    example: "butterfly(k=2,n=3)",
    restrictions: "Every endpoint is a switch of its own, with a cable to the first stage and one from the last.",
    source: "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 4",
    build: Topology { network: build, expected },
};

/// Terminals: k^n.
fn terminals(bound: &Bound) -> u64 {
    u64::from(bound.size("k")).saturating_pow(bound.size("n"))
}

/// n·k^(n-1) switches and k^n terminals; k^n cables between two stages, and two for each terminal.
fn expected(bound: &Bound) -> Expected {
    let (k, n, terminals) = (bound.size("k"), bound.size("n"), terminals(bound));
    let switches = (terminals / u64::from(k)).saturating_mul(n.into()).saturating_add(terminals);
    let mut expected = Expected {
        switches,
        endpoints: terminals,
        switch_links: terminals.saturating_mul(u64::from(n) + 1),
        ..Expected::default()
    };
    if switches <= LIMIT {
        (expected.degree_min, expected.degree_max) = (Some(2), Some(2 * k));
    }
    expected
}

/// O(cables).
fn build(bound: &Bound) -> Outcome<Network> {
    let ((), mut speeds) = plan(bound, Outcome::Ok(()))?;
    let expected = expected(bound);
    let of_terminals = speeds.endpoint;
    // The latency of a terminal's channels is that of its cables.
    speeds.endpoint = Speed { latency_s: 0.0, ..of_terminals };
    let mut builder = begin(bound, "butterfly", &expected, &speeds)?;
    let terminal = class(&mut builder, "terminal", of_terminals);
    let stage = class(&mut builder, "stage", speeds.link);
    let fly = Fly { radix: bound.size("k"), stages: bound.size("n") };
    let (width, first) = (fly.width(), fly.first_terminal());
    for from in 0..fly.stages - 1 {
        for number in 0..width {
            for output in 0..fly.radix {
                builder.cable(from * width + number, (from + 1) * width + fly.wired(from, number, output), stage);
            }
        }
    }
    for at in 0..width * fly.radix {
        builder.cable(at / fly.radix, first + at, terminal);
        builder.cable(first - width + at / fly.radix, first + at, terminal);
        builder.endpoint(first + at);
    }
    builder.structure().fly = Some(fly);
    builder.build()
}

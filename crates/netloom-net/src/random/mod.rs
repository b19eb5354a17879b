//! Random networks: a ring or torus with random shortcuts, and random regular graphs (Jellyfish).
//!
//! Simple graphs: no loops, no parallel cables, no shortcut parallel to a cable of the base. All switches get the degree
//! asked for; with random shortcuts, if n·degree is odd, the last switch gets one less. See [`pairing`] for how links are drawn.

mod pairing;
#[cfg(test)]
mod tests;

use netloom_model::fault::codes::DISCONNECTED;
use netloom_model::{Bound, Fault, Faults, Kind, Network, Outcome, Param, Stream};

use crate::codes;
use crate::common::{COMMON, MANY, SEED, begin, class, count, fault, join, plan, product, sizes};
use crate::grid::GridShape as Grid;
use crate::row::{Expected, Topology, TopologyRow};

static SHORTCUT_PARAMS: [Param; 9] = join(
    &[
        Param::required("n", count(3), "number of switches"),
        Param::required("degree", count(2), "switch-to-switch ports, those of the base included"),
        SEED,
        Param::optional(
            "base",
            Kind::IntsOr { min: 1, max: MANY, least: 1, words: &["ring"] },
            "ring",
            "regular network that the shortcuts are added to: ring, or the extents of a torus",
        ),
    ],
    &COMMON,
);
static REGULAR_PARAMS: [Param; 8] = join(
    &[
        Param::required("n", count(4), "number of switches"),
        Param::required("degree", count(3), "switch-to-switch ports"),
        SEED,
    ],
    &COMMON,
);

pub const RANDOM_SHORTCUT: TopologyRow = TopologyRow {
    name: "random_shortcut",
    aliases: &["dln"],
    summary: "Random shortcuts: a ring (or torus) and random links, every switch of the same degree.",
    params: &SHORTCUT_PARAMS,
    example: "random_shortcut(32,degree=5,seed=1)",
    restrictions: "degree includes the base links and is below n; if n*degree is odd the last switch has one link less.",
    source: "Cui 2024 sections 2.1.3, 3.4.1; Koibuchi, Matsutani, Amano, Hsu, Casanova, A case for random shortcut topologies for HPC interconnects, ISCA 2012",
    build: Topology {
        network: |bound| build("random_shortcut", bound, shortcut(bound)),
        expected: |bound| shortcut(bound).map(|s| s.expected()).unwrap_or_default(),
    },
};
pub const RANDOM_REGULAR: TopologyRow = TopologyRow {
    name: "random_regular",
    aliases: &["jellyfish"],
    summary: "Random regular graph (Jellyfish): every switch of the same degree, links drawn at random.",
    params: &REGULAR_PARAMS,
    example: "random_regular(32,degree=4,seed=1)",
    restrictions: "3 <= degree < n, and n*degree is even. Draws that fall apart are repeated.",
    source: "Singla, Hong, Popa, Godfrey, Jellyfish: networking data centers randomly, NSDI 2012; McKay and Wormald, Uniform generation of random regular graphs of moderate degree, J. Algorithms 11, 1990",
    build: Topology {
        network: |bound| build("random_regular", bound, regular(bound)),
        expected: |bound| regular(bound).map(|s| s.expected()).unwrap_or_default(),
    },
};

struct RandomShape {
    n: u32,
    p: u32,
    degree: u32,
    seed: u64,
    base: Option<Grid>,
    base_degree: u32,
}

/// Draws of a whole graph before giving up.
const DRAWS: u32 = 100;

fn read(bound: &Bound, base: Option<Grid>) -> Outcome<RandomShape> {
    let (n, degree) = (bound.size("n"), bound.size("degree"));
    // A torus is regular: what holds for the first switch holds for all.
    let base_degree = base.as_ref().and_then(|b| b.expected(1).degree_max).unwrap_or(0);
    let least = base_degree.max(if base.is_some() { 2 } else { 3 });
    if degree < least || degree >= n {
        let expected = format!("an integer in {least}..{}", i64::from(n) - 1);
        let hint = if degree >= n { "complete(n) joins every pair" } else { "the base alone has that degree" };
        return Err(fault(bound, &codes::DEGREE, "degree", expected).hint(hint).into());
    }
    let seed = u64::try_from(bound.int("seed")).unwrap_or(0);
    Ok(RandomShape { n, p: bound.size("p"), degree, seed, base, base_degree })
}

fn shortcut(bound: &Bound) -> Outcome<RandomShape> {
    let n = bound.size("n");
    let mut dims = sizes(bound, "base");
    if dims.is_empty() {
        dims.push(n);
    }
    let switches = product(dims.iter().map(|&k| u64::from(k)));
    if switches != u64::from(n) {
        let expected = format!("extents that multiply to n = {n}");
        return Err(fault(bound, &codes::BASE, "base", expected).hint(format!("their product is {switches}")).into());
    }
    let (wrap, double) = (vec![true; dims.len()], vec![false; dims.len()]);
    read(bound, Some(Grid { dims, wrap, double }))
}

fn regular(bound: &Bound) -> Outcome<RandomShape> {
    let shape = read(bound, None)?;
    if shape.n % 2 == 1 && shape.degree % 2 == 1 {
        let expected = format!("even for the odd number of {} switches, since a cable has two ends", shape.n);
        let hint = "random_shortcut takes it and leaves one port of the last switch free";
        return Err(fault(bound, &codes::DEGREE, "degree", expected).hint(hint).into());
    }
    Ok(shape)
}

impl RandomShape {
    fn expected(&self) -> Expected {
        let n = u64::from(self.n);
        let ports = n.saturating_mul(u64::from(self.degree));
        Expected {
            switches: n,
            endpoints: n.saturating_mul(u64::from(self.p)),
            switch_links: ports / 2,
            degree_min: Some(self.degree - (ports % 2) as u32),
            degree_max: Some(self.degree),
            diameter: None,
            aspl: None,
            bisection_cables: None,
            transitive: false,
        }
    }

    fn base_cables(&self) -> Vec<(u32, u32, usize)> {
        let mut cables = Vec::new();
        if let Some(base) = &self.base {
            base.for_each_cable(|a, b, dim| cables.push((a, b, dim)));
        }
        cables
    }
}

/// O(cables) expected; a draw is repeated if its conflicts cannot be repaired or if the graph is not connected.
fn build(family: &'static str, bound: &Bound, shape: Outcome<RandomShape>) -> Outcome<Network> {
    let (shape, speeds) = plan(bound, shape)?;
    let expected = shape.expected();
    // Refuses sizes that are too large before anything is drawn.
    begin(bound, family, &expected, &speeds)?;
    let base = shape.base_cables();
    let taken: Vec<(u32, u32)> = base.iter().map(|c| (c.0, c.1)).collect();
    let mut stream = Stream::new(shape.seed, family);
    let mut last = Faults::none();
    for _ in 0..DRAWS {
        let Some(drawn) = pairing::draw(shape.n, shape.degree, shape.base_degree, &taken, &mut stream) else {
            continue;
        };
        let mut builder = begin(bound, family, &expected, &speeds)?;
        let ring = shape.base.as_ref().is_some_and(Grid::is_ring);
        let names: Vec<u16> = (0..shape.base.as_ref().map_or(0, |b| b.dims.len()))
            .map(|d| class(&mut builder, &if ring { "ring".into() } else { format!("dim{d}") }, speeds.link))
            .collect();
        for &(a, b, dim) in &base {
            builder.cable(a, b, names[dim]);
        }
        let shortcut = class(&mut builder, if base.is_empty() { "random" } else { "shortcut" }, speeds.link);
        for (a, b) in drawn {
            builder.cable(a, b, shortcut);
        }
        builder.endpoints_everywhere(shape.p);
        builder.structure().ring = ring;
        let network = builder.build()?;
        match network.require_connected() {
            Ok(()) => return Ok(network),
            Err(faults) => last = faults,
        }
    }
    let why = last.0.first().filter(|f| f.code == DISCONNECTED.code).map_or("conflicts remained", |_| "it fell apart");
    let sentence = format!("no network in {DRAWS} draws from seed {}: {why}", shape.seed);
    Err(Fault::say(&codes::RANDOM, &bound.owner, sentence).hint("use another seed or degree").into())
}

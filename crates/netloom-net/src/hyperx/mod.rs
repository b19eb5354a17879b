//! Complete graph, HyperX, flattened butterfly: every line of a grid is a complete graph.

#[cfg(test)]
mod tests;

use netloom_model::network::Grid;
use netloom_model::{Bound, Network, Outcome, Param};

use crate::common::{COMMON, LIMIT, LINKS, begin, class, count, counts, join, plan, product, sizes, spread, sum};
use crate::row::{Expected, Topology, TopologyRow};

static COMPLETE_PARAMS: [Param; 6] = join(&[Param::required("n", count(1), "number of switches")], &COMMON);
static HYPERX_PARAMS: [Param; 7] = join(
    &[
        Param::required("dims", counts(1), "extent of each dimension").variadic(),
        Param::optional("parallel", counts(1), "1", "parallel cables in each dimension; one value or one for each")
            .keyword_only(),
    ],
    &COMMON,
);
static FLATTENED_BUTTERFLY_PARAMS: [Param; 7] = join(
    &[
        Param::required("k", count(1), "extent of each dimension"),
        Param::required("n", count(1), "stages of the butterfly: the network has n-1 dimensions"),
        Param::optional("p", count(1), "", "endpoints per switch; k if absent, as in the paper").keyword_only(),
    ],
    &LINKS,
);

pub const COMPLETE: TopologyRow = TopologyRow {
    name: "complete",
    aliases: &["full-mesh", "crossbar"],
    summary: "Complete graph: every switch is joined to every other; complete(1) is one crossbar.",
    params: &COMPLETE_PARAMS,
    example: "complete(6)",
    restrictions: "",
    source: "Jain 2016 section 2.1, the full topology",
    build: Topology {
        network: |bound| build("complete", bound, complete(bound)),
        expected: |bound| expected(bound, complete(bound)),
    },
};
pub const HYPERX: TopologyRow = TopologyRow {
    name: "hyperx",
    aliases: &["hamming"],
    summary: "HyperX: a grid whose lines are complete graphs, with parallel cables per dimension.",
    params: &HYPERX_PARAMS,
    example: "hyperx(4,3,parallel=[1,2])",
    restrictions: "",
    source: "Ahn, Binkert, Davis, McLaren, Schreiber, HyperX: topology, routing, and packaging of efficient large-scale networks, SC 2009",
    build: Topology {
        network: |bound| build("hyperx", bound, hyperx(bound)),
        expected: |bound| expected(bound, hyperx(bound)),
    },
};
pub const FLATTENED_BUTTERFLY: TopologyRow = TopologyRow {
    name: "flattened_butterfly",
    aliases: &["k-ary-n-flat"],
    summary: "Flattened butterfly: the k-ary n-flat, k^(n-1) switches with k endpoints each.",
    params: &FLATTENED_BUTTERFLY_PARAMS,
    example: "flattened_butterfly(k=4,n=3)",
    restrictions: "",
    source: "Kim, Dally, Abts, Flattened butterfly: a cost-efficient topology for high-radix networks, ISCA 2007",
    build: Topology {
        network: |bound| build("flattened_butterfly", bound, flattened(bound)),
        expected: |bound| expected(bound, flattened(bound)),
    },
};

/// Complete graphs along every dimension of a row-major grid.
#[derive(Clone, Debug)]
pub struct Lines {
    pub dims: Vec<u32>,
    pub parallel: Vec<u32>,
}

struct HyperxShape {
    lines: Lines,
    p: u32,
}

impl Lines {
    pub fn switches(&self) -> u64 {
        product(self.dims.iter().map(|&k| u64::from(k)))
    }

    /// Ports that every switch uses: Σ (k-1)·parallel.
    pub fn degree(&self) -> u64 {
        sum(self.dims.iter().zip(&self.parallel).map(|(&k, &c)| u64::from(k - 1).saturating_mul(u64::from(c))))
    }

    pub fn cables(&self) -> u64 {
        match self.switches().checked_mul(self.degree()) {
            Some(ports) => ports / 2,
            None => u64::MAX,
        }
    }

    /// Dimensions that have more than one position.
    pub fn diameter(&self) -> u32 {
        self.dims.iter().filter(|&&k| k > 1).count() as u32
    }

    /// Visits each cable as (switch, switch, dimension). O(cables).
    pub fn for_each_cable(&self, mut visit: impl FnMut(u32, u32, usize)) {
        let n = self.switches() as u32;
        let mut stride = n;
        for (d, (&k, &parallel)) in self.dims.iter().zip(&self.parallel).enumerate() {
            stride /= k;
            for s in 0..n {
                for step in 1..k - s / stride % k {
                    for _ in 0..parallel {
                        visit(s, s + step * stride, d);
                    }
                }
            }
        }
    }

    /// Under uniform traffic and dimension-ordered routing a cable of dimension d carries N/(k·parallel) in each
    /// direction, so any bisection cuts N·min(k·parallel)/4 cables at least; cutting that dimension in halves does it.
    fn bisection(&self) -> Option<u64> {
        let long: Vec<(u64, u64)> = self
            .dims
            .iter()
            .zip(&self.parallel)
            .filter(|d| *d.0 > 1)
            .map(|(&k, &c)| (u64::from(k), u64::from(k) * u64::from(c)))
            .collect();
        match long[..] {
            [] => Some(0),
            [(k, width)] => (k * k / 4).checked_mul(width / k),
            _ => {
                let least = long.iter().map(|d| d.1).min()?;
                let even = long.iter().any(|d| d.1 == least && d.0 % 2 == 0);
                if even { self.switches().checked_mul(least).map(|cables| cables / 4) } else { None }
            }
        }
    }
}

impl HyperxShape {
    fn expected(&self) -> Expected {
        let n = self.lines.switches();
        let mut expected = Expected {
            switches: n,
            endpoints: n.saturating_mul(u64::from(self.p)),
            switch_links: self.lines.cables(),
            ..Expected::default()
        };
        if n > LIMIT || expected.switch_links > LIMIT {
            return expected;
        }
        let degree = u32::try_from(self.lines.degree()).ok();
        (expected.degree_min, expected.degree_max) = (degree, degree);
        expected.diameter = Some(self.lines.diameter());
        if n > 1 {
            let hops: u64 = self.lines.dims.iter().map(|&k| n / u64::from(k) * u64::from(k - 1)).sum();
            expected.aspl = Some(hops as f64 / (n - 1) as f64);
        }
        expected.bisection_cables = self.lines.bisection();
        expected.transitive = true;
        expected
    }
}

fn complete(bound: &Bound) -> Outcome<HyperxShape> {
    Ok(HyperxShape { lines: Lines { dims: vec![bound.size("n")], parallel: vec![1] }, p: bound.size("p") })
}

fn hyperx(bound: &Bound) -> Outcome<HyperxShape> {
    let dims = sizes(bound, "dims");
    let parallel = spread(bound, "parallel", &sizes(bound, "parallel"), dims.len())?;
    Ok(HyperxShape { lines: Lines { dims, parallel }, p: bound.size("p") })
}

fn flattened(bound: &Bound) -> Outcome<HyperxShape> {
    let (k, n) = (bound.size("k"), bound.size("n") as usize);
    // Beyond 32 dimensions a network of extent 2 is too large already, and one of extent 1 is a single switch.
    let dims = vec![k; (n - 1).min(32)];
    let parallel = vec![1; dims.len()];
    let p = if bound.is_given("p") { bound.size("p") } else { k };
    Ok(HyperxShape { lines: Lines { dims, parallel }, p })
}

fn expected(_: &Bound, shape: Outcome<HyperxShape>) -> Expected {
    shape.map(|s| s.expected()).unwrap_or_default()
}

fn build(family: &str, bound: &Bound, shape: Outcome<HyperxShape>) -> Outcome<Network> {
    let (shape, speeds) = plan(bound, shape)?;
    let mut builder = begin(bound, family, &shape.expected(), &speeds)?;
    let classes: Vec<u16> =
        (0..shape.lines.dims.len()).map(|d| class(&mut builder, &format!("dim{d}"), speeds.link)).collect();
    shape.lines.for_each_cable(|a, b, dim| builder.cable(a, b, classes[dim]));
    builder.endpoints_everywhere(shape.p);
    let structure = builder.structure();
    structure.ring = shape.lines.diameter() == 1;
    let wrap = vec![false; shape.lines.dims.len()];
    structure.grid = Some(Grid { dims: shape.lines.dims, wrap, complete: true });
    builder.build()
}

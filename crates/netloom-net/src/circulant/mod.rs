//! Circulants: switch i is connected to i ± c (mod n) for every jump c.

#[cfg(test)]
mod tests;

use netloom_model::units::gcd;
use netloom_model::{Bound, Faults, Kind, Network, Outcome, Param};

use crate::codes;
use crate::common::{COMMON, LIMIT, MANY, begin, class, count, fault, join, plan, sizes};
use crate::row::{Expected, Topology, TopologyRow};

static PARAMS: [Param; 7] = join(
    &[
        Param::required("n", count(2), "number of switches"),
        Param::required(
            "jumps",
            Kind::IntsOr { min: 1, max: MANY, least: 1, words: &["pow2"] },
            "distances that are joined, up to n/2; pow2: 1, 2, 4, ...",
        )
        .variadic(),
    ],
    &COMMON,
);
static RECURSIVE_PARAMS: [Param; 7] = join(
    &[
        Param::required("n", count(2), "number of switches, c*d^m with 1 <= c < d"),
        Param::required("d", count(2), "ratio of consecutive jumps"),
    ],
    &COMMON,
);

pub const CIRCULANT: TopologyRow = TopologyRow {
    name: "circulant",
    aliases: &["multi-ring", "distributed-loop"],
    summary: "Circulant: switch i is joined to i+c and i-c mod n for every jump c; pow2 is the G(n,k) of the thesis.",
    params: &PARAMS,
    example: "circulant(16,1,3)",
    restrictions: "Jumps are different, at most n/2, and without a divisor in common with n (else the network falls apart).",
    source: "Cui 2024 section 4.2; Wong and Coppersmith, J. ACM 21(3), 1974",
    build: Topology {
        network: |bound| build("circulant", bound, circulant(bound)),
        expected: |bound| circulant(bound).map(|s| s.expected()).unwrap_or_default(),
    },
};
pub const RECURSIVE_CIRCULANT: TopologyRow = TopologyRow {
    name: "recursive_circulant",
    aliases: &[],
    summary: "Recursive circulant G(n,d): the circulant with jumps 1, d, d^2, ...",
    params: &RECURSIVE_PARAMS,
    example: "recursive_circulant(16,4)",
    restrictions: "n must be c*d^m with 1 <= c < d.",
    source: "Park and Chwa, Recursive circulant: a new topology for multicomputer networks, ISPAN 1994",
    build: Topology {
        network: |bound| build("recursive_circulant", bound, recursive(bound)),
        expected: |bound| recursive(bound).map(|s| s.expected()).unwrap_or_default(),
    },
};

struct CirculantShape {
    n: u32,
    p: u32,
    /// Ascending.
    jumps: Vec<u32>,
    /// d, if the jumps are 1, d, d², ... and n is a power of 2.
    ratio: Option<u32>,
}

fn circulant(bound: &Bound) -> Outcome<CirculantShape> {
    let (n, p) = (bound.size("n"), bound.size("p"));
    if bound.text("jumps") == "pow2" {
        let jumps = (0..31).map(|i| 1 << i).take_while(|&c| c <= n / 2).collect();
        return Ok(CirculantShape { n, p, jumps, ratio: n.is_power_of_two().then_some(2) });
    }
    let given = sizes(bound, "jumps");
    let mut jumps = given.clone();
    jumps.sort_unstable();
    jumps.dedup();
    let mut faults = Faults::none();
    if jumps.len() < given.len() {
        faults.push(fault(bound, &codes::JUMPS, "jumps", "all different"));
    }
    if let Some(&far) = jumps.iter().find(|&&c| c > n / 2) {
        let hint = match far.checked_rem(n) {
            Some(0) => "a jump of n leads back to the same switch".to_string(),
            rest => {
                let c = rest.unwrap_or(0);
                format!("a jump of {far} is the same as one of {}", c.min(n - c))
            }
        };
        faults.push(fault(bound, &codes::JUMPS, "jumps", format!("at most n/2 = {}", n / 2)).hint(hint));
    }
    let divisor = jumps.iter().fold(u64::from(n), |d, &c| gcd(d, c.into()));
    if divisor > 1 {
        let expected = format!("without a common divisor with n = {n} (they share {divisor})");
        faults.push(fault(bound, &codes::JUMPS, "jumps", expected).hint("add jump 1"));
    }
    faults.or(CirculantShape { n, p, jumps, ratio: None })
}

fn recursive(bound: &Bound) -> Outcome<CirculantShape> {
    let (n, d) = (bound.size("n"), bound.size("d"));
    let mut rest = n;
    while rest.is_multiple_of(d) {
        rest /= d;
    }
    if rest >= d {
        let form = |n: u32| {
            let mut power = 1;
            while power <= n / d {
                power *= d;
            }
            n / power * power
        };
        let below = form(n);
        let above = form(below) + {
            let mut power = 1;
            while power <= below / d {
                power *= d;
            }
            power
        };
        let expected = format!("c*{d}^m with 1 <= c < {d}");
        return Err(fault(bound, &codes::POWER, "n", expected).hint(format!("use {below} or {above}")).into());
    }
    let jumps = std::iter::successors(Some(1u32), |c| c.checked_mul(d)).take_while(|&c| c <= n / 2).collect();
    Ok(CirculantShape { n, p: bound.size("p"), jumps, ratio: n.is_power_of_two().then_some(d) })
}

impl CirculantShape {
    /// Every jump gives two ports, n/2 one.
    fn degree(&self) -> u64 {
        self.jumps.iter().map(|&c| 2 - u64::from(2 * c == self.n)).sum()
    }

    fn expected(&self) -> Expected {
        let n = u64::from(self.n);
        let degree = self.degree();
        let ring = self.jumps == [1];
        let bits = self.n.trailing_zeros();
        let mut expected = Expected {
            switches: n,
            endpoints: n.saturating_mul(u64::from(self.p)),
            switch_links: n.saturating_mul(degree) / 2,
            degree_min: u32::try_from(degree).ok(),
            degree_max: u32::try_from(degree).ok(),
            transitive: true,
            ..Expected::default()
        };
        if ring && n <= LIMIT {
            expected.diameter = Some(self.n / 2);
            expected.bisection_cables = Some(if n == 2 { 1 } else { 2 });
        } else if self.ratio == Some(2) {
            // Most non-zero digits in the shortest signed binary form of a residue mod 2^k.
            expected.diameter = Some(bits.div_ceil(2));
        } else if self.ratio == Some(4) {
            expected.diameter = Some((3 * bits - 1).div_ceil(4)); // Park and Chwa 1994
        }
        expected
    }
}

/// O(cables).
fn build(family: &str, bound: &Bound, shape: Outcome<CirculantShape>) -> Outcome<Network> {
    let (shape, speeds) = plan(bound, shape)?;
    let mut builder = begin(bound, family, &shape.expected(), &speeds)?;
    let n = shape.n;
    for &c in &shape.jumps {
        let class = class(&mut builder, &format!("jump{c}"), speeds.link);
        for s in 0..if 2 * c == n { c } else { n } {
            builder.cable(s, (s + c) % n, class);
        }
    }
    builder.endpoints_everywhere(shape.p);
    let structure = builder.structure();
    structure.ring = shape.jumps[0] == 1;
    structure.jumps = Some(shape.jumps);
    builder.build()
}

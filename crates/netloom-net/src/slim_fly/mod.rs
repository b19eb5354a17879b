//! Slim Fly: the McKay-Miller-Širáň graphs of diameter 2.
//!
//! On the field with q = 4w + δ elements, δ in -1, 0, 1, switches are (0, x, y) and (1, m, c). (0,x,y) joins (0,x,y')
//! if y - y' is in X; (1,m,c) joins (1,m,c') if c - c' is in X'; (0,x,y) joins (1,m,c) if y = m·x + c. Switch (0,x,y)
//! has number x·q + y, switch (1,m,c) q² + m·q + c. X and X' are halves of the powers of a primitive element.

mod field;
#[cfg(test)]
mod tests;

use netloom_model::{Bound, Kind, Network, Outcome, Param};

use crate::codes;
use crate::common::{COMMON, begin, class, fault, join, plan};
use crate::row::{Expected, Topology, TopologyRow};
use field::{Field, prime_power};

/// 2·q² switches of degree 3q/2 pass the limit on cables before q = 512.
const MOST: i64 = 512;

static PARAMS: [Param; 6] =
    join(&[Param::required("q", Kind::Int { min: 3, max: MOST }, "prime power with q mod 4 in 0, 1, 3")], &COMMON);

pub const SLIM_FLY: TopologyRow = TopologyRow {
    name: "slim_fly",
    aliases: &["mms"],
    summary: "Slim Fly (MMS graph): 2q^2 switches, diameter 2, close to the Moore bound.",
    params: &PARAMS,
    example: "slim_fly(q=5)",
    restrictions: "q must be a prime power of the form 4w-1, 4w or 4w+1. The paper's balanced network has p = ceil(degree/2).",
    source: "Besta and Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014; McKay, Miller, Siran, A note on large graphs of diameter two and given maximum degree, J. Combin. Theory B 74, 1998; Hafner, Geometric realisation of the graphs of McKay-Miller-Siran, 2004",
    build: Topology { network: build, expected: |bound| shape(bound).map(|s| s.expected()).unwrap_or_default() },
};

struct SlimFlyShape {
    q: u32,
    p: u32,
    field: Field,
}

fn usable(q: u32) -> bool {
    q % 4 != 2 && prime_power(q).is_some()
}

fn shape(bound: &Bound) -> Outcome<SlimFlyShape> {
    let q = bound.size("q");
    match Field::new(q) {
        Some(field) if usable(q) => Ok(SlimFlyShape { q, p: bound.size("p"), field }),
        _ => {
            let below = (3..q).rev().find(|&v| usable(v));
            let above = (q + 1..).find(|&v| usable(v));
            let near: Vec<String> = below.into_iter().chain(above).map(|v| v.to_string()).collect();
            let expected = "a prime power with q mod 4 in 0, 1, 3";
            Err(fault(bound, &codes::PRIME_POWER, "q", expected).hint(format!("use {}", near.join(" or "))).into())
        }
    }
}

impl SlimFlyShape {
    /// δ with q = 4w + δ.
    fn delta(&self) -> i64 {
        match self.q % 4 {
            0 => 0,
            1 => 1,
            _ => -1,
        }
    }

    fn degree(&self) -> u64 {
        ((3 * i64::from(self.q) - self.delta()) / 2) as u64
    }

    /// X and X': exponents of the primitive element, by δ (Hafner 2004).
    fn generators(&self) -> (Vec<u32>, Vec<u32>) {
        let q = self.q;
        let powers = |exponents: &mut dyn Iterator<Item = u32>| exponents.map(|e| self.field.power(e)).collect();
        match self.delta() {
            // 1, ξ², ξ⁴, ... and ξ, ξ³, ξ⁵, ...: (q-1)/2 each for δ = 1, q/2 each for δ = 0.
            1 | 0 => (powers(&mut (0..q - 1).step_by(2)), powers(&mut (1..q).step_by(2).take(q as usize / 2))),
            // q = 4w-1: even exponents below 2w-1 with the odd ones from there on, and the same times ξ.
            _ => {
                let half = q.div_ceil(4) * 2 - 1;
                let first: Vec<u32> = (0..half).step_by(2).chain((half..2 * half).step_by(2)).collect();
                (powers(&mut first.iter().copied()), powers(&mut first.iter().map(|e| e + 1)))
            }
        }
    }

    fn expected(&self) -> Expected {
        let n = 2 * u64::from(self.q) * u64::from(self.q);
        let degree = self.degree();
        Expected {
            switches: n,
            endpoints: n.saturating_mul(u64::from(self.p)),
            switch_links: n * degree / 2,
            degree_min: Some(degree as u32),
            degree_max: Some(degree as u32),
            diameter: Some(2),
            aspl: Some((degree + 2 * (n - 1 - degree)) as f64 / (n - 1) as f64),
            bisection_cables: None,
            // Proved for q = 4w + 1 (McKay, Miller, Siran 1998); not claimed for the others.
            transitive: self.delta() == 1,
        }
    }
}

/// O(q³), the number of cables.
fn build(bound: &Bound) -> Outcome<Network> {
    let (shape, speeds) = plan(bound, shape(bound))?;
    let mut builder = begin(bound, "slim_fly", &shape.expected(), &speeds)?;
    let local = class(&mut builder, "local", speeds.link);
    let global = class(&mut builder, "global", speeds.link);
    let q = shape.q;
    let (x_set, m_set) = shape.generators();
    for (half, set) in [(0, &x_set), (q * q, &m_set)] {
        for y in 0..q {
            for &step in set {
                let other = shape.field.add(y, step);
                // -step is in the set too, so that every cable is met from both ends.
                if y < other {
                    for column in 0..q {
                        builder.cable(half + column * q + y, half + column * q + other, local);
                    }
                }
            }
        }
    }
    for x in 0..q {
        for m in 0..q {
            let slope = shape.field.times(m, x);
            for c in 0..q {
                builder.cable(x * q + shape.field.add(slope, c), q * q + m * q + c, global);
            }
        }
    }
    builder.endpoints_everywhere(shape.p);
    builder.structure().groups = Some((0..2 * q * q).map(|s| s % (q * q) / q).collect());
    builder.build()
}

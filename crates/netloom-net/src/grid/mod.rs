//! Ring, mesh, torus, hypercube: switches on a grid, connected to the neighbours in every dimension.
//!
//! Switch numbers are row-major: the last dimension varies fastest. A dimension of extent 2 has one cable per pair,
//! wrapped or not, unless `double` asks for two (the E dimension of Blue Gene/Q).

mod shape;
#[cfg(test)]
mod tests;

use netloom_model::network::Grid;
use netloom_model::{Bound, Kind, Network, Outcome, Param};

use crate::common::{COMMON, begin, class, count, counts, join, plan, sizes, spread};
use crate::row::{Expected, Topology, TopologyRow};
pub(crate) use shape::GridShape;

static RING_PARAMS: [Param; 6] = join(&[Param::required("n", count(2), "number of switches")], &COMMON);
static MESH_PARAMS: [Param; 6] =
    join(&[Param::required("dims", counts(1), "extent of each dimension").variadic()], &COMMON);
static TORUS_PARAMS: [Param; 8] = join(
    &[
        Param::required("dims", counts(1), "extent of each dimension").variadic(),
        Param::optional("wrap", Kind::Bools, "true", "does the dimension close into a ring? one value or one for each")
            .keyword_only(),
        Param::optional("double", Kind::Bools, "false", "two cables in a wrapped dimension of extent 2? one or each")
            .keyword_only(),
    ],
    &COMMON,
);
static HYPERCUBE_PARAMS: [Param; 6] =
    join(&[Param::required("n", Kind::Int { min: 1, max: 31 }, "dimensions; 2^n switches")], &COMMON);

/// Closed forms of the distances; E0-01 to E0-05 of the source are corrected.
pub const RING: TopologyRow = TopologyRow {
    name: "ring",
    aliases: &["cycle"],
    summary: "Ring: switch i is joined to i+1 mod n.",
    params: &RING_PARAMS,
    example: "ring(8)",
    restrictions: "ring(2) has one cable.",
    source: "Cui 2024 section 2.1.2 with n = 1; Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 5",
    build: Topology {
        network: |bound| build("ring", bound, ring(bound)),
        expected: |bound| expected(bound, ring(bound)),
    },
};
pub const MESH: TopologyRow = TopologyRow {
    name: "mesh",
    aliases: &["grid"],
    summary: "Mesh: a grid without wrap-around links.",
    params: &MESH_PARAMS,
    example: "mesh(4,4)",
    restrictions: "",
    source: "Cui 2024 section 2.1.2; bisection: Aroca and Fernandez Anta, Bisection (band)width of product networks, IEEE TPDS 25(3), 2014",
    build: Topology {
        network: |bound| build("mesh", bound, mesh(bound)),
        expected: |bound| expected(bound, mesh(bound)),
    },
};
pub const TORUS: TopologyRow = TopologyRow {
    name: "torus",
    aliases: &[],
    summary: "Torus: a grid whose dimensions close into rings, each or all of them.",
    params: &TORUS_PARAMS,
    example: "torus(4,4,2)",
    restrictions: "A dimension of extent 2 has one cable per pair of switches, two where `double` is true.",
    source: "Cui 2024 section 2.1.2; bisection: Aroca and Fernandez Anta, Bisection (band)width of product networks, IEEE TPDS 25(3), 2014",
    build: Topology {
        network: |bound| build("torus", bound, torus(bound)),
        expected: |bound| expected(bound, torus(bound)),
    },
};
pub const HYPERCUBE: TopologyRow = TopologyRow {
    name: "hypercube",
    aliases: &["binary-n-cube"],
    summary: "Hypercube: 2^n switches, joined if their numbers differ in one bit.",
    params: &HYPERCUBE_PARAMS,
    example: "hypercube(4)",
    restrictions: "Dimension 0 is the most significant bit of a switch number.",
    source: "Cui 2024 section 2.1.2 with errata E0-04, E0-05",
    build: Topology {
        network: |bound| build("hypercube", bound, hypercube(bound)),
        expected: |bound| expected(bound, hypercube(bound)),
    },
};

fn ring(bound: &Bound) -> Outcome<GridShape> {
    Ok(GridShape { dims: vec![bound.size("n")], wrap: vec![true], double: vec![false] })
}

fn mesh(bound: &Bound) -> Outcome<GridShape> {
    let dims = sizes(bound, "dims");
    let none = vec![false; dims.len()];
    Ok(GridShape { dims, wrap: none.clone(), double: none })
}

fn torus(bound: &Bound) -> Outcome<GridShape> {
    let dims = sizes(bound, "dims");
    let wrap = spread(bound, "wrap", &bound.bools("wrap"), dims.len());
    let double = spread(bound, "double", &bound.bools("double"), dims.len());
    match (wrap, double) {
        (Ok(wrap), Ok(double)) => Ok(GridShape { dims, wrap, double }),
        (Err(mut a), Err(b)) => {
            a.0.extend(b.0);
            Err(a)
        }
        (Err(a), _) | (_, Err(a)) => Err(a),
    }
}

fn hypercube(bound: &Bound) -> Outcome<GridShape> {
    let n = bound.size("n") as usize;
    Ok(GridShape { dims: vec![2; n], wrap: vec![true; n], double: vec![false; n] })
}

fn expected(bound: &Bound, shape: Outcome<GridShape>) -> Expected {
    shape.map(|s| s.expected(u64::from(bound.size("p")))).unwrap_or_default()
}

/// O(switches × dimensions).
fn build(family: &str, bound: &Bound, shape: Outcome<GridShape>) -> Outcome<Network> {
    let (shape, speeds) = plan(bound, shape)?;
    let p = bound.size("p");
    let mut builder = begin(bound, family, &shape.expected(u64::from(p)), &speeds)?;
    let classes: Vec<u16> = (0..shape.dims.len())
        .map(|d| {
            let name = if family == "ring" { "ring".to_string() } else { format!("dim{d}") };
            class(&mut builder, &name, speeds.link)
        })
        .collect();
    shape.for_each_cable(|a, b, dim| builder.cable(a, b, classes[dim]));
    builder.endpoints_everywhere(p);
    let structure = builder.structure();
    structure.ring = shape.is_ring();
    structure.grid = Some(Grid { dims: shape.dims, wrap: shape.wrap, complete: false });
    builder.build()
}

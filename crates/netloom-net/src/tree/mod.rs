//! Trees: star, k-ary n-tree, thin tree, fat tree and the extended generalised fat tree that holds them all.
//!
//! Switches are numbered level by level, level 0 (where the endpoints are) first, and within a level as in Navaridas 2009,
//! so that the upward ports of a switch, in order of port number, lead to ascending switch numbers.

mod shape;
#[cfg(test)]
mod tests;

use netloom_model::{Bound, Faults, Kind, Network, Outcome, Param};

use crate::codes;
use crate::common::{LINKS, begin, class, count, counts, fault, join, plan, sizes};
use crate::row::{Expected, Topology, TopologyRow};
pub use shape::TreeFamilyShape;

/// Levels beyond this need more than 2^26 endpoints unless every switch has one child.
const LEVELS: Kind = Kind::Int { min: 1, max: 32 };

static STAR_PARAMS: [Param; 6] = join(
    &[
        Param::required("n", count(1), "number of leaf switches"),
        Param::optional("p", count(1), "1", "endpoints per leaf switch").keyword_only(),
    ],
    &LINKS,
);
static K_ARY_PARAMS: [Param; 6] = join(
    &[
        Param::required("k", count(1), "children of a switch, and parents"),
        Param::required("n", LEVELS, "levels of switches; k^n endpoints"),
    ],
    &LINKS,
);
static THIN_PARAMS: [Param; 7] = join(
    &[
        Param::required("down", count(1), "downward ports of a switch (k)"),
        Param::required("up", count(1), "upward ports of a switch (k')"),
        Param::required("levels", LEVELS, "levels of switches (n); down^levels endpoints"),
    ],
    &LINKS,
);
static FAT_PARAMS: [Param; 7] = join(
    &[
        Param::required("radix", count(2), "ports of a switch"),
        Param::optional("levels", Kind::Int { min: 2, max: 32 }, "3", "levels of switches"),
        Param::optional(
            "top",
            Kind::Choice(&["doubled", "full"]),
            "doubled",
            "doubled: half as many top switches, two cables per pair; full: twice as many endpoints, one cable per pair",
        )
        .keyword_only(),
    ],
    &LINKS,
);
static XGFT_PARAMS: [Param; 7] = join(
    &[
        Param::required("m", counts(1), "children of a node at level 1, 2, ...; m[0] endpoints per leaf switch"),
        Param::required("w", counts(1), "parents of a node at level 0, 1, ...; w[0] = 1 belongs to the endpoints"),
        Param::optional("parallel", counts(1), "1", "cables to each of those parents; parallel[0] = 1"),
    ],
    &LINKS,
);

pub const STAR: TopologyRow = TopologyRow {
    name: "star",
    aliases: &[],
    summary: "Star: n leaf switches with the endpoints, joined to one hub, which is switch n.",
    params: &STAR_PARAMS,
    example: "star(6)",
    restrictions: "A single crossbar with endpoints is complete(1,p=...).",
    source: "Jain 2016 section 2.1, star",
    build: Topology {
        network: |bound| build("star", bound, star(bound)),
        expected: |bound| Expected {
            bisection_cables: Some(u64::from(bound.size("n")).div_ceil(2)),
            aspl: Some(2.0 * bound.float("n") / (bound.float("n") + 1.0)),
            ..expected(star(bound))
        },
    },
};
pub const K_ARY_N_TREE: TopologyRow = TopologyRow {
    name: "k_ary_n_tree",
    aliases: &[],
    summary: "k-ary n-tree: n levels of k^(n-1) switches, k^n endpoints, full bandwidth at every level.",
    params: &K_ARY_PARAMS,
    example: "k_ary_n_tree(k=4,n=3)",
    restrictions: "",
    source: "Navaridas 2009 section 3.2 with errata E1-05, E1-06; Petrini and Vanneschi, k-ary n-trees, IPPS 1997",
    build: Topology {
        network: |bound| build("k_ary_n_tree", bound, k_ary(bound)),
        expected: |bound| expected(k_ary(bound)),
    },
};
pub const THIN_TREE: TopologyRow = TopologyRow {
    name: "thin_tree",
    aliases: &[],
    summary: "Thin tree: the k:k'-ary n-thin-tree, k children and only k' parents per switch.",
    params: &THIN_PARAMS,
    example: "thin_tree(down=4,up=2,levels=3)",
    restrictions: "up must not exceed down.",
    source: "Navaridas 2009 sections 3.2, 3.3, table 1 with errata E1-01 to E1-08",
    build: Topology {
        network: |bound| build("thin_tree", bound, thin(bound)),
        expected: |bound| expected(thin(bound)),
    },
};
pub const FAT_TREE: TopologyRow = TopologyRow {
    name: "fat_tree",
    aliases: &["folded-clos"],
    summary: "Fat tree of switches of one radix: half of the ports go down, half go up.",
    params: &FAT_PARAMS,
    example: "fat_tree(radix=8,levels=3)",
    restrictions: "radix must be a multiple of 4 with top=\"doubled\", even with top=\"full\".",
    source: "Jain 2016 section 5.3.1; top=\"full\": Al-Fares, Loukissas, Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008",
    build: Topology { network: |bound| build("fat_tree", bound, fat(bound)), expected: |bound| expected(fat(bound)) },
};
pub const XGFT: TopologyRow = TopologyRow {
    name: "xgft",
    aliases: &[],
    summary: "Extended generalised fat tree: children, parents and parallel cables for every level.",
    params: &XGFT_PARAMS,
    example: "xgft(m=[4,4,8],w=[1,2,2],parallel=[1,1,2])",
    restrictions: "m, w and parallel have one entry per level; w[0] and parallel[0] are 1 (an endpoint has one link).",
    source: "Ohring, Ibel, Das, Kumar, On generalized fat trees, IPPS 1995; parallel cables as in Zahavi's PGFT (2010) and SimGrid's FAT_TREE",
    build: Topology { network: |bound| build("xgft", bound, xgft(bound)), expected: |bound| expected(xgft(bound)) },
};

fn star(bound: &Bound) -> Outcome<TreeFamilyShape> {
    Ok(TreeFamilyShape::new(vec![bound.size("p"), bound.size("n")], &[1], &[1]))
}

fn k_ary(bound: &Bound) -> Outcome<TreeFamilyShape> {
    let (k, n) = (bound.size("k"), bound.size("n") as usize);
    Ok(TreeFamilyShape::new(vec![k; n], &vec![k; n - 1], &vec![1; n - 1]))
}

fn thin(bound: &Bound) -> Outcome<TreeFamilyShape> {
    let (down, up, levels) = (bound.size("down"), bound.size("up"), bound.size("levels") as usize);
    if up > down {
        let hint = format!("for a tree that widens use xgft(m=[{down},...],w=[1,{up},...])");
        return Err(fault(bound, &codes::TREE, "up", format!("at most down = {down}")).hint(hint).into());
    }
    Ok(TreeFamilyShape::new(vec![down; levels], &vec![up; levels - 1], &vec![1; levels - 1]))
}

fn fat(bound: &Bound) -> Outcome<TreeFamilyShape> {
    let (radix, levels) = (bound.size("radix"), bound.size("levels") as usize);
    let half = radix / 2;
    let mut down = vec![half; levels];
    let mut up = vec![half; levels - 1];
    let mut parallel = vec![1; levels - 1];
    if bound.text("top") == "full" {
        if radix % 2 != 0 {
            let hint = format!("use {} or {}", radix - 1, radix.saturating_add(1));
            return Err(fault(bound, &codes::FAT_TREE, "radix", "an even integer >= 2").hint(hint).into());
        }
        down[levels - 1] = radix;
    } else {
        if radix % 4 != 0 {
            let near = (radix / 4 * 4).max(4);
            let hint = format!("use {near} or {}, or top=\"full\", or k_ary_n_tree(k={half},n={levels})", near + 4);
            let expected = "a multiple of 4 if the top level is doubled";
            return Err(fault(bound, &codes::FAT_TREE, "radix", expected).hint(hint).into());
        }
        up[levels - 2] = half / 2;
        parallel[levels - 2] = 2;
    }
    Ok(TreeFamilyShape::new(down, &up, &parallel))
}

fn xgft(bound: &Bound) -> Outcome<TreeFamilyShape> {
    let (m, w, mut parallel) = (sizes(bound, "m"), sizes(bound, "w"), sizes(bound, "parallel"));
    if parallel == [1] {
        parallel = vec![1; m.len()];
    }
    let mut faults = Faults::none();
    if m.len() > 32 {
        faults.push(fault(bound, &codes::TREE, "m", "a list of at most 32 levels"));
    }
    for (name, list) in [("w", &w), ("parallel", &parallel)] {
        if list.len() != m.len() {
            faults.push(fault(bound, &codes::TREE, name, format!("one value for each of the {} levels of m", m.len())));
        } else if list[0] != 1 {
            let hint = "an endpoint has one link here; give parallel ranks more endpoints, or a higher bandwidth";
            faults.push(fault(bound, &codes::TREE, name, "a list that starts with 1").hint(hint));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(TreeFamilyShape::new(m, &w[1..], &parallel[1..]))
}

fn expected(shape: Outcome<TreeFamilyShape>) -> Expected {
    shape.map(|s| s.expected()).unwrap_or_default()
}

/// O(switches + cables).
fn build(family: &str, bound: &Bound, shape: Outcome<TreeFamilyShape>) -> Outcome<Network> {
    let (shape, speeds) = plan(bound, shape)?;
    let expected = if family == "star" { (STAR.expected)(bound) } else { shape.expected() };
    let mut builder = begin(bound, family, &expected, &speeds)?;
    let top = shape.levels() - 1;
    let classes: Vec<u16> = (0..top).map(|l| class(&mut builder, &format!("up{l}"), speeds.link)).collect();
    shape.for_each_cable(|a, b, level| builder.cable(a, b, classes[level]));
    for s in 0..shape.switches_at(0) as u32 {
        for _ in 0..shape.down(0) {
            builder.endpoint(s);
        }
    }
    let structure = builder.structure();
    structure.levels =
        Some((0..shape.levels()).flat_map(|l| std::iter::repeat_n(l as u8, shape.switches_at(l) as usize)).collect());
    structure.tree = Some(shape.into_tree());
    builder.build()
}

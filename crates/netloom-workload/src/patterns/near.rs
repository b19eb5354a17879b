//! Partners drawn rank by rank: from a neighbourhood in the order of ranks, or from all. The draws of a rank depend on the
//! seed and the rank alone, so that any rank can be generated at any time.

use netloom_model::{Bound, Family, Kind, Outcome, Param};

use super::made::{Made, Partners, alike};
use super::params::{BYTES, SEED};
use super::row::{Pattern, PatternRow, TEMPLATE};

/// Most partners of one rank: above 32, finding a repetition costs O(partners) compares.
const MOST: i64 = 1024;
const NUMBER: Kind = Kind::Int { min: 1, max: MOST };
const RANGE: Kind = Kind::Int { min: 1, max: 1 << 24 };

const LEAST_HELP: &str = "least number of partners";
const MOST_HELP: &str = "largest number of partners; each number between is as likely";
const RANGE_HELP: &str = "how far away a partner may be, clipped at the first and the last rank";

pub(crate) const UNSTRUCTURED_MESH: PatternRow = PatternRow {
    name: "unstructured-mesh",
    aliases: &["umesh"],
    summary: "Every rank sends to a random number of different random ranks nearby; to all, where there are fewer.",
    params: &[
        Param::optional("least", NUMBER, "6", LEAST_HELP),
        Param::optional("most", NUMBER, "20", MOST_HELP),
        Param::optional("range", RANGE, "30", RANGE_HELP),
        SEED,
        BYTES,
    ],
    example: "unstructured-mesh(least=6,most=20,range=30,seed=1,bytes=\"512 KiB\")",
    source: "Jain 2016 §3.2.4 (UMesh: 6 to 20 partners in r-30..r+30, 512 KB)",
    build: Pattern { make: |ranks, bound| drawn(ranks, bound.size("range"), bound), ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const NEAR_NEIGHBOUR: PatternRow = PatternRow {
    name: "near-neighbour",
    aliases: &["near-neighbor"],
    summary: "As unstructured-mesh, with more partners in a wider neighbourhood.",
    params: &[
        Param::optional("least", NUMBER, "20", LEAST_HELP),
        Param::optional("most", NUMBER, "30", MOST_HELP),
        Param::optional("range", RANGE, "1000", RANGE_HELP),
        SEED,
        BYTES,
    ],
    example: "near-neighbour(least=20,most=30,range=1000,seed=1)",
    source: "Jain 2016 §6.2.2 (NN: 20 to 30 partners within a rank neighbourhood of 2000, read as 1000 to each side)",
    build: Pattern { make: |ranks, bound| drawn(ranks, bound.size("range"), bound), ..TEMPLATE.build },
    ..TEMPLATE
};

pub(crate) const SPREAD: PatternRow = PatternRow {
    name: "spread",
    aliases: &["uniform-spread", "random-neighbours", "random-neighbors"],
    summary: "Every rank sends to a random number of different random ranks anywhere; to all, where there are fewer.",
    params: &[
        Param::optional("least", NUMBER, "6", LEAST_HELP),
        Param::optional("most", NUMBER, "20", MOST_HELP),
        SEED,
        BYTES,
    ],
    example: "spread(least=6,most=20,seed=1,bytes=\"512 KiB\")",
    source: "Jain 2016 §3.2.4 (Spread: 6 to 20 partners, 512 KB), §6.2.5 (15 to 20)",
    build: Pattern { make: |ranks, bound| drawn(ranks, u32::MAX, bound), ..TEMPLATE.build },
    ..TEMPLATE
};

fn drawn(ranks: u32, range: u32, bound: &Bound) -> Outcome<Made> {
    let (least, most) = (bound.size("least"), bound.size("most"));
    if least > most {
        return Err(bound.fault("least", format!("at most {most}, the parameter most")).into());
    }
    let family = Family::new(bound.int("seed") as u64, &bound.owner);
    alike(ranks, most.into(), 1, bound, Drawn { family, last: ranks.saturating_sub(1), range, least, most })
}

struct Drawn {
    family: Family,
    /// The highest rank.
    last: u32,
    range: u32,
    least: u32,
    most: u32,
}

impl Partners for Drawn {
    /// Partners as [`netloom_model::Draws::distinct`] draws them.
    fn each(&self, rank: u32, mut visit: impl FnMut(u32)) {
        let first = rank.saturating_sub(self.range);
        let candidates = rank.saturating_add(self.range).min(self.last) - first;
        let mut draws = self.family.of(rank.into());
        let count = self.least + draws.below(self.most - self.least + 1);
        // Candidates are the ranks from `first`, without the rank itself.
        draws.distinct(candidates, count, |at| visit(first + at + u32::from(first + at >= rank)));
    }
}

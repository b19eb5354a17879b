//! The places of the start as a hierarchy of equal units, numbered level by level in every order.
//!
//! One exchange at a time never turns a block order into a round robin. There are few orders of levels, and each is one
//! evaluation (Swartvagher 2023).

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::mixed_radix::next_order;
use netloom_model::{Fault, Kind, Levels, Outcome, Param, Stream};

use crate::prepared::Prepared;
use crate::row::{Optimiser, OptimiserRow, Run, SEED};
use crate::walk::Found;

pub const ROW: OptimiserRow = OptimiserRow {
    name: "enumeration",
    aliases: &["level-orders"],
    summary: "Numbers the places level by level (groups, switches, nodes, sockets, cores) in every order of the levels, and keeps the best.",
    params: &[
        Param::optional(
            "levels",
            Kind::Ints { min: 2, max: 1 << 26, least: 1, most: usize::MAX },
            "",
            "sizes of the levels, outermost first; absent: those of network and node, split into factors while all orders can be tried",
        ),
        Param::optional(
            "tries",
            Kind::Int { min: 1, max: 1 << 32 },
            "5040",
            "orders that are tried; a sample if there are more",
        ),
        SEED,
    ],
    example: "enumeration(tries=24)",
    restrictions: "",
    source: "Swartvagher 2023",
    build: Optimiser { run, leads: false },
};

/// Orders that are tried if nobody says: all of seven levels.
pub(crate) const ORDERS: u64 = 5040;

/// The slots of the start in the order of their endpoints.
pub(crate) fn listed(prepared: &Prepared<'_>) -> Vec<u32> {
    let mut slots = prepared.slot_of_rank.clone();
    slots.sort_unstable_by_key(|slot| (prepared.endpoints[*slot as usize], *slot));
    slots
}

/// O(tries × ranks) exchanges.
fn run(run: &Run<'_>) -> Outcome<Found> {
    let tries = run.args.int("tries") as u64;
    let slots = listed(run.prepared);
    let given = run.args.ints("levels");
    let sizes = if given.is_empty() { split(of_start(run.prepared, &slots), tries) } else { given };
    let mut walk = run.walk();
    if sizes.is_empty() {
        return Ok(walk.finish());
    }
    let levels = Levels::new(&sizes, "enumeration.levels")?;
    if levels.count() as usize != slots.len() {
        let expected = format!("sizes with the product {}, one for each rank", slots.len());
        let got = format!("{sizes:?}, whose product is {}", levels.count());
        return Err(Fault::new(&BAD_VALUE, "enumeration.levels", expected, got).into());
    }
    let mut order: Vec<usize> = (0..levels.depth()).collect();
    let all = factorial(levels.depth());
    let mut stream = Stream::new(run.seed(), "enumeration");
    run.progress.set_total(all.min(tries));
    for _ in 0..all.min(tries) {
        if walk.over() {
            break;
        }
        let target: Vec<u32> = levels.old_of_new(&order).into_iter().map(|place| slots[place as usize]).collect();
        let moves = walk.places.exchanges_to(&target);
        if !moves.is_empty() {
            walk.try_moves(&moves, 0.0, |change| change < 0.0);
        }
        run.progress.add(1);
        if all > tries {
            stream.shuffle(&mut order);
        } else {
            next_order(&mut order);
        }
    }
    Ok(walk.finish())
}

fn factorial(depth: usize) -> u64 {
    (1..=depth as u64).fold(1, u64::saturating_mul)
}

/// Sizes of the units that the places of the start form in the order of their numbers, outermost first: groups, chassis,
/// lines of a grid, switches, nodes, and the levels of a node. Units of different sizes are no level.
pub(crate) fn of_start(prepared: &Prepared<'_>, slots: &[u32]) -> Vec<i64> {
    let problem = &prepared.problem;
    let network = problem.network;
    let structure = network.structure();
    let endpoint = |slot: &u32| prepared.endpoints[*slot as usize];
    let switch = |slot: &u32| network.endpoint_switch()[endpoint(slot) as usize];
    let mut lengths = vec![1, slots.len() as u64];
    let mut unit = |of: &dyn Fn(&u32) -> u32| {
        let mut runs = slots.chunk_by(|a, b| of(a) == of(b)).map(|run| run.len() as u64);
        let first = runs.next().unwrap_or(1);
        if runs.all(|run| run == first) {
            lengths.push(first);
        }
    };
    for of in [&structure.groups, &structure.chassis].into_iter().flatten() {
        unit(&|slot| of[switch(slot) as usize]);
    }
    if let Some(grid) = &structure.grid {
        let mut stride = network.switches();
        for extent in &grid.dims {
            stride /= (*extent).max(1);
            let line = stride.max(1);
            unit(&|slot| switch(slot) / line);
        }
    }
    unit(&switch);
    unit(&|slot| problem.machine_of(endpoint(slot)));
    if let Some(node) = problem.node {
        for level in 0..node.depth() {
            unit(&|slot| problem.unit(node, endpoint(slot), level));
        }
    }
    lengths.sort_unstable();
    lengths.dedup();
    let mut sizes = Vec::new();
    let mut inner = 1;
    for length in lengths {
        if length > inner && length.is_multiple_of(inner) && (slots.len() as u64).is_multiple_of(length) {
            sizes.push((length / inner) as i64);
            inner = length;
        }
    }
    sizes.reverse();
    sizes
}

/// Levels split into two where they have factors, the largest first, while all orders can be tried.
pub(crate) fn split(mut sizes: Vec<i64>, tries: u64) -> Vec<i64> {
    while factorial(sizes.len() + 1) <= tries {
        let composite = |(at, size): (usize, &i64)| factor(*size).map(|factor| (*size, at, factor));
        let Some((size, at, factor)) = sizes.iter().enumerate().filter_map(composite).max_by_key(|found| found.0)
        else {
            break;
        };
        sizes[at] = factor;
        sizes.insert(at, size / factor);
    }
    sizes
}

/// The divisor nearest to the square root from below, if there is one above 1.
fn factor(size: i64) -> Option<i64> {
    let mut best = None;
    let mut divisor = 2;
    while divisor * divisor <= size {
        if size % divisor == 0 {
            best = Some(divisor);
        }
        divisor += 1;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_split_while_all_orders_can_be_tried() {
        assert_eq!(split(vec![64], 24), [4, 2, 4, 2]);
        assert_eq!(split(vec![16, 2, 2, 8], 24), [16, 2, 2, 8]);
        assert_eq!(split(vec![16, 2, 2, 8], 120), [4, 4, 2, 2, 8]);
        assert_eq!(split(vec![7], 5040), [7]);
        assert_eq!(split(vec![], 5040), Vec::<i64>::new());
    }
}

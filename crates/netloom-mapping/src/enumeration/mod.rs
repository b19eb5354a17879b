//! All orders in which the cores of a hierarchy can be numbered: what each does to communicators, and which are the same
//! (Swartvagher 2023).

pub mod measures;
pub mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use netloom_model::fault::codes::{BAD_VALUE, TOO_LARGE};
use netloom_model::mixed_radix::next_order;
use netloom_model::{Fault, Levels, Outcome, Stream};

/// Levels whose orders are all listed: 8! are 40,320.
const ALL_LEVELS: usize = 8;
/// Most orders of a sample, and most ranks times orders.
const MOST_SAMPLE: i64 = 100_000;
const MOST_WORK: u64 = 1 << 32;

/// What is asked about the orders of a hierarchy.
#[derive(Clone, Debug)]
pub struct Ask {
    pub levels: Levels,
    /// Ranks of a communicator: rank `r` is in communicator `r / communicator`.
    pub communicator: u32,
    /// The number of ranks that run, on the first cores of each order; `None`: one on every core.
    pub cores: Option<u32>,
}

/// Which orders are listed.
#[derive(Clone, Debug)]
pub enum WantedOrders {
    All,
    /// A number of different ones, drawn with a seed.
    Sample(i64, u64),
    These(Vec<Vec<i64>>),
}

/// One order and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub order: Vec<usize>,
    /// Ring cost of the first communicator: 1 for every step from one rank to the next, and 1 for each level that it crosses.
    pub ring_cost: u64,
    /// Pairs of ranks of the first communicator that meet inside each level, in percent, the lowest level first.
    pub pairs_percent: Vec<f64>,
    /// The first order of the list that puts communicators on the same cores in the same order, if it is another one.
    pub same_as: Option<usize>,
    /// With `cores`: the first order that uses the same cores in any order, if it is another one.
    pub same_cores_as: Option<usize>,
    /// With `cores`: the sizes of the hierarchy that the chosen cores form, without levels of one unit.
    pub chosen: Option<Vec<u32>>,
}

impl Ask {
    /// Absent: a communicator of all ranks.
    ///
    /// # Errors
    /// `NL-A007` for a communicator that does not divide the ranks, and cores that the hierarchy does not have.
    pub fn new(levels: Levels, communicator: Option<i64>, cores: Option<i64>) -> Outcome<Ask> {
        let count = i64::from(levels.count());
        if let Some(cores) = cores.filter(|cores| !(1..=count).contains(cores)) {
            return Err(Fault::new(&BAD_VALUE, "cores", format!("an integer in 1..{count}"), cores).into());
        }
        let whole = cores.unwrap_or(count);
        let size = communicator.unwrap_or(whole);
        // A communicator that is larger than the chosen cores is measured on all.
        let of = if size <= whole { whole } else { count };
        if size < 1 || of % size != 0 {
            let expected = format!("a divisor of the {of} ranks");
            return Err(Fault::new(&BAD_VALUE, "communicator", expected, size).into());
        }
        Ok(Ask { levels, communicator: size as u32, cores: cores.map(|cores| cores as u32) })
    }

    /// The list with its groups. O(orders × ranks).
    ///
    /// # Errors
    /// `NL-A007` for a list that is no order; `NL-A009` for all orders of more than 8 levels, or more than 2^32 ranks
    /// over all orders.
    pub fn entries(&self, wanted: &WantedOrders) -> Outcome<Vec<Entry>> {
        let orders = self.orders(wanted)?;
        let work = orders.len() as u64 * u64::from(self.cores.unwrap_or(self.communicator).max(self.communicator));
        if work > MOST_WORK {
            let sentence = format!("{} orders of {} ranks are too many", orders.len(), self.levels.count());
            return Err(Fault::say(&TOO_LARGE, "levels", sentence).hint("draw a sample, or name one order").into());
        }
        let mut alike: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        let mut sets: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        let mut made = Vec::with_capacity(orders.len());
        for (at, order) in orders.into_iter().enumerate() {
            let cores = self.cores.map(|cores| self.first(&order, cores));
            let own = self.first(&order, self.communicator);
            let first = *alike.entry(self.key(&order, cores.as_deref())).or_insert(at);
            let mut sorted = cores.clone().unwrap_or_default();
            sorted.sort_unstable();
            let chosen = cores.as_ref().and_then(|_| measures::shape(&self.levels, &sorted));
            let same_cores = cores.map(|_| *sets.entry(sorted).or_insert(at));
            made.push(Entry {
                ring_cost: measures::ring_cost(&self.levels, &own),
                pairs_percent: measures::pairs_percent(&self.levels, &own),
                same_as: Some(first).filter(|first| *first != at),
                same_cores_as: same_cores.filter(|first| *first != at),
                chosen,
                order,
            });
        }
        Ok(made)
    }

    /// The cores of the first ranks: algorithm 3, the list for `--cpu-bind=map_cpu`. O(ranks × levels).
    pub fn first(&self, order: &[usize], ranks: u32) -> Vec<u32> {
        let (sizes, strides) = (self.levels.sizes(), self.levels.strides());
        let core = |rank: u32| {
            let mut left = rank;
            order.iter().fold(0, |core, level| {
                let digit = left % sizes[*level];
                left /= sizes[*level];
                core + digit * strides[*level]
            })
        };
        (0..ranks).map(core).collect()
    }

    /// Equal for two orders exactly if these put the communicators on the same cores in the same order, up to the
    /// numbers of communicators. Without chosen cores that is the shortest beginning of an order that holds whole
    /// communicators: the levels after it only number these.
    fn key(&self, order: &[usize], cores: Option<&[u32]>) -> Vec<u32> {
        if let Some(cores) = cores {
            let mut own: Vec<&[u32]> = cores.chunks(self.communicator as usize).collect();
            own.sort_unstable();
            return own.concat();
        }
        let mut held = 1u64;
        let mut beginning = Vec::new();
        for level in order {
            if held.is_multiple_of(u64::from(self.communicator)) {
                break;
            }
            held *= u64::from(self.levels.sizes()[*level]);
            beginning.push(*level as u32);
        }
        beginning
    }

    fn orders(&self, wanted: &WantedOrders) -> Outcome<Vec<Vec<usize>>> {
        let depth = self.levels.depth();
        match wanted {
            WantedOrders::These(lists) => lists.iter().map(|list| self.levels.order(list, "order")).collect(),
            WantedOrders::All if depth > ALL_LEVELS => {
                let sentence = format!("{depth} levels have too many orders to list");
                Err(Fault::say(&TOO_LARGE, "levels", sentence).hint("draw a sample, or name one order").into())
            }
            WantedOrders::Sample(count, _) if !(1..=MOST_SAMPLE).contains(count) => {
                Err(Fault::new(&BAD_VALUE, "sample", format!("an integer in 1..{MOST_SAMPLE}"), count).into())
            }
            WantedOrders::Sample(count, seed) if depth > ALL_LEVELS || (1..=depth as i64).product::<i64>() > *count => {
                Ok(self.sample(*count as usize, *seed))
            }
            WantedOrders::All | WantedOrders::Sample(..) => {
                let mut order: Vec<usize> = (0..depth).collect();
                let mut all = vec![order.clone()];
                while next_order(&mut order) {
                    all.push(order.clone());
                }
                Ok(all)
            }
        }
    }

    /// Different orders in the order of the draw. `count` is below the number of all.
    fn sample(&self, count: usize, seed: u64) -> Vec<Vec<usize>> {
        let mut stream = Stream::new(seed, "orders of levels");
        let mut seen = std::collections::BTreeSet::new();
        let mut found = Vec::with_capacity(count);
        while found.len() < count {
            let mut order: Vec<usize> = (0..self.levels.depth()).collect();
            stream.shuffle(&mut order);
            if seen.insert(order.clone()) {
                found.push(order);
            }
        }
        found
    }
}

//! Parts of a machine that do the same, apart from each other: of those that are alike one is simulated.
//!
//! ```text
//!   rank 0 ──► rank 1      rank 2 ──► rank 3      rank 4 ──► rank 6
//!        one part               one part               one part
//!        └────────── alike ──────────┘                 of its own kind
//! ```
//!
//! Ranks are in one part if one sends the other a message, if they share an endpoint, or if their packets may cross the same link. Two
//! parts are alike if ranks, endpoints and links in their order have the same programs, places, paths and speeds. Where packets
//! have a choice of paths, chance decides or what stands in buffers, so that such a part is like no other.

mod deeds;
#[cfg(test)]
mod tests;
mod way;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use netloom_model::{Outcome, Place, Reach, Routing};

use self::deeds::{Deeds, Schedules};
use self::way::Way;
use crate::event::OutputSettings;
use crate::event::part::LinkSpec;
use crate::event::routings::distinct;
use crate::event::weights::for_each_message;
use crate::parallel::divided::link_specs;
use crate::routes::channels::Plan;
use crate::routes::hops::Hops;
use crate::routes::taking::Taking;
use crate::sets::Sets;
use netloom_ranks::{Job, Load, RoutedMachine};

/// Ways of pairs of ranks that have a message, in order.
type Ways = Vec<((u32, u32), Way)>;

/// Most pairs of ranks whose ways are looked at: 400 MiB.
const MOST_PAIRS: usize = 1 << 21;

/// Which ranks act, and for whom. Ranks are numbered through all jobs.
pub(super) struct Alike {
    pub acting: Arc<[bool]>,
    /// By rank, the one that does the same and acts.
    stands: Vec<u32>,
    base: Vec<u32>,
}

impl Alike {
    /// `None` where no two parts are alike. O(messages · hops).
    ///
    /// # Errors
    /// If a message has no path, and as [`Plan::new`].
    pub fn of<'a>(
        machine: &RoutedMachine<'a>,
        jobs: &[(Job<'a>, Taking)],
        escapes: &[Option<&'a dyn Routing>],
        settings: OutputSettings,
    ) -> Outcome<Option<Alike>> {
        let spread = |(job, taking): &(Job<'_>, Taking)| {
            taking.detours() || matches!(job.work, Load::Schedule(schedule) if schedule.switches > 0)
        };
        if escapes.iter().any(Option::is_some) || jobs.iter().any(spread) {
            return Ok(None);
        }
        let Some(ways) = ways(machine, jobs, settings)? else { return Ok(None) };
        let parts = Parts::of(machine, jobs, &ways);
        if parts.ranks.len() < 2 {
            return Ok(None);
        }
        let mut likeness = Likeness::new(machine, jobs, &parts);
        let (mut kinds, mut stands) = (HashMap::new(), (0..parts.of_rank.len() as u32).collect::<Vec<u32>>());
        for part in 0..parts.ranks.len() {
            let Some(words) = likeness.words(part, &ways) else { continue };
            match kinds.entry(words) {
                Entry::Vacant(kind) => _ = kind.insert(part),
                Entry::Occupied(kind) => {
                    let same = parts.ranks[part].iter().zip(&parts.ranks[*kind.get()]);
                    same.for_each(|(rank, other)| stands[*rank as usize] = *other);
                }
            }
        }
        let acting: Arc<[bool]> = stands.iter().enumerate().map(|(rank, other)| rank as u32 == *other).collect();
        let base = bases(jobs);
        Ok(Some(Alike { acting, stands, base }).filter(|alike| alike.ranks() < alike.acting.len() as u64))
    }

    /// Ranks that act.
    pub fn ranks(&self) -> u64 {
        self.acting.iter().filter(|acts| **acts).count() as u64
    }

    /// Gives the ranks of each job that did not act what those have that act for them.
    pub fn spread(&self, of_jobs: &mut [Vec<f64>]) {
        let all: Vec<f64> = of_jobs.iter().flatten().copied().collect();
        for (job, base) in of_jobs.iter_mut().zip(&self.base) {
            for (value, stands) in job.iter_mut().zip(&self.stands[*base as usize..]) {
                *value = all[*stands as usize];
            }
        }
    }
}

fn bases(jobs: &[(Job<'_>, Taking)]) -> Vec<u32> {
    let mut next = 0;
    let base = |(job, _): &(Job<'_>, Taking)| {
        next += job.endpoint_of_rank.len() as u32;
        next - job.endpoint_of_rank.len() as u32
    };
    jobs.iter().map(base).collect()
}

/// Of every pair of ranks with a message, in order; `None` of too many.
fn ways<'a>(
    machine: &RoutedMachine<'a>,
    jobs: &[(Job<'a>, Taking)],
    settings: OutputSettings,
) -> Outcome<Option<Ways>> {
    let mut all = Vec::new();
    for ((job, taking), base) in jobs.iter().zip(bases(jobs)) {
        let mut pairs = HashSet::new();
        for_each_message(job.work, |src, dst, _, _| {
            if pairs.len() <= MOST_PAIRS {
                pairs.insert((src, dst));
            }
        });
        if pairs.len() + all.len() > MOST_PAIRS {
            return Ok(None);
        }
        let held = settings.buffer_bytes / settings.packet_bytes;
        let routing = job.routing.unwrap_or(machine.routing);
        let plan = Plan::new(machine.network, (routing, None), *taking, (settings.channels, held))?;
        // A packet that looks has a choice of channels too, where its class has several.
        let looks = taking.looks() && settings.channels.is_some_and(|channels| channels > plan.classes().into());
        let mut hops: Hops<'_> = plan.plain_hops();
        for (src, dst) in pairs {
            let mut way = Way::of(machine, &mut hops, job.place(src), job.place(dst))?;
            way.is_open |= looks && !way.classes.is_empty();
            all.push(((base + src, base + dst), way));
        }
    }
    all.sort_unstable_by_key(|(pair, _)| *pair);
    Ok(Some(all))
}

/// Ranks with the endpoints and links that they use, in sets that have nothing in common.
struct Parts {
    of_rank: Vec<u32>,
    /// Members of each part, ascending.
    ranks: Vec<Vec<u32>>,
    endpoints: Vec<Vec<u32>>,
    links: Vec<Vec<u32>>,
}

impl Parts {
    fn of(machine: &RoutedMachine<'_>, jobs: &[(Job<'_>, Taking)], ways: &Ways) -> Parts {
        let base = bases(jobs);
        let ranks: u32 = jobs.iter().map(|(job, _)| job.endpoint_of_rank.len() as u32).sum();
        let (endpoints, links) = (machine.network.endpoints(), machine.bandwidths().count() as u32);
        let (endpoint, link) = (|number: u32| ranks + number, |number: u32| ranks + endpoints + number);
        let mut sets = Sets::new(ranks + endpoints + links);
        for ((job, _), base) in jobs.iter().zip(&base) {
            job.endpoint_of_rank.iter().zip(*base..).for_each(|(at, rank)| sets.join(rank, endpoint(*at)));
            match job.work {
                Load::Schedule(schedule) => (1..schedule.ranks).for_each(|rank| sets.join(*base, base + rank)),
                Load::Programs(programs) => {
                    let members = programs.calls.iter().flat_map(|call| call.members.windows(2));
                    members.for_each(|pair| sets.join(base + pair[0], base + pair[1]));
                }
                Load::Traffic(_) => {}
            }
        }
        for ((src, dst), way) in ways {
            sets.join(*src, *dst);
            way.links.iter().for_each(|number| sets.join(*src, link(*number)));
        }
        let mut parts = Parts { of_rank: Vec::new(), ranks: Vec::new(), endpoints: Vec::new(), links: Vec::new() };
        // A root is the least member, so that each part with ranks has a rank for its root.
        let mut number = vec![0; ranks as usize];
        for rank in 0..ranks {
            let root = sets.root(rank);
            if root == rank {
                number[rank as usize] = parts.ranks.len() as u32;
                parts.ranks.push(Vec::new());
            }
            parts.of_rank.push(number[root as usize]);
            parts.ranks[number[root as usize] as usize].push(rank);
        }
        let mut members = |first: u32, count: u32| {
            let mut of_part = vec![Vec::new(); parts.ranks.len()];
            for at in 0..count {
                if let Some(part) = number.get(sets.root(first + at) as usize) {
                    of_part[*part as usize].push(at);
                }
            }
            of_part
        };
        (parts.endpoints, parts.links) = (members(ranks, endpoints), members(ranks + endpoints, links));
        parts
    }
}

/// Writes down what a part is, in words that are equal for parts that are alike.
struct Likeness<'p, 'a> {
    machine: &'p RoutedMachine<'a>,
    jobs: &'p [(Job<'a>, Taking)],
    parts: &'p Parts,
    base: Vec<u32>,
    specs: Vec<LinkSpec>,
    /// Seconds that a byte of memory takes each rank; empty where computation takes none.
    memory: Vec<f64>,
    schedules: Schedules<'a>,
    /// Of each job, the number of its routing.
    routing: Vec<u16>,
    /// Numbers of ranks, endpoints and links in their part.
    rank: Vec<u32>,
    endpoint: Vec<u32>,
    link: Vec<u32>,
}

impl<'p, 'a> Likeness<'p, 'a> {
    fn new(machine: &'p RoutedMachine<'a>, jobs: &'p [(Job<'a>, Taking)], parts: &'p Parts) -> Likeness<'p, 'a> {
        let specs = link_specs(machine);
        let numbers = |lists: &[Vec<u32>], count: usize| {
            let mut number = vec![u32::MAX; count];
            lists.iter().for_each(|list| list.iter().zip(0..).for_each(|(at, place)| number[*at as usize] = place));
            number
        };
        let (rank, link) = (numbers(&parts.ranks, parts.of_rank.len()), numbers(&parts.links, specs.len()));
        let endpoint = numbers(&parts.endpoints, machine.network.endpoints() as usize);
        let places = |(job, _): &'p (Job<'a>, Taking)| (0..job.endpoint_of_rank.len() as u32).map(|at| job.place(at));
        let places: Vec<Place> = jobs.iter().flat_map(places).collect();
        let memory = match machine.node {
            Some(node) if machine.software.bytes_per_flop != 0.0 => node.memory_s_per_byte(&places),
            _ => Vec::new(),
        };
        let (schedules, (routing, _)) = (Schedules::default(), distinct(machine, jobs, &[], false));
        Likeness { machine, jobs, parts, base: bases(jobs), specs, memory, schedules, routing, rank, endpoint, link }
    }

    /// `None` of a part in which packets have a choice.
    fn words(&mut self, part: usize, ways: &Ways) -> Option<Vec<u64>> {
        let Parts { ranks, endpoints, links, .. } = self.parts;
        let mut words = vec![ranks[part].len() as u64, endpoints[part].len() as u64, links[part].len() as u64];
        words.extend(links[part].iter().flat_map(|link| self.of_link(*link)));
        let (mut jobs, mut calls) = (Vec::new(), HashMap::new());
        for &rank in &ranks[part] {
            let number = self.base.partition_point(|base| *base <= rank) - 1;
            if !jobs.contains(&number) {
                jobs.push(number);
                calls.clear();
            }
            let bound = |rank: u64| ways.partition_point(|((src, _), _)| u64::from(*src) < rank);
            let own = &ways[bound(rank.into())..bound(u64::from(rank) + 1)];
            words.push(own.len() as u64);
            for ((_, dst), way) in own {
                if way.is_open {
                    return None;
                }
                self.of_way(*dst, way, &mut words);
            }
            words.push(jobs.len() as u64);
            self.of_rank(number, rank, &mut calls, &mut words);
        }
        Some(words)
    }

    fn of_link(&self, link: u32) -> [u64; 4] {
        let network = self.machine.network;
        let LinkSpec { bandwidth_bytes_per_s, latency_s, shared, .. } = self.specs[link as usize];
        let ends = [network.switch_links(), network.switch_links() + network.endpoints(), network.links()];
        let kind = ends.iter().filter(|end| link >= **end).count() as u64;
        [kind, bandwidth_bytes_per_s.to_bits(), latency_s.to_bits(), shared.into()]
    }

    fn of_way(&self, dst: u32, way: &Way, words: &mut Vec<u64>) {
        let reach = match way.reach {
            None | Some(Reach::Between) => 0,
            Some(Reach::Inside(None)) => 1,
            Some(Reach::Inside(Some(near))) => 2 + near as u64,
        };
        let lengths = [way.links.len(), way.classes.len()].map(|length| length as u64);
        words.extend([self.rank[dst as usize].into(), reach, way.ups.into(), lengths[0], lengths[1]]);
        words.extend(way.links.iter().map(|link| u64::from(self.link[*link as usize])));
        words.extend(way.classes.iter().map(|class| u64::from(*class)));
    }

    fn of_rank(&mut self, number: usize, rank: u32, calls: &mut HashMap<u32, u64>, words: &mut Vec<u64>) {
        let (job, _) = &self.jobs[number];
        let (base, local) = (self.base[number], rank - self.base[number]);
        let memory = self.memory.get(rank as usize).map_or(0, |seconds| seconds.to_bits());
        let endpoint = self.endpoint[job.endpoint_of_rank[local as usize] as usize];
        words.extend([
            endpoint.into(),
            memory,
            self.routing[number].into(),
            job.start_s.to_bits(),
            job.repetitions.into(),
        ]);
        let mut deeds = Deeds { words, schedules: &mut self.schedules, number: &self.rank, base };
        match job.work {
            Load::Traffic(traffic) => deeds.of_flows(traffic, local),
            Load::Programs(programs) => deeds.of_program(programs, local, calls),
            // All of its ranks are in this part, in their order.
            Load::Schedule(schedule) => {
                let schedule = deeds.schedules.number(schedule);
                deeds.words.extend([schedule, local.into()]);
            }
        }
    }
}

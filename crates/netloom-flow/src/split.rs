//! Jobs that meet nowhere: each group that shares no link and no node with others is a run of its own, at the same time as
//! the rest, and what repeats in a job that is alone is simulated once.

use std::collections::HashMap;

use netloom_model::sends::ScheduleSends;
use netloom_model::traffic::Flow;
use netloom_model::{Outcome, Progress, Sends};
use netloom_ranks::{Job, Load, RoutedMachine};
use rayon::prelude::*;

use crate::execute::Execution;
use crate::max_min::Work;
use crate::routes::Routes;

/// Fewer messages are simulated together: to look where they go takes as long.
const LEAST_MESSAGES: u64 = 1 << 15;
/// Most pairs of ranks whose routes are looked at.
const MOST_PAIRS: u64 = 1 << 21;
/// Most groups: each has the state of all links.
const MOST_GROUPS: usize = 16;

/// Jobs by the first job that they meet, directly or over others.
struct Groups(Vec<usize>);

impl Groups {
    fn first(&self, mut job: usize) -> usize {
        while self.0[job] != job {
            job = self.0[job];
        }
        job
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Groups of jobs by their numbers, each in order; `None` where there is one, or to find them takes too long. Most of them by
/// themselves; of very many, the last with others. O(pairs · path).
///
/// # Errors
/// As routes.
pub fn groups(machine: &RoutedMachine<'_>, jobs: &[Job<'_>]) -> Outcome<Option<Vec<Vec<usize>>>> {
    let messages = jobs.iter().map(Job::expected_messages).fold(0, u64::saturating_add);
    let has_switches = |job: &Job<'_>| matches!(job.work, Load::Schedule(schedule) if schedule.switches > 0);
    if jobs.len() < 2 || messages < LEAST_MESSAGES || jobs.iter().any(has_switches) {
        return Ok(None);
    }
    let mut groups = Groups((0..jobs.len()).collect());
    let mut nodes: HashMap<u32, usize> = HashMap::new();
    for (number, job) in jobs.iter().enumerate() {
        for endpoint in job.endpoint_of_rank {
            let node = machine.node.map_or(*endpoint, |node| node.of(*endpoint));
            groups.join(*nodes.entry(node).or_insert(number), number);
        }
    }
    let mut owner = vec![usize::MAX; machine.bandwidths().count()];
    let (mut routes, mut room) = (Routes::new(*machine, jobs), MOST_PAIRS);
    for (number, job) in jobs.iter().enumerate() {
        let Some(pairs) = pairs(job, room) else { return Ok(None) };
        room -= pairs.len() as u64;
        for (src, dst) in pairs {
            let [from, to] = [src, dst].map(|rank| job.place(rank));
            if machine.loops_back(from, to) {
                continue;
            }
            let route = routes.number(routes.of_job(number as u32), from, to)?;
            for used in routes.way(routes.of(route), f64::INFINITY).uses {
                let own = &mut owner[used.resource as usize];
                if *own == usize::MAX {
                    *own = number;
                }
                groups.join(*own, number);
            }
        }
    }
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); jobs.len()];
    (0..jobs.len()).for_each(|job| found[groups.first(job)].push(job));
    found.retain(|group| !group.is_empty());
    if found.len() > MOST_GROUPS {
        let rest = found.split_off(MOST_GROUPS - 1);
        found.push(rest.concat());
    }
    Ok((found.len() > 1).then_some(found))
}

/// Pairs of ranks between which messages go, some perhaps twice; `None` for more than `most`.
fn pairs(job: &Job<'_>, most: u64) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    let mut add = |src: u32, dst: u32| {
        if found.len() as u64 <= most && found.last() != Some(&(src, dst)) {
            found.push((src, dst));
        }
    };
    match job.work {
        Load::Schedule(schedule) => {
            let sends = ScheduleSends::new(schedule);
            (0..schedule.ranks).for_each(|src| sends.for_each_summed(src, &mut |dst, _, _| add(src, dst)));
        }
        Load::Programs(programs) => programs.for_each_message(|src, dst, _, _| add(src, dst)),
        Load::Traffic(traffic) => traffic.flows().iter().for_each(|flow: &Flow| add(flow.src, flow.dst)),
    }
    (found.len() as u64 <= most).then_some(found)
}

/// Runs the groups at the same time; the result is that of one run, to rounding.
///
/// # Errors
/// The first fault in the order of groups; it may number the jobs of its group alone.
pub fn together<'a>(
    jobs: &[Job<'a>],
    groups: &[Vec<usize>],
    progress: &Progress,
    run: impl Fn(&[Job<'a>], &Progress) -> Outcome<Execution> + Sync,
) -> Outcome<Execution> {
    let ran: Vec<Outcome<Execution>> =
        groups.par_iter().map(|group| run(&group.iter().map(|job| jobs[*job]).collect::<Vec<_>>(), progress)).collect();
    let mut all = Execution { finish_s: vec![Vec::new(); jobs.len()], ..Execution::default() };
    for (group, done) in groups.iter().zip(ran) {
        let done = done?;
        let ranks: usize = done.finish_s.iter().map(Vec::len).sum();
        group.iter().zip(done.finish_s).for_each(|(job, finish_s)| all.finish_s[*job] = finish_s);
        all.stopped_s = all.stopped_s.into_iter().chain(done.stopped_s).reduce(f64::min);
        all.messages += done.messages;
        all.bytes += done.bytes;
        all.periods_skipped += done.periods_skipped;
        all.work = Work {
            solves: all.work.solves + done.work.solves,
            fillings: all.work.fillings + done.work.fillings,
            entries: all.work.entries + done.work.entries,
            changes: all.work.changes + done.work.changes,
        };
        let others: usize = all.finish_s.iter().map(Vec::len).sum::<usize>() - ranks;
        all.folded_ranks = match (all.folded_ranks, done.folded_ranks) {
            (None, None) => None,
            (before, own) => Some(before.unwrap_or(others as u64) + own.unwrap_or(ranks as u64)),
        };
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use netloom_model::{Call, Schedule};
    use netloom_ranks::Spread;

    use super::*;
    use crate::tests::world;
    use crate::{Asked, Limits, execute};

    fn schedule(text: &str, ranks: i64) -> Schedule {
        netloom_workload::registry::build(&Call::parse(text).unwrap(), ranks, 0, 1 << 20).unwrap()
    }

    fn job<'a>(work: &'a Schedule, endpoint_of_rank: &'a [u32], start_s: f64) -> Job<'a> {
        Job {
            work: Load::Schedule(work),
            endpoint_of_rank,
            seat_of_rank: &[],
            routing: None,
            spread: Spread::Shares,
            start_s,
            repetitions: 8,
        }
    }

    #[test]
    fn jobs_that_meet_nowhere_run_as_if_together() {
        let w = world("fat_tree(radix=32,levels=2)");
        let (ring, pairwise) = (schedule("allreduce:ring", 64), schedule("alltoall:pairwise", 8));
        let places: Vec<Vec<u32>> = vec![(0..64).collect(), (64..72).collect(), (72..80).collect(), (80..88).collect()];
        let jobs = [
            job(&ring, &places[0], 0.0),
            job(&pairwise, &places[1], 0.25),
            job(&pairwise, &places[2], 0.0),
            job(&pairwise, &places[3], 1e-3),
        ];
        let machine = w.machine();
        assert_eq!(groups(&machine, &jobs).unwrap().unwrap(), [[0], [1], [2], [3]]);
        let run = |fold: Option<Limits>| {
            let asked = Asked { fold, periods: fold.is_some(), ..Asked::default() };
            execute(&machine, &jobs, &[], asked, &Progress::new()).unwrap()
        };
        let (apart, as_one) = (run(Some(Limits::default())), run(None));
        assert_eq!((apart.messages, apart.bytes), (as_one.messages, as_one.bytes));
        assert!(apart.periods_skipped > 0, "a job that is alone skips what repeats");
        for (a, b) in apart.finish_s.iter().flatten().zip(as_one.finish_s.iter().flatten()) {
            assert!((a - b).abs() <= 1e-12 * b, "{a} {b}");
        }
    }

    #[test]
    fn jobs_that_share_a_link_are_one_group() {
        let w = world("fat_tree(radix=32,levels=2)");
        let ring = schedule("allreduce:ring", 64);
        let [even, odd] = [0, 1].map(|first| (0..64).map(|r| 2 * r + first).collect::<Vec<u32>>());
        assert_eq!(groups(&w.machine(), &[job(&ring, &even, 0.0), job(&ring, &odd, 0.0)]).unwrap(), None);
    }
}

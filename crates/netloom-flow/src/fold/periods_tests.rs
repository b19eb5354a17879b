//! Runs that skip what repeats against runs that do not.

use std::sync::Arc;

use netloom_model::{Call, GroupCall, Network, Op, Programs, Stream};
use netloom_workload::registry;
use rayon::prelude::*;

use super::Limits;
use super::tests::{Case, EVERYTHING};
use crate::Asked;

/// Checks a case with and without skipping, folded or not; how many of the runs skip something.
fn compare(case: &Case, label: &str, folds: &[Option<Limits>]) -> u32 {
    let all = case.run(None);
    let skips = |fold: &Option<Limits>| {
        let periods = case.asked(Asked { record: false, fold: *fold, periods: true });
        assert_eq!((all.messages, all.bytes), (periods.messages, periods.bytes), "{label}");
        let apart = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-12 * a;
        if all.finish_s[0].iter().zip(&periods.finish_s[0]).any(apart) {
            assert!(case.is_chaotic(&all), "{label}: {:?} for {:?}", periods.finish_s, all.finish_s);
        }
        u32::from(periods.periods_skipped > 0)
    };
    folds.iter().map(skips).sum()
}

impl Case {
    fn move_to(&mut self, network: &str, fewer: u32) -> u32 {
        let network: Arc<Network> = Arc::new(netloom_net::registry::build(&Call::parse(network).unwrap()).unwrap());
        self.routing = netloom_net::routing::build(&network, &Call::parse("single-minimal").unwrap()).unwrap();
        let ranks = network.endpoints() - fewer;
        self.places = (0..ranks).collect();
        self.network = network;
        ranks
    }

    fn play(&mut self, name: &str, ranks: u32, bytes: i64) {
        self.schedule = registry::build(&Call::parse(name).unwrap(), ranks.into(), 0, bytes).unwrap();
    }
}

/// Rings that are long enough for rounds to repeat, and any schedule many times over.
#[test]
fn rounds_that_repeat_are_skipped_and_change_no_time() {
    let of_seed = |seed: u64| {
        let mut draw = Stream::new(seed, "periods");
        let mut case = Case::draw(&mut draw)?;
        let long = draw.below(2) == 0;
        if long {
            let network = ["ring(48)", "torus(8,8)", "star(64)", "fat_tree(radix=8,levels=3)"][draw.below(4) as usize];
            let ranks = case.move_to(network, draw.below(3) * draw.below(9));
            let name =
                ["allreduce:ring", "allgather:ring", "allreduce:ring(channels=2,local=4)"][draw.below(3) as usize];
            case.play(name, ranks, i64::from(ranks) << (4 + draw.below(12)));
        } else {
            case.repetitions = 200;
        }
        let label = format!("seed {seed}: {} on {}", case.schedule.label, case.network.label());
        Some((long, compare(&case, &label, &[None, Some(EVERYTHING)])))
    };
    let found: Vec<(bool, u32)> = (0..150).into_par_iter().filter_map(of_seed).collect();
    let skipped = [false, true].map(|long| found.iter().filter(|one| one.0 == long).map(|one| one.1).sum::<u32>());
    assert!(skipped[0] >= 30 && skipped[1] >= 30, "{skipped:?}");
}

const PIPELINES: [&str; 12] = [
    "broadcast:chain",
    "broadcast:k-ary",
    "broadcast:double-tree",
    "broadcast:circulant",
    "reduce:chain",
    "reduce:k-ary",
    "reduce:double-tree",
    "allreduce:double-tree",
    "allreduce:chained-trees",
    "allreduce:reduce-broadcast",
    "broadcast:hierarchical(4,4,algorithms=chain)",
    "allreduce:hierarchical(4,4,algorithms=chain)",
];

/// Many segments, one behind the other: some of one size, some not.
#[test]
fn pipelines_skip_segments_and_change_no_time() {
    let (mut skipped, mut drawn) = ([0; PIPELINES.len()], 0);
    for seed in 0..240 {
        let mut draw = Stream::new(seed, "pipelines");
        let Some(mut case) = Case::draw(&mut draw) else { continue };
        let network = ["torus(4,4)", "star(16)", "fat_tree(radix=4,levels=3)", "ring(16)"][draw.below(4) as usize];
        let ranks = case.move_to(network, 0);
        let (segments, of) = (100 + i64::from(draw.below(200)), draw.below(PIPELINES.len() as u32) as usize);
        let bytes = segments * i64::from(1 << (10 + draw.below(10))) + i64::from(draw.below(2));
        let name = PIPELINES[of].trim_end_matches(')');
        let name = format!("{name}{}segments={segments})", if name.contains('(') { ',' } else { '(' });
        let Ok(schedule) = registry::build(&Call::parse(&name).unwrap(), ranks.into(), 0, bytes) else { continue };
        case.schedule = schedule;
        drawn += 1;
        let label = format!("seed {seed}: {name} of {bytes} B on {}", case.network.label());
        skipped[of] += compare(&case, &label, &[None, Some(EVERYTHING)]);
    }
    assert!(drawn >= 150 && skipped.iter().filter(|skips| **skips > 0).count() >= 8, "{drawn} {skipped:?}");
}

/// Bodies of ranks, written by acts that all ranks come to in one order, so that none waits for ever.
struct Drawn<'a> {
    draw: &'a mut Stream,
    bodies: Vec<Vec<Op>>,
    calls: Vec<GroupCall>,
    tags: u32,
}

impl Drawn<'_> {
    fn ranks(&self) -> u32 {
        self.bodies.len() as u32
    }

    fn bytes(&mut self) -> u64 {
        8 << self.draw.below(14)
    }

    fn pair(&mut self) -> (usize, usize) {
        let a = self.draw.below(self.ranks());
        let b = (a + 1 + self.draw.below(self.ranks() - 1)) % self.ranks();
        (a as usize, b as usize)
    }

    /// Puts what `fill` writes into a loop or a strand of each rank.
    fn within(&mut self, made: impl Fn(u32) -> Op, fill: impl FnOnce(&mut Self)) {
        let starts: Vec<usize> = self.bodies.iter().map(Vec::len).collect();
        self.bodies.iter_mut().for_each(|body| body.push(Op::WaitAll));
        fill(self);
        for (body, start) in self.bodies.iter_mut().zip(starts) {
            match (body.len() - start - 1) as u32 {
                0 => body.truncate(start),
                ops => body[start] = made(ops),
            }
        }
    }

    fn acts(&mut self, most: u32, depth: u32) {
        (0..1 + self.draw.below(most)).for_each(|_| self.act(depth));
    }

    fn act(&mut self, depth: u32) {
        self.tags += 1;
        let (tag, bytes, ranks) = (self.tags, self.bytes(), self.ranks());
        let (a, b) = self.pair();
        match self.draw.below(if depth > 0 { 10 } else { 7 }) {
            0 => {
                for body in &mut self.bodies {
                    if self.draw.below(3) > 0 {
                        body.push(Op::Sleep { seconds: f64::from(self.draw.below(100)) * 1e-7 });
                    }
                }
            }
            1 => {
                self.bodies[a].push(Op::Send { peer: b as u32, tag, bytes });
                self.bodies[b].push(Op::Receive { peer: a as u32, tag, bytes });
            }
            2 => {
                self.bodies[b].push(Op::StartReceive { peer: a as u32, tag, bytes });
                self.bodies[a].push(Op::StartSend { peer: b as u32, tag, bytes });
                self.bodies[b].push(Op::Wait { back: 1 });
            }
            3 => {
                // A loop that goes round more often at one end.
                let times = 2 + self.draw.below(5);
                self.bodies[a].extend((0..times).map(|_| Op::StartSend { peer: b as u32, tag, bytes }));
                self.bodies[b].extend([Op::Repeat { ops: 1, times }, Op::Receive { peer: a as u32, tag, bytes }]);
                self.bodies[a].push(Op::WaitAll);
            }
            4 | 5 => {
                let by = 1 + self.draw.below(ranks - 1);
                for (rank, body) in (0..ranks).zip(&mut self.bodies) {
                    body.push(Op::StartReceive { peer: (rank + ranks - by) % ranks, tag, bytes });
                    body.push(Op::StartSend { peer: (rank + by) % ranks, tag, bytes });
                    body.push(Op::WaitAll);
                }
            }
            6 => self.collective(),
            7 => {
                let times = 2 + self.draw.below(if depth > 1 { 6 } else { 20 });
                self.within(|ops| Op::Repeat { ops, times }, |made| made.acts(2, depth - 1));
            }
            8 => {
                self.within(|ops| Op::Strand { ops }, |made| made.acts(2, 0));
                self.acts(2, 0);
                self.bodies.iter_mut().for_each(|body| body.push(Op::Join));
            }
            _ => self.acts(2, depth - 1),
        }
    }

    fn collective(&mut self) {
        let group = 2 + self.draw.below(self.ranks() - 1);
        let names = ["allreduce:ring", "broadcast:binomial", "allreduce:recursive-doubling", "alltoall:pairwise"];
        let mut members: Vec<u32> = (0..self.ranks()).collect();
        self.draw.shuffle(&mut members);
        members.truncate(group as usize);
        let call = Call::parse(names[self.draw.below(4) as usize]).unwrap();
        let schedule = Arc::new(registry::build(&call, group.into(), 0, i64::from(group) << 8).unwrap());
        for (member, rank) in (0..).zip(&members) {
            self.bodies[*rank as usize].push(Op::Collective { call: self.calls.len() as u32, member });
        }
        self.calls.push(GroupCall { schedule, members });
    }
}

/// Loops within loops, several loops, collectives, strands, ranks that loop more often than others or not at all.
#[test]
fn programs_skip_iterations_and_change_no_time() {
    let (mut skipped, mut drawn) = (0, 0);
    for seed in 0..250 {
        let mut draw = Stream::new(seed, "programs");
        let Some(mut case) = Case::draw(&mut draw) else { continue };
        case.move_to(["torus(3,3)", "star(6)", "fat_tree(radix=4,levels=2)", "ring(5)"][draw.below(4) as usize], 0);
        // Of many more iterations the sums of the run without periods are less exact.
        let again = draw.below(4) == 0;
        case.repetitions = if again { 24 } else { 1 };
        let times = if again { 2 + draw.below(8) } else { 20 + draw.below(80) };
        let bodies = vec![Vec::new(); case.places.len()];
        let mut made = Drawn { draw: &mut draw, bodies, calls: Vec::new(), tags: 0 };
        made.acts(2, 1);
        made.within(|ops| Op::Repeat { ops, times }, |made| made.acts(5, if again { 1 } else { 2 }));
        made.acts(2, 1);
        made.bodies.iter_mut().for_each(|body| body.push(Op::WaitAll));
        case.programs = Some(Programs::new("drawn", made.bodies, made.calls).unwrap());
        drawn += 1;
        let label = format!("seed {seed}: {times} times, {} on {}", case.repetitions, case.network.label());
        skipped += compare(&case, &label, &[None]);
    }
    assert!(drawn >= 200 && skipped >= 80, "{skipped} of {drawn}");
}

/// One rank ends long before the others, who go round and round: its time is not moved by what they skip.
#[test]
fn who_ended_before_keeps_its_time() {
    let mut case = Case::draw(&mut Stream::new(1, "ended")).unwrap();
    case.move_to("star(3)", 0);
    (case.software, case.repetitions) = (Default::default(), 1);
    let send = |peer| Op::Send { peer, tag: 0, bytes: 4096 };
    let receive = |peer| Op::Receive { peer, tag: 0, bytes: 4096 };
    let again = |ops: [Op; 2]| vec![Op::Repeat { ops: 2, times: 1000 }, ops[0], ops[1]];
    let bodies = vec![vec![Op::Sleep { seconds: 1e-6 }], again([send(2), receive(2)]), again([receive(1), send(1)])];
    case.programs = Some(Programs::new("ended", bodies, Vec::new()).unwrap());
    assert_eq!(compare(&case, "ended", &[None]), 1);
    assert_eq!(case.asked(Asked { record: false, fold: None, periods: true }).finish_s[0][0], 1e-6);
}

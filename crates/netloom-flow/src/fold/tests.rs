//! Folded runs against runs of all ranks.

use std::sync::Arc;

use netloom_model::machine::{MessageCost, Sharing, SizeCost};
use netloom_model::{
    Background, Call, Duplex, Network, Programs, Progress, Routing, Schedule, SizeRow, Software, Stream, Wire,
};
use netloom_workload::registry;

use super::*;
use crate::{Asked, execute};
use netloom_ranks::Spread;

pub const EVERYTHING: Limits =
    Limits { least_messages: 0, messages_per_pair: 1, ranks_per_class: 1, visits_per_message: 1 << 30 };

const NETWORKS: [&str; 10] = [
    "rail_cluster(nodes=8,gpus=4,pod=4)",
    "complete(1,p=16)",
    "ring(12)",
    "torus(4,4)",
    "torus(3,4,2)",
    "star(8)",
    "fat_tree(radix=4,levels=3)",
    "thin_tree(4,2,2)",
    "dragonfly(a=4,p=2,h=2,g=3)",
    "hypercube(4)",
];
const SCHEDULES: [&str; 19] = [
    "allreduce:chained-trees(channels=4,local=4,protocol=simple)",
    "allreduce:ring",
    "allreduce:recursive-doubling",
    "allreduce:rabenseifner",
    "allreduce:double-tree(segments=4)",
    "allreduce:reduce-broadcast",
    "allreduce:swing",
    "allreduce:bine",
    "allreduce:ring(channels=2,local=2)",
    "allreduce:ring(channels=4,local=4,protocol=simple)",
    "allreduce:chained-trees(protocol=ll128)",
    "allgather:ring",
    "allgather:bruck",
    "broadcast:binomial",
    "broadcast:linear",
    "reduce:binomial",
    "alltoall:pairwise",
    "alltoall:linear",
    "barrier:dissemination",
];

pub struct Case {
    pub network: Arc<Network>,
    pub routing: Box<dyn Routing>,
    pub schedule: Schedule,
    /// Instead of the schedule.
    pub programs: Option<Programs>,
    pub places: Vec<u32>,
    pub wire: Wire,
    pub software: Software,
    pub repetitions: u32,
}

impl Case {
    pub fn draw(draw: &mut Stream) -> Option<Case> {
        let network = NETWORKS[draw.below(NETWORKS.len() as u32) as usize];
        let network = Arc::new(netloom_net::registry::build(&Call::parse(network).unwrap()).unwrap());
        let routing = netloom_net::routing::build(&network, &Call::parse("single-minimal").unwrap()).unwrap();
        let endpoints = network.endpoints();
        let ranks = if draw.below(2) == 0 { endpoints } else { 2 + draw.below(endpoints - 1) };
        let name = SCHEDULES[draw.below(SCHEDULES.len() as u32) as usize];
        let bytes = if draw.below(4) == 0 { 1009 } else { i64::from(ranks) << (3 + draw.below(12)) };
        let schedule = registry::build(&Call::parse(name).unwrap(), ranks.into(), 0, bytes).ok()?;
        let mut places: Vec<u32> = (0..endpoints).collect();
        if draw.below(4) == 0 {
            draw.shuffle(&mut places);
        }
        places.truncate(ranks as usize);
        let wire = Wire {
            sharing: if draw.below(2) == 0 { Sharing::Equal } else { Sharing::Rtt },
            duplex: if draw.below(5) == 0 { Duplex::Half } else { Duplex::Full },
            cross_traffic: if draw.below(5) == 0 { 0.05 } else { 0.0 },
            switch_latency_s: 1e-7,
            ..Wire::default()
        };
        let repetitions = 1 + draw.below(2);
        let software = software(draw);
        Some(Case { network, routing, schedule, programs: None, places, wire, software, repetitions })
    }

    /// True if flows of a millionth of a byte move ends by much more: then the order in which rates are computed does so too.
    pub fn is_chaotic(&self, ends: &crate::Execution) -> bool {
        let mut draw = Stream::new(0, "shake");
        let mut flow = |_| {
            let mut some = || self.places[draw.below(self.places.len() as u32) as usize];
            let (src, dst) = (some(), some());
            let start_s = ends.end_s() * f64::from(draw.below(1 << 20)) / f64::from(1 << 20);
            Background { src, dst, start_s, bytes: 1e-6, cap_bytes_per_s: f64::INFINITY }
        };
        (0..10).any(|_| {
            let moved = self.over(&(0..200).map(&mut flow).collect::<Vec<_>>(), Asked::default());
            ends.finish_s[0].iter().zip(&moved.finish_s[0]).any(|(a, b)| (a - b).abs() > 1e-8 * a)
        })
    }

    pub fn run(&self, fold: Option<Limits>) -> crate::Execution {
        self.asked(Asked { record: false, fold, periods: false })
    }

    pub fn asked(&self, asked: Asked) -> crate::Execution {
        self.over(&[], asked)
    }

    fn over(&self, background: &[Background], asked: Asked) -> crate::Execution {
        let machine = RoutedMachine {
            network: &self.network,
            node: None,
            routing: self.routing.as_ref(),
            wire: &self.wire,
            software: &self.software,
        };
        let job = Job {
            work: self.programs.as_ref().map_or(Load::Schedule(&self.schedule), Load::Programs),
            endpoint_of_rank: &self.places,
            routing: None,
            seat_of_rank: &[],
            spread: Spread::Shares,
            start_s: 0.0,
            repetitions: self.repetitions,
        };
        execute(&machine, &[job], background, asked, &Progress::new()).unwrap()
    }
}

fn rows(values: &[f64]) -> Vec<SizeRow> {
    vec![SizeRow { above_bytes: 0, values: values.to_vec() }]
}

fn software(draw: &mut Stream) -> Software {
    let mut made = Software::default();
    if draw.below(2) == 0 {
        return made;
    }
    let mut maybe = |scale: f64| if draw.below(2) == 0 { scale * f64::from(1 + draw.below(9)) } else { 0.0 };
    let latency = SizeCost { rows: rows(&[maybe(1e-6), maybe(1e-11)]), envelope_bytes: 0 };
    let message = MessageCost { latency, cap: Vec::new(), ..MessageCost::default() };
    made.plain.between = message.clone();
    made.protocols.iter_mut().for_each(|costs| costs.between = message.clone());
    made.rendezvous_s = maybe(1e-6);
    made.message_gap_s = maybe(1e-7);
    made.nic_message_gap_s = maybe(1e-7);
    made.endpoint_message_s = maybe(1e-7);
    made.combine = rows(&[maybe(1e-11)]);
    made.copy = rows(&[maybe(1e-11)]);
    made.call_overhead_s = maybe(1e-6);
    if maybe(1.0) > 5.0 {
        made.plain.between.rank_cap = rows(&[3e9]);
    }
    if maybe(1.0) > 5.0 {
        made.crossing_cap = rows(&[2e9]);
    }
    if maybe(1.0) > 5.0 {
        made.nonblocking_send = SizeCost { rows: rows(&[3e-7, 1e-11]), envelope_bytes: 0 };
    }
    made
}

#[test]
fn a_folded_run_gives_every_rank_its_time() {
    let (mut folds, mut chaotic, mut by_channel) = ([0, 0], 0, 0);
    for seed in 0..1000 {
        let mut draw = Stream::new(seed, "fold");
        let Some(case) = Case::draw(&mut draw) else { continue };
        let (all, folded) = (case.run(None), case.run(Some(EVERYTHING)));
        let ranks = case.schedule.ranks;
        let label = format!("seed {seed}: {} on {} of {}", case.schedule.label, ranks, case.network.label());
        let Some(classes) = folded.folded_ranks else { continue };
        by_channel += u32::from(case.schedule.channels > 1 && case.repetitions == 1);
        folds[usize::from(classes * 2 <= u64::from(ranks))] += 1;
        assert_eq!((all.messages, all.bytes), (folded.messages, folded.bytes), "{label}");
        let apart = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-12 * a;
        if all.finish_s[0].iter().zip(&folded.finish_s[0]).any(apart) {
            chaotic += 1;
            assert!(case.is_chaotic(&all), "{label}, {classes} classes: {:?} for {:?}", folded.finish_s, all.finish_s);
        }
    }
    assert!(folds[0] >= 200 && folds[1] >= 150 && by_channel >= 50 && chaotic < 20, "{folds:?} {by_channel} {chaotic}");
}

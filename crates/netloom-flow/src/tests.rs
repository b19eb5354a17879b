//! The engine against closed forms, against itself in two forms, and on inputs that cannot run.

use std::sync::Arc;

use netloom_model::machine::{Sharing, SizeCost};
use netloom_model::{
    Background, Call, Clock, Duplex, Network, Op, Outcome, Programs, Progress, Routing, Schedule, SizeRow, Software,
    Stream, Wire,
};
use netloom_workload::{listed, registry};
use proptest::prelude::*;

use super::*;
use netloom_ranks::{Job, Load, RoutedMachine, Spread, critical_path};

pub struct World {
    network: Arc<Network>,
    routing: Box<dyn Routing>,
    wire: Wire,
    software: Software,
}

const BANDWIDTH: f64 = 12.5e9;
const LATENCY: f64 = 1e-7;

pub fn world(text: &str) -> World {
    let network = Arc::new(netloom_net::registry::build(&Call::parse(text).unwrap()).unwrap());
    let routing = netloom_net::routing::build(&network, &Call::parse("single-minimal").unwrap()).unwrap();
    World { network, routing, wire: Wire::default(), software: Software::default() }
}

impl World {
    fn with(mut self, change: impl FnOnce(&mut Wire)) -> World {
        change(&mut self.wire);
        self
    }
    pub fn machine(&self) -> RoutedMachine<'_> {
        RoutedMachine {
            network: &self.network,
            node: None,
            routing: self.routing.as_ref(),
            wire: &self.wire,
            software: &self.software,
        }
    }
    fn run(&self, load: Load<'_>, repetitions: u32) -> Outcome<Execution> {
        let ranks = match load {
            Load::Schedule(s) => s.ranks,
            Load::Programs(p) => p.ranks(),
            Load::Traffic(t) => t.ranks,
        };
        let mapping: Vec<u32> = (0..ranks).collect();
        let job = Job {
            work: load,
            endpoint_of_rank: &mapping,
            routing: None,
            seat_of_rank: &[],
            spread: Spread::Shares,
            start_s: 0.0,
            repetitions,
        };
        execute(&self.machine(), &[job], &[], Asked::default(), &Progress::new())
    }
    pub fn programs(&self, bodies: Vec<Vec<Op>>) -> Outcome<Execution> {
        self.run(Load::Programs(&Programs::new("test", bodies, Vec::new()).unwrap()), 1)
    }
}

fn schedule(name: &str, ranks: u32, bytes: u64) -> Schedule {
    registry::build(&Call::parse(name).unwrap(), i64::from(ranks), 0, bytes as i64).unwrap()
}

pub fn near(got: f64, wanted: f64) {
    assert!((got - wanted).abs() <= 1e-12 * wanted, "{got} for {wanted}");
}

/// Time of a message alone over `hops` switch links: two more links reach the endpoints.
pub fn alone(hops: f64, bytes: f64) -> f64 {
    (hops + 2.0) * LATENCY + bytes / BANDWIDTH
}

pub fn send(peer: u32, bytes: u64) -> Op {
    Op::Send { peer, tag: 0, bytes }
}
pub fn receive(peer: u32, bytes: u64) -> Op {
    Op::Receive { peer, tag: 0, bytes }
}

fn row(above_bytes: u64, values: &[f64]) -> SizeRow {
    SizeRow { above_bytes, values: values.to_vec() }
}

/// Of messages of every size.
fn overhead(fixed_s: f64, s_per_byte: f64, envelope_bytes: u64) -> SizeCost {
    SizeCost { rows: vec![row(0, &[fixed_s, s_per_byte])], envelope_bytes }
}

#[test]
fn a_message_takes_latency_and_bytes_over_bandwidth() {
    let out = world("ring(4)").programs(vec![vec![send(2, 1 << 20)], vec![], vec![receive(0, 1 << 20)]]).unwrap();
    near(out.finish_s[0][2], alone(2.0, 1048576.0));
    near(out.finish_s[0][0], alone(2.0, 1048576.0));
    assert_eq!((out.messages, out.bytes), (1, 1 << 20));
}

#[test]
fn small_sends_return_at_once_and_wait_for_their_receive() {
    let late = Op::Sleep { seconds: 1e-3 };
    let bodies = |bytes| vec![vec![send(1, bytes)], vec![late, receive(0, bytes)]];
    let out = world("ring(4)").programs(bodies(65535)).unwrap();
    assert_eq!(out.finish_s[0][0], 0.0);
    near(out.finish_s[0][1], 1e-3 + alone(1.0, 65535.0));
    let out = world("ring(4)").programs(bodies(65536)).unwrap();
    near(out.finish_s[0][0], 1e-3 + alone(1.0, 65536.0));
    let mut early = world("ring(4)");
    early.software.starts_early_below_bytes = 1 << 20;
    assert_eq!(early.programs(bodies(1000)).unwrap().finish_s[0], [0.0, 1e-3]);
}

#[test]
fn corrections_and_overheads_add_up() {
    let mut corrected = world("ring(4)").with(|wire| {
        wire.envelope_bytes = 16;
        wire.latency_factors = vec![row(0, &[2.0]), row(1000, &[3.0])];
        wire.bandwidth_factors = vec![row(0, &[0.5])];
    });
    corrected.software.send = overhead(1e-6, 1e-9, 16);
    corrected.software.receive = overhead(2e-6, 0.0, 16);
    let out = corrected.programs(vec![vec![send(1, 984)], vec![receive(0, 1000)]]).unwrap();
    near(out.finish_s[0][0], 1e-6 + 1000e-9);
    near(out.finish_s[0][1], 1e-6 + 1000e-9 + 2.0 * 3.0 * LATENCY + 1000.0 / (0.5 * BANDWIDTH) + 2e-6);
}

#[test]
fn two_messages_into_one_endpoint_share_it() {
    let bodies = vec![
        vec![send(1, 1 << 20)],
        vec![
            Op::StartReceive { peer: 0, tag: 0, bytes: 1 << 20 },
            Op::StartReceive { peer: 2, tag: 0, bytes: 1 << 20 },
            Op::WaitAll,
        ],
        vec![send(1, 1 << 20)],
    ];
    let out = world("ring(4)").programs(bodies).unwrap();
    near(out.finish_s[0][1], 3.0 * LATENCY + 2.0 * 1048576.0 / BANDWIDTH);
}

#[test]
fn an_exchange_takes_twice_as_long_on_half_duplex() {
    let exchange = |peer| {
        vec![
            Op::StartReceive { peer, tag: 0, bytes: 1 << 20 },
            Op::StartSend { peer, tag: 0, bytes: 1 << 20 },
            Op::WaitAll,
        ]
    };
    let mut w = world("ring(4)");
    near(w.programs(vec![exchange(1), exchange(0)]).unwrap().end_s(), alone(1.0, 1048576.0));
    w.wire.duplex = Duplex::Half;
    near(w.programs(vec![exchange(1), exchange(0)]).unwrap().end_s(), alone(1.0, 2.0 * 1048576.0));
}

/// In ring order on circulant(1024, 2^k) every message of recursive doubling and of the binomial tree goes one hop.
#[test]
fn collectives_on_the_circulant_network_take_their_closed_forms() {
    let w = world("circulant(1024,pow2)");
    let doubling = schedule("allreduce:recursive-doubling", 512, 1 << 20);
    near(w.run(Load::Schedule(&doubling), 10).unwrap().end_s(), 90.0 * alone(1.0, 1048576.0));
    // Rendezvous: the root's sends come one after another, and the last rank gets it after nine messages.
    let binomial = schedule("broadcast:binomial", 512, 65536);
    near(w.run(Load::Schedule(&binomial), 1).unwrap().end_s(), 9.0 * alone(1.0, 65536.0));
}

#[test]
fn loops_and_collectives_inside_programs_are_played() {
    let w = world("circulant(64,pow2)");
    let call = netloom_model::GroupCall {
        schedule: Arc::new(schedule("allreduce:recursive-doubling", 4, 1 << 20)),
        members: vec![8, 9, 10, 11],
    };
    let body = |rank: u32| match rank {
        8..12 => vec![
            Op::Repeat { ops: 2, times: 3 },
            Op::Compute { flops: 1e6 },
            Op::Collective { call: 0, member: rank - 8 },
        ],
        _ => Vec::new(),
    };
    let programs = Programs::new("loop", (0..12).map(body).collect(), vec![call]).unwrap();
    let out = w.run(Load::Programs(&programs), 2).unwrap();
    near(out.end_s(), 6.0 * (1e-5 + 2.0 * alone(1.0, 1048576.0)));
    assert_eq!(out.messages, 6 * 8);
}

#[test]
fn jobs_share_the_network_and_background_slows_them() {
    let w = world("ring(8)");
    let pair = Programs::new("pair", vec![vec![send(1, 1 << 20)], vec![receive(0, 1 << 20)]], Vec::new()).unwrap();
    let (here, there) = ([0u32, 2], [1u32, 3]);
    let job = |mapping, start_s| Job {
        work: Load::Programs(&pair),
        endpoint_of_rank: mapping,
        routing: None,
        seat_of_rank: &[],
        spread: Spread::Shares,
        start_s,
        repetitions: 1,
    };
    let run = |jobs: &[Job<'_>], background: &[Background]| {
        execute(&w.machine(), jobs, background, Asked::default(), &Progress::new()).unwrap().finish_s
    };
    let bytes = 1048576.0;
    // Both cross the link from switch 1 to switch 2.
    let together = run(&[job(&here, 0.0), job(&there, 0.0)], &[]);
    near(together[0][1], alone(2.0, 2.0 * bytes));
    near(together[1][1], alone(2.0, 2.0 * bytes));
    let apart = run(&[job(&here, 0.0), job(&there, 0.125)], &[]);
    near(apart[1][1] - 0.125, alone(2.0, bytes));
    let steady = Background { src: 1, dst: 2, bytes: f64::INFINITY, start_s: 0.0, cap_bytes_per_s: BANDWIDTH / 4.0 };
    near(run(&[job(&here, 0.125)], &[steady])[0][1] - 0.125, alone(2.0, bytes / 0.75));
}

/// Two jobs send from one corner of a mesh to the next, each by its own routing.
#[test]
fn every_job_has_its_own_routing() {
    let mut w = world("mesh(3,3)");
    let by = |text: &str| netloom_net::routing::build(&w.network, &Call::parse(text).unwrap()).unwrap();
    let ways = [by("dimension-ordered"), by("dimension-ordered(order=[1,0])")];
    let pair = Programs::new("pair", vec![vec![send(1, 1 << 20)], vec![receive(0, 1 << 20)]], Vec::new()).unwrap();
    let run = |w: &World, own: [Option<&dyn Routing>; 2]| {
        let (work, endpoint_of_rank) = (Load::Programs(&pair), &[0, 8][..]);
        let jobs = own.map(|routing| Job {
            work,
            endpoint_of_rank,
            routing,
            seat_of_rank: &[],
            spread: Spread::Shares,
            start_s: 0.0,
            repetitions: 1,
        });
        let done =
            execute(&w.machine(), &jobs, &[], Asked { record: true, ..Asked::default() }, &Progress::new()).unwrap();
        near(done.end_s(), alone(4.0, 2.0 * 1048576.0));
        done.trace.unwrap().link_bins.links
    };
    let (a, b) = (Some(ways[0].as_ref()), Some(ways[1].as_ref()));
    let (apart, of_a, of_b) = (run(&w, [a, b]), run(&w, [a, a]), run(&w, [b, b]));
    // Both share injection and ejection; the links between switches show the routes.
    assert_eq!((of_a.len(), of_b.len()), (6, 6));
    assert!(of_a != of_b && of_a.iter().chain(&of_b).all(|link| apart.contains(link)), "{of_a:?} {of_b:?} {apart:?}");
    // A job without a routing uses the machine's.
    w.routing = by("dimension-ordered(order=[1,0])");
    assert_eq!(run(&w, [None, None]), of_b);
    assert_eq!(run(&w, [a, None]), apart);
}

#[test]
fn what_cannot_run_is_said() {
    let w = world("ring(4)");
    let fault = |bodies| w.programs(bodies).unwrap_err().to_string();
    let big = 1 << 20;
    let cycle = fault(vec![vec![send(1, big), receive(2, 8)], vec![send(2, big)], vec![send(0, big)]]);
    assert!(cycle.contains("NL-E012") && cycle.contains("cycle of 3 ranks: rank 0 waits to send to rank 1"), "{cycle}");
    let lost = fault(vec![vec![receive(1, 8)], vec![]]);
    assert!(lost.contains("NL-E013") && lost.contains("rank 0 waits to receive from rank 1"), "{lost}");
    let left = fault(vec![vec![send(1, 8)], vec![]]);
    assert!(left.contains("NL-E013") && left.contains("rank 0 sent 8 B to rank 1"), "{left}");
    let long = fault(vec![vec![send(1, 9)], vec![receive(0, 8)]]);
    assert!(long.contains("NL-E014") && long.contains("at most 8 B"), "{long}");
    let tags =
        fault(vec![vec![Op::Send { peer: 1, tag: 1, bytes: 8 }], vec![Op::Receive { peer: 0, tag: 2, bytes: 8 }]]);
    assert!(tags.contains("NL-E013"), "{tags}");
    let for_ever = fault(vec![vec![Op::Repeat { ops: 1, times: 10 }, Op::Sleep { seconds: 1e308 }]]);
    assert!(for_ever.contains("NL-E016"), "{for_ever}");
}

/// Several ranks on one endpoint: messages among them use no link, messages to others share theirs.
#[test]
fn ranks_may_share_an_endpoint() {
    let w = world("ring(4)").with(|c| c.loopback_bandwidth_bytes_per_s = 1e9);
    let bodies = vec![
        vec![send(2, 1 << 20)],
        vec![send(3, 1 << 20)],
        vec![receive(0, 1 << 20), Op::StartSend { peer: 3, tag: 1, bytes: 1000 }, Op::WaitAll],
        vec![receive(1, 1 << 20), Op::Receive { peer: 2, tag: 1, bytes: 1000 }],
    ];
    let programs = Programs::new("shared", bodies, Vec::new()).unwrap();
    let job = Job {
        work: Load::Programs(&programs),
        endpoint_of_rank: &[0, 0, 1, 1],
        routing: None,
        seat_of_rank: &[],
        spread: Spread::Shares,
        start_s: 0.0,
        repetitions: 1,
    };
    let out = execute(&w.machine(), &[job], &[], Asked::default(), &Progress::new()).unwrap();
    near(out.finish_s[0][3], alone(1.0, 2.0 * 1048576.0) + 1000.0 / 1e9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A cyclic schedule takes the same time when its messages are listed, and all bytes arrive; a faster network is
    /// never slower for messages that do not share links.
    #[test]
    fn both_forms_of_a_schedule_take_the_same_time(
        which in 0usize..6, ranks in 2u32..20, bytes in 0u64..200_000, rtt in any::<bool>(),
    ) {
        let name = ["allreduce:ring", "alltoall:pairwise", "alltoall:bruck", "allgather:ring", "barrier:dissemination",
            "alltoall:scattered"][which];
        let cyclic = schedule(name, ranks, bytes);
        let explicit = listed(&cyclic).unwrap();
        let w = world("random_shortcut(64,degree=5,seed=3)")
            .with(|c| c.sharing = if rtt { Sharing::Rtt } else { Sharing::Equal });
        let (a, b) = (w.run(Load::Schedule(&cyclic), 2).unwrap(), w.run(Load::Schedule(&explicit), 2).unwrap());
        for (x, y) in a.finish_s[0].iter().zip(&b.finish_s[0]) {
            prop_assert!((x - y).abs() <= 1e-12 * y, "{} {}", x, y);
        }
        let mut sent = 0;
        cyclic.for_each_message(|m| sent += if m.src == m.dst { 0 } else { m.bytes });
        prop_assert_eq!((a.messages, a.bytes), (b.messages, 2 * sent));
    }

    /// Recording changes no time, and the record covers every rank from start to end.
    #[test]
    fn a_trace_changes_nothing(ranks in 2u32..12, bytes in 0u64..100_000) {
        let w = world("ring(16)");
        let s = schedule("allreduce:ring", ranks, bytes);
        let mapping: Vec<u32> = (0..ranks).collect();
        let job = Job { work: Load::Schedule(&s), endpoint_of_rank: &mapping, routing: None, seat_of_rank: &[], spread: Spread::Shares, start_s: 0.0, repetitions: 1 };
        let plain = execute(&w.machine(), &[job], &[], Asked::default(), &Progress::new()).unwrap();
        let traced = execute(&w.machine(), &[job], &[], Asked { record: true, ..Asked::default() }, &Progress::new()).unwrap();
        prop_assert_eq!(&plain.finish_s, &traced.finish_s);
        let trace = traced.trace.unwrap();
        prop_assert_eq!(trace.messages.len() as u64, traced.messages);
        for rank in 0..ranks {
            let spent: f64 =
                trace.intervals.iter().filter(|i| i.rank == rank).map(|i| i.end_s - i.start_s).sum();
            prop_assert!((spent - traced.finish_s[0][rank as usize]).abs() < 1e-12);
        }
        let links = 2.0 + 1.0;
        prop_assert!((trace.link_bins.bytes.iter().sum::<f64>() - traced.bytes as f64 * links).abs()
            <= 1e-6 * traced.bytes as f64 + 1e-6 || ranks > 2);
        let path = critical_path(&trace, &|message| traced.alone_s[message as usize]);
        prop_assert!((path.total_s - traced.finish_s[0].iter().copied().fold(0.0, f64::max)).abs() < 1e-15);
    }
}

/// A reused stopwatch gives the same time as a new simulation, to the last bit, also after aborted runs.
#[test]
fn a_stopwatch_forgets_nothing_and_remembers_nothing() {
    let corrected = |c: &mut Wire| {
        c.sharing = Sharing::Smpi { weight_s_bytes: 8775.0 };
        (c.cross_traffic, c.tcp_window_bytes) = (0.05, 4e6);
    };
    let programs = Programs::of_schedule(&schedule("allgather:ring", 24, 200_000)).unwrap();
    let traffic = netloom_model::Traffic::of_schedule(&schedule("alltoall:pairwise", 24, 3000)).unwrap();
    let (tree, bruck) = (schedule("broadcast:binomial", 24, 1 << 16), schedule("alltoall:bruck", 24, 1000));
    let mut costly = world("ring(32)").with(corrected);
    costly.software.starts_early_below_bytes = 4096;
    (costly.software.send, costly.software.receive) = (overhead(1e-6, 1e-9, 0), overhead(2e-6, 0.0, 0));
    let equal = world("torus(4,8)").with(|c| c.sharing = Sharing::Equal);
    for w in [world("random_shortcut(32,degree=5,seed=3)"), equal, costly] {
        let machine = w.machine();
        for work in [Load::Schedule(&tree), Load::Schedule(&bruck), Load::Programs(&programs), Load::Traffic(&traffic)]
        {
            let mut mapping: Vec<u32> = (0..32).collect();
            let first = mapping[..24].to_vec();
            let stop = Progress::new();
            let job = Job {
                work,
                endpoint_of_rank: &first,
                routing: None,
                seat_of_rank: &[],
                spread: Spread::Shares,
                start_s: 0.0,
                repetitions: 3,
            };
            let watch = stopwatch(&machine, job, 1, &stop).unwrap();
            let mut draw = Stream::new(1, "mappings");
            for _ in 0..8 {
                draw.shuffle(&mut mapping);
                let endpoint_of_rank = &mapping[..24];
                let alone =
                    execute(&machine, &[Job { endpoint_of_rank, ..job }], &[], Asked::default(), &Progress::new());
                let time = alone.unwrap().end_s();
                assert_eq!(watch.time_s(endpoint_of_rank, f64::INFINITY).unwrap(), Some(time));
                assert_eq!(watch.time_s(endpoint_of_rank, time * (1.0 - 1e-12)).unwrap(), None);
                assert_eq!(watch.time_s(endpoint_of_rank, time / 3.0).unwrap(), None);
                assert_eq!(watch.time_s(endpoint_of_rank, time).unwrap(), Some(time));
            }
            assert!(watch.time_s(&mapping, f64::INFINITY).unwrap_err().to_string().contains("NL-E001"));
            stop.request_stop();
            assert_eq!(watch.time_s(&first, f64::INFINITY).unwrap(), None);
        }
    }
}

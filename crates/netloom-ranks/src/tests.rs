//! The engine of ranks over the simplest possible transport: no network, no contention.

use netloom_model::{Call, Op, Outcome, Programs, Progress, Reach, Schedule, Time};
use netloom_workload::registry;

use crate::*;

const LATENCY: f64 = 1e-6;
const BANDWIDTH: f64 = 1e9;

/// Every message takes a latency and its bytes over a bandwidth, independent of other messages.
#[derive(Clone, Default)]
struct Alone {
    /// (end, order of request, message), and when messages began.
    under_way: std::collections::BTreeSet<(Time, u64, u32)>,
    begun: Vec<Passage>,
    asked: u64,
}

impl Transport for Alone {
    type Work = u64;

    fn check(&self, _: &Job<'_>) -> Outcome<()> {
        Ok(())
    }
    fn reach(&self, from: netloom_model::Place, to: netloom_model::Place) -> Reach {
        if from == to { Reach::Inside(None) } else { Reach::Between }
    }
    fn begin(&mut self, now: Time, payload: Payload, id: u32) -> Outcome<()> {
        let passage = Passage { flow: now.after(LATENCY), alone_s: payload.bytes as f64 / BANDWIDTH };
        self.begun.resize(self.begun.len().max(id as usize + 1), passage);
        self.begun[id as usize] = passage;
        self.asked += 1;
        self.under_way.insert((passage.flow.after(passage.alone_s), self.asked, id));
        Ok(())
    }
    fn next(&mut self, _: Time) -> Outcome<Option<Time>> {
        Ok(self.under_way.first().map(|(time, ..)| *time))
    }
    fn advance(&mut self, now: Time, done: &mut Vec<u32>) -> Outcome<()> {
        while let Some((time, asked, id)) = self.under_way.first().copied()
            && time <= now.instant_end()
        {
            self.under_way.remove(&(time, asked, id));
            done.push(id);
        }
        Ok(())
    }
    fn settle(&mut self, _: Time) {}
    fn reset(&mut self) {
        *self = Alone::default();
    }
    fn record(&mut self) {}
    fn passage(&self, id: u32) -> Passage {
        self.begun[id as usize]
    }
    fn link_bins(&mut self) -> LinkBins {
        LinkBins::default()
    }
    fn work(&mut self) -> Outcome<u64> {
        Ok(self.asked)
    }
}

fn software() -> Software {
    Software { sender_returns_below_bytes: 0, starts_early_below_bytes: 0, flops_per_s: 1e9, ..Software::default() }
}

fn schedule(name: &str, ranks: u32, bytes: i64) -> Schedule {
    registry::build(&Call::parse(name).unwrap(), i64::from(ranks), 0, bytes).unwrap()
}

fn played(work: Load<'_>, repetitions: u32, record: bool) -> Outcome<Execution<u64>> {
    let endpoint_of_rank: Vec<u32> = (0..work.ranks()).collect();
    let job = Job {
        work,
        endpoint_of_rank: &endpoint_of_rank,
        routing: None,
        seat_of_rank: &[],
        spread: Spread::Shares,
        start_s: 0.0,
        repetitions,
    };
    run(Alone::default(), software(), &[job], Manner { record, ..Manner::default() }, &Progress::new())
}

/// End of every rank, from the definition of a schedule: in each step all messages of a rank start when it and the
/// partner have reached the step, and it continues when all of them have arrived. Channels go on by themselves.
fn by_definition(schedule: &Schedule) -> Vec<f64> {
    let channels = (0..schedule.channels).map(|channel| of_channel(schedule, channel));
    channels.reduce(|all, one| all.iter().zip(one).map(|(a, b)| a.max(b)).collect()).unwrap()
}

fn of_channel(schedule: &Schedule, channel: u32) -> Vec<f64> {
    let mut ready = vec![0.0f64; schedule.ranks as usize];
    let (mut steps, mut messages, mut at) = (Vec::new(), Vec::new(), 0);
    schedule.for_each_message(|m| {
        let list = schedule.rounds.listed();
        let own = list.transfers.get(at).map_or(0, |t| schedule.channel_of(list.held(t)[0].first));
        at += 1;
        if m.src != m.dst && own == channel {
            messages.push((m.step, m.src as usize, m.dst as usize, m.bytes));
            steps.push(m.step);
        }
    });
    steps.dedup();
    for step in steps {
        let before = ready.clone();
        for &(of, src, dst, bytes) in messages.iter().filter(|(of, ..)| *of == step) {
            let end = before[src].max(before[dst]) + LATENCY + bytes as f64 / BANDWIDTH;
            debug_assert_eq!(of, step);
            (ready[src], ready[dst]) = (ready[src].max(end), ready[dst].max(end));
        }
    }
    ready
}

/// Textbook closed forms on powers of two, where messages of a rank in one step do not wait for each other.
#[test]
fn collectives_take_their_closed_forms() {
    let near = |name: &str, ranks: u32, bytes: i64, wanted: f64| {
        let schedule = schedule(name, ranks, bytes);
        let got = played(Load::Schedule(&schedule), 1, false).unwrap().end_s();
        assert!((got - wanted).abs() <= 1e-9 * wanted, "{name} {ranks} {bytes}: {got} for {wanted}");
    };
    let message = |bytes: f64| LATENCY + bytes / BANDWIDTH;
    for power in 1..=8u32 {
        let (ranks, steps) = (1u32 << power, f64::from(power));
        for bytes in [1024i64, 1 << 20] {
            let (m, p) = (bytes as f64, f64::from(ranks));
            near("allreduce:recursive-doubling", ranks, bytes, steps * message(m));
            near("allreduce:ring", ranks, bytes, 2.0 * (p - 1.0) * message(m / p));
            near("broadcast:binomial", ranks, bytes, steps * message(m));
            near("allgather:ring", ranks, bytes, (p - 1.0) * message(m));
            near("alltoall:pairwise", ranks, bytes, (p - 1.0) * message(m));
            near("alltoall:bruck", ranks, bytes, steps * message(m * p / 2.0));
        }
    }
}

/// Every algorithm of every collective, on every number of ranks up to 17 that it takes, rank by rank.
#[test]
fn every_collective_is_played_as_it_is_defined() {
    let mut played_ones = 0;
    for row in netloom_workload::COLLECTIVES.rows {
        for ranks in 2..=17 {
            let call = Call::parse(row.name).unwrap();
            let Ok(schedule) = registry::build(&call, i64::from(ranks), 0, 1000) else { continue };
            let out = played(Load::Schedule(&schedule), 1, false).unwrap();
            for (rank, (got, wanted)) in out.finish_s[0].iter().zip(by_definition(&schedule)).enumerate() {
                assert!((got - wanted).abs() <= 1e-9 * wanted, "{} {ranks}: rank {rank}: {got} {wanted}", row.name);
            }
            assert_eq!(out.messages, out.work);
            played_ones += 1;
        }
    }
    assert!(played_ones > 300, "{played_ones}");
}

#[test]
fn a_record_has_no_contention_where_there_is_none() {
    let schedule = schedule("allreduce:recursive-doubling", 8, 4096);
    let out = played(Load::Schedule(&schedule), 3, true).unwrap();
    let path = critical_path(out.trace.as_ref().unwrap(), &|message| out.alone_s[message as usize]);
    assert_eq!(path.total_s, out.end_s());
    assert!((path.share_s(Stretch::Latency) - 9.0 * LATENCY).abs() <= 1e-9 * path.total_s);
    assert!((path.share_s(Stretch::Bandwidth) - 9.0 * 4096.0 / BANDWIDTH).abs() <= 1e-9 * path.total_s);
    assert!(path.share_s(Stretch::Contention) <= 1e-9 * path.total_s);
}

#[test]
fn deadlocks_are_found_over_any_transport() {
    let send = |peer| vec![Op::Send { peer, tag: 0, bytes: 8 }];
    let programs = Programs::new("ring of sends", vec![send(1), send(2), send(0)], Vec::new()).unwrap();
    let fault = played(Load::Programs(&programs), 1, false).unwrap_err().to_string();
    assert!(fault.contains("NL-E012") && fault.contains("cycle of 3 ranks"), "{fault}");
}

/// One rank receives on two strands and computes; the other sends when it has slept.
fn with_strands() -> Programs {
    let strand = |ops| Op::Strand { ops };
    let (sleep, receive) = (|seconds| Op::Sleep { seconds }, |tag| Op::StartReceive { peer: 1, tag, bytes: 1000 });
    let send = |tag| Op::Send { peer: 0, tag, bytes: 1000 };
    // A strand ends when its requests are done, also without a wait.
    let first = vec![strand(1), receive(1), strand(2), receive(2), sleep(2e-3), sleep(1e-3), Op::Join, sleep(1e-3)];
    Programs::new("strands", vec![first, vec![sleep(5e-4), send(2), sleep(4e-3), send(1)]], Vec::new()).unwrap()
}

#[test]
fn a_rank_goes_on_when_its_strands_have_ended() {
    let message = LATENCY + 1000.0 / BANDWIDTH;
    let programs = with_strands();
    // Sends again wait for the receiver, who computes for a millisecond more.
    for (repetitions, finish) in [(1, 4.5e-3 + 2.0 * message), (3, 14.5e-3 + 6.0 * message)] {
        let out = played(Load::Programs(&programs), repetitions, true).unwrap();
        let sender = &out.finish_s[0][1];
        assert!((sender - finish).abs() < 1e-12, "{sender}");
        assert!(out.finish_s[0][0] - sender - 1e-3 < 1e-12);
        assert_eq!((out.messages, out.bytes), (2 * u64::from(repetitions), 2000 * u64::from(repetitions)));
        let trace = out.trace.as_ref().unwrap();
        assert!(trace.intervals.iter().all(|i| i.rank < 2) && trace.messages.iter().all(|m| m.src == 1 && m.dst == 0));
        // Strands have no intervals of their own: their rank waits for them.
        let spent = |rank, routine| -> f64 {
            let own = trace.intervals.iter().filter(|i| i.rank == rank && i.call == routine);
            own.map(|i| i.end_s - i.start_s).sum()
        };
        let times = f64::from(repetitions);
        assert!((spent(0, Routine::None) - 2e-3 * times).abs() < 1e-12);
        assert!((spent(0, Routine::Join) + 2e-3 * times - out.finish_s[0][0]).abs() < 1e-12);
        assert!((spent(1, Routine::None) + spent(1, Routine::Send) - out.finish_s[0][1]).abs() < 1e-12);
        // What the rank does itself has no gaps, and the path goes through the message that it waited for.
        let mut end = 0.0;
        for i in trace.intervals.iter().filter(|i| i.rank == 0) {
            assert!((i.start_s - end).abs() < 1e-12);
            end = i.end_s;
        }
        let path = critical_path(trace, &|message| out.alone_s[message as usize]);
        assert!((path.share_s(Stretch::Bandwidth) - f64::from(2 * repetitions) * 1e-6).abs() < 1e-12);
        assert!(path.share_s(Stretch::Waiting) < 1e-12);
    }
}

#[test]
fn a_stopwatch_runs_strands_as_a_run_does() {
    let (programs, stop) = (with_strands(), Progress::new());
    let places = [0, 1];
    let job = Job {
        work: Load::Programs(&programs),
        endpoint_of_rank: &places,
        seat_of_rank: &[],
        routing: None,
        spread: Spread::Shares,
        start_s: 0.0,
        repetitions: 2,
    };
    let end = played(job.work, 2, false).unwrap().end_s();
    let watch = Stopwatch::over(Alone::default(), software(), job, 1, &stop).unwrap();
    for _ in 0..3 {
        assert_eq!(netloom_model::Clock::time_s(&watch, &places, 1.0).unwrap(), Some(end));
        // Cut off while strands are open.
        assert_eq!(netloom_model::Clock::time_s(&watch, &places, 1e-3).unwrap(), None);
    }
}

/// Flows that start together end as programs do that receive and send them.
#[test]
fn flows_are_programs_without_their_memory() {
    for seed in 1..200 {
        let mut draw = netloom_model::Stream::new(seed, "flows");
        let ranks = 2 + draw.below(14);
        let flow = |draw: &mut netloom_model::Stream| netloom_model::traffic::Flow {
            src: draw.below(ranks),
            dst: draw.below(ranks),
            messages: 1,
            bytes: u64::from(draw.below(4) * draw.below(3000)),
        };
        let flows = (0..draw.below(80)).map(|_| flow(&mut draw)).collect();
        let traffic = netloom_model::Traffic::new("drawn", ranks, flows);
        let programs = Programs::of_traffic(&traffic).unwrap();
        let mut maybe = |most: f64| if draw.below(2) == 0 { 0.0 } else { most * f64::from(draw.below(1000)) / 1e3 };
        let cost = |fixed: f64| netloom_model::machine::SizeCost {
            rows: vec![netloom_model::SizeRow { above_bytes: 0, values: vec![fixed, 0.0] }],
            envelope_bytes: 0,
        };
        let mut software = Software {
            sender_returns_below_bytes: 4000,
            message_gap_s: maybe(1e-6),
            nic_message_gap_s: maybe(3e-6),
            endpoint_message_s: maybe(3e-6),
            nonblocking_send: cost(maybe(1e-6)),
            receive: cost(maybe(1e-6)),
            ..software()
        };
        software.plain.between.latency = cost(maybe(1e-6));
        software.starts_early_below_bytes = [0, 2000, 1 << 20][draw.below(3) as usize];
        software.sender_returns_below_bytes = [0, 4000, 1 << 20][draw.below(3) as usize];
        let endpoint_of_rank: Vec<u32> = (0..ranks).map(|rank| rank / (1 + seed as u32 % 4)).collect();
        let job = |work| Job {
            work,
            endpoint_of_rank: &endpoint_of_rank,
            routing: None,
            seat_of_rank: &[],
            spread: Spread::Shares,
            start_s: 1e-6,
            repetitions: 1,
        };
        for record in [false, true] {
            let manner = || Manner { record, ..Manner::default() };
            let once = |work| run(Alone::default(), software.clone(), &[job(work)], manner(), &Progress::new());
            let (flows, whole) = (once(Load::Traffic(&traffic)).unwrap(), once(Load::Programs(&programs)).unwrap());
            assert_eq!(flows, whole, "seed {seed}, record {record}");
        }
    }
}

/// What begins at one instant does so in turns: one message of each rank after another, whatever was posted first.
#[test]
fn messages_of_an_instant_begin_in_turns() {
    let (ranks, others) = (4u32, 3u32);
    for order in 0..3 {
        let body = |rank: u32| {
            let send = |k: u32| Op::StartSend { peer: (rank + k) % ranks, tag: 0, bytes: 8 };
            let receive = |k: u32| Op::StartReceive { peer: (rank + k) % ranks, tag: 0, bytes: 8 };
            let mut body: Vec<Op> = match order {
                0 => (1..=others).map(send).chain((1..=others).map(receive)).collect(),
                1 => (1..=others).map(receive).chain((1..=others).map(send)).collect(),
                _ => (1..=others).flat_map(|k| [receive(k), send(k)]).collect(),
            };
            body.push(Op::WaitAll);
            body
        };
        let programs = Programs::new("all to all", (0..ranks).map(body).collect(), Vec::new()).unwrap();
        let out = played(Load::Programs(&programs), 1, true).unwrap();
        let begun: Vec<_> = out.trace.unwrap().messages.iter().map(|m| (m.src, m.dst)).collect();
        let expected: Vec<_> = (1..=others).flat_map(|k| (0..ranks).map(move |r| (r, (r + k) % ranks))).collect();
        assert_eq!(begun, expected, "order {order}");
    }
}

//! Closed forms, and a forward pass that must agree.

use netloom_model::Stream;

use super::*;
use crate::Routine;

const LATENCY: f64 = 0.25;

fn interval(rank: u32, activity: Activity, start_s: f64, end_s: f64, message: u32) -> Interval {
    Interval { rank, activity, call: Routine::None, start_s, end_s, message }
}

/// Its transfer takes `[start + LATENCY, finish]`.
fn message(src: u32, dst: u32, posted: (f64, f64), start_s: f64, finish_s: f64) -> MessageTrace {
    MessageTrace {
        src,
        dst,
        bytes: 1,
        job: 0,
        posted_send_s: posted.0,
        posted_receive_s: posted.1,
        start_s,
        handshake_s: 0.0,
        software_s: 0.0,
        begun_s: start_s,
        flow_s: start_s + LATENCY,
        finish_s,
    }
}

fn trace(ranks: u32, messages: Vec<MessageTrace>, mut intervals: Vec<Interval>) -> Trace {
    intervals.sort_by(|a, b| a.end_s.total_cmp(&b.end_s));
    Trace { ranks, messages, intervals, ..Trace::default() }
}

/// Seconds of computation, overhead, latency, bandwidth, contention and waiting, of a path without gaps and other stretches.
fn shares(trace: &Trace, alone_s: f64) -> [f64; 6] {
    let path = critical_path(trace, &|_| alone_s);
    let mut at = 0.0;
    for segment in &path.segments {
        assert!(segment.start_s == at && segment.end_s > at, "{segment:?} after {at}");
        at = segment.end_s;
    }
    assert!(at == path.total_s);
    let shares = [
        Stretch::Compute,
        Stretch::Overhead,
        Stretch::Latency,
        Stretch::Bandwidth,
        Stretch::Contention,
        Stretch::Waiting,
    ]
    .map(|kind| path.share_s(kind));
    assert!((shares.iter().sum::<f64>() - path.total_s).abs() <= 1e-12 * path.total_s, "{shares:?}");
    shares
}

#[test]
fn one_message_is_latency_and_bandwidth() {
    let wait = interval(1, Activity::WaitReceive, 0.0, 1.25, 0);
    let made = trace(2, vec![message(0, 1, (0.0, 0.0), 0.0, 1.25)], vec![wait]);
    assert_eq!(shares(&made, 1.0), [0.0, 0.0, LATENCY, 1.0, 0.0, 0.0]);
    let path = critical_path(&made, &|_| 1.0);
    let told: Vec<_> = path.segments.iter().map(|s| (s.rank, s.message, s.kind)).collect();
    assert_eq!(told, [(1, 0, Stretch::Latency), (1, 0, Stretch::Bandwidth)]);
}

#[test]
fn what_software_does_for_a_message_comes_before_its_latency() {
    let mut made = message(0, 1, (0.0, 0.0), 0.0, 2.5);
    // A gap of 0.25, a handshake of 0.5, a latency of software of 0.5.
    (made.handshake_s, made.software_s, made.begun_s, made.flow_s) = (0.5, 0.5, 1.25, 1.5);
    let wait = interval(1, Activity::WaitReceive, 0.0, 2.5, 0);
    let combine = interval(1, Activity::Combine, 2.5, 3.5, NONE);
    let path = critical_path(&trace(2, vec![made], vec![wait, combine]), &|_| 1.0);
    let told: Vec<_> = path.segments.iter().map(|s| (s.kind, s.end_s - s.start_s)).collect();
    let expected = [
        (Stretch::Gap, 0.25),
        (Stretch::Rendezvous, 0.5),
        (Stretch::Software, 0.5),
        (Stretch::Latency, LATENCY),
        (Stretch::Bandwidth, 1.0),
        (Stretch::Combine, 1.0),
    ];
    assert_eq!(told, expected);
}

#[test]
fn chain_adds_up_hop_by_hop() {
    // Rank r gets the data at 1.25 r and sends it on.
    let ranks = 6;
    let at = |r: u32| 1.25 * f64::from(r);
    let messages = (1..ranks).map(|r| message(r - 1, r, (at(r - 1), 0.0), at(r - 1), at(r))).collect();
    let waits = (1..ranks).map(|r| interval(r, Activity::WaitReceive, 0.0, at(r), r - 1)).collect();
    let made = trace(ranks, messages, waits);
    assert_eq!(shares(&made, 1.0), [0.0, 0.0, 5.0 * LATENCY, 5.0, 0.0, 0.0]);
}

#[test]
fn two_into_one_share_its_link() {
    let messages = vec![message(1, 0, (0.0, 0.0), 0.0, 2.25), message(2, 0, (0.0, 0.0), 0.0, 2.25)];
    let made = trace(3, messages, vec![interval(0, Activity::Wait, 0.0, 2.25, 1)]);
    assert_eq!(shares(&made, 1.0), [0.0, 0.0, LATENCY, 1.0, 1.0, 0.0]);
}

#[test]
fn who_computes_first_is_on_the_path_and_the_wait_for_it_is_not() {
    let compute = interval(0, Activity::Compute, 0.0, 3.0, NONE);
    let wait = interval(1, Activity::WaitReceive, 0.0, 4.25, 0);
    let made = trace(2, vec![message(0, 1, (3.0, 0.0), 3.0, 4.25)], vec![compute, wait]);
    assert_eq!(shares(&made, 1.0), [3.0, 0.0, LATENCY, 1.0, 0.0, 0.0]);
}

#[test]
fn late_receiver_of_a_rendezvous() {
    let intervals = vec![
        interval(0, Activity::WaitSend, 0.0, 3.25, 0),
        interval(0, Activity::Compute, 3.25, 5.0, NONE),
        interval(1, Activity::Compute, 0.0, 2.0, NONE),
        interval(1, Activity::WaitReceive, 2.0, 3.25, 0),
    ];
    let made = trace(2, vec![message(0, 1, (0.0, 2.0), 2.0, 3.25)], intervals);
    assert_eq!(shares(&made, 1.0), [3.75, 0.0, LATENCY, 1.0, 0.0, 0.0]);
}

#[test]
fn eager_message_began_before_its_receiver_asked() {
    let intervals = vec![
        interval(0, Activity::Compute, 0.0, 1.0, NONE),
        interval(1, Activity::Compute, 0.0, 1.5, NONE),
        interval(1, Activity::WaitReceive, 1.5, 2.25, 0),
    ];
    let made = trace(2, vec![message(0, 1, (1.0, 1.5), 1.0, 2.25)], intervals);
    assert_eq!(shares(&made, 1.0), [1.0, 0.0, LATENCY, 1.0, 0.0, 0.0]);
}

#[test]
fn software_time_delays_the_message_more_than_the_receiver_does() {
    // The receiver asks at 1, after the sender (0), whose software is ready only at 2.
    let intervals = vec![
        interval(0, Activity::Overhead, 0.0, 2.0, 0),
        interval(1, Activity::Compute, 0.0, 1.0, NONE),
        interval(1, Activity::WaitReceive, 1.0, 3.25, 0),
        interval(1, Activity::Overhead, 3.25, 3.75, 0),
    ];
    let made = trace(2, vec![message(0, 1, (0.0, 1.0), 2.0, 3.25)], intervals);
    assert_eq!(shares(&made, 1.0), [0.0, 2.5, LATENCY, 1.0, 0.0, 0.0]);
}

#[test]
fn message_that_could_have_begun_waits() {
    let wait = interval(1, Activity::WaitReceive, 0.0, 2.25, 0);
    let made = trace(2, vec![message(0, 1, (0.0, 0.0), 1.0, 2.25)], vec![wait]);
    assert_eq!(shares(&made, 1.0), [0.0, 0.0, LATENCY, 1.0, 0.0, 1.0]);
}

#[test]
fn what_no_message_explains_is_waiting() {
    let intervals = vec![
        interval(0, Activity::Wait, 0.0, 1.0, NONE),
        interval(0, Activity::Wait, 1.0, 2.0, 7),
        interval(0, Activity::Compute, 3.0, 4.0, NONE),
        interval(9, Activity::Compute, 0.0, 9.0, NONE),
    ];
    assert_eq!(shares(&trace(1, Vec::new(), intervals), 1.0), [1.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    assert_eq!(critical_path(&Trace::default(), &|_| 1.0), CriticalPath::default());
}

#[test]
fn times_alone_that_make_no_sense_change_no_sum() {
    let wait = interval(1, Activity::WaitReceive, 0.0, 1.25, 0);
    let made = trace(2, vec![message(0, 1, (0.0, 0.0), 0.0, 1.25)], vec![wait]);
    for (alone_s, bandwidth) in [(f64::NAN, 0.0), (-1.0, 0.0), (f64::INFINITY, 1.0)] {
        assert_eq!(shares(&made, alone_s), [0.0, 0.0, LATENCY, bandwidth, 1.0 - bandwidth, 0.0]);
    }
}

/// Rounds of computation and exchange along random permutations: with each clock a forward pass keeps its cause, and
/// the backward walk must find the same.
#[test]
fn backwards_agrees_with_forwards() {
    for seed in 0..20 {
        let mut stream = Stream::new(seed, "exchange");
        let ranks = 2 + stream.below(14) as usize;
        let mut random = move |n: usize| stream.below(n as u32) as usize;
        let (mut messages, mut intervals) = (Vec::new(), Vec::new());
        // Clock, and computation and number of messages up to it.
        let mut clock = vec![(0.0, 0.0, 0u32); ranks];
        for _ in 0..30 {
            for (r, c) in clock.iter_mut().enumerate() {
                let work = (1 + random(1_000_000)) as f64 * 1e-6;
                intervals.push(interval(r as u32, Activity::Compute, c.0, c.0 + work, NONE));
                *c = (c.0 + work, c.1 + work, c.2);
            }
            let posted = clock.clone();
            let shift = 1 + random(ranks - 1);
            for r in 0..ranks {
                let to = (r + shift) % ranks;
                let cause = if posted[to].0 > posted[r].0 { posted[to] } else { posted[r] };
                let end = (cause.0 + LATENCY + 0.5, cause.1, cause.2 + 1);
                messages.push(message(r as u32, to as u32, (posted[r].0, posted[to].0), cause.0, end.0));
                for side in [r, to] {
                    clock[side] = if end.0 > clock[side].0 { end } else { clock[side] };
                }
            }
            for r in 0..ranks {
                let ended =
                    messages.iter().rposition(|m| (m.src == r as u32 || m.dst == r as u32) && m.finish_s == clock[r].0);
                let ended = ended.unwrap() as u32;
                intervals.push(interval(r as u32, Activity::Wait, posted[r].0, clock[r].0, ended));
            }
        }
        let end = clock.iter().fold((0.0, 0.0, 0), |a, &b| if b.0 > a.0 { b } else { a });
        let got = shares(&trace(ranks as u32, messages, intervals), 0.5);
        let expected = [end.1, 0.0, f64::from(end.2) * LATENCY, f64::from(end.2) * 0.5, 0.0, 0.0];
        for (g, e) in got.iter().zip(expected) {
            assert!((g - e).abs() < 1e-9, "seed {seed}: {got:?} against {expected:?}");
        }
    }
}

//! Every send has its receive, and no rank waits forever.

use std::collections::HashMap;

use netloom_model::{Op, Programs};

use super::{cases, made, unrolled};

/// Sends and receives per (source, destination, tag), in the order of posting: bytes.
type Queues = HashMap<(u32, u32, u32), (Vec<u64>, Vec<u64>)>;

fn queues(programs: &Programs) -> Queues {
    let mut queues = Queues::new();
    for rank in 0..programs.ranks() {
        unrolled(programs.of(rank), &mut |op| match op {
            Op::Send { peer, tag, bytes } | Op::StartSend { peer, tag, bytes } => {
                queues.entry((rank, peer, tag)).or_default().0.push(bytes);
            }
            Op::Receive { peer, tag, bytes } | Op::StartReceive { peer, tag, bytes } => {
                queues.entry((peer, rank, tag)).or_default().1.push(bytes);
            }
            _ => {}
        });
    }
    queues
}

#[test]
fn every_send_has_its_receive_of_the_same_size() {
    for (text, legal) in cases() {
        for ranks in legal.up_to(256) {
            for (pair, (sent, received)) in queues(&made(&text, ranks).unwrap()) {
                assert_eq!(sent, received, "{text} on {ranks}: {pair:?}");
            }
        }
    }
}

/// A message or its receive: source, destination and tag, its position among these, and whether it is the receive.
type Request = ((u32, u32, u32), u64, bool);

/// The strictest execution: a send ends when its receive is posted, a collective when all members are there.
#[derive(Default)]
struct Strict {
    /// Sends and receives that were begun, per source, destination and tag.
    begun: HashMap<(u32, u32, u32), (u64, u64)>,
    /// Members that entered a call, over all times.
    entered: HashMap<u32, u64>,
}

/// The state of a running rank.
struct Walker {
    body: Vec<Op>,
    at: usize,
    requests: Vec<Request>,
    /// The request of the current blocking action: it begins once, however often it is checked.
    message: Option<Request>,
    round: Option<u64>,
}

impl Strict {
    fn begin(&mut self, key: (u32, u32, u32), receive: bool) -> Request {
        let counts = self.begun.entry(key).or_default();
        let side = if receive { &mut counts.1 } else { &mut counts.0 };
        *side += 1;
        (key, *side, receive)
    }

    fn met(&self, (key, nth, receive): Request) -> bool {
        let (sends, receives) = self.begun[&key];
        nth <= if receive { sends } else { receives }
    }

    /// Whether the action at hand ends.
    fn ends(&mut self, me: u32, walker: &mut Walker, programs: &Programs) -> bool {
        match walker.body[walker.at] {
            Op::StartSend { peer, tag, .. } => walker.requests.push(self.begin((me, peer, tag), false)),
            Op::StartReceive { peer, tag, .. } => walker.requests.push(self.begin((peer, me, tag), true)),
            Op::Send { peer, tag, .. } => {
                let request = *walker.message.get_or_insert_with(|| self.begin((me, peer, tag), false));
                return self.met(request);
            }
            Op::Receive { peer, tag, .. } => {
                let request = *walker.message.get_or_insert_with(|| self.begin((peer, me, tag), true));
                return self.met(request);
            }
            Op::WaitAll => return walker.requests.iter().all(|request| self.met(*request)),
            Op::Wait { back } => return self.met(walker.requests[walker.requests.len() - back as usize]),
            Op::Collective { call, .. } => {
                let members = programs.calls[call as usize].members.len() as u64;
                let entered = self.entered.entry(call).or_default();
                let round = *walker.round.get_or_insert_with(|| {
                    *entered += 1;
                    entered.div_ceil(members)
                });
                return *entered >= round * members;
            }
            _ => {}
        }
        true
    }
}

/// The ranks that never finish.
fn stuck(programs: &Programs) -> Vec<u32> {
    let mut walkers: Vec<Walker> = (0..programs.ranks())
        .map(|rank| {
            let mut body = Vec::new();
            unrolled(programs.of(rank), &mut |op| body.push(op));
            Walker { body, at: 0, requests: Vec::new(), message: None, round: None }
        })
        .collect();
    let mut strict = Strict::default();
    // A round in which no rank begins or ends anything is the last.
    let mut moves = true;
    while std::mem::take(&mut moves) {
        for (me, walker) in (0..).zip(&mut walkers) {
            let before = (walker.at, walker.message, walker.round);
            while walker.at < walker.body.len() && strict.ends(me, walker, programs) {
                walker.at += 1;
                (walker.message, walker.round) = (None, None);
            }
            moves |= before != (walker.at, walker.message, walker.round);
        }
    }
    let waits = |(rank, walker): (u32, &Walker)| (walker.at < walker.body.len()).then_some(rank);
    (0..).zip(&walkers).filter_map(waits).collect()
}

#[test]
fn nothing_deadlocks_even_when_every_send_waits() {
    for (text, legal) in cases() {
        for ranks in legal.up_to(64) {
            assert_eq!(stuck(&made(&text, ranks).unwrap()), [], "{text} on {ranks}");
        }
    }
}

/// What `stuck` must find: two ranks that send first, to each other.
#[test]
fn a_deadlock_is_found() {
    let ring = |peer| vec![Op::Send { peer, tag: 0, bytes: 1 }, Op::Receive { peer, tag: 0, bytes: 1 }];
    let programs = Programs::new("p", vec![ring(1), ring(0)], Vec::new()).unwrap();
    assert_eq!(stuck(&programs), [0, 1]);
}

/// Every request is waited for, once, before anything but messages happens: halos come before they are used.
#[test]
fn every_request_is_waited_for() {
    for (text, legal) in cases() {
        for ranks in [2, 4, 16, 64].into_iter().filter(|ranks| legal.takes(*ranks)) {
            let programs = made(&text, ranks).unwrap();
            for rank in 0..ranks {
                let (mut open, mut started) = (Vec::new(), 0u32);
                unrolled(programs.of(rank), &mut |op| match op {
                    Op::StartSend { .. } | Op::StartReceive { .. } => {
                        started += 1;
                        open.push(started);
                    }
                    Op::Wait { back } => {
                        let request = started + 1 - back;
                        let found = open.iter().position(|r| *r == request);
                        open.remove(found.unwrap_or_else(|| panic!("{text} on {ranks}: rank {rank} waits twice")));
                    }
                    Op::WaitAll => open.clear(),
                    Op::Send { .. } | Op::Receive { .. } => {}
                    // Its receives stand before its lines.
                    Op::Compute { .. } | Op::Collective { .. } if text.starts_with("fft3d") => {}
                    _ => assert_eq!(open, [], "{text} on {ranks}: rank {rank} before {op:?}"),
                });
                assert_eq!(open, [], "{text} on {ranks}: rank {rank}");
            }
        }
    }
}

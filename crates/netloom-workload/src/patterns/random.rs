//! Patterns drawn from a seed.

use netloom_model::traffic::Flow;
use netloom_model::{Bound, Kind, Outcome, Param, Stream, Traffic};

use super::made::{Made, check_size, one_each};
use super::params::{BYTES, SEED, bytes, wrong_ranks};
use super::row::{Pattern, PatternRow, TEMPLATE};

pub(crate) const UNIFORM: PatternRow = PatternRow {
    name: "uniform",
    aliases: &["uniform-random"],
    summary: "Messages between random ordered pairs of different ranks.",
    params: &[
        Param::optional("messages", Kind::Int { min: 1, max: 1 << 26 }, "100000", "number of messages"),
        SEED,
        BYTES,
        Param::optional(
            "self",
            Kind::Bool,
            "false",
            "whether a rank may draw itself; such a message stays where it is",
        ),
    ],
    example: "uniform(messages=100000,seed=1)",
    restrictions: "two ranks or more",
    source: "Cui 2024 §5.3.1 (100,000 messages)",
    build: Pattern { make: uniform, ..TEMPLATE.build },
};

pub(crate) const PERMUTATION: PatternRow = PatternRow {
    name: "permutation",
    summary: "Every rank sends to one other rank and receives from one: a random permutation without fixed points.",
    params: &[SEED, BYTES],
    example: "permutation(seed=1)",
    source: "Dally & Towles 2004, §3.2",
    build: Pattern {
        make: |p, bound| {
            let partner = derangement(p, &mut stream(bound, "permutation"));
            one_each(p, 1, bound, move |r| partner.get(r as usize).copied())
        },
        ..TEMPLATE.build
    },
    ..TEMPLATE
};

pub(crate) const RANDOM_PAIRS: PatternRow = PatternRow {
    name: "random-pairs",
    aliases: &["random-matching"],
    summary: "Random pairs exchange one message each way; of an odd number one rank stays alone.",
    params: &[SEED, BYTES],
    example: "random-pairs(seed=1)",
    source: "effective bisection bandwidth: Hoefler, Schneider & Lumsdaine, Cluster 2008",
    build: Pattern {
        make: |p, bound| {
            let mut order: Vec<u32> = (0..p).collect();
            stream(bound, "random-pairs").shuffle(&mut order);
            let mut partner: Vec<u32> = (0..p).collect();
            for pair in order.chunks_exact(2) {
                (partner[pair[0] as usize], partner[pair[1] as usize]) = (pair[1], pair[0]);
            }
            one_each(p, 1, bound, move |r| partner.get(r as usize).copied())
        },
        ..TEMPLATE.build
    },
    ..TEMPLATE
};

fn stream(bound: &Bound, name: &str) -> Stream {
    Stream::new(bound.int("seed") as u64, name)
}

fn uniform(ranks: u32, bound: &Bound) -> Outcome<Made> {
    let (messages, bytes) = (bound.int("messages") as u64, bytes(bound)?);
    check_size("uniform", messages.into(), bytes)?;
    if ranks < 2 {
        return Err(wrong_ranks(bound, "at least 2", ranks).into());
    }
    let mut stream = stream(bound, "uniform");
    let flows = match bound.bool("self") {
        true => any_flows(ranks, messages, bytes, &mut stream),
        false => random_flows(ranks, messages, bytes, &mut stream),
    };
    Ok(Made::List(Traffic::new(bound.canonical().to_string(), ranks, flows)))
}

/// `messages` draws of an ordered pair of ranks; a rank and itself have no message.
fn any_flows(ranks: u32, messages: u64, bytes: u64, stream: &mut Stream) -> Vec<Flow> {
    let draw = |_| Flow { src: stream.below(ranks), dst: stream.below(ranks), messages: 1, bytes };
    (0..messages).map(draw).filter(|flow| flow.src != flow.dst).collect()
}

/// `messages` messages between ordered pairs of different ranks, each pair as likely. Two ranks or more.
pub(super) fn random_flows(ranks: u32, messages: u64, bytes: u64, stream: &mut Stream) -> Vec<Flow> {
    let draw = |_| {
        let src = stream.below(ranks);
        let other = stream.below(ranks - 1);
        Flow { src, dst: other + u32::from(other >= src), messages: 1, bytes }
    };
    (0..messages).map(draw).collect()
}

/// A permutation without fixed points, each as likely: shuffles until one has none (e shuffles on average). One rank stays
/// where it is.
fn derangement(ranks: u32, stream: &mut Stream) -> Vec<u32> {
    let mut order: Vec<u32> = (0..ranks).collect();
    loop {
        stream.shuffle(&mut order);
        if ranks < 2 || order.iter().enumerate().all(|(r, to)| r as u32 != *to) {
            return order;
        }
    }
}

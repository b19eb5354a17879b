//! Messages summed by destination, and those from all to all, are the messages one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use netloom_model::{Call, Repeated, Schedule, ScheduleSends, Sends};

use super::{PATTERNS, stream_pattern};
use crate::registry::{COLLECTIVES, build};

type Row = BTreeMap<u32, (u64, u64)>;

/// Messages and bytes by destination.
fn row(walk: impl FnOnce(&mut dyn FnMut(u32, u64, u64))) -> Row {
    let mut row = Row::new();
    walk(&mut |to, messages, bytes| {
        let sum = row.entry(to).or_default();
        *sum = (sum.0 + messages, sum.1 + bytes);
    });
    row
}

/// True if all send to all.
fn check(sends: &dyn Sends, what: &str) -> bool {
    let all = sends.to_all();
    for rank in 0..sends.ranks() {
        let plain = row(|visit| sends.for_each(rank, visit));
        assert_eq!(row(|visit| sends.for_each_summed(rank, visit)), plain, "{what}");
        if let Some(all) = &all {
            let others = (0..sends.ranks()).filter(|to| *to != rank);
            let of = |to: u32| (to, (all.messages, all.bytes[to as usize]));
            assert_eq!(others.map(of).collect::<Row>(), plain, "{what}");
        }
    }
    sends.for_each_summed(sends.ranks(), &mut |_, _, _| panic!("{what}: a rank that it lacks"));
    all.is_some()
}

fn schedule(text: &str, ranks: i64, size: i64) -> Option<Arc<Schedule>> {
    build(&Call::parse(text).unwrap(), ranks, 0, size).ok().map(Arc::new)
}

#[test]
fn sums_are_those_of_the_messages() {
    for row in COLLECTIVES.rows {
        for (ranks, size) in [(8, 60), (8, 64), (8, 3), (7, 61), (12, 1009), (1, 5), (2, 7), (3, 0)] {
            if let Some(made) = schedule(row.example, ranks, size) {
                let sends: Arc<dyn Sends> = Arc::new(ScheduleSends::new(made));
                check(&*Repeated::of(Arc::clone(&sends), 3), row.name);
                check(&*sends, row.name);
            }
        }
    }
    for text in [
        "allreduce:ring(channels=3,local=2)",
        "allgather:ring(channels=2,local=4)",
        "reduce-scatter:ring(channels=2)",
        "reduce-scatter:pairwise(channels=3,local=2)",
        "reduce-scatter:ring(channels=4,local=8)",
    ] {
        for (ranks, size) in [(8, 1000), (9, 1001), (12, 1003)] {
            check(&ScheduleSends::new(schedule(text, ranks, size).unwrap()), text);
        }
    }
    for row in PATTERNS.rows {
        let ranks = (row.name != "stencil").then_some(16);
        if let Ok(sends) = stream_pattern(&Call::parse(row.example).unwrap(), ranks) {
            assert_eq!(check(&*sends, row.name), row.name == "all-pairs", "{}", row.name);
        }
    }
}

#[test]
fn all_send_to_all() {
    for (text, ranks, size, expected) in [
        ("alltoall:pairwise", 16, 100, true),
        ("alltoall:pairwise", 12, 7, true),
        ("alltoall:linear", 9, 3, true),
        ("alltoall:scattered(window=3)", 8, 3, true),
        ("alltoall:bruck", 9, 3, false),
        ("alltoall:bruck", 3, 5, true),
        ("alltoall:ring", 8, 3, false),
        ("allgather:linear", 8, 5, true),
        ("reduce-scatter:pairwise", 7, 1001, true),
        ("reduce-scatter:pairwise", 8, 1001, true),
        ("reduce-scatter:ring", 8, 1001, false),
    ] {
        let made = schedule(text, ranks, size).unwrap();
        assert_eq!(check(&ScheduleSends::new(made), text), expected, "{text} on {ranks}");
    }
}

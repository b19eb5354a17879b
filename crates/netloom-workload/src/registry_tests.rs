//! Names, arguments and bad input.

use std::collections::HashSet;

use netloom_model::{Call, Collective, Outcome, Schedule};
use proptest::collection::vec;
use proptest::prelude::*;
use rayon::prelude::*;

use crate::codes;
use crate::collectives::{ROW_LIMIT, algorithm};
use crate::registry::{COLLECTIVES, bind_collective, build, closed, find_collective};
use crate::user::{UserTransfer, collective_named, from_transfers};
use crate::{dag, listed, patterns, verify};

fn made(text: &str, ranks: i64, root: i64, size: i64) -> Outcome<Schedule> {
    build(&Call::parse(text).unwrap(), ranks, root, size)
}

fn code(outcome: Outcome<Schedule>) -> &'static str {
    outcome.unwrap_err().0[0].code
}

#[test]
fn every_row_keeps_the_contract() {
    let mut seen = HashSet::new();
    for row in COLLECTIVES.rows {
        assert_eq!(row.name, format!("{}:{}", row.collective, algorithm(row)));
        assert!(!row.summary.is_empty() && !row.source.is_empty() && !row.npof2.is_empty(), "{}", row.name);
        for name in row.names() {
            assert!(seen.insert(name.replace('_', "-")), "{name} twice");
            assert_eq!(find_collective(name).unwrap().name, row.name);
        }
        let (found, bound) = bind_collective(&Call::parse(row.example).unwrap()).unwrap();
        assert_eq!(found.name, row.name);
        let schedule = made(row.example, 8, 0, 60).unwrap();
        // The label is a call that makes the same schedule.
        assert_eq!(made(&schedule.label, 8, 0, 60).unwrap(), schedule);
        assert_eq!((schedule.members(), schedule.root, schedule.collective), (8, 0, row.collective));
        for param in row.params {
            let absent = param.default == Some("");
            assert!(
                absent || bound.is_given(param.name),
                "{} {}: a default that its kind refuses",
                row.name,
                param.name
            );
        }
    }
    assert!(Collective::ALL.iter().all(|c| COLLECTIVES.rows.iter().any(|r| r.collective == *c)));
}

#[test]
fn names_in_other_spellings() {
    for (given, name) in [
        ("bcast:binomial", "broadcast:binomial"),
        ("bcast:scatter_ring", "broadcast:scatter-ring"),
        ("reduce_scatter:pairwise", "reduce-scatter:pairwise"),
        ("reduce_scatter_block:ring", "reduce-scatter:ring"),
        ("allgather:neighbor_exchange", "allgather:neighbour-exchange"),
        ("ompi:bcast:knomial", "broadcast:k-nomial"),
        ("mpich:allreduce:recexch", "allreduce:recursive-exchange"),
    ] {
        assert_eq!(find_collective(given).unwrap().name, name);
    }
    let message = find_collective("allreduce:rign").unwrap_err().to_string();
    assert!(message.contains("did you mean \"allreduce:ring\"?"), "{message}");
    for name in ["", ":", "broadcast", "broadcast:", "x:y"] {
        assert_eq!(find_collective(name).unwrap_err().0[0].code, "NL-A002");
    }
}

#[test]
fn bad_input_is_refused_everywhere() {
    for row in COLLECTIVES.rows {
        for ranks in [0, -1, i64::MIN, i64::MAX, (1 << 24) + 1] {
            assert_eq!(code(made(row.example, ranks, 0, 8)), "NL-C001", "{}", row.name);
        }
        for root in [-1, 6, i64::MAX, i64::MIN] {
            assert_eq!(code(made(row.example, 6, root, 8)), "NL-C002", "{}", row.name);
        }
        assert_eq!(code(made(row.example, 6, 0, -1)), "NL-C003", "{}", row.name);
        // Huge but valid numbers are refused or built; they never overflow.
        for (ranks, size) in [(8, i64::MAX), (1 << 24, i64::MAX), (2, 1 << 62), (1, i64::MAX)] {
            let _ = closed(&Call::parse(row.example).unwrap(), ranks, 0, size);
            if ranks < 100
                && let Ok(schedule) = made(row.example, ranks, 0, size)
            {
                verify(&schedule).unwrap();
            }
        }
        if (1..=9).any(|p| !(row.takes)(p)) {
            assert!(!row.restrictions.is_empty());
            assert_eq!(code(made(row.example, 7, 0, 8)), "NL-C004", "{}", row.name);
        }
        let (name, faults) = (row.name, [-1, 0, i64::MAX]);
        for param in row.params.iter().filter(|p| p.name != "direction") {
            for bad in faults.map(|v| v.to_string()).iter().map(String::as_str).chain(["1.5", "a", "None"]) {
                assert_eq!(code(made(&format!("{name}({}={bad})", param.name), 6, 0, 8)), "NL-A007", "{name} {bad}");
            }
        }
        assert_eq!(code(made(&format!("{name}(colour=1)"), 6, 0, 8)), "NL-A003");
    }
    let all = made("bcast:binomial", 6, 9, -4).unwrap_err();
    assert_eq!(all.0.iter().map(|f| f.code).collect::<Vec<_>>(), ["NL-C002", "NL-C003"]);
    assert_eq!(all.0[0].to_string(), "NL-C002 root must be a rank in 0..5 (inclusive), got 9");
}

#[test]
fn restrictions_and_limits() {
    assert_eq!(code(made("alltoall:pairwise(partner=xor)", 6, 0, 8)), "NL-C004");
    assert_eq!(code(made("alltoall:bruck(direction=0)", 6, 0, 8)), "NL-A007");
    // Partners on more axes than a grid has are listed.
    let twos = vec!["2"; 17].join(",");
    assert_eq!(code(made(&format!("alltoall:hierarchical({twos})"), 1 << 17, 0, 8)), "NL-A009");
    assert_eq!(code(made("allgather:swing", (1 << 15) + 1, 0, 8)), "NL-A009");
    assert_eq!(code(made("allreduce:segmented-ring(segments=4096)", 1 << 14, 0, 8)), "NL-A009");
    assert_eq!(code(made("broadcast:chain(segments=1000000)", 1000, 0, 8)), "NL-A009");
    assert_eq!(code(made("allreduce:swing", (1 << 14) + 1, 0, 8)), "NL-A009");
    assert_eq!(code(listed(&made("alltoall:bruck", 1 << 14, 0, 8).unwrap())), "NL-A009");
    assert!(made("allgather:ring", 1 << 16, 0, 8).unwrap().messages() as u128 > ROW_LIMIT);
}

/// No algorithm is refused on a million ranks. Those whose lists take seconds and gigabytes are only asked.
#[test]
fn every_algorithm_takes_a_million_ranks() {
    let ranks = 1 << 20;
    let is_built = |row: &&crate::CollectiveRow| {
        let call = Call::parse(row.example).unwrap();
        let bound = bind_collective(&call).unwrap().1;
        let messages = closed(&call, ranks, 0, 2).unwrap().messages;
        let job = crate::collectives::Job::new(row.collective, ranks, 0, 2).unwrap();
        let of_one = row.is_cyclic(&job, &bound) || matches!(row.form, crate::collectives::Form::ListThenCyclic);
        let rows = if of_one { messages >> 20 } else { messages };
        if rows < 1 << 12 {
            let schedule = made(row.example, ranks, 0, 2).unwrap();
            assert_eq!(schedule.messages(), messages, "{}", row.name);
            return true;
        }
        assert!(u128::from(rows) < if of_one { 1 << 25 } else { ROW_LIMIT }, "{}: {rows}", row.name);
        false
    };
    let built = COLLECTIVES.rows.par_iter().filter(is_built).count();
    assert!(built > 15, "{built}");
}

/// 2^34 pairs of ranks have 2^34 blocks: what one rank sends has numbers of ranks alone.
#[test]
fn rounds_of_an_alltoall_have_no_limit_of_pairs() {
    let ranks = 1i64 << 17;
    for row in COLLECTIVES.rows.iter().filter(|row| row.collective == Collective::Alltoall) {
        let schedule = made(row.name, ranks, 0, 8).unwrap();
        let closed = closed(&Call::parse(row.name).unwrap(), ranks, 0, 8).unwrap();
        crate::proof::check(&schedule).unwrap();
        assert_eq!(schedule.blocks.count(), 1 << 34, "{}", row.name);
        assert_eq!((schedule.steps, schedule.messages()), (closed.steps, closed.messages), "{}", row.name);
        assert_eq!(schedule.most_bytes(), closed.total_bytes, "{}", row.name);
        assert_eq!(code(listed(&schedule)), "NL-A009", "{}", row.name);
    }
}

#[test]
fn user_schedules() {
    let exchange = |a: i64, b: i64, blocks: &[i64], combine| -> UserTransfer { (a, b, blocks.to_vec(), combine) };
    let steps = vec![vec![exchange(0, 1, &[0], true), exchange(1, 0, &[0], true)]];
    let schedule = from_transfers("mine".into(), Collective::Allreduce, 2, 0, 100, &steps).unwrap();
    let proof = verify(&schedule).unwrap();
    assert_eq!((proof.steps, proof.messages, proof.total_bytes), (1, 2, 200));
    let stored = vec![vec![exchange(0, 1, &[0], false), exchange(1, 0, &[0], false)]];
    let schedule = from_transfers("mine".into(), Collective::Allreduce, 2, 0, 100, &stored).unwrap();
    let message = verify(&schedule).unwrap_err().0[0].to_string();
    assert_eq!(message, "NL-C009 mine: rank 0 lacks the contribution of rank 0 to block 0 at the end");
    assert!(verify(&from_transfers("mine".into(), Collective::Broadcast, 1, 0, 5, &[]).unwrap()).is_ok());
    for (src, dst, blocks) in [
        (2, 0, vec![0]),
        (-1, 0, vec![0]),
        (0, 0, vec![0]),
        (0, 1, vec![]),
        (0, 1, vec![0, 0]),
        (0, 1, vec![2]),
        (0, 1, vec![-1]),
    ] {
        let steps = vec![vec![(src, dst, blocks, false)]];
        assert_eq!(code(from_transfers("mine".into(), Collective::Allgather, 2, 0, 100, &steps)), "NL-C005");
    }
    let combined =
        vec![vec![exchange(0, 1, &[0], true)], vec![exchange(0, 2, &[0], false), exchange(1, 2, &[0], true)]];
    assert_eq!(
        from_transfers("mine".into(), Collective::Broadcast, 3, 0, 8, &combined).unwrap_err().0[1].to_string(),
        "NL-C005 mine: step 1: the transfer from 1 to 2 combines, but broadcast only moves blocks"
    );
    let huge = vec![vec![(0, 1, vec![i64::MAX], false)]];
    assert_eq!(code(from_transfers("mine".into(), Collective::Broadcast, 2, 0, 100, &huge)), "NL-A009");
    let many = vec![vec![(9, 9, vec![0], false); 100]];
    assert_eq!(from_transfers("mine".into(), Collective::Broadcast, 2, 0, 100, &many).unwrap_err().0.len(), 16);
    assert_eq!(collective_named("reduce_scatter").unwrap(), Collective::ReduceScatter);
    assert_eq!(collective_named("bcast").unwrap(), Collective::Broadcast);
    assert!(collective_named("allredcue").unwrap_err().to_string().contains("did you mean \"allreduce\"?"));
}

#[test]
fn codes_are_in_order_and_once() {
    let all: Vec<&str> = codes::ALL.iter().map(|row| row.code).collect();
    let mut sorted = all.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(all, sorted);
    assert!(codes::ALL.iter().all(|r| !r.title.is_empty() && !r.cause.is_empty() && !r.action.is_empty()));
    assert!(patterns::PATTERNS.rows.len() >= 10);
}

proptest! {
    /// Any list of transfers is refused or executed; if it is proved, its dependency graph exists as well.
    #[test]
    fn any_transfers_are_refused_or_executed(
        operation in 0..Collective::ALL.len(),
        ranks in 1i64..6,
        size in 0i64..100,
        steps in vec(vec((-1i64..7, -1i64..7, vec(-1i64..8, 0..4), any::<bool>()), 0..6), 0..5),
    ) {
        if let Ok(schedule) = from_transfers("mine".into(), Collective::ALL[operation], ranks, 0, size, &steps)
            && verify(&schedule).is_ok()
        {
            let graph = dag(&schedule).unwrap();
            prop_assert_eq!(graph.messages.len() as u64, schedule.messages());
        }
    }
}

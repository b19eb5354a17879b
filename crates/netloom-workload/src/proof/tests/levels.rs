//! Hierarchies: every operation on many shapes and roots, with other algorithms on the levels, and where data may go.

use netloom_model::Schedule;
use netloom_model::schedule::{Message, Rounds};
use rayon::prelude::*;

use super::{call, job, made, roots};
use crate::collectives::{CollectiveRow, algorithm, schedule};
use crate::proof::verify;
use crate::registry::{COLLECTIVES, bind_collective};
use crate::verify::verify_row;

pub(super) const SHAPES: [&str; 16] = [
    "2,2", "1,7", "7,1", "3,5", "5,3", "4,3,2", "2,3,4", "3,1,5", "2,2,2,2", "1,1,6", "6,1,1", "1,6,1", "9,2,3",
    "3,8,2", "7,7,1", "13,4,1",
];

pub(super) fn ranks(shape: &str) -> u32 {
    shape.split(',').map(|d| d.parse::<u32>().unwrap()).product()
}

pub(super) fn proved(text: &str, ranks: u32, sizes: &[u64]) {
    let (row, bound) = bind_collective(&call(text)).unwrap();
    for root in roots(row, ranks, true) {
        for size in sizes {
            if let Err(faults) = verify_row(row, &job(row, ranks, root, *size), &bound) {
                panic!("{text} root {root} size {size}: {faults}");
            }
        }
    }
}

#[test]
fn every_operation_on_every_shape() {
    let composed = |row: &CollectiveRow| ["hierarchical", "led", "blueconnect", "two-tier"].contains(&algorithm(row));
    let rows: Vec<_> = COLLECTIVES.rows.iter().filter(|row| composed(row)).collect();
    assert_eq!(rows.len(), 19);
    SHAPES.par_iter().for_each(|shape| {
        for row in &rows {
            if algorithm(row) != "two-tier" || shape.matches(',').count() == 2 {
                proved(&format!("{}({shape})", row.name), ranks(shape), &[0, 1009]);
            }
        }
    });
}

/// A group's own part travels too. Bounds on bytes are exact where all blocks are equal.
#[test]
fn two_tiers_as_the_thesis_words_them() {
    let shapes =
        ["1,1,6", "2,2,2", "3,2,1", "4,2,3", "5,3,1", "6,1,2", "7,3,2", "4,4,1", "9,4,1", "12,4,2", "3,3,3", "2,1,1"];
    shapes.par_iter().for_each(|shape| {
        for collective in ["broadcast", "allgather", "reduce-scatter", "reduce", "allreduce"] {
            let sizes = [0, 1009, u64::from(ranks(shape)) * 24];
            proved(&format!("{collective}:two-tier({shape},own_group=true)"), ranks(shape), &sizes);
        }
    });
}

/// The base broadcast and direct sends, from and to every root.
#[test]
fn two_tiers_whole_and_direct() {
    let shapes =
        ["1,1,6", "2,2,2", "3,2,1", "4,2,3", "5,3,1", "2,5,2", "7,3,2", "4,4,1", "3,3,3", "2,1,1", "1,7,1", "9,1,2"];
    shapes.par_iter().for_each(|shape| {
        for call in
            ["broadcast:two-tier({},base=true)", "scatter:two-tier({},direct=true)", "gather:two-tier({},direct=true)"]
        {
            proved(&call.replace("{}", shape), ranks(shape), &[0, 1009]);
        }
    });
}

#[test]
fn any_algorithm_on_any_level() {
    for text in [
        "broadcast:hierarchical(3,4,5,algorithms=\"linear+k-nomial(k=3)+binomial\")",
        "reduce:hierarchical(3,4,5,algorithms=\"linear+bine+k-nomial\")",
        "scatter:hierarchical(3,4,5,algorithms=\"linear+k-nomial(k=3)+binomial\")",
        "gather:hierarchical(3,4,5,algorithms=\"linear+k-nomial(k=3)+binomial\")",
        "allgather:hierarchical(3,4,5,algorithms=\"bruck+recursive-doubling+circulant\")",
        "allgather:hierarchical(5,4,3,algorithms=recursive-doubling)",
        "reduce-scatter:hierarchical(3,4,5,algorithms=\"recursive-halving+pairwise+ring\")",
        "allreduce:hierarchical(3,4,5,top=ring,algorithms=\"linear+k-nomial\")",
        "allreduce:hierarchical(5,4,3,top=rabenseifner)",
        "allreduce:hierarchical(6,10,top=swing-all-ports)",
        "allreduce:hierarchical(12,5,top=double-tree)",
        "allgather:hierarchical(6,10,algorithms=\"pat+swing\")",
        "allreduce:hierarchical(6,10,top=\"recursive-exchange(k=3)\")",
        "allreduce:blueconnect(3,4,5,algorithms=\"linear+bruck+recursive-doubling\")",
        "allreduce:blueconnect(5,3,4,algorithms=\"recursive-doubling+circulant+neighbour-exchange\")",
        "alltoall:hierarchical(3,4,5,algorithms=\"bruck+pairwise+linear\")",
        "barrier:hierarchical(3,4,5,algorithms=\"tree+dissemination(k=3)+recursive-doubling\")",
        "barrier:led(3,4,5,algorithms=\"tree+dissemination(k=3)+recursive-doubling\")",
        "barrier:led(3,4,5,algorithms=\"double-ring+linear+tree\")",
        "allgather:led(3,4,5,top=bruck,up=\"linear+k-nomial\",down=\"k-nomial+linear\")",
        "allgather:led(5,4,3,top=swing,up=\"bine+binomial\",down=linear)",
        "reduce:hierarchical(3,4,5,algorithms=\"rabenseifner+linear+rabenseifner\")",
        "reduce:hierarchical(4,3,5,algorithms=\"bine+rabenseifner+k-nomial\")",
        "allreduce:hierarchical(5,4,3,top=\"rabenseifner+k-nomial\",up=\"linear+binomial\")",
    ] {
        proved(text, 60, &[1, 60, 1009]);
    }
}

/// What does not fit is refused with the parameter that is wrong.
#[test]
fn what_does_not_fit_is_refused() {
    for (text, code) in [
        ("allreduce:blueconnect(3,4)", "NL-C004"),
        ("scatter:two-tier(3,4)", "NL-C004"),
        ("scatter:two-tier(15,4)", "NL-A007"),
        ("scatter:two-tier(3,4,5,1)", "NL-A007"),
        ("allgather:two-tier(3,4,5,own_group=true)", "NL-C004"),
        ("broadcast:two-tier(5,4,3,own_group=true,base=true)", "NL-C004"),
        ("broadcast:hierarchical(3,4,5,algorithms=binomal)", "NL-A007"),
        ("broadcast:hierarchical(3,4,5,algorithms=scatter-ring)", "NL-A007"),
        ("broadcast:hierarchical(3,4,5,algorithms=hierarchical)", "NL-A007"),
        ("broadcast:hierarchical(3,4,5,algorithms=\"binomial+linear\")", "NL-A007"),
        ("broadcast:hierarchical(3,4,5,algorithms=bine)", "NL-C004"),
        ("broadcast:hierarchical(3,4,5,algorithms=\"\")", "NL-A007"),
        ("broadcast:hierarchical(3,4,5,algorithms=\"k-nomial(k=1)\")", "NL-A007"),
        ("allreduce:hierarchical(3,20,top=swing-all-ports)", "NL-C004"),
        ("allreduce:hierarchical(3,20,top=two-tier)", "NL-A007"),
        ("allgather:hierarchical(3,20,algorithms=\"allgather:ring\")", "NL-A007"),
        ("allreduce:hierarchical(3,20,top=\"ring+binomial\")", "NL-A007"),
        ("allreduce:hierarchical(3,20,top=\"binomial+rabenseifner\")", "NL-A007"),
        ("allreduce:hierarchical(3,20,top=\"bine+binomial\")", "NL-C004"),
        ("allreduce:hierarchical(3,20,up=rabenseifner)", "NL-A007"),
        ("allreduce:hierarchical(3,4,5,up=\"binomial+binomial+binomial\")", "NL-A007"),
        ("reduce:hierarchical(3,20,algorithms=chain)", "NL-A007"),
        ("reduce:hierarchical(3,20,segments=0)", "NL-A007"),
        ("allgather:led(3,4)", "NL-C004"),
        ("allgather:led(3,20,top=led)", "NL-A007"),
        ("allgather:led(3,20,down=chain)", "NL-A007"),
        ("barrier:led(3,20,algorithms=ring)", "NL-A007"),
    ] {
        let Ok((row, bound)) = bind_collective(&call(text)) else {
            assert_eq!((bind_collective(&call(text)).unwrap_err().0[0].code, text.contains("=0")), (code, true));
            continue;
        };
        let faults = schedule(row, &job(row, 60, 0, 8), &bound).unwrap_err();
        assert_eq!(faults.0[0].code, code, "{text}: {faults}");
        assert_eq!(row.closed(&job(row, 60, 0, 8), &bound).unwrap_err().0[0].code, code, "{text}");
    }
    let ones = vec!["1"; 25].join(",");
    assert!(call_fails(&format!("barrier:hierarchical({ones})"), 1), "more than 24 levels");
    let twos = vec!["2"; 14].join(",");
    assert!(call_fails(&format!("alltoall:hierarchical({twos})"), 1 << 14), "more blocks than a list holds");
    let (row, bound) = bind_collective(&call("allreduce:hierarchical(32,32,segments=1048576)")).unwrap();
    let message = schedule(row, &job(row, 1024, 0, 8), &bound).unwrap_err().to_string();
    assert!(message.starts_with("NL-A009") && message.contains("fewer segments"), "{message}");
}

/// The name in a hint works when used.
#[test]
fn hints_about_levels_can_be_followed() {
    let refused = |text: &str, ranks: u32| {
        let (row, bound) = bind_collective(&call(text)).unwrap();
        schedule(row, &job(row, ranks, 0, 8), &bound).unwrap_err().to_string()
    };
    for (owner, name, word) in [
        ("allreduce:blueconnect(4,4", "algorithms", "foo"),
        ("allreduce:blueconnect(4,4", "algorithms", "blueconnect"),
        ("allreduce:blueconnect(4,4", "algorithms", "circulant-segments"),
        ("allreduce:blueconnect(4,4", "algorithms", "swing-all-ports"),
        ("allreduce:hierarchical(4,4", "top", "foo"),
        ("allreduce:hierarchical(4,4", "top", "\"ring(\""),
        ("allreduce:hierarchical(4,4", "top", "two-tier"),
        ("allreduce:hierarchical(4,4", "algorithms", "chain"),
        ("allreduce:hierarchical(4,4", "up", "rabenseifner"),
        ("allgather:led(4,4", "top", "foo"),
        ("allgather:led(4,4", "up", "ring"),
        ("allgather:led(4,4", "down", "chain"),
        ("barrier:led(4,4", "algorithms", "led"),
        ("reduce:hierarchical(4,4", "algorithms", "chain"),
        ("reduce:hierarchical(4,4", "algorithms", "\"\""),
        ("broadcast:hierarchical(4,4", "algorithms", "binomal"),
        ("allgather:hierarchical(4,4", "algorithms", "\"allgather:ring\""),
        ("allgather:hierarchical(4,4", "algorithms", "bucket-all-ports"),
        ("reduce-scatter:hierarchical(4,4", "algorithms", "foo"),
        ("alltoall:hierarchical(4,4", "algorithms", "foo"),
        ("barrier:hierarchical(4,4", "algorithms", "foo"),
        ("scatter:hierarchical(4,4", "algorithms", "foo"),
        ("gather:hierarchical(4,4", "algorithms", "foo"),
    ] {
        let message = refused(&format!("{owner},{name}={word})"), 16);
        let names = named(&message);
        assert!(!names.is_empty(), "{message}");
        for good in names {
            proved(&format!("{owner},{name}={good})"), 16, &[80]);
        }
        assert_eq!(message.contains("joined by +"), name != "top" && !message.contains("cuts"), "{message}");
    }
    // Two words are a reduce and a broadcast; the one that is wrong is named with those that are right.
    for (word, collective) in [("ring+binomial", "reduce"), ("binomial+ring", "broadcast"), ("binomial+", "broadcast")]
    {
        let message = refused(&format!("allreduce:hierarchical(4,4,top=\"{word}\")"), 16);
        assert!(message.contains(&format!("must be one {collective} algorithm")), "{message}");
        let names = named(&message);
        assert!(!names.is_empty(), "{message}");
        for good in names {
            let both = if collective == "reduce" { format!("{good}+binomial") } else { format!("binomial+{good}") };
            proved(&format!("allreduce:hierarchical(4,4,top=\"{both}\",segments=2)"), 16, &[80]);
        }
    }
    assert!(refused("broadcast:hierarchical(4,4,algorithms=binomal)", 16).contains("did you mean \"binomial\"?"));
    assert!(refused("allreduce:hierarchical(4,4,top=foo)", 16).contains("must be one allreduce algorithm, got"));
}

/// The algorithms that a hint names.
fn named(message: &str) -> Vec<&str> {
    let hint = message.split_once("hint: ").map_or("", |(_, hint)| hint).trim();
    match hint.strip_prefix("did you mean \"") {
        Some(near) => vec![near.trim_end_matches("\"?")],
        None => hint.split_once("algorithms of a level: ").map_or(vec![], |(_, list)| list.split(", ").collect()),
    }
}

fn call_fails(text: &str, ranks: u32) -> bool {
    let (row, bound) = bind_collective(&call(text)).unwrap();
    schedule(row, &job(row, ranks, 0, 8), &bound).is_err()
}

pub(super) fn messages(s: &Schedule) -> Vec<Message> {
    let mut all = Vec::new();
    s.for_each_message(|m| all.push(m));
    all
}

/// Bytes that enter each of the groups of `width` ranks.
fn entering(s: &Schedule, width: u32) -> Vec<u64> {
    let mut bytes = vec![0; (s.ranks / width) as usize];
    for m in messages(s).iter().filter(|m| m.src / width != m.dst / width) {
        bytes[(m.dst / width) as usize] += m.bytes;
    }
    bytes
}

/// The point of a hierarchy: nothing enters a group that must not, and nothing twice.
#[test]
fn groups_are_entered_by_what_they_lack() {
    let (p, width, s) = (96u64, 12u32, 10u64);
    let groups = p / u64::from(width);
    let vector = p * s; // for operations on vectors: 960 bytes
    for shape in ["8,3,4", "8,12,1", "8,1,12"] {
        let entered = |text: &str, size: u64| entering(&made(&format!("{text}({shape})"), 96, 0, size as i64), width);
        for family in ["hierarchical", "two-tier"] {
            let least = (p - u64::from(width)) * s;
            assert_eq!(entered(&format!("allgather:{family}"), s), vec![least; 8], "{family} {shape}");
            // Partial sums of the group's own blocks from every other group.
            assert_eq!(entered(&format!("reduce-scatter:{family}"), s), vec![(groups - 1) * 120; 8]);
            let once = |home: u64, other: u64| [vec![home], vec![other; 7]].concat();
            assert_eq!(entered(&format!("broadcast:{family}"), vector), once(0, vector));
            if family == "two-tier" {
                assert_eq!(entered(&format!("scatter:{family}"), s), once(0, 120));
            }
        }
        let both = entered("allreduce:blueconnect", vector);
        assert_eq!(both, vec![2 * (groups - 1) * 120; 8]);
        assert_eq!(entered("allreduce:two-tier", vector), both);
        let pairs = entering(&made(&format!("alltoall:hierarchical({shape})"), 96, 0, 1), width);
        assert_eq!(pairs, vec![u64::from(width) * (p - u64::from(width)); 8]);
    }
}

/// §8.1.1: messages between groups go from node `t mod nodes` to node `s mod nodes`, and their leaders speak.
#[test]
fn groups_speak_over_their_own_cables() {
    for (g, m, c) in [(8, 4, 3), (7, 3, 2), (5, 8, 2), (3, 1, 4)] {
        let p = g * m * c;
        for root in [0, p / 2 + 1, p - 1] {
            for row in COLLECTIVES.rows.iter().filter(|row| algorithm(row) == "two-tier") {
                let root = if row.collective.is_rooted() { root } else { 0 };
                let schedule = made(&format!("{}({g},{m},{c})", row.name), p.into(), root.into(), 64);
                for message in messages(&schedule) {
                    let place = |r: u32| (r / c / m, r / c % m, r % c);
                    let ((s, i, a), (t, j, b)) = (place(message.src), place(message.dst));
                    if s != t {
                        assert_eq!((i, j), (t % m, s % m), "{} {message:?}", row.name);
                    }
                    if (s, i) != (t, j) {
                        assert_eq!((a, b), (root % c, root % c), "{} {message:?}", row.name);
                    }
                }
            }
        }
    }
}

#[test]
fn machine_of_table_8_2() {
    // The reductions of 64 x 16 x 16 ranks take minutes (docs/concepts/hierarchical-collectives.md).
    for name in ["scatter", "gather", "broadcast"] {
        let text = format!("{name}:two-tier(64,16,16)");
        let (row, bound) = bind_collective(&call(&text)).unwrap();
        verify_row(row, &job(row, 16384, 5000, 1 << 16), &bound).unwrap();
    }
    for name in ["allgather", "reduce-scatter"] {
        // One rank stands for all: its blocks come once each instead of 268 million times.
        let (row, bound) = bind_collective(&call(&format!("{name}:hierarchical(64,16,16)"))).unwrap();
        let schedule = made(&bound.canonical().to_string(), 16384, 0, 1 << 16);
        let Rounds::Cyclic(rounds) = &schedule.rounds else { unreachable!() };
        assert_eq!(rounds.iter().map(|round| round.ranges.len()).sum::<usize>(), 63 + 15 * 64 + 15 * 1024);
        verify_row(row, &job(row, 16384, 0, 1 << 16), &bound).unwrap();
    }
    let (row, bound) = bind_collective(&call("allreduce:two-tier(16,8,8)")).unwrap();
    verify_row(row, &job(row, 1024, 0, 1 << 20), &bound).unwrap();
    assert_eq!(verify(&made("broadcast:two-tier(64,16,16)", 16384, 0, 1 << 30)).unwrap().steps, 6);
}

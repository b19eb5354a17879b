//! Rows, arguments, bad input, sizes.

use std::collections::HashSet;

use netloom_model::{Call, Collective, Op};

use super::super::{APPLICATIONS, OP_LIMIT, default_collectives, mpich_default, programs};
use super::{benchmarks, expand, legal, made};
use crate::registry::find_collective;

#[test]
fn every_row_keeps_the_contract() {
    let mut seen = HashSet::new();
    for row in APPLICATIONS.rows {
        assert!(!row.summary.is_empty() && !row.source.is_empty() && !row.restrictions.is_empty());
        for name in row.names() {
            assert!(seen.insert(name));
            assert_eq!(APPLICATIONS.find(name).unwrap().name, row.name);
        }
        let (_, bound) = APPLICATIONS.bind(&Call::parse(row.example).unwrap()).unwrap();
        for param in row.params {
            assert!(
                param.default.is_none_or(str::is_empty) || bound.is_given(param.name),
                "{} {}",
                row.name,
                param.name
            );
        }
        // A grid says how many ranks it takes.
        let legal = (row.legal)(&bound);
        let ranks = [16, 8].into_iter().find(|ranks| legal.takes(*ranks)).unwrap();
        let some = programs(row, &bound, ranks, &default_collectives).unwrap();
        // The label is a call that makes the same programs.
        assert_eq!(made(&some.label, ranks).unwrap(), some);
    }
}

#[test]
fn a_benchmark_alone_only_computes() {
    for row in benchmarks() {
        let legal = legal(row, "class=S").up_to(64);
        assert!(legal.starts_with(&[1, 2, 4]));
        let alone = expand(&made(row.example, 1).unwrap());
        assert!(alone[0].flops > 0.0 && alone[0].peers.is_empty() && alone[0].collectives.is_empty());
    }
}

#[test]
fn arguments_do_what_they_say() {
    for row in benchmarks() {
        let silent = made(&format!("{}(class=S,compute=false)", row.name), 8).unwrap();
        assert!(silent.ops.iter().all(|op| !matches!(op, Op::Compute { .. })), "{}", row.name);
        let messages = |text: String| {
            let sent = expand(&made(&text, 8).unwrap());
            sent.iter().map(|s| s.messages() + s.collectives.values().sum::<u64>()).sum::<u64>()
        };
        let of = |n: u32| messages(format!("{}(class=S,iterations={n})", row.name));
        assert_eq!(of(3) - of(2), of(2) - of(1), "{}: an iteration is an iteration", row.name);
        assert!(messages(format!("{}(class=S,part=whole)", row.name)) > messages(format!("{}(class=S)", row.name)));
    }
}

#[test]
fn bad_input_is_one_clear_line() {
    for (text, ranks, code, words) in [
        ("cg(class=A)", 100, "NL-P004", "nearest that it takes: 64 or 128"),
        ("cg(class=A)", 0, "NL-P004", "nearest that it takes: 1"),
        ("is(class=S)", 256, "NL-P004", "nearest that it takes: 128"),
        ("ft(class=W)", 2048, "NL-P004", "nearest that it takes: 1024"),
        ("lu(class=A)", 7, "NL-P004", "nearest that it takes: 6 or 8"),
        ("lu(class=S)", 64, "NL-P004", "nearest that it takes: 16"),
        ("mg(class=S)", u32::MAX, "NL-P004", "32768"),
        ("mg(class=C)", 131_072, "NL-P005", "exceed"),
        ("cg", 4, "NL-A004", "class"),
        ("cg(class=Z)", 4, "NL-A007", "S, W, A, B, C"),
        ("cg(class=A,iterations=0)", 4, "NL-A007", "iterations"),
        ("bt(class=A)", 4, "NL-A002", "application"),
        ("pf3d", 500, "NL-P004", "nearest that it takes: 512"),
        ("pf3d", 1000, "NL-P004", "nearest that it takes: 512 or 1024"),
        ("pf3d(x=1048576,y=1048576)", 16, "NL-P004", "nearest"),
        ("pf3d(send=eager)", 512, "NL-A007", "blocking, non-blocking"),
        ("pf3d(up_bytes=\"0.5 B\")", 512, "NL-A007", "whole number"),
        ("milc", 0, "NL-P004", "nearest that it takes: 1"),
        ("milc(grid=[2,2,2,2])", 8, "NL-P004", "nearest that it takes: 16"),
        ("milc(grid=[2,2,2,2,2])", 32, "NL-A007", "4 integers in 1"),
        ("milc(grid=[2,2,2])", 8, "NL-A007", "4 integers in 1"),
        ("milc(sites=[1048576,1048576,1048576,1048576])", 8, "NL-A007", "2^53 bytes"),
        ("fft3d(n=[64,64,64],decomposition=[64,64],instances=64)", 4096, "NL-P005", "exceed"),
        ("splatt(grid=[4,4,4])", 8, "NL-P004", "nearest that it takes: 64"),
        ("sweep(4,4)", 15, "NL-P004", "nearest that it takes: 16"),
        ("communicators(scan,4)", 6, "NL-P004", "nearest that it takes: 4 or 8"),
        ("communicators(scan,0)", 6, "NL-A007", "each"),
        ("sweep", 16, "NL-A004", "dims"),
        ("sweep(16777216,2)", 16, "NL-P004", "as many ranks as the grid has points"),
        ("sweep(4,0)", 16, "NL-A007", "dims"),
        ("sweep(4,4,bytes=\"0.5 B\")", 16, "NL-A007", "whole number"),
        ("sweep(4,4,times=0)", 16, "NL-A007", "times"),
        ("splatt(modes=[4,4,4,4])", 8, "NL-A007", "3 integers in 1"),
    ] {
        let faults = made(text, ranks).unwrap_err();
        assert!(faults.to_string().contains(words), "{text}: {faults}");
        assert_eq!((faults.0.len(), faults.0[0].code), (1, code), "{text}: {faults}");
    }
}

/// The bodies are loops: a rank's actions do not grow with iterations, planes or bytes.
#[test]
fn class_c_on_512_ranks_is_small() {
    for (name, each) in [("ft", 20), ("is", 12), ("mg", 700), ("lu", 80), ("cg", 130)] {
        let programs = made(&format!("{name}(class=C)"), 512).unwrap();
        let ops = programs.ops.len();
        assert!(ops <= 512 * each, "{name}: {} actions a rank", ops / 512);
        assert!((ops as u64) < OP_LIMIT && programs.calls.len() <= 1024);
        assert!(size_of::<Op>() * ops < 10 << 20, "{name}");
    }
}

/// MPICH's choices by name: all registered, all buildable.
#[test]
fn defaults_exist() {
    let mut taken = HashSet::new();
    for collective in Collective::ALL {
        for ranks in [1, 2, 5, 8, 12, 64, 100] {
            for size in [0, 8, 40, 256, 1 << 10, 1 << 13, 1 << 16, 1 << 20] {
                let name = mpich_default(*collective, ranks, size);
                taken.insert(name);
                assert_eq!(find_collective(name).unwrap().collective, *collective);
                default_collectives(*collective, ranks, size, 0).unwrap();
            }
        }
    }
    assert_eq!(taken.len(), 20);
    for (collective, ranks, size, name) in [
        (Collective::Broadcast, 7, 1 << 20, "broadcast:binomial"),
        (Collective::Broadcast, 8, 12_289, "broadcast:scatter-allgather"),
        (Collective::Allreduce, 128, 40, "allreduce:recursive-doubling"),
        (Collective::Allreduce, 128, 4116, "allreduce:rabenseifner"),
        (Collective::Alltoall, 128, 4, "alltoall:bruck"),
        (Collective::Alltoall, 128, 8192, "alltoall:scattered"),
        (Collective::Alltoall, 4, 65_536, "alltoall:pairwise"),
    ] {
        assert_eq!(mpich_default(collective, ranks, size), name);
    }
}

/// The caller decides on algorithms, once per collective; groups share one schedule.
#[test]
fn the_caller_chooses() {
    let asked = std::cell::RefCell::new(Vec::new());
    let choose = |collective, ranks, size, root| {
        asked.borrow_mut().push((collective, ranks, size, root));
        let name = if collective == Collective::Alltoall { "alltoall:bruck" } else { "reduce:linear" };
        crate::build(&Call::bare(name), i64::from(ranks), i64::from(root), size as i64)
    };
    let programs = super::application(&Call::parse("ft(class=W)").unwrap(), 64, &choose).unwrap();
    assert_eq!(
        asked.take(),
        [(Collective::Alltoall, 32, 4096, 0), (Collective::Alltoall, 2, 65_536, 0), (Collective::Reduce, 64, 16, 0)]
    );
    assert!(programs.calls[0].schedule.label.starts_with("alltoall:bruck"));
    assert!(std::sync::Arc::ptr_eq(&programs.calls[0].schedule, &programs.calls[1].schedule));
}

use netloom_model::{Call, Outcome, Traffic};

use super::{PATTERNS, build_pattern, mix};
use crate::registry::build;

fn make(text: &str, ranks: i64) -> Outcome<Traffic> {
    build_pattern(&Call::parse(text).unwrap(), Some(ranks))
}

fn pairs(text: &str, ranks: i64) -> Vec<(u32, u32)> {
    make(text, ranks).unwrap().flows().iter().map(|f| (f.src, f.dst)).collect()
}

#[test]
fn every_row_keeps_the_contract() {
    for row in PATTERNS.rows {
        let call = Call::parse(row.example).unwrap();
        let (found, bound) = PATTERNS.bind(&call).unwrap();
        assert_eq!(found.name, row.name);
        assert!(!row.summary.is_empty() && !row.source.is_empty());
        let ranks = if row.name == "stencil" { 8192 } else { 64 };
        let traffic = row.list(ranks, &bound).unwrap();
        assert_eq!((&traffic, traffic.ranks), (&row.list(ranks, &bound).unwrap(), ranks));
        assert!(traffic.flows().iter().all(|f| f.src < ranks && f.dst < ranks && f.src != f.dst && f.messages > 0));
        assert!(!traffic.flows().is_empty());
        for alias in row.aliases {
            assert_eq!(PATTERNS.find(alias).unwrap().name, row.name);
        }
        for bad in [0, -1, i64::MAX, i64::MIN] {
            let code = build_pattern(&call, Some(bad)).unwrap_err().0[0].code;
            assert_eq!(code, "NL-P001", "{} on {bad}", row.name);
        }
        let _ = row.list(1, &bound); // refused or empty, never a panic
    }
}

#[test]
fn a_hot_spot_gets_its_share() {
    for (p, hot, share) in [(64, 1, 0.1), (64, 4, 0.5), (10, 3, 0.25), (7, 7, 0.3), (2, 1, 0.9), (5, 1, 0.0)] {
        let call = format!("hot-spot(share={share},hot={hot},messages=1000)");
        let traffic = make(&call, p).unwrap();
        let mut got = vec![vec![0u64; p as usize]; p as usize];
        traffic.flows().iter().for_each(|f| got[f.src as usize][f.dst as usize] += f.messages);
        let is_hot: Vec<bool> = (0..p).map(|r| (0..hot).any(|i| i * p / hot == r)).collect();
        assert_eq!(is_hot.iter().filter(|hot| **hot).count() as i64, hot);
        for (src, row) in got.iter().enumerate() {
            let all: u64 = row.iter().sum();
            let others = is_hot.iter().enumerate().any(|(to, hot)| *hot && to != src);
            // Beyond what all get alike.
            let extra = all - 1000 * (p as u64 - 1);
            let expected = if others { share } else { 0.0 };
            assert!((extra as f64 / all as f64 - expected).abs() < 1e-3, "{call}, {src}: {extra} of {all}");
            let mut cold = row.iter().enumerate().filter(|(to, _)| *to != src && !is_hot[*to]);
            assert!(cold.all(|(_, messages)| *messages == 1000), "{call}, {src}: {row:?}");
        }
    }
    assert_eq!(make("hot-spot(hot=5)", 4).unwrap_err().0[0].code, "NL-P001");
}

#[test]
fn fixed_patterns() {
    assert_eq!(pairs("all-pairs", 3), [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]);
    assert_eq!(pairs("transpose", 9), [(1, 3), (2, 6), (3, 1), (5, 7), (6, 2), (7, 5)]);
    assert_eq!(pairs("bit-reverse", 8), [(1, 4), (3, 6), (4, 1), (6, 3)]);
    assert_eq!(pairs("bit-complement", 4), [(0, 3), (1, 2), (2, 1), (3, 0)]);
    assert_eq!(pairs("shuffle", 8), [(1, 2), (2, 4), (3, 6), (4, 1), (5, 3), (6, 5)]);
    assert_eq!(pairs("shift(k=-1)", 3), [(0, 2), (1, 0), (2, 1)]);
    assert_eq!(pairs("shift(3)", 3), []);
    assert_eq!(pairs("tornado", 8)[0], (0, 3));
    // (0, 0) to (1, 2), (0, 3) to (1, 1) on 4 x 5.
    assert_eq!(pairs("tornado(4,5)", 20)[..4], [(0, 7), (1, 8), (2, 9), (3, 5)]);
    assert_eq!(pairs("tornado(8)", 8), pairs("tornado", 8));
    assert_eq!(make("tornado(4,5)", 21).unwrap_err().0[0].code, "NL-P001");
    assert_eq!(pairs("nearest-ring", 4), [(0, 1), (0, 3), (1, 0), (1, 2), (2, 1), (2, 3), (3, 0), (3, 2)]);
    assert_eq!(pairs("nearest-ring", 2), [(0, 1), (1, 0)]);
    for (text, ranks) in [("transpose", 8), ("bit-reverse", 6), ("shuffle", 12), ("stencil(2,3)", 7), ("uniform", 1)] {
        assert_eq!(make(text, ranks).unwrap_err().0[0].code, "NL-P001", "{text}");
    }
}

#[test]
fn stencils() {
    // Cui and Koibuchi: the 16×8×8×8 torus has 32,768 undirected edges, 65,536 messages.
    let traffic = build_pattern(&Call::parse("stencil(16,8,8,8)").unwrap(), None).unwrap();
    assert_eq!((traffic.ranks, traffic.messages(), traffic.bytes()), (8192, 65536, 65536));
    assert_eq!(traffic.grid, Some((vec![16, 8, 8, 8], vec![true; 4])));
    assert_eq!(make("stencil(4,4,periodic=false)", 16).unwrap().messages(), 2 * 2 * 4 * 3);
    assert_eq!(make("stencil(4,4,periodic=[true,false])", 16).unwrap().messages(), 2 * (16 + 12));
    // Two points that close are neighbours once; one point has none.
    assert_eq!(pairs("stencil(2,1)", 2), [(0, 1), (1, 0)]);
    assert_eq!(pairs("stencil(2,3,periodic=false)", 6)[..2], [(0, 1), (0, 3)]);
    assert!(make("stencil(4,4,periodic=[true,false,true])", 16).is_err());
    assert!(make("stencil(4,4,bytes=1.5)", 16).is_err());
    assert!(build_pattern(&Call::parse("stencil(16777216,16777216)").unwrap(), None).is_err());
    // The grid is symmetric: what goes out comes back.
    let flows = pairs("stencil(3,4,5)", 60);
    assert!(flows.iter().all(|(a, b)| flows.contains(&(*b, *a))));
}

#[test]
fn random_patterns() {
    let traffic = make("uniform(messages=100000,seed=3,bytes=128)", 64).unwrap();
    assert_eq!((traffic.messages(), traffic.bytes()), (100_000, 12_800_000));
    // 64·63 pairs, 24.8 messages each: five standard deviations.
    assert_eq!(traffic.flows().len(), 64 * 63);
    assert!(traffic.flows().iter().all(|f| f.messages < 60));
    assert_ne!(traffic, make("uniform(messages=100000,seed=4,bytes=128)", 64).unwrap());
    for ranks in [2, 3, 7, 100] {
        let flows = pairs("permutation(seed=5)", ranks);
        let mut ends: Vec<u32> = flows.iter().map(|f| f.1).collect();
        ends.sort_unstable();
        assert_eq!(ends, (0..ranks as u32).collect::<Vec<_>>());
        let flows = pairs("random-pairs(seed=5)", ranks);
        assert_eq!(flows.len() as i64, ranks - ranks % 2);
        assert!(flows.iter().all(|(a, b)| flows.contains(&(*b, *a))));
    }
    for text in [
        "uniform(messages=0)",
        "uniform(messages=1e9)",
        "uniform(bytes=\"1 TiB\",messages=60000000)",
        "uniform(seed=-1)",
    ] {
        assert!(make(text, 8).is_err(), "{text}");
    }
    assert_eq!(make("all-pairs", 1 << 20).unwrap_err().0[0].code, "NL-P002");
}

#[test]
fn mixes_keep_the_total() {
    let schedule = build(&Call::parse("alltoall:bruck").unwrap(), 64, 0, 10).unwrap();
    assert_eq!(schedule.messages(), 384);
    for percent in 0..=10 {
        let share = f64::from(percent) / 10.0;
        let traffic = mix(&schedule, share, 102_400, 1).unwrap();
        assert_eq!(traffic.messages(), 102_400);
        // Bruck joins ranks 2^i apart only, so those flows hold the collectives.
        let collectives = (share * 102_400.0 / 384.0).round().min((102_400 / 384) as f64) as u64;
        let flow = traffic.flows().iter().find(|f| (f.src, f.dst) == (0, 1)).unwrap();
        assert!(flow.messages >= collectives && flow.messages < collectives + 80, "{share} {flow:?}");
    }
    let text = "mix(alltoall:bruck(k=2),share=0.5,messages=1000,seed=7)";
    assert_eq!(make(text, 8).unwrap().messages(), 1000);
    for bad in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        assert_eq!(mix(&schedule, bad, 10, 1).unwrap_err().0[0].code, "NL-P003");
    }
    assert!(mix(&schedule, 0.5, 0, 1).is_err());
    assert!(make("mix(alltoall:brick)", 8).is_err());
    assert!(make("mix(alltoall:bruck,size=\"1 PiB\")", 8).is_err());
}

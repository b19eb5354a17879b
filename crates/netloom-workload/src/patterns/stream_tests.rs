//! Streams: the same messages as the list, at sizes where no list could be; the draws of each rank by themselves.

use std::sync::Arc;

use netloom_model::traffic::Flow;
use netloom_model::{Call, ScheduleSends, Sends, Traffic};

use super::{PATTERNS, build_pattern, stream_pattern};
use crate::registry::{COLLECTIVES, build};

fn stream(text: &str, ranks: Option<i64>) -> Arc<dyn Sends> {
    stream_pattern(&Call::parse(text).unwrap(), ranks).unwrap()
}

fn from(sends: &dyn Sends, rank: u32) -> Vec<(u32, u64, u64)> {
    let mut out = Vec::new();
    sends.for_each(rank, &mut |to, messages, bytes| out.push((to, messages, bytes)));
    out
}

fn partners(sends: &dyn Sends, rank: u32) -> Vec<u32> {
    from(sends, rank).into_iter().map(|m| m.0).collect()
}

/// All messages, with the ranks generated from the last to the first.
fn collected(sends: &dyn Sends) -> Vec<Flow> {
    let of =
        |src: u32| from(sends, src).into_iter().map(move |(dst, messages, bytes)| Flow { src, dst, messages, bytes });
    Traffic::new("", sends.ranks(), (0..sends.ranks()).rev().flat_map(of).collect()).flows().to_vec()
}

#[test]
fn a_stream_says_what_the_list_holds() {
    let others = [
        ("stencil(4,4,periodic=[true,false],bytes=7)", None),
        ("stencil(2,1,3)", None),
        ("stencil-corners(2,3,4)", None),
        ("stencil-corners(1,5,periodic=false)", None),
        ("wave-front(3,4,5,back=false,burst=40,bytes=\"1 KiB\")", None),
        ("many-to-many(6,10,axis=0)", None),
        ("unstructured-mesh(least=1,most=100,range=70)", Some(90)),
        ("spread", Some(5)),
        ("shift(k=-7)", Some(12)),
        ("opposite", Some(7)),
        ("permutation(seed=9)", Some(33)),
    ];
    let examples = PATTERNS.rows.iter().map(|row| (row.example, (row.name != "stencil").then_some(64)));
    for (text, ranks) in examples.chain(others) {
        let call = Call::parse(text).unwrap();
        let (list, said) = (build_pattern(&call, ranks).unwrap(), stream(text, ranks));
        assert_eq!((said.label(), said.ranks()), (list.label.as_str(), list.ranks), "{text}");
        assert_eq!(collected(&*said), list.flows(), "{text}");
        assert!((0..said.ranks()).all(|r| !partners(&*said, r).contains(&r)), "{text}");
        assert!(from(&*said, said.ranks()).is_empty() && from(&*said, u32::MAX).is_empty(), "{text}");
    }
}

#[test]
fn schedules_say_what_their_list_holds() {
    for row in COLLECTIVES.rows {
        for (ranks, size) in [(8, 60), (8, 64), (7, 61), (1, 5)] {
            let Ok(schedule) = build(&Call::parse(row.example).unwrap(), ranks, 0, size) else { continue };
            let list = Traffic::of_schedule(&schedule).unwrap();
            let said = ScheduleSends::new(Arc::new(schedule));
            assert_eq!((said.label(), said.ranks()), (list.label.as_str(), list.ranks));
            assert_eq!(collected(&said), list.flows(), "{} on {ranks}", row.name);
        }
    }
    let large = build(&Call::parse("alltoall:pairwise").unwrap(), 16_384, 0, 8).unwrap();
    let said = ScheduleSends::new(Arc::new(large));
    assert_eq!(from(&said, 77).iter().map(|m| m.2).sum::<u64>(), 16_383 * 8);
}

#[test]
fn sizes_that_no_list_holds() {
    let all = stream("all-pairs", Some(1 << 24));
    let mut count = 0;
    all.for_each(1 << 23, &mut |_, _, _| count += 1);
    assert_eq!(count, (1 << 24) - 1);
    let seed = stream("many-to-many(180,128,384,axis=1,bytes=\"100 KiB\")", None);
    assert_eq!(seed.ranks(), 8_847_360);
    let rank = 49_152 * 17 + 384 * 100 + 5;
    let line: Vec<u32> = (0..128).filter(|y| *y != 100).map(|y| 49_152 * 17 + 384 * y + 5).collect();
    assert_eq!(partners(&*seed, rank), line);
    assert!(from(&*seed, rank).iter().all(|m| (m.1, m.2) == (1, 102_400)));
    let four = stream("stencil(80,48,48,48,bytes=\"2 MiB\")", None);
    let mut offsets: Vec<i64> = partners(&*four, 4_000_000).iter().map(|&to| i64::from(to) - 4_000_000).collect();
    offsets.sort_unstable();
    // Jain 2016 §3.2.4: neighbours 1, 48, 2,304 and 110,592 ranks away.
    assert_eq!(offsets, [-110_592, -2304, -48, -1, 1, 48, 2304, 110_592]);
    for text in [
        "all-pairs(bytes=\"1 GiB\")",
        "spread(most=1024,bytes=\"1 TiB\")",
        "wave-front(4096,4096,burst=1048576,bytes=\"1 MiB\")",
    ] {
        let call = Call::parse(text).unwrap();
        assert_eq!(stream_pattern(&call, Some(1 << 24)).err().unwrap().0[0].code, "NL-P002", "{text}");
    }
    for text in ["all-pairs", "spread"] {
        let call = Call::parse(text).unwrap();
        assert_eq!(build_pattern(&call, Some(1 << 24)).unwrap_err().0[0].code, "NL-P002", "{text}");
    }
    for bad in [0, -1, (1 << 24) + 1, i64::MAX] {
        assert_eq!(stream_pattern(&Call::parse("spread").unwrap(), Some(bad)).err().unwrap().0[0].code, "NL-P001");
    }
    assert_eq!(stream_pattern(&Call::parse("spread").unwrap(), None).err().unwrap().0[0].code, "NL-P001");
}

#[test]
fn drawn_partners_are_different_and_in_range() {
    let full = 8_847_360;
    let rows = [
        ("unstructured-mesh", 6, 20, 30),
        ("near-neighbour", 20, 30, 1000),
        ("spread", 6, 20, i64::MAX),
        ("unstructured-mesh(least=60,most=60)", 60, 60, 30),
        ("spread(least=500,most=1024)", 500, 1024, i64::MAX),
    ];
    for (text, least, most, range) in rows {
        let sends = stream(text, Some(full));
        let ends = (0..300).chain(full as u32 - 300..full as u32);
        for rank in ends.chain((0..full as u32).step_by(20_011)) {
            let mut to = partners(&*sends, rank);
            let around = range.min(i64::from(rank)).saturating_add(range.min(full - 1 - i64::from(rank)));
            let (low, high) = (least.min(around as usize), most.min(around as usize));
            assert!((low..=high).contains(&to.len()), "{text}: {rank} has {}", to.len());
            assert!(to.iter().all(|&d| (i64::from(d) - i64::from(rank)).abs() <= range && i64::from(d) < full));
            to.sort_unstable();
            assert!(to.windows(2).all(|w| w[0] < w[1]) && !to.contains(&rank));
        }
    }
    let faults = PATTERNS.bind(&Call::parse("spread(least=1025,most=0)").unwrap()).unwrap_err();
    assert_eq!(faults.0.iter().map(|f| f.code).collect::<Vec<_>>(), ["NL-A007"; 2]);
    let reversed = stream_pattern(&Call::parse("spread(least=7,most=6)").unwrap(), Some(64)).err().unwrap();
    assert_eq!(reversed.to_string(), "NL-A007 spread.least must be at most 6, the parameter most, got 7");
}

/// Pearson's statistic against equal shares, in standard deviations from its mean.
fn deviations(counts: &[u64]) -> f64 {
    let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let statistic: f64 = counts.iter().map(|&c| (c as f64 - mean).powi(2) / mean).sum();
    let free = (counts.len() - 1) as f64;
    (statistic - free) / (2.0 * free).sqrt()
}

#[test]
fn numbers_and_partners_are_drawn_evenly() {
    let ranks = 200_000u32;
    let mesh = stream("unstructured-mesh(seed=4)", Some(ranks.into()));
    let (mut numbers, mut offsets) = ([0u64; 15], [0u64; 61]);
    for rank in 30..ranks - 30 {
        let to = partners(&*mesh, rank);
        numbers[to.len() - 6] += 1;
        to.iter().for_each(|d| offsets[(d + 30 - rank) as usize] += 1);
    }
    assert_eq!(offsets[30], 0);
    let others: Vec<u64> = offsets.into_iter().filter(|o| *o > 0).collect();
    assert_eq!(others.len(), 60);
    assert!(deviations(&numbers).abs() < 5.0 && deviations(&others).abs() < 5.0);
    // 13 partners on average, of 15 equally likely numbers: variance (15² - 1)/12.
    let mean = others.iter().sum::<u64>() as f64 / f64::from(ranks - 60);
    assert!((mean - 13.0).abs() < 5.0 * (224.0f64 / 12.0 / f64::from(ranks - 60)).sqrt(), "{mean}");

    let spread = stream("spread(seed=4)", Some(ranks.into()));
    let mut cells = [0u64; 500];
    for rank in 0..ranks {
        partners(&*spread, rank).iter().for_each(|&d| cells[(d / 400) as usize] += 1);
    }
    assert!(deviations(&cells).abs() < 5.0);

    // Every subset of two of three candidates, and every candidate at a clipped end.
    let few = |seed: i64| partners(&*stream(&format!("unstructured-mesh(2,2,3,seed={seed})"), Some(4)), 0);
    let mut missing = [0u64; 3];
    for seed in 0..3000 {
        let absent = 6 - few(seed).iter().sum::<u32>();
        missing[absent as usize - 1] += 1;
    }
    assert!(deviations(&missing).abs() < 5.0, "{missing:?}");
}

#[test]
fn a_seed_is_a_seed() {
    for name in ["unstructured-mesh", "near-neighbour", "spread"] {
        let all = |seed: u64, ranks| collected(&*stream(&format!("{name}(seed={seed})"), Some(ranks)));
        assert_eq!(all(1, 5000), all(1, 5000));
        assert_ne!(all(1, 5000), all(2, 5000));
    }
    // The draws of one rank know nothing of the number of ranks, where its neighbourhood is the same.
    let (small, large) = (stream("unstructured-mesh", Some(5000)), stream("unstructured-mesh", Some(1 << 24)));
    assert!((0..4900).all(|r| from(&*small, r) == from(&*large, r)));
}

#[test]
fn grids_have_their_neighbours() {
    // Jain 2016 §4.2.1: fourteen messages, six faces and eight corners.
    let halo = stream("stencil-corners(4,5,6)", None);
    assert!((0..120).all(|r| partners(&*halo, r).len() == 14));
    let corner = stream("stencil-corners(3,3,3,periodic=false)", None);
    let mut at_corner = partners(&*corner, 0);
    at_corner.sort_unstable();
    assert_eq!(at_corner, [1, 3, 9, 13]);
    assert_eq!(partners(&*corner, 13).len(), 14);
    assert_eq!(partners(&*stream("stencil-corners(5)", None), 0), [1, 4]);
    let wide = format!("stencil-corners({}1)", "1,".repeat(20));
    assert_eq!(stream_pattern(&Call::parse(&wide).unwrap(), None).err().unwrap().0[0].code, "NL-A007");
    // A grid of one axis has no second one.
    assert_eq!(stream_pattern(&Call::parse("many-to-many(60)").unwrap(), None).err().unwrap().0[0].code, "NL-A007");
    // Navaridas 2009: a wave front there and back loads each cable of the mesh once in each direction.
    let open = collected(&*stream("stencil(3,4,periodic=false)", None));
    assert_eq!(collected(&*stream("wave-front(3,4)", None)), open);
    let burst = collected(&*stream("wave-front(3,4,back=false,burst=40,bytes=\"1 KiB\")", None));
    assert_eq!(burst.len() * 2, open.len());
    assert!(burst.iter().all(|f| f.dst > f.src && (f.messages, f.bytes) == (40, 40_960)));
    assert!((0..9).all(|r| partners(&*stream("opposite", Some(9)), r) == Vec::from_iter((r != 4).then_some(8 - r))));
}

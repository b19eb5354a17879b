//! What the papers of circulant graphs, Swing, Bine, PAT, double trees and multi-port buckets claim beyond the closed
//! forms.

use netloom_model::Schedule;
use rayon::prelude::*;

use super::{call, job, made};
use crate::collectives::schedule;
use crate::registry::bind_collective;
use crate::verify::verify_row;

/// Proved, at every root where there is one, with the closed form.
fn proved(text: &str, ranks: u32, size: u64) {
    let (row, bound) = bind_collective(&call(text)).unwrap();
    let roots = if row.collective.is_rooted() { ranks } else { 1 };
    for root in 0..roots {
        if let Err(faults) = verify_row(row, &job(row, ranks, root, size), &bound) {
            panic!("{text} p={ranks} root={root}: {faults}");
        }
    }
}

/// The rest of the numbers up to 130 (every row is proved up to 65 anyway), and two beyond.
#[test]
fn second_half_of_the_catalogue_up_to_130_ranks() {
    const ANY: [&str; 14] = [
        "allgather:circulant-segments(segments=3)",
        "reduce-scatter:circulant-segments(segments=2)",
        "broadcast:circulant(segments=5)",
        "reduce:circulant(segments=5)",
        "allgather:circulant",
        "reduce-scatter:circulant",
        "allreduce:circulant",
        "allgather:swing",
        "allreduce:swing",
        "allgather:pat(aggregate=4)",
        "reduce-scatter:pat(aggregate=4)",
        "broadcast:double-tree(segments=3)",
        "reduce:double-tree(segments=3)",
        "allreduce:double-tree(segments=3)",
    ];
    const EVEN: [&str; 2] = ["broadcast:bine", "reduce:bine"];
    (66..=130).chain([257, 300]).collect::<Vec<u32>>().into_par_iter().for_each(|p| {
        ANY.iter().chain(EVEN.iter().filter(|_| p % 2 == 0)).for_each(|text| proved(text, p, 331));
    });
}

#[test]
fn grids_of_all_shapes_with_all_ports() {
    let bucket = ["(4,3,5)", "(3,7)", "(1,9,1)", "(2,2,2,2)", "(5,5)", "(12)"];
    let swing = ["(4,4,4)", "(2,8)", "(6,4)", "(1,10)", "(2,2,2,2)", "(12)", "(4,6,2)"];
    let cases = bucket.map(|d| ("bucket", d)).into_iter().chain(swing.map(|d| ("swing", d)));
    cases.collect::<Vec<_>>().into_par_iter().for_each(|(kind, dims)| {
        let ranks = dims.trim_matches(['(', ')']).split(',').map(|d| d.parse::<u32>().unwrap()).product();
        for operation in ["allgather", "reduce-scatter", "allreduce"] {
            for size in [0, 331] {
                proved(&format!("{operation}:{kind}-all-ports{dims}"), ranks, size);
            }
        }
    });
    let code = |text: &str, ranks: u32| {
        let (row, bound) = bind_collective(&call(text)).unwrap();
        schedule(row, &job(row, ranks, 0, 8), &bound).unwrap_err().0[0].code
    };
    assert_eq!(code("allreduce:swing-all-ports(3,4)", 12), "NL-C004");
    assert_eq!(code("allgather:bucket-all-ports(3,4)", 14), "NL-C004");
    assert_eq!(code("allgather:bucket-all-ports(2,2,2,2,2,2,2,2,2)", 512), "NL-C004");
}

/// On a cubic torus every step of the bucket uses every directed link once, with equal bytes: nothing can be faster.
#[test]
fn all_ports_load_every_link_alike() {
    let schedule = made("allreduce:bucket-all-ports(4,4,4)", 64, 0, 64 * 6 * 10);
    let mut links = vec![std::collections::HashMap::new(); schedule.steps as usize];
    schedule.for_each_message(|m| {
        assert!(links[m.step as usize].insert((m.src, m.dst), m.bytes).is_none(), "{m:?} shares its link");
    });
    for (step, used) in links.iter().enumerate() {
        assert_eq!(used.len(), 64 * 6, "step {step}");
        assert!(used.keys().all(|(a, b)| neighbours(*a, *b)));
        assert!(used.values().all(|bytes| Some(bytes) == used.values().next()), "step {step}");
    }
    // A sixth of what one port has to send in the heaviest step, in as many steps.
    let heaviest = |text: &str| {
        let mut most = 0;
        made(text, 64, 0, 64 * 6 * 10).for_each_message(|m| most = most.max(m.bytes));
        most
    };
    assert_eq!(heaviest("allreduce:bucket(4,4,4)"), 6 * heaviest("allreduce:bucket-all-ports(4,4,4)"));
}

/// On the torus (4,4,4).
fn neighbours(a: u32, b: u32) -> bool {
    let apart = |w: u32| {
        let d = (a / w % 4).abs_diff(b / w % 4);
        d.min(4 - d)
    };
    [1, 4, 16].map(apart).iter().sum::<u32>() == 1
}

#[test]
fn rounds_of_the_papers() {
    let steps = |text: &str, p: u32| made(text, p.into(), 0, 1000).steps;
    for p in [2u32, 3, 5, 33, 64, 100, 257, 1000] {
        let q = p.next_power_of_two().trailing_zeros();
        // Träff: n - 1 + q; Sanders, Speck & Träff: 2m + 2q - 2 for m segments of each half.
        assert_eq!(steps("broadcast:circulant(segments=12)", p), 11 + q);
        assert_eq!(steps("broadcast:double-tree(segments=6)", p), 2 * 6 + 2 * q - 2);
        assert_eq!(steps("allreduce:circulant", p), 2 * q);
        if p <= 300 {
            assert_eq!(steps("allgather:circulant-segments(segments=12)", p), 11 + q);
        }
    }
    // Jeaugey: logarithmic while the buffers allow, then linear in the rest.
    let pat = |aggregate: u32| steps(&format!("allgather:pat(aggregate={aggregate})"), 64);
    assert_eq!([1, 2, 4, 8, 16, 32, 64].map(pat), [63, 32, 17, 10, 7, 6, 6]);
    assert_eq!(messages(&made("allgather:pat", 100, 0, 8)), messages(&made("allgather:sparbit", 100, 0, 8)));
}

fn messages(schedule: &Schedule) -> Vec<(u32, u32, u32, u64)> {
    let mut out = Vec::new();
    schedule.for_each_message(|m| out.push((m.step, m.src, m.dst, m.bytes)));
    out
}

/// Odd numbers: every rank sends `p - 1` blocks, the last rank never more in a step than the others do.
#[test]
fn swing_on_odd_numbers_is_balanced() {
    for p in [3u32, 5, 7, 9, 17, 33, 65, 129] {
        let schedule = made("reduce-scatter:swing", p.into(), 0, 1);
        assert_eq!(schedule.steps, (p - 1).next_power_of_two().trailing_zeros());
        let mut sent = vec![vec![0; schedule.steps as usize]; p as usize];
        schedule.for_each_message(|m| sent[m.src as usize][m.step as usize] += m.bytes);
        assert!(sent.iter().all(|steps| steps.iter().sum::<u64>() == u64::from(p) - 1), "p={p}");
        if (p - 1).is_power_of_two() {
            for step in 0..schedule.steps as usize {
                let (apart, most) = (sent[p as usize - 1][step], sent.iter().map(|s| s[step]).max().unwrap());
                assert!(apart <= most, "p={p} step {step}: {apart} of {most}");
            }
        }
    }
}

/// Messages between groups of `size` consecutive ranks, and their bytes.
fn between_groups(text: &str, size: u32) -> (u64, u64) {
    let (mut count, mut bytes) = (0, 0);
    made(text, 1024, 0, 1024).for_each_message(|m| {
        if m.src / size != m.dst / size {
            count += 1;
            bytes += m.bytes;
        }
    });
    (count, bytes)
}

/// Swing's partners are two thirds as far on a ring as those of recursive doubling: on `2^q` ranks their distances sum to
/// `(2^(q+1) - 2) / 3` for even `q` and a third more for odd, against `2^q - 1`.
#[test]
fn bine_is_a_third_shorter_on_a_ring() {
    for q in 2..=12u32 {
        let p = 1u32 << q;
        let distance = |text: &str| {
            let mut sum = 0u64;
            made(text, p.into(), 0, 1).for_each_message(|m| {
                let apart = m.src.abs_diff(m.dst);
                sum += u64::from(apart.min(p - apart));
            });
            sum
        };
        assert_eq!(distance("allreduce:recursive-doubling"), u64::from(p) * (u64::from(p) - 1));
        assert_eq!(distance("allreduce:bine"), u64::from(p) * ((2 * u64::from(p) - 2) + u64::from(q % 2)) / 3);
        let trees = distance("broadcast:bine") as f64 / distance("broadcast:binomial") as f64;
        assert!((2.0 / 3.0..=0.76).contains(&trees), "p={p}: {trees}");
    }
}

/// Bine crosses more borders of groups that are aligned powers of two, and fewer of groups of 20, although its broadcast
/// crosses more of those as well: which algorithm is better depends on the placement.
#[test]
fn bine_between_groups_of_ranks() {
    // Reduce-scatter with r xor 1, r xor 2, ...: the order in which Bine takes its partners.
    let near_first = |size: u32| -> u64 {
        let crossing = |i: u32| (0..1024u32).filter(|r| r / size != (r ^ (1 << i)) / size).count() as u64;
        (0..10).map(|i| crossing(i) * (512 >> i) * 1024).sum()
    };
    let messages = |text: &str, size| between_groups(text, size).0;
    assert_eq!([64, 20].map(|g| messages("broadcast:bine", g)), [55, 121]);
    assert_eq!([64, 20].map(|g| messages("broadcast:binomial", g)), [15, 108]);
    assert_eq!([64, 20].map(|g| messages("allreduce:bine", g)), [4416, 6152]);
    assert_eq!([64, 20].map(|g| messages("allreduce:recursive-doubling", g)), [4096, 6560]);
    let ratio = |g| between_groups("reduce-scatter:bine", g).1 as f64 / near_first(g) as f64;
    assert!((ratio(64) - 2.72).abs() < 0.005 && (ratio(20) - 0.97).abs() < 0.005, "{} {}", ratio(64), ratio(20));
    // Bine moves its largest messages between near ranks, recursive halving (far first) between far ones.
    assert!(
        between_groups("reduce-scatter:bine", 64).1 * 20 < between_groups("reduce-scatter:recursive-halving", 64).1
    );
}

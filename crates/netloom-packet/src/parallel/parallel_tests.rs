//! A machine in parts, over threads and processes, gives what it gives in one part.

use netloom_model::Background;
use proptest::prelude::*;

use super::process_group::ProcessGroup;
use super::process_group::tests::together;
use super::rows::Optimism;
use crate::Kept;
use crate::event::OutputSettings;
use crate::event::tests::{Case, PLAIN, network};
use crate::routes::taking::{Sees, Taking};

const CASES: [(&str, &str); 6] = [
    ("torus(4,3)", "dimension-ordered"),
    ("k_ary_n_tree(3,2)", "minimal"),
    ("dragonfly(a=2,p=2,h=1,g=3)", "group-minimal"),
    ("mesh(3,4)", "dimension-ordered"),
    ("random_regular(12,degree=3,seed=1)", "up-down"),
    ("fat_tree(radix=4,levels=3)", "minimal"),
];

/// Endless and finite flows between endpoints that the ranks know nothing of.
fn background(ends: u32, pairs: &[(u32, u32)]) -> Vec<Background> {
    let flow = |(number, (src, dst)): (usize, &(u32, u32))| Background {
        src: src % ends,
        dst: dst % ends,
        bytes: if number % 2 == 0 { f64::INFINITY } else { 30_000.0 },
        start_s: number as f64 * 3e-7,
        cap_bytes_per_s: f64::INFINITY,
    };
    pairs.iter().enumerate().map(flow).collect()
}

fn flows(ends: u32, drawn: Vec<(u32, u32, u64)>) -> Vec<(u32, u32, u64)> {
    let mut seen = std::collections::BTreeSet::new();
    let flows = drawn.into_iter().map(|(a, b, bytes)| (a % ends, b % ends, bytes));
    flows.filter(|(a, b, _)| a != b && seen.insert((*a, *b))).collect()
}

fn taking(which: usize) -> Taking {
    let hybrid = |direct| Taking::Hybrid { detours: 2, direct, sees: Sees::First };
    [Taking::Drawn, Taking::Adaptive, Taking::Detour, hybrid(true), hybrid(false)][which]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn processes_and_threads_give_what_one_part_gives(
        which in 0usize..6,
        drawn in prop::collection::vec((0u32..1000, 0u32..1000, 0u64..60_000), 1..60),
        others in prop::collection::vec((0u32..1000, 0u32..1000), 0..4),
        packets in 1u32..4,
        takes in 0usize..5,
        processes in 2u16..5,
        threads in 1u16..3,
    ) {
        let (net, by) = CASES[which];
        let ends = network(net).endpoints();
        let flows = flows(ends, drawn);
        prop_assume!(!flows.is_empty());
        let (case, others) = (Case::new(net, by, &flows), background(ends, &others));
        let settings = OutputSettings { buffer_bytes: 4096 * packets, ..PLAIN };
        let one = case.with(settings, taking(takes), &others, ProcessGroup::alone()).unwrap().0;
        for parts in 2..6 {
            let settings = OutputSettings { threads: Some(parts), ..settings };
            prop_assert_eq!(&case.with(settings, taking(takes), &others, ProcessGroup::alone()).unwrap().0, &one);
        }
        let threads = threads.min(case.network.switches() as u16 / processes);
        let settings = OutputSettings { threads: Some(threads), ..settings };
        for found in together(processes, |exchange| case.with(settings, taking(takes), &others, ProcessGroup::of(exchange))) {
            let (found, counts) = found.unwrap();
            prop_assert_eq!(&found, &one);
            prop_assert_eq!(counts.parts, u64::from(processes * threads));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn parts_that_run_ahead_give_what_one_part_gives(
        which in 0usize..6,
        drawn in prop::collection::vec((0u32..1000, 0u32..1000, 0u64..60_000), 1..60),
        others in prop::collection::vec((0u32..1000, 0u32..1000), 0..4),
        (packets, cut_through) in (1u32..4, any::<bool>()),
        takes in 0usize..5,
        batch in prop::sample::select(vec![1u32, 7, 64, 1000]),
        (interval, windows) in (prop::sample::select(vec![1u32, 5, 100]), prop::sample::select(vec![1u32, 3, 1 << 30])),
        processes in 2u16..4,
    ) {
        let (net, by) = CASES[which];
        let ends = network(net).endpoints();
        let flows = flows(ends, drawn);
        prop_assume!(!flows.is_empty());
        let (case, others) = (Case::new(net, by, &flows), background(ends, &others));
        let settings = OutputSettings { buffer_bytes: 4096 * packets, cut_through, ..PLAIN };
        let one = case.with(settings, taking(takes), &others, ProcessGroup::alone()).unwrap().0;
        let settings = OutputSettings { optimism: Some(Optimism { batch, interval, windows }), ..settings };
        for parts in 1..=8u16.min(case.network.switches() as u16) {
            let settings = OutputSettings { threads: Some(parts), ..settings };
            let (found, counts) = case.with(settings, taking(takes), &others, ProcessGroup::alone()).unwrap();
            prop_assert_eq!(&found, &one);
            prop_assert!(parts == 1 || counts.processed >= one.work.work.events);
        }
        let settings = OutputSettings { threads: Some(1), ..settings };
        for found in together(processes, |exchange| case.with(settings, taking(takes), &others, ProcessGroup::of(exchange))) {
            prop_assert_eq!(&found.unwrap().0, &one);
        }
    }
}

#[test]
fn a_part_that_looks_at_its_mail_too_late_goes_back() {
    let ends = network("torus(4,4)").endpoints();
    // No division of the switches has all packets of a shift on one side.
    let shifts = (0..ends).flat_map(|src| [5, 7].map(|by| (src, (src + by) % ends, 100_000)));
    let flows: Vec<_> = shifts.collect();
    let case = Case::new("torus(4,4)", "dimension-ordered", &flows);
    let (one, alone) = case.with(PLAIN, Taking::Drawn, &[], ProcessGroup::alone()).unwrap();
    assert_eq!((alone.processed, alone.rollbacks), (0, 0));
    let conservative = OutputSettings { threads: Some(2), ..PLAIN };
    let (found, windows) = case.with(conservative, Taking::Drawn, &[], ProcessGroup::alone()).unwrap();
    assert_eq!(found, one);
    // Before its first look, the part of each process has simulated all that it can alone: packets of the others come into its past.
    let optimism = Some(Optimism { batch: 1_000_000, interval: 2, windows: 1 << 30 });
    let settings = OutputSettings { threads: Some(1), optimism, ..PLAIN };
    for found in together(2, |exchange| case.with(settings, Taking::Drawn, &[], ProcessGroup::of(exchange))) {
        let (found, counts) = found.unwrap();
        assert_eq!(found, one);
        assert!(counts.rollbacks > 0 && counts.processed > one.work.work.events, "{counts:?}");
        assert!(counts.synchronisations < windows.synchronisations, "{counts:?} {windows:?}");
        assert_eq!(counts.mail - counts.cancelled, windows.mail, "{counts:?} {windows:?}");
    }
    // Parts of one thread, which is all that so few events are worth, go on in order of time: none sends another back.
    let settings = OutputSettings { threads: Some(2), ..settings };
    let (found, counts) = case.with(settings, Taking::Drawn, &[], ProcessGroup::alone()).unwrap();
    assert_eq!(found, one);
    assert_eq!((counts.rollbacks, counts.cancelled, counts.mail), (0, 0, windows.mail), "{counts:?}");
    // With any batches, no message of a part is counted that did not stay.
    let small = Optimism { batch: 3, interval: 4, windows: 2 };
    let (found, counts) = case
        .with(OutputSettings { optimism: Some(small), ..settings }, Taking::Drawn, &[], ProcessGroup::alone())
        .unwrap();
    assert_eq!(found, one);
    assert_eq!(counts.mail - counts.cancelled, windows.mail, "{counts:?} {windows:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn parts_see_together_what_one_part_sees(
        which in 0usize..6,
        drawn in prop::collection::vec((0u32..1000, 0u32..1000, 0u64..60_000), 1..60),
        others in prop::collection::vec((0u32..1000, 0u32..1000), 0..4),
        packets in 1u32..4,
        takes in 0usize..5,
        processes in 2u16..4,
    ) {
        let (net, by) = CASES[which];
        let ends = network(net).endpoints();
        let flows = flows(ends, drawn);
        prop_assume!(!flows.is_empty());
        let (case, others) = (Case::new(net, by, &flows), background(ends, &others));
        let kept = Kept { details: true, bins: 8, ..Kept::default() };
        let settings = |parts| OutputSettings { buffer_bytes: 4096 * packets, threads: Some(parts), ..PLAIN };
        let run = |parts: u16, kept: Kept| {
            case.kept(settings(parts), taking(takes), &others, kept, ProcessGroup::alone()).unwrap().0
        };
        let one = run(1, kept);
        for parts in 2..6 {
            prop_assert_eq!(&run(parts, kept), &one);
        }
        let ahead = OutputSettings { optimism: Some(Optimism { batch: 7, interval: 5, windows: 3 }), ..settings(3) };
        prop_assert_eq!(&case.kept(ahead, taking(takes), &others, kept, ProcessGroup::alone()).unwrap().0, &one);
        let (settings, others) = (settings(1), &others);
        let (case, taking) = (&case, taking(takes));
        for found in together(processes, |exchange| case.kept(settings, taking, others, kept, ProcessGroup::of(exchange))) {
            prop_assert_eq!(&found.unwrap().0, &one);
        }
        // Looking changes nothing.
        let mut unseen = one.clone();
        let seen = unseen.work.seen.take().unwrap();
        prop_assert_eq!(&run(1, Kept::default()), &unseen);
        // Every packet and byte once; no link is busy longer than there is time.
        let messages: u64 = seen.jobs.iter().map(|job| job.messages.number()).sum();
        prop_assert_eq!(messages, one.messages);
        for (link, bytes) in seen.links.iter().zip(&one.work.link_bytes) {
            prop_assert_eq!(link.used.units, *bytes);
            prop_assert!(link.used.busy <= seen.until && link.held.unwrap().1 <= f64::from(4096 * packets * 8));
        }
        if others.is_empty() {
            prop_assert_eq!(seen.jobs[0].packets.number(), one.work.work.packets);
            prop_assert_eq!(seen.jobs[0].by_hops.iter().map(|(packets, _)| packets).sum::<u64>(), one.work.work.packets);
        }
        // What stands over time is what stands before links that begin at switches.
        let first_end = case.network.switch_links() as usize;
        let held = |links: &[crate::LinkSeen]| links.iter().map(|link| link.held.unwrap().0).sum::<f64>();
        let all = held(&seen.links[..first_end]) + held(&seen.links[first_end + ends as usize..]);
        let stood: f64 = seen.stood.iter().map(|row| row.amount * f64::from(row.switches) * (row.to - row.from) as f64).sum();
        prop_assert!((stood / seen.until as f64 - all).abs() <= 1e-9 * all.max(1.0), "{} for {}", stood / seen.until as f64, all);
    }
}

/// Last links without latency: ranks may answer at the instant at which a message arrives.
const AT_ONCE: [(&str, &str); 3] = [
    ("torus(4,3,endpoint_latency=0)", "dimension-ordered"),
    ("dragonfly(a=2,p=2,h=1,g=3,endpoint_latency=0)", "group-minimal"),
    ("fat_tree(radix=4,levels=3,endpoint_latency=0)", "minimal"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn parts_agree_where_ranks_answer_at_once(
        which in 0usize..3,
        drawn in prop::collection::vec((0u32..1000, 0u32..1000, prop_oneof![Just(4096u64), Just(9000), 1u64..60_000]), 1..60),
        empty in prop::collection::vec((0u32..1000, 0u32..1000, Just(0u64)), 0..2),
        takes in 0usize..5,
        processes in 2u16..4,
        ahead in any::<bool>(),
    ) {
        let (net, by) = AT_ONCE[which];
        let flows = flows(network(net).endpoints(), [empty, drawn].concat());
        prop_assume!(!flows.is_empty());
        let case = Case::new(net, by, &flows);
        let optimism = ahead.then_some(Optimism { batch: 7, interval: 5, windows: 3 });
        let settings = |threads| OutputSettings { threads: Some(threads), optimism, ..PLAIN };
        let one = case.with(settings(1), taking(takes), &[], ProcessGroup::alone()).unwrap().0;
        for parts in 2..6 {
            let (found, counts) = case.with(settings(parts), taking(takes), &[], ProcessGroup::alone()).unwrap();
            prop_assert_eq!(&found, &one);
            prop_assert_eq!((counts.parts, counts.rollbacks), (u64::from(parts), 0));
            // As long as the shortest last packet, if any is longer than nothing.
            let shortest = flows.iter().map(|(_, _, bytes)| if bytes % 4096 == 0 { 4096.min(*bytes) } else { bytes % 4096 }).min();
            prop_assert_eq!(counts.lookahead_ps == 0, shortest == Some(0));
        }
        for found in together(processes, |exchange| case.with(settings(1), taking(takes), &[], ProcessGroup::of(exchange))) {
            prop_assert_eq!(&found.unwrap().0, &one);
        }
    }
}

#[test]
fn parts_between_which_nothing_takes_time_are_refused() {
    let case = Case::new("dragonfly(a=2,p=2,h=1,g=3,latency=0,global_latency=1e-7)", "group-minimal", &[(0, 5, 9000)]);
    let run = |threads, switch_latency_s| case.timed(OutputSettings { threads, ..PLAIN }, switch_latency_s);
    let one = run(Some(1), 0.0).unwrap().0;
    assert_eq!(run(Some(3), 0.0).unwrap().0, one);
    let refused = run(Some(4), 0.0).unwrap_err().to_string();
    assert!(
        refused.contains("at most 3 parts: links without latency join the switches into that many pieces"),
        "{refused}"
    );
    assert!(run(Some(4), 1e-9).is_ok());
}

#[test]
fn processes_that_disagree_all_stop() {
    let cases =
        [0, 1].map(|more| Case::new("torus(4,4)", "dimension-ordered", &[(0, 5, 100_000 + more), (3, 9, 50_000)]));
    let found = together(3, |exchange| {
        let (rank, _) = crate::parallel::process_group::Exchange::place(&*exchange);
        cases[usize::from(rank == 1)].with(PLAIN, Taking::Drawn, &[], ProcessGroup::of(exchange)).unwrap_err().0[0].code
    });
    assert_eq!(found, ["NL-E024"; 3]);
    // One that refuses its input before it starts.
    let found = together(3, |exchange| {
        let (rank, _) = crate::parallel::process_group::Exchange::place(&*exchange);
        let settings = OutputSettings { threads: Some(if rank == 2 { 9 } else { 1 }), ..PLAIN };
        cases[0].with(settings, Taking::Drawn, &[], ProcessGroup::of(exchange)).unwrap_err().0[0].code
    });
    assert_eq!(found, ["NL-E023", "NL-E023", "NL-A007"]);
}

#[test]
fn more_processes_than_switches_are_refused_by_all() {
    let case = Case::new("complete(2,p=2)", "minimal", &[(0, 3, 10)]);
    let found = together(3, |exchange| {
        case.with(PLAIN, Taking::Drawn, &[], ProcessGroup::of(exchange)).unwrap_err().0[0].clone()
    });
    assert!(found.iter().all(|fault| fault.to_string() == "NL-A007 processes must be at most 2, the switches of the network, got 3"));
}

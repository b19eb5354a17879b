use netloom_model::{Call, Collective, Mapping, Network, NetworkBuilder, Progress};
use proptest::prelude::*;

use super::question::demand;
use super::*;

fn built(text: &str) -> Network {
    crate::build(&Call::parse(text).unwrap()).unwrap()
}

fn all_of(network: &Network) -> Mapping {
    Mapping::new((0..network.endpoints()).collect(), network).unwrap()
}

fn question(collective: Collective, endpoint_links: bool) -> CutQuestion {
    CutQuestion { collective, size_bytes: 1 << 20, root: 0, endpoint_links }
}

fn ask(network: &Network, collective: Collective, endpoint_links: bool) -> CutBound {
    cut_bound(network, &all_of(network), &question(collective, endpoint_links), &Progress::new()).unwrap()
}

/// Links of one byte per second, one endpoint per switch.
fn unit(text: &str) -> Network {
    let shape = built(text);
    let mut builder = NetworkBuilder::new(text, shape.switches());
    let class = builder.class("link", 1.0, 0.0);
    for (link, (&a, &b)) in shape.tails().iter().zip(shape.heads()).enumerate() {
        if (link as u32) < shape.reverse()[link] {
            builder.cable(a, b, class);
        }
    }
    builder.endpoint_link(1.0, 0.0);
    builder.endpoints_everywhere(1);
    builder.build().unwrap()
}

#[test]
fn forestcoll_s_own_numbers() {
    // Algorithm bandwidth = total bytes / time, unit links, every switch an accelerator.
    for (text, algbw) in [
        ("circulant(16,1,2,4,8)", 16.0 * 7.0 / 15.0),
        ("hypercube(4)", 4.267),
        ("torus(4,4)", 4.267),
        ("circulant(32,1,2,4,8,16)", 9.290),
        ("torus(8,8)", 4.063),
    ] {
        let network = unit(text);
        let found = ask(&network, Collective::Allgather, false);
        let total = f64::from(network.switches()) * f64::from(1 << 20);
        assert!((total / found.time_s - algbw).abs() < 5e-4, "{text}: {} {found:?}", total / found.time_s);
        assert!(found.exact, "{text}");
        let scatter = ask(&network, Collective::ReduceScatter, false);
        assert_eq!(scatter.time_s, found.time_s);
    }
}

#[test]
fn endpoint_links_bound_what_their_rank_receives() {
    let network = unit("torus(4,4)");
    let m = f64::from(1 << 20);
    for (collective, messages) in [
        (Collective::Allgather, 15.0),
        (Collective::ReduceScatter, 15.0),
        (Collective::Gather, 15.0),
        (Collective::Scatter, 15.0),
        (Collective::Broadcast, 1.0),
        (Collective::Reduce, 1.0),
        (Collective::Scan, 1.0),
        (Collective::Allreduce, 2.0 * 15.0 / 16.0),
        // The bisection of a 4×4 torus is 8 links each way.
        (Collective::Alltoall, 15.0),
        (Collective::Barrier, 0.0),
    ] {
        let found = ask(&network, collective, true);
        assert_eq!(found.time_s, messages * m, "{collective} {found:?}");
    }
}

#[test]
fn a_thin_middle_decides() {
    // Two stars of four, connected by one cable.
    let mut builder = NetworkBuilder::new("dumb-bell", 2);
    let (link, m) = (builder.class("link", 2.0, 0.0), f64::from(1 << 20));
    builder.cable(0, 1, link);
    builder.endpoint_link(8.0, 0.0);
    builder.endpoints_everywhere(4);
    let network = builder.build().unwrap();
    for (collective, demand) in [
        (Collective::Allgather, 4.0),
        (Collective::Alltoall, 16.0),
        (Collective::Scatter, 4.0),
        (Collective::Broadcast, 1.0),
        (Collective::Allreduce, 1.0),
    ] {
        let found = ask(&network, collective, true);
        assert_eq!((found.time_s, found.parts), (demand * m / 2.0, 2), "{collective} {found:?}");
        assert_eq!(found.side.len(), 4, "{collective}");
        assert!(found.exact || collective == Collective::Allreduce);
    }
}

#[test]
fn the_volume_decides_where_paths_are_long() {
    // All messages of a ring of 32 cross on average 8.26 links; its bisection is two cables.
    let network = unit("ring(32)");
    let found = ask(&network, Collective::Alltoall, false);
    let m = f64::from(1 << 20);
    let (volume, bisection) = (32.0 * 256.0 / 64.0 * m, 256.0 / 2.0 * m);
    assert_eq!(found.time_s, f64::max(volume, bisection));
    assert!(!found.exact);
    let wide = ask(&unit("random_regular(64,degree=8,seed=1)"), Collective::Alltoall, false);
    assert!(wide.parts == 0 && wide.side.is_empty(), "{wide:?}");
}

#[test]
fn what_cannot_be_asked() {
    let network = unit("ring(4)");
    let (mapping, progress) = (all_of(&network), Progress::new());
    let wrong = CutQuestion { root: 4, ..question(Collective::Broadcast, true) };
    assert_eq!(cut_bound(&network, &mapping, &wrong, &progress).unwrap_err().0[0].code, "NL-A007");
    let apart = {
        let mut builder = NetworkBuilder::new("apart", 2);
        builder.endpoints_everywhere(1);
        builder.build().unwrap()
    };
    let asked = question(Collective::Allgather, true);
    assert_eq!(cut_bound(&apart, &all_of(&apart), &asked, &progress).unwrap_err().0[0].code, "NL-N001");
    progress.request_stop();
    assert_eq!(cut_bound(&network, &mapping, &asked, &progress).unwrap_err().0[0].code, "NL-N011");
}

#[test]
fn one_rank_needs_no_time() {
    let network = unit("ring(4)");
    let mapping = Mapping::new(vec![2], &network).unwrap();
    let found = cut_bound(&network, &mapping, &question(Collective::Alltoall, true), &Progress::new()).unwrap();
    assert_eq!((found.time_s, found.parts, found.exact), (0.0, 0, true));
}

#[test]
fn bandwidths_that_are_no_whole_numbers_give_a_bound_that_is_not_called_exact() {
    let mut builder = NetworkBuilder::new("odd", 2);
    let link = builder.class("link", 1.0 / 3.0, 0.0);
    builder.cable(0, 1, link);
    builder.endpoint_link(1e30, 0.0);
    builder.endpoints_everywhere(1);
    let found = ask(&builder.build().unwrap(), Collective::Broadcast, true);
    let exact = 3.0 * f64::from(1 << 20);
    assert!(!found.exact && found.time_s <= exact, "{found:?}");
}

/// The largest demand over capacity of all sets of vertices, by trying them.
fn exhaustive(machine: &Machine<'_>, question: &CutQuestion) -> f64 {
    let ranks = u64::from(machine.ranks);
    let root = machine.home[question.root as usize];
    (1u32..1 << machine.vertices)
        .map(|set| {
            let inside: Vec<bool> = (0..machine.vertices).map(|v| set >> v & 1 == 1).collect();
            let held = machine.home.iter().filter(|v| inside[**v as usize]).count() as u64;
            let asked = demand(question, held, ranks, inside[root as usize]);
            let capacity = machine.across(&inside);
            if asked == 0 { 0.0 } else { asked as f64 / (capacity as f64 * machine.unit) }
        })
        .fold(0.0, f64::max)
}

/// Up to five switches on a random tree with more cables, of whole bandwidths, and up to two endpoints each.
fn small(seed: u64) -> Network {
    let mut stream = netloom_model::Stream::new(seed, "small cut networks");
    let switches = 1 + stream.below(5);
    let mut builder = NetworkBuilder::new("small", switches);
    let classes: Vec<u16> = [1.0, 3.0, 10.0].iter().map(|w| builder.class(&format!("w{w}"), *w, 0.0)).collect();
    for switch in 1..switches {
        builder.cable(switch, stream.below(switch), classes[stream.below(3) as usize]);
    }
    for _ in 0..stream.below(6) {
        let (a, b) = (stream.below(switches), stream.below(switches));
        if a != b {
            builder.cable(a, b, classes[stream.below(3) as usize]);
        }
    }
    builder.endpoint_link(f64::from(1 + stream.below(12)), 0.0);
    for switch in 0..switches {
        for _ in 0..stream.below(3) {
            builder.endpoint(switch);
        }
    }
    builder.endpoint(0);
    builder.endpoint(switches - 1);
    builder.build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_flows_find_the_largest_cut(seed: u64, root in 0u32..3, links: bool, taken in 2u32..6) {
        let net = small(seed);
        let taken = taken.min(net.endpoints());
        let mapping = Mapping::new((0..taken).collect(), &net).unwrap();
        let root = root % taken;
        let machine = Machine::new(&net, mapping.endpoints(), links);
        for &collective in Collective::ALL {
            let root = if collective.is_rooted() { root } else { 0 };
            let asked = CutQuestion { collective, size_bytes: 1, root, endpoint_links: links };
            let found = cut_bound(&net, &mapping, &asked, &Progress::new()).unwrap();
            let slow = exhaustive(&machine, &asked);
            if found.exact && found.parts > 0 {
                prop_assert!((found.time_s - slow).abs() <= 1e-12 * slow, "{collective}: {found:?} {slow}");
            } else {
                // Partitions and volumes ask for more than cuts do.
                prop_assert!(found.time_s >= slow * (1.0 - 1e-12), "{collective}: {found:?} {slow}");
            }
        }
    }
}

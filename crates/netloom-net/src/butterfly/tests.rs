//! Dally and Towles 2004, section 4.1: the 2-ary 3-fly, and the channels of a packet.

use std::sync::Arc;

use netloom_model::{Call, Network};

use crate::registry::build as network;
use crate::routing::build as routing;

fn built(text: &str) -> Arc<Network> {
    Arc::new(network(&Call::parse(text).unwrap()).unwrap())
}

fn digits(mut number: u32, base: u32, count: u32) -> Vec<u32> {
    let mut out = Vec::new();
    for _ in 0..count {
        out.push(number % base);
        number /= base;
    }
    out
}

/// The switches of a packet by the definition: an output has a number of n digits, the lowest is the port; behind stage i - 1
/// the wires exchange digits 0 and n - i, and stage i - 1 puts digit n - i of the destination on the port.
fn by_definition(k: u32, n: u32, from: u32, to: u32) -> Vec<u32> {
    let number = |of: &[u32]| of.iter().rev().fold(0, |sum, digit| sum * k + digit);
    let (mut wire, to) = (digits(from, k, n), digits(to, k, n));
    let mut seen = Vec::new();
    for stage in 0..n {
        seen.push(stage * k.pow(n - 1) + number(&wire[1..]));
        wire[0] = to[(n - 1 - stage) as usize];
        if stage + 1 < n {
            wire.swap(0, (n - 1 - stage) as usize);
        }
    }
    assert_eq!(wire, to);
    seen
}

#[test]
fn a_2_ary_3_fly() {
    let net = built("butterfly(2,3)");
    // Twelve switches of three stages, then eight terminals.
    assert_eq!((net.switches(), net.endpoints(), net.cables()), (12 + 8, 8, 32));
    assert_eq!(net.neighbours(0), [4, 6, 12, 13]);
    assert_eq!(net.neighbours(4), [0, 2, 8, 9]);
    assert_eq!(net.neighbours(11), [6, 7, 18, 19]);
    // Terminal 5 sends into switch 2 of stage 0 and receives from switch 2 of stage 2.
    assert_eq!(net.neighbours(12 + 5), [2, 10]);
    assert_eq!(net.endpoint_switch()[5], 17);
}

#[test]
fn packets_go_by_the_digits_of_their_destination() {
    for (k, n) in [(2u32, 1), (3, 1), (2, 2), (2, 3), (3, 3), (4, 2), (2, 5)] {
        let net = built(&format!("butterfly({k},{n})"));
        let tag = routing(&net, &Call::parse("destination-tag").unwrap()).unwrap();
        let (first, terminals) = (n * k.pow(n - 1), k.pow(n));
        let mut loads = vec![0u32; net.switch_links() as usize];
        for (from, to) in (0..terminals).flat_map(|from| (0..terminals).map(move |to| (from, to))) {
            let mut links = Vec::new();
            tag.draw(first + from, first + to, 0, &mut links).unwrap();
            links.iter().for_each(|link| loads[*link as usize] += 1);
            if from != to {
                let heads = links.iter().map(|link| net.heads()[*link as usize]).collect::<Vec<_>>();
                let mut expected = by_definition(k, n, from, to);
                expected.push(first + to);
                assert_eq!(heads, expected, "{k}-ary {n}-fly, {from} to {to}");
            }
        }
        // Uniform traffic loads every channel alike but for what a terminal sends to itself; half of the links carry nothing.
        let used = loads.iter().filter(|load| **load > 0).count() as u32;
        assert_eq!(used, (n + 1) * terminals);
        assert!(loads.iter().all(|load| *load == 0 || (terminals - k..=terminals).contains(load)), "{loads:?}");
    }
}

#[test]
fn only_its_own_routing_knows_the_way() {
    let net = built("butterfly(2,3)");
    assert_eq!(crate::routing::default_routing(&net), "destination-tag");
    for call in ["minimal", "single-minimal", "valiant", "up-down", "tables"] {
        let faults = routing(&net, &Call::parse(call).unwrap()).err().unwrap();
        assert_eq!((faults.0.len(), faults.0[0].code), (1, "NL-R012"), "{call}");
    }
    let other = routing(&built("torus(4,4)"), &Call::parse("destination-tag").unwrap()).err().unwrap();
    assert_eq!(other.0[0].code, "NL-R012");
}

#[test]
fn a_failed_cable_cuts_the_pairs_that_need_it() {
    let net = built("butterfly(2,3)");
    let link =
        (0..net.switch_links()).find(|l| (net.tails()[*l as usize], net.heads()[*l as usize]) == (0, 4)).unwrap();
    let left = Arc::new(net.without(&[link], &[]).unwrap());
    let tag = routing(&left, &Call::parse("destination-tag").unwrap()).unwrap();
    let lost = |from, to| tag.draw(12 + from, 12 + to, 0, &mut Vec::new()).is_err();
    // Terminals 0 and 1 to the half whose first digit is 0.
    let pairs = (0..8).flat_map(|from| (0..8).map(move |to| (from, to)));
    let lost: Vec<(u32, u32)> = pairs.filter(|(from, to)| from != to && lost(*from, *to)).collect();
    assert_eq!(lost, [(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3)]);
}

#[test]
fn all_endpoints_are_equally_far() {
    let net = built("butterfly(3,2)");
    let hops = crate::metrics::hop_matrix(&net, &netloom_model::Progress::new()).unwrap();
    let ends = net.endpoint_switch();
    let far = |a: &u32| ends.iter().filter(|b| *b != a).all(|b| hops.get(*a, *b) == 3);
    assert!(ends.iter().all(far));
    let found = crate::metrics::metrics(&net, Default::default(), &netloom_model::Progress::new()).unwrap();
    assert_eq!((found.endpoint_diameter, found.endpoint_aspl), (Some(3), Some(3.0)));
}

//! Cables that are half duplex, links that flows do not share, and directions that differ, against closed forms.

use netloom_model::network::Per;
use netloom_model::{Call, Duplex, LinkClass, Network, NetworkBuilder, Op, Programs, Progress, Software, Wire};

use crate::*;
use netloom_ranks::{Job, Load, RoutedMachine, Spread};

const BYTES: u64 = 1_000_000;

/// Two switches with two endpoints each; what has the bandwidth of the cable and of the endpoints, 1 GB/s and 4 GB/s.
fn pair(cable: Per, endpoints: Per, back: f64) -> Network {
    let mut b = NetworkBuilder::new("pair", 2);
    let class =
        |bandwidth_bytes_per_s| LinkClass { name: "link".into(), bandwidth_bytes_per_s, latency_s: 0.0, per: cable };
    let (there, here) = (b.class_of(class(1e9)), b.class_of(class(back)));
    b.cable_each_way(0, 1, there, here);
    (0..4).for_each(|e| b.endpoint(e / 2));
    b.endpoint_link_per(4e9, 0.0, endpoints);
    b.build().unwrap()
}

/// Seconds for a million bytes from each first endpoint to its second.
fn time(network: &Network, pairs: &[(u32, u32)], duplex: Duplex, trace: bool) -> f64 {
    let routing =
        netloom_net::routing::build(&std::sync::Arc::new(network.clone()), &Call::parse("single-minimal").unwrap())
            .unwrap();
    let (wire, software) = (Wire { duplex, ..Wire::default() }, Software::default());
    let machine = RoutedMachine { network, node: None, routing: routing.as_ref(), wire: &wire, software: &software };
    let mut bodies = vec![Vec::new(); 4];
    for &(src, dst) in pairs {
        bodies[dst as usize].push(Op::StartReceive { peer: src, tag: 0, bytes: BYTES });
        bodies[src as usize].push(Op::StartSend { peer: dst, tag: 0, bytes: BYTES });
    }
    bodies.iter_mut().for_each(|body| body.push(Op::WaitAll));
    let programs = Programs::new("burst", bodies, Vec::new()).unwrap();
    let job = Job {
        work: Load::Programs(&programs),
        endpoint_of_rank: &[0, 1, 2, 3],
        routing: None,
        seat_of_rank: &[],
        spread: Spread::Shares,
        start_s: 0.0,
        repetitions: 1,
    };
    execute(&machine, &[job], &[], Asked { record: trace, ..Asked::default() }, &Progress::new()).unwrap().finish_s[0]
        .iter()
        .copied()
        .fold(0.0, f64::max)
}

fn near(got: f64, wanted: f64) {
    assert!((got - wanted).abs() <= 1e-9 * wanted, "{got} for {wanted}");
}

#[test]
fn both_directions_share_a_half_duplex_cable() {
    let crossing = [(0, 2), (3, 1)];
    near(time(&pair(Per::Direction, Per::Direction, 1e9), &crossing, Duplex::Full, false), 1e-3);
    near(time(&pair(Per::Cable, Per::Direction, 1e9), &crossing, Duplex::Full, false), 2e-3);
    near(time(&pair(Per::Direction, Per::Direction, 1e9), &crossing, Duplex::Half, false), 2e-3);
    // An endpoint that sends and receives 1 MB over 4 GB/s.
    let exchange = [(0, 1), (1, 0)];
    near(time(&pair(Per::Direction, Per::Direction, 1e9), &exchange, Duplex::Full, false), 0.25e-3);
    near(time(&pair(Per::Direction, Per::Cable, 1e9), &exchange, Duplex::Full, false), 0.5e-3);
}

#[test]
fn flows_share_nothing_on_a_fat_pipe() {
    let same_way = [(0, 2), (1, 3)];
    near(time(&pair(Per::Direction, Per::Direction, 1e9), &same_way, Duplex::Full, false), 2e-3);
    for duplex in [Duplex::Full, Duplex::Half] {
        near(time(&pair(Per::Flow, Per::Direction, 1e9), &same_way, duplex, false), 1e-3);
    }
    // Flows of one pair share its endpoints, 4 GB/s; where nothing is shared, each has the slowest link to itself.
    let twice = [(0, 1), (0, 1)];
    near(time(&pair(Per::Flow, Per::Direction, 1e9), &twice, Duplex::Full, false), 0.5e-3);
    for trace in [false, true] {
        near(time(&pair(Per::Flow, Per::Flow, 1e9), &twice, Duplex::Full, trace), 0.25e-3);
        near(time(&pair(Per::Flow, Per::Flow, 1e9), &[(0, 2), (0, 2), (0, 3), (1, 2)], Duplex::Full, trace), 1e-3);
    }
}

#[test]
fn each_direction_has_its_own_bandwidth() {
    let network = pair(Per::Direction, Per::Direction, 0.25e9);
    near(time(&network, &[(0, 2)], Duplex::Full, false), 1e-3);
    near(time(&network, &[(2, 0)], Duplex::Full, false), 4e-3);
    near(time(&network, &[(0, 2), (2, 0)], Duplex::Full, false), 4e-3);
}

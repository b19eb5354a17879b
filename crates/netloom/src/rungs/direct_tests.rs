//! Direct links inside nodes against closed forms.

use netloom_model::traffic::Flow;
use netloom_model::{Answer, Duplex, NetworkBuilder, Seats, Traffic};

use super::node_tests::{answer, column, near, node, number, scenario};

const BYTES: u64 = 1_000_000_000;

/// What an evaluator says of flows of a gigabyte between the seats of the first of two nodes.
fn of(text: &str, evaluator: &str, duplex: Duplex, flows: &[(u32, u32)]) -> Answer {
    let mut builder = NetworkBuilder::new("pair", 1);
    builder.endpoints_everywhere(2);
    builder.endpoint_link(25e9, 1e-6);
    let machine = node(text);
    let seats = Seats::new(vec![0; machine.seats() as usize]);
    let seats = seats.with_seats((0..machine.seats()).collect()).unwrap();
    let flow = |&(src, dst)| Flow { src, dst, messages: 1, bytes: BYTES };
    let traffic = Traffic::new("flows", machine.seats(), flows.iter().map(flow).collect());
    let mut made = scenario(builder.build().unwrap(), Some(machine), seats, traffic.into());
    made.machine.wire.duplex = duplex;
    answer(&made, evaluator)
}

fn time(text: &str, evaluator: &str, flows: &[(u32, u32)]) -> f64 {
    number(&of(text, evaluator, Duplex::Full, flows), "time_s")
}

const MESH: &str = "node(gpus=4,links=\"0-1,0-2,0-3,1-2,1-3,2-3:640 Gbps\")";
/// Two pairs, each on its socket.
const PAIRS: &str = "node(sockets=2,gpus=2,socket_bandwidth=\"128 Gbps\",gpu_bandwidth=\"256 Gbps\",links=\"0-1:640 Gbps; 2>3:320 Gbps\")";

#[test]
fn a_pair_of_a_mesh_has_its_own_links_alone() {
    for evaluator in ["time", "packet"] {
        // Four links of 20 GB/s; the other eight of a GPU are for its other partners, whose messages take no longer.
        near(time(MESH, evaluator, &[(0, 1)]), 12.5e-3);
        near(time(MESH, evaluator, &[(0, 1), (0, 2), (0, 3), (1, 0), (2, 3)]), 12.5e-3);
        near(time(MESH, evaluator, &[(0, 1), (0, 1)]), 25e-3);
    }
    let loads = of(MESH, "loads", Duplex::Full, &[(0, 1), (0, 1), (1, 0)]);
    let levels = loads.table("levels").unwrap();
    assert_eq!(levels.columns[0], netloom_model::Column::Text(vec!["direct".into()]));
    assert_eq!(column(&loads, "levels", "max_s"), [25e-3]);
    assert_eq!(column(&loads, "levels", "max_bytes"), [2e9]);
    // Twelve ways on each of two nodes.
    assert_eq!(column(&loads, "levels", "mean_bytes"), [3e9 / 24.0]);
}

#[test]
fn pairs_without_a_link_take_the_levels() {
    for evaluator in ["time", "packet"] {
        let near_packet = |found: f64, right: f64| {
            // A packet is stored at each link that it takes.
            let slack = if evaluator == "packet" { 1e-5 } else { 1e-9 };
            assert!((found - right).abs() <= slack * right, "{evaluator}: {found} {right}");
        };
        near_packet(time(PAIRS, evaluator, &[(0, 1)]), 12.5e-3);
        near_packet(time(PAIRS, evaluator, &[(2, 3)]), 25e-3);
        // Back there is no link: over PCI.
        near_packet(time(PAIRS, evaluator, &[(3, 2)]), 1.0 / 32.0);
        near_packet(time(PAIRS, evaluator, &[(0, 2)]), 1.0 / 16.0);
        near_packet(time(PAIRS, evaluator, &[(0, 2), (1, 3), (0, 1)]), 2.0 / 16.0);
    }
    let loads = of(PAIRS, "loads", Duplex::Full, &[(0, 1), (0, 2), (2, 3)]);
    assert_eq!(column(&loads, "levels", "max_s"), [1.0 / 16.0, 1.0 / 32.0, 25e-3]);
    // Three ways on each of two nodes.
    assert_eq!(column(&loads, "levels", "mean_bytes")[2], 2e9 / 6.0);
}

#[test]
fn both_ways_share_a_link_in_half_duplex() {
    let odd = "node(gpus=2,links=\"0>1:640 Gbps; 1>0:320 Gbps\")";
    for (text, flows, right) in [
        (MESH, vec![(0, 1)], 12.5e-3),
        (MESH, vec![(0, 1), (1, 0)], 25e-3),
        (odd, vec![(0, 1)], 12.5e-3),
        (odd, vec![(1, 0)], 25e-3),
        (odd, vec![(0, 1), (1, 0)], 37.5e-3),
    ] {
        near(number(&of(text, "time", Duplex::Half, &flows), "time_s"), right);
    }
}

#[test]
fn a_link_has_a_latency() {
    let text = "node(gpus=2,gpu_latency=\"9 us\",links=\"0-1:640 Gbps\",link_latency=\"2 us\")";
    near(time(text, "time", &[(0, 1)]), 12.5e-3 + 2e-6);
    near(time(text, "packet", &[(0, 1)]), 12.5e-3 + 2e-6);
}

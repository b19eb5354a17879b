//! Nodes against closed forms.

use std::sync::Arc;

use netloom_model::traffic::Flow;
use netloom_model::{
    Answer, Call, Column, Datum, Distances, Job, Machine, NODES, Network, NetworkBuilder, Node, Progress, RoutingCall,
    Scenario, Seats, Traffic, Workload, param::Bound,
};

pub fn scenario(network: Network, node: Option<Node>, seats: Seats, workload: Workload) -> Scenario {
    let routing = RoutingCall::new(Call::parse("single-minimal").unwrap(), netloom_net::routing::build);
    let bound = Bound::bind(netloom_model::job::JOB, &Call::bare("job")).unwrap();
    let mut job = Job::new("job".into(), Arc::new(seats), workload, &bound).unwrap();
    job.routing = Some(Arc::new(routing));
    let distances = Arc::new(Distances::new(netloom_net::MEASURE));
    let (network, node) = (Arc::new(network), node.map(Arc::new));
    let machine = Machine { node, ..Machine::new(network, distances) };
    Scenario { machine, jobs: vec![job], background: Vec::new() }
}

pub fn answer(scenario: &Scenario, call: &str) -> Answer {
    scenario.check().unwrap();
    let (row, options) = super::RUNGS.bind(&Call::parse(call).unwrap()).unwrap();
    row.evaluate(scenario, &options, &Progress::new()).unwrap()
}

pub fn number(answer: &Answer, name: &str) -> f64 {
    match answer.get(name).unwrap() {
        Datum::Count(count) => *count as f64,
        Datum::Number(number) => *number,
        other => panic!("{name}: {other:?}"),
    }
}

pub fn column(answer: &Answer, table: &str, name: &str) -> Vec<f64> {
    let table = answer.table(table).unwrap();
    let at = table.row.fields.iter().position(|field| field.name == name).unwrap();
    match &table.columns[at] {
        Column::F64(items) => items.clone(),
        other => panic!("{other:?}"),
    }
}

pub fn node(text: &str) -> Node {
    let (row, bound) = NODES.bind(&Call::parse(text).unwrap()).unwrap();
    (row.build)(&bound).unwrap()
}

/// Time of `flows` of a million bytes between seats, on two switches with `per_switch` endpoints each; ports of 1 GB/s and
/// 1 us, the cables between of 100 GB/s and 1 us.
fn time(text: &str, per_switch: u32, places: &[(u32, u32)], flows: &[(u32, u32)]) -> f64 {
    let mut builder = NetworkBuilder::new("pair", 2);
    let class = builder.class("cable", 1e11, 1e-6);
    builder.cable(0, 1, class);
    builder.endpoints_everywhere(per_switch);
    builder.endpoint_link(1e9, 1e-6);
    let seats = Seats::new(places.iter().map(|p| p.0).collect());
    let seats = seats.with_seats(places.iter().map(|p| p.1).collect()).unwrap();
    let flow = |&(src, dst)| Flow { src, dst, messages: 1, bytes: 1_000_000 };
    let traffic = Traffic::new("flows", places.len() as u32, flows.iter().map(flow).collect());
    number(&answer(&scenario(builder.build().unwrap(), Some(node(text)), seats, traffic.into()), "time"), "time_s")
}

pub fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b, "{a} {b}");
}

#[test]
fn one_message_inside_a_socket_across_sockets_across_nodes() {
    let two = "node(sockets=2,cores=4,socket_bandwidth=5e9,socket_latency=3e-7,core_bandwidth=1e10,core_latency=1e-7)";
    let one = |src, dst| time(two, 1, &[src, dst], &[(0, 1)]);
    near(one((0, 0), (0, 3)), 2.0 * 1e-7 + 1e6 / 1e10);
    near(one((0, 0), (0, 4)), 2.0 * (1e-7 + 3e-7) + 1e6 / 5e9);
    near(one((0, 0), (1, 0)), 2.0 * (1e-7 + 3e-7) + 3e-6 + 1e6 / 1e9);
    // A node of which nothing is said costs nothing inside.
    assert_eq!(time("node(cores=8)", 1, &[(0, 0), (0, 7)], &[(0, 1)]), 0.0);
}

#[test]
fn ranks_share_their_nics() {
    let from = |nic: u32| (0..8).map(move |s| (nic, s));
    let flows: Vec<(u32, u32)> = (0..8).map(|r| (r, r + 8)).collect();
    let places: Vec<(u32, u32)> = from(0).chain(from(1)).collect();
    // Eight ranks behind one port take eight times as long as one.
    near(time("node(cores=8)", 1, &places, &flows) - 3e-6, 8.0 * 1e6 / 1e9);
    near(time("node(cores=8)", 1, &places, &flows[..1]) - 3e-6, 1e6 / 1e9);
    // Two ports half of it.
    let half = |nics: [u32; 2]| nics.into_iter().flat_map(|nic| (0..4).map(move |s| (nic, s)));
    let mut builder = NetworkBuilder::new("pair", 2);
    let class = builder.class("cable", 1e11, 1e-6);
    builder.cable(0, 1, class);
    [0, 0, 1, 1].iter().for_each(|&s| builder.endpoint(s));
    builder.endpoint_link(1e9, 1e-6);
    let places: Vec<(u32, u32)> = half([0, 1]).chain(half([2, 3])).collect();
    let seats = Seats::new(places.iter().map(|p| p.0).collect());
    let seats = seats.with_seats(places.iter().map(|p| p.1).collect()).unwrap();
    let flow = |&(src, dst): &(u32, u32)| Flow { src, dst, messages: 1, bytes: 1_000_000 };
    let traffic = Traffic::new("flows", 16, flows.iter().map(flow).collect());
    let two = scenario(builder.build().unwrap(), Some(node("node(cores=8,nics=2)")), seats, traffic.into());
    near(number(&answer(&two, "time"), "time_s") - 3e-6, 4.0 * 1e6 / 1e9);
}

#[test]
fn endpoints_of_one_node_do_not_use_the_network() {
    // The NICs of a node are on switches of their own, as rails are.
    let mut builder = NetworkBuilder::new("rails", 2);
    let class = builder.class("cable", 1e9, 1e-6);
    builder.cable(0, 1, class);
    [0, 1, 0, 1].iter().for_each(|&s| builder.endpoint(s));
    let traffic = |dst| {
        let flow = Flow { src: 0, dst, messages: 2, bytes: 1000 };
        Workload::from(Traffic::new("one", 4, vec![flow]))
    };
    let network = builder.build().unwrap();
    let gpus = || Some(node("node(gpus=2,nics=2,gpu_bandwidth=1e9)"));
    for (dst, between, inside) in [(1, 0.0, 1000.0), (3, 1000.0, 0.0)] {
        let made = scenario(network.clone(), gpus(), Seats::new(vec![0, 1, 2, 3]), traffic(dst));
        let loads = answer(&made, "loads");
        assert_eq!([number(&loads, "inter_node_bytes"), number(&loads, "inside_bytes")], [between, inside]);
        assert_eq!(number(&loads, "max_bytes"), between);
        assert_eq!(number(&loads, "endpoint_max_bytes"), between);
        let hops = answer(&made, "hops");
        assert_eq!(
            [number(&hops, "inter_node_messages"), number(&hops, "inter_node_bytes")],
            [between / 500.0, between]
        );
    }
    let seats = Seats::new(vec![0, 0, 1, 2]);
    assert_eq!(scenario(network.clone(), gpus(), seats, traffic(1)).check().unwrap_err().0[0].code, "NL-M002");
    let three = scenario(network, Some(node("node(gpus=3,nics=3)")), Seats::new(vec![0, 1, 2, 3]), traffic(1));
    assert_eq!(three.check().unwrap_err().0[0].place, "node.nics");
}

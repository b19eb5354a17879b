//! Nodes against the same machine with every unit a switch, and against closed forms.

use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::traffic::Flow;
use netloom_model::{
    Answer, Call, Column, Datum, Distances, Duplex, Job, Level, Machine, NODES, Network, NetworkBuilder, Node,
    Progress, RoutingCall, Scenario, Seats, Stream, Traffic, Workload, param::Bound,
};

/// Of the expanded machine's endpoints: what no message notices.
const UNLIMITED: f64 = 1e30;

fn scenario(network: Network, node: Option<Node>, seats: Seats, workload: Workload) -> Scenario {
    let routing = RoutingCall::new(Call::parse("single-minimal").unwrap(), netloom_net::routing::build);
    let bound = Bound::bind(netloom_model::job::JOB, &Call::bare("job")).unwrap();
    let mut job = Job::new("job".into(), Arc::new(seats), workload, &bound).unwrap();
    job.routing = Some(Arc::new(routing));
    let distances = Arc::new(Distances::new(netloom_net::metrics::hop_matrix));
    let (network, node) = (Arc::new(network), node.map(Arc::new));
    Scenario { network, distances, node, jobs: vec![job], background: Vec::new(), machine: Machine::default() }
}

fn answer(scenario: &Scenario, call: &str) -> Answer {
    scenario.check().unwrap();
    let (row, options) = super::EVALUATORS.bind(&Call::parse(call).unwrap()).unwrap();
    row.evaluate(scenario, &options, &Progress::new()).unwrap()
}

fn number(answer: &Answer, name: &str) -> f64 {
    match answer.get(name).unwrap() {
        Datum::Count(count) => *count as f64,
        Datum::Number(number) => *number,
        other => panic!("{name}: {other:?}"),
    }
}

fn column(answer: &Answer, table: &str, name: &str) -> Vec<f64> {
    let table = answer.table(table).unwrap();
    let at = table.row.fields.iter().position(|field| field.name == name).unwrap();
    match &table.columns[at] {
        Column::F64(items) => items.clone(),
        other => panic!("{other:?}"),
    }
}

/// A machine whose network is a tree, so that every pair has one path.
struct Case {
    /// (switch, its parent, bandwidth, latency)
    cables: Vec<(u32, u32, f64, f64)>,
    switch_of_endpoint: Vec<u32>,
    node: Node,
    seats: Vec<(u32, u32)>,
    traffic: Traffic,
    duplex: Duplex,
}

const NIC: (f64, f64) = (3e9, 2e-7);

impl Case {
    fn random(seed: u64) -> Case {
        let mut draw = Stream::new(seed, "nodes");
        let mut below = |n: u32| draw.below(n);
        let switches = 1 + below(5);
        let cables = (1..switches).map(|s| (s, below(s), 1e9 * f64::from(1 + below(9)), 1e-8 * f64::from(below(9))));
        let cables = cables.collect();
        let switch_of_endpoint: Vec<u32> = (0..1 + below(6)).map(|_| below(switches)).collect();
        let levels = (0..below(4)).map(|level| Level {
            name: format!("level {level}"),
            count: 1 + below(3),
            bandwidth_bytes_per_s: if below(4) == 0 { f64::INFINITY } else { 1e9 * f64::from(1 + below(12)) },
            latency_s: 1e-8 * f64::from(below(5)),
        });
        let node = Node::new(levels.collect(), 1).unwrap();
        let mut seats: Vec<(u32, u32)> =
            (0..switch_of_endpoint.len() as u32).flat_map(|e| (0..node.seats()).map(move |s| (e, s))).collect();
        for at in (1..seats.len()).rev() {
            seats.swap(at, below(at as u32 + 1) as usize);
        }
        seats.truncate(1 + below(12) as usize);
        let ranks = seats.len() as u32;
        let flow = |_| Flow { src: below(ranks), dst: below(ranks), messages: 1, bytes: u64::from(1 + below(1 << 20)) };
        let flows = (0..20).map(flow).collect();
        let duplex = if seed.is_multiple_of(4) { Duplex::Half } else { Duplex::Full };
        Case { cables, switch_of_endpoint, node, seats, traffic: Traffic::new("random", ranks, flows), duplex }
    }

    fn cables(&self, builder: &mut NetworkBuilder) {
        for &(a, b, bandwidth, latency) in &self.cables {
            let class = builder.class("cable", bandwidth, latency);
            builder.cable(a, b, class);
        }
    }

    /// With nodes.
    fn folded(&self) -> Scenario {
        let mut builder = NetworkBuilder::new("folded", self.cables.len() as u32 + 1);
        self.cables(&mut builder);
        builder.endpoint_link(NIC.0, NIC.1);
        self.switch_of_endpoint.iter().for_each(|&s| builder.endpoint(s));
        let seats = Seats::new(self.seats.iter().map(|s| s.0).collect());
        let seats = seats.with_seats(self.seats.iter().map(|s| s.1).collect()).unwrap();
        let network = builder.build().unwrap();
        let mut made = scenario(network, Some(self.node.clone()), seats, self.traffic.clone().into());
        made.machine.duplex = self.duplex;
        made
    }

    /// Every NIC and every unit a switch; gives also the number of each unit's switch and of its parent's, by node link.
    fn expanded(&self) -> (Scenario, Vec<(u32, u32)>) {
        let (switches, nodes) = (self.cables.len() as u32 + 1, self.switch_of_endpoint.len() as u32);
        let linked: Vec<&Level> = self.node.levels().iter().filter(|level| level.count > 1).collect();
        let (mut parents, mut next) = (Vec::new(), switches + nodes);
        let mut leaves = Vec::new();
        for node in 0..nodes {
            let mut above = vec![switches + node];
            for (at, level) in linked.iter().enumerate() {
                let here: Vec<(u32, u32)> =
                    above.iter().flat_map(|up| (0..level.count).map(move |_| *up)).zip(next..).collect();
                next += here.len() as u32;
                above = here.iter().map(|unit| unit.1).collect();
                parents.extend(here.into_iter().map(|(up, unit)| (unit, up, at)));
            }
            leaves.extend(above);
        }
        let mut builder = NetworkBuilder::new("expanded", next);
        self.cables(&mut builder);
        let nic = builder.class("nic", NIC.0, NIC.1);
        (0..nodes).for_each(|e| builder.cable(switches + e, self.switch_of_endpoint[e as usize], nic));
        for &(unit, up, at) in &parents {
            let Level { bandwidth_bytes_per_s, latency_s, .. } = linked[at];
            let class = builder.class("level", bandwidth_bytes_per_s.min(UNLIMITED), *latency_s);
            builder.cable(unit, up, class);
        }
        builder.endpoint_link(UNLIMITED, 0.0);
        leaves.iter().for_each(|&leaf| builder.endpoint(leaf));
        let seats = Seats::new(self.seats.iter().map(|(e, s)| e * self.node.seats() + s).collect());
        let mut made = scenario(builder.build().unwrap(), None, seats, self.traffic.clone().into());
        made.machine.duplex = self.duplex;
        (made, parents.into_iter().map(|(unit, up, _)| (unit, up)).collect())
    }
}

#[test]
fn nodes_are_switches_and_links() {
    for seed in 0..1200 {
        let case = Case::random(seed);
        let (folded, (expanded, units)) = (case.folded(), case.expanded());
        let (mine, plain) = (answer(&folded, "loads(hottest=0)"), answer(&expanded, "loads(hottest=0)"));
        let links = column(&plain, "links", "bytes");
        let network = &expanded.network;
        let of: HashMap<(u32, u32), f64> = (0..network.switch_links() as usize)
            .map(|l| ((network.tails()[l], network.heads()[l]), links[l]))
            .collect();
        let (here, base) = (column(&mine, "links", "bytes"), &folded.network);
        for l in 0..base.switch_links() as usize {
            assert_eq!(here[l], of[&(base.tails()[l], base.heads()[l])], "seed {seed}, link {l}");
        }
        for (e, &switch) in (0..).zip(&case.switch_of_endpoint) {
            let nic = base.switches() + e;
            assert_eq!(here[base.injection_link(e) as usize], of[&(nic, switch)], "seed {seed}, injection {e}");
            assert_eq!(here[base.ejection_link(e) as usize], of[&(switch, nic)], "seed {seed}, ejection {e}");
        }
        let (sends, places) = (folded.jobs[0].workload.sends().unwrap(), folded.places().unwrap());
        let inner =
            crate::loads::inside(&case.node, base.endpoints(), &[(&*sends, &places[0])], &Progress::new()).unwrap();
        let both = units.iter().flat_map(|&(unit, up)| [of[&(unit, up)], of[&(up, unit)]]);
        assert_eq!(inner.bytes.iter().map(|b| *b as f64).collect::<Vec<_>>(), both.collect::<Vec<_>>(), "seed {seed}");
        let (mine, plain) = (answer(&folded, "time"), answer(&expanded, "time"));
        let pairs = column(&mine, "ranks", "finish_s").into_iter().zip(column(&plain, "ranks", "finish_s"));
        for (rank, (a, b)) in pairs.enumerate() {
            assert!((a - b).abs() <= 1e-9 * b + 1e-15, "seed {seed}, rank {rank}: {a} {b}");
        }
    }
}

fn node(text: &str) -> Node {
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

fn near(a: f64, b: f64) {
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

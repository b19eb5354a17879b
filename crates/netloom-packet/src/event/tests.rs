//! Closed forms of single messages, and conservation.

use std::sync::Arc;

use netloom_model::traffic::Flow;
use netloom_model::{
    Background, Call, Network, Outcome, Progress, Routing, Software, Traffic, Wire, destination,
    machine::Settings as Costs,
};
use netloom_net::routing;
use proptest::prelude::*;

use super::{Injection, OutputSettings, PacketRun, execute};
use crate::parallel::parallel_stats::ParallelStats;
use crate::parallel::process_group::ProcessGroup;
use crate::routes::taking::{Sees, Taking};
use crate::{Carried, Kept};
use netloom_ranks::RoutedMachine;
use netloom_ranks::{Execution, Job, Load, Spread};

pub const PLAIN: OutputSettings = OutputSettings {
    channels: None,
    packet_bytes: 4096,
    buffer_bytes: 1 << 16,
    cut_through: true,
    injection: Injection::RoundRobin,
    seed: 1,
    threads: None,
    optimism: None,
    share: None,
};

pub fn network(text: &str) -> Arc<Network> {
    Arc::new(netloom_net::build(&Call::parse(text).unwrap()).unwrap())
}

pub struct Case {
    pub network: Arc<Network>,
    routing: Box<dyn Routing>,
    traffic: Traffic,
    places: Vec<u32>,
    escape: Option<Box<dyn Routing>>,
}

/// Of the cases, seconds.
const SWITCH_LATENCY_S: f64 = 5e-8;

fn costs(switch_latency_s: f64) -> Costs {
    let plain = Costs::default();
    Costs { wire: Wire { switch_latency_s, ..plain.wire }, software: Software { flops_per_s: 1e9, ..plain.software } }
}

impl Case {
    pub fn new(net: &str, by: &str, flows: &[(u32, u32, u64)]) -> Case {
        let network = network(net);
        let routing = routing::build(&network, &Call::parse(by).unwrap()).unwrap();
        let flow = |&(src, dst, bytes): &(u32, u32, u64)| Flow { src, dst, messages: 1, bytes };
        let ranks = network.endpoints();
        let traffic = Traffic::new("flows", ranks, flows.iter().map(flow).collect());
        Case { network, routing, traffic, places: (0..ranks).collect(), escape: None }
    }
    /// The same with an escape.
    pub fn escaping(self, by: &str) -> Case {
        let escape = routing::build(&self.network, &Call::parse(by).unwrap()).unwrap();
        Case { escape: Some(escape), ..self }
    }
    fn job(&self) -> Job<'_> {
        Job {
            work: Load::Traffic(&self.traffic),
            endpoint_of_rank: &self.places,
            seat_of_rank: &[],
            routing: None,
            spread: Spread::Shares,
            start_s: 0.0,
            repetitions: 1,
        }
    }
    fn machine<'a>(&'a self, costs: &'a Costs) -> RoutedMachine<'a> {
        RoutedMachine {
            network: &self.network,
            node: None,
            routing: &*self.routing,
            wire: &costs.wire,
            software: &costs.software,
        }
    }
    pub fn with(
        &self,
        settings: OutputSettings,
        taking: Taking,
        background: &[Background],
        group: ProcessGroup,
    ) -> Outcome<(Execution<Carried>, ParallelStats)> {
        self.kept(settings, taking, background, Kept::default(), group)
    }
    pub fn kept(
        &self,
        settings: OutputSettings,
        taking: Taking,
        background: &[Background],
        kept: Kept,
        group: ProcessGroup,
    ) -> Outcome<(Execution<Carried>, ParallelStats)> {
        let (costs, progress) = (costs(SWITCH_LATENCY_S), Progress::new());
        let jobs = [(self.job(), taking)];
        let (machine, escapes) = (self.machine(&costs), [self.escape.as_deref()]);
        let asked = PacketRun { escapes: &escapes, background, kept, ..PacketRun::new(machine, &jobs, settings) };
        execute(&asked, (&progress, group))
    }
    /// With this latency of switches.
    pub fn timed(
        &self,
        settings: OutputSettings,
        switch_latency_s: f64,
    ) -> Outcome<(Execution<Carried>, ParallelStats)> {
        let (costs, progress) = (costs(switch_latency_s), Progress::new());
        let machine = self.machine(&costs);
        let jobs = [(self.job(), Taking::Drawn)];
        execute(&PacketRun::new(machine, &jobs, settings), (&progress, ProcessGroup::alone()))
    }
    pub fn run(&self, settings: OutputSettings, taking: Taking) -> Execution<Carried> {
        self.with(settings, taking, &[], ProcessGroup::alone()).unwrap().0
    }
    fn time_s(&self, settings: OutputSettings, taking: Taking) -> f64 {
        let done = self.run(settings, taking);
        assert_eq!(done.messages, self.traffic.flows().len() as u64);
        assert_eq!(done.bytes, self.traffic.flows().iter().map(|f| f.bytes).sum::<u64>());
        done.end_s()
    }
    fn fluid_s(&self) -> f64 {
        let costs = costs(SWITCH_LATENCY_S);
        netloom_flow::execute(
            &self.machine(&costs),
            &[self.job()],
            &[],
            netloom_flow::Asked::default(),
            &Progress::new(),
        )
        .unwrap()
        .end_s()
    }
}

fn near(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() <= within * b, "{a} for {b}");
}

#[test]
fn a_message_alone_takes_latency_and_bytes_over_bandwidth() {
    for (net, by) in [
        ("torus(4,4)", "dimension-ordered"),
        ("fat_tree(radix=4,levels=3)", "d-mod-k"),
        ("dragonfly(a=4,p=2,h=1,g=5)", "group-minimal"),
    ] {
        for bytes in [1, 4096, 1_000_000] {
            let case = Case::new(net, by, &[(0, network(net).endpoints() - 1, bytes)]);
            let fluid = case.fluid_s();
            near(case.time_s(PLAIN, Taking::Drawn), fluid, 1e-5);
            // Every link after the first waits for a whole packet.
            let slow = OutputSettings { cut_through: false, ..PLAIN };
            let took = bytes.min(4096) as f64 / case.network.endpoint_class().bandwidth_bytes_per_s;
            let (mut paths, last) = (Vec::new(), case.network.endpoints() - 1);
            let end = destination(&*case.routing, &case.network, last);
            case.routing.paths(case.network.endpoint_switch()[0], end, &mut paths).unwrap();
            let links = paths[0].links.len() as f64 + 2.0;
            // The last packet may be short; the pipeline is as slow as a full one until then.
            let rest = case.time_s(slow, Taking::Drawn) - fluid;
            assert!(rest <= (links - 1.0) * took * 1.0001 + 1e-11 && rest >= 0.0, "{net} {bytes}: {rest}");
            if bytes <= 4096 {
                near(rest, (links - 1.0) * took, 1e-3);
            }
        }
    }
}

#[test]
fn a_packet_alone_crosses_the_links_of_its_route() {
    for (net, by) in [
        ("random_regular(12,degree=3,seed=1)", "up-down"),
        ("torus(3,3)", "dimension-ordered"),
        ("dragonfly(a=2,p=1,h=1,g=3)", "group-minimal"),
    ] {
        let ends = network(net).endpoints();
        for (from, to) in (0..ends).flat_map(|from| (0..ends).map(move |to| (from, to))).filter(|(a, b)| a != b) {
            let case = Case::new(net, by, &[(from, to, 100)]);
            let source = case.network.endpoint_switch()[from as usize];
            let mut paths = Vec::new();
            case.routing.paths(source, destination(&*case.routing, &case.network, to), &mut paths).unwrap();
            let links: Vec<u64> = paths.iter().map(|path| path.links.len() as u64 + 2).collect();
            let crossed = case.run(PLAIN, Taking::Drawn).work.work.packet_hops;
            assert!(links.contains(&crossed), "{net} {from} to {to}: {crossed} links, routes of {links:?}");
        }
    }
}

/// Every endpoint of a group sends to the next group: minimal routes share one global link.
#[test]
fn detours_pay_on_a_dragonfly_whose_groups_send_to_the_next_and_not_otherwise() {
    let dragonfly = "dragonfly(a=4,p=2,h=2,g=9)";
    let ends = network(dragonfly).endpoints();
    let far: Vec<_> = (0..ends).map(|src| (src, (src + 8) % ends, 200_000)).collect();
    // One endpoint of each switch sends to the next switch of its group: no two share a link.
    let close: Vec<_> = (0..ends).step_by(2).map(|src| (src, src / 8 * 8 + (src + 2) % 8, 200_000)).collect();
    let [far, close] = [far, close].map(|flows| Case::new(dragonfly, "group-minimal", &flows));
    let bound = 200_000.0 / far.network.endpoint_class().bandwidth_bytes_per_s;
    let hybrid = Taking::Hybrid { detours: 1, direct: true, sees: Sees::First };
    let [direct, valiant, ugal] = [Taking::Drawn, Taking::Detour, hybrid].map(|taking| far.time_s(PLAIN, taking));
    // Eight endpoints share a link of their bandwidth.
    near(direct, 8.0 * bound, 0.01);
    assert!(ugal < 0.5 * direct && valiant < 0.5 * direct, "{direct} {valiant} {ugal}");
    let [direct, valiant, ugal] = [Taking::Drawn, Taking::Detour, hybrid].map(|taking| close.time_s(PLAIN, taking));
    near(direct, bound, 0.05);
    assert!(ugal < 1.1 * direct && valiant > ugal, "{direct} {valiant} {ugal}");
    let few = OutputSettings { channels: Some(3), ..PLAIN };
    let job = [(far.job(), hybrid)];
    let costs = costs(SWITCH_LATENCY_S);
    let asked = PacketRun::new(far.machine(&costs), &job, few);
    let refused = execute(&asked, (&Progress::new(), ProcessGroup::alone())).unwrap_err();
    assert_eq!(refused.0[0].code, "NL-E019");
}

#[test]
fn a_nic_serves_messages_in_turn_the_oldest_or_those_of_the_first_job() {
    let bytes = 400_000;
    // The second job starts first; both send from one endpoint.
    let cases = [Case::new("star(4)", "minimal", &[(0, 1, bytes)]), Case::new("star(4)", "minimal", &[(0, 2, bytes)])];
    let once = bytes as f64 / cases[0].network.endpoint_class().bandwidth_bytes_per_s;
    let jobs = [(Job { start_s: 0.25 * once, ..cases[0].job() }, Taking::Drawn), (cases[1].job(), Taking::Drawn)];
    let costs = costs(SWITCH_LATENCY_S);
    let ends = |injection| {
        let settings = OutputSettings { injection, ..PLAIN };
        let together = (&Progress::new(), ProcessGroup::alone());
        let done = execute(&PacketRun::new(cases[0].machine(&costs), &jobs, settings), together).unwrap().0;
        [0, 1].map(|job: usize| done.finish_s[job].iter().copied().fold(0.0, f64::max))
    };
    for (injection, first, second) in
        [(Injection::RoundRobin, 2.0, 1.75), (Injection::FirstCome, 2.0, 1.0), (Injection::Priority, 1.25, 2.0)]
    {
        let [one, other] = ends(injection);
        near(one, first * once, 0.03);
        near(other, second * once, 0.03);
    }
}

#[test]
fn an_incast_shares_the_last_link() {
    let flows: Vec<(u32, u32, u64)> = (1..8).map(|src| (src, 0, 400_000)).collect();
    let case = Case::new("star(8)", "minimal", &flows);
    near(case.time_s(PLAIN, Taking::Drawn), case.fluid_s(), 0.01);
}

#[test]
fn packets_of_a_shift_on_a_whole_tree_meet_no_other() {
    let tree = "fat_tree(radix=4,levels=3,top=full)";
    let ends = network(tree).endpoints();
    let flows: Vec<(u32, u32, u64)> = (0..ends).map(|src| (src, (src + 5) % ends, 100_000)).collect();
    let case = Case::new(tree, "d-mod-k", &flows);
    near(case.time_s(PLAIN, Taking::Drawn), case.fluid_s(), 1e-4);
    assert!(case.time_s(PLAIN, Taking::Adaptive) >= case.fluid_s() * (1.0 - 1e-9));
}

#[test]
fn a_routing_that_could_deadlock_is_refused() {
    let case = Case::new("ring(6)", "single-minimal(vc=one)", &[(0, 5, 10)]);
    let costs = costs(SWITCH_LATENCY_S);
    let job = [(case.job(), Taking::Drawn)];
    let asked = PacketRun::new(case.machine(&costs), &job, PLAIN);
    let refused = execute(&asked, (&Progress::new(), ProcessGroup::alone())).unwrap_err();
    assert_eq!(refused.0[0].code, "NL-E019");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_message_arrives_and_no_sooner_than_its_bytes_can(
        which in 0usize..5,
        flows in prop::collection::vec((0u32..1000, 0u32..1000, 0u64..60_000), 1..60),
        packet in prop::sample::select(vec![64u32, 500, 4096]),
        packets in 1u32..4,
        cut_through: bool,
        injects in 0usize..3,
        takes in 0usize..8,
    ) {
        let (net, by) = [
            ("torus(4,3)", "dimension-ordered"),
            ("k_ary_n_tree(3,2)", "minimal"),
            ("dragonfly(a=2,p=2,h=1,g=3)", "group-minimal"),
            ("mesh(3,4)", "dimension-ordered"),
            ("random_regular(12,degree=3,seed=1)", "up-down"),
        ][which];
        let ends = network(net).endpoints();
        let mut seen = std::collections::BTreeSet::new();
        let flows: Vec<(u32, u32, u64)> = flows
            .into_iter()
            .map(|(a, b, bytes)| (a % ends, b % ends, bytes))
            .filter(|(a, b, _)| a != b && seen.insert((*a, *b)))
            .collect();
        prop_assume!(!flows.is_empty());
        let case = Case::new(net, by, &flows);
        let injection = [Injection::RoundRobin, Injection::FirstCome, Injection::Priority][injects];
        let settings = OutputSettings { packet_bytes: packet, buffer_bytes: packet * packets, cut_through, injection, ..PLAIN };
        let hybrid = |direct, sees| Taking::Hybrid { detours: 2, direct, sees };
        // Only where there are groups may packets choose again.
        let again = if case.network.structure().groups.is_some() { Sees::Again } else { Sees::First };
        let taking = [Taking::Drawn, Taking::Adaptive, Taking::Detour, hybrid(true, Sees::First), hybrid(false, Sees::First),
            Taking::Sprayed, hybrid(true, Sees::Path), hybrid(true, again)][takes];
        let time_s = case.time_s(settings, taking);
        for threads in 1..5 {
            let parts = OutputSettings { threads: Some(threads.min(case.network.switches() as u16)), ..settings };
            prop_assert_eq!(case.run(settings, taking), case.run(parts, taking));
        }
        let rate = case.network.endpoint_class().bandwidth_bytes_per_s;
        let most = |of: &dyn Fn(&(u32, u32, u64)) -> u32| {
            let mut sums = vec![0u64; ends as usize];
            flows.iter().for_each(|f| sums[of(f) as usize] += f.2);
            *sums.iter().max().unwrap() as f64 / rate
        };
        prop_assert!(time_s >= most(&|f| f.0).max(most(&|f| f.1)) - 1e-9);
    }
}

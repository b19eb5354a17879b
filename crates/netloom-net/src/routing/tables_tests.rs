use std::collections::BTreeSet;
use std::sync::Arc;

use netloom_model::deadlock::{Deadlock, ends};
use netloom_model::paths::destination;
use netloom_model::{Call, Forwarding, Lost, Network, Progress, Routing, Why};
use proptest::prelude::*;

use super::tests::{net, paths, routing, verdict};
use super::{build, deadlock_of, forwarding};
use crate::metrics::tests::network;

fn tables_of(network: &Arc<Network>, call: &str) -> netloom_model::Outcome<Forwarding> {
    forwarding(network, &*routing(network, call), &Progress::new())
}

/// The same network with tables called `name`.
fn given(network: &Network, name: &str, tables: &Forwarding) -> Arc<Network> {
    let links = (0..tables.columns()).flat_map(|column| tables.column(column).to_vec()).collect();
    let named = Forwarding::new(name, tables.switches(), tables.column_of().to_vec(), links);
    Arc::new(network.clone().with_tables(Arc::new(named)))
}

/// With the tables of the routings' example, which are free of deadlocks, where `up-down` has tables.
pub fn with_tables(network: Arc<Network>) -> Arc<Network> {
    match tables_of(&network, "up-down(choice=single)") {
        Ok(tables) => given(&network, "tables.csv", &tables),
        Err(_) => network,
    }
}

/// Every path by tables is the path of the routing that they were made of.
fn assert_same_paths(network: &Arc<Network>, call: &str) {
    let own = routing(network, call);
    let by_tables = routing(&given(network, "t", &tables_of(network, call).unwrap()), "tables(\"t\")");
    for source in ends(network) {
        let served = |endpoint: &u32| network.in_service(network.endpoint_switch()[*endpoint as usize]);
        for endpoint in (0..network.endpoints()).filter(served) {
            let links = |routing: &dyn Routing| {
                let found = paths(routing, source, destination(routing, network, endpoint));
                assert_eq!(found.len(), 1);
                found[0].links.clone()
            };
            assert_eq!(links(&*own), links(&*by_tables), "{call}: {source} to endpoint {endpoint}");
        }
    }
    let count = |routing: &dyn Routing| match verdict(network, routing) {
        Deadlock::Free { dependencies, .. } => Some(dependencies),
        Deadlock::Cycle(_) => None,
    };
    if call.starts_with("dimension-ordered") {
        // Its channels are not part of the tables.
        return;
    }
    let one_channel = call.replace("single-minimal", "single-minimal(vc=one)");
    assert_eq!(count(&*routing(network, &one_channel)), count(&*by_tables), "{call}");
}

#[test]
fn routes_by_tables_are_those_of_the_routing() {
    for (topology, call) in [
        ("torus(4,5)", "single-minimal"),
        ("torus(4,5)", "dimension-ordered"),
        ("random_shortcut(32,degree=5,seed=1)", "single-minimal"),
        ("dragonfly(a=4,p=2,h=2,g=9)", "single-minimal"),
        ("fat_tree(radix=4,levels=3)", "d-mod-k"),
        ("xgft(m=[4,4],w=[1,2],parallel=[1,3])", "d-mod-k"),
        ("xgft(m=[4,4],w=[1,2],parallel=[1,3])", "d-mod-k(by=switch)"),
        ("k_ary_n_tree(k=3,n=3)", "up-down(choice=single)"),
        ("torus(4,5)", "up-down(choice=balanced)"),
        ("random_shortcut(32,degree=5,seed=1)", "up-down(choice=balanced,root=7)"),
    ] {
        assert_same_paths(&net(topology), call);
    }
    let damaged = Arc::new(net("torus(4,4)").without(&[3, 17], &[5]).unwrap());
    assert_same_paths(&damaged, "single-minimal");
    assert_same_paths(&damaged, "up-down(choice=balanced)");
}

#[test]
fn tables_have_a_column_per_switch_unless_endpoints_are_told_apart() {
    let tree = net("fat_tree(radix=4,levels=3)");
    assert_eq!(tables_of(&tree, "d-mod-k").unwrap().columns(), tree.endpoints());
    assert_eq!(tables_of(&tree, "single-minimal").unwrap().columns(), ends(&tree).len() as u32);
    let seeds: BTreeSet<Vec<u32>> = (0..4)
        .map(|seed| tables_of(&tree, &format!("single-minimal(tie=seeded,seed={seed})")).unwrap().towards(5).to_vec())
        .collect();
    assert!(seeds.len() > 1);
    // A mapping onto slots looks at the tables by slot.
    let tables = tables_of(&tree, "d-mod-k").unwrap();
    assert_eq!(tables.with_slots(3).towards(7), tables.towards(2));
    assert!(given(&tree, "t", &tables).without(&[0], &[]).unwrap().tables().is_empty());
}

#[test]
fn routings_with_several_links_have_no_tables() {
    for (topology, call) in
        [("torus(4,4)", "minimal"), ("torus(4,4)", "valiant(samples=1)"), ("fat_tree(radix=4,levels=3)", "up-down")]
    {
        let faults = tables_of(&net(topology), call).unwrap_err();
        assert_eq!(faults.0[0].code, "NL-R011", "{call}: {faults}");
    }
    let bare = Arc::new(network(4, &[(0, 1), (1, 2), (2, 3)], |_| 0));
    assert_eq!(tables_of(&bare, "single-minimal").unwrap_err().0[0].code, "NL-N002");
    let progress = Progress::new();
    progress.request_stop();
    let torus = net("torus(4,4)");
    let stopped = forwarding(&torus, &*routing(&torus, "single-minimal"), &progress);
    assert_eq!(stopped.unwrap_err().0[0].code, "NL-N011");
}

/// Tables on a line of three switches, an endpoint on each; links are 0>1, 1>0, 1>2, 2>1.
fn line(links: [u32; 9]) -> String {
    let net = Arc::new(network(3, &[(0, 1), (1, 2)], |_| 1));
    let tables = Arc::new(Forwarding::new("f.csv", 3, vec![0, 1, 2], links.to_vec()));
    let net = Arc::new(Arc::unwrap_or_clone(net).with_tables(tables));
    let call = netloom_model::Call::parse("tables(\"f.csv\")").unwrap();
    super::build(&net, &call).err().map(|faults| faults.to_string()).unwrap_or_default()
}

#[test]
fn tables_that_lead_nowhere_are_refused_with_the_place() {
    const NO: u32 = Forwarding::NONE;
    assert_eq!(line([NO, 1, 3, 0, NO, 3, 0, 2, NO]), "");
    let missing = line([NO, NO, 3, 0, NO, 3, 0, 2, NO]);
    assert!(missing.contains("NL-R010") && missing.contains("no entry at"), "{missing}");
    assert!(missing.contains("on the route from"), "{missing}");
    let circle = line([NO, 1, 3, 0, NO, 3, 0, 1, NO]);
    assert!(circle.contains("NL-R010") && circle.contains("circle of 2 hops"), "{circle}");
    let both = line([NO, NO, NO, 0, NO, 3, 0, 1, NO]);
    assert_eq!(both.matches("NL-R010").count(), 2, "{both}");
    // What is behind the destination is not looked at.
    assert_eq!(line([0, 1, 3, 0, 1, 3, 0, 2, 3]), "");
}

/// One channel is what tables have by default, and a ring of them can deadlock.
#[test]
fn tables_of_a_ring_deadlock_on_one_channel() {
    let ring = net("ring(7)");
    let ring = given(&ring, "t", &tables_of(&ring, "single-minimal").unwrap());
    assert!(matches!(verdict(&ring, &*routing(&ring, "tables(\"t\")")), Deadlock::Cycle(_)));
    assert!(matches!(verdict(&ring, &*routing(&ring, "tables(\"t\",vc=hops)")), Deadlock::Free { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any numbers in the tables: routes that end, or faults; never a walk without end.
    #[test]
    fn any_tables_are_taken_or_refused(choice in prop::collection::vec(any::<u32>(), 16 * 16)) {
        let torus = net("torus(4,4)");
        let pick = |(at, draw): (usize, &u32)| match draw % 5 {
            4 => Forwarding::NONE,
            port => torus.out_links(at as u32 % 16).start + port,
        };
        let links = choice.iter().enumerate().map(pick).collect();
        let tables = Forwarding::new("t", 16, (0..16).collect(), links);
        let torus = Arc::new(Arc::unwrap_or_clone(torus).with_tables(Arc::new(tables)));
        let call = netloom_model::Call::parse("tables(\"t\")").unwrap();
        match super::build(&torus, &call) {
            Ok(routing) => super::check_routing(&torus, &*routing).unwrap(),
            Err(faults) => prop_assert!(faults.0.iter().all(|f| f.code == "NL-R010") && faults.0.len() <= 20),
        }
    }
}

/// Three switches in a line and one beyond, two endpoints each; every route of the middle ones is cut, or led astray.
#[test]
fn what_tables_lose_is_said_with_its_reason() {
    let network = net("mesh(4)");
    let tables = tables_of(&network, "single-minimal").unwrap();
    let links: Vec<u32> = (0..tables.columns()).flat_map(|column| tables.column(column).to_vec()).collect();
    let lost = |endpoint, switch, why| vec![Lost { endpoint, switch, why }];
    let refused = |links: Vec<u32>, lost: Vec<Lost>| {
        let bad = Forwarding::new("t", 4, tables.column_of().to_vec(), links).with_lost(lost, Vec::new());
        let network = Arc::new(network.as_ref().clone().with_tables(Arc::new(bad)));
        build(&network, &Call::parse("tables(\"t\")").unwrap()).err().map(|faults| faults.to_string())
    };
    assert_eq!(refused(links.clone(), Vec::new()), None);
    let said = refused(links.clone(), lost(3, 3, Why::NoEntry)).unwrap();
    assert!(said.starts_with("NL-R010") && said.contains("3, where endpoint 3 is, has no entry for it"), "{said}");
    let mut cut = links;
    cut[tables.column_of()[3] as usize * 4 + 1] = Forwarding::NONE;
    let said = refused(cut.clone(), lost(3, 1, Why::NoCable { port: 9 })).unwrap();
    assert!(said.contains("1 sends packets to endpoint 3 out of port 9, which has no cable in service"), "{said}");
    assert!(said.contains("on the route from 0"), "{said}");
    assert!(refused(cut, Vec::new()).unwrap().contains("no entry at 1 for endpoint 3, on the route from 0"));
}

#[test]
fn routes_that_do_not_arrive_wait_for_nothing() {
    let ring = net("torus(5)");
    let tables = tables_of(&ring, "single-minimal").unwrap();
    let verdict = |lost: Vec<Lost>, cut: &[(u32, u32)]| {
        let mut links: Vec<u32> = (0..tables.columns()).flat_map(|column| tables.column(column).to_vec()).collect();
        cut.iter().for_each(|&(endpoint, switch)| {
            links[(tables.column_of()[endpoint as usize] * 5 + switch) as usize] = Forwarding::NONE;
        });
        let bad = Forwarding::new("t", 5, tables.column_of().to_vec(), links).with_lost(lost, Vec::new());
        deadlock_of(&ring, &bad).unwrap()
    };
    assert!(matches!(verdict(Vec::new(), &[]), Deadlock::Cycle(cycle) if cycle.len() == 5));
    // A route that passes no dependency of a circle; then all routes of two hops.
    assert!(matches!(verdict(Vec::new(), &[(0, 1)]), Deadlock::Cycle(_)));
    let own = |endpoint| Lost { endpoint, switch: endpoint, why: Why::NoEntry };
    assert!(matches!(verdict((0..5).map(own).collect(), &[]), Deadlock::Free { dependencies: 0, .. }));
    let both = |d: u32| [(d, (d + 1) % 5), (d, (d + 4) % 5)];
    let cut: Vec<(u32, u32)> = (0..5).flat_map(both).collect();
    assert!(matches!(verdict(Vec::new(), &cut), Deadlock::Free { dependencies: 0, .. }));
}

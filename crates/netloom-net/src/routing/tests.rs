use std::collections::BTreeSet;
use std::sync::Arc;

use netloom_model::{Call, HopMatrix, Network, NetworkBuilder, Path, Progress, Routing, Step, Way};

use super::*;
use crate::metrics;
use crate::metrics::tests::network;
use netloom_model::deadlock::{Channel, Deadlock, deadlock, witness_holds};

pub fn net(call: &str) -> Arc<Network> {
    Arc::new(crate::build(&Call::parse(call).unwrap()).unwrap())
}

pub(super) fn routing(network: &Arc<Network>, call: &str) -> Box<dyn Routing> {
    build(network, &Call::parse(call).unwrap()).unwrap()
}

fn refused(network: &Arc<Network>, call: &str) -> String {
    build(network, &Call::parse(call).unwrap()).err().unwrap().0[0].code.to_string()
}

pub fn paths(routing: &dyn Routing, source: u32, destination: u32) -> Vec<Path> {
    let mut out = Vec::new();
    routing.paths(source, destination, &mut out).unwrap();
    out
}

fn hops(network: &Network) -> HopMatrix {
    metrics::hop_matrix(network, &Progress::new()).unwrap()
}

pub(super) fn verdict(network: &Network, routing: &dyn Routing) -> Deadlock {
    deadlock(network, routing, &Progress::new()).unwrap()
}

fn assert_free(network: &Network, routing: &dyn Routing) {
    match verdict(network, routing) {
        Deadlock::Free { order, .. } => {
            assert!(witness_holds(network, routing, &order, &Progress::new()).unwrap());
        }
        Deadlock::Cycle(cycle) => panic!("{} on {}: {cycle:?}", routing.label(), network.label()),
    }
}

/// The pairs of channels that follow each other on some path, found by walking the paths of all pairs.
fn walked(network: &Network, routing: &dyn Routing) -> BTreeSet<(Channel, Channel)> {
    let mut all = BTreeSet::new();
    for s in 0..network.switches() {
        for d in 0..network.switches() {
            for path in paths(routing, s, d) {
                let channels: Vec<Channel> = path.links.into_iter().zip(path.channels).collect();
                all.extend(channels.windows(2).map(|w| (w[0], w[1])));
            }
        }
    }
    all
}

fn assert_real_cycle(network: &Network, routing: &dyn Routing) -> usize {
    let Deadlock::Cycle(cycle) = verdict(network, routing) else { panic!("{} is free", routing.label()) };
    let walked = walked(network, routing);
    for (i, held) in cycle.iter().enumerate() {
        let asked = cycle[(i + 1) % cycle.len()];
        assert!(walked.contains(&(*held, asked)), "{held:?} -> {asked:?} is on no path");
    }
    cycle.len()
}

const SMALL: &[&str] = &[
    "ring(7)",
    "mesh(3,4)",
    "torus(4,5)",
    "torus(2,3,4)",
    "torus(8,4)",
    "hypercube(4)",
    "complete(6)",
    "star(5)",
    "k_ary_n_tree(k=2,n=3)",
    "k_ary_n_tree(k=3,n=2)",
    "thin_tree(down=4,up=2,levels=3)",
    "fat_tree(radix=4,levels=3)",
    "fat_tree(radix=8,levels=2)",
    "dragonfly(a=4,p=1,h=2,g=9)",
    "slim_fly(q=5)",
    "circulant(16,1,3)",
    "hyperx(4,3)",
    "random_shortcut(32,degree=5,seed=1)",
    "butterfly(3,2)",
];

#[test]
fn contract_of_every_row_on_every_small_network() {
    let mut built = BTreeSet::new();
    for topology in SMALL {
        let network = net(topology);
        let network = if network.structure().fly.is_some() { network } else { tables_tests::with_tables(network) };
        let distances = hops(&network);
        for row in ROUTINGS.rows {
            let call = Call::parse(row.example).unwrap();
            assert!(row.names().any(|name| name == call.name), "{}", row.example);
            for call in [Call::bare(row.name), call] {
                let routing = match build(&network, &call) {
                    Ok(routing) => routing,
                    Err(faults) => {
                        assert!(faults.0[0].code.starts_with("NL-R0"), "{call} on {topology}: {faults}");
                        continue;
                    }
                };
                built.insert(row.name);
                check_routing(&network, &*routing).unwrap();
                assert_free(&network, &*routing);
                // With group-minimal only the part inside a group is a shortest path: see its own tests.
                if row.name.contains("minimal") && row.name != "group-minimal" {
                    assert_minimal(&network, &*routing, &distances);
                }
            }
        }
    }
    assert_eq!(built.len(), ROUTINGS.rows.len());
}

fn assert_minimal(network: &Network, routing: &dyn Routing, distances: &HopMatrix) {
    for s in 0..network.switches() {
        for d in 0..network.switches() {
            for path in paths(routing, s, d) {
                assert_eq!(path.links.len(), usize::from(distances.get(s, d)));
            }
        }
    }
}

#[test]
fn minimal_counts_every_shortest_path_once() {
    // Lattice paths: the corner of a mesh is reached in 5!/(2!3!) ways, of a cube in 4!.
    let mesh = net("mesh(3,4)");
    let all = paths(&*routing(&mesh, "minimal"), 0, 11);
    assert_eq!(all.len(), 10);
    assert_eq!(all.iter().map(|p| &p.links).collect::<BTreeSet<_>>().len(), 10);
    assert!(all.iter().all(|p| p.fraction == 0.1 && p.channels == [0, 1, 2, 3, 4]));
    assert_eq!(paths(&*routing(&net("hypercube(4)"), "minimal"), 0, 15).len(), 24);
    // Parallel cables are separate paths.
    let pair = Arc::new(network(3, &[(0, 1), (0, 1), (1, 2)], |_| 1));
    assert_eq!(paths(&*routing(&pair, "minimal"), 0, 2).len(), 2);
    // By hops, the first choice at a corner halves the traffic.
    let by_hops = paths(&*routing(&mesh, "minimal(split=hops)"), 0, 11);
    let right = mesh.out_links(0).start;
    let first: f64 = by_hops.iter().filter(|p| p.links[0] == right).map(|p| p.fraction).sum();
    assert_eq!(first, 0.5);
    let by_paths: f64 = all.iter().filter(|p| p.links[0] == right).map(|p| p.fraction).sum();
    assert!((by_paths - 0.6).abs() < 1e-12 || (by_paths - 0.4).abs() < 1e-12);
    let limited = routing(&mesh, "minimal(limit=9)");
    assert_eq!(limited.paths(0, 11, &mut Vec::new()).unwrap_err().0[0].code, "NL-R004");
}

#[test]
fn rings_deadlock_on_one_channel_and_not_with_a_dateline() {
    for (topology, least) in [("ring(5)", 5), ("torus(4,4)", 4), ("torus(5,5)", 5), ("torus(8,4)", 4)] {
        let network = net(topology);
        let one = routing(&network, "dimension-ordered(vc=one)");
        assert_eq!(one.virtual_channels(), 1);
        assert_eq!(assert_real_cycle(&network, &*one), least, "{topology}");
        for call in ["dimension-ordered", "dimension-ordered(tie=split)"] {
            let two = routing(&network, call);
            assert_eq!(two.virtual_channels(), 2);
            assert_free(&network, &*two);
        }
        assert_real_cycle(&network, &*routing(&network, "minimal(vc=one)"));
    }
    // Rings of three need one hop: nothing follows.
    assert_free(&net("torus(3,3)"), &*routing(&net("torus(3,3)"), "dimension-ordered(vc=one)"));
    for topology in ["mesh(4,4)", "hypercube(4)", "hyperx(4,3)"] {
        let network = net(topology);
        let one = routing(&network, "dimension-ordered");
        assert_eq!(one.virtual_channels(), 1);
        assert_free(&network, &*one);
    }
    // Shortest paths on a mesh turn in both directions.
    assert_real_cycle(&net("mesh(3,3)"), &*routing(&net("mesh(3,3)"), "minimal(vc=one)"));
    assert_real_cycle(&net("ring(5)"), &*routing(&net("ring(5)"), "valiant(mixture=uniform,vc=phases)"));
    assert_free(&net("k_ary_n_tree(k=2,n=3)"), &*routing(&net("k_ary_n_tree(k=2,n=3)"), "minimal(vc=one)"));
}

#[test]
fn a_channel_from_the_global_link_on_frees_dragonflies() {
    let network = net("dragonfly(a=4,p=2,h=2,g=9)");
    assert_real_cycle(&network, &*routing(&network, "group-minimal(vc=one)"));
    for (call, channels) in [("group-minimal", 2), ("group-minimal(vc=globals)", 2), ("group-minimal(vc=hops)", 3)] {
        let routing = routing(&network, call);
        assert_eq!(routing.virtual_channels(), channels, "{call}");
        assert_free(&network, &*routing);
    }
    // A ring's packets keep their channel: 0, or 1 all along if they cross the seam.
    let ring = net("ring(8)");
    let around = routing(&ring, "dimension-ordered");
    assert_eq!(paths(&*around, 6, 1)[0].channels, [1, 1, 1]);
    assert_eq!(paths(&*around, 1, 6)[0].channels, [1, 1, 1]);
    assert_eq!(paths(&*around, 1, 4)[0].channels, [0, 0, 0]);
}

/// Dependencies derived from next hops are those of the paths, where every switch has endpoints.
#[test]
fn told_dependencies_are_the_walked_ones() {
    for topology in ["torus(4,5)", "mesh(3,4)", "random_shortcut(32,degree=5,seed=1)", "circulant(16,1,3)"] {
        let network = net(topology);
        let all: Vec<u32> = (0..network.switches()).collect();
        for call in [
            "minimal",
            "minimal(vc=one)",
            "single-minimal",
            "single-minimal(tie=seeded,vc=one)",
            "up-down",
            "up-down(choice=single)",
            "up-down(choice=balanced)",
            "valiant(mixture=uniform,vc=phases)",
            "valiant(samples=2)",
            "dimension-ordered",
        ] {
            let Ok(routing) = build(&network, &Call::parse(call).unwrap()) else { continue };
            let mut told = BTreeSet::new();
            for &d in &all {
                routing
                    .dependencies(&all, d, &mut |a, b| {
                        told.insert((a, b));
                    })
                    .unwrap();
            }
            let walked = walked(&network, &*routing);
            assert_eq!(told, walked, "{call} on {topology}");
        }
    }
}

#[test]
fn dimension_order_corrects_one_dimension_at_a_time() {
    let torus = net("torus(6,5)");
    let along = |call: &str, s: u32, d: u32| -> Vec<Vec<u32>> {
        let paths = paths(&*routing(&torus, call), s, d);
        paths.iter().map(|p| p.links.iter().map(|l| torus.heads()[*l as usize]).collect()).collect()
    };
    assert_eq!(along("dimension-ordered", 0, 4 * 5 + 2), [[25, 20, 21, 22]]);
    assert_eq!(along("dimension-ordered(order=[1,0])", 0, 4 * 5 + 2), [[1, 2, 27, 22]]);
    assert_eq!(along("dimension-ordered", 0, 15), [[5, 10, 15]]);
    assert_eq!(along("dimension-ordered(tie=split)", 0, 15), [[5, 10, 15], [25, 20, 15]]);
    assert!(!routing(&torus, "dimension-ordered(tie=split)").is_deterministic());
}

#[test]
fn valiant_uniform_is_what_the_samples_tend_to() {
    let ring = net("ring(8)");
    let mean = |call: &str| -> f64 {
        let routing = routing(&ring, call);
        let of = |d| paths(&*routing, 0, d).iter().map(|p| p.fraction * p.links.len() as f64).sum::<f64>();
        (1..8).map(of).sum::<f64>() / 7.0
    };
    // Two random hops counts of mean 2 each: to and from a uniform intermediate switch.
    assert!((mean("valiant(mixture=uniform)") - 4.0).abs() < 1e-12);
    assert!((mean("valiant(samples=4000)") - 4.0).abs() < 0.1);
}

#[test]
fn refusals() {
    let slim = net("slim_fly(q=5)");
    assert_eq!(refused(&slim, "dimension-ordered"), "NL-R001");
    assert_eq!(refused(&slim, "d-mod-k"), "NL-R002");
    assert_eq!(refused(&slim, "up-down(root=50)"), "NL-R006");
    assert_eq!(refused(&slim, "minimax"), "NL-A002");
    // Faults that need no network are found without one.
    let checked = |call: &str| check(&Call::parse(call).unwrap()).err().map(|f| f.0[0].code);
    assert_eq!(checked("d-mod-k"), None);
    assert_eq!((checked("minimax"), checked("minimal(vc=two)")), (Some("NL-A002"), Some("NL-A007")));
    let torus = net("torus(4,4)");
    assert_eq!(refused(&torus, "dimension-ordered(order=[0,0])"), "NL-R007");
    assert_eq!(refused(&torus, "dimension-ordered(order=[0])"), "NL-R007");
    let long = net("ring(600)");
    assert_eq!(refused(&long, "minimal"), "NL-R005");
    check_routing(&net("ring(9)"), &*routing(&net("ring(9)"), "minimal")).unwrap();
    assert_eq!(paths(&*routing(&long, "minimal(vc=one)"), 0, 300).len(), 2);
    let apart = Arc::new(network(4, &[(0, 1), (2, 3)], |_| 1));
    for row in ROUTINGS.rows {
        let code = refused(&apart, row.name);
        assert!(
            ["NL-N001", "NL-R001", "NL-R009", "NL-R010", "NL-R012"].contains(&code.as_str()),
            "{} {code}",
            row.name
        );
    }
    let minimal = routing(&torus, "minimal");
    assert_eq!(minimal.paths(0, 16, &mut Vec::new()).unwrap_err().0[0].code, "NL-R006");
    let progress = Progress::new();
    progress.request_stop();
    assert_eq!(deadlock(&torus, &*minimal, &progress).unwrap_err().0[0].code, "NL-N011");
    let mut wrong = NetworkBuilder::new("wrong", 4);
    wrong.structure().grid =
        Some(netloom_model::network::Grid { dims: vec![2, 3], wrap: vec![true, true], complete: false });
    assert_eq!(refused(&Arc::new(wrong.build().unwrap()), "dimension-ordered"), "NL-R001");
    let tiny = Arc::new(network(1, &[], |_| 1));
    for name in ["minimal", "single-minimal", "valiant", "up-down"] {
        check_routing(&tiny, &*routing(&tiny, name)).unwrap();
    }
}

#[test]
fn bad_parameters_of_every_row() {
    let network = net("torus(4,4)");
    for row in ROUTINGS.rows {
        for param in row.params {
            for value in ["-1", "1.5", "\"a\"", "None", "99999999999999999999", "[]"] {
                let call = Call::parse(&format!("{}({}={value})", row.name, param.name)).unwrap();
                assert!(build(&network, &call).is_err(), "{call}");
            }
        }
    }
}

/// A plug-in that lies is found out.
#[test]
fn contract_finds_broken_promises() {
    struct Along<'a>(&'a [u32], u8);
    impl Way for Along<'_> {
        fn starts(&self, _source: u32, out: &mut Vec<u64>) {
            out.push(0);
        }
        fn steps(&self, place: u64, out: &mut Vec<Step>) {
            let link = self.0.get(place as usize);
            out.extend(link.map(|&link| Step { link, channel: self.1, place: place + 1 }));
        }
        fn remaining(&self, place: u64) -> u32 {
            self.0.len() as u32 - place as u32
        }
    }
    struct Stuck(Vec<u32>, u8, f64);
    impl Routing for Stuck {
        fn label(&self) -> &str {
            "stuck"
        }
        fn towards(&self, _destination: u32) -> Box<dyn Way + '_> {
            Box::new(Along(&self.0, self.1))
        }
        fn paths(&self, source: u32, destination: u32, out: &mut Vec<Path>) -> netloom_model::Outcome<()> {
            out.clear();
            let links = if source == destination { Vec::new() } else { self.0.clone() };
            out.push(Path { channels: vec![self.1; links.len()], links, fraction: self.2 });
            Ok(())
        }
        fn virtual_channels(&self) -> u8 {
            1
        }
        fn is_deterministic(&self) -> bool {
            true
        }
    }
    let pair = network(2, &[(0, 1)], |_| 1);
    for broken in [Stuck(vec![], 0, 1.0), Stuck(vec![0], 0, 1.0), Stuck(vec![9], 0, 1.0), Stuck(vec![0], 0, 0.5)] {
        assert_eq!(check_routing(&pair, &broken).unwrap_err().0[0].code, "NL-R008");
    }
    let line = network(3, &[(0, 1), (1, 2)], |_| 1);
    assert_eq!(deadlock(&line, &Stuck(vec![0, 0], 0, 1.0), &Progress::new()).unwrap_err().0[0].code, "NL-R008");
    assert_eq!(deadlock(&line, &Stuck(vec![0, 2], 7, 1.0), &Progress::new()).unwrap_err().0[0].code, "NL-R008");
}

#[test]
fn endpoints_of_a_switch_share_parallel_cables() {
    let network = net("hyperx([3,3],parallel=[4,2],p=4)");
    let loads = |call: &str| {
        let routing = routing(&network, call);
        let mut on = vec![0u32; network.switch_links() as usize];
        for (source, to) in (0..network.endpoints()).flat_map(|a| (0..network.endpoints()).map(move |b| (a, b))) {
            let at = network.endpoint_switch()[source as usize];
            let to = netloom_model::destination(&*routing, &network, to);
            if at != routing.switch_of(to) {
                paths(&*routing, at, to)[0].links.iter().for_each(|link| on[*link as usize] += 1);
            }
        }
        on
    };
    let (shared, alone) = (loads("dimension-ordered"), loads("dimension-ordered(by=switch)"));
    assert_eq!(shared.iter().sum::<u32>(), alone.iter().sum());
    // To another column 3 switches of 4 endpoints from 4 sources over 4 cables, in a column 4 endpoints from 12 sources over 2.
    assert!(shared.iter().all(|load| [12, 24].contains(load)), "{shared:?}");
    assert_eq!(alone.iter().max(), Some(&48));
}

//! Sums where all send to all, and trees of routes, give what the messages one by one give, pair by pair.

use std::sync::Arc;

use netloom_model::deadlock::AnyChannel;
use netloom_model::{
    Call, Hosts, Network, Node, Outcome, PathList, Place, Progress, Routing, Sends, Split, Stream, Way,
};
use netloom_workload::registry::build;
use proptest::prelude::*;

use super::{Job, Model, Settings, VARIANTS, Variant, between_endpoints, inside};

/// The same messages, of which nothing else is known.
struct Plain<'a>(&'a dyn Sends);

impl Sends for Plain<'_> {
    fn label(&self) -> &str {
        self.0.label()
    }
    fn ranks(&self) -> u32 {
        self.0.ranks()
    }
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        self.0.for_each(rank, visit);
    }
}

/// The same routes, searched for as on a network that is too large to keep all distances.
struct Sought<'a>(&'a dyn Routing);

impl Routing for Sought<'_> {
    fn label(&self) -> &str {
        self.0.label()
    }
    fn towards(&self, destination: u32) -> Box<dyn Way + '_> {
        self.0.towards(destination)
    }
    fn virtual_channels(&self) -> u8 {
        self.0.virtual_channels()
    }
    fn is_deterministic(&self) -> bool {
        self.0.is_deterministic()
    }
    fn is_by_switch(&self) -> bool {
        self.0.is_by_switch()
    }
    fn is_searched(&self) -> bool {
        true
    }
    fn by_endpoint(&self) -> bool {
        self.0.by_endpoint()
    }
    fn switch_of(&self, destination: u32) -> u32 {
        self.0.switch_of(destination)
    }
    fn split(&self) -> Split {
        self.0.split()
    }
    fn limit(&self) -> usize {
        self.0.limit()
    }
    fn admit(&self, switch: u32) -> Outcome<()> {
        self.0.admit(switch)
    }
    fn list(&self, source: u32, destination: u32, out: &mut PathList) -> Outcome<()> {
        self.0.list(source, destination, out)
    }
}

const NETWORKS: [&str; 9] = [
    "torus(4,3,p=2)",
    "torus(4,2,4)",
    "mesh(3,3,p=2)",
    "hyperx([3,3],parallel=[1,2],p=2)",
    "k_ary_n_tree(k=3,n=3)",
    "xgft(m=[2,3,2,2],w=[1,2,3,2],parallel=[1,2,1,1])",
    "dragonfly(a=4,p=2,h=2)",
    "rail_cluster(nodes=6,gpus=3,pod=2)",
    "slim_fly(q=5,p=1)",
];
const ROUTINGS: [&str; 14] = [
    "minimal",
    "minimal(split=hops)",
    "minimal(vc=one)",
    "single-minimal",
    "single-minimal(tie=seeded)",
    "single-minimal(tie=balanced)",
    "single-minimal(tie=destination)",
    "dimension-ordered",
    "dimension-ordered(tie=split)",
    "dimension-ordered(order=[1,0],tie=split,vc=one)",
    "d-mod-k",
    "group-minimal",
    "up-down",
    "valiant(samples=3)",
];
const WORKLOADS: [&str; 9] = [
    "alltoall:pairwise",
    "alltoall:linear",
    "alltoall:bruck",
    "alltoall:ring",
    "allgather:linear",
    "reduce-scatter:pairwise",
    "reduce-scatter:ring",
    "allreduce:ring(channels=2,local=3)",
    "allreduce:recursive-doubling",
];

const SOME_PAIRS: [&str; 4] = [
    "near-neighbour(least=2,most=5,range=9,seed=3,bytes=1000)",
    "spread(least=1,most=4,seed=2,bytes=77)",
    "permutation(seed=1)",
    "shift(k=5,bytes=513)",
];

/// Some ranks on each endpoint of `network`, in any order.
fn places(network: &Network, ranks: u32, seed: u64) -> Vec<u32> {
    let mut stream = Stream::new(seed, "places");
    let mut places: Vec<u32> = (0..network.endpoints()).cycle().take(2 * ranks as usize).collect();
    stream.shuffle(&mut places);
    places.truncate(ranks as usize);
    places
}

fn sends(text: &str, ranks: u32, size: u64) -> Arc<dyn Sends> {
    let schedule = build(&Call::parse(text).unwrap(), ranks.into(), 0, size as i64).unwrap();
    netloom_model::Workload::from(schedule).sends().unwrap()
}

/// Counts, loads in bytes, and causes of some links without their ties.
type Seen = (Vec<super::Counts>, Vec<f64>, Vec<super::Cause>);

fn seen(network: &Network, job: Job<'_>, hosts: Option<Arc<Hosts>>) -> Result<Seen, &'static str> {
    let (progress, settings) = (Progress::new(), Settings { hosts, ..Settings::default() });
    let adaptive = job.variant.adaptive;
    let code = |faults: netloom_model::Faults| faults.0[0].code;
    let model = Model::new(network, vec![job], settings, &progress).map_err(code)?;
    let solution = model.solve(&progress).map_err(code)?;
    let loads = model.distribute(&solution, &progress).map_err(code)?;
    let (done, total) = progress.get();
    assert!(done == total || adaptive && done < total);
    let links: Vec<u32> = (0..network.switch_links()).step_by(5).collect();
    let causes = model.causes(&solution, &links, usize::MAX, &progress).map_err(code)?;
    let bytes = loads.by_job[0].iter().map(|load| model.unit().bytes(*load)).collect();
    Ok((model.counts().to_vec(), bytes, causes))
}

fn compare(network: &Network, job: Job<'_>, hosts: Option<&Arc<Hosts>>, what: &str) {
    // The wrapper does not say that packets at a switch go on alike: nobody follows its trees.
    let by_pairs = AnyChannel(job.routing);
    assert!(!by_pairs.is_by_switch());
    let plain = seen(network, Job { sends: &Plain(job.sends), routing: &by_pairs, ..job }, hosts.cloned());
    agree(&plain, &seen(network, job, hosts.cloned()), job, what);
    agree(&plain, &seen(network, Job { routing: &Sought(job.routing), ..job }, hosts.cloned()), job, what);
}

fn agree(plain: &Result<Seen, &'static str>, fast: &Result<Seen, &'static str>, job: Job<'_>, what: &str) {
    let (Ok(plain), Ok(fast)) = (plain, fast) else {
        assert_eq!(plain.as_ref().err(), fast.as_ref().err(), "{what}");
        return;
    };
    assert_eq!(plain.0, fast.0, "{what}");
    for (link, (plain, fast)) in plain.1.iter().zip(&fast.1).enumerate() {
        let allowed = if job.routing.is_deterministic() { 0.0 } else { 1e-12 * plain + 1e-9 };
        assert!((plain - fast).abs() <= allowed, "{what}, link {link}: {plain} and {fast}");
    }
    for (plain, fast) in plain.2.iter().zip(&fast.2) {
        assert_eq!(plain.shares.len(), fast.shares.len(), "{what}, link {}", plain.link);
        for (plain, fast) in plain.shares.iter().zip(&fast.shares) {
            assert_eq!((plain.load, plain.flows), (fast.load, fast.flows), "{what}");
            let summed = |pairs: &[(u32, u32, f64)]| pairs.iter().map(|pair| pair.2).sum::<f64>();
            // What is nearly a whole number of bytes becomes one, message by message or pair by pair.
            let slack = 1e-6 * (1 + plain.pairs.len()) as f64;
            assert!((summed(&plain.pairs) - summed(&fast.pairs)).abs() < slack, "{what}");
            let near = |a: &(i64, f64), b: &(i64, f64)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6;
            let mut offsets = [plain.offsets.clone(), fast.offsets.clone()];
            offsets.iter_mut().for_each(|own| own.sort_by_key(|offset| offset.0));
            assert!(offsets[0].iter().zip(&offsets[1]).all(|(a, b)| near(a, b)), "{what}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_same_loads(
        network in prop::sample::select(&NETWORKS[..]),
        routing in prop::sample::select(&ROUTINGS[..]),
        workload in prop::sample::select(&WORKLOADS[..]),
        variant in prop::sample::select(&["static-direct", "adaptive-direct", "static-indirect"][..]),
        ranks in 2u32..40, size in 0u64..3000, seed in 0u64..1000, ports in 1u32..4,
    ) {
        let what = format!("{workload} of {size} on {ranks} ranks, {network}, {routing}, {variant}, {ports} ports, seed {seed}");
        let network = Arc::new(netloom_net::build(&Call::parse(network).unwrap()).unwrap());
        if let Ok(routing) = netloom_net::routing::build(&network, &Call::parse(routing).unwrap()) {
            let (sends, place) = (sends(workload, ranks, size), places(&network, ranks, seed));
            let variant = Variant::of(&Call::bare(variant)).unwrap();
            let job = Job { name: "job", sends: &*sends, endpoint_of_rank: &place, routing: &*routing, variant };
            let hosts = (ports > 1).then(|| Arc::new(Hosts::even(network.endpoints(), ports)));
            compare(&network, job, hosts.as_ref(), &what);
            // The same pairs, of which nothing is known.
            compare(&network, Job { sends: &Plain(&*sends), ..job }, hosts.as_ref(), &what);
        }
    }

    #[test]
    fn the_same_loads_of_some_pairs(
        network in prop::sample::select(&NETWORKS[..]),
        routing in prop::sample::select(&ROUTINGS[..]),
        workload in prop::sample::select(&SOME_PAIRS[..]),
        variant in prop::sample::select(&["static-direct", "static-indirect"][..]),
        ranks in 6u32..40, seed in 0u64..1000, ports in 1u32..4,
    ) {
        let what = format!("{workload} on {ranks} ranks, {network}, {routing}, {variant}, {ports} ports, seed {seed}");
        let network = Arc::new(netloom_net::build(&Call::parse(network).unwrap()).unwrap());
        let traffic = netloom_workload::stream_pattern(&Call::parse(workload).unwrap(), Some(ranks.into()));
        if let (Ok(routing), Ok(traffic)) = (netloom_net::routing::build(&network, &Call::parse(routing).unwrap()), traffic) {
            let (variant, place) = (Variant::of(&Call::bare(variant)).unwrap(), places(&network, ranks, seed));
            let job = Job { name: "job", sends: &*traffic, endpoint_of_rank: &place, routing: &*routing, variant };
            let hosts = (ports > 1).then(|| Arc::new(Hosts::even(network.endpoints(), ports)));
            compare(&network, job, hosts.as_ref(), &what);
        }
    }

    #[test]
    fn the_same_inside_nodes(
        workload in prop::sample::select(&WORKLOADS[..]),
        node in prop::sample::select(&["node(sockets=2,cores=3)", "node(gpus=4,nics=2)", "node(cores=2)"][..]),
        ranks in 2u32..40, size in 0u64..3000, seed in 0u64..1000,
    ) {
        let node = node_of(node);
        let sends = sends(workload, ranks, size);
        let mut stream = Stream::new(seed, "seats");
        let mut places: Vec<Place> =
            (0..24).flat_map(|endpoint| (0..node.seats_per_endpoint()).map(move |seat| Place { endpoint, seat })).collect();
        stream.shuffle(&mut places);
        let places: Vec<Place> = places.into_iter().cycle().take(ranks as usize).collect();
        let of = |sends: &dyn Sends| inside(&node, 24, &[(sends, &places)], &Progress::new()).unwrap();
        prop_assert_eq!(of(&*sends), of(&Plain(&*sends)));
    }

    #[test]
    fn the_same_between_endpoints(ranks in 2u32..40, size in 0u64..3000, seed in 0u64..1000, ports in 1u32..5) {
        let network = Arc::new(netloom_net::build(&Call::parse("torus(4,3,p=2)").unwrap()).unwrap());
        let routing = netloom_net::routing::build(&network, &Call::bare("minimal")).unwrap();
        let place = places(&network, ranks, seed);
        let hosts = Hosts::even(network.endpoints(), ports);
        for workload in WORKLOADS {
            let sends = sends(workload, ranks, size);
            let of = |sends: &dyn Sends| {
                let variant = Variant::DIRECT;
                let job = Job { name: "job", sends, endpoint_of_rank: &place, routing: &*routing, variant };
                between_endpoints(&hosts, &[job])
            };
            prop_assert_eq!(of(&*sends), of(&Plain(&*sends)));
        }
    }
}

fn node_of(text: &str) -> Node {
    let (row, bound) = netloom_model::NODES.bind(&Call::parse(text).unwrap()).unwrap();
    (row.build)(&bound).unwrap()
}

/// Trees are followed where the routing allows it, and nowhere else.
#[test]
fn trees_are_used() {
    for (network, routing, expected) in [
        ("k_ary_n_tree(k=3,n=3)", "d-mod-k", true),
        ("torus(4,4)", "dimension-ordered(tie=split)", true),
        ("torus(4,4)", "minimal", true),
        ("rail_cluster(nodes=6,gpus=3,pod=2)", "single-minimal(tie=destination)", true),
        ("dragonfly(a=4,p=2,h=2)", "group-minimal", false),
        ("torus(4,4)", "valiant(samples=3)", false),
        ("torus(4,4)", "minimal(limit=1)", false),
    ] {
        let network = Arc::new(netloom_net::build(&Call::parse(network).unwrap()).unwrap());
        let routing = netloom_net::routing::build(&network, &Call::parse(routing).unwrap()).unwrap();
        let place: Vec<u32> = (0..network.endpoints()).collect();
        let sends = sends("alltoall:pairwise", network.endpoints(), 100);
        let variant = Variant::of(&Call::bare(VARIANTS.rows[0].name)).unwrap();
        let job = Job { name: "job", sends: &*sends, endpoint_of_rank: &place, routing: &*routing, variant };
        let progress = Progress::new();
        let model = Model::new(&network, vec![job], Settings::default(), &progress).unwrap();
        let mut lanes = super::lanes::lanes(network.switch_links() as usize);
        assert_eq!(model.distribute_trees(0, &mut lanes, &progress).unwrap(), expected, "{}", routing.label());
        let carried = lanes.iter().flat_map(|lane| &lane.sums).any(|sum| *sum > 0);
        assert_eq!(carried, expected, "{}", routing.label());
    }
}

/// Block by block and at once, some pairs give the same, to the unit.
#[test]
fn blocks_add_up() {
    let network = Arc::new(netloom_net::build(&Call::parse("k_ary_n_tree(k=4,n=3)").unwrap()).unwrap());
    let routing = netloom_net::routing::build(&network, &Call::bare("minimal")).unwrap();
    let place: Vec<u32> = (0..64).collect();
    let sends = netloom_workload::stream_pattern(&Call::parse(SOME_PAIRS[0]).unwrap(), Some(64)).unwrap();
    let variant = Variant::DIRECT;
    let job = Job { name: "job", sends: &*sends, endpoint_of_rank: &place, routing: &*routing, variant };
    let progress = Progress::new();
    let model = Model::new(&network, vec![job], Settings::default(), &progress).unwrap();
    let links = network.switch_links() as usize;
    let of = |blocks: usize| {
        let (mut lanes, mut total) = (super::lanes::lanes(links), vec![0; links]);
        for block in 0..blocks {
            assert!(model.distribute_block(0, (block, blocks), &mut lanes, &progress).unwrap());
        }
        super::lanes::gather(&mut lanes, &mut total);
        total
    };
    let whole = of(1);
    assert!(whole.iter().any(|units| *units > 0) && model.blocks(0) == 1);
    assert_eq!((of(3), of(40)), (whole.clone(), whole));
}

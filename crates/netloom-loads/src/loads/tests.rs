use std::sync::Arc;

use netloom_model::traffic::Flow;
use netloom_model::{Call, Network, NetworkBuilder, PathList, Progress, Routing, Seats, Stream, Traffic};

use super::solve::Keep;
use super::{Job, Model, Settings, Unit, VARIANTS, Variant, summary};
use crate::links::link_bytes;

fn network(call: &str) -> Arc<Network> {
    Arc::new(netloom_net::build(&Call::parse(call).unwrap()).unwrap())
}

fn routing(network: &Arc<Network>, call: &str) -> Box<dyn Routing> {
    netloom_net::routing::build(network, &Call::parse(call).unwrap()).unwrap()
}

/// Random messages of many sizes.
fn traffic(ranks: u32, flows: u32, seed: u64) -> Traffic {
    let mut stream = Stream::new(seed, "loads tests");
    let flow = |_| {
        let (src, dst) = (stream.below(ranks), stream.below(ranks));
        Flow { src, dst, messages: 1, bytes: u64::from(1 + stream.below(5000)) }
    };
    Traffic::new("random", ranks, (0..flows).map(flow).collect())
}

/// `per` ranks on each endpoint.
fn places(network: &Network, per: u32) -> Vec<u32> {
    (0..network.endpoints() * per).map(|r| r / per).collect()
}

fn loads(network: &Network, jobs: Vec<Job<'_>>, settings: Settings) -> (Vec<Vec<u64>>, Unit) {
    let progress = Progress::new();
    let model = Model::new(network, jobs, settings, &progress).unwrap();
    let solution = model.solve(&progress).unwrap();
    (model.distribute(&solution, &progress).unwrap().by_job, model.unit())
}

/// The variant of a call text.
fn variant(text: &str) -> Variant {
    Variant::of(&Call::parse(text).unwrap()).unwrap()
}

/// Every row with default arguments.
fn all() -> Vec<Variant> {
    VARIANTS.rows.iter().map(|row| variant(row.name)).collect()
}

const NETWORKS: [&str; 5] =
    ["torus(4,4,p=2)", "dragonfly(a=4,p=2,h=2)", "fat_tree(radix=4,levels=3)", "hyperx(3,3,p=2)", "slim_fly(q=5,p=1)"];

#[test]
fn static_direct_is_the_plain_count_of_bytes() {
    for call in NETWORKS {
        let net = network(call);
        for way in ["minimal", "single-minimal"] {
            let way = routing(&net, way);
            let work = traffic(net.endpoints(), 300, 1);
            let place = places(&net, 1);
            let job =
                Job { name: "job", sends: &work, endpoint_of_rank: &place, routing: &*way, variant: Variant::DIRECT };
            let (by_job, unit) = loads(&net, vec![job], Settings::default());
            let mut plain = vec![0f64; net.switch_links() as usize];
            let mut paths = Vec::new();
            for f in work.flows() {
                let switch = |rank: u32| net.endpoint_switch()[place[rank as usize] as usize];
                way.paths(switch(f.src), switch(f.dst), &mut paths).unwrap();
                for path in &paths {
                    path.links.iter().for_each(|&l| plain[l as usize] += path.fraction * f.bytes as f64);
                }
            }
            for (l, &load) in by_job[0].iter().enumerate() {
                assert!((unit.bytes(load) - plain[l]).abs() < 1e-3, "{call} link {l}");
            }
        }
    }
}

#[test]
fn every_variant_conserves_bytes_at_every_switch_exactly() {
    for call in NETWORKS {
        let net = network(call);
        let way = routing(&net, "minimal");
        let work = traffic(2 * net.endpoints(), 500, 2);
        let place = places(&net, 2);
        for variant in all() {
            let job = Job { name: "job", sends: &work, endpoint_of_rank: &place, routing: &*way, variant };
            let (by_job, unit) = loads(&net, vec![job], Settings::default());
            let per_byte = 1i128 << unit.shift;
            let mut balance = vec![0i128; net.switches() as usize];
            for (l, &load) in by_job[0].iter().enumerate() {
                balance[net.tails()[l] as usize] -= i128::from(load);
                balance[net.heads()[l] as usize] += i128::from(load);
            }
            for f in work.flows() {
                let switch = |rank: u32| net.endpoint_switch()[place[rank as usize] as usize] as usize;
                balance[switch(f.src)] += i128::from(f.bytes) * per_byte;
                balance[switch(f.dst)] -= i128::from(f.bytes) * per_byte;
            }
            assert!(balance.iter().all(|b| *b == 0), "{call} {variant:?}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let net = network("dragonfly(a=4,p=2,h=2)");
    let way = routing(&net, "minimal");
    let work = traffic(net.endpoints(), 2000, 3);
    let place = places(&net, 1);
    for variant in all() {
        let made = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let job = Job { name: "job", sends: &work, endpoint_of_rank: &place, routing: &*way, variant };
            pool.install(|| loads(&net, vec![job], Settings::default()))
        });
        assert!(made[0] == made[1] && made[1] == made[2], "{variant:?}");
    }
}

/// Candidates and allocations are the same whether kept or recomputed, also if only half of them fit.
#[test]
fn memory_changes_nothing() {
    let net = network("dragonfly(a=4,p=2,h=2)");
    let way = routing(&net, "minimal");
    let work = traffic(net.endpoints(), 2000, 3);
    let place = places(&net, 1);
    let progress = Progress::new();
    for variant in [variant("adaptive-direct"), variant("adaptive-indirect"), variant("adaptive-hybrid")] {
        let made = [usize::MAX, 1 << 16, 0].map(|bytes| {
            let job = Job { name: "job", sends: &work, endpoint_of_rank: &place, routing: &*way, variant };
            let mut model = Model::new(&net, vec![job], Settings::default(), &progress).unwrap();
            model.keep = Keep { candidates: bytes, grants: bytes };
            let solution = model.solve(&progress).unwrap();
            model.distribute(&solution, &progress).unwrap()
        });
        assert!(made[0] == made[1] && made[1] == made[2], "{variant:?}");
    }
}

/// The loads of a static job do not depend on the job before it.
#[test]
fn a_static_job_after_an_adaptive_one_is_itself() {
    let net = network("dragonfly(a=4,p=2,h=2)");
    let way = routing(&net, "minimal");
    let (a, b) = (traffic(32, 500, 4), traffic(40, 500, 5));
    let (first, second): (Vec<u32>, Vec<u32>) = ((0..32).collect(), (32..72).collect());
    for fixed in [Variant::DIRECT, variant("static-indirect")] {
        let made: Vec<_> = all()
            .into_iter()
            .map(|variant| {
                let jobs = vec![
                    Job { name: "a", sends: &a, endpoint_of_rank: &first, routing: &*way, variant },
                    Job { name: "b", sends: &b, endpoint_of_rank: &second, routing: &*way, variant: fixed },
                ];
                loads(&net, jobs, Settings::default()).0.remove(1)
            })
            .collect();
        assert!(made.windows(2).all(|pair| pair[0] == pair[1]), "{fixed:?}");
    }
}

/// Switch 0 to 3 over 1 (bandwidth 50) or 2 (100).
fn diamond() -> Arc<Network> {
    let mut b = NetworkBuilder::new("diamond", 4);
    let (slow, fast) = (b.class("slow", 50.0, 0.0), b.class("fast", 100.0, 0.0));
    b.cable(0, 1, slow);
    b.cable(1, 3, slow);
    b.cable(0, 2, fast);
    b.cable(2, 3, fast);
    b.endpoints_everywhere(1);
    Arc::new(b.build().unwrap())
}

/// Jain 2016 §3.2.2 under Adaptive Direct: 50 and 100 units remaining weigh 1/3 and 2/3.
#[test]
fn a_message_follows_the_bandwidth_that_it_gets() {
    let net = diamond();
    let way = routing(&net, "minimal");
    let work = Traffic::new("one", 4, vec![Flow { src: 0, dst: 3, messages: 1, bytes: 3000 }]);
    let place = places(&net, 1);
    let job = |variant| Job { name: "job", sends: &work, endpoint_of_rank: &place, routing: &*way, variant };
    let (adaptive, unit) = loads(&net, vec![job(variant("adaptive-direct"))], Settings::default());
    let (fixed, _) = loads(&net, vec![job(Variant::DIRECT)], Settings::default());
    for l in 0..net.switch_links() as usize {
        let (from, to) = (net.tails()[l], net.heads()[l]);
        let (wanted, even) = match (from, to) {
            (0, 1) | (1, 3) => (1000.0, 1500.0),
            (0, 2) | (2, 3) => (2000.0, 1500.0),
            _ => (0.0, 0.0),
        };
        assert!((unit.bytes(adaptive[0][l]) - wanted).abs() < 0.01, "{from}-{to}");
        assert!((unit.bytes(fixed[0][l]) - even).abs() < 0.01, "{from}-{to}");
    }
}

/// The text of §3.2.2 for Adaptive Direct, message by message, in doubles, without merging.
fn slow_adaptive_direct(net: &Network, way: &dyn Routing, messages: &[(u32, u32, f64)], rounds: usize) -> Vec<f64> {
    let links = net.switch_links() as usize;
    let most = net.class_of().iter().map(|c| net.classes()[*c as usize].bandwidth_bytes_per_s);
    let mut remaining: Vec<f64> = most.collect();
    let full: Vec<f64> = remaining.iter().map(|r| r * 2f64.powi(-20)).collect();
    let paths: Vec<PathList> = messages
        .iter()
        .map(|&(s, d, _)| {
            let mut list = PathList::new();
            way.list(s, d, &mut list).unwrap();
            list
        })
        .collect();
    let mut given: Vec<Vec<f64>> = paths.iter().map(|p| vec![0.0; p.len()]).collect();
    for _ in 0..rounds {
        let left = |l: &u32| if remaining[*l as usize] < full[*l as usize] { 0.0 } else { remaining[*l as usize] };
        let least = |links: &[u32]| links.iter().map(left).fold(f64::INFINITY, f64::min);
        let weights: Vec<Vec<f64>> = paths
            .iter()
            .zip(messages)
            .map(|(p, m)| {
                let sum: f64 = p.iter().map(|(links, _)| least(links)).sum();
                p.iter().map(|(links, _)| if sum > 0.0 { m.2 * least(links) / sum } else { 0.0 }).collect()
            })
            .collect();
        let mut requested = vec![0.0; links];
        for (p, w) in paths.iter().zip(&weights) {
            for ((links, _), w) in p.iter().zip(w) {
                links.iter().for_each(|l| requested[*l as usize] += w);
            }
        }
        let available: Vec<f64> =
            (0..links).map(|l| if requested[l] > 0.0 { remaining[l] / requested[l] } else { 0.0 }).collect();
        for (m, (p, w)) in paths.iter().zip(&weights).enumerate() {
            for (k, ((links, _), w)) in p.iter().zip(w).enumerate() {
                let grant = w * links.iter().map(|l| available[*l as usize]).fold(f64::INFINITY, f64::min);
                given[m][k] += grant;
                links.iter().for_each(|l| remaining[*l as usize] -= grant);
            }
        }
    }
    let mut loads = vec![0.0; links];
    for (m, p) in paths.iter().enumerate() {
        let total: f64 = given[m].iter().sum();
        for (k, (links, _)) in p.iter().enumerate() {
            links.iter().for_each(|l| loads[*l as usize] += messages[m].2 * given[m][k] / total);
        }
    }
    loads
}

#[test]
fn adaptive_direct_agrees_with_a_slow_reference_message_by_message() {
    for (call, seed) in NETWORKS.iter().zip(5..) {
        let net = network(call);
        let way = routing(&net, "minimal");
        let work = traffic(2 * net.endpoints(), 400, seed);
        let place = places(&net, 2);
        let rounds = 12;
        let settings = Settings { rounds: rounds - 1, tolerance: 0.0, ..Settings::default() };
        let adaptive = variant("adaptive-direct");
        let job = Job { name: "job", sends: &work, endpoint_of_rank: &place, routing: &*way, variant: adaptive };
        let (by_job, unit) = loads(&net, vec![job], settings);
        let switch = |rank: u32| net.endpoint_switch()[place[rank as usize] as usize];
        let messages: Vec<(u32, u32, f64)> = work
            .flows()
            .iter()
            .map(|f| (switch(f.src), switch(f.dst), f.bytes as f64))
            .filter(|m| m.0 != m.1)
            .collect();
        let slow = slow_adaptive_direct(&net, &*way, &messages, rounds as usize);
        let largest = slow.iter().copied().fold(0.0, f64::max);
        for (l, &load) in by_job[0].iter().enumerate() {
            let error = (unit.bytes(load) - slow[l]).abs();
            // Offers are single precision: 6e-8 per decision, some tens of decisions.
            assert!(error < 1e-4 * largest, "{call} link {l}: {} {}", unit.bytes(load), slow[l]);
        }
    }
}

/// Packets over random switches: close to the expectation over all of them.
#[test]
fn static_indirect_tends_to_the_expectation() {
    let net = network("dragonfly(a=4,p=1,h=2)");
    let place = places(&net, 1);
    let work = Traffic::new("one", net.endpoints(), vec![Flow { src: 0, dst: 20, messages: 1, bytes: 1 << 20 }]);
    let minimal = routing(&net, "single-minimal(tie=seeded)");
    let job = Job {
        name: "job",
        sends: &work,
        endpoint_of_rank: &place,
        routing: &*minimal,
        variant: variant("static-indirect(packet_bytes=64)"),
    };
    let (by_job, unit) = loads(&net, vec![job], Settings::default());
    let valiant = routing(&net, "valiant(mixture=uniform)");
    let (mapping, work) = (Seats::new(place.clone()), work.into());
    let exact = link_bytes(&net, &*valiant, &mapping, &work, &Progress::new()).unwrap();
    // 16,384 packets: the standard deviation of a share is below 0.4 %.
    let bytes = f64::from(1 << 20);
    for (l, &load) in by_job[0].iter().enumerate() {
        assert!((unit.bytes(load) - exact.bytes[l]).abs() < 0.02 * bytes, "link {l}");
    }
}

#[test]
fn adaptive_detours_relieve_a_hot_pair_of_groups() {
    let net = network("dragonfly(a=4,p=2,h=2)");
    let way = routing(&net, "group-minimal");
    // All ranks of group 0 send to group 1: one global link under direct routing.
    let flows = (0..8).map(|r| Flow { src: r, dst: 8 + r, messages: 1, bytes: 1 << 16 }).collect();
    let work = Traffic::new("hot", net.endpoints(), flows);
    let place = places(&net, 1);
    let most = |variant| {
        let job = Job { name: "job", sends: &work, endpoint_of_rank: &place, routing: &*way, variant };
        let (by_job, unit) = loads(&net, vec![job], Settings::default());
        unit.bytes(by_job[0].iter().max().copied().unwrap())
    };
    let direct = most(variant("adaptive-direct"));
    assert!(direct >= f64::from(8 << 16) - 1.0);
    assert!(most(variant("adaptive-indirect")) < 0.6 * direct);
    assert!(most(variant("adaptive-hybrid")) < 0.6 * direct);
}

#[test]
fn jobs_are_told_apart_and_causes_add_up() {
    let net = network("dragonfly(a=4,p=2,h=2)");
    let way = routing(&net, "minimal");
    let (a, b) = (traffic(32, 200, 7), traffic(40, 300, 8));
    let (first, second): (Vec<u32>, Vec<u32>) = ((0..32).collect(), (32..72).collect());
    let hybrid = variant("adaptive-hybrid");
    let jobs = |variant| {
        vec![
            Job { name: "a", sends: &a, endpoint_of_rank: &first, routing: &*way, variant },
            Job { name: "b", sends: &b, endpoint_of_rank: &second, routing: &*way, variant: hybrid },
        ]
    };
    for variant in all() {
        let progress = Progress::new();
        let model = Model::new(&net, jobs(variant), Settings::default(), &progress).unwrap();
        let solution = model.solve(&progress).unwrap();
        let loads = model.distribute(&solution, &progress).unwrap();
        let links: Vec<u32> = (0..net.switch_links()).step_by(7).collect();
        for cause in model.causes(&solution, &links, 3, &progress).unwrap() {
            for job in 0..2 {
                let own = || cause.shares.iter().filter(|s| s.job == job);
                let (load, flows) = (own().map(|s| s.load).sum::<u64>(), own().map(|s| s.flows).sum::<u64>());
                // Flows that are split together are rounded together.
                let apart = load.abs_diff(loads.by_job[job][cause.link as usize]);
                assert!(apart <= if variant.adaptive { 0 } else { flows }, "{variant:?}: {apart}");
            }
        }
    }
}

#[test]
fn six_numbers_are_those_of_numpy() {
    let six = summary::six(vec![4, 0, 10, 1], Unit { shift: 1 }).unwrap();
    assert_eq!((six.minimum, six.maximum, six.mean, six.median), (0.0, 5.0, 1.875, 1.25));
    assert_eq!((six.first_quartile, six.third_quartile, six.used, six.links), (0.375, 2.75, 3, 4));
    assert!(summary::six(Vec::new(), Unit { shift: 0 }).is_none());
}

#[test]
fn rounding_does_not_order_links() {
    let third = (1u64 << 40) / 3;
    let loads = vec![vec![third, third + 2, 0, third + 1, third + (third >> 20), third - 3]];
    let hottest = |count| summary::hottest(&loads, &[1.0; 6], count, Unit { shift: 10 });
    assert_eq!((hottest(3), hottest(9)), (vec![4, 0, 1], vec![4, 0, 1, 3, 5]));
}

#[test]
fn neighbours_share_links() {
    let found = summary::neighbours(&[vec![4, 0, 2], vec![4, 8, 0]], &[1.0, 1.0, 1.0], Unit { shift: 0 });
    assert_eq!((found[0].slowdown, found[1].slowdown), (2.0, 1.0));
    assert_eq!(found[0].met, [0.0, 16.0 / 6.0]);
    assert_eq!(found[1].slowdown_by, [1.0, 1.0]);
}

#[test]
fn bad_jobs_are_refused() {
    let net = network("ring(4,p=1)");
    let way = routing(&net, "minimal");
    let work = traffic(4, 10, 1);
    let code = |place: &[u32], settings| {
        let job = Job { name: "job", sends: &work, endpoint_of_rank: place, routing: &*way, variant: Variant::DIRECT };
        Model::new(&net, vec![job], settings, &Progress::new()).err().map(|f| f.0[0].code)
    };
    assert_eq!(code(&[0, 1, 2, 3], Settings::default()), None);
    assert_eq!(code(&[0, 1, 2], Settings::default()), Some("NL-E001"));
    assert_eq!(code(&[0, 1, 2, 9], Settings::default()), Some("NL-E021"));
    assert_eq!(code(&[0, 1, 2, 3], Settings { rounds: 0, ..Settings::default() }), Some("NL-A007"));
}

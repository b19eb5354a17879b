//! Tables 8.3 to 8.5 of Jain 2016: links used, and the fewest and most bytes on one of them, for collectives of 16,384 ranks
//! on 64 groups of 16 nodes of 16 cores (claims J48 to J56).
//!
//! The network is the dragonfly of §8.1.1: groups are complete graphs of nodes (L1), and group `s` reaches group `t` from
//! node `t mod 16` at node `s mod 16` (L2). Messages take the direct path; those within a node use no link. Sizes in the
//! tables are MiB where small, but 10^6 bytes in the binomial column of 8.3, and 10^9 bytes where large (erratum E4-25).
//!
//! Every number here is ours and holds exactly. Where it is also what the paper prints, the test's comment says *printed*;
//! else the comment derives it and names what is printed.

#![allow(clippy::unwrap_used)] // a failed step is a failed test

use std::sync::Arc;

use netloom_loads::links::link_bytes;
use netloom_model::schedule::{Blocks, Partner, Rounds};
use netloom_model::traffic::Flow;
use netloom_model::{Call, Network, Progress, Routing, Schedule, Seats, Traffic};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const GROUPS: u32 = 64;
const NODES: u32 = 16;
const CORES: u32 = 16;
const RANKS: u32 = GROUPS * NODES * CORES;

/// Bytes from node to node, in rank order.
struct NodeTraffic {
    nodes: u32,
    bytes: Vec<u64>,
}

impl NodeTraffic {
    fn of(schedules: &[Schedule], cores: u32) -> NodeTraffic {
        let nodes = schedules[0].ranks / cores;
        let mut traffic = NodeTraffic { nodes, bytes: vec![0; (nodes * nodes) as usize] };
        schedules.iter().for_each(|schedule| traffic.add(schedule, cores));
        traffic
    }

    fn pair(&mut self, src: u32, dst: u32) -> &mut u64 {
        &mut self.bytes[(src * self.nodes + dst) as usize]
    }

    fn add(&mut self, schedule: &Schedule, cores: u32) {
        let Rounds::Cyclic(rounds) = &schedule.rounds else {
            schedule.for_each_message(|m| *self.pair(m.src / cores, m.dst / cores) += m.bytes);
            return;
        };
        assert!(matches!(schedule.blocks, Blocks::Each { .. }), "all ranks send as much");
        for round in rounds {
            for src in 0..self.nodes {
                match round.partner {
                    // The last `k mod cores` ranks of a node reach one node further than the others.
                    Partner::Shift(k) => {
                        let (over, near) = (u64::from(k % cores), (src + k / cores) % self.nodes);
                        *self.pair(src, near) += round.bytes * (u64::from(cores) - over);
                        *self.pair(src, (near + 1) % self.nodes) += round.bytes * over;
                    }
                    Partner::Xor(k) => *self.pair(src, src ^ (k / cores)) += round.bytes * u64::from(cores),
                    Partner::Grid(..) => (src * cores..(src + 1) * cores).for_each(|rank| {
                        let to = round.partner.of(rank, self.nodes * cores) / cores;
                        *self.pair(src, to) += round.bytes;
                    }),
                }
            }
        }
    }

    fn traffic(&self) -> Traffic {
        let flow = |(at, bytes): (usize, &u64)| {
            let (src, dst) = (at as u32 / self.nodes, at as u32 % self.nodes);
            (*bytes > 0).then_some(Flow { src, dst, messages: 1, bytes: *bytes })
        };
        Traffic::new("nodes", self.nodes, self.bytes.iter().enumerate().filter_map(flow).collect())
    }
}

/// One class of links: how many carry something, and the fewest and most bytes on one of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Usage {
    used: usize,
    least: u64,
    most: u64,
}

fn usage(used: usize, least: u64, most: u64) -> Usage {
    Usage { used, least, most }
}

struct Machine {
    network: Arc<Network>,
    routing: Box<dyn Routing>,
    mapping: Seats,
}

impl Machine {
    fn new() -> Machine {
        let text = format!("dragonfly(a={NODES},p=1,h=4,g={GROUPS},arrangement=\"round-robin\")");
        let network = Arc::new(netloom_net::build(&Call::parse(&text).unwrap()).unwrap());
        let routing = netloom_net::routing::build(&network, &Call::parse("group-minimal").unwrap()).unwrap();
        let mapping = Seats::new((0..network.endpoints()).collect());
        Machine { network, routing, mapping }
    }

    fn class(&self, name: &str) -> u16 {
        self.network.classes().iter().position(|class| class.name == name).unwrap() as u16
    }

    fn usage(&self, schedules: &[Schedule]) -> [Usage; 2] {
        self.usage_of(&NodeTraffic::of(schedules, CORES))
    }

    fn link_bytes(&self, nodes: &NodeTraffic) -> Vec<f64> {
        let traffic = nodes.traffic().into();
        link_bytes(&self.network, &*self.routing, &self.mapping, &traffic, &Progress::new()).unwrap().bytes
    }

    /// L1 and L2.
    fn usage_of(&self, nodes: &NodeTraffic) -> [Usage; 2] {
        let loads = self.link_bytes(nodes);
        ["local", "global"].map(|name| {
            let class = self.class(name);
            let on = self.network.class_of().iter().zip(&loads).filter(|(c, b)| **c == class && **b > 0.0);
            let bytes: Vec<u64> = on.map(|(_, b)| *b as u64).collect();
            Usage {
                used: bytes.len(),
                least: bytes.iter().min().copied().unwrap_or(0),
                most: bytes.iter().max().copied().unwrap_or(0),
            }
        })
    }
}

fn build(text: &str, ranks: u32, size: u64) -> Schedule {
    netloom_workload::build(&Call::parse(text).unwrap(), ranks.into(), 0, size as i64).unwrap()
}

/// On the whole machine, 64 KiB per rank: 1 GiB in all.
fn made(text: &str) -> Schedule {
    build(text, RANKS, 64 * KIB)
}

/// A vector of 1 GiB.
fn vector(text: &str) -> Schedule {
    build(text, RANKS, GIB)
}

/// Rounds in which all ranks do the same are summed without listing their messages: 268 million for pairwise exchange.
#[test]
fn symbolic_sums_are_those_of_all_messages() {
    for (text, ranks, cores) in [
        ("allgather:ring", 60, 5),
        ("reduce-scatter:pairwise", 60, 6),
        ("allgather:recursive-doubling", 64, 4),
        ("allgather:circulant", 56, 7),
    ] {
        let schedule = build(text, ranks, 24);
        assert!(matches!(schedule.rounds, Rounds::Cyclic(_)), "{text}");
        let mut listed = vec![0; (ranks / cores * (ranks / cores)) as usize];
        schedule.for_each_message(|m| listed[(m.src / cores * (ranks / cores) + m.dst / cores) as usize] += m.bytes);
        assert_eq!(NodeTraffic::of(&[schedule], cores).bytes, listed, "{text}");
    }
}

/// §8.1.3 (J48).
#[test]
fn links_of_the_machine() {
    let machine = Machine::new();
    let count = |name| machine.network.class_of().iter().filter(|c| **c == machine.class(name)).count();
    assert_eq!((count("local"), count("global")), (15_360, 4_032));
}

/// Table 8.3, scatter: 64 KiB to every rank. Gather is the same with the links reversed (§8.1.3).
#[test]
fn table_8_3_scatter() {
    let machine = Machine::new();
    // Printed: 960 L1 links from 1 MB, 63 L2 links of at most 16 MB (J50). Every used L2 link carries one group's 16 MiB
    // (printed least: 1 MB, erratum E4-21). The root's link to another node of its group carries four groups' 64 MiB
    // (printed most) and that node's own 1 MiB.
    let two_tier = [usage(960, MIB, 65 * MIB), usage(63, 16 * MIB, 16 * MIB)];
    assert_eq!(machine.usage(&[made("scatter:two-tier(64,16,16)")]), two_tier);
    assert_eq!(machine.usage(&[made("gather:two-tier(64,16,16)")]), two_tier);
    // Erratum E4-20. 63 groups are entered once each, over 63 L2 links (printed: 56). The halving tree sends to group 32
    // first: 32 groups' 512 MiB (printed: 520 MB), 32 times what two-tier puts there (printed, J51); the last groups get
    // 16 MiB (printed: 16.7 MB, which is 16 MiB). The root's link to node 8 of its group leads to group 8, which gets 8
    // groups' 128 MiB (24, 40 and 56 are fed by other groups), and carries 8 nodes' 8 MiB (printed: 141 MB).
    let halving = [usage(1048, MIB, 136 * MIB), usage(63, 16 * MIB, 512 * MIB)];
    assert_eq!(machine.usage(&[made("scatter:binomial")]), halving);
    assert_eq!(machine.usage(&[made("gather:binomial")]), halving);
    assert_eq!(halving[1].most, 32 * two_tier[1].most);
}

/// §8.1.2: "the data will take exactly the same path" when the root sends each block itself.
#[test]
fn direct_sends_take_the_links_of_the_steps() {
    let machine = Machine::new();
    for operation in ["scatter", "gather"] {
        let [stepwise, direct] = ["", ",direct=true"].map(|extra| {
            let schedule = build(&format!("{operation}:two-tier(64,16,16{extra})"), RANKS, KIB);
            (schedule.messages(), machine.link_bytes(&NodeTraffic::of(&[schedule], CORES)))
        });
        // Between switches the same on every link. At the ends not: what a node passed on, it took in and gave out once more.
        let between = machine.network.switch_links() as usize;
        assert_eq!(stepwise.1[..between], direct.1[..between], "{operation}");
        let ends = |bytes: &[f64]| bytes[between..].iter().sum::<f64>();
        assert!(ends(&direct.1) < ends(&stepwise.1), "{operation}");
        assert_eq!(ends(&direct.1), f64::from(2 * (RANKS - CORES)) * KIB as f64, "{operation}");
        // A message to each rank; the steps have those to its cores, and one to each node, and to each group's exit.
        assert_eq!((direct.0, stepwise.0), (16_383, 15 + 63 + 64 * 15 + 1024 * 15));
    }
}

/// §8.1.2, base broadcast: the scatter's steps with all data. It is on as many links as the scatter, n on each.
#[test]
fn a_base_broadcast_puts_the_vector_on_the_links_of_the_scatter() {
    let machine = Machine::new();
    let base = vector("broadcast:two-tier(64,16,16,base=true)");
    assert_eq!((base.steps, base.messages()), (4, 16_383));
    assert_eq!(machine.usage(&[base]), [usage(15 + 63 * 15, GIB, GIB), usage(63, GIB, GIB)]);
}

/// Table 8.3, broadcast of 1 GiB.
#[test]
fn table_8_3_broadcast() {
    let machine = Machine::new();
    // De Geijn's as MPICH does it for long messages: scatter, then allgather around the ring. Printed: 1588 links from
    // 2 MB, 1.1 GB; 95 links from 32 MB, 1.09 GB (J49). Less than 1 GiB around the ring, and at most 17 MiB, or 16,
    // from the tree.
    let ring = GIB - 64 * KIB;
    let de_geijn = machine.usage(&[made("scatter:binomial"), made("allgather:ring")]);
    assert_eq!(de_geijn, [usage(1588, 2 * MIB, ring + 17 * MIB), usage(95, 32 * MIB, ring + 16 * MIB)]);
    assert_eq!([de_geijn[0].most, de_geijn[1].most].map(|bytes| bytes / 10_000_000), [109, 109]);
    // Two-tier. Loads as printed: chunks of 64 MiB; 128 MiB where a node passes on its group's first chunk and another one.
    // L2: 16 chunks enter their relay groups, and each leaves those for 62 others: 16 + 16 x 62 = 1008 (printed: 3937,
    // erratum E4-22). L1: no node gets a chunk that it already has, so the root's 15 links from its neighbours stay
    // idle, and 15 links in each of the relay groups 1 to 15, where node i would only pass on the chunk that came to
    // node 0: 15,360 - 16 x 15 = 15,120 (printed: 15,360).
    let two_tier = machine.usage(&[vector("broadcast:two-tier(64,16,16)")]);
    assert_eq!(two_tier, [usage(15_120, 64 * MIB, 128 * MIB), usage(1008, 64 * MIB, 64 * MIB)]);
}

/// Table 8.4: allgather of 64 KiB from every rank.
#[test]
fn table_8_4() {
    let machine = Machine::new();
    // Printed: 1080 L1 links of 1 GB (J52). A ring in rank order enters each group once: 64 L2 links (printed: 634, E4-23).
    let ring = GIB - 64 * KIB;
    assert_eq!(machine.usage(&[made("allgather:ring")]), [usage(1080, ring, ring), usage(64, ring, ring)]);
    // Printed: L1 from 16 MB to 15.1 GB (14,464 MiB are 15.17 10^9), 384 L2 links from 4.2 GB (4 GiB are 4.29 10^9) (J53).
    // L2: step 2^13 moves 256 ranks x 8192 blocks x 64 KiB = 128 GiB between two groups (printed: 4.3 GB, E4-24).
    // L1, in group s: five nodes, s mod 16 and its neighbours in the 4-cube, hold the cables to the six partner groups;
    // 240 - 11 x 10 links touch them. Of the cube's 64 directed edges 32 do not: 162 in each group (printed: 10,496 = 164 x 64).
    let doubling = [usage(64 * 162, 16 * MIB, 14_464 * MIB), usage(384, 4 * GIB, 128 * GIB)];
    assert_eq!(machine.usage(&[made("allgather:recursive-doubling")]), doubling);
    // Printed: all links, 65 MB and 16 MB (J54). A link carries its node's 1 MiB and the 16 MiB of each group whose cable
    // ends at its tail; node s mod 16 of group s has three of those, not four: 49 MiB (printed least: 65 MB).
    let two_tier = [usage(15_360, 49 * MIB, 65 * MIB), usage(4_032, 16 * MIB, 16 * MIB)];
    assert_eq!(machine.usage(&[made("allgather:two-tier(64,16,16)")]), two_tier);
}

/// Table 8.5: 1 GiB vectors, 64 KiB of the result per rank.
#[test]
fn table_8_5() {
    let machine = Machine::new();
    let rounded = |of: &[Usage; 2]| of.map(|u| [u.least, u.most].map(|bytes| (bytes + 500_000_000) / 1_000_000_000));
    // Printed: all links, 2 GB and 4 GB (J55). 256 x 256 pairs of 64 KiB between two groups: 4 GiB.
    let pairwise = machine.usage(&[made("reduce-scatter:pairwise")]);
    assert_eq!(pairwise, [usage(15_360, 1808 * MIB, 2064 * MIB), usage(4_032, 4 * GIB, 4 * GIB)]);
    assert_eq!(rounded(&pairwise), [[2, 2], [4, 4]]);
    // The column fits pairwise reduce-scatter and binomial gather: L2 up to 4.8 GB (printed: 5), L1 up to 2.2 GB
    // (printed: 3).
    let reduce = machine.usage(&[made("reduce-scatter:pairwise"), made("gather:binomial")]);
    assert_eq!(reduce, [usage(15_360, 1808 * MIB, 2128 * MIB), usage(4_032, 4 * GIB, 4608 * MIB)]);
    assert_eq!(rounded(&reduce), [[2, 2], [4, 5]]);
}

/// Table 8.5, two-tier. Our schedules leave a group's own part of the vector where it is; with it moved to node `s mod 16` of
/// group `s`, as every other group's part is, the printed numbers come out. The same for table 8.4.
#[test]
fn table_8_5_two_tier() {
    let machine = Machine::new();
    let far = |most| usage(4_032, 16 * MIB, most);
    // The allgather backwards: 49 MiB towards the node that holds three foreign parts only. Reduce collects over the same
    // cables (32 MiB) and on the root's links (1 + 64 MiB more than 49).
    assert_eq!(
        machine.usage(&[made("reduce-scatter:two-tier(64,16,16)")]),
        [usage(15_360, 49 * MIB, 65 * MIB), far(16 * MIB)]
    );
    assert_eq!(
        machine.usage(&[vector("reduce:two-tier(64,16,16)")]),
        [usage(15_360, 49 * MIB, 114 * MIB), far(32 * MIB)]
    );
    // Printed (J54, J56): 65 MB on every L1 link, 16 MB on every L2 link; reduce at most 130 MB and 32 MB (its least: 66 MB).
    let even = [usage(15_360, 65 * MIB, 65 * MIB), far(16 * MIB)];
    assert_eq!(machine.usage(&[made("allgather:two-tier(64,16,16,own_group=true)")]), even);
    assert_eq!(machine.usage(&[made("reduce-scatter:two-tier(64,16,16,own_group=true)")]), even);
    let reduce = vector("reduce:two-tier(64,16,16,own_group=true)");
    assert_eq!(machine.usage(&[reduce]), [usage(15_360, 65 * MIB, 130 * MIB), far(32 * MIB)]);
    // As described all relay groups but the own one get a chunk back: 16 more L2 links, and 15 L1 links to the root.
    let broadcast = vector("broadcast:two-tier(64,16,16,own_group=true)");
    assert_eq!(machine.usage(&[broadcast]), [usage(15_135, 64 * MIB, 128 * MIB), usage(1024, 64 * MIB, 64 * MIB)]);
}

//! Small networks and workloads for tests.

use netloom_model::schedule::{BlockRange, Blocks, Rounds, Transfer};
use netloom_model::traffic::Flow;
use netloom_model::{Collective, HopMatrix, Network, NetworkBuilder, Routing, Schedule, Step, Stream, Traffic, Way};

/// Ring of `n` switches with `matchings` random perfect matchings, `p` endpoints each (Cui 2024's random shortcut network).
pub fn ring_with_matchings(n: u32, matchings: u32, p: u32, seed: u64) -> Network {
    let mut b = NetworkBuilder::new(format!("ring_{n}_matchings_{matchings}"), n);
    let class = b.class("link", 12.5e9, 1e-7);
    let mut joined: std::collections::BTreeSet<(u32, u32)> =
        (0..n).map(|s| (s.min((s + 1) % n), s.max((s + 1) % n))).collect();
    let mut stream = Stream::new(seed, "matchings");
    for _ in 0..matchings {
        let mut ends: Vec<u32> = (0..n).collect();
        stream.shuffle(&mut ends);
        for i in (0..ends.len()).step_by(2) {
            let taken = |ends: &[u32], i: usize| joined.contains(&(ends[i].min(ends[i + 1]), ends[i].max(ends[i + 1])));
            while taken(&ends, i) {
                let j = stream.below(n) as usize;
                ends.swap(i + 1, j);
            }
        }
        for pair in ends.chunks(2) {
            joined.insert((pair[0].min(pair[1]), pair[0].max(pair[1])));
        }
    }
    joined.into_iter().for_each(|(u, v)| b.cable(u, v, class));
    b.endpoints_everywhere(p);
    b.structure().ring = true;
    b.build().unwrap()
}

/// Torus, row-major, `p` endpoints on each switch.
pub fn torus(dims: &[u32], p: u32) -> Network {
    let n: u32 = dims.iter().product();
    let mut b = NetworkBuilder::new(format!("torus{dims:?}"), n);
    let class = b.class("link", 12.5e9, 1e-7);
    for s in 0..n {
        let mut stride = 1;
        for &extent in dims.iter().rev() {
            let at = s / stride % extent;
            if extent > 2 || at + 1 < extent {
                b.cable(s, s - at * stride + (at + 1) % extent * stride, class);
            }
            stride *= extent;
        }
    }
    b.endpoints_everywhere(p);
    b.structure().grid =
        Some(netloom_model::network::Grid { dims: dims.to_vec(), wrap: vec![true; dims.len()], complete: false });
    b.build().unwrap()
}

pub fn matrix(network: &Network) -> HopMatrix {
    let n = network.switches();
    let mut all = vec![u8::MAX; (n * n) as usize];
    for source in 0..n {
        let row = &mut all[(source * n) as usize..((source + 1) * n) as usize];
        row[source as usize] = 0;
        let mut queue = vec![source];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for &to in network.neighbours(at) {
                if row[to as usize] == u8::MAX {
                    row[to as usize] = row[at as usize] + 1;
                    queue.push(to);
                }
            }
        }
    }
    HopMatrix::from_rows(n, all).unwrap()
}

/// One path per pair: always the first link that leads nearer.
pub struct FirstLink<'a> {
    pub network: &'a Network,
    pub distance: &'a HopMatrix,
}

impl Routing for FirstLink<'_> {
    fn label(&self) -> &str {
        "first-link"
    }
    fn towards(&self, destination: u32) -> Box<dyn Way + '_> {
        Box::new(FirstLinkWay(self, destination))
    }
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn is_deterministic(&self) -> bool {
        true
    }
}

/// Place = switch.
struct FirstLinkWay<'a>(&'a FirstLink<'a>, u32);

impl Way for FirstLinkWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.push(source.into());
    }
    fn steps(&self, place: u64, out: &mut Vec<Step>) {
        let heads = self.0.network.heads();
        let nearer = |l: &u32| self.remaining(heads[*l as usize].into()) < self.remaining(place);
        let link = self.0.network.out_links(place as u32).find(nearer);
        out.extend(link.map(|link| Step { link, channel: 0, place: heads[link as usize].into() }));
    }
    fn remaining(&self, place: u64) -> u32 {
        self.0.distance.get(place as u32, self.1).into()
    }
}

/// One block of one byte; `steps[t]` lists the (source, destination) of step `t`.
pub fn schedule(ranks: u32, steps: &[Vec<(u32, u32)>]) -> Schedule {
    let (mut offsets, mut transfers) = (vec![0], Vec::new());
    for step in steps {
        transfers.extend(step.iter().map(|&(src, dst)| Transfer {
            src,
            dst,
            first_range: 0,
            ranges: 1,
            combine: true,
        }));
        offsets.push(transfers.len() as u32);
    }
    Schedule {
        collective: Collective::Allreduce,
        label: "fixture".into(),
        ranks,
        root: 0,
        size_bytes: 1,
        blocks: Blocks::Each { bytes: 1, count: 1 },
        steps: steps.len() as u32,
        copied: Default::default(),
        switches: 0,
        channels: 1,
        order: netloom_model::schedule::RankOrder::default(),
        protocol: None,
        rounds: Rounds::Explicit { offsets, transfers, ranges: vec![BlockRange { first: 0, count: 1 }] },
    }
}

/// Binomial broadcast by halving distances, recursive doubling, Bruck's alltoall: Cui 2024's three collectives.
pub fn broadcast(ranks: u32) -> Schedule {
    let halves = (0..ranks.ilog2()).rev().map(|i| 1 << i);
    let step = |h: u32| (0..ranks).step_by(2 * h as usize).map(|r| (r, r + h)).collect();
    schedule(ranks, &halves.map(step).collect::<Vec<_>>())
}
pub fn allreduce(ranks: u32) -> Schedule {
    let step = |i: u32| (0..ranks).map(|r| (r, r ^ (1 << i))).collect();
    schedule(ranks, &(0..ranks.ilog2()).map(step).collect::<Vec<_>>())
}
pub fn alltoall(ranks: u32) -> Schedule {
    let step = |i: u32| (0..ranks).map(|r| (r, (r + (1 << i)) % ranks)).collect();
    schedule(ranks, &(0..ranks.ilog2()).map(step).collect::<Vec<_>>())
}

/// Periodic nearest-neighbour stencil on a row-major grid, one byte to each of both neighbours in each dimension.
pub fn stencil(dims: &[u32]) -> Traffic {
    let ranks: u32 = dims.iter().product();
    let mut flows = Vec::new();
    for r in 0..ranks {
        let mut stride = 1;
        for &extent in dims.iter().rev() {
            let at = r / stride % extent;
            for to in [(at + 1) % extent, (at + extent - 1) % extent] {
                flows.push(Flow { src: r, dst: r - at * stride + to * stride, messages: 1, bytes: 1 });
            }
            stride *= extent;
        }
    }
    let mut traffic = Traffic::new("stencil", ranks, flows);
    traffic.grid = Some((dims.to_vec(), vec![true; dims.len()]));
    traffic
}

/// Flows of these bytes from each to the other.
pub fn both_ways(pairs: impl Iterator<Item = (u32, u32, u64)>) -> Vec<Flow> {
    let flow = |src, dst, bytes| Flow { src, dst, messages: 1, bytes };
    pairs.flat_map(|(a, b, bytes)| [flow(a, b, bytes), flow(b, a, bytes)]).collect()
}

//! Small networks, a routing and schedules for tests.

use netloom_model::schedule::{BlockRange, Blocks, CyclicRound, Partner, RelativeRange, Rounds, Transfer};
use netloom_model::{Collective, HopMatrix, Network, NetworkBuilder, Routing, Schedule, Step, Stream, Way};

use crate::slow_reference::distances;

/// Ring of `n` switches with `chords` random chords, `p` endpoints each.
pub fn ring_with_chords(n: u32, chords: u32, p: u32, seed: u64) -> Network {
    let mut b = NetworkBuilder::new(format!("ring_{n}_chords_{chords}"), n);
    let class = b.class("link", 12.5e9, 1e-7);
    for s in 0..n {
        b.cable(s, (s + 1) % n, class);
    }
    let mut stream = Stream::new(seed, "chords");
    for _ in 0..chords {
        let (u, v) = (stream.below(n), stream.below(n));
        if u != v {
            b.cable(u, v, class);
        }
    }
    b.endpoints_everywhere(p);
    b.build().unwrap()
}

pub fn matrix(network: &Network) -> HopMatrix {
    HopMatrix::from_rows(network.switches(), distances(network)).unwrap()
}

/// One path per pair: always the first link that leads closer.
pub struct FirstLink<'a> {
    pub network: &'a Network,
    pub distance: HopMatrix,
    /// True: also a second path of the same links, each with half of the traffic.
    pub halves: bool,
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
        !self.halves
    }
}

/// Place = switch; one start, or two alike.
struct FirstLinkWay<'a>(&'a FirstLink<'a>, u32);

impl Way for FirstLinkWay<'_> {
    fn starts(&self, source: u32, out: &mut Vec<u64>) {
        out.extend(vec![u64::from(source); if self.0.halves { 2 } else { 1 }]);
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

fn schedule(collective: Collective, ranks: u32, blocks: Blocks, steps: u32, rounds: Rounds) -> Schedule {
    Schedule {
        collective,
        label: "fixture".into(),
        ranks,
        root: 0,
        size_bytes: 0,
        blocks,
        steps,
        rounds,
        copied: Default::default(),
        switches: 0,
        channels: 1,
        order: netloom_model::schedule::RankOrder::default(),
        protocol: None,
    }
}

/// Broadcast by halving distances from rank 0, one block of `bytes`.
pub fn binomial(ranks: u32, bytes: u64) -> Schedule {
    let (mut offsets, mut transfers) = (vec![0], Vec::new());
    let mut half = ranks.next_power_of_two() / 2;
    while half > 0 {
        for src in (0..ranks).step_by(2 * half as usize).filter(|s| s + half < ranks) {
            transfers.push(Transfer { src, dst: src + half, first_range: 0, ranges: 1, combine: false });
        }
        offsets.push(transfers.len() as u32);
        half /= 2;
    }
    let steps = offsets.len() as u32 - 1;
    let rounds = Rounds::Explicit { offsets, transfers, ranges: vec![BlockRange { first: 0, count: 1 }] };
    schedule(Collective::Broadcast, ranks, Blocks::Each { bytes, count: 1 }, steps, rounds)
}

/// One cyclic round per partner, block 0 of `ranks` blocks each.
pub fn rounds(ranks: u32, blocks: Blocks, partners: &[Partner]) -> Schedule {
    let round = |(step, partner): (usize, &Partner)| CyclicRound {
        step: step as u32,
        partner: *partner,
        ranges: vec![RelativeRange { part: 0, first: 0, count: 1 }],
        combine: true,
        bytes: match blocks {
            Blocks::Each { bytes, .. } => bytes,
            Blocks::Split { total_bytes, count } => total_bytes.div_ceil(count),
            Blocks::Parts { bytes, parts, .. } => bytes.div_ceil(u64::from(parts)),
        },
    };
    let rounds = Rounds::Cyclic(partners.iter().enumerate().map(round).collect());
    schedule(Collective::Allreduce, ranks, blocks, partners.len() as u32, rounds)
}

//! Byte forms of schedules, traffic and programs.

use super::{Kept, Rest, fields, variants};
use crate::program::{Amounts, GroupCall, Op, Programs};
use crate::schedule::{
    BlockRange, Blocks, Collective, Copied, CyclicRound, ListedRounds, MOST_AXES, Partner, Protocol, RankGrid,
    RankOrder, RelativeRange, Rounds, Schedule, Transfer, Turn,
};
use crate::traffic::{Flow, Start, Traffic};

impl Kept for Collective {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(Collective::ALL.iter().position(|one| one == self).map_or(u8::MAX, |at| at as u8));
    }
    fn get(from: &mut Rest<'_>) -> Option<Collective> {
        Collective::ALL.get(usize::from(from.read::<u8>()?)).copied()
    }
}

variants!(Blocks {
    0 => Split { total_bytes, count },
    1 => Each { bytes, count },
    2 => Parts { bytes, parts, units },
});

impl Kept for RankGrid {
    const LEAST: usize = 5 * MOST_AXES;
    fn put(&self, out: &mut Vec<u8>) {
        self.axes().iter().for_each(|(extent, turn)| (*extent, *turn as u8).put(out));
    }
    fn get(from: &mut Rest<'_>) -> Option<RankGrid> {
        let mut axes = [(0, Turn::Around); MOST_AXES];
        for axis in &mut axes {
            let (extent, turn) = from.read::<(u32, u8)>()?;
            *axis = (extent, *Turn::ALL.get(usize::from(turn))?);
        }
        RankGrid::new(&axes)
    }
}

impl Kept for Partner {
    const LEAST: usize = 5;
    fn put(&self, out: &mut Vec<u8>) {
        match *self {
            Partner::Shift(by) => (0u8, by).put(out),
            Partner::Xor(by) => (1u8, by).put(out),
            Partner::Grid(by, grid) => {
                (2u8, by).put(out);
                grid.put(out);
            }
        }
    }
    fn get(from: &mut Rest<'_>) -> Option<Partner> {
        let (kind, by) = from.read::<(u8, u32)>()?;
        Some(match kind {
            0 => Partner::Shift(by),
            1 => Partner::Xor(by),
            2 => Partner::Grid(by, from.read()?),
            _ => return None,
        })
    }
}

fields!(BlockRange { first: u32, count: u32 });
fields!(RelativeRange { part: u32, first: u32, count: u32 });
fields!(Transfer { src: u32, dst: u32, first_range: u32, ranges: u32, combine: bool });
fields!(CyclicRound { step: u32, partner: Partner, ranges: Vec<RelativeRange>, combine: bool, bytes: u64 });

impl Kept for Rounds {
    const LEAST: usize = 9;
    fn put(&self, out: &mut Vec<u8>) {
        let kind = match self {
            Rounds::Explicit { .. } => 0u8,
            Rounds::Cyclic(_) => 1,
            Rounds::Both { .. } => 2,
        };
        kind.put(out);
        if kind != 1 {
            let list = self.listed();
            list.offsets.to_vec().put(out);
            list.transfers.to_vec().put(out);
            list.ranges.to_vec().put(out);
        }
        if kind != 0 {
            self.cyclic().to_vec().put(out);
        }
    }
    fn get(from: &mut Rest<'_>) -> Option<Rounds> {
        let kind = from.read::<u8>()?;
        if kind == 1 {
            return Some(Rounds::Cyclic(from.read()?));
        }
        let (offsets, transfers, ranges) = (from.read()?, from.read()?, from.read()?);
        match kind {
            0 => Some(Rounds::Explicit { offsets, transfers, ranges }),
            2 => Some(Rounds::Both { offsets, transfers, ranges, cyclic: from.read()? }),
            _ => None,
        }
    }
}

impl Kept for Schedule {
    const LEAST: usize = 67;
    fn put(&self, out: &mut Vec<u8>) {
        self.collective.put(out);
        self.label.put(out);
        [self.ranks, self.switches, self.root, self.steps].iter().for_each(|number| number.put(out));
        self.size_bytes.put(out);
        self.blocks.put(out);
        self.rounds.put(out);
        [self.copied.before_bytes, self.copied.after_bytes].iter().for_each(|bytes| bytes.put(out));
        self.channels.put(out);
        (self.order.local, self.order.back_and_forth).put(out);
        self.order.levels.put(out);
        self.protocol.map_or(0u8, |protocol| 1 + protocol as u8).put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<Schedule> {
        let (collective, label) = from.read()?;
        let (ranks, switches) = from.read()?;
        let (root, steps) = from.read()?;
        let (size_bytes, blocks, rounds) = from.read()?;
        let (before_bytes, after_bytes) = from.read()?;
        let copied = Copied { before_bytes, after_bytes };
        let (channels, local) = from.read::<(u32, u32)>()?;
        let back_and_forth = from.read()?;
        let levels = from.read::<Option<RankGrid>>()?;
        let number = from.read::<u8>()?;
        let protocol = match number {
            0 => None,
            after => Some(*Protocol::ALL.get(usize::from(after) - 1)?),
        };
        let made = Schedule {
            collective,
            label,
            ranks,
            switches,
            root,
            size_bytes,
            blocks,
            steps,
            rounds,
            copied,
            channels,
            order: RankOrder { local, back_and_forth, levels },
            protocol,
        };
        is_sound(&made).then_some(made)
    }
}

/// Every number that indexes something is within it.
fn is_sound(made: &Schedule) -> bool {
    let divided = made.channels > 0 && made.blocks.count().is_multiple_of(made.channels.into());
    let ordered = made.order.levels.is_none_or(|levels| levels.ranks() == made.ranks);
    if !ordered || made.order.local == 0 || made.switches >= made.ranks || made.root >= made.members() || !divided {
        return false;
    }
    let count = made.blocks.count();
    let parts = (count / u64::from(made.channels) / u64::from(made.ranks)).max(1);
    let of_parts =
        |range: &RelativeRange| u64::from(range.part) < parts && range.first < made.ranks && range.count <= made.ranks;
    let fits = |round: &CyclicRound| {
        let reaches = matches!(round.partner, Partner::Shift(_)) || round.partner.fits(made.ranks);
        reaches && round.step < made.steps && round.ranges.iter().all(of_parts)
    };
    if !made.rounds.cyclic().iter().all(fits) {
        return false;
    }
    let ListedRounds { offsets, transfers, ranges } = made.rounds.listed();
    let begins = match &made.rounds {
        Rounds::Cyclic(_) => return true,
        Rounds::Explicit { .. } => made.steps,
        Rounds::Both { cyclic, .. } => cyclic.first().map_or(made.steps, |round| round.step),
    };
    let ordered = offsets.len() as u64 == u64::from(begins) + 1
        && offsets.first() == Some(&0)
        && offsets.is_sorted()
        && offsets.last().is_some_and(|last| *last as usize == transfers.len());
    let of_blocks = |range: &BlockRange| u64::from(range.first) + u64::from(range.count) <= count;
    let of_ranges = |one: &Transfer| {
        let last = u64::from(one.first_range) + u64::from(one.ranges);
        one.src < made.ranks && one.dst < made.ranks && last <= ranges.len() as u64
    };
    let few = count <= u64::from(u32::MAX);
    ordered && few && ranges.iter().all(of_blocks) && transfers.iter().all(of_ranges)
}

fields!(Flow { src: u32, dst: u32, messages: u64, bytes: u64 });
fields!(Start { start_s: f64, flow: Flow });

impl Kept for Traffic {
    const LEAST: usize = 37;
    fn put(&self, out: &mut Vec<u8>) {
        self.label.put(out);
        self.ranks.put(out);
        if self.starts().is_empty() { self.flows().to_vec() } else { Vec::new() }.put(out);
        self.starts().to_vec().put(out);
        self.notes.put(out);
        self.grid.put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<Traffic> {
        let (label, ranks) = from.read::<(String, u32)>()?;
        let (flows, starts) = from.read::<(Vec<Flow>, Vec<Start>)>()?;
        let inside = |flow: &Flow| flow.src < ranks && flow.dst < ranks;
        let timed = |start: &Start| start.start_s.is_finite() && start.start_s >= 0.0 && inside(&start.flow);
        if !flows.iter().all(inside) || !starts.iter().all(timed) || !fits(flows.iter().chain(starts.iter().map(of))) {
            return None;
        }
        let mut made =
            if starts.is_empty() { Traffic::new(label, ranks, flows) } else { Traffic::timed(label, ranks, starts) };
        (made.notes, made.grid) = from.read()?;
        Some(made)
    }
}

fn of(start: &Start) -> &Flow {
    &start.flow
}

/// The sums of all messages and bytes are below 2^63, as every reader has them.
fn fits<'a>(flows: impl Iterator<Item = &'a Flow>) -> bool {
    let (mut messages, mut bytes) = (0i64, 0i64);
    for flow in flows {
        let sums = i64::try_from(flow.messages).ok().and_then(|more| messages.checked_add(more));
        let sums = sums.zip(i64::try_from(flow.bytes).ok().and_then(|more| bytes.checked_add(more)));
        let Some(sums) = sums else { return false };
        (messages, bytes) = sums;
    }
    true
}

variants!(Op {
    0 => Send { peer, tag, bytes },
    1 => Receive { peer, tag, bytes },
    2 => StartSend { peer, tag, bytes },
    3 => StartReceive { peer, tag, bytes },
    4 => Wait { back },
    5 => WaitAll {},
    6 => Compute { flops },
    7 => Sleep { seconds },
    8 => Collective { call, member },
    9 => Repeat { ops, times },
    10 => Strand { ops },
    11 => Join {},
    12 => Signal { task },
    13 => Await { task },
    14 => Take { unit, turn },
    15 => Give { unit },
    16 => ComputeNext {},
    17 => SleepNext {},
});
fields!(GroupCall { schedule: std::sync::Arc<Schedule>, members: Vec<u32> });

impl Kept for Programs {
    const LEAST: usize = 32;
    fn put(&self, out: &mut Vec<u8>) {
        self.label.put(out);
        (0..self.ranks()).map(|rank| self.of(rank).to_vec()).collect::<Vec<_>>().put(out);
        self.calls.put(out);
        let listed = if self.amounts.is_empty() { 0 } else { self.ranks() };
        (0..listed).map(|rank| self.amounts.of(rank).to_vec()).collect::<Vec<_>>().put(out);
        self.counted_operations.put(out);
    }
    fn get(from: &mut Rest<'_>) -> Option<Programs> {
        let (label, bodies, calls) = from.read::<(String, Vec<Vec<Op>>, Vec<GroupCall>)>()?;
        let amounts = Amounts::new(from.read::<Vec<Vec<f64>>>()?);
        let made = Programs::with_amounts(label, bodies, amounts, calls).ok()?;
        Some(Programs { counted_operations: from.read()?, ..made })
    }
}

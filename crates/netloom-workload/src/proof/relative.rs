//! Execution of cyclic rounds for one rank: block `o` and contributor `c` are meant relative to it. When every rank sends to
//! `r + k`, what arrives from `r - k` under the sender's numbers `o` and `c` is `o - k` and `c - k` under the receiver's;
//! with `xor` it is `o xor k` and `c xor k`.

use netloom_model::schedule::{Blocks, CyclicRound, Partner, RankOrder, Rounds};
use netloom_model::{Collective, Fault, Outcome, Progress, Schedule};

use super::findings::Findings;
use super::limits::{BIT_LIMIT, check_size, stopped};
use super::sets::{Rows, against, common, mirror, turn, unite};
use crate::codes;
use crate::counts::Proof;

/// # Errors
/// See [`super::verify`]; faults name rank 0, which represents all.
pub(super) fn execute(s: &Schedule, rounds: &[CyclicRound], progress: &Progress) -> Outcome<Proof> {
    let proof = count(s, rounds, progress)?;
    // Every channel does the same with blocks of its own, over the ranks in an order of its own.
    let s = &one_channel(s);
    let steps = rounds.chunk_by(|a, b| a.step == b.step);
    match s.collective {
        Collective::Allreduce | Collective::ReduceScatter => {
            let mut state = CountedSets::start(s)?;
            for step in steps {
                go_on(s, progress)?;
                state.step(s, step)?;
            }
            state.finish(s)?;
        }
        _ => {
            let mut state = HeldBlocks::start(s)?;
            for step in steps {
                go_on(s, progress)?;
                state.step(s, step)?;
            }
            state.finish(s)?;
        }
    }
    Ok(proof)
}

fn go_on(s: &Schedule, progress: &Progress) -> Outcome<()> {
    progress.add(1);
    if progress.stopped() { Err(stopped(s)) } else { Ok(()) }
}

/// A channel of a schedule: its blocks, over positions in place of ranks.
fn one_channel(s: &Schedule) -> Schedule {
    let count = s.blocks.count() / u64::from(s.channels);
    let blocks = match s.blocks {
        _ if s.channels == 1 => s.blocks,
        Blocks::Split { total_bytes, .. } => Blocks::Split { total_bytes: total_bytes / u64::from(s.channels), count },
        Blocks::Each { bytes, .. } | Blocks::Parts { bytes, .. } => Blocks::Each { bytes, count },
    };
    Schedule { blocks, channels: 1, order: RankOrder::default(), rounds: Rounds::Cyclic(Vec::new()), ..s.clone() }
}

/// O(rounds × channels) for equal blocks, times the ranks where block sizes differ.
fn count(s: &Schedule, rounds: &[CyclicRound], progress: &Progress) -> Outcome<Proof> {
    let p = u64::from(s.ranks);
    let mut proof = Proof { steps: s.steps, messages: s.messages(), ..Proof::default() };
    let ports = rounds.chunk_by(|a, b| a.step == b.step).map(|step| step.len() as u32).max();
    proof.max_ports = ports.unwrap_or(0) * s.channels;
    let sent = |position: &dyn Fn(u32) -> u32| {
        let of = |channel| rounds.iter().map(move |r| (channel, r));
        let all = (0..s.channels).flat_map(of);
        all.map(|(channel, r)| s.cyclic_bytes(r, channel, position(channel))).sum::<u64>()
    };
    if s.blocks.are_even() || s.blocks.count() == u64::from(s.channels) {
        proof.max_bytes_sent = sent(&|_| 0);
        proof.total_bytes = proof.max_bytes_sent * p;
        return Ok(proof);
    }
    for rank in 0..s.ranks {
        if progress.stopped() {
            return Err(stopped(s));
        }
        let sent = sent(&|channel| s.position_of(channel, rank));
        proof.max_bytes_sent = proof.max_bytes_sent.max(sent);
        proof.total_bytes += sent;
    }
    Ok(proof)
}

/// A run of `count` offsets from `first`, wrapping at `ranks`, as one or two runs that do not.
fn unwrapped(first: u32, count: u32, ranks: u32) -> [(u32, u32); 2] {
    let head = count.min(ranks - first);
    [(first, head), (0, count - head)]
}

/// The number of a block at an offset of a part; the parts of an alltoall are its sources.
fn number(part: u32, offset: u32, s: &Schedule) -> u64 {
    u64::from(part) * u64::from(s.ranks) + u64::from(offset)
}

/// The receiver's number of the block that the sender has at this offset.
fn seen((part, offset): (u32, u32), partner: Partner, s: &Schedule) -> u64 {
    match s.blocks.count() {
        1 => 0,
        _ => number(part, partner.seen(offset, s.ranks), s),
    }
}

/// Parts of the blocks.
fn parts(s: &Schedule) -> u64 {
    (s.blocks.count() / u64::from(s.ranks)).max(1)
}

/// Blocks that a rank holds: a row per part.
struct HeldBlocks(Rows);

impl HeldBlocks {
    fn start(s: &Schedule) -> Outcome<HeldBlocks> {
        let p = s.ranks as usize;
        let rows = parts(s) as usize;
        check_size(s, s.blocks.count(), rows as u128 * u128::from(s.ranks.next_multiple_of(64)), BIT_LIMIT)?;
        let mut held = Rows::new(rows, p);
        match s.collective {
            Collective::Alltoall => held.set_run(0, 0, p),
            _ => (0..rows).for_each(|part| held.set(part, 0)),
        }
        Ok(HeldBlocks(held))
    }

    fn step(&mut self, s: &Schedule, step: &[CyclicRound]) -> Outcome<()> {
        let mut findings = Findings::new();
        for round in step {
            for range in &round.ranges {
                let (row, column) = (range.part, range.first);
                for (first, count) in unwrapped(column, range.count, s.ranks) {
                    if let Some(o) = self.0.first_missing(row as usize, first as usize, count as usize) {
                        findings.add(|| not_held(s, round, number(row, o as u32, s)));
                    }
                }
            }
        }
        findings.check()?;
        for round in step {
            for range in &round.ranges {
                let (row, column) = (range.part, range.first);
                let seen = |o| round.partner.seen(o, s.ranks);
                let to = if s.collective == Collective::Alltoall { seen(row) } else { row };
                if !matches!(round.partner, Partner::Shift(_)) {
                    for (first, count) in unwrapped(column, range.count, s.ranks) {
                        (first..first + count).for_each(|o| self.0.set(to as usize, seen(o) as usize));
                    }
                    continue;
                }
                for (first, count) in unwrapped(seen(column), range.count, s.ranks) {
                    self.0.set_run(to as usize, first as usize, count as usize);
                }
            }
        }
        Ok(())
    }

    fn finish(&self, s: &Schedule) -> Outcome<()> {
        let lacking = match s.collective {
            Collective::Alltoall => (0..s.ranks).find(|a| !self.0.has(*a as usize, 0)).map(|a| number(a, 0, s)),
            _ => {
                let of =
                    |part: u32| Some(number(part, self.0.first_missing(part as usize, 0, self.0.bits())? as u32, s));
                (0..parts(s) as u32).find_map(of)
            }
        };
        let Some(block) = lacking else { return Ok(()) };
        Err(Fault::say(&codes::LACKS, &s.label, format!("rank 0 lacks block {block} at the end")).into())
    }
}

fn not_held(s: &Schedule, round: &CyclicRound, block: u64) -> Fault {
    let to = round.partner.of(0, s.ranks);
    let sentence = format!("rank 0 sends block {block} to rank {to} in step {} but does not hold it", round.step);
    Fault::say(&codes::NOT_HELD, &s.label, sentence)
}

/// The contributors that a rank counts, for every block.
struct CountedSets {
    sets: Rows,
    /// Which kind of arrival a block last had, and in which step, as in the listed execution.
    written: Vec<(u32, bool)>,
}

impl CountedSets {
    fn start(s: &Schedule) -> Outcome<CountedSets> {
        let (p, blocks) = (s.ranks as usize, s.blocks.count() as usize);
        check_size(
            s,
            s.blocks.count(),
            u128::from(s.blocks.count()) * u128::from(s.ranks.next_multiple_of(64) + 64),
            BIT_LIMIT,
        )?;
        let mut sets = Rows::new(blocks, p);
        (0..blocks).for_each(|block| sets.set(block, 0));
        Ok(CountedSets { sets, written: vec![(u32::MAX, false); blocks] })
    }

    fn step(&mut self, s: &Schedule, step: &[CyclicRound]) -> Outcome<()> {
        let (p, words) = (s.ranks, self.sets.words());
        let mut carried = Vec::new();
        for round in step {
            for (part, offset) in offsets(round, s) {
                let from = carried.len();
                carried.resize(from + words, 0);
                let set = self.sets.row(number(part, offset, s) as usize);
                match round.partner {
                    Partner::Shift(k) => turn(set, p as usize, (p - k) as usize, &mut carried[from..]),
                    Partner::Xor(k) => mirror(set, k as usize, &mut carried[from..]),
                    Partner::Grid(..) => rename(set, p, round.partner, &mut carried[from..]),
                }
            }
        }
        let mut findings = Findings::new();
        let mut arriving = carried.chunks_exact(words);
        for round in step {
            for (at, set) in offsets(round, s).zip(&mut arriving) {
                let block = seen(at, round.partner, s);
                if let Some(fault) = self.receive(s, round, block, set) {
                    findings.add(|| fault);
                }
            }
        }
        findings.check()
    }

    fn receive(&mut self, s: &Schedule, round: &CyclicRound, block: u64, set: &[u64]) -> Option<Fault> {
        let last = std::mem::replace(&mut self.written[block as usize], (round.step, round.combine));
        if last.0 == round.step && !(last.1 && round.combine) {
            let sentence = format!("rank 0 receives block {block} stored and once more in step {}", round.step);
            return Some(Fault::say(&codes::RACE, &s.label, sentence));
        }
        let own = self.sets.row_mut(block as usize);
        if !round.combine {
            own.copy_from_slice(set);
            return None;
        }
        if let Some(who) = common(own, set) {
            let sentence =
                format!("rank 0 combines block {block} in step {} but counts rank {who} already", round.step);
            return Some(Fault::say(&codes::COUNTED_TWICE, &s.label, sentence));
        }
        unite(own, set);
        None
    }

    fn finish(&self, s: &Schedule) -> Outcome<()> {
        let each = if s.collective == Collective::ReduceScatter { s.ranks } else { 1 };
        let mut findings = Findings::new();
        for block in (0..s.blocks.count()).step_by(each as usize) {
            if let (Some(who), _) = against(self.sets.row(block as usize), s.ranks as usize) {
                let sentence = format!("rank 0 lacks the contribution of rank {who} to block {block} at the end");
                findings.add(|| Fault::say(&codes::LACKS, &s.label, sentence));
            }
        }
        findings.check()
    }
}

/// The blocks of a round of a reduction, as the sender sees them: part and offset.
fn offsets<'a>(round: &'a CyclicRound, s: &'a Schedule) -> impl Iterator<Item = (u32, u32)> + 'a {
    let row = s.blocks.count().min(s.ranks.into());
    round.ranges.iter().flat_map(move |range| {
        let offset = move |i| ((u64::from(range.first) + u64::from(i)) % row) as u32;
        (0..range.count).map(move |i| (range.part, offset(i)))
    })
}

/// The contributors of a set as the receiver numbers them.
fn rename(set: &[u64], ranks: u32, partner: Partner, out: &mut [u64]) {
    for who in (0..ranks).filter(|who| set[*who as usize / 64] >> (who % 64) & 1 == 1) {
        let seen = partner.seen(who, ranks);
        out[seen as usize / 64] |= 1 << (seen % 64);
    }
}

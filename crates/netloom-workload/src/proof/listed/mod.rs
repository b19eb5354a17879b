//! Execution of listed transfers, rank by rank.

mod combines;
mod moves;

use netloom_model::schedule::{BlockRange, Rounds, Transfer};
use netloom_model::{Collective, Outcome, Progress, Schedule};
use rayon::prelude::*;

pub(super) use combines::Sets;
pub(super) use moves::Held;

use super::expected::combines;
use super::limits::{BIT_LIMIT, check_size, stopped};
use crate::counts::Proof;

/// Windows that are proved side by side, at most: each has its share of the state, so that results do not depend on the number of threads.
const LANES: usize = 16;

/// A listed schedule taken apart, and the blocks to look at: what happens to a block depends on no other, so that a large
/// proof is made of proofs of windows.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    pub schedule: &'a Schedule,
    pub offsets: &'a [u32],
    pub transfers: &'a [Transfer],
    pub ranges: &'a [BlockRange],
    window: BlockRange,
    /// True if every transfer lists its blocks in ascending order, each once, so that those of a window are found quickly.
    ascending: bool,
}

impl<'a> List<'a> {
    /// `None` for cyclic rounds.
    pub fn of(schedule: &'a Schedule) -> Option<Self> {
        match &schedule.rounds {
            Rounds::Explicit { offsets, transfers, ranges } => {
                // Its shape was checked: a list has fewer than 2^32 blocks.
                let window = BlockRange { first: 0, count: schedule.blocks.count() as u32 };
                let list = List { schedule, offsets, transfers, ranges, window, ascending: false };
                let apart = |t: &Transfer| list.held(t).windows(2).all(|w| w[0].first + w[0].count <= w[1].first);
                let ascending = transfers.iter().all(apart);
                Some(List { ascending, ..list })
            }
            Rounds::Cyclic(_) | Rounds::Both { .. } => None,
        }
    }
    pub fn step(&self, step: usize) -> &'a [Transfer] {
        &self.transfers[self.offsets[step] as usize..self.offsets[step + 1] as usize]
    }
    pub fn held(&self, t: &Transfer) -> &'a [BlockRange] {
        &self.ranges[t.first_range as usize..(t.first_range + t.ranges) as usize]
    }
    /// What `t` carries of the window, counted from the window's first block.
    fn carried(&self, t: &Transfer) -> impl Iterator<Item = BlockRange> + use<'a> {
        let (low, high) = (self.window.first, self.window.first + self.window.count);
        let mut held = self.held(t);
        if self.ascending && held.len() > 1 {
            let from = held.partition_point(|r| r.first + r.count <= low);
            held = &held[from..held.partition_point(|r| r.first < high)];
        }
        held.iter().filter_map(move |r| {
            let (from, to) = (r.first.max(low), (r.first + r.count).min(high));
            (from < to).then(|| BlockRange { first: from - low, count: to - from })
        })
    }
    /// The blocks of a transfer one by one.
    pub fn blocks(&self, t: &Transfer) -> impl Iterator<Item = u32> + use<'a> {
        self.carried(t).flat_map(|r| r.first..r.first + r.count)
    }
    /// Number in the schedule of block `block` of the window.
    fn named(&self, block: usize) -> u32 {
        self.window.first + block as u32
    }
    /// Most blocks that one step carries of any window of `count` blocks. O(transfers + ranges + steps · windows).
    fn heaviest_step(&self, count: u32) -> u128 {
        let windows = self.schedule.blocks.count().div_ceil(count.into()) as usize;
        // Of each window: blocks of ranges that end in it; and ranges that cover it, as differences to the window before.
        let (mut partly, mut covering) = (vec![0u64; windows], vec![0i64; windows + 1]);
        let mut heaviest = 0;
        for step in 0..self.schedule.steps as usize {
            partly.fill(0);
            covering.fill(0);
            for range in self.step(step).iter().flat_map(|t| self.held(t)).filter(|range| range.count > 0) {
                let last = range.first + range.count - 1;
                let (from, to) = ((range.first / count) as usize, (last / count) as usize);
                if from == to {
                    partly[from] += u64::from(range.count);
                    continue;
                }
                partly[from] += u64::from(count - range.first % count);
                partly[to] += u64::from(last % count + 1);
                covering[from + 1] += 1;
                covering[to] -= 1;
            }
            let mut ranges = 0;
            for (partly, more) in partly.iter().zip(&covering) {
                ranges += more;
                heaviest = heaviest.max(u128::from(*partly) + ranges as u128 * u128::from(count));
            }
        }
        heaviest
    }
    /// Bits of state that a window of `count` blocks needs at most; less where that is above `limit` already.
    fn bits(&self, count: u32, limit: u128) -> u128 {
        let (ranks, blocks) = (u128::from(self.schedule.ranks), u128::from(count));
        if !combines(self.schedule.collective) {
            return ranks * blocks.next_multiple_of(64);
        }
        let set = u128::from(self.schedule.ranks.next_multiple_of(64));
        let sets = if prefix(self.schedule.collective) { 2 * set } else { set };
        let kept = ranks * blocks * (sets + 32);
        // Counting what a step carries is expensive, and useless if the rest is too large already.
        if kept > limit { kept } else { kept + self.heaviest_step(count.max(1)) * set }
    }
    /// Windows of one size, halved until a share of the `limit` is enough for each or they have one block; and the bits
    /// that they need. O((transfers + ranges + steps · windows) · log windows).
    fn windows(self, limit: u128, progress: &Progress) -> (Vec<Self>, u128) {
        let most = limit / LANES as u128;
        let mut count = self.window.count;
        let mut bits = self.bits(count, most);
        while bits > most && count > 1 && !progress.stopped() {
            count = count.div_ceil(2);
            bits = self.bits(count, most);
        }
        match progress.stopped() {
            true => (self.cut(count), 0),
            false => (self.cut(count), if bits > most { self.bits(count, limit) } else { bits }),
        }
    }
    /// Windows of `count` blocks, the last with the remaining blocks.
    pub fn cut(self, count: u32) -> Vec<Self> {
        let blocks = self.window.count;
        let window = |first: u32| BlockRange { first, count: count.min(blocks - first) };
        (0..blocks.max(1)).step_by(count.max(1) as usize).map(|first| List { window: window(first), ..self }).collect()
    }
}

fn prefix(collective: Collective) -> bool {
    matches!(collective, Collective::Scan | Collective::Exscan)
}

/// Executes and counts.
///
/// # Errors
/// See [`super::verify`].
pub(super) fn execute(schedule: &Schedule, progress: &Progress) -> Outcome<Proof> {
    let Some(list) = List::of(schedule) else { return Ok(Proof::default()) };
    execute_within(list, BIT_LIMIT, progress)?;
    Ok(count(&list))
}

/// The proof with at most `limit` bits of state at a time. Its result does not depend on the number of threads.
pub(super) fn execute_within(list: List, limit: u128, progress: &Progress) -> Outcome<()> {
    let (windows, bits) = list.windows(limit, progress);
    check_size(list.schedule, windows[0].window.count.into(), bits, limit)?;
    progress.set_total(u64::from(list.schedule.steps) * windows.len() as u64);
    let lanes = (limit / bits.max(1)).clamp(1, LANES as u128) as usize;
    let first_faults = (0..lanes).into_par_iter().filter_map(|lane| {
        let mut own = windows.iter().enumerate().skip(lane).step_by(lanes);
        match combines(list.schedule.collective) {
            true => {
                let mut state = Sets::default();
                own.find_map(|(i, window)| Some((i, state.prove(window, progress).err()?)))
            }
            false => {
                let mut state = Held::default();
                own.find_map(|(i, window)| Some((i, state.prove(window, progress).err()?)))
            }
        }
    });
    first_faults.min_by_key(|(window, _)| *window).map_or(Ok(()), |(_, faults)| Err(faults))
}

fn each_step(list: &List, progress: &Progress, mut step: impl FnMut(usize) -> Outcome<()>) -> Outcome<()> {
    for t in 0..list.schedule.steps as usize {
        if progress.stopped() {
            return Err(stopped(list.schedule));
        }
        step(t)?;
        progress.add(1);
    }
    Ok(())
}

/// Messages, bytes and ports. O(transfers + ranges).
fn count(list: &List) -> Proof {
    let p = list.schedule.ranks as usize;
    let (mut sent, mut ports) = (vec![0u64; p], vec![(0u32, 0u32); p]);
    let mut proof = Proof { steps: list.schedule.steps, messages: list.transfers.len() as u64, ..Proof::default() };
    for step in 0..list.schedule.steps as usize {
        for t in list.step(step) {
            let bytes: u64 = list.held(t).iter().map(|r| list.schedule.blocks.bytes(*r)).sum();
            sent[t.src as usize] += bytes;
            proof.total_bytes += bytes;
            ports[t.src as usize].0 += 1;
            ports[t.dst as usize].1 += 1;
            proof.max_ports = proof.max_ports.max(ports[t.src as usize].0).max(ports[t.dst as usize].1);
        }
        for t in list.step(step) {
            ports[t.src as usize].0 = 0;
            ports[t.dst as usize].1 = 0;
        }
    }
    proof.max_bytes_sent = sent.into_iter().max().unwrap_or(0);
    proof
}

//! Execution of listed transfers, rank by rank.

use netloom_model::schedule::{BlockRange, Rounds, Transfer};
use netloom_model::{Collective, Fault, Outcome, Progress, Schedule};

use super::expected::{combines, contributors, source, wants};
use super::sets::{Rows, against, common, unite};
use super::{Findings, check_size, stopped};
use crate::codes;
use crate::counts::Proof;

/// A listed schedule taken apart.
pub(super) struct List<'a> {
    pub schedule: &'a Schedule,
    pub offsets: &'a [u32],
    pub transfers: &'a [Transfer],
    pub ranges: &'a [BlockRange],
}

impl<'a> List<'a> {
    /// `None` for cyclic rounds.
    pub fn of(schedule: &'a Schedule) -> Option<Self> {
        match &schedule.rounds {
            Rounds::Explicit { offsets, transfers, ranges } => Some(List { schedule, offsets, transfers, ranges }),
            Rounds::Cyclic(_) => None,
        }
    }
    pub fn step(&self, step: usize) -> &'a [Transfer] {
        &self.transfers[self.offsets[step] as usize..self.offsets[step + 1] as usize]
    }
    pub fn held(&self, t: &Transfer) -> &'a [BlockRange] {
        &self.ranges[t.first_range as usize..(t.first_range + t.ranges) as usize]
    }
    /// Most blocks that one step carries.
    fn heaviest_step(&self) -> u128 {
        let carried = |t: &Transfer| self.held(t).iter().map(|r| u128::from(r.count)).sum::<u128>();
        (0..self.schedule.steps as usize).map(|s| self.step(s).iter().map(carried).sum()).max().unwrap_or(0)
    }
    /// Numbers of the blocks that `t` carries.
    pub fn blocks(&self, t: &Transfer) -> impl Iterator<Item = u32> + use<'a> {
        self.held(t).iter().flat_map(|r| r.first..r.first + r.count)
    }
}

/// Executes and counts.
///
/// # Errors
/// See [`super::verify`].
pub(super) fn execute(schedule: &Schedule, progress: &Progress) -> Outcome<Proof> {
    let Some(list) = List::of(schedule) else { return Ok(Proof::default()) };
    let proof = count(&list);
    if combines(schedule.collective) {
        let mut state = Sets::start(&list)?;
        run(&list, progress, |step| state.step(&list, step))?;
        state.finish(schedule)?;
    } else {
        let mut state = Held::start(schedule)?;
        run(&list, progress, |step| state.step(&list, step))?;
        state.finish(schedule)?;
    }
    Ok(proof)
}

fn run(list: &List, progress: &Progress, mut step: impl FnMut(usize) -> Outcome<()>) -> Outcome<()> {
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

fn not_held(s: &Schedule, t: &Transfer, block: usize, step: usize) -> Fault {
    let sentence = format!("rank {} sends block {block} to rank {} in step {step} but does not hold it", t.src, t.dst);
    Fault::say(&codes::NOT_HELD, &s.label, sentence)
}

/// State of an operation that moves blocks: which rank holds which.
#[derive(PartialEq, Eq)]
pub(super) struct Held(Rows);

impl Held {
    /// # Errors
    /// `NL-C012`.
    pub fn start(s: &Schedule) -> Outcome<Held> {
        let blocks = s.blocks.count();
        check_size(s, u128::from(s.ranks) * u128::from(blocks.next_multiple_of(64)))?;
        let mut rows = Rows::new(s.ranks as usize, blocks as usize);
        for block in 0..blocks {
            rows.set(source(s, block) as usize, block as usize);
        }
        Ok(Held(rows))
    }

    fn step(&mut self, list: &List, step: usize) -> Outcome<()> {
        let mut findings = Findings::new();
        for t in list.step(step) {
            for r in list.held(t) {
                if let Some(block) = self.0.first_missing(t.src as usize, r.first as usize, r.count as usize) {
                    findings.add(|| not_held(list.schedule, t, block, step));
                }
            }
        }
        findings.check()?;
        for t in list.step(step) {
            self.receive(list, t);
        }
        Ok(())
    }

    #[cfg(test)]
    pub fn holds(&self, list: &List, t: &Transfer) -> bool {
        list.blocks(t).all(|b| self.0.has(t.src as usize, b as usize))
    }

    pub fn receive(&mut self, list: &List, t: &Transfer) {
        for r in list.held(t) {
            self.0.set_run(t.dst as usize, r.first as usize, r.count as usize);
        }
    }

    /// # Errors
    /// `NL-C009` for every rank that lacks a block (the first few, by name).
    pub fn finish(&self, s: &Schedule) -> Outcome<()> {
        let mut findings = Findings::new();
        for rank in 0..s.ranks {
            let lacking = match s.collective {
                Collective::Broadcast | Collective::Allgather | Collective::Barrier => {
                    self.0.first_missing(rank as usize, 0, self.0.bits()).map(|b| b as u32)
                }
                Collective::Alltoall => {
                    (0..s.ranks).map(|a| a * s.ranks + rank).find(|b| !self.0.has(rank as usize, *b as usize))
                }
                _ => (0..s.blocks.count()).find(|b| wants(s, rank, *b) && !self.0.has(rank as usize, *b as usize)),
            };
            if let Some(block) = lacking {
                let from = source(s, block);
                findings.add(|| {
                    let sentence = format!("rank {rank} lacks block {block} (of rank {from}) at the end");
                    Fault::say(&codes::LACKS, &s.label, sentence)
                });
            }
        }
        findings.check()
    }
}

/// State of an operation that combines: for every rank and block the ranks whose contribution is counted.
#[derive(PartialEq, Eq)]
pub(super) struct Sets {
    sets: Rows,
    /// Scan and exscan: the result beside the running block.
    results: Option<Rows>,
    /// Per rank and block, `2·step + 1` if it last received a combination, `2·step + 2` if a stored value.
    written: Vec<u32>,
    blocks: usize,
}

impl Sets {
    /// # Errors
    /// `NL-C012`.
    pub fn start(list: &List) -> Outcome<Sets> {
        let s = list.schedule;
        let (p, blocks) = (s.ranks as usize, s.blocks.count() as usize);
        let prefix = matches!(s.collective, Collective::Scan | Collective::Exscan);
        let slots = u128::from(s.ranks) * u128::from(s.blocks.count());
        let set = u128::from(s.ranks.next_multiple_of(64));
        check_size(s, slots * (set * if prefix { 2 } else { 1 } + 32) + list.heaviest_step() * set)?;
        let mut sets = Rows::new(p * blocks, p);
        for slot in 0..p * blocks {
            sets.set(slot, slot / blocks);
        }
        let results = match s.collective {
            Collective::Scan => Some(sets.clone()),
            Collective::Exscan => Some(Rows::new(p * blocks, p)),
            _ => None,
        };
        Ok(Sets { sets, results, written: vec![0; p * blocks], blocks })
    }

    fn step(&mut self, list: &List, step: usize) -> Outcome<()> {
        let words = self.sets.words();
        let mut carried = Vec::new();
        for t in list.step(step) {
            for block in list.blocks(t) {
                carried.extend_from_slice(self.sets.row(t.src as usize * self.blocks + block as usize));
            }
        }
        let mut findings = Findings::new();
        let mut arriving = carried.chunks_exact(words);
        for t in list.step(step) {
            for (block, set) in list.blocks(t).zip(&mut arriving) {
                if let Err(fault) = self.receive(list.schedule, t, block, step, set) {
                    findings.add(|| *fault);
                }
            }
        }
        findings.check()
    }

    /// Takes in one block.
    pub fn receive(
        &mut self,
        s: &Schedule,
        t: &Transfer,
        block: u32,
        step: usize,
        set: &[u64],
    ) -> Result<(), Box<Fault>> {
        let slot = t.dst as usize * self.blocks + block as usize;
        let (combined, stored) = (2 * step as u32 + 1, 2 * step as u32 + 2);
        let last = std::mem::replace(&mut self.written[slot], if t.combine { combined } else { stored });
        if last == stored || (last == combined && !t.combine) {
            let sentence = format!("rank {} receives block {block} stored and once more in step {step}", t.dst);
            return Err(Box::new(Fault::say(&codes::RACE, &s.label, sentence)));
        }
        if !t.combine {
            self.sets.row_mut(slot).copy_from_slice(set);
            return Ok(());
        }
        let twice = |who| {
            let sentence = format!(
                "rank {} combines block {block} from rank {} in step {step} but counts rank {who} already",
                t.dst, t.src
            );
            Box::new(Fault::say(&codes::COUNTED_TWICE, &s.label, sentence))
        };
        if let Some(who) = common(self.sets.row(slot), set) {
            return Err(twice(who));
        }
        unite(self.sets.row_mut(slot), set);
        if let Some(results) = self.results.as_mut().filter(|_| t.src < t.dst) {
            if let Some(who) = common(results.row(slot), set) {
                return Err(twice(who));
            }
            unite(results.row_mut(slot), set);
        }
        Ok(())
    }

    /// # Errors
    /// `NL-C009` contributions that are missing, `NL-C010` contributions of ranks that do not belong to the result.
    pub fn finish(&self, s: &Schedule) -> Outcome<()> {
        let ends = self.results.as_ref().unwrap_or(&self.sets);
        let mut findings = Findings::new();
        for slot in 0..s.ranks as usize * self.blocks {
            let (rank, block) = ((slot / self.blocks) as u32, (slot % self.blocks) as u32);
            if !wants(s, rank, block) {
                continue;
            }
            let (lacking, surplus) = against(ends.row(slot), contributors(s, rank) as usize);
            if let Some(who) = lacking {
                findings.add(|| {
                    let sentence =
                        format!("rank {rank} lacks the contribution of rank {who} to block {block} at the end");
                    Fault::say(&codes::LACKS, &s.label, sentence)
                });
            }
            if let Some(who) = surplus {
                findings.add(|| {
                    let sentence =
                        format!("rank {rank} counts rank {who} in block {block}, which is not part of its result");
                    Fault::say(&codes::SURPLUS, &s.label, sentence)
                });
            }
        }
        findings.check()
    }

    #[cfg(test)]
    pub fn set(&self, rank: u32, block: u32) -> &[u64] {
        self.sets.row(rank as usize * self.blocks + block as usize)
    }
}

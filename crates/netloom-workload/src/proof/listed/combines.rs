//! Execution of operations that combine blocks.

use netloom_model::schedule::Transfer;
use netloom_model::{Collective, Fault, Outcome, Progress};

use super::{List, each_step};
use crate::codes;
use crate::proof::expected::{contributors, wants};
use crate::proof::findings::Findings;
use crate::proof::sets::{Rows, against, common, unite};

/// State of an operation that combines: for every rank and block the ranks whose contribution is counted.
#[derive(Default)]
pub(in crate::proof) struct Sets {
    sets: Rows,
    /// Scan and exscan: the result, in addition to the running block.
    results: Option<Rows>,
    /// Per rank and block, `2·step + 1` if it last received a combination, `2·step + 2` if a stored value.
    written: Vec<u32>,
    /// Contents of a step's messages, in their order: the senders' sets before the step.
    carried: Vec<u64>,
    blocks: usize,
}

impl Sets {
    /// The state before the first step. The counts of an earlier window are cleared and their memory reused.
    pub fn start(&mut self, list: &List) {
        let (p, blocks) = (list.schedule.ranks as usize, list.window.count as usize);
        self.blocks = blocks;
        self.written.clear();
        self.written.resize(p * blocks, 0);
        self.sets.reset(p * blocks, p);
        for slot in 0..list.schedule.members() as usize * blocks {
            self.sets.set(slot, slot / blocks);
        }
        self.results = match list.schedule.collective {
            Collective::Scan => Some(self.sets.clone()),
            Collective::Exscan => Some(Rows::new(p * blocks, p)),
            _ => None,
        };
    }

    pub(super) fn prove(&mut self, list: &List, progress: &Progress) -> Outcome<()> {
        self.start(list);
        let mut carried = std::mem::take(&mut self.carried);
        each_step(list, progress, |step| self.step(list, step, &mut carried))?;
        self.carried = carried;
        self.finish(list)
    }

    fn step(&mut self, list: &List, step: usize, carried: &mut Vec<u64>) -> Outcome<()> {
        carried.clear();
        for t in list.step(step) {
            for block in list.blocks(t) {
                carried.extend_from_slice(self.sets.row(t.src as usize * self.blocks + block as usize));
            }
        }
        let mut findings = Findings::new();
        let mut arriving = carried.chunks_exact(self.sets.words());
        for t in list.step(step) {
            for (block, set) in list.blocks(t).zip(&mut arriving) {
                if let Err(fault) = self.receive(list, t, block, step, set) {
                    findings.add(|| *fault);
                }
            }
        }
        findings.check()
    }

    /// Takes in one block.
    pub fn receive(
        &mut self,
        list: &List,
        t: &Transfer,
        block: u32,
        step: usize,
        set: &[u64],
    ) -> Result<(), Box<Fault>> {
        let (label, named) = (&list.schedule.label, list.named(block as usize));
        let slot = t.dst as usize * self.blocks + block as usize;
        let (combined, stored) = (2 * step as u32 + 1, 2 * step as u32 + 2);
        let last = std::mem::replace(&mut self.written[slot], if t.combine { combined } else { stored });
        if last == stored || (last == combined && !t.combine) {
            let sentence = format!("rank {} receives block {named} stored and once more in step {step}", t.dst);
            return Err(Box::new(Fault::say(&codes::RACE, label, sentence)));
        }
        if !t.combine {
            self.sets.row_mut(slot).copy_from_slice(set);
            return Ok(());
        }
        let twice = |who| {
            let sentence = format!(
                "rank {} combines block {named} from rank {} in step {step} but counts rank {who} already",
                t.dst, t.src
            );
            Box::new(Fault::say(&codes::COUNTED_TWICE, label, sentence))
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
    pub fn finish(&self, list: &List) -> Outcome<()> {
        let s = list.schedule;
        let ends = self.results.as_ref().unwrap_or(&self.sets);
        let mut findings = Findings::new();
        for slot in 0..s.members() as usize * self.blocks {
            let (rank, block) = ((slot / self.blocks) as u32, list.named(slot % self.blocks));
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

//! Execution of operations that move blocks.

use netloom_model::schedule::{BlockRange, Transfer};
use netloom_model::{Collective, Fault, Outcome, Progress, Schedule};

use super::{List, each_step};
use crate::codes;
use crate::proof::expected::{source, wants};
use crate::proof::findings::Findings;
use crate::proof::sets::Rows;

fn not_held(s: &Schedule, t: &Transfer, block: u32, step: usize) -> Fault {
    let sentence = format!("rank {} sends block {block} to rank {} in step {step} but does not hold it", t.src, t.dst);
    Fault::say(&codes::NOT_HELD, &s.label, sentence)
}

/// State of an operation that moves blocks: which rank holds which.
#[derive(Default)]
pub(in crate::proof) struct Held(Rows);

impl Held {
    /// The state before the first step; that of an earlier window is cleared.
    pub fn start(&mut self, list: &List) {
        let s = list.schedule;
        self.0.reset(s.ranks as usize, list.window.count as usize);
        for block in 0..list.window.count as usize {
            self.0.set(source(s, list.named(block)) as usize, block);
        }
    }

    pub(super) fn prove(&mut self, list: &List, progress: &Progress) -> Outcome<()> {
        self.start(list);
        each_step(list, progress, |step| self.step(list, step))?;
        self.finish(list)
    }

    fn step(&mut self, list: &List, step: usize) -> Outcome<()> {
        let mut findings = Findings::new();
        for t in list.step(step) {
            for r in list.carried(t) {
                if let Some(block) = self.0.first_missing(t.src as usize, r.first as usize, r.count as usize) {
                    findings.add(|| not_held(list.schedule, t, list.named(block), step));
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
        for r in list.carried(t) {
            self.0.set_run(t.dst as usize, r.first as usize, r.count as usize);
        }
    }

    /// # Errors
    /// `NL-C009` for every rank that lacks a block (the first few, by name).
    pub fn finish(&self, list: &List) -> Outcome<()> {
        let (s, BlockRange { first, count }) = (list.schedule, list.window);
        let mut findings = Findings::new();
        for rank in 0..s.members() {
            let has = |block: u32| self.0.has(rank as usize, (block - first) as usize);
            let lacking = match s.collective {
                Collective::Broadcast | Collective::Allgather | Collective::Barrier => {
                    self.0.first_missing(rank as usize, 0, self.0.bits()).map(|b| list.named(b))
                }
                Collective::Alltoall => {
                    let own = (first + s.ranks - 1 - rank) / s.ranks * s.ranks + rank;
                    (own..first + count).step_by(s.ranks as usize).find(|b| !has(*b))
                }
                _ => (first..first + count).find(|b| wants(s, rank, *b) && !has(*b)),
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

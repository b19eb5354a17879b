//! Runs that cannot end: which ranks wait for which, and the fault.

use super::*;

impl<T: Transport> Engine<'_, T> {
    pub(super) fn label(&self) -> String {
        let labels: Vec<&str> = self.jobs.iter().map(|job| job.work.label()).collect();
        labels.join(" + ")
    }

    pub(super) fn name(&self, rank: u32) -> String {
        let r = &self.ranks[rank as usize];
        if self.jobs.len() > 1 { format!("rank {} of job {}", r.local, r.job) } else { format!("rank {}", r.local) }
    }

    pub(super) fn halves(&self) -> Vec<Half> {
        let bytes = |id: u32| self.messages[id as usize].bytes;
        self.matching.waiting().into_iter().map(|(key, is_send, id)| Half { key, is_send, bytes: bytes(id) }).collect()
    }

    /// Why nothing more happens in finite time; `timed` if an event remains at infinity.
    pub(super) fn stuck(&self, timed: bool) -> Fault {
        if timed || self.messages.iter().any(|m| m.started && !m.arrived) {
            return Fault::say(&codes::TIME_OVERFLOW, self.label(), "simulated time exceeds 1e308 s")
                .hint("check the units of sizes, bandwidths and computation");
        }
        let blocked =
            |rank: u32| matches!(self.ranks[rank as usize].wait, Wait::One { .. } | Wait::From { .. } | Wait::Join);
        if self.halves().is_empty()
            && let Some(fault) = self.tasks_never_done()
        {
            return fault;
        }
        if self.ended == self.finish.len()
            && let Some(half) = self.halves().first()
        {
            return stuck::left_over(&self.label(), half, &|rank| self.name(rank));
        }
        stuck::deadlock(&self.label(), &self.halves(), &blocked, &|rank| self.name(rank))
    }

    pub(super) fn truncated(&self, src: u32, dst: u32, tag: u32, sent: u64, room: u64) -> Fault {
        let place = format!("{}: message from {} to {}, tag {tag}", self.label(), self.name(src), self.name(dst));
        Fault::new(&codes::TRUNCATED, place, format!("at most {room} B, the size of its receive"), format!("{sent} B"))
    }
}

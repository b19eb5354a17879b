//! Strands: what a rank does at the same time as something else. They act as ranks do, under the name and at the place
//! of theirs.

use super::*;

impl<T: Transport> Engine<'_, T> {
    /// Starts a strand with the next `ops` actions, after which the rank goes on.
    pub(super) fn fork(&mut self, rank: u32, ops: u32) -> bool {
        let r = &mut self.ranks[rank as usize];
        let first = r.line.at;
        r.line.at += ops as usize;
        r.strands += 1;
        let strand = Rank {
            job: r.job,
            owner: r.owner,
            strand: Some(Strand { parent: rank, end: r.line.at, last: NONE }),
            local: r.local,
            endpoint: r.endpoint,
            line: Line::from(first),
            wait: Wait::Busy,
            since: self.now,
            ..Rank::default()
        };
        let number = match self.idle.pop() {
            Some(free) => {
                self.ranks[free as usize] = strand;
                free
            }
            None => {
                self.ranks.push(strand);
                self.ranks.len() as u32 - 1
            }
        };
        self.ready.push_back(number);
        false
    }

    /// True if strands of the rank have not ended.
    pub(super) fn join(&mut self, rank: u32) -> bool {
        let r = &mut self.ranks[rank as usize];
        if r.strands > 0 {
            (r.wait, r.since) = (Wait::Join, self.now);
        }
        r.strands > 0
    }

    /// A rank has done all its actions, or a strand its own: that ends when its requests are done.
    pub(super) fn leave(&mut self, rank: u32) {
        let Some(strand) = self.ranks[rank as usize].strand else {
            self.ranks[rank as usize].wait = Wait::Ended;
            self.finish[rank as usize] = self.now;
            self.ended += 1;
            return;
        };
        if self.wait_from(rank, 0) {
            return;
        }
        self.ranks[rank as usize].wait = Wait::Ended;
        self.idle.push(rank);
        let parent = &mut self.ranks[strand.parent as usize];
        parent.strands -= 1;
        if parent.wait == Wait::Join && parent.strands == 0 {
            parent.wait = Wait::Busy;
            let since = parent.since;
            if let Some(own) = &mut parent.strand {
                own.last = strand.last;
            }
            // Who never waited for a message computed.
            let activity = if strand.last == NONE { Activity::Compute } else { Activity::Wait };
            self.note(strand.parent, activity, since, self.now, strand.last);
            self.ready.push_back(strand.parent);
        }
    }
}

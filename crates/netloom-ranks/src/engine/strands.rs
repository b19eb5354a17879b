//! Strands: what a rank does at the same time as something else. They act as ranks do, under the name and at the place
//! of theirs.

use super::*;

impl<T: Transport> Engine<'_, T> {
    /// Starts a strand with the next `ops` actions, after which the rank goes on.
    pub(super) fn fork(&mut self, rank: u32, ops: u32) -> bool {
        let r = &mut self.ranks[rank as usize];
        let first = r.line.at;
        r.line.at += ops as usize;
        let end = r.line.at;
        self.begin_strand(rank, |strand| {
            strand.line = Line::from(first);
            end
        })
    }

    /// Starts a strand that goes through a channel of the rank's collective, and does nothing else.
    pub(super) fn fork_channel(&mut self, rank: u32, channel: u32) -> bool {
        let r = &self.ranks[rank as usize];
        let (at, place) = (r.line.at, Place::of_channel(channel));
        let inside = r.inside;
        self.begin_strand(rank, |strand| {
            (strand.line, strand.place, strand.inside) = (Line::from(at), place, inside);
            at
        })
    }

    /// Starts a strand whose work `fill` sets; it returns the first action that is not the strand's own.
    fn begin_strand(&mut self, rank: u32, fill: impl FnOnce(&mut Rank) -> usize) -> bool {
        let r = &mut self.ranks[rank as usize];
        r.strands += 1;
        let mut strand = Rank {
            job: r.job,
            owner: r.owner,
            local: r.local,
            is_switch: r.is_switch,
            protocol: r.protocol,
            endpoint: r.endpoint,
            seat: r.seat,
            wait: Wait::Busy,
            since: self.now,
            ..Rank::default()
        };
        let end = fill(&mut strand);
        strand.strand = Some(Strand { parent: rank, end, last: NONE });
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
            let skipped_s = self.periods.as_ref().map_or(0.0, |periods| periods.seconds);
            self.finish[rank as usize] = self.now.after(skipped_s);
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
            if parent.strand.is_none() {
                self.tasks.of.remove(&strand.parent);
            }
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

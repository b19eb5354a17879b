//! The switches of a network, cycle by cycle.

use std::borrow::Cow;

use netloom_model::Outcome;

use super::{AHEAD, Queued};
use crate::cycle::engine::{Delivered, Engine, Queueing};
use crate::cycle::packets::Packets;
use crate::observe::watch::Watch;

impl Queueing for Queued<'_> {
    fn packets(&mut self) -> &mut Packets {
        &mut self.packets
    }

    fn waits(&mut self, endpoint: u32) {
        if let Some(watch) = &mut self.watch {
            watch.enter_source(endpoint, self.now);
            // While its link moves another packet, the end of that makes it ready.
            if self.packets.waits(endpoint) == 1 {
                watch.ready_source(endpoint, self.now);
            }
        }
        self.active.mark(self.network.switches() + endpoint);
    }
}

impl Engine for Queued<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    fn begin(&mut self, arrivals: &mut Vec<Delivered>) -> Outcome<()> {
        let first = arrivals.len();
        let mut due = std::mem::take(&mut self.due);
        self.events.take(&mut due);
        for (at, &event) in due.iter().enumerate() {
            if at % AHEAD == 0 {
                self.touch(&due[at..due.len().min(at + AHEAD)]);
            }
            self.handle(event, arrivals);
        }
        due.clear();
        self.due = due;
        self.hops.fault()?;
        arrivals[first..].sort_unstable_by_key(|arrival| arrival.to);
        Ok(())
    }

    fn act(&mut self) -> Outcome<()> {
        let mut active = std::mem::take(&mut self.active.now);
        active.iter().for_each(|who| self.active.marked[*who as usize] = false);
        let switches = self.network.switches();
        for who in active.drain(..) {
            if who < switches {
                self.decide(who);
            } else {
                self.inject(who - switches)?;
            }
        }
        self.active.now = active;
        let mut again = std::mem::take(&mut self.active.again);
        again.drain(..).for_each(|who| self.active.mark(who));
        self.active.again = again;
        self.now += 1;
        self.events.advance();
        if self.active.now.is_empty() && self.events.is_empty() && !self.packets.is_empty() {
            return Err(self.stuck());
        }
        Ok(())
    }

    fn idle(&self) -> bool {
        self.packets.is_empty() && self.events.is_empty()
    }

    fn next_due(&mut self) -> u64 {
        if self.active.now.is_empty() { self.events.next().unwrap_or(u64::MAX) } else { self.now }
    }

    fn skip(&mut self, to: u64) {
        if to > self.now {
            self.events.skip(to);
            self.now = to;
        }
    }

    fn under_way(&self) -> u64 {
        self.packets.len()
    }

    fn link_units(&self) -> Cow<'_, [u64]> {
        Cow::Borrowed(&self.link_units)
    }

    fn watch(&mut self, until: u64) {
        let (links, v) = (self.network.switch_links() + self.network.endpoints(), self.settings.channels);
        let held = |link: u32| (link * v..(link + 1) * v).map(|slot| self.fifos.len(slot)).sum();
        let watch = Watch::new(
            (self.now, until),
            self.network.links(),
            links * v,
            (0..links).map(held),
            self.packets.waiting(),
        );
        self.watch = Some(Box::new(watch));
    }

    fn watched(&mut self) -> Option<&mut Watch> {
        self.watch.as_deref_mut()
    }
}

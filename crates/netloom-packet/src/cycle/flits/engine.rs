//! The switches of a network, cycle by cycle.

use std::borrow::Cow;

use netloom_model::Outcome;

use super::Flits;
use crate::cycle::engine::{Delivered, Engine, Queueing};
use crate::cycle::packets::Packets;
use crate::observe::watch::Watch;

impl Queueing for Flits<'_> {
    fn packets(&mut self) -> &mut Packets {
        &mut self.packets
    }

    fn waits(&mut self, endpoint: u32) {
        if let Some(watch) = &mut self.watch {
            watch.enter_source(endpoint, self.now);
            if self.packets.waits(endpoint) == 1 && self.senders[endpoint as usize].idle() {
                watch.ready_source(endpoint, self.now);
            }
        }
        self.active.mark(self.network.switches() + endpoint);
    }
}

impl Engine for Flits<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    fn begin(&mut self, arrivals: &mut Vec<Delivered>) -> Outcome<()> {
        self.receive(arrivals);
        self.hops.fault()
    }

    fn act(&mut self) -> Outcome<()> {
        let mut active = std::mem::take(&mut self.active.now);
        active.iter().for_each(|who| self.active.marked[*who as usize] = false);
        let mut next = std::mem::take(&mut self.due);
        let switches = self.network.switches();
        for who in active.drain(..) {
            let again = match who.checked_sub(switches) {
                Some(endpoint) => self.send(endpoint)?,
                None => (0..self.settings.speedup).all(|step| self.step(who, step)),
            };
            if again {
                next.push(who);
            }
        }
        self.active.now = active;
        next.drain(..).for_each(|who| self.active.mark(who));
        self.due = next;
        self.now += 1;
        self.flits.advance();
        self.credits.advance();
        self.tails.advance();
        if self.quiet() && !self.packets.is_empty() {
            return Err(self.stuck());
        }
        Ok(())
    }

    fn idle(&self) -> bool {
        self.packets.is_empty() && self.quiet()
    }

    fn next_due(&mut self) -> u64 {
        if !self.active.now.is_empty() {
            return self.now;
        }
        let next = [self.flits.next(), self.credits.next(), self.tails.next()];
        next.into_iter().flatten().min().unwrap_or(u64::MAX)
    }

    fn skip(&mut self, to: u64) {
        if to > self.now {
            self.flits.skip(to);
            self.credits.skip(to);
            self.tails.skip(to);
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
        let channels = self.state.channels;
        let mut held = vec![0; (self.network.switch_links() + self.network.endpoints()) as usize];
        for (slot, input) in self.state.inputs.iter().enumerate() {
            held[self.ports.entering(slot as u32 / channels) as usize] += u32::from(input.flits);
        }
        let fifos = self.state.inputs.len() as u32;
        let watch =
            Watch::new((self.now, until), self.network.links(), fifos, held.into_iter(), self.packets.waiting());
        self.watch = Some(Box::new(watch));
    }

    fn watched(&mut self) -> Option<&mut Watch> {
        self.watch.as_deref_mut()
    }
}

//! A switch model, as the rest of the room sees it.

use std::borrow::Cow;

use netloom_model::Outcome;

use super::packets::Packets;
use crate::observe::watch::Watch;

/// A packet to be sent. It waits at its endpoint, in a queue without limit, until the injection link takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub from: u32,
    /// Endpoint; may be `from`: the packet then turns round in its switch.
    pub to: u32,
    /// Comes back with the arrival.
    pub tag: u32,
    /// Phits or flits, at least 1.
    pub units: u32,
}

/// Makes the packets of endpoints when they are wanted, each endpoint's in the order of their births.
pub trait Origin: Send {
    /// The next packet of an endpoint, and the cycle in which it was born.
    fn next(&mut self, endpoint: u32) -> (Offer, u64);
}

/// A packet whose last unit has reached its endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    pub from: u32,
    pub to: u32,
    pub tag: u32,
    pub units: u32,
    /// Cycle in which it was offered.
    pub born: u64,
    /// Cycle at whose start its last unit was there: `at - born` is its latency.
    pub at: u64,
    /// Switch links that it took.
    pub hops: u32,
}

/// Takes packets at their endpoints.
pub trait Intake {
    /// Appends to the source queue of the packet's endpoint, in the current cycle.
    ///
    /// # Errors
    /// As the routing, for a pair without a route; some engines find it when the packet leaves its queue.
    fn offer(&mut self, offer: Offer) -> Outcome<()>;

    /// From now on all packets come from an origin.
    fn draw_from(&mut self, origin: Box<dyn Origin>);

    /// The next packet of the origin is born at an endpoint, in the current cycle.
    ///
    /// # Errors
    /// As [`Intake::offer`].
    fn born(&mut self, endpoint: u32) -> Outcome<()>;
}

/// An engine whose packets wait in the source queues of [`Packets`].
pub trait Queueing: Engine {
    fn packets(&mut self) -> &mut Packets;

    /// One more packet waits at an endpoint.
    fn waits(&mut self, endpoint: u32);
}

impl<E: Queueing> Intake for E {
    fn offer(&mut self, offer: Offer) -> Outcome<()> {
        let now = self.now();
        self.packets().offer(offer, now);
        self.waits(offer.from);
        Ok(())
    }

    fn draw_from(&mut self, origin: Box<dyn Origin>) {
        self.packets().draw_from(origin);
    }

    fn born(&mut self, endpoint: u32) -> Outcome<()> {
        self.packets().born(endpoint);
        self.waits(endpoint);
        Ok(())
    }
}

/// Moves packets cycle by cycle. Same calls, same arrivals, on any machine.
pub trait Engine: Intake {
    /// The cycle that [`Engine::cycle`] simulates next.
    fn now(&self) -> u64;

    /// The start of a cycle: what is due arrives. Arrivals are appended in the order of their links. What is offered before
    /// [`Engine::act`] may still leave in this cycle.
    ///
    /// # Errors
    /// If a packet has no route.
    fn begin(&mut self, arrivals: &mut Vec<Delivered>) -> Outcome<()>;

    /// The rest of the cycle that has begun: packets take links. The next cycle has not begun then.
    ///
    /// # Errors
    /// If no packet can ever move again.
    fn act(&mut self) -> Outcome<()>;

    /// Simulates one cycle.
    ///
    /// # Errors
    /// Those of its two halves.
    fn cycle(&mut self, arrivals: &mut Vec<Delivered>) -> Outcome<()> {
        self.begin(arrivals)?;
        self.act()
    }

    /// True if no packet is under way or waits.
    fn idle(&self) -> bool;

    /// The cycle before which nothing happens unless a packet is offered, `u64::MAX` while idle. Engines that cannot tell say
    /// now.
    fn quiet_until(&mut self) -> u64 {
        if self.idle() { u64::MAX } else { self.now() }
    }

    /// The same, told by engines that count each cycle of a measurement as one in which something may happen.
    fn next_due(&mut self) -> u64 {
        self.quiet_until()
    }

    /// Goes to cycle `to`, if it is later, and not after [`Engine::next_due`].
    fn skip(&mut self, to: u64);

    /// Packets under way or waiting.
    fn under_way(&self) -> u64;

    /// Units that began to cross each directed link.
    fn link_units(&self) -> Cow<'_, [u64]>;

    /// Counts what happens on links and in queues from now until cycle `until`. Engines that cannot tell do nothing.
    fn watch(&mut self, _until: u64) {}

    /// The counts, while there are any.
    fn watched(&mut self) -> Option<&mut Watch> {
        None
    }
}

impl Intake for Box<dyn Engine + '_> {
    fn offer(&mut self, offer: Offer) -> Outcome<()> {
        (**self).offer(offer)
    }
    fn draw_from(&mut self, origin: Box<dyn Origin>) {
        (**self).draw_from(origin);
    }
    fn born(&mut self, endpoint: u32) -> Outcome<()> {
        (**self).born(endpoint)
    }
}

impl Engine for Box<dyn Engine + '_> {
    fn now(&self) -> u64 {
        (**self).now()
    }
    fn begin(&mut self, arrivals: &mut Vec<Delivered>) -> Outcome<()> {
        (**self).begin(arrivals)
    }
    fn act(&mut self) -> Outcome<()> {
        (**self).act()
    }
    fn cycle(&mut self, arrivals: &mut Vec<Delivered>) -> Outcome<()> {
        (**self).cycle(arrivals)
    }
    fn quiet_until(&mut self) -> u64 {
        (**self).quiet_until()
    }
    fn next_due(&mut self) -> u64 {
        (**self).next_due()
    }
    fn idle(&self) -> bool {
        (**self).idle()
    }
    fn skip(&mut self, to: u64) {
        (**self).skip(to);
    }
    fn under_way(&self) -> u64 {
        (**self).under_way()
    }
    fn link_units(&self) -> Cow<'_, [u64]> {
        (**self).link_units()
    }
    fn watch(&mut self, until: u64) {
        (**self).watch(until);
    }
    fn watched(&mut self) -> Option<&mut Watch> {
        (**self).watched()
    }
}

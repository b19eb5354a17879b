//! The life of a message: posted, matched, in flight, arrived.

use super::*;

impl<T: Transport> Engine<'_, T> {
    /// One half of a message is posted. Returns its request.
    pub(super) fn post(&mut self, rank: u32, peer: u32, tag: u32, bytes: u64, is_send: bool) -> Outcome<u32> {
        let request = self.ranks[rank as usize].requests.start();
        // A channel may stand for another one.
        let tag = if self.folded.as_ref().is_some_and(|folded| folded.parts > 1) { 0 } else { tag };
        let Some((key, pair)) = self.key(rank, peer, tag, is_send) else {
            self.ranks[rank as usize].requests.finish(request);
            return Ok(request);
        };
        let Key { src, dst, .. } = key;
        let (bytes_sent, room) = (bytes, bytes);
        // A half that meets its other half needs no message of its own.
        let id = self.next_id();
        let met = self.matching.meet(key, is_send, id);
        let protocol = self.ranks[rank as usize].protocol.filter(|_| !self.ranks[src as usize].is_switch);
        let mut eager = is_send && (protocol.is_some() || self.software.is_eager(bytes));
        let early = eager && (protocol.is_some() || bytes < self.software.starts_early_below_bytes);
        let at = match met {
            Some(other) => {
                let there = self.messages[other as usize].bytes;
                let (sent, room) = if is_send { (bytes_sent, there) } else { (there, room) };
                if sent > room {
                    return Err(self.truncated(src, dst, tag, sent, room).into());
                }
                self.messages[other as usize].bytes = sent;
                self.messages[other as usize].matched = true;
                other
            }
            None => {
                self.free.pop();
                self.unfinished += 1;
                self.messages[id as usize] = Message { src, dst, bytes, tag, ..NO_MESSAGE };
                self.rare.set(id, Rare { protocol, pair, ..NO_RARE });
                id
            }
        };
        if is_send && protocol.is_some() {
            let (src, dst) = self.way(at);
            let connection = self.connections.number(src, dst, tag);
            eager = self.take_buffer(connection, at);
            self.rare.set(at, Rare { connection, held: !eager, ..self.rare.of(at) });
        }
        self.record_post(at, is_send);
        let held = self.rare.of(at).held;
        let turn = if is_send { self.next_turn(src) } else { self.messages[at as usize].receive };
        let message = &mut self.messages[at as usize];
        if is_send {
            (message.sender, message.send) = (rank, if eager { NONE } else { request });
            // Until it is matched its turn stands where its receive will.
            message.receive = if message.matched { message.receive } else { turn };
        } else {
            (message.receiver, message.receive) = (rank, request);
        }
        if !message.started && !held && (message.matched || early) {
            self.begin_soon(src, turn, at);
        } else if self.messages[at as usize].arrived {
            self.complete(at)?;
        } else if !is_send {
            self.record_receive(at);
        }
        if eager {
            self.ranks[rank as usize].requests.finish(request);
        }
        Ok(request)
    }

    /// Number of one more send of a rank.
    pub(super) fn next_turn(&mut self, rank: u32) -> u32 {
        let sends = &mut self.ranks[rank as usize].sends;
        *sends = sends.wrapping_add(1);
        *sends
    }

    /// A message begins when all have acted, in its turn among those that begin at this instant.
    pub(super) fn begin_soon(&mut self, src: u32, turn: u32, id: u32) {
        self.messages[id as usize].started = true;
        self.beginning.push(Beginning { src, turn, id });
    }

    /// Messages that both sides have started by now begin: the first of each rank, then the second of each, in the order of
    /// its sends. Whether a send or its receive was started first makes no difference. Those that stay in their node take
    /// no turn: they go with the next one that leaves it.
    pub(super) fn begin_in_turns(&mut self) -> Outcome<()> {
        let mut all = std::mem::take(&mut self.beginning);
        if all.len() > 1 {
            let sends = |one: &Beginning| self.ranks[one.src as usize].sends;
            // Counted back from the last send, so that no count is too long.
            all.iter_mut().for_each(|one| one.turn = sends(one).wrapping_sub(one.turn));
            all.sort_unstable_by_key(|one| (one.src, std::cmp::Reverse(one.turn)));
            let (mut src, mut number) = (NONE, 0);
            for one in &mut all {
                number = if one.src == src { number } else { 0 };
                (src, one.turn) = (one.src, number);
                let [from, to] = self.places(one.id);
                number += u32::from(self.transport.reach(from, to) == Reach::Between);
            }
            all.sort_by_key(|one| (one.turn, one.src));
        }
        for one in all.drain(..) {
            self.begin(one.id)?;
        }
        self.beginning = all;
        Ok(())
    }

    /// Where the next message goes: it is free until somebody takes it.
    pub(super) fn next_id(&mut self) -> u32 {
        self.free.last().copied().unwrap_or_else(|| {
            let id = self.messages.len() as u32;
            self.messages.push(NO_MESSAGE);
            self.free.push(id);
            id
        })
    }

    /// Both sides of a message are ready: software does its part, then the transfer starts.
    pub(super) fn begin(&mut self, id: u32) -> Outcome<()> {
        let [from, to] = self.places(id);
        self.record_start(id)?;
        let message = &mut self.messages[id as usize];
        message.started = true;
        let (Message { src, bytes, .. }, Rare { protocol, .. }) = (*message, self.rare.of(id));
        if self.at_once && protocol.is_none() || self.ranks[src as usize].is_switch {
            return self.transfer(id, f64::INFINITY);
        }
        let reach = self.transport.reach(from, to);
        self.messages[id as usize].reach = reach;
        if !self.software.crossing_cap.is_empty() {
            *self.crossing.entry(self.way(id)).or_default() += 1;
        }
        if protocol.is_none() && self.software.sends_in_turn() {
            let apart_s = self.software.apart_s(bytes, reach);
            let next = &mut self.ranks[src as usize].starts;
            let start = self.now.max(*next);
            *next = start.after(apart_s);
            if start > self.now {
                self.due(start, Due::Turn(id));
                return Ok(());
            }
        }
        self.take_turn(id)
    }

    /// The rank lets a message go: endpoint, handshake and latency of software follow.
    pub(super) fn take_turn(&mut self, id: u32) -> Outcome<()> {
        let (Message { reach, bytes, .. }, Rare { protocol, .. }) = (self.messages[id as usize], self.rare.of(id));
        let [from, _] = self.places(id);
        let mut start = self.now;
        if reach == Reach::Between
            && let Some(next) = self.leaves.get(from.endpoint as usize)
        {
            let begun = start.max(*next);
            (start, self.leaves[from.endpoint as usize]) = self.turn(begun);
        }
        let handshake_s = if protocol.is_some() { 0.0 } else { self.software.handshake_s(bytes) };
        let software_s = self.software.message(protocol, reach).latency_s(bytes);
        let begun = start.after(handshake_s + software_s);
        self.record_software(id, handshake_s, software_s, begun);
        // A message that becomes ready in this instant may cross this one.
        if begun > self.now || !self.software.crossing_cap.is_empty() {
            self.due(begun, Due::Message(id));
            return Ok(());
        }
        self.leave_software(id)
    }

    /// Software has done its part of a message: its transfer starts, on a connection when the one before it has arrived.
    pub(super) fn leave_software(&mut self, id: u32) -> Outcome<()> {
        if self.rare.of(id).connection != NONE {
            return self.enter_connection(id);
        }
        self.transfer_capped(id)
    }

    pub(super) fn transfer_capped(&mut self, id: u32) -> Outcome<()> {
        let (Message { reach, bytes, .. }, Rare { protocol, .. }) = (self.messages[id as usize], self.rare.of(id));
        let crosses = !self.crossing.is_empty() && self.crossing.contains_key(&self.way_back(id));
        let cap = match crosses {
            true if reach == Reach::Between && protocol.is_none() => self.software.crossing_cap_bytes_per_s(bytes),
            _ => self.software.message(protocol, reach).cap_bytes_per_s(bytes),
        };
        self.transfer(id, cap)
    }

    /// Whose message a half is, and the class of its pair where ranks are folded; none of one that another stands for.
    #[inline]
    fn key(&self, rank: u32, peer: u32, tag: u32, is_send: bool) -> Option<(Key, u32)> {
        let owner = self.ranks[rank as usize].owner;
        if let Some(folded) = &self.folded {
            let half = folded.half(owner, peer, is_send).filter(|half| !half.stands_back)?;
            let of = folded.pairs[half.pair as usize];
            return Some((Key { src: of.src, dst: of.dst, context: half.pair, tag }, half.pair));
        }
        let (peer, context) = self.peer(rank, peer);
        let (src, dst) = if is_send { (owner, peer) } else { (peer, owner) };
        Some((Key { src, dst, context, tag }, NO_PAIR))
    }

    /// What tells the ranks between which a message goes from others.
    #[inline]
    fn way(&self, id: u32) -> (u32, u32) {
        match self.rare.of(id).pair {
            NO_PAIR => (self.messages[id as usize].src, self.messages[id as usize].dst),
            pair => (pair, NONE),
        }
    }

    /// As [`Engine::way`], of messages in the other direction.
    #[inline]
    fn way_back(&self, id: u32) -> (u32, u32) {
        match (self.rare.of(id).pair, &self.folded) {
            (pair, Some(folded)) if pair != NO_PAIR => (folded.pairs[pair as usize].back, NONE),
            _ => {
                let Message { src, dst, .. } = self.messages[id as usize];
                (dst, src)
            }
        }
    }

    #[inline]
    pub(super) fn places(&self, id: u32) -> [netloom_model::Place; 2] {
        let (Message { src, dst, .. }, Rare { pair, .. }) = (self.messages[id as usize], self.rare.of(id));
        if let Some(of) = self.folded.as_ref().and_then(|folded| folded.pairs.get(pair as usize)) {
            return [of.from, of.to];
        }
        [src, dst].map(|rank| self.place_of(rank))
    }

    /// Where a rank is.
    #[inline]
    pub(super) fn place_of(&self, rank: u32) -> netloom_model::Place {
        let rank = &self.ranks[rank as usize];
        netloom_model::Place { endpoint: rank.endpoint, seat: rank.seat }
    }

    fn transfer(&mut self, id: u32, cap_bytes_per_s: f64) -> Outcome<()> {
        let (Message { src, bytes, .. }, Rare { protocol, pair, .. }) = (self.messages[id as usize], self.rare.of(id));
        let [from, to] = self.places(id);
        let bytes = protocol.map_or(bytes, |protocol| protocol.wire_bytes(bytes));
        let payload = Payload { from, to, bytes, cap_bytes_per_s, job: self.ranks[src as usize].job, pair };
        self.transport.begin(self.now, payload, id)
    }

    /// The bytes of a message are there: it arrives when its endpoint has received it.
    pub(super) fn reach_endpoint(&mut self, id: u32) -> Outcome<()> {
        let Message { src, reach, .. } = self.messages[id as usize];
        let service_s = self.software.endpoint_message_s;
        if service_s > 0.0 && reach == Reach::Between && !self.ranks[src as usize].is_switch {
            let [_, to] = self.places(id);
            let next = &mut self.leaves[to.endpoint as usize];
            let received = self.now.max(*next).after(service_s);
            *next = received;
            self.due(received, Due::Arrival(id));
            return Ok(());
        }
        self.arrive(id)
    }

    /// A message has arrived.
    pub(super) fn arrive(&mut self, id: u32) -> Outcome<()> {
        let (m, rare) = (self.messages[id as usize], self.rare.of(id));
        if rare.connection != NONE {
            self.leave_connection(rare.connection)?;
        }
        if !self.crossing.is_empty() {
            let way = self.way(id);
            if let Some(under_way) = self.crossing.get_mut(&way) {
                *under_way -= 1;
                if *under_way == 0 {
                    self.crossing.remove(&way);
                }
            }
        }
        let stands_for = self.folded.as_ref().map_or(1, |folded| folded.pairs[rare.pair as usize].pairs);
        self.arrived += stands_for;
        self.bytes += m.bytes * stands_for;
        self.messages[id as usize].arrived = true;
        self.record_arrival(id);
        if m.send != NONE {
            self.finish_request(m.sender, m.send, true, rare.record);
        }
        if m.matched {
            self.complete(id)?;
        }
        Ok(())
    }

    /// A message has arrived, and its receive is posted.
    pub(super) fn complete(&mut self, id: u32) -> Outcome<()> {
        let (m, rare) = (self.messages[id as usize], self.rare.of(id));
        self.record_receive(id);
        if rare.protocol.is_none() && !self.ranks[m.dst as usize].is_switch {
            let receiver = &mut self.ranks[m.receiver as usize];
            receiver.debt += self.software.receive.seconds(m.bytes);
            receiver.copies += self.software.eager_copy_s(m.bytes);
        }
        self.finish_request(m.receiver, m.receive, false, rare.record);
        self.free.push(id);
        self.unfinished -= 1;
        if rare.connection != NONE { self.free_buffer(rare.connection) } else { Ok(()) }
    }
}

//! The life of a message: posted, matched, in flight, arrived.

use super::*;

const NO_MESSAGE: Message = Message {
    src: NONE,
    dst: NONE,
    bytes: 0,
    protocol: None,
    connection: NONE,
    send: NONE,
    receive: NONE,
    matched: false,
    started: false,
    held: false,
    arrived: false,
    posted_send_s: f64::NAN,
    posted_receive_s: f64::NAN,
    record: NONE,
};

impl<T: Transport> Engine<'_, T> {
    /// One half of a message is posted. Returns its request.
    pub(super) fn post(&mut self, rank: u32, peer: u32, tag: u32, bytes: u64, is_send: bool) -> Outcome<u32> {
        let (peer, context) = self.peer(rank, peer);
        let request = self.ranks[rank as usize].requests.start();
        let owner = self.ranks[rank as usize].owner;
        let (src, dst) = if is_send { (owner, peer) } else { (peer, owner) };
        let (bytes_sent, room) = (bytes, bytes);
        // A half that meets its other half needs no message of its own.
        let id = self.next_id();
        let met = self.matching.meet(Key { src, dst, context, tag }, is_send, id);
        let protocol = self.ranks[rank as usize].protocol.filter(|_| !self.ranks[src as usize].is_switch);
        let mut eager = is_send && (protocol.is_some() || bytes < self.software.sender_returns_below_bytes);
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
                self.messages[id as usize] = Message { src, dst, bytes, protocol, ..NO_MESSAGE };
                id
            }
        };
        if is_send && protocol.is_some() {
            let connection = self.connections.number(src, dst, tag);
            eager = self.take_buffer(connection, at);
            (self.messages[at as usize].connection, self.messages[at as usize].held) = (connection, !eager);
        }
        let now_s = self.now.as_s();
        let message = &mut self.messages[at as usize];
        if is_send {
            (message.src, message.send) = (rank, if eager { NONE } else { request });
            message.posted_send_s = now_s;
        } else {
            (message.dst, message.receive, message.posted_receive_s) = (rank, request, now_s);
        }
        if !message.started && !message.held && (message.matched || early) {
            self.begin(at)?;
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

    /// Where the next message goes: it is free until somebody takes it.
    fn next_id(&mut self) -> u32 {
        self.free.last().copied().unwrap_or_else(|| {
            let id = self.messages.len() as u32;
            self.messages.push(NO_MESSAGE);
            self.free.push(id);
            id
        })
    }

    /// Both sides of a message are ready: software does its part, then the transfer starts.
    pub(super) fn begin(&mut self, id: u32) -> Outcome<()> {
        self.messages[id as usize].started = true;
        self.record_start(id)?;
        let Message { src, protocol, .. } = self.messages[id as usize];
        if self.at_once && protocol.is_none() || self.ranks[src as usize].is_switch {
            return self.transfer(id, f64::INFINITY);
        }
        if !self.software.crossing_cap.is_empty() {
            *self.crossing.entry(self.owners(id)).or_default() += 1;
        }
        if self.software.message_gap_s > 0.0 && self.messages[id as usize].protocol.is_none() {
            let (owner, _) = self.owners(id);
            let next = &mut self.ranks[owner as usize].starts;
            let start = self.now.max(*next);
            *next = start.after(self.software.message_gap_s);
            if start > self.now {
                self.due(start, Due::Turn(id));
                return Ok(());
            }
        }
        self.take_turn(id)
    }

    /// The rank lets a message go: endpoint, handshake and latency of software follow.
    pub(super) fn take_turn(&mut self, id: u32) -> Outcome<()> {
        let ([from, to], Message { bytes, protocol, .. }) = (self.places(id), self.messages[id as usize]);
        let reach = self.transport.reach(from, to);
        let mut start = self.now;
        if reach == Reach::Between
            && let Some(next) = self.leaves.get_mut(from.endpoint as usize)
        {
            start = start.max(*next);
            *next = start.after(self.software.nic_message_gap_s);
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
        if self.messages[id as usize].connection != NONE {
            return self.enter_connection(id);
        }
        self.transfer_capped(id)
    }

    pub(super) fn transfer_capped(&mut self, id: u32) -> Outcome<()> {
        let ([from, to], Message { bytes, protocol, .. }) = (self.places(id), self.messages[id as usize]);
        let reach = self.transport.reach(from, to);
        let (src, dst) = self.owners(id);
        let cap = match self.crossing.get(&(dst, src)) {
            Some(_) if reach == Reach::Between && protocol.is_none() => self.software.crossing_cap_bytes_per_s(bytes),
            _ => self.software.message(protocol, reach).cap_bytes_per_s(bytes),
        };
        self.transfer(id, cap)
    }

    /// The ranks of a message, also of one that their strands send.
    fn owners(&self, id: u32) -> (u32, u32) {
        let Message { src, dst, .. } = self.messages[id as usize];
        (self.ranks[src as usize].owner, self.ranks[dst as usize].owner)
    }

    pub(super) fn places(&self, id: u32) -> [netloom_model::Place; 2] {
        let Message { src, dst, .. } = self.messages[id as usize];
        [src, dst].map(|rank| {
            let rank = &self.ranks[rank as usize];
            netloom_model::Place { endpoint: rank.endpoint, seat: rank.seat }
        })
    }

    fn transfer(&mut self, id: u32, cap_bytes_per_s: f64) -> Outcome<()> {
        let ([from, to], Message { src, bytes, protocol, .. }) = (self.places(id), self.messages[id as usize]);
        let bytes = protocol.map_or(bytes, |protocol| protocol.wire_bytes(bytes));
        let payload = Payload { from, to, bytes, cap_bytes_per_s, job: self.ranks[src as usize].job };
        self.transport.begin(self.now, payload, id)
    }

    /// A message has arrived.
    pub(super) fn arrive(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        if m.connection != NONE {
            self.leave_connection(m.connection)?;
        }
        if !self.crossing.is_empty() {
            let pair = self.owners(id);
            if let Some(under_way) = self.crossing.get_mut(&pair) {
                *under_way -= 1;
                if *under_way == 0 {
                    self.crossing.remove(&pair);
                }
            }
        }
        self.arrived += 1;
        self.bytes += m.bytes;
        self.messages[id as usize].arrived = true;
        self.record_arrival(id);
        if m.send != NONE {
            self.finish_request(m.src, m.send, true, m.record);
        }
        if m.matched {
            self.complete(id)?;
        }
        Ok(())
    }

    /// A message has arrived, and its receive is posted.
    pub(super) fn complete(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        self.record_receive(id);
        if m.protocol.is_none() && !self.ranks[m.dst as usize].is_switch {
            let receiver = &mut self.ranks[m.dst as usize];
            receiver.debt += self.software.receive.seconds(m.bytes);
            receiver.copies += self.software.eager_copy_s(m.bytes);
        }
        self.finish_request(m.dst, m.receive, false, m.record);
        self.free.push(id);
        self.unfinished -= 1;
        if m.connection != NONE { self.free_buffer(m.connection) } else { Ok(()) }
    }
}

//! Flows that all start together: each rank expects what others send it, then starts its own sends, and waits for all. A message
//! takes no memory before it begins, so that a machine may have hundreds of millions of them.

use netloom_model::traffic::Flow;

use super::*;
use crate::flows::Streamed;
use crate::rank::COUNTED;

impl<T: Transport> Engine<'_, T> {
    fn flow(&self, rank: u32, flow: u32) -> Flow {
        let Rank { job, local, .. } = self.ranks[rank as usize];
        match &self.parts[job as usize] {
            Part::Flows(flows) => flows.flow(local, flow),
            _ => Flow { src: 0, dst: 0, messages: 0, bytes: 0 },
        }
    }

    /// A rank starts all of its receives.
    pub(super) fn expect(&mut self, rank: u32) -> Outcome<()> {
        let r = &mut self.ranks[rank as usize];
        r.has_turn = false;
        if let Part::Flows(flows) = &self.parts[r.job as usize] {
            r.requests.count(flows.expected(r.local));
        }
        let mut there = self.waiting.receiver.remove(&rank).unwrap_or_default();
        there.sort_unstable();
        for (sender, flow) in there {
            let id = self.message_of(sender, flow);
            // Its flows are its only sends, and are counted from 1 as these are.
            self.begin_soon(sender, flow + 1, id);
        }
        Ok(())
    }

    /// A rank starts a send. If that stays in its node it has still its turn.
    pub(super) fn send_flow(&mut self, rank: u32, flow: u32) -> Outcome<()> {
        let Flow { dst, bytes, .. } = self.flow(rank, flow);
        let receiver = self.base[self.ranks[rank as usize].job as usize] + dst;
        let [from, to] = [rank, receiver].map(|rank| self.place_of(rank));
        let leaves = self.transport.reach(from, to) == Reach::Between;
        self.ranks[rank as usize].has_turn = !leaves;
        let eager = self.software.is_eager(bytes);
        if !eager {
            self.ranks[rank as usize].requests.count(1);
        }
        let early = eager && bytes < self.software.starts_early_below_bytes;
        if early && leaves && self.is_streamed() {
            self.stream(rank, flow);
        } else if early || self.ranks[receiver as usize].line.at > 0 {
            let id = self.message_of(rank, flow);
            self.begin(id)?;
        } else {
            self.waiting.receiver.entry(receiver).or_default().push((rank, flow));
        }
        Ok(())
    }

    /// A flow becomes a message. Its receive is started before it can arrive.
    fn message_of(&mut self, rank: u32, flow: u32) -> u32 {
        let Flow { dst, bytes, .. } = self.flow(rank, flow);
        let Rank { job, since, .. } = self.ranks[rank as usize];
        let receiver = self.base[job as usize] + dst;
        let id = self.next_id();
        self.free.pop();
        self.unfinished += 1;
        self.messages[id as usize] = Message {
            src: rank,
            dst: receiver,
            sender: rank,
            receiver,
            bytes,
            send: if self.software.is_eager(bytes) { NONE } else { COUNTED },
            receive: COUNTED,
            matched: true,
            ..NO_MESSAGE
        };
        self.rare.set(id, NO_RARE);
        self.record_flow(id, [since, Time::from_s(self.jobs[job as usize].start_s)]);
        id
    }

    /// True if a message is known to do nothing before its endpoint has sent those before it.
    fn is_streamed(&self) -> bool {
        let software = &self.software;
        software.endpoint_message_s > 0.0
            && self.trace.is_none()
            && software.crossing_cap.is_empty()
            && !software.sends_in_turn()
    }

    /// The endpoint sends a flow when it has sent those before it.
    fn stream(&mut self, rank: u32, flow: u32) {
        let endpoint = self.ranks[rank as usize].endpoint;
        let begun = self.now.max(self.leaves[endpoint as usize]);
        let (start, end) = self.turn(begun);
        self.leaves[endpoint as usize] = end;
        self.number += 1;
        self.waiting.endpoint.resize_with(self.leaves.len(), VecDeque::new);
        let queue = &mut self.waiting.endpoint[endpoint as usize];
        if queue.is_empty() {
            self.wakes.push(Wake { time: start, number: self.number, due: Due::Stream(endpoint) });
        }
        queue.push_back(Streamed { rank, flow, begun, number: self.number });
    }

    /// When a message has left an endpoint that begins with it at a time, and when the endpoint may begin with the next.
    pub(super) fn turn(&self, begun: Time) -> (Time, Time) {
        let start = begun.after(self.software.endpoint_message_s);
        (start, start.max(begun.after(self.software.nic_message_gap_s)))
    }

    /// An endpoint has sent a flow; the next one follows.
    pub(super) fn leave_endpoint(&mut self, endpoint: u32) -> Outcome<()> {
        let queue = &mut self.waiting.endpoint[endpoint as usize];
        let Some(Streamed { rank, flow, number, .. }) = queue.pop_front() else { return Ok(()) };
        if let Some(&Streamed { begun, number, .. }) = queue.front() {
            let (start, _) = self.turn(begun);
            self.wakes.push(Wake { time: start, number, due: Due::Stream(endpoint) });
        }
        let id = self.message_of(rank, flow);
        let message = &mut self.messages[id as usize];
        (message.started, message.reach) = (true, Reach::Between);
        let software_s = self.software.message(None, Reach::Between).latency_s(message.bytes);
        let due = self.now.after(software_s);
        if due > self.now {
            self.wakes.push(Wake { time: due, number, due: Due::Message(id) });
            return Ok(());
        }
        self.leave_software(id)
    }
}

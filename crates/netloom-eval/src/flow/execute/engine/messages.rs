//! The life of a message: posted, matched, under latency, moving, there; and its record.

use super::*;

impl Engine<'_> {
    /// One half of a message is there. Gives the request that stands for it.
    pub(super) fn post(&mut self, rank: u32, peer: u32, tag: u32, bytes: u64, is_send: bool) -> Outcome<u32> {
        let (peer, context) = self.peer(rank, peer);
        let request = self.ranks[rank as usize].requests.start();
        let (src, dst) = if is_send { (rank, peer) } else { (peer, rank) };
        let (bytes_sent, room) = (bytes, bytes);
        let id = self.new_message(src, dst, bytes);
        let met = self.matching.meet(Key { src, dst, context, tag }, is_send, id);
        let calibration = self.machine.calibration;
        let eager = is_send && bytes < calibration.sender_returns_below_bytes;
        let at = match met {
            Some(other) => {
                self.free.push(id);
                self.unfinished -= 1;
                let there = self.messages[other as usize].bytes;
                let (sent, room) = if is_send { (bytes_sent, there) } else { (there, room) };
                if sent > room {
                    return Err(self.truncated(src, dst, tag, sent, room).into());
                }
                self.messages[other as usize].bytes = sent;
                self.messages[other as usize].matched = true;
                other
            }
            None => id,
        };
        let now = self.now;
        let message = &mut self.messages[at as usize];
        if is_send {
            (message.send, message.posted_send) = (if eager { NONE } else { request }, now);
        } else {
            (message.receive, message.posted_receive) = (request, now);
        }
        if !message.started && (message.matched || (eager && bytes < calibration.starts_early_below_bytes)) {
            self.begin(at)?;
        } else if self.messages[at as usize].arrived {
            self.complete(at);
        } else if message_record(&self.messages[at as usize]) && !is_send {
            self.record_receive(at);
        }
        if eager {
            self.ranks[rank as usize].requests.finish(request);
        }
        Ok(request)
    }

    pub(super) fn new_message(&mut self, src: u32, dst: u32, bytes: u64) -> u32 {
        let message = Message {
            src,
            dst,
            bytes,
            send: NONE,
            receive: NONE,
            matched: false,
            started: false,
            arrived: false,
            posted_send: f64::NAN,
            posted_receive: f64::NAN,
            route: None,
            record: NONE,
            moved: 0.0,
            cap: f64::INFINITY,
            from: self.ranks.get(src as usize).map_or(NONE, |r| r.endpoint),
            to: self.ranks.get(dst as usize).map_or(NONE, |r| r.endpoint),
        };
        self.unfinished += 1;
        match self.free.pop() {
            Some(id) => {
                self.messages[id as usize] = message;
                id
            }
            None => {
                self.messages.push(message);
                self.messages.len() as u32 - 1
            }
        }
    }

    /// The transfer of a message starts: its latency comes first.
    pub(super) fn begin(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        self.messages[id as usize].started = true;
        self.record(id)?;
        let calibration = self.machine.calibration;
        if m.from == m.to {
            let moved = calibration.moved_bytes(m.bytes);
            let time = calibration.loopback_latency_s + moved / calibration.loopback_bandwidth_bytes_per_s;
            self.event(self.now + time, What::Arrive(id));
            return Ok(());
        }
        let route = self.routes.get(m.from, m.to)?;
        self.messages[id as usize].route = Some((self.routes.generation(), route));
        let size = m.bytes.saturating_add(calibration.envelope_bytes);
        self.messages[id as usize].moved = calibration.moved_bytes(m.bytes);
        let latency = route.latency_s * calibration.latency_factor(size);
        if latency > 0.0 {
            self.event(self.now + latency, What::Begin(id));
            return Ok(());
        }
        self.move_bytes(id)
    }

    /// The latency of a message is over: its bytes move.
    pub(super) fn move_bytes(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        if let (Some(trace), true) = (&mut self.trace, m.record != NONE) {
            trace.messages[m.record as usize].flow_s = self.now;
        }
        if m.moved == 0.0 {
            self.event(self.now, What::Arrive(id));
            return Ok(());
        }
        let route = match m.route {
            Some((generation, route)) if generation == self.routes.generation() => route,
            _ => self.routes.get(m.from, m.to)?,
        };
        if let Some(utilisation) = &mut self.fluid.utilisation {
            utilisation.route(id, self.routes.links(&route));
        }
        if let (Some(trace), true) = (&self.trace, m.record != NONE) {
            self.alone.resize(trace.messages.len(), 0.0);
            self.alone[m.record as usize] = m.moved / route.bandwidth.min(route.cap);
        }
        let uses = self.routes.uses(&route);
        self.fluid.start(self.now, m.moved, uses, route.weight, route.cap.min(m.cap), id);
        Ok(())
    }

    pub(super) fn add_background(&mut self, flow: &Background) -> Outcome<()> {
        if flow.src == flow.dst {
            return Ok(());
        }
        let route = self.routes.get(flow.src, flow.dst)?;
        let id = self.new_message(NONE, NONE, 0);
        self.unfinished -= 1;
        let message = &mut self.messages[id as usize];
        (message.moved, message.cap) = (flow.bytes, flow.cap_bytes_per_s);
        (message.from, message.to) = (flow.src, flow.dst);
        message.route = Some((self.routes.generation(), route));
        self.event(flow.start_s + route.latency_s, What::Begin(id));
        Ok(())
    }

    /// A message is there.
    pub(super) fn arrive(&mut self, id: u32) {
        let m = self.messages[id as usize];
        if m.src == NONE {
            self.free.push(id);
            return;
        }
        self.arrived += 1;
        self.bytes += m.bytes;
        self.messages[id as usize].arrived = true;
        if let (Some(trace), true) = (&mut self.trace, m.record != NONE) {
            trace.messages[m.record as usize].finish_s = self.now;
        }
        if m.send != NONE {
            self.finish_request(m.src, m.send, true, m.record);
        }
        if m.matched {
            self.complete(id);
        }
    }

    /// A message is there, and so is its receive.
    pub(super) fn complete(&mut self, id: u32) {
        let m = self.messages[id as usize];
        self.record_receive(id);
        let calibration = self.machine.calibration;
        self.ranks[m.dst as usize].debt += calibration.overhead(&calibration.receive_overhead, m.bytes);
        self.finish_request(m.dst, m.receive, false, m.record);
        self.free.push(id);
        self.unfinished -= 1;
    }

    // ---- the record

    pub(super) fn record(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        let Some(trace) = &mut self.trace else { return Ok(()) };
        if trace.messages.len() >= RECORDED {
            let sentence = format!("more than {RECORDED} messages cannot be recorded");
            return Err(Fault::say(&netloom_model::fault::codes::TOO_LARGE, "trace", sentence)
                .hint("simulate without a trace, or fewer repetitions")
                .into());
        }
        self.messages[id as usize].record = trace.messages.len() as u32;
        trace.messages.push(MessageTrace {
            src: m.src,
            dst: m.dst,
            bytes: m.bytes,
            job: self.ranks[m.src as usize].job,
            posted_send_s: m.posted_send,
            posted_receive_s: m.posted_receive,
            start_s: self.now,
            flow_s: self.now,
            finish_s: f64::NAN,
        });
        Ok(())
    }

    /// The receive of an early message was posted while it moved or after.
    pub(super) fn record_receive(&mut self, id: u32) {
        let m = self.messages[id as usize];
        if let (Some(trace), true) = (&mut self.trace, m.record != NONE) {
            trace.messages[m.record as usize].posted_receive_s = m.posted_receive;
        }
    }
}

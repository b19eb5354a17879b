//! The record of a run, if one is kept.

use super::*;

impl<T: Transport> Engine<'_, T> {
    /// Records what a rank did in an interval of positive length. What strands do is not kept: their rank waits for them, or
    /// does something else.
    pub(super) fn note(&mut self, rank: u32, activity: Activity, start: Time, end: Time, message: u32) {
        if let Some(trace) = &mut self.trace
            && end > start
            && rank < trace.ranks
        {
            let r = &self.ranks[rank as usize];
            let call = match (&self.parts[r.job as usize], &r.inside) {
                (Part::One(play), _) => Routine::Collective(play.collective()),
                (Part::Programs { calls, .. }, Some(inside)) => {
                    Routine::Collective(calls[inside.call as usize].collective())
                }
                (Part::Programs { .. }, None) | (Part::Flows(_), _) => r.call,
            };
            let (start_s, end_s) = (start.as_s(), end.as_s());
            trace.intervals.push(Interval { rank, activity, call, start_s, end_s, message });
        }
    }

    /// One half of a message is posted now; of a message that takes the number of an earlier one the other half is not yet.
    pub(super) fn record_post(&mut self, id: u32, is_send: bool) {
        if self.trace.is_some() {
            let half = usize::from(!is_send);
            let message = self.messages[id as usize];
            if !message.matched {
                self.forget_posts(id);
            }
            self.posted_s[id as usize][half] = self.now.as_s();
        }
    }

    /// Of a new message nothing is posted.
    fn forget_posts(&mut self, id: u32) {
        self.posted_s.resize(self.messages.len(), [f64::NAN; 2]);
        self.posted_s[id as usize] = [f64::NAN; 2];
    }

    /// A message of a flow, whose send and receive were posted before it begins.
    pub(super) fn record_flow(&mut self, id: u32, posted: [Time; 2]) {
        if self.trace.is_some() {
            self.forget_posts(id);
            self.posted_s[id as usize] = posted.map(Time::as_s);
        }
    }

    /// A message starts.
    pub(super) fn record_start(&mut self, id: u32) -> Outcome<()> {
        let m = self.messages[id as usize];
        let Some(trace) = &mut self.trace else { return Ok(()) };
        if trace.messages.len() >= RECORDED {
            return Err(room::too_long(RECORDED as u64 + 1).into());
        }
        let record = trace.messages.len() as u32;
        self.alone_s.push(0.0);
        trace.messages.push(MessageTrace {
            src: m.src,
            dst: m.dst,
            bytes: m.bytes,
            job: self.ranks[m.src as usize].job,
            posted_send_s: self.posted_s[id as usize][0],
            posted_receive_s: self.posted_s[id as usize][1],
            start_s: self.now.as_s(),
            handshake_s: 0.0,
            software_s: 0.0,
            begun_s: self.now.as_s(),
            flow_s: self.now.as_s(),
            finish_s: f64::NAN,
        });
        self.rare.set(id, Rare { record, ..self.rare.of(id) });
        Ok(())
    }

    /// What software does for a message until `begun`.
    pub(super) fn record_software(&mut self, id: u32, handshake_s: f64, software_s: f64, begun: Time) {
        let record = self.rare.of(id).record;
        if let (Some(trace), true) = (&mut self.trace, record != NONE) {
            let message = &mut trace.messages[record as usize];
            (message.handshake_s, message.software_s, message.begun_s) = (handshake_s, software_s, begun.as_s());
        }
    }

    /// A connection is busy with a message until `begun`.
    pub(super) fn record_gap(&mut self, id: u32, gap_s: f64, begun: Time) {
        let record = self.rare.of(id).record;
        if let (Some(trace), true) = (&mut self.trace, record != NONE) {
            let message = &mut trace.messages[record as usize];
            (message.software_s, message.begun_s) = (message.software_s + gap_s, begun.as_s());
        }
    }

    /// A message has arrived.
    pub(super) fn record_arrival(&mut self, id: u32) {
        let record = self.rare.of(id).record;
        if let (Some(trace), true) = (&mut self.trace, record != NONE) {
            let (message, passage) = (&mut trace.messages[record as usize], self.transport.passage(id));
            (message.flow_s, message.finish_s) = (passage.flow.as_s(), self.now.as_s());
            self.alone_s[record as usize] = passage.alone_s;
        }
    }

    /// The receive of an early message was posted during its transfer or after.
    pub(super) fn record_receive(&mut self, id: u32) {
        let record = self.rare.of(id).record;
        if let (Some(trace), true) = (&mut self.trace, record != NONE) {
            trace.messages[record as usize].posted_receive_s = self.posted_s[id as usize][1];
        }
    }
}

//! Actions of ranks until they have to wait, and how they continue.

use super::*;

impl<T: Transport> Engine<'_, T> {
    /// Ranks act until each has to wait.
    pub(super) fn act_now(&mut self) -> Outcome<()> {
        loop {
            while let Some(rank) = self.ready.pop_front() {
                self.play(rank)?;
            }
            self.begin_in_turns()?;
            if !self.sending.is_empty() {
                // As there, without a list of messages: there may be hundreds of millions.
                self.sending.sort_unstable();
                self.ready.extend(self.sending.drain(..));
            } else if !self.hand_out() {
                return Ok(());
            }
        }
    }

    /// Lets a rank act until it has to wait.
    pub(super) fn play(&mut self, rank: u32) -> Outcome<()> {
        self.resume(rank);
        for _ in 0..STILL {
            let r = &mut self.ranks[rank as usize];
            if r.debt > 0.0 || r.copies > 0.0 {
                let (copies, debt) = (std::mem::take(&mut r.copies), std::mem::take(&mut r.debt));
                self.handle(rank, copies, debt);
                return Ok(());
            }
            let paid = r.paid.take();
            let Some(action) = paid.or_else(|| self.next(rank)) else {
                self.leave(rank);
                return Ok(());
            };
            if self.act(rank, action, paid.is_some())? {
                return Ok(());
            }
        }
        let place = format!("{}: {}", self.label(), self.name(rank));
        Err(Fault::say(&codes::STILL, place, format!("{STILL} actions without time going on")).into())
    }

    /// Ends the wait of a rank that continues now.
    pub(super) fn resume(&mut self, rank: u32) {
        let r = &mut self.ranks[rank as usize];
        r.wait = Wait::No;
        r.since = self.now;
    }

    /// Keeps a rank busy.
    pub(super) fn busy(&mut self, rank: u32, time: f64, activity: Activity) {
        self.ranks[rank as usize].wait = Wait::Busy;
        let until = self.now.after(time);
        self.note(rank, activity, self.now, until, NONE);
        self.wake(until, rank);
    }

    /// Time of the processor for messages: to copy them, then all else; true if there is any.
    #[inline]
    fn handle(&mut self, rank: u32, copy_s: f64, overhead_s: f64) -> bool {
        let takes_time = copy_s + overhead_s > 0.0;
        if takes_time {
            self.handle_for(rank, copy_s, overhead_s);
        }
        takes_time
    }

    fn handle_for(&mut self, rank: u32, copy_s: f64, overhead_s: f64) {
        let until = self.now.after(copy_s + overhead_s);
        let copied = if overhead_s > 0.0 { self.now.after(copy_s) } else { until };
        if copy_s > 0.0 {
            self.note(rank, Activity::Copy, self.now, copied, NONE);
        }
        if overhead_s > 0.0 {
            self.note(rank, Activity::Overhead, copied, until, NONE);
        }
        self.ranks[rank as usize].wait = Wait::Busy;
        self.wake(until, rank);
    }

    /// The next action of a rank, its peers still in the numbering of the job or the call.
    pub(super) fn next(&mut self, rank: u32) -> Option<Action> {
        let r = &mut self.ranks[rank as usize];
        loop {
            let action = match &self.parts[r.job as usize] {
                Part::One(play) => play.next(r.local, &mut r.place),
                Part::Flows(flows) => {
                    let (call, action) = flows.next(r.local, r.line.at);
                    (r.call, r.line.at) = (call, r.line.at + 1);
                    action
                }
                Part::Programs { programs, calls } => {
                    if let Some(inside) = r.inside {
                        match calls[inside.call as usize].next(inside.member, &mut r.place) {
                            Some(action) => return Some(action),
                            None => (r.inside, r.protocol, r.place) = (None, None, Place::default()),
                        }
                    }
                    let body = programs.of(r.local);
                    let own = r.strand.map_or(body, |strand| &body[..strand.end]);
                    match next_op(own, &mut r.line) {
                        Some(Op::Collective { call, member }) => {
                            r.inside = Some(Inside { call, member });
                            continue;
                        }
                        other => {
                            r.call = other.map_or(Routine::None, Routine::of);
                            other.map(|op| Action::Op(programs.amounts.fill(r.local, op, &mut r.line.taken)))
                        }
                    }
                }
            };
            if action.is_some() {
                return action;
            }
            r.repetitions_left = r.repetitions_left.saturating_sub(1);
            if r.repetitions_left == 0 {
                return None;
            }
            (r.line, r.place) = (Line::default(), Place::default());
        }
    }

    /// The collective that a rank is in.
    fn collective(&self, rank: u32) -> Option<&Play<'_>> {
        let r = &self.ranks[rank as usize];
        match (&self.parts[r.job as usize], &r.inside) {
            (Part::One(play), _) => Some(play),
            (Part::Programs { calls, .. }, Some(inside)) => Some(&calls[inside.call as usize]),
            _ => None,
        }
    }

    /// Bytes of the buffer of the collective that a rank is in.
    fn buffer_bytes(&self, rank: u32) -> u64 {
        self.collective(rank).map_or(0, Play::buffer_bytes)
    }

    /// The peer of an action, and its context.
    pub(super) fn peer(&self, rank: u32, peer: u32) -> (u32, u32) {
        let r = &self.ranks[rank as usize];
        let base = self.base[r.job as usize];
        match (&r.inside, &self.parts[r.job as usize]) {
            (Some(inside), Part::Programs { programs, .. }) => {
                (base + programs.calls[inside.call as usize].members[peer as usize], 1 + inside.call)
            }
            (None, Part::One(_)) => (base + peer, 1),
            _ => (base + peer, 0),
        }
    }

    /// Does one action; true if the rank has to wait now.
    pub(super) fn act(&mut self, rank: u32, action: Action, paid: bool) -> Outcome<bool> {
        let Rank { is_switch, protocol, .. } = self.ranks[rank as usize];
        let op = match action {
            Action::WaitLast(count) => {
                let from = self.ranks[rank as usize].requests.started() - count;
                return Ok(self.wait_from(rank, from));
            }
            Action::Enter | Action::Combine(_) | Action::Copy(_) if is_switch => return Ok(false),
            Action::Enter => {
                let protocol = self.collective(rank).and_then(Play::protocol);
                self.ranks[rank as usize].protocol = protocol;
                return Ok(self.spend(rank, self.software.entry_s(protocol), Activity::Call));
            }
            Action::Channel(channel) => return Ok(self.fork_channel(rank, channel)),
            // A GPU library combines and copies while it sends and receives.
            Action::Combine(_) | Action::Copy(_) if protocol.is_some() => return Ok(false),
            Action::Combine(_) if self.software.combine.is_empty() => return Ok(false),
            Action::Combine(bytes) => {
                let time = self.software.combining_s(bytes, self.buffer_bytes(rank));
                return Ok(self.spend(rank, time, Activity::Combine));
            }
            Action::Copy(bytes) => {
                let time = self.software.copying_s(bytes, self.buffer_bytes(rank));
                return Ok(self.spend(rank, time, Activity::Copy));
            }
            Action::Expect => {
                self.expect(rank)?;
                return Ok(false);
            }
            Action::Flow { bytes, .. } => Op::StartSend { peer: 0, tag: 0, bytes },
            Action::Op(op) => op,
        };
        let (copy, cost) = match op {
            // The processor has no part in what a GPU library sends.
            _ if is_switch || protocol.is_some() => (0.0, 0.0),
            Op::Send { bytes, .. } if !paid => (self.software.eager_copy_s(bytes), self.software.send.seconds(bytes)),
            Op::StartSend { bytes, .. } if !paid => {
                (self.software.eager_copy_s(bytes), self.software.nonblocking_send.seconds(bytes))
            }
            _ => (0.0, 0.0),
        };
        if self.handle(rank, copy, cost) {
            let r = &mut self.ranks[rank as usize];
            (r.has_turn, r.paid) = (false, Some(action));
            return Ok(true);
        }
        if let Action::Flow { flow, .. } = action {
            let r = &mut self.ranks[rank as usize];
            if std::mem::take(&mut r.has_turn) {
                self.send_flow(rank, flow)?;
                return Ok(false);
            }
            (r.has_turn, r.paid) = (true, Some(action));
            self.sending.push(rank);
            return Ok(true);
        }
        Ok(match op {
            Op::Send { peer, tag, bytes } => {
                let request = self.post(rank, peer, tag, bytes, true)?;
                self.wait_one(rank, request, Some(true))
            }
            Op::Receive { peer, tag, bytes } => {
                let request = self.post(rank, peer, tag, bytes, false)?;
                self.wait_one(rank, request, Some(false))
            }
            Op::StartSend { peer, tag, bytes } => self.start(rank, peer, tag, bytes, true)?,
            Op::StartReceive { peer, tag, bytes } => self.start(rank, peer, tag, bytes, false)?,
            Op::Wait { back } => match self.ranks[rank as usize].requests.named(back) {
                Some(request) => self.wait_one(rank, request, None),
                None => false,
            },
            Op::WaitAll => self.wait_from(rank, 0),
            Op::Compute { flops } => self.compute(rank, flops),
            Op::Sleep { seconds } => self.work(rank, self.software.sleeping_s(seconds)),
            Op::Strand { ops } => self.fork(rank, ops),
            Op::Join => self.join(rank),
            Op::Signal { task } => self.signal(rank, task),
            Op::Await { task } => self.wait_for_task(rank, task),
            Op::Take { unit, turn } => self.take(rank, unit, turn),
            Op::Give { unit } => self.give(rank, unit),
            // `next` resolves these.
            Op::Collective { .. } | Op::Repeat { .. } | Op::ComputeNext | Op::SleepNext => false,
        })
    }

    /// Posts a half that a later wait may name; halves posted by a collective are not visible to the program.
    pub(super) fn start(&mut self, rank: u32, peer: u32, tag: u32, bytes: u64, send: bool) -> Outcome<bool> {
        let request = self.post(rank, peer, tag, bytes, send)?;
        let r = &mut self.ranks[rank as usize];
        if r.inside.is_none() && matches!(self.parts[r.job as usize], Part::Programs { .. }) {
            r.requests.name(request);
        }
        Ok(false)
    }

    fn compute(&mut self, rank: u32, flops: f64) -> bool {
        let owner = self.ranks[rank as usize].owner as usize;
        let memory = self.memory.get(owner).copied().unwrap_or(0.0);
        self.work(rank, self.software.computing_s(flops, memory))
    }

    /// Computation. On a strand it ends after all that happens until now even where it takes no time: others ask for its unit
    /// before those that wait for it do.
    fn work(&mut self, rank: u32, time: f64) -> bool {
        if time > 0.0 || self.ranks[rank as usize].strand.is_some() {
            self.busy(rank, time, Activity::Compute);
            return true;
        }
        false
    }

    pub(super) fn spend(&mut self, rank: u32, time: f64, activity: Activity) -> bool {
        if time > 0.0 {
            self.busy(rank, time, activity);
        }
        time > 0.0
    }

    pub(super) fn wait_one(&mut self, rank: u32, request: u32, send: Option<bool>) -> bool {
        let r = &mut self.ranks[rank as usize];
        if r.requests.is_done(request) {
            return false;
        }
        (r.wait, r.since) = (Wait::One { request, send }, self.now);
        true
    }

    pub(super) fn wait_from(&mut self, rank: u32, from: u32) -> bool {
        let r = &mut self.ranks[rank as usize];
        let left = r.requests.open_from(from);
        if left > 0 {
            (r.wait, r.since) = (Wait::From { from, left }, self.now);
        }
        left > 0
    }

    /// A message completes a request; its rank continues if it waited for that.
    pub(super) fn finish_request(&mut self, rank: u32, request: u32, send: bool, record: u32) {
        let r = &mut self.ranks[rank as usize];
        r.requests.finish(request);
        let activity = match &mut r.wait {
            Wait::One { request: one, send: kind } if *one == request => match kind.unwrap_or(send) {
                true => Activity::WaitSend,
                false => Activity::WaitReceive,
            },
            Wait::From { from, left } if request >= *from => {
                *left -= 1;
                if *left > 0 {
                    return;
                }
                Activity::Wait
            }
            _ => return,
        };
        if let Some(strand) = &mut r.strand {
            strand.last = record;
        }
        // A rank that does not wait yet learns it within its own action.
        let since = r.since;
        r.wait = Wait::Busy;
        self.note(rank, activity, since, self.now, record);
        self.ready.push_back(rank);
    }
}

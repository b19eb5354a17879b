//! Rounds, iterations and repetitions that begin in the same state as an earlier one are not simulated again.
//!
//! Nothing in a run depends on the time of day: if all ranks stand where they stood some time before, but for how often what they are
//! in still comes, the same messages are under way, and all times relative to now are the same, then what follows is what followed
//! then, until one of them has done the last of its rounds, iterations or repetitions. The clock is kept; the ranks are moved on by
//! whole periods, and what these would have taken is added.

use super::*;
use crate::periods::{Anchor, Periods, State, whole_periods};
use crate::repeats;

/// Two times are the same if they differ by this share of the period: periods within periods stay below 1e-12.
const SAME: f64 = 2e-13;
/// Fewer rounds to come are simulated.
const LEAST: u64 = repeats::LEAST as u64;
/// Ranks that are looked at first.
const SKETCHED: usize = 64;
/// States that are compared with one that is kept: of more rounds not every one is looked at.
const OFTEN: u32 = 32;

/// Where a rank is: repetition, iteration, round.
pub(super) type At = (u32, u32, usize);

impl<T: Transport> Engine<'_, T> {
    /// The first rank that does something again and again; `None` if nobody does.
    pub(super) fn repeating(&self) -> Option<u32> {
        let [part] = &self.parts[..] else { return None };
        // What has been signalled would be part of the state, and amounts of computation that are to come.
        let differs = |programs: &Programs| programs.has_tasks() || !programs.amounts.is_empty();
        if matches!(part, Part::Programs { programs, .. } if differs(programs)) {
            return None;
        }
        let repeats = |rank: &Rank| match part {
            Part::One(play) => play.repeats(rank.local),
            Part::Programs { programs, calls } => programs.of(rank.local).iter().any(|op| match *op {
                Op::Repeat { times, .. } => u64::from(times) >= LEAST,
                Op::Collective { call, member } => calls[call as usize].repeats(member),
                _ => false,
            }),
            Part::Flows(_) => false,
        };
        let first = self.ranks.iter().position(repeats).map(|rank| rank as u32);
        first.or_else(|| (u64::from(self.jobs[0].repetitions) >= LEAST).then_some(0))
    }

    /// Where the rank that is watched is.
    #[inline]
    fn at(&self) -> At {
        let rank = &self.ranks[self.watched as usize];
        (rank.repetitions_left, rank.line.begun, rank.place.round())
    }

    /// True if that rank is in another round, iteration or repetition than at the last look.
    #[inline]
    pub(super) fn is_at_start(&self) -> bool {
        self.seen != self.at()
    }

    /// True if what is due next is not simultaneous but for rounding, by which the last of many ranks may follow the first.
    pub(super) fn is_settled(&self, next: Time) -> bool {
        next.since(self.now) > SAME * next.as_s()
    }

    /// Looks whether this instant begins a period, and skips as many as follow.
    pub(super) fn look_for_period(&mut self) {
        let Some(mut periods) = self.periods.take() else { return };
        let (at, seen) = (self.at(), self.seen);
        let kind = if seen.0 != at.0 { 2 } else { usize::from(seen.1 != at.1) };
        self.seen = at;
        if let Some((of, to_come)) = self.repeated(&mut periods, kind) {
            self.look(&mut periods, kind, of, to_come);
            self.seen = self.at();
        }
        self.periods = Some(periods);
    }

    /// What repeats, and how often it still comes; `None` where nothing new has begun.
    fn repeated(&self, periods: &mut Periods, kind: usize) -> Option<([usize; 3], u64)> {
        let rank = &self.ranks[self.watched as usize];
        let repetition = rank.repetitions_left as usize;
        match kind {
            2 => Some(([0; 3], repetition as u64)),
            1 => {
                let long = rank.line.loops.iter().find(|open| u64::from(open.left) >= LEAST)?;
                let counted = (long.first, long.left);
                let is_new = std::mem::replace(&mut periods.counted, counted) != counted;
                is_new.then_some(([repetition, long.first, long.end], long.left.into()))
            }
            _ => {
                let (words, left) = self.standing(self.watched)?;
                Some(([repetition, rank.line.begun as usize, words[0] as usize], left))
            }
        }
    }

    /// Where a rank stands in its collective, and the periods that are left of what it goes through.
    fn standing(&self, rank: u32) -> Option<([u64; 8], u64)> {
        let rank = &self.ranks[rank as usize];
        match (&self.parts[0], &rank.inside) {
            (Part::One(play), _) => Some(play.standing(rank.local, &rank.place)),
            (Part::Programs { calls, .. }, Some(Inside { call, member })) => {
                Some(calls[*call as usize].standing(*member, &rank.place))
            }
            (Part::Programs { .. }, None) | (Part::Flows(_), _) => None,
        }
    }

    fn look(&mut self, periods: &mut Periods, kind: usize, of: [usize; 3], to_come: u64) {
        if to_come < LEAST || periods.anchors[kind].as_ref().is_some_and(|anchor| anchor.of != of) {
            periods.anchors[kind] = None;
        }
        if to_come < LEAST {
            return;
        }
        let now = self.now.after(periods.seconds);
        let period_s = periods.anchors[kind].as_ref().map_or(0.0, |anchor| now.since(anchor.now));
        if let Some(anchor) = &mut periods.anchors[kind] {
            anchor.looks += 1;
            let waits = anchor.looks < anchor.patience;
            if waits && (anchor.looks % (anchor.patience / OFTEN).max(1) != 0 || !self.may_be(anchor, SAME * period_s))
            {
                return;
            }
        }
        let Some(state) = self.state() else { return };
        if let Some(anchor) = &periods.anchors[kind] {
            let same = state.is_same(&anchor.state, SAME * period_s);
            let times = if same { self.skip(&anchor.state.left, &state.left) } else { 0 };
            if times > 0 {
                self.arrived += times * (self.arrived - anchor.arrived);
                self.bytes += times * (self.bytes - anchor.bytes);
                periods.seconds += times as f64 * period_s;
                periods.skipped += times;
                periods.anchors[..=kind].fill(None);
                return;
            }
            if anchor.looks < anchor.patience {
                return;
            }
        }
        let patience = periods.anchors[kind].as_ref().map_or(1, |anchor| 2 * anchor.patience);
        let (sketch, arrived, bytes) = (self.sketch(), self.arrived, self.bytes);
        periods.anchors[kind] = Some(Anchor { state, sketch, of, now, arrived, bytes, looks: 0, patience });
    }

    /// Seconds since the first ranks began what they do: they repeat too, and are quickly compared.
    fn sketch(&self) -> Vec<f64> {
        self.ranks.iter().take(SKETCHED).map(|rank| self.now.since(rank.since)).collect()
    }

    /// False if this state is not that of the anchor.
    fn may_be(&self, anchor: &Anchor, tolerance_s: f64) -> bool {
        let mut both = self.ranks.iter().zip(&anchor.sketch);
        both.all(|(rank, since_s)| (self.now.since(rank.since) - since_s).abs() <= tolerance_s)
    }

    /// Moves all ranks on by whole periods; how many. `then` and `now`: what was left a period ago, and is.
    fn skip(&mut self, then: &[u64], now: &[u64]) -> u64 {
        let (mut at, mut times, mut taken) = (0, u64::MAX, Vec::new());
        for (number, rank) in self.ranks.iter().enumerate().filter(|(_, rank)| rank.wait != Wait::Ended) {
            let own = at..at + 2 + rank.line.loops.len();
            at = own.end;
            let Some((most, each)) = whole_periods(&then[own.clone()], &now[own]) else { return 0 };
            times = times.min(most);
            taken.extend(each.map(|(count, each)| (number, count, each)));
        }
        // Where nobody has moved nothing repeats.
        let times = if taken.is_empty() { 0 } else { times };
        for (number, count, each) in taken {
            self.move_on(number, count, times * each);
        }
        times
    }

    /// Takes so many of a count of an actor: repetitions, iterations of a loop, periods of its run.
    fn move_on(&mut self, rank: usize, count: usize, by: u64) {
        let Rank { local, repetitions_left, line, place, inside, .. } = &mut self.ranks[rank];
        if count == 0 {
            *repetitions_left -= by as u32;
        } else if let Some(open) = line.loops.get_mut(count - 1) {
            open.left -= by as u32;
        } else {
            match (&self.parts[0], inside) {
                (Part::One(play), _) => play.move_on(*local, place, by),
                (Part::Programs { calls, .. }, Some(Inside { call, member })) => {
                    calls[*call as usize].move_on(*member, place, by)
                }
                (Part::Programs { .. }, None) | (Part::Flows(_), _) => {}
            }
        }
    }

    /// The state of a run. `None` where the transport does not tell.
    fn state(&self) -> Option<State> {
        let mut made = State::default();
        for rank in 0..self.ranks.len() as u32 {
            self.put_rank(rank, &mut made);
        }
        let order = self.put_messages(&mut made)?;
        self.put_wakes(&order, &mut made);
        made.seconds.extend(self.leaves.iter().map(|leaves| leaves.since(self.now).max(0.0)));
        self.connections.put(&order, &mut made.words);
        Some(made)
    }

    fn put_rank(&self, number: u32, made: &mut State) {
        let rank = &self.ranks[number as usize];
        let wait = match rank.wait {
            Wait::No => [0, 0],
            Wait::Busy => [1, 0],
            Wait::One { request, .. } => [2, u64::from(rank.requests.started() - request)],
            Wait::From { from, left } => [3, u64::from(rank.requests.since(from)) << 32 | u64::from(left)],
            Wait::Join => [4, 0],
            Wait::Ended => [5, 0],
            Wait::Task => [6, 0],
        };
        made.words.extend(wait);
        if rank.wait == Wait::Ended {
            return;
        }
        made.words.extend([rank.strands, rank.requests.open].map(u64::from));
        made.words.extend(rank.strand.map_or([u64::MAX; 2], |strand| [strand.parent.into(), strand.end as u64]));
        made.words.extend(rank.paid.map_or([u64::MAX; 3], |action| paid(&action)));
        made.words.extend(rank.requests.pattern());
        rank.line.put(&mut made.words);
        let inside = rank.inside.as_ref().map(|inside| u64::from(inside.call) << 32 | u64::from(inside.member));
        made.words.push(inside.unwrap_or(u64::MAX));
        let (standing, left) = self.standing(number).unwrap_or_default();
        made.words.extend(standing);
        made.left.push(rank.repetitions_left.into());
        made.left.extend(rank.line.loops.iter().map(|open| u64::from(open.left)));
        made.left.push(left);
        made.seconds.extend([rank.debt, rank.copies, rank.starts.since(self.now).max(0.0)]);
    }

    /// Adds the messages that are under way, in an order that does not depend on their numbers, which it returns.
    fn put_messages(&self, made: &mut State) -> Option<HashMap<u32, u64>> {
        let moving = self.transport.moving(self.now)?;
        let moving: HashMap<u32, (u64, f64)> =
            moving.into_iter().map(|(id, phase, value)| (id, (phase, value))).collect();
        let waiting = self.matching.places(self.messages.len());
        let mut free = vec![false; self.messages.len()];
        self.free.iter().for_each(|id| free[*id as usize] = true);
        let standing = |id: u32| {
            let (m, rare) = (&self.messages[id as usize], self.rare.of(id));
            let request = |rank: u32, request: u32| match request {
                NONE => u64::MAX,
                turn if rank == NONE => u64::from(self.ranks[m.src as usize].sends.wrapping_sub(turn)),
                request => u64::from(rank) << 32 | u64::from(self.ranks[rank as usize].requests.started() - request),
            };
            let flags = [m.matched, m.started, rare.held, m.arrived].map(u64::from);
            let (phase, value) = moving.get(&id).copied().unwrap_or((0, 0.0));
            let words = [
                u64::from(m.src) << 32 | u64::from(m.dst),
                u64::from(rare.pair) << 32 | u64::from(m.tag),
                m.bytes,
                u64::from(rare.connection),
                request(m.sender, m.send),
                request(m.receiver, m.receive),
                flags[0] | flags[1] << 1 | flags[2] << 2 | flags[3] << 3 | phase << 4,
                waiting[id as usize],
            ];
            (words, value, id)
        };
        let mut all: Vec<_> = (0..self.messages.len() as u32).filter(|id| !free[*id as usize]).map(standing).collect();
        all.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut order = HashMap::with_capacity(all.len());
        for (number, (words, value, id)) in (0..).zip(all) {
            made.words.extend(words);
            made.seconds.push(value);
            order.insert(id, number);
        }
        Some(order)
    }

    /// Adds what is due.
    fn put_wakes(&self, order: &HashMap<u32, u64>, made: &mut State) {
        let number = |id: u32| order.get(&id).copied().unwrap_or(u64::MAX);
        let due = |wake: &Wake| {
            let (kind, who) = match wake.due {
                Due::Rank(rank) => (0, rank.into()),
                Due::Turn(id) => (1, number(id)),
                Due::Message(id) => (2, number(id)),
                Due::Gap(id) => (3, number(id)),
                Due::Arrival(id) => (4, number(id)),
                Due::Stream(endpoint) => (5, endpoint.into()),
            };
            (kind, who, wake.time.since(self.now))
        };
        let mut all: Vec<(u64, u64, f64)> = self.wakes.iter().map(due).collect();
        all.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        for (kind, who, seconds) in all {
            made.words.extend([kind, who]);
            made.seconds.push(seconds);
        }
    }
}

/// An action that a rank has paid for: it sends.
fn paid(action: &Action) -> [u64; 3] {
    let ends = |peer: u32, tag: u32| u64::from(peer) << 32 | u64::from(tag);
    match *action {
        Action::Op(Op::Send { peer, tag, bytes }) => [1, ends(peer, tag), bytes],
        Action::Op(Op::StartSend { peer, tag, bytes }) => [2, ends(peer, tag), bytes],
        _ => [0; 3],
    }
}

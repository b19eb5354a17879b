//! Rounds that begin in the same state as an earlier one are not simulated again.
//!
//! Nothing in a run depends on the time of day: if at the start of a round, or of a repetition, all ranks stand where they stood
//! one or more rounds before, the same messages are under way, and all times relative to now are the same, then what follows is
//! what followed then, as long as the rounds are alike. The clock is kept; the ranks are moved on by whole periods, and what
//! these would have taken is added at the end.

use super::*;
use crate::periods::{Anchor, Periods, State};

/// Two times are the same if they differ by this share of the period.
const SAME: f64 = 1e-12;
/// Fewer rounds to come are simulated.
const LEAST: usize = 16;
/// Ranks that are looked at first.
const SKETCHED: usize = 64;
/// States that are compared with one that is kept: of more rounds not every one is looked at.
const OFTEN: u32 = 32;

impl<T: Transport> Engine<'_, T> {
    /// Where the first rank is.
    #[inline]
    fn at(&self) -> (u32, usize) {
        (self.ranks[0].repetitions_left, self.ranks[0].place.round())
    }

    /// True if the first rank is in another round or repetition than at the last look.
    #[inline]
    pub(super) fn is_at_start(&self) -> bool {
        self.seen != self.at()
    }

    /// Looks whether this instant begins a period, and skips as many as follow.
    pub(super) fn look_for_period(&mut self) {
        let Some(mut periods) = self.periods.take() else { return };
        let at = self.at();
        let kind = usize::from(std::mem::replace(&mut self.seen, at).0 != at.0);
        self.look(&mut periods, kind, at);
        self.periods = Some(periods);
    }

    fn look(&mut self, periods: &mut Periods, kind: usize, (left, at): (u32, usize)) {
        let Part::One(play) = &self.parts[0] else { return };
        let alike = play.alike(at).unwrap_or_default();
        let to_come = if kind == 0 { alike.end.saturating_sub(at) } else { left as usize };
        let is_ready = |rank: &Rank| rank.wait == Wait::Ended || play.is_in_rounds(&rank.place);
        if to_come < LEAST || kind == 0 && !self.ranks.iter().all(is_ready) {
            periods.anchors[kind] = None;
            return;
        }
        // Rounds of another repetition, or unlike these, are no part of a period of rounds.
        let is_apart = |anchor: &Anchor| anchor.repetitions_left != left || !(alike.start..at).contains(&anchor.at);
        if kind == 0 && periods.anchors[0].as_ref().is_some_and(is_apart) {
            periods.anchors[0] = None;
        }
        if let Some(anchor) = &mut periods.anchors[kind] {
            anchor.looks += 1;
            let waits = anchor.looks < anchor.patience;
            if waits && (anchor.looks % (anchor.patience / OFTEN).max(1) != 0 || !self.may_be(anchor)) {
                return;
            }
        }
        let Some(state) = self.state(if kind == 0 { at } else { 0 }, left) else { return };
        let (now, arrived, bytes) = (self.now, self.arrived, self.bytes);
        if let Some(anchor) = &mut periods.anchors[kind] {
            let period_s = now.since(anchor.now);
            if state.is_same(&anchor.state, SAME * period_s) {
                let anchor = anchor.clone();
                let times = match kind {
                    0 => self.skip_rounds(&anchor, at),
                    _ => self.skip_repetitions(&anchor, left),
                };
                self.arrived += times * (arrived - anchor.arrived);
                self.bytes += times * (bytes - anchor.bytes);
                periods.seconds += times as f64 * period_s;
                periods.skipped += times;
                periods.anchors = [None, None];
                self.seen = self.at();
                return;
            }
            if anchor.looks < anchor.patience {
                return;
            }
        }
        let patience = periods.anchors[kind].as_ref().map_or(1, |anchor| 2 * anchor.patience);
        let sketch = self.sketch();
        periods.anchors[kind] =
            Some(Anchor { state, sketch, at, repetitions_left: left, now, arrived, bytes, looks: 0, patience });
    }

    /// Seconds since the first ranks began what they do: they repeat too, and are quickly compared.
    fn sketch(&self) -> Vec<f64> {
        self.ranks.iter().take(SKETCHED).map(|rank| self.now.since(rank.since)).collect()
    }

    /// False if this state is not that of the anchor.
    fn may_be(&self, anchor: &Anchor) -> bool {
        let tolerance_s = SAME * self.now.since(anchor.now);
        let mut both = self.ranks.iter().zip(&anchor.sketch);
        both.all(|(rank, since_s)| (self.now.since(rank.since) - since_s).abs() <= tolerance_s)
    }

    /// Moves all ranks on by whole periods of rounds; how many.
    fn skip_rounds(&mut self, anchor: &Anchor, at: usize) -> u64 {
        let Part::One(play) = &self.parts[0] else { return 0 };
        let Some(alike) = play.alike(at) else { return 0 };
        let rounds = || self.ranks.iter().filter(|rank| rank.wait != Wait::Ended).map(|rank| rank.place.rounds());
        let (least, most) = rounds().fold((usize::MAX, 0), |all, own| (all.0.min(own.start), all.1.max(own.end)));
        let period = at - anchor.at;
        // The last of the alike rounds is simulated: what follows it differs.
        let times = if least < alike.start { 0 } else { (alike.end - 1).saturating_sub(most) / period };
        for rank in self.ranks.iter_mut().filter(|rank| rank.wait != Wait::Ended) {
            rank.place.move_on(times * period);
        }
        times as u64
    }

    fn skip_repetitions(&mut self, anchor: &Anchor, left: u32) -> u64 {
        let ended = |rank: &&Rank| rank.strand.is_none();
        let least = self.ranks.iter().filter(ended).map(|rank| rank.repetitions_left).min().unwrap_or(0);
        let period = anchor.repetitions_left - left;
        let times = least.saturating_sub(1) / period;
        for rank in self.ranks.iter_mut().filter(|rank| rank.strand.is_none()) {
            rank.repetitions_left -= times * period;
        }
        times.into()
    }

    /// The state of a run, rounds counted from `round` and repetitions from `left`. `None` where the transport does not tell.
    fn state(&self, round: usize, left: u32) -> Option<State> {
        let mut made = State::default();
        let ahead = |time: Time| time.since(self.now).max(0.0);
        for rank in &self.ranks {
            let wait = match rank.wait {
                Wait::No => [0, 0],
                Wait::Busy => [1, 0],
                Wait::One { request, .. } => [2, u64::from(rank.requests.started() - request)],
                Wait::From { from, left } => [3, u64::from(rank.requests.started() - from) << 32 | u64::from(left)],
                Wait::Join => [4, 0],
                Wait::Ended => [5, 0],
            };
            made.words.extend(wait);
            if rank.wait == Wait::Ended {
                continue;
            }
            if rank.inside.is_some() || rank.paid.is_some() {
                return None;
            }
            made.words.extend([rank.strands, rank.requests.open].map(u64::from));
            made.words.push(u64::from(rank.repetitions_left).wrapping_sub(left.into()));
            made.words.extend(rank.place.standing(round));
            made.words.extend(rank.requests.pattern());
            made.seconds.extend([rank.debt, rank.copies, ahead(rank.starts)]);
        }
        let order = self.put_messages(&mut made)?;
        self.put_wakes(&order, &mut made);
        made.seconds.extend(self.leaves.iter().map(|leaves| ahead(*leaves)));
        self.connections.put(&order, &mut made.words);
        Some(made)
    }

    /// Adds the messages that are under way, in an order that does not depend on their numbers, which it returns.
    fn put_messages(&self, made: &mut State) -> Option<HashMap<u32, u64>> {
        let moving = self.transport.moving(self.now)?;
        let moving: HashMap<u32, (u64, f64)> =
            moving.into_iter().map(|(id, phase, value)| (id, (phase, value))).collect();
        let mut free = vec![false; self.messages.len()];
        self.free.iter().for_each(|id| free[*id as usize] = true);
        let standing = |id: u32| {
            let m = &self.messages[id as usize];
            let request = |rank: u32, request: u32| match request {
                NONE => u64::from(NONE),
                request => u64::from(self.ranks[rank as usize].requests.started() - request),
            };
            let flags = [m.matched, m.started, m.held, m.arrived].map(u64::from);
            let (phase, value) = moving.get(&id).copied().unwrap_or((0, 0.0));
            let words = [
                u64::from(m.src) << 32 | u64::from(m.dst),
                u64::from(m.pair) << 32 | u64::from(m.tag),
                m.bytes,
                u64::from(m.connection),
                request(m.sender, m.send),
                request(m.receiver, m.receive),
                flags[0] | flags[1] << 1 | flags[2] << 2 | flags[3] << 3 | phase << 4,
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

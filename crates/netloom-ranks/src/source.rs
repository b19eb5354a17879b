//! Actions of a rank in a collective, one after another: from its schedule, round by round.

use netloom_model::schedule::{CyclicRound, Protocol, Rounds, Transfer};
use netloom_model::{Collective, Op, Schedule};

use crate::repeats::{self, Run};

/// The next action of a rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    Op(Op),
    /// Waits for the latest requests.
    WaitLast(u32),
    /// Enters a collective.
    Enter,
    /// Combines bytes that have arrived with the rank's own.
    Combine(u64),
    /// Copies bytes in its memory.
    Copy(u64),
    /// Begins another channel of its collective, at the same time as what follows.
    Channel(u32),
}

/// One collective, ready to run: in every step a rank posts its receives, then its sends, then waits for all of
/// them, as MPI libraries do with `MPI_Sendrecv` or a burst of requests.
#[derive(Clone, Debug)]
pub struct Play<'a> {
    schedule: &'a Schedule,
    /// All blocks have the same size, so that all messages of a cyclic round have.
    even: bool,
    /// Of cyclic rounds with messages of one size: the first of each run of rounds that are alike, and the end of the last.
    alike: Vec<usize>,
    /// Explicit schedules: entries of channel `c` of rank `r` are `entries[offsets[i]..offsets[i + 1]]`, `i = r·channels + c`,
    /// by step, receives first.
    offsets: Vec<usize>,
    entries: Vec<Entry>,
    /// Those of `i` that repeat: `repeats[repeats_from[i]..repeats_from[i + 1]]`; empty where none do.
    repeats: Vec<Run>,
    repeats_from: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    step: u32,
    /// Partner, with [`SEND`] set for a send.
    peer: u32,
    bytes: u64,
    combine: bool,
    /// In several pieces of its rank's buffer.
    pieces: bool,
}

const SEND: u32 = 1 << 31;

/// Position of a rank in a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Entry, or cyclic round.
    at: usize,
    /// Start of the step.
    first: usize,
    sending: bool,
    open: u32,
    combine: u64,
    copy: u64,
    entered: Entered,
    /// The channel that it goes through; channel 0 begins the others.
    channel: u32,
    /// Channels that it began.
    begun: u32,
}

/// How far a rank has come besides its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Entered {
    #[default]
    No,
    /// It has entered, and has yet to copy its own part.
    Call,
    /// It begins the other channels.
    Channels,
    Steps,
    /// All steps are done, and other channels may not be.
    Joined,
    /// All is done, and the last copy.
    Left,
}

impl<'a> Play<'a> {
    /// O(messages) for an explicit schedule, nothing for a cyclic one.
    pub fn new(schedule: &'a Schedule) -> Play<'a> {
        let places = schedule.ranks as usize * schedule.channels as usize;
        let even = schedule.blocks.are_even();
        let alike = if even { runs(schedule) } else { Vec::new() };
        let (offsets, entries, repeats, repeats_from) = (vec![0; places + 1], Vec::new(), Vec::new(), Vec::new());
        let mut play = Play { schedule, even, alike, offsets, entries, repeats, repeats_from };
        let Rounds::Explicit { transfers, ranges, .. } = &schedule.rounds else { return play };
        let place = |rank: u32, transfer: &Transfer| {
            let block = ranges.get(transfer.first_range as usize).map_or(0, |range| range.first);
            rank as usize * schedule.channels as usize + schedule.channel_of(block) as usize
        };
        let apart = || transfers.iter().filter(|transfer| transfer.src != transfer.dst);
        for transfer in apart() {
            play.offsets[place(transfer.src, transfer) + 1] += 1;
            play.offsets[place(transfer.dst, transfer) + 1] += 1;
        }
        for at in 0..places {
            play.offsets[at + 1] += play.offsets[at];
        }
        let empty = Entry { step: 0, peer: 0, bytes: 0, combine: false, pieces: false };
        play.entries = vec![empty; play.offsets[places]];
        let mut next = play.offsets.clone();
        let mut put = |at: usize, entry: Entry| {
            play.entries[next[at]] = entry;
            next[at] += 1;
        };
        // Receives of a step before its sends, each in the order of the schedule.
        let mut step: Vec<(netloom_model::schedule::Message, &Transfer)> = Vec::new();
        let mut flush = |step: &mut Vec<(netloom_model::schedule::Message, &Transfer)>| {
            for (m, transfer) in step.iter() {
                let (combine, pieces) = (transfer.combine, transfer.ranges > 1);
                put(place(m.dst, transfer), Entry { step: m.step, peer: m.src, bytes: m.bytes, combine, pieces });
            }
            for (m, transfer) in step.drain(..) {
                let (peer, pieces) = (m.dst | SEND, transfer.ranges > 1);
                put(place(m.src, transfer), Entry { step: m.step, peer, bytes: m.bytes, combine: false, pieces });
            }
        };
        let mut listed = transfers.iter();
        schedule.for_each_message(|m| {
            if step.last().is_some_and(|(last, _)| last.step != m.step) {
                flush(&mut step);
            }
            if let Some(transfer) = listed.next().filter(|transfer| transfer.src != transfer.dst) {
                step.push((m, transfer));
            }
        });
        flush(&mut step);
        play.find_repeats();
        play
    }

    /// Finds what each rank does again and again, as in the steps of a pipeline. O(entries).
    fn find_repeats(&mut self) {
        let (entries, mut found, mut from) = (&self.entries, Vec::new(), vec![0]);
        for ends in self.offsets.windows(2) {
            let own = &entries[ends[0]..ends[1]];
            let begins = |at: usize| at == 0 || own[at].step != own[at - 1].step;
            let of = |e: &Entry| (e.peer, e.bytes, e.combine, e.pieces);
            repeats::runs(
                own.len(),
                |a, b| of(&own[a]) == of(&own[b]) && begins(a) == begins(b),
                |run| found.push(run),
            );
            from.push(found.len());
        }
        (self.repeats, self.repeats_from) = if found.is_empty() { Default::default() } else { (found, from) };
    }

    pub fn collective(&self) -> Collective {
        self.schedule.collective
    }

    /// That of a GPU library.
    pub fn protocol(&self) -> Option<Protocol> {
        self.schedule.protocol
    }

    /// Bytes of the buffer that a rank works on.
    pub fn buffer_bytes(&self) -> u64 {
        self.schedule.buffer_bytes()
    }

    /// Rounds like the one that a rank is in, each a step of its own, with the same partner, bytes, and treatment; or the steps of a
    /// list that repeat. `None` outside of them, and where messages of a round differ in size.
    fn run(&self, rank: u32, place: &Place) -> Option<Run> {
        if let Rounds::Cyclic(_) = self.schedule.rounds {
            let next = self.alike.partition_point(|first| *first <= place.first);
            return Some(Run { first: self.alike[next.checked_sub(1)?], end: *self.alike.get(next)?, period: 1 });
        }
        let at = rank as usize * self.schedule.channels as usize + place.channel as usize;
        let own = &self.repeats[*self.repeats_from.get(at)?..*self.repeats_from.get(at + 1)?];
        own.get(own.partition_point(|run| run.end <= place.at)).filter(|run| run.first <= place.at).copied()
    }

    /// True if a rank does the same again and again somewhere.
    pub fn repeats(&self, rank: u32) -> bool {
        let channels = self.schedule.channels as usize;
        let own = rank as usize * channels..(rank as usize + 1) * channels;
        self.alike.windows(2).any(|run| run[1] - run[0] >= repeats::LEAST)
            || self.repeats_from.get(own.end).is_some_and(|end| *end > self.repeats_from[own.start])
    }

    /// Where a rank stands, but for the periods of its run that are left with this one; and these.
    pub fn standing(&self, rank: u32, place: &Place) -> ([u64; 8], u64) {
        let (end, (within, left)) = match self.run(rank, place) {
            Some(run) => (run.end as u64, run.standing(place.at)),
            None => (u64::MAX, (place.at as u64, 0)),
        };
        let (step, open) = ((place.at - place.first) as u64, u64::from(place.open) << 1 | u64::from(place.sending));
        let entered = u64::from(place.begun) << 8 | place.entered as u64;
        ([end, within, step, open, place.combine, place.copy, entered, place.channel.into()], left)
    }

    /// Moves a rank on by so many periods of its run.
    pub fn move_on(&self, rank: u32, place: &mut Place, periods: u64) {
        let by = self.run(rank, place).map_or(0, |run| run.period * periods as usize);
        (place.first, place.at) = (place.first + by, place.at + by);
    }

    #[inline]
    pub fn next(&self, rank: u32, place: &mut Place) -> Option<Action> {
        if place.entered == Entered::Steps
            && let Some(action) = self.step(rank, place)
        {
            return Some(action);
        }
        self.enter_or_leave(rank, place)
    }

    #[inline]
    fn step(&self, rank: u32, place: &mut Place) -> Option<Action> {
        match &self.schedule.rounds {
            Rounds::Cyclic(rounds) => self.next_cyclic(rounds, rank, place),
            Rounds::Explicit { .. } => self.next_listed(rank, place),
        }
    }

    /// What comes before the first step and after the last one.
    #[cold]
    fn enter_or_leave(&self, rank: u32, place: &mut Place) -> Option<Action> {
        match place.entered {
            Entered::No => {
                place.entered = Entered::Call;
                return Some(Action::Enter);
            }
            Entered::Call => {
                place.entered = Entered::Channels;
                if self.schedule.copied.before_bytes > 0 {
                    return Some(Action::Copy(self.schedule.copied.before_bytes));
                }
            }
            Entered::Channels | Entered::Steps => {}
            Entered::Joined => return self.last(place),
            Entered::Left => return None,
        }
        if place.entered == Entered::Channels {
            place.begun += 1;
            if place.begun < self.schedule.channels {
                return Some(Action::Channel(place.begun));
            }
            place.entered = Entered::Steps;
            if let Some(action) = self.step(rank, place) {
                return Some(action);
            }
        }
        if place.channel > 0 {
            place.entered = Entered::Left;
            return None;
        }
        if self.schedule.channels > 1 {
            place.entered = Entered::Joined;
            return Some(Action::Op(Op::Join));
        }
        self.last(place)
    }

    fn last(&self, place: &mut Place) -> Option<Action> {
        place.entered = Entered::Left;
        let after = self.schedule.copied.after_bytes;
        (after > 0).then_some(Action::Copy(after))
    }

    #[inline]
    fn next_listed(&self, rank: u32, place: &mut Place) -> Option<Action> {
        let at = rank as usize * self.schedule.channels as usize + place.channel as usize;
        let entries = &self.entries[self.offsets[at]..self.offsets[at + 1]];
        let here = entries.get(place.at);
        let step_ends = here.is_none_or(|e| place.has_work() && e.step != entries[place.at - 1].step);
        if step_ends && let Some(action) = place.end_step() {
            return Some(action);
        }
        let entry = here?;
        if !place.has_work() {
            place.first = place.at;
        }
        place.at += 1;
        place.open += 1;
        place.combine += if entry.combine { entry.bytes } else { 0 };
        place.copy += if entry.pieces && !entry.combine { entry.bytes } else { 0 };
        Some(message(place.channel, entry.peer & !SEND, entry.bytes, entry.peer & SEND != 0))
    }

    #[inline]
    fn next_cyclic(&self, rounds: &[CyclicRound], rank: u32, place: &mut Place) -> Option<Action> {
        let (ranks, channel) = (self.schedule.ranks, place.channel);
        let own = self.schedule.position_of(channel, rank);
        loop {
            let round = rounds.get(place.at);
            let in_step = round.filter(|r| r.step == rounds[place.first].step);
            let Some(round) = in_step else {
                if !place.sending && place.at > place.first {
                    (place.sending, place.at) = (true, place.first);
                    continue;
                }
                if let Some(action) = place.end_step() {
                    return Some(action);
                }
                round?;
                (place.first, place.sending) = (place.at, false);
                continue;
            };
            place.at += 1;
            let (peer, sender) = if place.sending {
                (round.partner.of(own, ranks), own)
            } else {
                let from = round.partner.back(own, ranks);
                (from, from)
            };
            if peer == own {
                continue;
            }
            let peer = self.schedule.rank_at(channel, peer);
            place.open += 1;
            let bytes = if self.even { round.bytes } else { self.schedule.cyclic_bytes(round, channel, sender) };
            let combines = round.combine && !place.sending;
            place.combine += if combines { bytes } else { 0 };
            place.copy += if round.ranges.len() > 1 && !combines { bytes } else { 0 };
            return Some(message(place.channel, peer, bytes, place.sending));
        }
    }
}

impl Place {
    /// At the first step of a channel.
    pub fn of_channel(channel: u32) -> Place {
        Place { channel, entered: Entered::Steps, ..Place::default() }
    }

    /// The round or entry in which a rank is: the first of its step.
    pub fn round(&self) -> usize {
        self.first
    }

    /// Before a collective of which only one channel, of so many, is gone through.
    pub fn alone_in(channel: u32, channels: u32) -> Place {
        Place { channel, begun: channels, ..Place::default() }
    }

    fn has_work(&self) -> bool {
        self.open > 0 || self.combine > 0 || self.copy > 0
    }

    /// Remaining work at the end of a step. What it packs before its sends and unpacks after its receives counts there too.
    fn end_step(&mut self) -> Option<Action> {
        if self.open > 0 {
            return Some(Action::WaitLast(std::mem::take(&mut self.open)));
        }
        if self.combine > 0 {
            return Some(Action::Combine(std::mem::take(&mut self.combine)));
        }
        (self.copy > 0).then(|| Action::Copy(std::mem::take(&mut self.copy)))
    }
}

/// The first of each run of cyclic rounds that are alike, each a step of its own, and the end of the last.
fn runs(schedule: &Schedule) -> Vec<usize> {
    let Rounds::Cyclic(rounds) = &schedule.rounds else { return Vec::new() };
    let of = |round: &CyclicRound| (round.partner, round.bytes, round.combine, round.ranges.len() > 1);
    let is_like = |a: &CyclicRound, b: &CyclicRound| of(a) == of(b) && b.step == a.step + 1;
    let first = |at: &usize| *at == 0 || *at == rounds.len() || !is_like(&rounds[at - 1], &rounds[*at]);
    (0..=rounds.len()).filter(first).collect()
}

/// The share of a schedule's rounds that is simulated if each run of alike ones repeats itself after so many. O(rounds).
pub fn share_of_rounds(schedule: &Schedule, transient: usize) -> f64 {
    let found = if schedule.blocks.are_even() { runs(schedule) } else { Vec::new() };
    let simulated: usize = found.windows(2).map(|run| (run[1] - run[0]).min(transient)).sum();
    found.last().filter(|all| **all > 0).map_or(1.0, |all| simulated as f64 / *all as f64)
}

/// Messages of one channel meet no receive of another: its number is their tag.
fn message(tag: u32, peer: u32, bytes: u64, send: bool) -> Action {
    Action::Op(match send {
        true => Op::StartSend { peer, tag, bytes },
        false => Op::StartReceive { peer, tag, bytes },
    })
}

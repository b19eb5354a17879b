//! Actions of a rank in a collective, one after another: from its schedule, round by round.

use netloom_model::schedule::{CyclicRound, Lengths, ListedRounds, Protocol, Rounds, Transfer};
use netloom_model::{Collective, Op, Schedule};

mod alike;

use alike::runs;
pub use alike::share_of_rounds;

use crate::repeats::Repeat;

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
    /// Starts the receives of all flows to the rank.
    Expect,
    /// Starts the send of a flow.
    Flow {
        flow: u32,
        bytes: u64,
    },
}

/// One collective, ready to run: in every step a rank posts its receives, then its sends, then waits for all of
/// them, as MPI libraries do with `MPI_Sendrecv` or a burst of requests.
#[derive(Clone, Debug)]
pub struct Play<'a> {
    schedule: &'a Schedule,
    /// All blocks have the same size, so that all messages of a cyclic round have.
    even: bool,
    /// Of cyclic rounds whose messages differ in size and have many blocks: their bytes. The rest are added up.
    lengths: Vec<Option<Lengths>>,
    /// Of cyclic rounds with messages of one size: the first of each run of rounds that are alike, and the end of the last.
    alike: Vec<usize>,
    /// Explicit schedules: entries of channel `c` of rank `r` are `entries[offsets[i]..offsets[i + 1]]`, `i = r·channels + c`,
    /// by step, receives first.
    offsets: Vec<usize>,
    entries: Vec<Entry>,
    /// Those of `i` that repeat: `repeats[repeats_from[i]..repeats_from[i + 1]]`; empty where none do.
    repeats: Vec<Repeat>,
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
/// Bytes that lengths of messages may take.
const LENGTHS: u64 = 1 << 28;

/// Position of a rank in a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Entry, or cyclic round.
    at: usize,
    /// Of a list with cyclic rounds behind it, if it is done.
    listed: Listed,
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

/// Where a rank stands in a schedule whose cyclic rounds follow a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Listed {
    #[default]
    Open,
    Done,
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
        let lengths = if even { Vec::new() } else { lengths(schedule) };
        let (offsets, entries, repeats, repeats_from) = (vec![0; places + 1], Vec::new(), Vec::new(), Vec::new());
        let mut play = Play { schedule, even, lengths, alike, offsets, entries, repeats, repeats_from };
        let ListedRounds { transfers, ranges, .. } = schedule.rounds.listed();
        if transfers.is_empty() {
            return play;
        }
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
        schedule.for_each_listed(|m| {
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
            Rounds::Both { cyclic, .. } => {
                if place.listed == Listed::Open {
                    if let Some(action) = self.next_listed(rank, place) {
                        return Some(action);
                    }
                    (place.listed, place.at, place.first) = (Listed::Done, 0, 0);
                }
                self.next_cyclic(cyclic, rank, place)
            }
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
            let bytes = match &self.lengths {
                _ if self.even => round.bytes,
                lengths => match lengths.get(place.at - 1) {
                    Some(Some(known)) => known.bytes_at(channel, sender),
                    _ => self.schedule.cyclic_bytes(round, channel, sender),
                },
            };
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

/// The lengths of messages that are not quickly added up, as far as there is room for them. O(rounds × ranks + blocks sent).
fn lengths(schedule: &Schedule) -> Vec<Option<Lengths>> {
    let (mut room, mut found) = (LENGTHS, Vec::new());
    for round in schedule.rounds.cyclic() {
        let made = Lengths::of(round, (schedule.blocks, schedule.channels), schedule.ranks);
        let Some(left) = room.checked_sub(made.as_ref().map_or(0, Lengths::memory)) else { break };
        room = left;
        found.push(made);
    }
    found
}

/// Messages of one channel meet no receive of another: its number is their tag.
fn message(tag: u32, peer: u32, bytes: u64, send: bool) -> Action {
    Action::Op(match send {
        true => Op::StartSend { peer, tag, bytes },
        false => Op::StartReceive { peer, tag, bytes },
    })
}

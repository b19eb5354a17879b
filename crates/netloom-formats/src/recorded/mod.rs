//! What a recorder saw of a run becomes [`Programs`]: readers of all formats of records end here, each with its events.
//!
//! Waits are resolved to the request that they mean, receives from any source to the one rank whose messages fit,
//! collectives to calls on their communicator. Beside the programs stands what the record says of itself: calls, bytes
//! and seconds by name, and what was left out.

mod body;
mod burst;
mod calls;
mod cut;
mod entered;
mod event;
mod graph;
mod graph_of;
mod limits;
mod loops;
mod others;
mod peer_bytes;
mod read_ranks;
mod reduce_scatter;
mod refused;
mod region;
mod requests;
mod scale;
mod smpi_default;
mod survey;
mod tags;
#[cfg(test)]
mod tests;
mod watched;
mod wildcard;

use std::collections::HashMap;

use netloom_model::{Collective, Fault, Outcome, Programs};

use crate::codes;

pub use calls::Collectives;
pub use entered::Uniform;
pub use event::{ANY_SOURCE, ANY_TAG, Event, Key, NO_PROCESS, UNDEFINED, WORLD};
pub use graph::{Task, TaskGraph, Work, order};
pub use graph_of::Graphs;
pub use limits::{MAX_OPS, MAX_RANKS, MAX_TOTAL_BYTES};
pub use others::{Others, Window};
pub use refused::Refused;
pub use region::{Border, Region};
pub use scale::Scale;
pub use survey::{CallSum, Survey};
#[cfg(test)]
pub use tags::BURST_TAG;
#[cfg(test)]
pub use tests::{drawn_bodies, drawn_steps, read_files, star};

use body::Body;
use calls::Calls;
use read_ranks::ReadRanks;
use region::Watch;
use tags::Tags;
use wildcard::{Answers, Member, Source, Wildcards};

/// In place of an algorithm: that of SMPI's replay, for one collective or alone for every one that is not named.
pub const BY_SMPI: &str = "smpi";

/// Programs, and what their record says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    pub programs: Programs,
    pub survey: Survey,
}

/// How collectives of a record run.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    pub collectives: Collectives<'a>,
    /// Collectives that become the messages of SMPI's own default algorithm, by which its replay takes the same time;
    /// `collectives` is not called for these.
    pub by_smpi: &'a [Collective],
    pub scale: &'a Scale,
}

/// The input of a trace in addition to its first file.
#[derive(Clone, Copy)]
pub struct Replay<'a> {
    /// The files that the first one names.
    pub others: Others<'a>,
    pub choice: Choice<'a>,
}

/// A record that is being read.
pub struct Recording {
    place: String,
    bodies: Vec<Body>,
    calls: Calls,
    tags: Tags,
    wildcards: Wildcards,
    answers: Answers,
    held: ReadRanks,
    scale: Scale,
    /// Of each rank, where it stands with respect to the region of interest; none without one.
    watches: Vec<Watch>,
    /// With a region: ranks that are graphs, and which tasks are inside.
    graphs: HashMap<u32, (TaskGraph, Vec<bool>)>,
    pub survey: Survey,
}

impl Recording {
    /// Of so many ranks; `place` names the file.
    ///
    /// # Errors
    /// `NL-F001` beyond 2^20 ranks, `NL-F004` without one, `NL-F009` for factors out of range.
    pub fn new(place: &str, ranks: u32, by_smpi: &[Collective], scale: &Scale) -> Outcome<Recording> {
        if ranks == 0 {
            return Err(Fault::say(&codes::NOTHING, place, "holds no rank").into());
        }
        if ranks > MAX_RANKS {
            return Err(Fault::say(&codes::TOO_LARGE, place, format!("{ranks} ranks exceed {MAX_RANKS}")).into());
        }
        scale.check(ranks, place)?;
        Ok(Recording {
            scale: scale.clone(),
            place: place.to_string(),
            bodies: (0..ranks).map(Body::new).collect(),
            calls: Calls::new(ranks, by_smpi),
            tags: Tags::default(),
            wildcards: Wildcards::default(),
            answers: Answers::default(),
            held: ReadRanks::of(ranks),
            watches: if scale.region.is_all() { Vec::new() } else { vec![Watch::default(); ranks as usize] },
            graphs: HashMap::new(),
            survey: Survey::default(),
        })
    }

    pub fn ranks(&self) -> u32 {
        self.bodies.len() as u32
    }

    /// A communicator with these ranks, in the order of their numbers in it.
    ///
    /// # Errors
    /// `NL-F009` for a rank that is not there or stands twice, `NL-F001` for too many.
    pub fn communicator(&mut self, members: Vec<u32>) -> Outcome<u32> {
        let ranks = self.ranks();
        let mut sorted = members.clone();
        sorted.sort_unstable();
        let wrong = sorted.iter().find(|rank| **rank >= ranks).copied();
        let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        if let Some(rank) = wrong.or(twice).or(sorted.is_empty().then_some(0)) {
            let expected = format!("different ranks in 0..{ranks} (exclusive), at least one");
            let place = format!("{}: members of a communicator", self.place);
            return Err(Fault::new(&codes::VALUE, place, expected, rank).into());
        }
        let name = self.place.clone();
        self.calls.group(members).map_err(|_| {
            Fault::say(&codes::TOO_LARGE, name, "too many communicators, or members of them")
                .hint("cut the trace")
                .into()
        })
    }

    /// How many ranks a communicator has; 0 of one that is not there.
    pub fn members(&self, group: u32) -> u32 {
        self.calls.groups.get(group as usize).map_or(0, |group| group.size())
    }

    /// Counts an event for the receives that name no source or no tag: all events come twice where there are any.
    pub fn foresee(&mut self, rank: u32, group: u32, event: &Event) {
        if let Some(members) = self.calls.groups.get(group as usize) {
            self.wildcards.count(rank, group, members, event);
        }
    }

    /// Everything is foreseen.
    pub fn resolve(&mut self) {
        self.answers = std::mem::take(&mut self.wildcards).resolve();
    }

    /// The size of elements without a datatype of a rank, as its last [`Event::Init`] says.
    pub fn element_bytes(&self, rank: u32) -> u64 {
        self.bodies[rank as usize].element_bytes
    }

    /// Actions that a rank has by now.
    pub fn actions_of(&self, rank: u32) -> usize {
        self.bodies[rank as usize].ops.len()
    }

    /// Adds an event of a rank in a communicator, in the order of its time.
    ///
    /// # Errors
    /// What it breaks.
    pub fn add(&mut self, rank: u32, group: u32, event: Event) -> Result<(), Refused> {
        let event = self.scale.event(event);
        if self.watches.is_empty() {
            self.survey.count(&event);
            return self.put(rank, group, event);
        }
        self.add_watched(rank, group, event)
    }

    fn put(&mut self, rank: u32, group: u32, event: Event) -> Result<(), Refused> {
        let body = &mut self.bodies[rank as usize];
        let before = body.ops.len();
        let added = body.add(group, event, &mut self.calls, &mut self.tags, &self.answers);
        self.held.count(body.ops.len() - before);
        added
    }

    /// The message of a task of a rank, as [`Recording::add`] takes it: `event` sends or receives.
    ///
    /// # Errors
    /// What it breaks.
    pub fn message(&mut self, rank: u32, group: u32, event: &Event) -> Result<Work, Refused> {
        let found = self.calls.groups.get(group as usize).ok_or(Refused::NoMember)?;
        let of = Member { rank, group, members: &found.members };
        match *event {
            Event::Send { to, tag, bytes, .. } => {
                let peer = of.world(to).ok_or(Refused::OutOfGroup)?;
                Ok(Work::Send { peer, tag: self.tags.of(group, tag), bytes: self.scale.size(bytes) })
            }
            Event::Receive { from, tag, bytes, .. } => match self.answers.source(of, from, tag) {
                Source::Rank(peer, tag) => {
                    Ok(Work::Receive { peer, tag: self.tags.of(group, tag), bytes: self.scale.size(bytes) })
                }
                Source::Outside => Err(Refused::OutOfGroup),
                Source::Ambiguous | Source::Nobody => Err(Refused::NoSingleSender),
            },
            _ => Err(Refused::UnknownRequest),
        }
    }

    /// The call of a collective of a task on a communicator: its number, and that of the rank in it.
    ///
    /// # Errors
    /// What it breaks.
    pub fn call(&mut self, rank: u32, group: u32, call: Uniform) -> Result<(u32, u32), Refused> {
        let found = self.calls.groups.get(group as usize).ok_or(Refused::NoMember)?;
        let member = found.number(rank).ok_or(Refused::NoMember)?;
        if call.root >= found.size() {
            return Err(Refused::OutOfGroup);
        }
        let call = Uniform { bytes: self.scale.size(call.bytes), ..call };
        Ok((self.calls.id(group, call)?, member))
    }

    /// What a task of a rank does, from an event of a communicator; the collectives of a communicator come in the order
    /// in which the rank enters them.
    ///
    /// # Errors
    /// What it breaks; a wait, an exchange and a collective with counts or a request are no task.
    pub fn task(&mut self, rank: u32, group: u32, event: &Event, unit: u32) -> Result<Work, Refused> {
        self.survey.count(&self.scale.event(event.clone()));
        match *event {
            Event::Sleep(seconds) if seconds > 0.0 => Ok(Work::Seconds { seconds, unit }),
            Event::Compute(flops) if flops > 0.0 => Ok(Work::Flops { flops, unit }),
            Event::Nothing | Event::Sleep(_) | Event::Compute(_) => Ok(Work::Nothing),
            Event::Collective { collective, bytes, root, starts: None, .. } => {
                let own = Uniform { collective, bytes, root };
                let (call, member) = self.call(rank, group, own)?;
                self.bodies[rank as usize].enter_as_task(group, own, &mut self.calls)?;
                Ok(Work::Collective { call, member, unit })
            }
            _ => self.message(rank, group, event),
        }
    }

    /// The tasks of a rank, which has no other events.
    pub fn put_graph(&mut self, rank: u32, graph: &TaskGraph) {
        self.put_timed_graph(rank, graph, None, &[]);
    }

    /// The same, with how long each of them took, and when the rank comes to what its record names. Its calls count in the
    /// order of the tasks.
    pub fn put_timed_graph(&mut self, rank: u32, graph: &TaskGraph, took: Option<&[f64]>, marks: &[(String, f64)]) {
        if !self.watches.is_empty() {
            self.put_watched_graph(rank, graph.clone(), took, marks);
            return;
        }
        let ops = graph.actions(rank);
        self.held.count(ops.len());
        self.bodies[rank as usize].ops = ops;
    }

    /// Says that nothing more comes of a rank: from now on its actions take less memory.
    pub fn close(&mut self, rank: u32) {
        // The part that is taken is known when all ranks are.
        if !self.watches.is_empty() {
            return;
        }
        let mut ops = self.bodies[rank as usize].end(&mut []);
        self.scale.compute(rank, &mut ops);
        self.held.put(rank, ops);
    }

    /// True if it has become too long.
    pub fn is_full(&self) -> bool {
        self.held.actions() > MAX_OPS
    }

    /// The programs.
    ///
    /// # Errors
    /// `NL-F021` where members of a communicator enter different numbers of collectives; those of the choice.
    pub fn finish(mut self, choice: Choice<'_>) -> Outcome<Recorded> {
        self.agree()?;
        let calls = self.calls.schedules(choice.collectives)?;
        self.survey.communicators = self.calls.groups.iter().map(|group| group.size()).collect();
        if !self.watches.is_empty() {
            for (rank, mut ops) in (0u32..).zip(self.region()?) {
                self.scale.compute(rank, &mut ops);
                self.held.put(rank, ops);
            }
        }
        (0..self.ranks()).for_each(|rank| self.close(rank));
        let (bodies, amounts) = self.held.all();
        let programs = Programs::with_amounts(self.place, bodies, amounts, calls)?;
        Ok(Recorded { programs, survey: self.survey })
    }

    fn agree(&self) -> Outcome<()> {
        for (number, group) in self.calls.groups.iter().enumerate() {
            let all = self.calls.entered(number as u32);
            let own = |rank: &u32| self.bodies[*rank as usize].entered(number as u32);
            if let Some((&rank, got)) = group.members.iter().map(|rank| (rank, own(rank))).find(|(_, got)| *got != all)
            {
                let of = if number == 0 { String::new() } else { format!(" of communicator {number}") };
                let sentence = format!("rank {rank} enters {got} collectives{of}, another rank {all}");
                let hint = "give the records of all ranks of one run, whole";
                return Err(Fault::say(&codes::DISAGREE, &self.place, sentence).hint(hint).into());
            }
        }
        Ok(())
    }
}

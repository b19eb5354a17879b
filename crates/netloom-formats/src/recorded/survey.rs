//! What a record says of itself.

use std::collections::BTreeMap;

use super::event::Event;

/// All calls of one name.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallSum {
    pub calls: u64,
    /// That were given to it: of a send its own, of a receive its room, of a collective as its size is named.
    pub bytes: u64,
    /// Between its begin and its end, over all ranks; 0 where the record has no times.
    pub seconds: f64,
}

/// Sums over a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    pub events: u64,
    pub calls: BTreeMap<&'static str, CallSum>,
    /// Members of each communicator, that of all ranks first.
    pub communicators: Vec<u32>,
    /// Between the first event and the last one; 0 where the record has no times.
    pub span_s: f64,
    /// What was left out or assumed, each once.
    pub notes: Vec<String>,
}

impl Survey {
    pub fn count(&mut self, event: &Event) {
        self.events += 1;
        if let Some((name, bytes)) = named(event) {
            let sum = self.calls.entry(name).or_default();
            sum.calls += 1;
            sum.bytes = sum.bytes.saturating_add(bytes);
        }
    }

    /// Adds the time that a call took.
    pub fn spend(&mut self, event: &Event, seconds: f64) {
        if let Some((name, _)) = named(event) {
            self.calls.entry(name).or_default().seconds += seconds;
        }
    }

    /// Takes back a task that was counted and is left out.
    pub fn take_back(&mut self, name: Option<&'static str>, bytes: u64, seconds: f64) {
        self.events = self.events.saturating_sub(1);
        let Some(sum) = name.and_then(|name| self.calls.get_mut(name)) else { return };
        sum.calls = sum.calls.saturating_sub(1);
        sum.bytes = sum.bytes.saturating_sub(bytes);
        sum.seconds = (sum.seconds - seconds).max(0.0);
        if sum.calls == 0 {
            self.calls.retain(|_, sum| sum.calls > 0);
        }
    }

    pub fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|one| one == note) {
            self.notes.push(note.to_string());
        }
    }
}

/// The name of a call, and its bytes; none of what is no call.
pub fn named(event: &Event) -> Option<(&'static str, u64)> {
    let sum = |counts: &[u64]| counts.iter().fold(0u64, |sum, bytes| sum.saturating_add(*bytes));
    Some(match event {
        Event::Nothing | Event::Init { .. } | Event::Compute(_) | Event::Sleep(_) => return None,
        Event::Send { bytes, starts: None, .. } => ("send", *bytes),
        Event::Send { bytes, .. } => ("isend", *bytes),
        Event::Receive { bytes, starts: None, .. } => ("recv", *bytes),
        Event::Receive { bytes, .. } => ("irecv", *bytes),
        Event::Exchange { sent, .. } => ("sendrecv", *sent),
        Event::Test(_) => ("test", 0),
        Event::Wait(_) => ("wait", 0),
        Event::WaitAll => ("waitall", 0),
        Event::Collective { collective, bytes, .. } => (collective.name(), *bytes),
        Event::Alltoallv { sent, .. } => ("alltoallv", sum(sent)),
        Event::Allgatherv(counts) => ("allgatherv", sum(counts)),
        Event::Gatherv { own, .. } => ("gatherv", *own),
        Event::Scatterv { own, .. } => ("scatterv", *own),
        Event::ReduceScatterv { counts, .. } => ("reduce-scatterv", sum(counts)),
        Event::Apart { event, .. } => return named(event),
    })
}

//! The region of interest of a record: what lies before it and after it is left out.

use netloom_model::{Fault, Outcome};

use super::event::Event;
use super::graph::{TaskGraph, Work};
use super::survey::named;
use crate::codes;

/// Where a region begins or ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Border {
    /// At a time of the record, since its first event.
    Seconds(f64),
    /// Before the call, mark or region number `number` with this name on each rank, from 1 on.
    Call { name: String, number: u32 },
}

/// A part of a record; all of it without edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    pub begin: Option<Border>,
    pub end: Option<Border>,
}

impl Region {
    pub fn is_all(&self) -> bool {
        self.begin.is_none() && self.end.is_none()
    }

    /// With times in place of what is marked.
    pub fn at_marks(&self, marks: &[(String, f64)]) -> Region {
        let time = |edge: &Option<Border>| match edge {
            Some(Border::Call { name, number }) => {
                let mut found = marks.iter().filter(|(mark, _)| is_named(mark, name));
                let at = found.nth((*number as usize).saturating_sub(1));
                at.map_or_else(|| edge.clone(), |(_, seconds)| Some(Border::Seconds(*seconds)))
            }
            _ => edge.clone(),
        };
        Region { begin: time(&self.begin), end: time(&self.end) }
    }

    fn edges(&self) -> [Option<&Border>; 2] {
        [self.begin.as_ref(), self.end.as_ref()]
    }

    /// Its edges in words.
    pub fn words(&self) -> String {
        let say = |edge: &Option<Border>, none: &str| match edge {
            None => none.to_string(),
            Some(Border::Seconds(seconds)) => format!("{seconds} s"),
            Some(Border::Call { name, number }) => format!("{name}:{number}"),
        };
        format!("from {} to {}", say(&self.begin, "the begin"), say(&self.end, "the end"))
    }
}

impl Border {
    fn is_time(&self) -> bool {
        matches!(self, Border::Seconds(_))
    }
}

/// Where a rank stands with respect to the region.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Time of the next event.
    pub clock: f64,
    pub timed: bool,
    /// What the next call took.
    pub pending: f64,
    /// Calls of the name of each edge so far.
    seen: [u32; 2],
    /// Actions before each edge, once it is reached; of a graph, whether it is.
    pub at: [Option<usize>; 2],
    pub outside: u64,
}

impl Watch {
    /// A call or a mark comes, or only time goes by; `ops` actions stand before it. A call belongs to where it ends.
    pub fn step(&mut self, region: &Region, name: Option<&str>, ops: usize) {
        for (edge, (at, seen)) in region.edges().into_iter().zip(self.at.iter_mut().zip(&mut self.seen)) {
            let reached = match edge {
                Some(Border::Seconds(seconds)) => is_past(*seconds, self.clock, self.pending),
                Some(Border::Call { name: wanted, number }) if name.is_some_and(|name| is_named(name, wanted)) => {
                    *seen += 1;
                    *seen == *number
                }
                _ => false,
            };
            if reached && at.is_none() {
                *at = Some(ops);
            }
        }
    }

    pub fn is_inside(&self, region: &Region) -> bool {
        (region.begin.is_none() || self.at[0].is_some()) && self.at[1].is_none()
    }

    /// The time of an edge within the next `seconds`.
    pub fn edge_within(&self, region: &Region, seconds: f64) -> Option<f64> {
        let times = region.edges().into_iter().flatten().filter_map(|edge| match edge {
            Border::Seconds(at) => Some(*at),
            Border::Call { .. } => None,
        });
        times.filter(|at| *at > self.clock && *at < self.clock + seconds).min_by(f64::total_cmp)
    }

    /// The tasks of a rank that are inside, which is computed from how long each of them took, where that is known.
    /// Those that compute across an edge keep the part that is inside.
    pub fn tasks(
        &mut self,
        region: &Region,
        graph: &mut TaskGraph,
        took: Option<&[f64]>,
        names: &[Option<&str>],
    ) -> Vec<bool> {
        let mut starts: Vec<f64> = Vec::with_capacity(graph.tasks.len());
        let mut inside = Vec::with_capacity(graph.tasks.len());
        let length = |at: usize| took.and_then(|took| took.get(at)).copied().unwrap_or(0.0);
        let [begin, end] = region.edges().map(|edge| match edge {
            Some(Border::Seconds(seconds)) => Some(*seconds),
            _ => None,
        });
        self.timed |= took.is_some();
        for (at, task) in graph.tasks.iter_mut().enumerate() {
            let ends = task.after.iter().map(|of| starts[*of as usize] + length(*of as usize));
            let start = ends.chain(task.after_start.iter().map(|of| starts[*of as usize])).fold(0.0, f64::max);
            starts.push(start);
            let stop = start + length(at);
            // What computes when the region begins goes on in it.
            let mut from = start;
            if let (Work::Seconds { seconds, .. }, Some(begin)) = (&mut task.work, begin)
                && start < begin
                && stop > begin
            {
                (*seconds, from) = (stop - begin, begin);
            }
            if let (Work::Seconds { seconds, .. }, Some(end)) = (&mut task.work, end)
                && from < end
                && stop > end
            {
                *seconds = end - from;
            }
            let took = if matches!(task.work, Work::Seconds { .. }) { 0.0 } else { length(at) };
            (self.clock, self.pending) = (from, took);
            let names = names.get(at).copied().flatten();
            self.step_of_graph(region, names, at, [begin, end]);
            let within = |edge: Option<&Border>, reached: bool, time: Option<f64>| match (edge, time) {
                (None, _) => None,
                (Some(_), Some(time)) => Some(is_past(time, from, took)),
                (Some(_), None) => Some(reached),
            };
            let after_begin = within(region.begin.as_ref(), self.at[0].is_some(), begin).unwrap_or(true);
            let after_end = within(region.end.as_ref(), self.at[1].is_some(), end).unwrap_or(false);
            inside.push(after_begin && !after_end);
        }
        // An edge after the last task is reached too.
        for (time, reached) in [begin, end].into_iter().zip(&mut self.at) {
            *reached = reached.or(time.map(|_| inside.len()));
        }
        self.outside = inside.iter().filter(|inside| !**inside).count() as u64;
        inside
    }

    fn step_of_graph(&mut self, region: &Region, name: Option<&str>, at: usize, times: [Option<f64>; 2]) {
        self.step(region, name, at);
        for (time, reached) in times.into_iter().zip(&mut self.at) {
            if time.is_some_and(|time| is_past(time, self.clock, self.pending)) {
                *reached = reached.or(Some(at));
            }
        }
    }
}

/// True if what begins at `start` belongs behind an edge.
fn is_past(edge: f64, start: f64, took: f64) -> bool {
    start >= edge || (took > 0.0 && start + took > edge)
}

/// True for the name itself, and for one with a number after it, `ProfilerStep#12` of `ProfilerStep`.
fn is_named(name: &str, wanted: &str) -> bool {
    name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

/// The name of the call of an event.
pub fn name_of(event: &Event) -> Option<&'static str> {
    named(event).map(|(name, _)| name)
}

/// Every rank has both edges, the first one first.
///
/// # Errors
/// `NL-F009`, `NL-F010` where that is not so.
pub fn check(place: &str, region: &Region, watches: &[Watch]) -> Outcome<()> {
    let named = ["begin", "end"];
    let timed = watches.iter().any(|watch| watch.timed);
    for (side, edge) in region.edges().into_iter().enumerate() {
        match edge {
            Some(Border::Seconds(seconds)) if !timed => {
                let sentence = format!("has no times, which {}={seconds} needs", named[side]);
                let hint = format!("name a call instead, such as {}=\"barrier:1\"", named[side]);
                return Err(Fault::say(&codes::MISSING, place, sentence).hint(hint).into());
            }
            Some(Border::Call { name, number }) => {
                if let Some((rank, watch)) = watches.iter().enumerate().find(|(_, watch)| watch.at[side].is_none()) {
                    let (seen, side) = (watch.seen[side], named[side]);
                    let sentence = format!("has {seen} {name}, and the region of interest {side}s at number {number}");
                    let hint = "netloom describe lists the calls of a trace; every rank needs the one that is named";
                    let place = format!("{place}: rank {rank}");
                    return Err(Fault::say(&codes::MISSING, place, sentence).hint(hint).into());
                }
            }
            _ => {}
        }
    }
    let begins = |watch: &Watch| region.begin.is_none() || watch.at[0].is_some();
    if region.begin.as_ref().is_some_and(Border::is_time) && !watches.iter().any(begins) {
        let last = watches.iter().map(|watch| watch.clock).fold(0.0, f64::max);
        let expected = format!("a begin within the record, whose last event begins at {last} s");
        return Err(Fault::new(&codes::VALUE, place, expected, region.words()).into());
    }
    let turned = |watch: &Watch| match watch.at {
        [Some(begin), Some(end)] => begin > end,
        // It ends, and has not begun.
        [None, Some(_)] => region.begin.is_some() && !region.begin.as_ref().is_some_and(Border::is_time),
        _ => false,
    };
    if let Some(rank) = watches.iter().position(turned) {
        let sentence = format!("the region of interest {} ends before it begins", region.words());
        let place = format!("{place}: rank {rank}");
        return Err(Fault::say(&codes::VALUE, place, sentence).hint("give a later end").into());
    }
    Ok(())
}

//! A record of which a region of interest is taken: which events, tasks and actions are inside.

use netloom_model::{Op, Outcome};

use super::cut::{CutRank, CutThrough, cut};
use super::event::Event;
use super::graph::TaskGraph;
use super::refused::Refused;
use super::{Recording, region};

impl Recording {
    /// Adds an event, cut in two where an edge lies within it.
    pub(super) fn add_watched(&mut self, rank: u32, group: u32, event: Event) -> Result<(), Refused> {
        let (name, actions) = (region::name_of(&event), self.actions_of(rank));
        let watch = &mut self.watches[rank as usize];
        if let Event::Sleep(seconds) = event
            && let Some(at) = watch.edge_within(&self.scale.region, seconds)
        {
            // The part before the edge, then the rest.
            let before = at - watch.clock;
            self.put_watched(rank, group, Event::Sleep(before))?;
            self.watches[rank as usize].clock = at;
            return self.add_watched(rank, group, Event::Sleep(seconds - before));
        }
        watch.step(&self.scale.region, name, actions);
        self.put_watched(rank, group, event)
    }

    /// Adds an event of a rank that has not come to an edge within it.
    fn put_watched(&mut self, rank: u32, group: u32, event: Event) -> Result<(), Refused> {
        let watch = &mut self.watches[rank as usize];
        watch.step(&self.scale.region, None, self.bodies[rank as usize].ops.len());
        let took = std::mem::take(&mut watch.pending);
        match watch.is_inside(&self.scale.region) {
            true => {
                self.survey.count(&event);
                self.survey.spend(&event, took);
            }
            false => watch.outside += 1,
        }
        if let Event::Sleep(seconds) = event {
            watch.clock += seconds;
        }
        self.put(rank, group, event)
    }

    /// The next event of a rank begins so many seconds after its first one.
    pub fn at(&mut self, rank: u32, seconds: f64) {
        if let Some(watch) = self.watches.get_mut(rank as usize) {
            (watch.clock, watch.timed) = (seconds, true);
        }
    }

    /// A rank comes to what its record names, such as a step.
    pub fn mark(&mut self, rank: u32, name: &str) {
        let actions = self.actions_of(rank);
        if let Some(watch) = self.watches.get_mut(rank as usize) {
            watch.step(&self.scale.region, Some(name), actions);
        }
    }

    /// The time that the next event of a rank takes.
    pub fn spend(&mut self, rank: u32, event: &Event, seconds: f64) {
        match self.watches.get_mut(rank as usize) {
            None => self.survey.spend(event, seconds),
            Some(watch) => watch.pending = seconds,
        }
    }

    /// The tasks of a rank, of which those outside are not counted.
    pub(super) fn put_watched_graph(
        &mut self,
        rank: u32,
        mut graph: TaskGraph,
        took: Option<&[f64]>,
        marks: &[(String, f64)],
    ) {
        let watch = &mut self.watches[rank as usize];
        let names: Vec<_> = graph.tasks.iter().map(|task| self.calls.name_of(task.work)).collect();
        let inside = watch.tasks(&self.scale.region.at_marks(marks), &mut graph, took, &names);
        for (at, task) in graph.tasks.iter().enumerate().filter(|(at, _)| !inside[*at]) {
            let seconds = took.and_then(|took| took.get(at)).copied().unwrap_or(0.0);
            self.survey.take_back(names[at], self.calls.bytes_of(task.work), seconds);
        }
        self.held.count(graph.tasks.len());
        self.graphs.insert(rank, (graph, inside));
    }

    /// The actions of all ranks within the region of interest.
    pub(super) fn region(&mut self) -> Outcome<Vec<Vec<Op>>> {
        let region = &self.scale.region;
        region::check(&self.place, region, &self.watches)?;
        let mut all = Vec::with_capacity(self.bodies.len());
        for (body, watch) in self.bodies.iter_mut().zip(&self.watches) {
            if let Some((graph, inside)) = self.graphs.remove(&body.rank) {
                all.push(CutRank::Graph { graph, inside });
                continue;
            }
            let mut edges = watch.at.map(|at| at.unwrap_or(usize::MAX));
            let ops = body.end(&mut edges);
            let begin = if region.begin.is_none() { 0 } else { edges[0].min(ops.len()) };
            let end = edges[1].min(ops.len());
            all.push(CutRank::Line { ops, inside: begin..end.max(begin) });
        }
        let outside: u64 = self.watches.iter().map(|watch| watch.outside).sum();
        let (made, CutThrough { came, went, collectives }) = cut(all);
        let words = region.words();
        self.survey.note(&format!("the region of interest goes {words}: {outside} events outside it are left out"));
        for (number, what) in [
            (came, "messages were sent outside the region and are received in it: they count as there"),
            (went, "messages are sent in the region and received outside it: they are left out"),
            (collectives, "collectives that some members enter outside the region are left out"),
        ] {
            if number > 0 {
                self.survey.note(&format!("{number} {what}"));
            }
        }
        Ok(made)
    }
}

//! Next hops as the routing answers, and their rows.

use netloom_model::{Refusal, Split, Step};

use super::{Hops, THERE};
use crate::routes::known::{Answered, Choice, Known, TOO_MANY};

impl Hops<'_> {
    /// Asks for the next hops from `place`: they are in `asked` until the next question.
    pub(super) fn ask(&mut self, place: u64, destination: u32) {
        self.ask_for(place, destination, true);
    }

    /// As [`Hops::ask`], without weights.
    pub(super) fn look(&mut self, place: u64, destination: u32) {
        self.ask_for(place, destination, false);
    }

    fn ask_for(&mut self, place: u64, destination: u32, weighted: bool) {
        let routing = self.routing;
        let place = self.named(place);
        let Answered { mut choices, mut weights, .. } = std::mem::take(&mut self.asked);
        choices.clear();
        weights.clear();
        if place == THERE {
            self.asked = Answered { choices, weights, left: 0 };
            return;
        }
        let way = routing.towards(destination);
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        let left = match &self.escape {
            Some(escape) => escape.steps(self.network, routing, place, destination, &mut found),
            None => {
                way.steps(place, &mut found);
                way.remaining(place)
            }
        };
        if found.is_empty() && left != 0 && self.fault.is_none() {
            self.fault = Some(routing.refuse(place as u32 % self.network.switches(), destination, Refusal::NoPath));
        }
        if weighted
            && self.escape.is_none()
            && found.len() > 1
            && routing.split() == Split::Paths
            && !way.weights(place, &found, &mut weights)
        {
            let counts: Vec<f64> = found.iter().map(|step| self.paths(&*way, step.place, destination)).collect();
            let most = counts.iter().copied().fold(1.0, f64::max);
            // Whole numbers as they are; beyond 2^50 paths in proportion.
            let scale = if most > TOO_MANY { TOO_MANY / most } else { 1.0 };
            weights.clear();
            weights.extend(counts.iter().map(|count| ((count * scale) as u64).max(1)));
        }
        if weights.windows(2).all(|pair| pair[0] == pair[1]) {
            weights.clear();
        }
        let classes = self.classes;
        let class = |channel: u8| if classes == 1 { 0 } else { channel.min(classes - 1) };
        for step in &mut found {
            step.channel = class(step.channel);
            if classes == 1 {
                step.place = way.on_links(step.place);
            }
        }
        for Step { link, channel, place } in &found {
            let link = self.links.get(*link as usize).copied().unwrap_or(*link);
            choices.push(Choice { link, class: *channel, place: self.hold(*place) });
        }
        self.scratch = found;
        self.asked = Answered { choices, weights, left };
    }

    /// The row of what was asked last.
    pub(super) fn number(&mut self) -> u32 {
        let alike = self.known.same.entry(self.asked.key()).or_default();
        if let Some(&row) = alike.iter().find(|row| self.asked.is(&self.known.rows[**row as usize])) {
            return row;
        }
        let row = self.known.rows.len() as u32;
        alike.push(row);
        self.known.rows.push(Known::new(&self.asked));
        row
    }

    /// Paths from `place`, counted once per place.
    fn paths(&mut self, way: &dyn netloom_model::Way, place: u64, destination: u32) -> f64 {
        if way.remaining(place) == 0 {
            return 1.0;
        }
        if let Some(&count) = self.counts.get(&(place, destination)) {
            return count;
        }
        let mut next = Vec::new();
        way.steps(place, &mut next);
        let count = next.iter().map(|step| self.paths(way, step.place, destination)).sum();
        self.counts.insert((place, destination), count);
        count
    }
}

//! Rows of next hops, as the routing answers.

use std::sync::Arc;

use netloom_model::{Refusal, Split, Step};

use super::{Hops, THERE};
use crate::routes::known::{Choice, Known, TOO_MANY};

impl Hops<'_> {
    #[cold]
    pub(super) fn ask(&mut self, place: u64, destination: u32) -> Known {
        let routing = self.routing;
        let place = self.named(place);
        if place == THERE {
            return Known::default();
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
        let mut weights = Vec::new();
        if self.escape.is_none()
            && found.len() > 1
            && routing.split() == Split::Paths
            && !way.weights(place, &found, &mut weights)
        {
            let counts: Vec<f64> = found.iter().map(|step| self.paths(&*way, step.place, destination)).collect();
            let most = counts.iter().copied().fold(1.0, f64::max);
            // Whole numbers as they are; beyond 2^50 paths in proportion.
            let scale = if most > TOO_MANY { TOO_MANY / most } else { 1.0 };
            weights = counts.iter().map(|count| ((count * scale) as u64).max(1)).collect();
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
        let links = Arc::clone(&self.links);
        let number = |s: &Step| links.get(s.link as usize).copied().unwrap_or(s.link);
        let choice = |s: &Step| Choice { link: number(s), class: s.channel, place: self.hold(s.place) };
        let choices = found.iter().map(choice).collect();
        self.scratch = found;
        Known::new(choices, weights, left)
    }

    pub(super) fn number(&mut self, known: Known) -> u32 {
        let alike = self.same.entry(known.key()).or_default();
        if let Some(&row) = alike.iter().find(|row| self.rows[**row as usize] == known) {
            return row;
        }
        let row = self.rows.len() as u32;
        alike.push(row);
        self.rows.push(known);
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

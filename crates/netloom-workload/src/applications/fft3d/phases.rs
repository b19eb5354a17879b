//! What every rank does: for each phase, object after object, it waits for what comes, transforms its lines and sends.

use netloom_model::{Collective, Fault, Outcome, Programs};

use super::decomposition::{Decomposition, Layout, Reshape};
use super::objects::Objects;
use crate::applications::weave::{Body, Everywhere, Grid as Groups, Passed, Setup};
use crate::codes;

/// Operations of a line of n points, over n log2 n.
const OPERATIONS: f64 = 5.0;

/// A layout, how often its lines are transformed, and the reshape that brought its data there, which a backward transform goes
/// against the arrow.
struct Phase {
    layout: Layout,
    times: u32,
    before: Option<(Reshape, bool)>,
}

/// The phases of a transform in order.
fn phases(grid: &Decomposition, direction: &str) -> Vec<Phase> {
    let reshapes: &[Reshape] = match grid.has_bricks() {
        true => &[Reshape::In, Reshape::First, Reshape::Second, Reshape::Out],
        false => &[Reshape::First, Reshape::Second],
    };
    let lines = |layout: Layout| u32::from(layout != Layout::Bricks);
    let mut all = Vec::new();
    let first = reshapes[0].ends().0;
    let last = reshapes[reshapes.len() - 1].ends().1;
    if direction != "backward" {
        all.push(Phase { layout: first, times: lines(first), before: None });
        all.extend(reshapes.iter().map(|reshape| Phase {
            layout: reshape.ends().1,
            times: lines(reshape.ends().1),
            before: Some((*reshape, false)),
        }));
    }
    if direction != "forward" {
        match all.last_mut() {
            // Where a transform forward ended, the one backward begins.
            Some(turn) => turn.times *= 2,
            None => all.push(Phase { layout: last, times: lines(last), before: None }),
        }
        all.extend(reshapes.iter().rev().map(|reshape| Phase {
            layout: reshape.ends().0,
            times: lines(reshape.ends().0),
            before: Some((*reshape, true)),
        }));
    }
    all
}

/// What an object gets in a reshape, or sends.
fn gets(grid: &Decomposition, (reshape, back): (Reshape, bool), object: u32) -> Vec<(u32, u64)> {
    if back { grid.sends(reshape, object) } else { grid.gets(reshape, object) }
}

fn sends(grid: &Decomposition, (reshape, back): (Reshape, bool), object: u32) -> Vec<(u32, u64)> {
    if back { grid.gets(reshape, object) } else { grid.sends(reshape, object) }
}

/// Where a reshape comes from.
fn origin((reshape, back): (Reshape, bool)) -> Layout {
    if back { reshape.ends().1 } else { reshape.ends().0 }
}

struct Writer<'a> {
    grid: &'a Decomposition,
    objects: &'a Objects,
    phases: Vec<Phase>,
    instances: u32,
    /// Objects of all ranks.
    all: u32,
    bytes: u64,
    /// Of each phase, in place of its messages.
    calls: Vec<Option<CollectiveExchange>>,
}

/// A reshape as ranks of a row or column do it together.
#[derive(Clone, Copy)]
enum CollectiveExchange {
    Alltoall(Option<Everywhere>),
    Pairwise,
}

/// O(messages).
pub(super) fn write(setup: &Setup, grid: &Decomposition, objects: &Objects, bytes: u64) -> Outcome<Programs> {
    let bound = setup.bound;
    let phases = phases(grid, bound.text("direction"));
    let (instances, all) = (bound.int("instances") as u32, (grid.a * grid.b) as u32);
    let tags = u64::from(all) * u64::from(instances) * phases.len() as u64;
    if tags > u64::from(u32::MAX) {
        let sentence = format!("{all} objects, {instances} times, have more messages than there are tags");
        return Err(Fault::say(&codes::APPLICATION_LARGE, "fft3d", sentence).hint("use fewer instances").into());
    }
    let mut calls = setup.calls();
    let mut exchanges = Vec::new();
    for phase in &phases {
        exchanges.push(match phase.before {
            Some((reshape @ (Reshape::First | Reshape::Second), _)) => match bound.text("exchange") {
                "alltoall" => {
                    let largest =
                        (0..all).flat_map(|object| grid.sends(reshape, object)).map(|(_, points)| points).max();
                    let (stride, extent) = grid.group(reshape);
                    let (each, groups) = (largest.unwrap_or(0) * bytes, Groups::Lines { stride, extent });
                    Some(CollectiveExchange::Alltoall(calls.each(Collective::Alltoall, each, 0, groups)?))
                }
                "alltoallv" => Some(CollectiveExchange::Pairwise),
                _ => None,
            },
            _ => None,
        });
    }
    let writer = Writer { grid, objects, phases, instances, all, bytes, calls: exchanges };
    let counted = writer.operations() * f64::from(instances);
    setup.weave(calls, counted, |rank, body| writer.body(rank, body))
}

fn of_lines((lines, points): (u64, u64)) -> f64 {
    OPERATIONS * lines as f64 * points as f64 * (points as f64).log2()
}

impl Writer<'_> {
    /// Of one instance.
    fn operations(&self) -> f64 {
        let of = |phase: &Phase| {
            let one: f64 = (0..self.all).map(|object| of_lines(self.grid.lines(phase.layout, object))).sum();
            one * f64::from(phase.times)
        };
        self.phases.iter().map(of).sum()
    }

    /// Messages between two ranks have tags of their own: phase, instance, and the object that gets it. Of one object they are
    /// matched in the order of the objects that send.
    fn tag(&self, phase: usize, instance: u32, object: u32) -> u32 {
        (phase as u32 * self.instances + instance) * self.all + object
    }

    fn body(&self, rank: u32, body: &mut Body) {
        // Receives of all messages stand before anything else: none comes unexpected.
        let mut posted = 0u32;
        let mut waits = Vec::new();
        for (at, phase) in self.phases.iter().enumerate() {
            for instance in 0..self.instances {
                for &object in self.objects.of(phase.layout, rank) {
                    let start = posted;
                    if let (Some(before), None) = (phase.before, self.calls[at]) {
                        for (from, points) in gets(self.grid, before, object) {
                            let peer = self.objects.rank(origin(before), from);
                            body.start_receive(peer, self.tag(at, instance, object), points * self.bytes);
                            posted += 1;
                        }
                    }
                    waits.push(start..posted);
                }
            }
        }
        let mut started = posted;
        let mut waits = waits.into_iter();
        for (at, phase) in self.phases.iter().enumerate() {
            for instance in 0..self.instances {
                for &object in self.objects.of(phase.layout, rank) {
                    if let (Some(before), Some(exchange)) = (phase.before, self.calls[at]) {
                        started += self.exchange(before, exchange, (at, instance, object), body);
                    }
                    waits.next().unwrap_or_default().for_each(|request| body.wait(started - request));
                    let operations = of_lines(self.grid.lines(phase.layout, object));
                    body.work(operations * f64::from(phase.times));
                    let next = self.phases.get(at + 1).and_then(|next| next.before);
                    if let (Some(next), None) = (next, self.calls.get(at + 1).copied().flatten()) {
                        let layout = self.phases[at + 1].layout;
                        let mut to = sends(self.grid, next, object);
                        // The rank after this one comes first, this one last, as in heFFTe.
                        to.sort_by_key(|(to, _)| self.objects.rank(layout, *to).wrapping_sub(rank + 1));
                        for (to, points) in to {
                            let peer = self.objects.rank(layout, to);
                            body.start_send(peer, self.tag(at + 1, instance, to), points * self.bytes);
                            started += 1;
                        }
                    }
                }
            }
        }
        if started > 0 {
            body.wait_all();
        }
    }

    /// A reshape among the ranks of a row or column, of which each has one object. Requests that it started.
    fn exchange(
        &self,
        before: (Reshape, bool),
        exchange: CollectiveExchange,
        (at, instance, object): (usize, u32, u32),
        body: &mut Body,
    ) -> u32 {
        if let CollectiveExchange::Alltoall(call) = exchange {
            body.call(call);
            return 0;
        }
        let (tag, own) = (self.tag(at, instance, 0), object);
        let (to, from) = (sends(self.grid, before, own), gets(self.grid, before, own));
        let (stride, extent) = self.grid.group(before.0);
        let (place, first) = (own / stride % extent, own - own / stride % extent * stride);
        let member = |at: u32| first + at % extent * stride;
        let passed = |list: &[(u32, u64)], peer: u32| {
            let at = list.binary_search_by_key(&peer, |(object, _)| *object).ok()?;
            Some(Passed { peer, bytes: list[at].1 * self.bytes })
        };
        let mut started = 0;
        for round in 0..extent {
            let came = passed(&from, member(place + extent - round));
            let goes = passed(&to, member(place + round));
            started += u32::from(came.is_some()) + u32::from(goes.is_some_and(|goes| goes.peer == own));
            body.pass(tag, came, goes);
        }
        started
    }
}

//! Cartesian traffic onto a grid network, by whole axes instead of single ranks.
//!
//! Pairwise exchanges cannot rotate a grid: from a row-major start every exchange makes it worse. Here the axes of both grids
//! are split into prime digits, and the digits of a rank's coordinates become, permuted, the digits of its switch's
//! coordinates (the box operations of Rubik, Bhatele et al. 2012, are of this kind). Coordinates are written in reflected
//! mixed-radix Gray code where that helps, so that a folded axis has no seam. First every order of the axes, then a
//! random descent over digits, orders and reflections.

mod boxes;
mod digits;

use netloom_model::mixed_radix::next_order;
use netloom_model::{Fault, Kind, Outcome, Param, Stream};

use crate::codes;
use crate::row::{Optimiser, OptimiserRow, Run, SEED};
use crate::walk::Found;
use boxes::Host;
use digits::Layout;

/// Default number of layouts that are tried.
pub const TRIES: u64 = 2000;

pub const ROW: OptimiserRow = OptimiserRow {
    name: "grid",
    aliases: &["axes", "cartesian"],
    summary: "Maps a Cartesian grid of ranks onto a grid network by permuting, splitting and folding whole axes.",
    params: &[Param::optional("tries", Kind::Int { min: 1, max: 1 << 32 }, "2000", "layouts that are tried"), SEED],
    example: "grid(tries=100)",
    restrictions: "a stencil pattern onto a torus, mesh or HyperX with the same number of endpoints on each switch; the \
                   slots form a box",
    source: "box mappings after Bhatele et al. 2012 (Rubik), and Jain 2016 §3.1",
    build: Optimiser { run, leads: false },
};

fn run(run: &Run<'_>) -> Outcome<Found> {
    find(run, run.args.int("tries") as u64).ok_or_else(|| {
        let sentence = why_not(run);
        Fault::say(&codes::NO_GRID, run.prepared.problem.network.label(), sentence)
            .hint("use auto, which needs no grid")
            .into()
    })
}

fn why_not(run: &Run<'_>) -> &'static str {
    if run.prepared.problem.network.structure().grid.is_none() {
        "the network is not a grid"
    } else if run.prepared.problem.traffic.grid.is_none() {
        "the traffic does not come from a grid of ranks"
    } else {
        "the slots do not form a box with as many places as there are ranks, alike on every switch"
    }
}

/// The best layout, or nothing where the method does not apply. O(tries × guest edges).
pub(crate) fn find(run: &Run<'_>, tries: u64) -> Option<Found> {
    let (dims, _) = run.prepared.problem.traffic.grid.as_ref()?;
    let ranks: u64 = dims.iter().map(|d| u64::from(*d)).product();
    if ranks != u64::from(run.prepared.ranks()) || ranks < 2 {
        return None;
    }
    let host = Host::of(run.prepared)?;
    let mut stream = Stream::new(run.seed(), "grid");
    let mut search = LayoutSearch { run, host: &host, best: None, tries: 0, most: tries, scratch: Vec::new() };
    let boxes = host.boxes(ranks);
    for extents in &boxes {
        search.axis_orders(dims, extents);
    }
    search.descend(&mut stream);
    let (_, layout) = search.best?;
    let tried = search.tries;
    let mut walk = run.walk_from(&host.slots(&layout));
    walk.evaluations = tried;
    let mut found = walk.finish();
    found.accepted = 1;
    let start = run.walk().finish();
    found.trace.insert(0, start.trace[0]);
    found.trace.dedup_by_key(|p| p.evaluations);
    // Never worse than the start.
    Some(if start.value < found.value { Found { evaluations: tried, ..start } } else { found })
}

struct LayoutSearch<'r, 'p> {
    run: &'r Run<'p>,
    host: &'r Host,
    best: Option<(i64, Layout)>,
    tries: u64,
    most: u64,
    scratch: Vec<u32>,
}

/// Axes of one grid whose orders are all tried.
const ALL_ORDERS: usize = 5;

impl LayoutSearch<'_, '_> {
    fn over(&self) -> bool {
        let ideal = self.best.as_ref().is_some_and(|b| b.0 as u64 * self.run.prepared.guest.unit <= self.run.bound);
        ideal || self.tries >= self.most || self.run.progress.stopped()
    }

    /// Weighted hops of a layout, in units of the guest. O(edges).
    fn cost(&mut self, layout: &Layout) -> i64 {
        self.tries += 1;
        self.host.sites(layout, &mut self.scratch);
        let prepared = self.run.prepared;
        let sites = &self.scratch;
        let twice: i64 = (0..prepared.ranks())
            .map(|rank| {
                let row = prepared.row(sites[rank as usize]);
                let edges = prepared.guest.row(rank);
                let partners = prepared.guest.neighbours[edges.clone()].iter().zip(&prepared.guest.weights[edges]);
                partners.map(|(v, w)| w * i64::from(row[sites[*v as usize] as usize])).sum::<i64>()
            })
            .sum();
        twice / 2
    }

    fn consider(&mut self, layout: Layout) {
        let cost = self.cost(&layout);
        if self.best.as_ref().is_none_or(|b| cost <= b.0) {
            self.best = Some((cost, layout));
        }
    }

    /// All orders of the guest's axes with the box's axes in their given order, plain and reflected.
    fn axis_orders(&mut self, dims: &[u32], extents: &[u32]) {
        let mut order: Vec<usize> = (0..dims.len()).collect();
        loop {
            for reflected in [false, true] {
                if self.over() {
                    return;
                }
                if let Some(layout) = Layout::in_order(dims, extents, &order, reflected) {
                    self.consider(layout);
                }
            }
            if dims.len() > ALL_ORDERS || !next_order(&mut order) {
                return;
            }
        }
    }

    /// Random changes of the best layout; changes that are not worse are kept, and after a long time without improvement
    /// several changes at once are tried.
    fn descend(&mut self, stream: &mut Stream) {
        let mut still = 0;
        while !self.over() {
            let Some((before, layout)) = self.best.clone() else { return };
            let mut next = layout;
            let changes = 1 + stream.below(1 + (still / 50).min(5));
            for _ in 0..changes {
                next.change(stream);
            }
            self.consider(next);
            self.run.progress.add(1);
            still = if self.best.as_ref().is_some_and(|b| b.0 < before) { 0 } else { still + 1 };
        }
    }
}

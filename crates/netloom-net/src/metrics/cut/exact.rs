//! The largest cut of all: by greatest flows where demand is a sum over ranks, by trying all sets of few switches for
//! the alltoall.

use netloom_model::{Collective, Progress};

use super::best::Best;
use super::flow::{Edge, Flow};
use super::machine::Machine;
use super::question::{CutQuestion, demand};

/// Targets times arcs of the flows: 2^24 take about a second.
pub const EFFORT: u64 = 1 << 26;
/// Most switches whose subsets are all tried.
const FEW: u32 = 16;

/// Improves `best`; true if no remaining cut requires more.
pub fn improve(machine: &Machine<'_>, question: &CutQuestion, best: &mut Best, progress: &Progress) -> bool {
    match question.collective {
        Collective::Allgather | Collective::ReduceScatter => gathering(machine, best, progress),
        Collective::Gather | Collective::Scatter => rooted(machine, question, best, progress),
        Collective::Broadcast | Collective::Reduce => spreading(machine, question.root, best, progress),
        Collective::Allreduce => {
            spreading(machine, 0, best, progress);
            false
        }
        Collective::Scan | Collective::Exscan => {
            spreading(machine, 0, best, progress);
            false
        }
        Collective::Alltoall => subsets(machine, question, best, progress),
        Collective::Barrier => true,
    }
}

/// The targets that the effort allows, spread evenly, and whether those are all.
fn affordable(machine: &Machine<'_>, targets: &[u32]) -> (Vec<u32>, bool) {
    let arcs = 2 * machine.edges.len() as u64 + u64::from(machine.ranks);
    let most = (EFFORT / arcs.max(1)).max(1) as usize;
    if targets.len() <= most {
        return (targets.to_vec(), true);
    }
    ((0..most).map(|i| targets[i * targets.len() / most]).collect(), false)
}

/// Allgather: with x per rank fed into every rank from outside, all p·x reach every target if and only if every cut that
/// excludes the target has bandwidth of at least x per rank inside (ForestColl's test). `x` is the smallest ratio found
/// so far; a target that is not reached shows a smaller one (Dinkelbach's method, in whole numbers).
fn gathering(machine: &Machine<'_>, best: &mut Best, progress: &Progress) -> bool {
    let (targets, all) = affordable(machine, &machine.unlike());
    progress.set_total(targets.len() as u64);
    let source = machine.vertices;
    let mut flow = feeding(machine, best, source);
    for target in targets {
        while flow.run(source, target) < u64::from(machine.ranks) * best.capacity {
            if progress.stopped() || !tighten(machine, &flow, best, |inside, _| inside) {
                return false;
            }
            flow = feeding(machine, best, source);
        }
        if progress.stopped() {
            return false;
        }
        progress.add(1);
    }
    all
}

fn feeding(machine: &Machine<'_>, best: &Best, source: u32) -> Flow {
    let feed = |v: u32| Edge { a: source, b: v, there: u64::from(machine.weight[v as usize]) * best.capacity, back: 0 };
    extended(machine, best.demand, feed)
}

/// Gather, scatter: one flow from the root into a drain behind every rank.
fn rooted(machine: &Machine<'_>, question: &CutQuestion, best: &mut Best, progress: &Progress) -> bool {
    let root = machine.home[question.root as usize];
    let others = u64::from(machine.ranks - machine.weight[root as usize]);
    while !progress.stopped() {
        let drain = machine.vertices;
        let share = |v: u32| if v == root { 0 } else { u64::from(machine.weight[v as usize]) * best.capacity };
        let mut flow = extended(machine, best.demand, |v| Edge { a: v, b: drain, there: share(v), back: 0 });
        if flow.run(root, drain) >= others * best.capacity {
            return true;
        }
        if !tighten(machine, &flow, best, |inside, ranks| ranks - inside) {
            return false;
        }
    }
    false
}

/// Broadcast: the smallest of the greatest flows from the root to every rank.
fn spreading(machine: &Machine<'_>, root: u32, best: &mut Best, progress: &Progress) -> bool {
    let root = machine.home[root as usize];
    let mut seen = vec![false; machine.switches as usize];
    let one_per_switch: Vec<u32> = machine
        .home
        .iter()
        .copied()
        .filter(|&v| v != root && !std::mem::replace(&mut seen[machine.switch_of(v) as usize], true))
        .collect();
    let (targets, all) = affordable(machine, &one_per_switch);
    let mut flow = Flow::new(machine.vertices, &machine.edges);
    progress.set_total(targets.len() as u64);
    for target in targets {
        if progress.stopped() {
            return false;
        }
        let capacity = flow.run(root, target);
        best.offer(1, capacity, 2, "smallest greatest flow", || flow.source_side());
        progress.add(1);
    }
    all
}

/// The network with capacities times `factor`, and one edge for every vertex that holds ranks.
fn extended(machine: &Machine<'_>, factor: u64, edge: impl Fn(u32) -> Edge) -> Flow {
    let scaled = |e: &Edge| Edge { there: e.there * factor, back: e.back * factor, ..*e };
    let mut edges: Vec<Edge> = machine.edges.iter().map(scaled).collect();
    edges.extend((0..machine.vertices).filter(|v| machine.weight[*v as usize] > 0).map(edge));
    Flow::new(machine.vertices + 1, &edges)
}

/// The cut that a flow which fell short has found; false if it is no better, which rounding alone could cause.
fn tighten(machine: &Machine<'_>, flow: &Flow, best: &mut Best, asks: impl Fn(u64, u64) -> u64) -> bool {
    let mut inside = flow.source_side();
    inside.truncate(machine.vertices as usize);
    let held: u64 = machine.weight.iter().zip(&inside).filter(|(_, i)| **i).map(|(w, _)| u64::from(*w)).sum();
    let (asked, capacity) = (asks(held, u64::from(machine.ranks)), machine.across(&inside));
    let better = capacity > 0 && best.is_beaten_by(asked, capacity);
    best.offer(asked, capacity, 2, "parametric greatest flow", || inside);
    better
}

/// All sets of switches, and for each the number of endpoints that had better be on the other side of their link.
fn subsets(machine: &Machine<'_>, question: &CutQuestion, best: &mut Best, progress: &Progress) -> bool {
    let n = machine.switches;
    if n > FEW {
        return false;
    }
    let ranks = u64::from(machine.ranks);
    let switch_edges = machine.edges.len() - machine.endpoint_capacity.map_or(0, |_| machine.ranks as usize);
    // The last switch stays outside: a set and its complement are one cut.
    for set in 0u32..1 << (n - 1) {
        if set % 1024 == 0 && progress.stopped() {
            return false;
        }
        let within = |switch: u32| set >> switch & 1 == 1;
        let crossing = machine.edges[..switch_edges].iter().filter(|e| within(e.a) != within(e.b));
        let capacity: u64 = crossing.map(|e| e.there).sum();
        let held: u64 = (0..n).filter(|s| within(*s)).map(|s| u64::from(machine.below[s as usize])).sum();
        best.offer(demand(question, held, ranks, false), capacity, 2, "between two parts of the switches", || {
            (0..machine.vertices).map(|v| within(machine.switch_of(v))).collect()
        });
        let Some(link) = machine.endpoint_capacity else { continue };
        // Endpoints change sides towards equal halves, one link each.
        let (target, step) = (ranks / 2, held < ranks / 2);
        for moved in 1..=held.abs_diff(target) {
            let inside = if step { held + moved } else { held - moved };
            best.offer(inside * (ranks - inside), capacity + moved * link, 2, "endpoints and switches", || {
                let mut left = moved;
                (0..machine.vertices)
                    .map(|v| {
                        let here = within(machine.switch_of(v));
                        let moves = v >= n && left > 0 && here != step;
                        left -= u64::from(moves);
                        here != moves
                    })
                    .collect()
            });
        }
    }
    true
}

//! Parts of a machine with about the same work each, and few packets from one to another.
//!
//! The switches are halved again and again. Halves are pieces of an order of the switches, or what a multilevel cut finds, whichever
//! has fewer packets across, and refined. Switches that are joined by links of short latency stay together as long as the parts
//! can still be balanced, because the latency of the links between parts is how far these can go on alone.

use netloom_model::Stream;
use netloom_model::halves::{Aim, Graph, Sides, cut, refine};

use crate::sets::Sets;

/// All work together.
const WHOLE: u64 = 1 << 30;
/// A half may have this share of the work of both more or less.
const SLACK: u64 = 64;
/// Most edges that are cut from few vertices up; beyond, orders do.
const MULTILEVEL: usize = 1 << 18;
/// Most latencies that are tried.
const LATENCIES: usize = 8;
/// Work of one switch or of some that stay together, at most, in eighths of a part.
const HEAVIEST: u64 = 9;

/// A link as division sees it: the switches at its ends, what it carries, and how long it takes at least.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    pub ends: (u32, u32),
    pub packets: u64,
    pub latency_ps: u64,
}

/// The part of every switch. A window is hardly longer than `last`, if that is not 0,
/// so that longer latencies are worth no more. O(links log links × log parts), and for networks of up to some hundred thousand links a
/// constant of some ten.
///
/// # Errors
/// The number of pieces to which links without latency join the switches, if there are fewer of them than parts.
pub fn divide(switches: u32, ties: &[Tie], parts: u16, last: u64) -> Result<Vec<u16>, u32> {
    let work = work(switches, ties);
    let cap = |latency: u64| if last > 0 { latency.min(last) } else { latency };
    let mut latencies: Vec<u64> =
        ties.iter().filter(|tie| tie.ends.0 != tie.ends.1).map(|tie| cap(tie.latency_ps)).collect();
    latencies.sort_unstable_by(|a, b| b.cmp(a));
    latencies.dedup();
    latencies.retain(|latency| *latency > 0);
    latencies.truncate(LATENCIES);
    let share = WHOLE / u64::from(parts);
    for latency in latencies {
        let (cluster, count) = joined(switches, ties, latency);
        let mut sums = vec![0; count as usize];
        cluster.iter().zip(&work).for_each(|(c, work)| sums[*c as usize] += u64::from(*work));
        if count >= u32::from(parts) && sums.iter().all(|sum| *sum <= share / 8 * HEAVIEST) {
            return Ok(spread(&cluster, count, ties, &sums, parts));
        }
    }
    let (cluster, count) = joined(switches, ties, 1);
    let mut sums = vec![0; count as usize];
    cluster.iter().zip(&work).for_each(|(c, work)| sums[*c as usize] += u64::from(*work));
    if count < u32::from(parts) { Err(count) } else { Ok(spread(&cluster, count, ties, &sums, parts)) }
}

/// Work of every switch, in shares of [`WHOLE`]: packets over the links that leave it; a little of it equal for all, so that
/// those without any are spread too.
fn work(switches: u32, ties: &[Tie]) -> Vec<u32> {
    let mut packets = vec![0u128; switches as usize];
    ties.iter().for_each(|tie| packets[tie.ends.0 as usize] += u128::from(tie.packets));
    let all = packets.iter().sum::<u128>();
    let (switches, whole) = (u128::from(switches.max(1)), u128::from(WHOLE));
    let even = if all == 0 { whole } else { whole / 64 };
    let of = |packets: &u128| even / switches + (whole - even) * packets / all.max(1);
    packets.iter().map(|packets| of(packets).max(1) as u32).collect()
}

/// The number of what each switch is joined with by links of less than a latency, and how many numbers there are.
fn joined(switches: u32, ties: &[Tie], latency_ps: u64) -> (Vec<u32>, u32) {
    let mut sets = Sets::new(switches);
    for tie in ties.iter().filter(|tie| tie.latency_ps < latency_ps) {
        sets.join(tie.ends.0, tie.ends.1);
    }
    let mut count = 0;
    let mut number = vec![0; switches as usize];
    for switch in 0..switches {
        let root = sets.root(switch);
        if root == switch {
            (number[switch as usize], count) = (count, count + 1);
        } else {
            number[switch as usize] = number[root as usize];
        }
    }
    (number, count)
}

fn spread(cluster: &[u32], count: u32, ties: &[Tie], sizes: &[u64], parts: u16) -> Vec<u16> {
    let mut edges: Vec<(u32, u32, i64)> = Vec::with_capacity(2 * ties.len());
    for tie in ties {
        let (a, b) = (cluster[tie.ends.0 as usize], cluster[tie.ends.1 as usize]);
        if a != b {
            // A packet across is a letter there, and its room one back. An idle link counts a little.
            let weight = 1 + 2 * tie.packets.min(1 << 38) as i64;
            edges.extend([(a, b, weight), (b, a, weight)]);
        }
    }
    edges.sort_unstable_by_key(|(a, b, _)| (*a, *b));
    edges.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        kept.2 += if same { next.2 } else { 0 };
        same
    });
    let mut graph = Graph::default();
    let mut rest = &edges[..];
    for vertex in 0..count {
        graph.push(sizes[vertex as usize] as u32, 0);
        let row = rest.partition_point(|edge| edge.0 == vertex);
        rest[..row].iter().for_each(|(_, to, weight)| graph.edge(*to, *weight));
        rest = &rest[row..];
    }
    let mut of_cluster = vec![0; count as usize];
    halve(&graph, &(0..count).collect::<Vec<_>>(), (0, parts), &mut of_cluster);
    cluster.iter().map(|cluster| of_cluster[*cluster as usize]).collect()
}

/// Parts from `first` on for the vertices of a graph, whose numbers in the whole are `members`.
fn halve(graph: &Graph, members: &[u32], (first, parts): (u16, u16), part: &mut [u16]) {
    if parts <= 1 {
        members.iter().for_each(|member| part[*member as usize] = first);
        return;
    }
    let near = parts / 2;
    let size = graph.size();
    let aim = Aim { near: size * u64::from(near) / u64::from(parts), slack: size / u64::from(parts) / SLACK };
    let orders = [(0..graph.vertices()).collect(), breadth_first(graph)];
    let mut found: Vec<Sides> = orders.iter().map(|order| piece(graph, order, aim)).collect();
    found.iter_mut().for_each(|sides| refine(graph, sides, aim));
    if graph.ends.len() <= MULTILEVEL {
        found.push(Sides::new(graph, cut(graph, aim, &mut Stream::new(u64::from(first), "parts of a machine"))));
    }
    let Some(best) = found.into_iter().min_by_key(|sides| aim.rate(sides)) else { return };
    for (far, range) in [(false, (first, near)), (true, (first + near, parts - near))] {
        let (graph, members) = side(graph, members, &best.far, far);
        halve(&graph, &members, range, part);
    }
}

/// The first vertices of an order on the near side, as near to the aim as that comes.
fn piece(graph: &Graph, order: &[u32], aim: Aim) -> Sides {
    let mut far = vec![true; order.len()];
    let mut sum = 0;
    for vertex in order {
        let size = u64::from(graph.sizes[*vertex as usize]);
        if sum + size / 2 > aim.near {
            break;
        }
        sum += size;
        far[*vertex as usize] = false;
    }
    Sides::new(graph, far)
}

/// The vertices of one side, and their edges among themselves.
fn side(graph: &Graph, members: &[u32], far: &[bool], which: bool) -> (Graph, Vec<u32>) {
    let mut number = vec![u32::MAX; far.len()];
    let own: Vec<u32> = (0..graph.vertices()).filter(|v| far[*v as usize] == which).collect();
    own.iter().zip(0..).for_each(|(v, n)| number[*v as usize] = n);
    let mut made = Graph::default();
    for &v in &own {
        made.push(graph.sizes[v as usize], 0);
        for (to, weight) in graph.row(v).filter(|(to, _)| number[*to as usize] != u32::MAX) {
            made.edge(number[to as usize], weight);
        }
    }
    (made, own.iter().map(|v| members[*v as usize]).collect())
}

/// All vertices, each after a neighbour where it has one.
fn breadth_first(graph: &Graph) -> Vec<u32> {
    let mut seen = vec![false; graph.vertices() as usize];
    let mut order = Vec::with_capacity(seen.len());
    for start in 0..graph.vertices() {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        let mut at = order.len();
        order.push(start);
        while let Some(&vertex) = order.get(at) {
            at += 1;
            for (next, _) in graph.row(vertex) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    order.push(next);
                }
            }
        }
    }
    order
}

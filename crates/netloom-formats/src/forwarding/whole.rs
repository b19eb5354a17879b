//! Tables with an entry at every switch: routes between endpoints pass only some of them, but a switch answers, too.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use netloom_model::{Forwarding, Network};

const FAR: u32 = u32::MAX;

/// The tables with an entry for every endpoint at every switch, and the links to every switch: those to its first endpoint,
/// or shortest paths. O((columns + switches) · links log switches).
pub fn whole(tables: &Forwarding, network: &Network) -> (Forwarding, Vec<Vec<u32>>) {
    let n = network.switches();
    let mut leads_to = vec![None; tables.columns() as usize];
    for (&column, &switch) in tables.column_of().iter().zip(network.endpoint_switch()) {
        leads_to[column as usize].get_or_insert(switch);
    }
    let mut used = used(tables, network);
    let mut links = Vec::with_capacity(n as usize * leads_to.len());
    for (column, to) in (0u32..).zip(&leads_to) {
        let mut own = tables.column(column).to_vec();
        to.iter().for_each(|to| complete(&mut own, network, *to, &mut used));
        links.extend(own);
    }
    let tables = Forwarding::new(tables.name(), n, tables.column_of().to_vec(), links);
    let mut to_switch = |to: u32| match network.endpoints_of(to).first() {
        Some(&endpoint) => tables.towards(endpoint).to_vec(),
        None => {
            let mut own = vec![Forwarding::NONE; n as usize];
            complete(&mut own, network, to, &mut used);
            own
        }
    };
    let to_switches = (0..n).map(&mut to_switch).collect();
    (tables, to_switches)
}

/// Endpoints that the tables lead over each link. O(columns · switches).
fn used(tables: &Forwarding, network: &Network) -> Vec<u32> {
    let mut weight = vec![0; tables.columns() as usize];
    tables.column_of().iter().for_each(|column| weight[*column as usize] += 1);
    let mut used = vec![0; network.switch_links() as usize];
    for (column, weight) in (0u32..).zip(weight) {
        let there = tables.column(column).iter().filter(|link| **link != Forwarding::NONE);
        there.for_each(|link| used[*link as usize] += weight);
    }
    used
}

/// Gives each switch without a next link the first of a path to `to` that is as short as the other links allow, of equal
/// ones the least used. A switch whose links lead in a circle keeps them. O(links log switches).
fn complete(links: &mut [u32], network: &Network, to: u32, used: &mut [u32]) {
    loop {
        let mut hops = hops(links, network, to);
        let mut queue: BinaryHeap<Reverse<(u32, u32)>> =
            (0u32..).zip(&hops).filter(|(_, hops)| **hops != FAR).map(|(at, hops)| Reverse((*hops, at))).collect();
        let mut filled = false;
        while let Some(Reverse((length, at))) = queue.pop() {
            for link in network.out_links(at) {
                let next = network.heads()[link as usize];
                if hops[next as usize] == FAR && links[next as usize] == Forwarding::NONE {
                    let nearer = |link: &u32| hops[network.heads()[*link as usize] as usize] == length;
                    let best = network.out_links(next).filter(nearer).min_by_key(|link| used[*link as usize]);
                    let entry = best.unwrap_or(network.reverse()[link as usize]);
                    used[entry as usize] += 1;
                    (hops[next as usize], links[next as usize], filled) = (length + 1, entry, true);
                    queue.push(Reverse((length + 1, next)));
                }
            }
        }
        // What was filled may be where the links of others lead.
        if !filled {
            return;
        }
    }
}

/// Hops from every switch to `to` by `links`; [`FAR`] for those that do not arrive. O(switches).
fn hops(links: &[u32], network: &Network, to: u32) -> Vec<u32> {
    let mut hops = vec![FAR; links.len()];
    let mut seen = vec![false; links.len()];
    (hops[to as usize], seen[to as usize]) = (0, true);
    for source in 0..links.len() as u32 {
        let (mut route, mut at) = (Vec::new(), source);
        while !std::mem::replace(&mut seen[at as usize], true) {
            route.push(at);
            match links[at as usize] {
                Forwarding::NONE => break,
                link => at = network.heads()[link as usize],
            }
        }
        let mut length = hops[at as usize];
        if length != FAR {
            for &switch in route.iter().rev() {
                length += 1;
                hops[switch as usize] = length;
            }
        }
    }
    hops
}

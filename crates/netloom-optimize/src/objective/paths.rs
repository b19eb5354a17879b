//! The one path of every pair of sites, in CSR form.

use std::sync::Arc;

use netloom_model::{Fault, Outcome};
use rayon::prelude::*;

use super::too_large;
use crate::codes;
use crate::prepared::Prepared;

/// Shared by all copies of an objective.
#[derive(Clone)]
pub struct PathTable {
    sites: usize,
    /// Switch links of the network.
    pub links: usize,
    offsets: Arc<Vec<u32>>,
    on_path: Arc<Vec<u32>>,
}

/// Most pairs of sites.
const PAIR_LIMIT: u64 = 1 << 26;

impl PathTable {
    /// Queries the routing for every pair of sites. O(sites² × path length).
    ///
    /// # Errors
    /// `NL-O005` without a deterministic routing, `NL-A009` for more than 2^13 sites or 2^32 links in all paths, and
    /// those of the routing.
    pub fn new(prepared: &Prepared<'_>) -> Outcome<PathTable> {
        let label = prepared.problem.network.label();
        let Some(routing) = prepared.problem.routing.filter(|r| r.is_deterministic()) else {
            let sentence = "this objective follows every message along one path";
            return Err(Fault::say(&codes::NEEDS_ROUTING, label, sentence).hint("use single-minimal").into());
        };
        let sites = prepared.switches.len();
        let pairs = sites as u64 * sites as u64;
        if pairs > PAIR_LIMIT {
            return Err(too_large(label, "paths between switches", pairs).into());
        }
        let row = |&source: &u32| -> Outcome<(Vec<u32>, Vec<u32>)> {
            let (mut ends, mut links, mut paths) = (Vec::with_capacity(sites), Vec::new(), Vec::new());
            for &destination in &prepared.ends {
                routing.paths(source, destination, &mut paths)?;
                paths.iter().take(1).for_each(|p| links.extend(&p.links));
                ends.push(links.len() as u32);
            }
            Ok((ends, links))
        };
        let rows: Vec<(Vec<u32>, Vec<u32>)> = prepared.switches.par_iter().map(row).collect::<Outcome<_>>()?;
        let all: u64 = rows.iter().map(|r| r.1.len() as u64).sum();
        if all > u64::from(u32::MAX) {
            return Err(too_large(label, "links in all paths", all).into());
        }
        let (mut offsets, mut on_path) = (vec![0u32], Vec::with_capacity(all as usize));
        for (ends, links) in rows {
            let first = on_path.len() as u32;
            offsets.extend(ends.iter().map(|e| first + e));
            on_path.extend(links);
        }
        let links = prepared.problem.network.switch_links() as usize;
        Ok(PathTable { sites, links, offsets: Arc::new(offsets), on_path: Arc::new(on_path) })
    }

    /// Links from one site to another.
    #[inline]
    pub fn between(&self, from: u32, to: u32) -> &[u32] {
        let pair = from as usize * self.sites + to as usize;
        &self.on_path[self.offsets[pair] as usize..self.offsets[pair + 1] as usize]
    }
}

/// For each rank, the messages it sends or receives, in CSR form.
#[derive(Clone)]
pub struct Touching {
    offsets: Vec<u32>,
    messages: Vec<u32>,
}

impl Touching {
    /// `ends` are the source and destination of each message; `rows` ranks and fillers. O(messages).
    pub fn new(ends: &[(u32, u32)], rows: u32) -> Touching {
        let mut offsets = vec![0u32; rows as usize + 1];
        for &(src, dst) in ends {
            offsets[src as usize + 1] += 1;
            offsets[dst as usize + 1] += 1;
        }
        for i in 0..rows as usize {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut messages = vec![0; 2 * ends.len()];
        for (i, &(src, dst)) in ends.iter().enumerate() {
            for rank in [src, dst] {
                messages[next[rank as usize] as usize] = i as u32;
                next[rank as usize] += 1;
            }
        }
        Touching { offsets, messages }
    }

    /// Calls `visit` once for every message that touches `a` or `b`.
    #[inline]
    pub fn each(&self, ends: &[(u32, u32)], a: u32, b: u32, mut visit: impl FnMut(usize)) {
        let of = |r: u32| &self.messages[self.offsets[r as usize] as usize..self.offsets[r as usize + 1] as usize];
        of(a).iter().for_each(|&m| visit(m as usize));
        for &m in of(b) {
            let (src, dst) = ends[m as usize];
            if src != a && dst != a {
                visit(m as usize);
            }
        }
    }
}

/// Where `rank` would be if `a` and `b` had exchanged their sites.
#[inline]
pub fn after(sites: &[u32], rank: u32, a: u32, b: u32) -> u32 {
    let stands_at = if rank == a {
        b
    } else if rank == b {
        a
    } else {
        rank
    };
    sites[stands_at as usize]
}

//! The paths of every pair of sites, in CSR form: one path, or the links of all with their shares.

use std::sync::{Arc, OnceLock};

use netloom_model::{Fault, Outcome, PathList, Progress, Routing};
use rayon::prelude::*;

use super::score::too_large;
use crate::codes;
use crate::each::FEW_SITES;
use crate::prepared::Prepared;

/// Shared by all copies of an objective.
#[derive(Clone)]
pub struct PathTable {
    sites: usize,
    /// Switch links of the network.
    pub links: usize,
    offsets: Arc<Vec<u32>>,
    on_path: Arc<Vec<u32>>,
    /// Share of a message on each of these links; empty where every pair has one path.
    shares: Arc<Vec<f32>>,
}

/// A table made once for all searches that share it.
#[derive(Clone, Default)]
pub(crate) struct SharedPaths(Arc<OnceLock<PathTable>>);

impl SharedPaths {
    /// The table as [`PathTable::new`] makes it, for a routing that may have several paths. O(sites² × paths × path length) once.
    ///
    /// # Errors
    /// `NL-O005` without a routing, and those of [`PathTable::new`].
    pub fn table(&self, prepared: &Prepared<'_>) -> Outcome<PathTable> {
        let Some(routing) = prepared.problem.routing else {
            let sentence = "this objective follows every message along its paths";
            return Err(Fault::say(&codes::NEEDS_ROUTING, prepared.problem.network.label(), sentence).into());
        };
        if let Some(made) = self.0.get() {
            return Ok(made.clone());
        }
        let made = PathTable::of(prepared, routing)?;
        Ok(self.0.get_or_init(|| made).clone())
    }

    /// True if the table is made.
    pub fn is_made(&self) -> bool {
        self.0.get().is_some()
    }
}

/// The paths of one source: where each destination's links end, the links, their shares.
type Row = (Vec<u32>, Vec<u32>, Vec<f32>);

/// Most pairs of sites.
const PAIR_LIMIT: u64 = 1 << 26;

impl PathTable {
    /// Queries the routing for every pair of sites. O(sites² × path length).
    ///
    /// # Errors
    /// `NL-O005` without a deterministic routing, `NL-A009` for more than 2^13 sites or 2^32 links in all paths, `NL-O009`
    /// if the search is to end, and those of the routing.
    pub fn new(prepared: &Prepared<'_>) -> Outcome<PathTable> {
        let label = prepared.problem.network.label();
        let Some(routing) = prepared.problem.routing.filter(|r| r.is_deterministic()) else {
            let sentence = "this objective follows every message along one path";
            let hint = "give a routing with one path per pair, as single-minimal, or the objective step-load";
            return Err(Fault::say(&codes::NEEDS_ROUTING, label, sentence).hint(hint).into());
        };
        PathTable::of(prepared, routing)
    }

    fn of(prepared: &Prepared<'_>, routing: &dyn Routing) -> Outcome<PathTable> {
        let label = prepared.problem.network.label();
        let sites = prepared.switches.len();
        let pairs = sites as u64 * sites as u64;
        if pairs > PAIR_LIMIT {
            return Err(too_large(label, "paths between switches", pairs).into());
        }
        let one = routing.is_deterministic();
        let row = |(site, &source): (usize, &u32)| -> Outcome<Row> {
            if prepared.progress.is_some_and(Progress::stopped) {
                let sentence = "the search ended before the paths between all switches were known";
                return Err(Fault::say(&codes::NO_START, label, sentence).hint("give more time").into());
            }
            let (mut ends, mut links, mut shares) = (Vec::with_capacity(sites), Vec::new(), Vec::new());
            let (mut paths, mut all) = (PathList::new(), Vec::new());
            for (&destination, &hops) in prepared.ends.iter().zip(prepared.row(site as u32)) {
                // On one switch, or in one node.
                if hops == 0 {
                    ends.push(links.len() as u32);
                    continue;
                }
                routing.list(source, destination, &mut paths)?;
                if one {
                    paths.iter().take(1).for_each(|(path, _)| links.extend(path));
                } else {
                    merge(&paths, &mut all);
                    links.extend(all.iter().map(|(link, _)| *link));
                    shares.extend(all.iter().map(|(_, share)| *share as f32));
                }
                ends.push(links.len() as u32);
            }
            Ok((ends, links, shares))
        };
        let sources = &prepared.switches;
        let rows: Vec<Row> = if sites <= FEW_SITES {
            sources.iter().enumerate().map(row).collect::<Outcome<_>>()?
        } else {
            sources.par_iter().enumerate().map(row).collect::<Outcome<_>>()?
        };
        let all: u64 = rows.iter().map(|r| r.1.len() as u64).sum();
        if all > u64::from(u32::MAX) {
            return Err(too_large(label, "links in all paths", all).into());
        }
        let (mut offsets, mut on_path, mut shares) = (vec![0u32], Vec::with_capacity(all as usize), Vec::new());
        for row in rows {
            let first = on_path.len() as u32;
            offsets.extend(row.0.iter().map(|e| first + e));
            on_path.extend(row.1);
            shares.extend(row.2);
        }
        let links = prepared.problem.network.switch_links() as usize;
        Ok(PathTable { sites, links, offsets: Arc::new(offsets), on_path: Arc::new(on_path), shares: Arc::new(shares) })
    }

    /// Shares of a message on the links from one site to another; empty where it takes one path.
    #[inline]
    pub fn shares(&self, from: u32, to: u32) -> &[f32] {
        let pair = from as usize * self.sites + to as usize;
        let range = self.offsets[pair] as usize..self.offsets[pair + 1] as usize;
        self.shares.get(range).unwrap_or_default()
    }

    /// Links from one site to another.
    #[inline]
    pub fn between(&self, from: u32, to: u32) -> &[u32] {
        let pair = from as usize * self.sites + to as usize;
        &self.on_path[self.offsets[pair] as usize..self.offsets[pair + 1] as usize]
    }
}

/// The links of all paths of a pair, ascending, with the sums of their shares.
fn merge(paths: &PathList, all: &mut Vec<(u32, f64)>) {
    all.clear();
    all.extend(paths.iter().flat_map(|(path, share)| path.iter().map(move |link| (*link, share))));
    all.sort_by_key(|(link, _)| *link);
    all.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0.0 };
        same
    });
}

/// The ranks of a message.
#[derive(Clone, Copy)]
pub struct Ends {
    pub src: u32,
    pub dst: u32,
}

/// For each rank, the messages it sends or receives, in CSR form.
#[derive(Clone)]
pub struct Touching {
    offsets: Vec<u32>,
    messages: Vec<u32>,
}

impl Touching {
    /// `ends` are those of each message; `rows` ranks and fillers. O(messages).
    pub fn new(ends: &[Ends], rows: u32) -> Touching {
        let mut offsets = vec![0u32; rows as usize + 1];
        for &Ends { src, dst } in ends {
            offsets[src as usize + 1] += 1;
            offsets[dst as usize + 1] += 1;
        }
        for i in 0..rows as usize {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut messages = vec![0; 2 * ends.len()];
        for (i, &Ends { src, dst }) in ends.iter().enumerate() {
            for rank in [src, dst] {
                messages[next[rank as usize] as usize] = i as u32;
                next[rank as usize] += 1;
            }
        }
        Touching { offsets, messages }
    }

    /// Calls `visit` once for every message that touches `a` or `b`.
    #[inline]
    pub fn each(&self, ends: &[Ends], a: u32, b: u32, mut visit: impl FnMut(usize)) {
        let of = |r: u32| &self.messages[self.offsets[r as usize] as usize..self.offsets[r as usize + 1] as usize];
        of(a).iter().for_each(|&m| visit(m as usize));
        for &m in of(b) {
            let Ends { src, dst } = ends[m as usize];
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

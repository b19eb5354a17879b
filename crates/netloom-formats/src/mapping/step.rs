//! Where Slurm starts the ranks of a step: its hosts in the order of its node table, and its distributions.
//!
//! Source: Slurm 26.05, `slurm_step_layout.c` and `_sort_nodes_by_name` of `read_config.c`; srun(1), `--distribution`.

use std::cmp::Ordering;

use netloom_model::{Fault, Mapping, Outcome};

use super::hosts::Hosts;
use crate::codes;

/// How srun gives ranks to hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// One host after another, each with as many; where that does not come out even, the first hosts get one more.
    Block,
    /// One by one round the hosts.
    Cyclic,
    /// So many at a time round the hosts.
    Plane(usize),
}

/// The hosts of a mapping in Slurm's order.
pub struct Step<'h> {
    hosts: &'h Hosts,
    /// Hosts in use.
    pub nodes: Vec<u32>,
    /// Index in `nodes` by rank.
    of_rank: Vec<u32>,
}

impl<'h> Step<'h> {
    /// O(ranks + hosts log hosts).
    pub fn of(mapping: &Mapping, hosts: &'h Hosts) -> Step<'h> {
        let at: Vec<u32> = mapping.endpoints().iter().map(|e| hosts.slot(*e).0).collect();
        let mut used = vec![false; hosts.names.len()];
        at.iter().for_each(|host| used[*host as usize] = true);
        let mut nodes: Vec<u32> = (0..).zip(used).filter_map(|(host, used)| used.then_some(host)).collect();
        nodes.sort_by(|a, b| compare(&hosts.names[*a as usize], &hosts.names[*b as usize]));
        let mut index = vec![0; hosts.names.len()];
        (0..).zip(&nodes).for_each(|(i, host)| index[*host as usize] = i);
        let of_rank = at.into_iter().map(|host| index[host as usize]).collect();
        Step { hosts, nodes, of_rank }
    }

    /// Index in `nodes` of the host of every rank.
    pub fn indices(&self) -> &[u32] {
        &self.of_rank
    }

    /// Ranks on each of `nodes`.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.nodes.len()];
        self.of_rank.iter().for_each(|node| counts[*node as usize] += 1);
        counts
    }

    /// The distribution that places the ranks so, if there is one. O(ranks).
    pub fn distribution(&self) -> Option<Distribution> {
        let plane = self.of_rank.chunk_by(|a, b| a == b).next().map_or(1, <[u32]>::len);
        [Distribution::Block, Distribution::Cyclic, Distribution::Plane(plane)]
            .into_iter()
            .find(|way| way.indices(self.of_rank.len(), self.nodes.len()) == self.of_rank)
    }

    /// Serves what names no hosts: srun gives them out in blocks.
    ///
    /// # Errors
    /// `NL-F018` with the first rank that is on another host.
    pub fn require_blocks(&self, format: &str) -> Outcome<()> {
        let blocks = Distribution::Block.indices(self.of_rank.len(), self.nodes.len());
        let Some(rank) = (0..blocks.len()).find(|rank| blocks[*rank] != self.of_rank[*rank]) else { return Ok(()) };
        let name = |of: &[u32]| self.hosts.names[self.nodes[of[rank] as usize] as usize].clone();
        let sentence = format!(
            "rank {rank} is on {}; {format} names no hosts, and srun would start it on {}: it fills hosts in the order of \
             their names",
            name(&self.of_rank),
            name(&blocks)
        );
        let hint = format!("write rankfile, or slurm-arbitrary(bind=elsewhere) and {format}(hosts=elsewhere)");
        Err(Fault::say(&codes::CANNOT_EXPRESS, format, sentence).hint(hint).into())
    }
}

impl Distribution {
    /// Index of the host of every rank where `nodes` hosts have cores for all that they get. O(ranks).
    fn indices(self, ranks: usize, nodes: usize) -> Vec<u32> {
        let mut left = self.counts(ranks, nodes);
        let most = left.first().copied().unwrap_or(0);
        let each = match self {
            Distribution::Block => most,
            Distribution::Cyclic => 1,
            Distribution::Plane(size) => size,
        };
        let mut indices = Vec::with_capacity(ranks);
        while indices.len() < ranks {
            for (node, left) in (0..).zip(&mut left) {
                let taken = each.min(*left);
                indices.extend(std::iter::repeat_n(node, taken));
                *left -= taken;
            }
        }
        indices
    }

    /// Ranks on every host. Whatever the distribution, each host gets one before any gets a second. O(ranks).
    pub fn counts(self, ranks: usize, nodes: usize) -> Vec<usize> {
        let Distribution::Plane(size) = self else {
            return (0..nodes).map(|node| ranks / nodes + usize::from(node < ranks % nodes)).collect();
        };
        let mut counts: Vec<usize> = (0..nodes).map(|node| usize::from(node < ranks)).collect();
        let mut left = ranks.saturating_sub(nodes);
        let mut round = size.saturating_sub(1);
        while left > 0 {
            for count in &mut counts {
                let taken = round.min(left);
                *count += taken;
                left -= taken;
            }
            round = size.max(1);
        }
        counts
    }
}

/// Indices of names in Slurm's order. O(names log names).
pub fn slurm_order(names: &[String]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    order.sort_by(|a, b| compare(&names[*a as usize], &names[*b as usize]));
    order
}

/// Slurm's order of node names: `cn9` before `cn10`; numbers with zeros in front digit by digit, `cn010` before `cn09`.
pub fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    for at in 0..a.len().max(b.len()) {
        let (left, right) = (a.get(at).copied().unwrap_or(0), b.get(at).copied().unwrap_or(0));
        if left.is_ascii_digit() && right.is_ascii_digit() {
            let (left, right) = (number(&a[at..]), number(&b[at..]));
            // Without a zero in front the longer number is the larger one; with one, digits count from the left.
            let longer = left.len().cmp(&right.len());
            let zero = left[0] == b'0' || right[0] == b'0';
            let order = if zero { left.cmp(right) } else { longer.then_with(|| left.cmp(right)) };
            if order != Ordering::Equal {
                return order;
            }
        }
        if left != right {
            return left.cmp(&right);
        }
    }
    Ordering::Equal
}

/// The digits in front.
fn number(text: &[u8]) -> &[u8] {
    &text[..text.iter().take_while(|c| c.is_ascii_digit()).count()]
}

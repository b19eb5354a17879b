//! Counts of the two-tier collectives, phase by phase, from the sizes alone.
//!
//! `att(s, j)` is the number of groups whose cable ends at node `j` of group `s`: the groups `t ≡ j (mod nodes)` but `s`.

use crate::counts::{Wide, prefix};
use crate::generate::two_tier::TwoTier;

impl Wide {
    /// One after the other; the largest sum of one rank is still to be given.
    pub fn and(self, next: Wide) -> Wide {
        Wide {
            steps: self.steps + next.steps,
            messages: self.messages + next.messages,
            total_bytes: self.total_bytes + next.total_bytes,
            max_ports: self.max_ports.max(next.max_ports),
            max_bytes_sent: self.max_bytes_sent + next.max_bytes_sent,
        }
    }
    pub fn with_total(self, more: u128) -> Wide {
        Wide { total_bytes: self.total_bytes + more, ..self }
    }
}

/// One step, if it has messages.
pub(super) fn phase(messages: u128, total_bytes: u128, max_ports: u128) -> Wide {
    if messages == 0 {
        return Wide::default();
    }
    Wide { steps: 1, messages, total_bytes, max_ports, max_bytes_sent: 0 }
}

/// Bytes of the chunk of a broadcast that goes to a node first; chunks are listed by node.
fn chunk_of(node: u32, chunks: &[u32], size: u64) -> u128 {
    let k = chunks.len() as u64;
    chunks.binary_search(&node).map_or(0, |i| prefix(size, k, i as u64 + 1) - prefix(size, k, i as u64))
}

/// Groups, nodes and cores, wide enough for products.
pub(super) struct Sizes {
    pub g: u128,
    pub m: u128,
    pub c: u128,
    pub p: u128,
    /// Nodes in all.
    pub leaders: u128,
    /// 1 if a group's own part travels too.
    own: u128,
}

impl Sizes {
    pub fn of(t: &TwoTier) -> Sizes {
        let [g, m, c] = [t.groups, t.nodes, t.cores].map(u128::from);
        Sizes { g, m, c, p: g * m * c, leaders: g * m, own: u128::from(t.own_group) }
    }

    /// Groups `t ≡ node (mod nodes)`.
    fn class(&self, node: u32) -> u128 {
        self.g.saturating_sub(node.into()).div_ceil(self.m)
    }
    /// `att(root's group, node)`.
    fn attached(&self, t: &TwoTier, node: u32) -> u128 {
        self.class(node) - u128::from(t.root_group % t.nodes == node)
    }
    /// Largest `att(s, j)`: that of node 0 in a group that is not in its class.
    fn most_attached(&self) -> u128 {
        if self.g == 1 { 0 } else { self.class(0) - u128::from(self.m == 1) }
    }
    /// Nodes that have a cable to another group, over all groups.
    fn linked(&self) -> u128 {
        let (each, longer) = (self.g / self.m, self.g % self.m);
        let alone = match each {
            0 => self.g,
            1 => self.m - longer,
            _ => 0,
        };
        self.g * self.m.min(self.g) - alone
    }

    pub fn blocks_to_cores(&self, bytes: u128) -> Wide {
        let messages = self.leaders * (self.c - 1);
        phase(messages, messages * bytes, self.c - 1)
    }

    /// Leaders swap `node_bytes` each; backwards too without `own_group`, except for the largest sum of one rank.
    pub fn exchange(&self, node_bytes: u128) -> Wide {
        let (g, m, most) = (self.g, self.m, self.most_attached());
        let group = m * node_bytes;
        // With a group's own part every node shares those of its class.
        let (linked, parts, shared) = match self.own {
            0 => (self.linked(), g - 1, most),
            _ => (g * m, g, self.class(0)),
        };
        let near = phase(g * m * (m - 1), g * m * (m - 1) * node_bytes, m - 1);
        let far = phase(g * (g - 1), g * (g - 1) * group, most);
        let again = phase(linked * (m - 1), g * (m - 1) * parts * group, m - 1);
        let max_bytes_sent = (m - 1) * node_bytes + most * group + (m - 1) * shared * group;
        Wide { max_bytes_sent, ..near.and(far).and(again) }
    }

    /// Leaders reduce and scatter `node_bytes` each, without the largest sum of one rank.
    pub fn combine_among(&self, node_bytes: u128) -> Wide {
        let all = self.exchange(node_bytes);
        // Parts of a second group arrive in a step of their own.
        let later = self.own == 1 && self.most_attached() > 1;
        Wide { steps: all.steps + u128::from(later), ..all }
    }

    /// Bytes of an exchange, either way round, if all blocks have `size` bytes together.
    pub fn among(&self, size: u128) -> u128 {
        (self.leaders - 1 + self.own * (self.m - 1)) * size
    }

    /// Blocks of its group that a node passes on to the node that collects them.
    pub fn given(&self) -> u128 {
        self.own * u128::from(self.m > 1) * self.m * self.c
    }

    /// The scatter among leaders; `bytes(a, b)` of blocks `a .. b`.
    pub fn spread(&self, t: &TwoTier, bytes: impl Fn(u64, u64) -> u128) -> Wide {
        let (span, cores) = (u64::from(t.nodes) * u64::from(t.cores), u64::from(t.cores));
        let entry = t.root_group % t.nodes;
        let [mut first, mut second, mut third] = [0; 3];
        for s in 0..t.groups {
            let from = u64::from(s) * span;
            let group = bytes(from, from + span);
            let home = s == t.root_group;
            second += if home { 0 } else { group };
            first += if home || s % t.nodes == t.root_node { 0 } else { group };
            let kept = from + u64::from(if home { t.root_node } else { entry }) * cores;
            third += group - bytes(kept, kept + cores);
        }
        let fed = (0..t.nodes.min(t.groups)).filter(|j| *j != t.root_node && self.attached(t, *j) > 0).count() as u128;
        let most = (0..t.nodes.min(t.groups)).map(|j| self.attached(t, j)).max().unwrap_or(0);
        phase(fed, first, fed).and(phase(self.g - 1, second, most)).and(phase(self.g * (self.m - 1), third, self.m - 1))
    }

    pub fn scatter(&self, t: &TwoTier, size: u64) -> Wide {
        let size = u128::from(size);
        let all = self.spread(t, |from, to| u128::from(to - from) * size).and(self.blocks_to_cores(size));
        Wide { max_bytes_sent: (self.p - 1) * size, ..all }
    }

    /// Most blocks that a leader sends while leaders gather, together with [`Sizes::given`], which the node that collects its
    /// group's own part does not send.
    pub fn gathered(&self, t: &TwoTier) -> u128 {
        let group = self.m * self.c;
        let own = if self.m > 1 { self.c } else { 0 };
        let given = |j: u32| if t.root_group % t.nodes == j { 0 } else { self.given() };
        let others = (0..t.nodes.min(t.groups)).filter(|j| *j != t.root_node);
        let near = others.map(|j| self.attached(t, j) * group + own + given(j));
        near.max().unwrap_or(0).max(if self.g > 1 { group + self.given() } else { 0 }).max(own)
    }

    /// Vectors combined within the nodes: to the owners, from them to the leader.
    pub fn combine(&self, total: u128) -> Wide {
        let (owners, cores) = (self.leaders * (self.c - 1), self.c - 1);
        phase(owners * self.c, total, cores).and(phase(owners, 0, cores))
    }

    /// Bytes of [`Sizes::combine`] for a vector of `size` bytes.
    pub fn owned(&self, t: &TwoTier, size: u64) -> u128 {
        let (p, part) = (u64::from(t.ranks()), u64::from(t.groups) * u64::from(t.nodes));
        let kept = u64::from(t.root_core) * part;
        let leader = prefix(size, p, kept + part) - prefix(size, p, kept);
        let n = u128::from(size);
        self.leaders * ((self.c - 1) * n + if self.c > 1 { n - leader } else { 0 })
    }

    /// Blocks that the busiest rank sends: a leader, with `among` leaders and after the node has combined, or another core.
    pub fn busiest(&self, among: u128) -> u128 {
        let leader = (self.c - 1) * self.leaders + among;
        leader.max(if self.c > 1 { self.p } else { 0 })
    }

    /// Every leader but the root gets every chunk once, and every core from its leader.
    pub fn broadcast(&self, t: &TwoTier, size: u64) -> Wide {
        let (g, m, c) = (self.g, self.m, self.c);
        let chunks = t.chunks();
        let k = chunks.len() as u128;
        let at_home = u128::from(chunks.contains(&t.root_node));
        let others = u128::from(g > 1);
        let further = if t.own_group { g - 1 } else { g.saturating_sub(2) };
        let at_root = if t.own_group { 0 } else { k * (m - 1) - (k - at_home) };
        let shared = at_root + others * k * (m - 1);
        let home_class = if t.own_group { t.nodes } else { t.root_group % t.nodes };
        // Where there is only one chunk, its own node is in the relay group itself.
        let alone = if chunks.len() == 1 { chunks.first().copied() } else { None };
        let widest = (0..t.nodes.min(t.groups))
            .map(|j| self.class(j).saturating_sub(u128::from(home_class == j) + u128::from(alone == Some(j))))
            .max()
            .unwrap_or(0);
        let n = u128::from(size);
        // The root's group gets all chunks back and shares them with the root too.
        let returned = if t.own_group && g > 1 { 2 * n - chunk_of(t.root_node, &chunks, size) } else { 0 };
        let all = phase(k - at_home, 0, k - at_home)
            .and(phase(k * others, 0, 1))
            .and(phase(shared, 0, m - 1))
            .and(phase(k * further, 0, widest))
            .and(phase(k * further * (m - 1), 0, m - 1))
            .and(self.blocks_to_cores(n))
            .with_total((self.leaders - 1) * n + returned);
        Wide { max_bytes_sent: self.busiest_of_broadcast(t, &chunks, size) + (c - 1) * n, ..all }
    }

    /// The scatter's steps with the whole message: every rank but the root gets it once.
    pub fn broadcast_whole(&self, t: &TwoTier, size: u64) -> Wide {
        let (n, near, far) = (u128::from(size), self.m - 1, self.g - 1);
        let attached = |j: u32| self.attached(t, j);
        let linked = || 0..t.nodes.min(t.groups);
        let most = linked().map(attached).max().unwrap_or(0);
        let of_root = near + if linked().contains(&t.root_node) { attached(t.root_node) } else { 0 };
        let busiest = of_root.max(most) + self.c - 1;
        let all = phase(near, 0, near)
            .and(phase(far, 0, most))
            .and(phase(far * near, 0, near))
            .and(self.blocks_to_cores(n))
            .with_total((self.leaders - 1) * n);
        Wide { max_bytes_sent: busiest * n, ..all }
    }

    /// Bytes that the busiest leader sends to leaders. O(groups × nodes).
    fn busiest_of_broadcast(&self, t: &TwoTier, chunks: &[u32], size: u64) -> u128 {
        let m = self.m;
        let chunk_of: Vec<u128> = (0..t.nodes).map(|j| chunk_of(j, chunks, size)).collect();
        let (others, home_class) = (u128::from(t.groups > 1), t.root_group % t.nodes);
        let at_root = chunk_of[t.root_node as usize];
        let mut most = u128::from(size) - at_root + at_root * (others + m - 1);
        for &j in chunks.iter().filter(|j| **j != t.root_node) {
            most = most.max(chunk_of[j as usize] * (others + m - 2 + self.own));
        }
        if t.groups == 1 {
            return most;
        }
        // A group that relays for no other: node j passes chunk j on to its neighbours.
        if t.groups as usize - 1 > chunks.len() {
            most = most.max(chunk_of.iter().max().copied().unwrap_or(0) * (m - 1));
        }
        for &i in chunks {
            for j in 0..t.nodes {
                let spread = if j == home_class { (m - 1) * chunk_of[i as usize] } else { 0 };
                let passed = if j == i { 0 } else { (m - 1) * chunk_of[j as usize] };
                let home = u128::from(!t.own_group && j == home_class);
                let far = self.class(j).saturating_sub(u128::from(j == i) + home);
                most = most.max(spread + passed + chunk_of[i as usize] * far);
            }
        }
        most
    }
}

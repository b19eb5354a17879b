//! A job in which every rank sends to every other one: sums over ranks in place of its messages.

use netloom_model::{Routing, Sends, ToAll};

use super::ranks::Places;
use super::{Counts, Settings};

/// What a job's ranks send where all send to all, at their places.
pub struct Everyone {
    /// Messages from each rank to each other.
    messages: u64,
    /// Bytes of all these messages, by receiving rank.
    bytes: Vec<u64>,
    /// The routing's destinations, ascending.
    pub ends: Vec<End>,
    /// The same ranks by host, where hosts have several endpoints: what they send each other stays inside.
    mates: Option<Groups>,
}

/// A destination of the routing.
#[derive(Clone, Copy)]
pub struct End {
    pub end: u32,
    pub switch: u32,
    /// What one rank sends there, modulo 2^64: so are the sums of it, of which those that leave their switch fit.
    bytes: u64,
}

impl Everyone {
    /// `None` unless all send to all. O(ranks log ranks), 24 bytes each.
    pub fn of(sends: &dyn Sends, endpoint_of_rank: &[u32], places: &Places, settings: &Settings) -> Option<Everyone> {
        let ToAll { messages, bytes } = sends.to_all().filter(|all| all.bytes.len() == endpoint_of_rank.len())?;
        let hosts = settings.hosts.as_deref();
        let mates = hosts.map(|hosts| Groups::new(endpoint_of_rank.iter().map(|e| hosts.host(*e)).collect(), places));
        let by_end = places.destinations();
        let mut ranks: Vec<u32> = (0..bytes.len() as u32).collect();
        ranks.sort_by_key(|rank| by_end[*rank as usize]);
        let of_end = |own: &[u32]| End {
            end: by_end[own[0] as usize],
            switch: places.switch_of_rank[own[0] as usize],
            bytes: own.iter().fold(0, |sum, rank| bytes[*rank as usize].wrapping_add(sum)),
        };
        let ends = ranks.chunk_by(|a, b| by_end[*a as usize] == by_end[*b as usize]).map(of_end).collect();
        Some(Everyone { messages, bytes, ends, mates })
    }

    /// What one rank sends to each switch, if all of them send it, whatever their host. O(switches).
    pub fn bytes_by_switch(&self, switches: u32) -> Option<Vec<u64>> {
        let mut bytes = vec![0; switches as usize];
        self.ends.iter().for_each(|end| bytes[end.switch as usize] = end.bytes);
        (self.mates.is_none() && self.ends.iter().all(|end| end.end == end.switch)).then_some(bytes)
    }

    /// Bytes from every rank to `rank`.
    pub fn bytes_to(&self, rank: u32) -> u64 {
        self.bytes[rank as usize]
    }

    /// What one pass over all messages counts. O(ranks log ranks).
    pub fn count(&self, endpoint_of_rank: &[u32], places: &Places, endpoints: usize) -> Counts {
        let own;
        let groups = match &self.mates {
            Some(mates) => mates,
            None => {
                own = Groups::new(endpoint_of_rank.to_vec(), places);
                &own
            }
        };
        let bytes = |ranks: &[u32]| ranks.iter().map(|rank| u128::from(self.bytes[*rank as usize])).sum::<u128>();
        let (ranks, all) = (self.bytes.len() as u128, bytes(&groups.ranks));
        let on_switch = |switch: u32| (places.on(switch).len() as u128, bytes(places.on(switch)));
        // Messages and bytes, of all and of those that leave their switch.
        let (mut sums, mut counts) = ([0u128; 4], Counts::default());
        let (mut injected, mut ejected) = (vec![0u128; endpoints], vec![0u128; endpoints]);
        for group in groups.all() {
            let (mates, inside) = (group.len() as u128, bytes(group));
            for here in group.chunk_by(|a, b| places.switch_of_rank[*a as usize] == places.switch_of_rank[*b as usize])
            {
                let (near, near_bytes) = (here.len() as u128, bytes(here));
                let (on, on_bytes) = on_switch(places.switch_of_rank[here[0] as usize]);
                sums[0] += near * (ranks - mates);
                sums[1] += near * (all - inside);
                sums[2] += near * (ranks + near - mates - on);
                sums[3] += near * (all + near_bytes - inside - on_bytes);
            }
            for &rank in group {
                let endpoint = endpoint_of_rank[rank as usize] as usize;
                injected[endpoint] += all - inside;
                ejected[endpoint] += u128::from(self.bytes[rank as usize]) * (ranks - mates);
            }
        }
        let [messages, bytes, switch_messages, switch_bytes] = sums;
        let each = u128::from(self.messages);
        (counts.messages, counts.bytes) = (limited(messages.saturating_mul(each)), limited(bytes));
        (counts.switch_messages, counts.switch_bytes) =
            (limited(switch_messages.saturating_mul(each)), limited(switch_bytes));
        counts.injected = injected.into_iter().map(limited).collect();
        counts.ejected = ejected.into_iter().map(limited).collect();
        counts
    }

    /// Calls `visit(destination, bytes)` for what the ranks of `source` send to other switches, by ascending destination.
    /// `sums` has a zero per destination, and again afterwards. O(destinations + ranks of the switch × ranks of a host).
    pub fn from<E>(
        &self,
        source: u32,
        places: &Places,
        sums: &mut [u64],
        mut visit: impl FnMut(u32, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let senders = places.on(source);
        let mates = self.mates.iter().flat_map(|mates| senders.iter().flat_map(|rank| mates.with(*rank)));
        for &to in mates.filter(|to| places.switch_of_rank[**to as usize] != source) {
            let sum = &mut sums[places.destinations()[to as usize] as usize];
            *sum = sum.wrapping_add(self.bytes[to as usize]);
        }
        self.ends.iter().filter(|end| end.switch != source).try_for_each(|end| {
            let inside = std::mem::take(&mut sums[end.end as usize]);
            let bytes = (senders.len() as u64).wrapping_mul(end.bytes).wrapping_sub(inside);
            if bytes > 0 { visit(end.end, bytes) } else { Ok(()) }
        })
    }

    /// Replaces `out` by (source switch, bytes) of all that send to a destination, by ascending switch. `sums` has a zero per
    /// switch, and again afterwards. O(switches + ranks at the destination × ranks of a host).
    pub fn to(&self, end: End, places: &Places, sums: &mut [u64], out: &mut Vec<(u32, u64)>) {
        if let Some(mates) = &self.mates {
            let there = places.on(end.switch).iter().filter(|rank| places.destinations()[**rank as usize] == end.end);
            for (&rank, &from) in there.flat_map(|rank| mates.with(*rank).iter().map(move |from| (rank, from))) {
                let sum = &mut sums[places.switch_of_rank[from as usize] as usize];
                *sum = sum.wrapping_add(self.bytes[rank as usize]);
            }
        }
        out.clear();
        out.extend(places.switches.iter().filter_map(|&source| {
            let inside = std::mem::take(&mut sums[source as usize]);
            let bytes = (places.on(source).len() as u64).wrapping_mul(end.bytes).wrapping_sub(inside);
            (bytes > 0 && source != end.switch).then_some((source, bytes))
        }));
    }
}

/// Calls `visit(from, to, bytes)` for what the ranks of `source` send to a destination of the routing.
pub fn to_end(
    (sends, everyone): (&dyn Sends, Option<&Everyone>),
    (places, routing): (&Places, &dyn Routing),
    (source, destination): (u32, u32),
    mut visit: impl FnMut(u32, u32, u64),
) {
    let there = |rank: u32| places.destinations()[rank as usize] == destination;
    for &rank in places.on(source) {
        match everyone {
            None => sends.for_each_summed(rank, &mut |to, _, bytes| {
                if there(to) {
                    visit(rank, to, bytes);
                }
            }),
            Some(everyone) => {
                let receivers = places.on(routing.switch_of(destination)).iter().copied();
                receivers.filter(|to| there(*to)).for_each(|to| visit(rank, to, everyone.bytes_to(to)));
            }
        }
    }
}

fn limited(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}

/// Ranks by group, and within a group by switch.
struct Groups {
    ranks: Vec<u32>,
    /// Where the group of each rank is in `ranks`.
    of_rank: Vec<(u32, u32)>,
}

impl Groups {
    fn new(group_of_rank: Vec<u32>, places: &Places) -> Groups {
        let mut ranks: Vec<u32> = (0..group_of_rank.len() as u32).collect();
        ranks.sort_by_key(|rank| (group_of_rank[*rank as usize], places.switch_of_rank[*rank as usize]));
        let mut of_rank = vec![(0, 0); ranks.len()];
        let mut first = 0;
        for group in ranks.chunk_by(|a, b| group_of_rank[*a as usize] == group_of_rank[*b as usize]) {
            let end = first + group.len() as u32;
            group.iter().for_each(|rank| of_rank[*rank as usize] = (first, end));
            first = end;
        }
        Groups { ranks, of_rank }
    }

    fn all(&self) -> impl Iterator<Item = &[u32]> {
        self.ranks.chunk_by(|a, b| self.of_rank[*a as usize] == self.of_rank[*b as usize])
    }

    /// The ranks of the group of `rank`, itself included.
    fn with(&self, rank: u32) -> &[u32] {
        let (first, end) = self.of_rank[rank as usize];
        &self.ranks[first as usize..end as usize]
    }
}

//! Traffic as a stream: the messages of each rank, generated on demand and never held as a whole.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::schedule::{Blocks, Schedule};
use crate::traffic::Traffic;

mod listed;
mod summed;
mod to_all;

use summed::Summed;
pub use to_all::ToAll;

/// Who sends how much to whom, rank by rank. The same rank always gives the same messages in the same order, on any
/// thread: 8.8 million ranks with 127 messages each need no list.
pub trait Sends: Send + Sync {
    /// The call that made it.
    fn label(&self) -> &str;

    fn ranks(&self) -> u32;

    /// Calls `visit(destination, messages, bytes of all these messages)` for the messages of `rank`, none of them to
    /// itself. Destinations may repeat.
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64));

    /// As [`Sends::for_each`], for sums: messages to one destination may come together, in another order.
    fn for_each_summed(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        self.for_each(rank, visit);
    }

    /// What every rank sends to every other one, if all send alike; `None` says nothing. Far cheaper than their messages.
    fn to_all(&self) -> Option<ToAll> {
        None
    }
}

impl Sends for Traffic {
    fn label(&self) -> &str {
        &self.label
    }
    fn ranks(&self) -> u32 {
        self.ranks
    }
    /// O(log flows + flows of the rank).
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        let flows = self.flows();
        let first = flows.partition_point(|f| f.src < rank);
        for flow in flows[first..].iter().take_while(|f| f.src == rank) {
            visit(flow.dst, flow.messages, flow.bytes);
        }
    }
}

/// The same messages several times.
pub struct Repeated {
    sends: Arc<dyn Sends>,
    times: u32,
}

impl Repeated {
    /// `sends` itself where it is done once.
    pub fn of(sends: Arc<dyn Sends>, times: u32) -> Arc<dyn Sends> {
        if times == 1 { sends } else { Arc::new(Repeated { sends, times }) }
    }
}

impl Sends for Repeated {
    fn label(&self) -> &str {
        self.sends.label()
    }
    fn ranks(&self) -> u32 {
        self.sends.ranks()
    }
    /// As what is repeated; numbers beyond 2^64 stay there.
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        let times = u64::from(self.times);
        self.sends.for_each(rank, &mut |to, messages, bytes| {
            visit(to, messages.saturating_mul(times), bytes.saturating_mul(times));
        });
    }
    fn for_each_summed(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        let times = u64::from(self.times);
        self.sends.for_each_summed(rank, &mut |to, messages, bytes| {
            visit(to, messages.saturating_mul(times), bytes.saturating_mul(times));
        });
    }
    fn to_all(&self) -> Option<ToAll> {
        let times = u64::from(self.times);
        self.sends.to_all().map(|all| ToAll {
            messages: all.messages.saturating_mul(times),
            bytes: all.bytes.into_iter().map(|bytes| bytes.saturating_mul(times)).collect(),
        })
    }
}

/// A schedule's messages rank by rank, without steps. Cyclic rounds need no list (all-to-all on a million
/// ranks included); listed transfers through an index that is built once.
pub struct ScheduleSends<S: Deref<Target = Schedule>> {
    schedule: S,
    /// Listed transfers of rank `r`, in order of step: `order[starts[r]..starts[r + 1]]`.
    starts: Vec<u32>,
    order: Vec<u32>,
    /// Cyclic rounds by partner, made when first asked for.
    summed: OnceLock<Summed>,
}

impl<S: Deref<Target = Schedule>> ScheduleSends<S> {
    /// Of a borrowed or shared schedule. O(ranks + transfers), 4 bytes each; O(1) for cyclic rounds.
    pub fn new(schedule: S) -> ScheduleSends<S> {
        let (mut starts, mut order) = (Vec::new(), Vec::new());
        let transfers = schedule.rounds.listed().transfers;
        if !transfers.is_empty() {
            starts = vec![0u32; schedule.ranks as usize + 1];
            transfers.iter().for_each(|t| starts[t.src as usize + 1] += 1);
            (1..starts.len()).for_each(|r| starts[r] += starts[r - 1]);
            order = vec![0; transfers.len()];
            let mut next = starts.clone();
            for (at, transfer) in transfers.iter().enumerate() {
                let slot = &mut next[transfer.src as usize];
                order[*slot as usize] = at as u32;
                *slot += 1;
            }
        }
        ScheduleSends { schedule, starts, order, summed: OnceLock::new() }
    }

    fn for_each_listed(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        let list = self.schedule.rounds.listed();
        if list.transfers.is_empty() {
            return;
        }
        let mine = self.starts[rank as usize] as usize..self.starts[rank as usize + 1] as usize;
        for transfer in self.order[mine].iter().map(|&at| &list.transfers[at as usize]) {
            if transfer.dst != rank {
                visit(transfer.dst, 1, list.held(transfer).iter().map(|r| self.schedule.blocks.bytes(*r)).sum());
            }
        }
    }
}

impl<S: Deref<Target = Schedule> + Send + Sync> Sends for ScheduleSends<S> {
    fn label(&self) -> &str {
        &self.schedule.label
    }
    fn ranks(&self) -> u32 {
        self.schedule.ranks
    }
    /// O(rounds), or O(transfers of the rank).
    fn for_each(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        let schedule = &*self.schedule;
        if rank >= schedule.ranks {
            return;
        }
        self.for_each_listed(rank, visit);
        let uniform = matches!(schedule.blocks, Blocks::Each { .. });
        for channel in 0..schedule.channels {
            let position = schedule.position_of(channel, rank);
            for round in schedule.rounds.cyclic() {
                let to = schedule.rank_at(channel, round.partner.of(position, schedule.ranks));
                let bytes = if uniform { round.bytes } else { schedule.cyclic_bytes(round, channel, position) };
                if to != rank {
                    visit(to, 1, bytes);
                }
            }
        }
    }
    /// O(channels x different partners), or O(transfers of the rank).
    fn for_each_summed(&self, rank: u32, visit: &mut dyn FnMut(u32, u64, u64)) {
        let schedule = &*self.schedule;
        if rank < schedule.ranks {
            self.for_each_listed(rank, visit);
            let rounds = schedule.rounds.cyclic();
            self.summed.get_or_init(|| Summed::new(schedule, rounds)).for_each(schedule, rounds, rank, visit);
        }
    }
    /// O(rounds + ranks x channels).
    fn to_all(&self) -> Option<ToAll> {
        ToAll::of_schedule(&self.schedule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_has_its_messages_and_bytes_so_often() {
        let rows = [[0, 1, 2, 8], [1, 0, 1, i64::MAX - 8]];
        let traffic: Arc<dyn Sends> = Arc::new(Traffic::from_rows("t", 2, &rows).unwrap());
        let of = |times, rank| {
            let mut seen = Vec::new();
            Repeated::of(Arc::clone(&traffic), times)
                .for_each(rank, &mut |to, messages, bytes| seen.push((to, messages, bytes)));
            seen
        };
        assert_eq!((of(1, 0), of(3, 0)), (vec![(1, 2, 8)], vec![(1, 6, 24)]));
        assert_eq!(of(4, 1), vec![(0, 4, u64::MAX)]);
    }

    #[test]
    fn a_list_streams_its_own_flows() {
        let rows = [[0, 1, 2, 8], [2, 0, 1, 4], [2, 1, 1, 5]];
        let traffic = Traffic::from_rows("t", 4, &rows).unwrap();
        let mut seen = Vec::new();
        for rank in 0..traffic.ranks {
            traffic.for_each(rank, &mut |to, messages, bytes| {
                seen.push([i64::from(rank), i64::from(to), messages as i64, bytes as i64]);
            });
        }
        assert_eq!(seen, rows);
    }
}

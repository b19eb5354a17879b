//! Collectives of a rank as messages of its own: those with a count for each member.

use netloom_model::{Collective, Op};

use super::body::Body;
use super::calls::Calls;
use super::entered::{Entered, Uniform};
use super::event::WORLD;
use super::peer_bytes::{PeerBytes, by_rank};
use super::refused::Refused;
use super::tags::{BURST_TAG, GROUP_BURST_TAG};

impl Body {
    fn burst_tag(&self) -> u32 {
        if self.group == WORLD { BURST_TAG } else { GROUP_BURST_TAG + self.group }
    }

    pub fn start_send_in_burst(&mut self, peer: u32, bytes: u64) {
        self.start_send(self.world(peer), self.burst_tag(), bytes);
    }

    pub fn start_receive_in_burst(&mut self, peer: u32, bytes: u64) {
        self.start_receive(self.world(peer), self.burst_tag(), bytes);
    }

    pub fn send_in_burst(&mut self, peer: u32, bytes: u64) {
        self.ops.push(Op::Send { peer: self.world(peer), tag: self.burst_tag(), bytes });
    }

    pub fn receive_in_burst(&mut self, peer: u32, bytes: u64) {
        self.ops.push(Op::Receive { peer: self.world(peer), tag: self.burst_tag(), bytes });
    }

    /// Waits for the last `requests` ones, oldest first.
    pub fn wait_last(&mut self, requests: u32) {
        if self.requests.none_open() && requests > 0 {
            self.ops.push(Op::WaitAll);
        } else {
            self.ops.extend((1..=requests).rev().map(|back| Op::Wait { back }));
        }
    }

    /// All receives posted, then all sends, then a wait for them. Messages without bytes are sent too, as SMPI does; none to
    /// itself.
    pub fn burst<R, S>(&mut self, received: R, sent: S)
    where
        R: IntoIterator<Item = PeerBytes>,
        S: IntoIterator<Item = PeerBytes>,
    {
        let (me, before) = (self.me, self.ops.len());
        for PeerBytes { peer, bytes } in received.into_iter().filter(|one| one.peer != me) {
            self.start_receive_in_burst(peer, bytes);
        }
        for PeerBytes { peer, bytes } in sent.into_iter().filter(|one| one.peer != me) {
            self.start_send_in_burst(peer, bytes);
        }
        self.wait_last((self.ops.len() - before) as u32);
    }

    /// A send to one rank and a receive from another, both at once.
    pub fn swap(&mut self, to: PeerBytes, from: PeerBytes) {
        self.burst([from], [to]);
    }

    pub fn gather_at(&mut self, own: u64, counts: impl IntoIterator<Item = PeerBytes>, root: u32) {
        if root == self.me {
            self.burst(counts, []);
        } else {
            self.burst([], [PeerBytes { peer: root, bytes: own }]);
        }
    }

    pub fn scatter_from(&mut self, own: u64, counts: impl IntoIterator<Item = PeerBytes>, root: u32) {
        if root == self.me {
            self.burst([], counts);
        } else {
            self.burst([PeerBytes { peer: root, bytes: own }], []);
        }
    }

    pub(super) fn allgatherv(&mut self, counts: &[u64], calls: &mut Calls) -> Result<(), Refused> {
        self.sized(counts.len())?;
        if let Some(bytes) = one(counts) {
            return self.uniform(calls, Uniform { collective: Collective::Allgather, bytes, root: 0 }, None);
        }
        self.enter(calls, Entered::Allgatherv)?;
        let (own, size) = (counts[self.me as usize], self.size());
        self.burst(by_rank(counts), (0..size).map(|peer| PeerBytes { peer, bytes: own }));
        Ok(())
    }

    pub(super) fn reduce_scatterv(&mut self, counts: &[u64], elements: u64, calls: &mut Calls) -> Result<(), Refused> {
        self.sized(counts.len())?;
        if let Some(bytes) = one(counts) {
            return self.uniform(calls, Uniform { collective: Collective::ReduceScatter, bytes, root: 0 }, None);
        }
        let total = counts.iter().fold(0u64, |sum, &bytes| sum.saturating_add(bytes));
        self.enter(calls, Entered::ReduceScatterv(total))?;
        match calls.by_smpi.contains(&Collective::ReduceScatter) {
            true => self.smpi_reduce_scatter(counts, elements),
            false => self.reduce_scatter(counts),
        }
        Ok(())
    }
}

/// The common value of all counts.
fn one(counts: &[u64]) -> Option<u64> {
    counts.split_first().filter(|(first, rest)| rest.iter().all(|n| n == *first)).map(|(first, _)| *first)
}

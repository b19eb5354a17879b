//! What the links of a machine will carry, about: so its parts can be given the same work.

use netloom_model::stream::mix;
use netloom_model::{Draws, Network, Place};

use crate::routes::channels::Plan;
use crate::routes::hops::Hops;
use crate::routes::legs;
use crate::routes::taking::Taking;
use netloom_ranks::RoutedMachine;
use netloom_ranks::{Job, Load};

/// Most messages that are followed to their ends; of more, some that are drawn stand for all.
const FOLLOWED: u64 = 1 << 19;
/// Packets of one message that are, where they take different paths.
const DRAWN: u64 = 8;
/// Packets of one message that count, so that sums stay in range.
const MOST: u64 = 1 << 40;

/// Packets over every link, those inside nodes last: the messages of all jobs in their routings, without contention. What chooses
/// by the state of the network is counted as if it drew, UGAL as half on detours. Exact for deterministic routings of few
/// messages. O(messages + followed packets × hops).
pub fn carried(
    machine: &RoutedMachine<'_>,
    jobs: &[(Job<'_>, Taking)],
    plans: &[&Plan<'_>],
    packet_bytes: u64,
) -> Vec<u64> {
    let mut packets = vec![0u64; machine.bandwidths().count()];
    let messages: u64 = jobs.iter().map(|(job, _)| job.expected_messages() / u64::from(job.repetitions.max(1))).sum();
    let every = messages.div_ceil(FOLLOWED).max(1);
    for ((job, taking), plan) in jobs.iter().zip(plans) {
        let mut walk = Walk {
            machine,
            // Of a draw each row is read once or twice.
            hops: plan.plain_hops().anew(),
            taking: *taking,
            packets: &mut packets,
            drawn: 0,
            inner: Vec::new(),
        };
        let mut number = 0u64;
        for_each_message(job.work, |src, dst, bytes, times| {
            number += 1;
            if every > 1 && !mix(number).is_multiple_of(every) {
                return;
            }
            let times = times.saturating_mul(every).saturating_mul(job.repetitions.into());
            let moved = machine.wire.moved_bytes(bytes).ceil() as u64;
            walk.message(place(job, src), place(job, dst), (moved.div_ceil(packet_bytes).max(1), times));
        });
    }
    packets
}

/// Sender, receiver, bytes, and how often, of all messages of a load once.
pub fn for_each_message(load: Load<'_>, mut visit: impl FnMut(u32, u32, u64, u64)) {
    match load {
        Load::Schedule(schedule) => schedule.for_each_message(|m| visit(m.src, m.dst, m.bytes, 1)),
        Load::Programs(programs) => programs.for_each_message(visit),
        Load::Traffic(traffic) => traffic.flows().iter().for_each(|f| visit(f.src, f.dst, f.bytes, 1)),
    }
}

fn place(job: &Job<'_>, rank: u32) -> Place {
    let seat = job.seat_of_rank.get(rank as usize).copied().unwrap_or(0);
    Place { endpoint: job.endpoint_of_rank[rank as usize], seat }
}

struct Walk<'a, 'w> {
    machine: &'w RoutedMachine<'a>,
    hops: Hops<'a>,
    taking: Taking,
    packets: &'w mut [u64],
    drawn: u64,
    inner: Vec<u32>,
}

impl Walk<'_, '_> {
    /// A message of so many packets, so many times.
    fn message(&mut self, from: Place, to: Place, (packets, times): (u64, u64)) {
        let network = self.machine.network;
        let all = packets.saturating_mul(times).min(MOST);
        if let Some(node) = self.machine.node {
            self.inner.clear();
            node.route(from, to, &mut self.inner);
            for link in &self.inner {
                self.packets[(network.links() + link) as usize] += all;
            }
            if node.of(from.endpoint) == node.of(to.endpoint) {
                return;
            }
        }
        if self.machine.loops_back(from, to) || from.endpoint == to.endpoint {
            return;
        }
        self.packets[network.injection_link(from.endpoint) as usize] += all;
        self.packets[network.ejection_link(to.endpoint) as usize] += all;
        let one = self.hops.one_start && !self.taking.detours() && !self.taking.looks();
        let draws = if one { 1 } else { all.clamp(1, DRAWN) };
        for draw in 0..draws {
            // Whole shares that add up.
            let share = all * (draw + 1) / draws - all * draw / draws;
            self.walk(from.endpoint, to.endpoint, share);
        }
    }

    /// Packets that take one path. Where there is none the simulation says so.
    fn walk(&mut self, from: u32, to: u32, packets: u64) {
        let network: &Network = self.machine.network;
        self.drawn += 1;
        let mut word = mix(self.drawn);
        let (mut at, end) = (network.endpoint_switch()[from as usize], self.hops.destination(to));
        let detour = match self.taking {
            Taking::Detour => true,
            Taking::Hybrid { .. } => self.drawn.is_multiple_of(2),
            _ => false,
        };
        if detour && at != self.hops.switch_of(end) {
            let middle = legs::middle(network, &mut Draws::from_key(word), at, self.hops.switch_of(end));
            let via = self.hops.destination(middle);
            self.leg(at, via, &mut word, packets);
            at = self.hops.switch_of(via);
        }
        self.leg(at, end, &mut word, packets);
    }

    fn leg(&mut self, from: u32, end: u32, word: &mut u64, packets: u64) {
        let Ok(mut place) = self.hops.start(from, end, word) else { return };
        while let Some(choice) = self.hops.next(place, end, word) {
            self.packets[choice.link as usize] += packets;
            place = choice.place;
        }
    }
}

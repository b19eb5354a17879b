//! How long the messages of jobs are, in packets.

use crate::event::weights::for_each_message;
use crate::routes::taking::Taking;
use netloom_ranks::{Job, RoutedMachine};

/// Of messages that links carry.
pub(super) struct Sizes {
    /// Of a message, mean weighted by bytes: a byte under way is in one of this size.
    pub typical_bytes: u64,
    /// Whole packets of such a message.
    pub packets_each: u64,
    /// Packets of all messages, repetitions included.
    pub packets: u64,
}

impl Sizes {
    /// O(messages of one repetition).
    pub(super) fn of(machine: &RoutedMachine<'_>, jobs: &[(Job<'_>, Taking)], packet_bytes: u64) -> Sizes {
        let (mut bytes, mut squares, mut packets) = (0u128, 0u128, 0u64);
        for (job, _) in jobs {
            for_each_message(job.work, |src, dst, payload, times| {
                if machine.loops_back(job.place(src), job.place(dst)) {
                    return;
                }
                let times = times.saturating_mul(job.repetitions.into());
                let moved = machine.wire.moved_bytes(payload).ceil() as u64;
                let all = u128::from(moved).saturating_mul(times.into());
                bytes = bytes.saturating_add(all);
                squares = squares.saturating_add(all.saturating_mul(moved.into()));
                packets = packets.saturating_add(moved.div_ceil(packet_bytes).max(1).saturating_mul(times));
            });
        }
        let typical_bytes = squares.checked_div(bytes).unwrap_or(0) as u64;
        Sizes { typical_bytes, packets_each: typical_bytes / packet_bytes, packets }
    }
}

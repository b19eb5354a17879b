//! Memory that may be taken. What is large says how much it needs before it takes it: an allocation that fails in the
//! middle ends the process.
//!
//! The caller sets the limit; without one there is none. What is taken for a while and given back, such as a
//! simulation, is held: all that is held at the same time counts. Other things are bounded one by one, not their sum:
//! it tells a typing error in a size from a machine that is too small.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::fault::{Fault, codes};
use crate::units::show_amount;

static ROOM: Mutex<Room> = Mutex::new(Room { limit: u64::MAX, held: 0 });

struct Room {
    limit: u64,
    held: u64,
}

impl Room {
    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.held)
    }

    fn set_free(&mut self, bytes: u64) {
        self.limit = if self.held == 0 { bytes } else { self.limit.min(bytes.saturating_add(self.held)) };
    }

    fn hold(&mut self, bytes: u64, place: &str, what: &str) -> Result<(), Fault> {
        within(bytes, self.left(), place, what)?;
        self.held += bytes;
        Ok(())
    }
}

/// Bytes that are held until this is dropped.
#[derive(Debug)]
pub struct Held(u64);

impl Drop for Held {
    fn drop(&mut self) {
        room().held -= self.0;
    }
}

/// From now on nothing that needs more is made, in any thread, and no more is held at the same time.
pub fn set_limit(bytes: u64) {
    room().limit = bytes;
}

/// From now on no more is taken than `bytes`, which are free. What is held may be among them or taken already: the
/// limit is not more than both, and not more than it was.
pub fn set_free(bytes: u64) {
    room().set_free(bytes);
}

/// Refuses what needs more than may be taken beside what is held.
///
/// # Errors
/// `NL-X011` with both numbers.
pub fn require(bytes: u64, place: &str, what: &str) -> Result<(), Fault> {
    within(bytes, room().left(), place, what)
}

/// As `require`, and holds the bytes.
///
/// # Errors
/// `NL-X011` with both numbers.
pub fn hold(bytes: u64, place: &str, what: &str) -> Result<Held, Fault> {
    room().hold(bytes, place, what)?;
    Ok(Held(bytes))
}

fn room() -> MutexGuard<'static, Room> {
    ROOM.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes of a network while it is built. Measured on all families: 10 to 56 % more than is taken.
pub fn of_network(switches: u64, cables: u64, endpoints: u64) -> u64 {
    let per = |count: u64, bytes: u64| count.saturating_mul(bytes);
    per(switches, 16).saturating_add(per(cables, 48)).saturating_add(per(endpoints, 16))
}

fn within(bytes: u64, limit: u64, place: &str, what: &str) -> Result<(), Fault> {
    if bytes <= limit {
        return Ok(());
    }
    let sentence = format!("{what} needs {} of memory; {} may be taken", show_amount(bytes), show_amount(limit));
    Err(Fault::say(&codes::MEMORY, place, sentence).hint("choose smaller sizes, or give more with --memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_more_is_refused_with_both_numbers() {
        assert!(within(100, 100, "ring(8)", "the network").is_ok());
        let fault = within(5_368_709_120, 2_000_000_000, "ring(67108864)", "the network").unwrap_err();
        assert_eq!(fault.code, "NL-X011");
        assert_eq!(fault.expected, "the network needs 5.4 GB of memory; 2.0 GB may be taken");
        assert_eq!(show_amount(u64::MAX), "18446.7 PB");
        assert_eq!(of_network(u64::MAX, 1, 1), u64::MAX);
    }

    #[test]
    fn what_is_held_together_counts_until_it_is_given_back() {
        // Not the room of the process, which other tests share.
        let mut room = Room { limit: 1_000_000, held: 0 };
        let hold = |room: &mut Room, bytes| room.hold(bytes, "simulation", "a run");
        assert!(hold(&mut room, 600_000).is_ok());
        let fault = hold(&mut room, 600_000).unwrap_err();
        assert_eq!(fault.expected, "a run needs 600.0 kB of memory; 400.0 kB may be taken");
        assert_eq!(room.left(), 400_000);
        assert!(hold(&mut room, 400_000).is_ok());
        // What is held may have been taken meanwhile, and is then no longer free.
        room.set_free(100_000);
        room.held -= 400_000;
        assert!(hold(&mut room, 400_001).is_err() && hold(&mut room, 400_000).is_ok());
        room.held = 0;
        room.set_free(700_000);
        assert!(hold(&mut room, 700_001).is_err() && hold(&mut room, 700_000).is_ok());
    }
}

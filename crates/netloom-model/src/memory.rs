//! Memory that may be taken. What is large says how much it needs before it takes it: an allocation that fails in the
//! middle ends the process.
//!
//! The caller sets the limit; without one there is none. It bounds single things, not their sum: it tells a typing
//! error in a size from a machine that is too small.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::fault::{Fault, codes};
use crate::units::show_amount;

static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// From now on nothing that needs more is made, in any thread.
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Refuses what needs more than may be taken.
///
/// # Errors
/// `NL-X011` with both numbers.
pub fn require(bytes: u64, place: &str, what: &str) -> Result<(), Fault> {
    within(bytes, LIMIT.load(Ordering::Relaxed), place, what)
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
}

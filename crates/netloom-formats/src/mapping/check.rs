//! Whether a format can hold the mapping that a search will make.

use netloom_model::{Call, Mapping, NO_HOST, Network, Outcome};

use crate::files::write;

/// Whether `format` can hold a mapping of `ranks` ranks onto `network` in any order, so that a search is not wasted.
/// Tries one in which the ranks of every host are in reverse. `cray` and
/// `flux-taskmap` may still refuse hosts that are filled unevenly.
/// O(ranks).
///
/// # Errors
/// Those of [`write`]; `NL-M003` for more ranks than endpoints.
pub fn check(network: &Network, ranks: u32, format: &Call) -> Outcome<()> {
    let room = |slot: &u32| network.hosts().is_none_or(|hosts| hosts.host(*slot) != NO_HOST);
    let roomy = (0..network.endpoints()).rev().filter(room);
    // What is missing is no endpoint, which the mapping refuses.
    let reversed = roomy.chain(std::iter::repeat(network.endpoints())).take(ranks as usize).collect();
    write(&Mapping::new(reversed, network)?, format, network).map(drop)
}

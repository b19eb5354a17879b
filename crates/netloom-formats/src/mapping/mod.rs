//! Mappings for launchers: the host (and slot) of each rank.
//!
//! A *host* is what the launcher starts processes on: the endpoints that the network knows as one host, such as the GPUs of a
//! node, else `slots` consecutive ones: endpoint `e` is slot `e mod slots` of host `e / slots`.

pub mod bluegene;
pub mod cray;
pub mod csv;
pub mod deployment;
pub mod flux;
pub mod fugaku;
pub mod hostfile;
pub mod hosts;
pub mod ompi_hostfile;
pub mod pins;
pub mod plain;
pub mod rankfile;
pub mod slurm_arbitrary;
pub mod slurm_distribution;
pub mod torchrun;

pub(crate) mod step;
mod table;

use netloom_model::{Call, Mapping, NO_HOST, Network, Outcome, Registry};

use crate::detect::Head;
use crate::registry::{Format, Held, write};

/// Formats of mappings. If several could read a file, the earlier one has the better evidence.
pub static FORMATS: Registry<Format<Mapping>> = Registry {
    kind: "formats",
    what: "format",
    rows: &[
        rankfile::ROW,
        slurm_arbitrary::ROW,
        hostfile::ROW,
        ompi_hostfile::ROW,
        cray::ROW,
        bluegene::ROW,
        csv::ROW,
        plain::ROW,
        pins::PE_LIST,
        pins::MAP_CPU,
        pins::MASK_CPU,
        pins::HYDRA_BIND,
        pins::INTEL_PIN,
        pins::LIKWID_PIN,
        slurm_distribution::ROW,
        flux::ROW,
        fugaku::ROW,
        torchrun::ROW,
        deployment::ROW,
    ],
};

impl Held for Mapping {
    /// The network of the mapping.
    type Given<'g> = &'g Network;
    type Onto<'g> = &'g Network;
    type Found = Mapping;
    type Written = Vec<u8>;
    const WHAT: &'static str = "a mapping";

    fn formats() -> &'static Registry<Format<Mapping>> {
        &FORMATS
    }
}

/// Lines of a file's beginning without what a `#` begins, as the readers take them.
fn bare_lines<'h>(head: &'h Head) -> impl Iterator<Item = &'h str> {
    head.lines().map(|line| line.split('#').next().unwrap_or_default().trim_end())
}

/// Words of the first such line.
fn bare_words<'h>(head: &'h Head) -> Vec<&'h str> {
    bare_lines(head).next().map(|line| line.split_whitespace().collect()).unwrap_or_default()
}

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

#[cfg(test)]
mod ompi_tests;
#[cfg(test)]
mod slurm_tests;
#[cfg(test)]
mod tests;

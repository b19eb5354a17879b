//! Mappings for launchers: the host (and slot) of each rank.
//!
//! A *host* is what the launcher starts processes on: the endpoints that the network knows as one host, such as the GPUs of a
//! node, else `slots` consecutive ones: endpoint `e` is slot `e mod slots` of host `e / slots`.

mod bare;
pub mod bluegene;
mod check;
pub mod cray;
pub mod csv;
pub mod deployment;
pub mod flux;
pub mod fugaku;
pub mod hostfile;
pub mod hosts;
pub mod kubernetes;
pub mod ompi_hostfile;
pub mod pins;
pub mod plain;
pub mod rankfile;
pub mod slurm_arbitrary;
pub mod slurm_distribution;
pub mod torchrun;

pub(crate) mod step;
mod table;

use netloom_model::{Mapping, Network, Registry};

use crate::row::{Format, Held};
pub use check::check;

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
        kubernetes::ROW,
        deployment::ROW,
    ],
    common: &[],
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

#[cfg(test)]
mod ompi_tests;
#[cfg(test)]
mod slurm_tests;
#[cfg(test)]
mod tests;

//! Mappings as launchers take them: which host (and slot) each rank runs on.
//!
//! A *host* is what the launcher starts processes on; it has `slots` endpoints of the network: endpoint `e` is slot
//! `e mod slots` of host `e / slots`.

pub mod bluegene;
pub mod cray;
pub mod csv;
pub mod hostfile;
pub mod hosts;
pub mod plain;
pub mod rankfile;
pub mod slurm_arbitrary;

mod table;

#[cfg(test)]
mod tests;

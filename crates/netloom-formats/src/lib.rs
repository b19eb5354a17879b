//! Files: one module per format, reader and writer together.
//!
//! Bytes in, bytes out: nothing here touches a file system. A reader gets the file's name as `place`, which every fault
//! quotes with line and column. Files come from outside and are hostile until read: total size, numbers of nodes and
//! links, nesting and expansion are bounded before anything is allocated ([`limits`]).

pub mod codes;
mod detect;
mod expand;
pub mod limits;
pub mod programs;
pub mod recorded;
pub mod registry;
pub mod row;
pub mod smpi_trace;

mod files;
mod foreign;
mod graph;
mod head;
mod hostlist;
mod lost;
mod noted;
mod sink;
mod text;
mod xml;
mod yaml;

mod booksim;
mod chakra;
mod dumpi;
pub mod fabric;
pub mod forwarding;
mod goal;
mod graph_golf;
mod graphml;
pub mod hierarchy;
pub mod mapping;
pub mod network;
mod network_file;
mod node_link;
mod simgrid;
mod slurm;
pub mod traffic;

#[cfg(test)]
mod contract;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod topologies;

pub use detect::detect;
pub use files::{find, read, write};
pub use foreign::foreign;
pub use head::Head;
pub use hostlist::{HostNames, expand_hostlist, fold_hostlist};
pub use lost::lost;
pub use mapping::hosts::host_names;
pub use mapping::step::slurm_order;
pub use network_file::{MadeBy, Read};
pub use registry::FORMATS;
pub use row::{Format, Held};

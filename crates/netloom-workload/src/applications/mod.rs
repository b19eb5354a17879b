//! Applications: the actions of the ranks of a program, generated from the problem size. Those of the NAS parallel
//! benchmarks have the message partners, sizes, counts and order of the MPI programs of NPB 3.3, and compute by the
//! benchmark's own operation count; pF3D, MILC, SPLATT and sweeps communicate as papers describe it, and compute nothing.
//!
//! A row of [`APPLICATIONS`] makes [`Programs`]; the caller chooses the algorithm of each collective
//! ([`default_collectives`] takes what MPICH would).

mod cg;
mod class;
mod communicators;
mod fft3d;
mod ft;
mod is;
mod legal;
mod lu;
mod mg;
mod milc;
mod pf3d;
mod registry;
mod row;
mod selection;
mod splatt;
mod sweep;
mod weave;

#[cfg(test)]
mod tests;

pub use legal::{MOST_RANKS, RANK_LIMIT};
pub use registry::{APPLICATIONS, application, programs};
pub use row::{Application, ApplicationRow};
pub use selection::{default_collectives, mpich_default};
pub use weave::{APPLICATION_LIMIT, Collectives, OP_LIMIT};

//! Where packets may go: the routing, asked hop by hop, and classes of virtual channels with the proof that packets cannot wait for each
//! other forever.

pub mod cache;
pub mod channels;
pub mod escape;
pub mod hops;
pub mod known;
pub mod legs;
pub mod proof;
pub mod taking;

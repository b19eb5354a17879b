//! Where ranks go: a *placement* chooses endpoints and lists them in the order in which it drew or visited them; an
//! *order* permutes that list; rank `r` runs on entry `r`.

mod breadth_first;
pub mod codes;
pub mod enumeration;
mod free;
pub mod jobs;
pub mod orders;
pub mod placements;
pub mod registry;
pub mod row;

#[cfg(test)]
mod contract;
#[cfg(test)]
mod fixtures;

//! Forwarding tables: at every switch, the link that packets to each endpoint take.

mod csv;
mod entries;
mod opensm;
#[cfg(test)]
mod tests;
mod whole;

use netloom_model::{Forwarding, Network, Registry};

use crate::row::{Format, Held};

pub(crate) use opensm::require_numbers;

/// Formats of forwarding tables.
pub static FORMATS: Registry<Format<Forwarding>> =
    Registry { kind: "formats", what: "format", rows: &[csv::ROW, opensm::ROW], common: &[] };

impl Held for Forwarding {
    /// The network that the tables belong to.
    type Given<'g> = &'g Network;
    type Onto<'g> = &'g Network;
    type Found = Forwarding;
    type Written = Vec<u8>;
    const WHAT: &'static str = "forwarding tables";

    fn formats() -> &'static Registry<Format<Forwarding>> {
        &FORMATS
    }
}

//! Codes of flows.

pub use netloom_model::fault::codes::{BAD_AMOUNT, STOPPED};
pub use netloom_ranks::codes::TIME_OVERFLOW;

netloom_model::code_rows! {
    BAD_LENGTH = "NL-E010", "Arrays of flows or links do not fit together",
        "One array per property of the links, another per property of the flows, each with one entry per link or flow.",
        "Give arrays of the same length, and offsets that start at 0 and end at the number of link ids.";
}

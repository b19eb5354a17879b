//! Codes of ranks: what keeps a run from its end.

pub use netloom_model::fault::codes::{BAD_AMOUNT, MAPPING_RANGE, RANKS_DIFFER, STOPPED, TOO_LARGE};

netloom_model::code_rows! {
    DEADLOCK = "NL-E012", "Ranks wait for each other forever",
        "No event is left, and some ranks have not ended: a cycle of blocking sends or receives, or a message that is never sent.",
        "Break the cycle that is named: order the calls, or use non-blocking ones.";
    UNMATCHED = "NL-E013", "Message without a partner",
        "A send that no receive takes, or a receive that no send serves.",
        "Let every send have one receive with the same pair of ranks and the same tag.";
    TRUNCATED = "NL-E014", "Message longer than its receive",
        "The send has more bytes than the receive with which it is matched.", "Let the receive have room for the message.";
    TIME_OVERFLOW = "NL-E016", "Simulated time overflows",
        "Sizes, latencies or amounts of computation so large that time exceeds what a double holds.",
        "Check the units of sizes, bandwidths and speeds.";
    STILL = "NL-E017", "Simulation makes no progress",
        "A rank runs through very many actions without time going on, such as an endless loop of empty actions.",
        "Give the loop something to do, or fewer repetitions.";
}

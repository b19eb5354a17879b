//! `NL-N010`..: faults of the metrics.

pub use netloom_model::fault::codes::INTERRUPTED;

netloom_model::code_rows! {
    TOO_FAR = "NL-N010", "Distance does not fit one byte", "Two switches are more than 254 hops apart.",
        "Use `metrics`, which has no such limit, or a network of smaller diameter.";
    NO_SUCH_SWITCH = "NL-N012", "Switch does not exist", "A switch number is beyond the number of switches.",
        "Use switches 0 to switches-1.";
    WRONG_LENGTH = "NL-N013", "Buffer of the wrong length", "The output needs one byte per source and switch.",
        "Give a buffer of sources times switches bytes.";
}

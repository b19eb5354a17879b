//! Codes of distances and link loads.

pub use netloom_model::fault::codes::{RANKS_DIFFER, STOPPED};

netloom_model::code_rows! {
    NO_SUCH_SWITCH = "NL-E002", "Mapping names a switch that the distances lack",
        "The distance matrix belongs to another network, or the mapping does.", "Compute both from the same network.";
    NO_PATH = "NL-E003", "No path between two ranks", "The ranks are in parts of the network that are not joined.",
        "Map the job onto one connected part.";
    MANY_PATHS = "NL-E005", "Routing has several paths per pair",
        "Contentions are counted on one path per message, and a simulated message takes one; this routing spreads its traffic.",
        "Use a deterministic routing, such as single-minimal.";
    LOADS_PLACE = "NL-E021", "Rank that cannot send or be reached",
        "A rank on an endpoint that does not exist or whose switch has no link, or traffic to a rank that the job does not have.",
        "Correct the placement or the traffic that is named.";
    LOADS_LARGE = "NL-E022", "Loads exceed what is counted exactly",
        "All messages together have more than 2^62 bytes.", "Use smaller messages: loads are proportional to them.";
}

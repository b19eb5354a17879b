//! `E001`..: evaluations.

netloom_model::code_rows! {
    RANKS_DIFFER = "NL-E001", "Mapping and workload have different numbers of ranks",
        "Every rank of the workload needs exactly one place in the mapping.", "Make both for the same number of ranks.";
    NO_SUCH_SWITCH = "NL-E002", "Mapping names a switch that the distances lack",
        "The distance matrix belongs to another network, or the mapping does.", "Compute both from the same network.";
    NO_PATH = "NL-E003", "No path between two ranks", "The ranks are in parts of the network that are not joined.",
        "Map the job onto one connected part.";
    STOPPED = "NL-E004", "Evaluation was stopped", "The caller asked for the work to end before it was complete.",
        "Run it again, with more time or a smaller workload.";
    MANY_PATHS = "NL-E005", "Routing has several paths per pair",
        "Contentions are counted on one path per message; this routing spreads its traffic.",
        "Use a deterministic routing, such as single-minimal.";
}

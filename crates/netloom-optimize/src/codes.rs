//! `O001`..: optimisers and objectives.

netloom_model::code_rows! {
    RANKS_DIFFER = "NL-O001", "Mapping and workload have different numbers of ranks",
        "Every rank of the workload needs exactly one place in the start mapping.", "Make both for the same number of ranks.";
    DISTANCES_DIFFER = "NL-O002", "Distances do not belong to the network",
        "The hop matrix has another number of switches, or is not symmetric.", "Compute it from the same network.";
    NO_PATH = "NL-O003", "No path between two slots", "The slots are in parts of the network that are not joined.",
        "Use slots of one connected part.";
    NEEDS_SCHEDULE = "NL-O004", "Objective needs a schedule", "Contentions are counted step by step; a traffic has no steps.",
        "Give a collective, or use contentions(over=workload) or max-link-load.";
    NEEDS_ROUTING = "NL-O005", "Objective needs a routing with one path per pair",
        "Link objectives follow each message along its path.", "Give a deterministic routing, such as single-minimal.";
    NO_GRID = "NL-O006", "Grid method does not apply",
        "It maps traffic on a Cartesian grid of ranks onto a grid network, all of it or a box in it.",
        "Use a stencil pattern on a torus, mesh or HyperX, or another method, such as auto.";
    TEMPERATURES = "NL-O007", "Temperatures are in the wrong order", "Annealing cools: the end must not be hotter than the start.",
        "Give t_start >= t_end > 0, or leave both out.";
    NEEDS_CLOCK = "NL-O008", "Objective needs a clock",
        "Time is what a simulation of the workload on the machine takes; this caller gave none.",
        "Give the search a clock, or use the objective hops.";
    NO_START = "NL-O009", "Search ended before its start was rated",
        "The time budget or the caller ended the search while it prepared, or rated the mapping that it starts from.",
        "Give more seconds, or a smaller workload.";
}

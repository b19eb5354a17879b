//! `M010`..: placements and orders.

netloom_model::code_rows! {
    NO_RING = "NL-M010", "Network has no ring", "The ring placement follows switches i and i+1, which are not joined here.",
        "Use a network that is built on a ring, or ring(along=numbers), which follows the switch numbers regardless.";
    NO_CIRCULANT = "NL-M011", "Network is not a circulant", "Algorithm 4.1 keeps a circulant's shape; the network has none.",
        "Use a circulant network, or another placement.";
    NO_STRIDE = "NL-M012", "No even stride for this job",
        "The circulant placement needs a power of two of switches that divides the number of switches, and as many endpoints on each.",
        "Use a power-of-two number of ranks that divides the network.";
    UNREACHED = "NL-M013", "Tree does not reach enough endpoints",
        "The network is in parts, and the part of the root has too few free endpoints.",
        "Choose a root in another part, or connect the network.";
    NOT_FREE = "NL-M014", "Endpoint is not available", "The placement needs an endpoint that the list of available ones lacks.",
        "Free that endpoint, choose another start, or use a placement that takes any endpoints.";
    AVAILABLE = "NL-M015", "List of available endpoints is wrong",
        "It names an endpoint that the network does not have, or one twice.", "Use endpoints 0 to endpoints-1, each once.";
    NO_UNITS = "NL-M016", "Network has no such units", "The placement gives whole chassis or groups, and this network has none.",
        "Use a placement by switches or endpoints, or a network with groups or levels.";
    JOB_TOO_LARGE = "NL-M017", "Job does not fit on the free endpoints", "The jobs before it, or the list of free endpoints, leave too few.",
        "Ask for fewer endpoints, or take jobs away.";
    JOBS_OVERLAP = "NL-M018", "Two jobs have the same endpoint", "An endpoint is in the lists of two jobs, or twice in one list.",
        "Give each job different endpoints.";
}

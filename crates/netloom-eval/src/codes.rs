//! `E001`..: evaluations.

pub use netloom_model::fault::codes::{BAD_AMOUNT, RANKS_DIFFER};

netloom_model::code_rows! {
    NO_SUCH_SWITCH = "NL-E002", "Mapping names a switch that the distances lack",
        "The distance matrix belongs to another network, or the mapping does.", "Compute both from the same network.";
    NO_PATH = "NL-E003", "No path between two ranks", "The ranks are in parts of the network that are not joined.",
        "Map the job onto one connected part.";
    STOPPED = "NL-E004", "Evaluation was stopped", "The caller asked for the work to end before it was complete.",
        "Run it again, with more time or a smaller workload.";
    MANY_PATHS = "NL-E005", "Routing has several paths per pair",
        "Contentions are counted on one path per message, and a simulated message takes one; this routing spreads its traffic.",
        "Use a deterministic routing, such as single-minimal.";
    BAD_LENGTH = "NL-E010", "Arrays of flows or links do not fit together",
        "One array per property of the links, another per property of the flows, each with one entry per link or flow.",
        "Give arrays of the same length, and offsets that start at 0 and end at the number of link ids.";
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
    STALLED = "NL-E018", "Packets wait for each other forever",
        "Every packet under way waits for room in a buffer that other waiting packets fill.",
        "Use a routing that is free of deadlock with the switch's channels, or give the switch more channels.";
    UNSAFE = "NL-E019", "Routing can deadlock on these switches",
        "The channels that packets hold and wait for form a cycle, or the switch has fewer virtual channels than the routing needs.",
        "Give the switch more channels, or use a routing that needs fewer.";
    LOADS_PLACE = "NL-E021", "Rank that cannot send or be reached",
        "A rank on an endpoint that does not exist or whose switch has no link, or traffic to a rank that the job does not have.",
        "Correct the placement or the traffic that is named.";
    LOADS_LARGE = "NL-E022", "Loads exceed what is counted exactly",
        "All messages together have more than 2^62 bytes.", "Use smaller messages: loads are proportional to them.";
    ELSEWHERE = "NL-E023", "Another process of the simulation has failed",
        "A simulation over several processes ends in all of them when one fails or cannot be reached.",
        "Mend what the other process reports.";
    DIFFER = "NL-E024", "Processes do not simulate the same",
        "The processes of one simulation have different inputs, options, files or builds of netloom.",
        "Start all of them with the same command, files and installation.";
}

//! Codes of packets.

pub use netloom_model::fault::codes::STOPPED;

netloom_model::code_rows! {
    STALLED = "NL-E018", "Packets wait for each other forever",
        "Every packet under way waits for room in a buffer that other waiting packets fill.",
        "Use a routing that is free of deadlock with the switch's channels, or give the switch more channels.";
    UNSAFE = "NL-E019", "Routing can deadlock on these switches",
        "The channels that packets hold and wait for form a cycle, or the switch has fewer virtual channels than the routing needs.",
        "Give the switch more channels, or use a routing that needs fewer.";
    ELSEWHERE = "NL-E023", "Another process of the simulation has failed",
        "A simulation over several processes ends in all of them when one fails or cannot be reached.",
        "Mend what the other process reports.";
    DIFFER = "NL-E024", "Processes do not simulate the same",
        "The processes of one simulation have different inputs, options, files or builds of netloom.",
        "Start all of them with the same command, files and installation.";
}

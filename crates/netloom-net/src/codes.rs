//! Fault codes of the topology generators and their contract.

netloom_model::code_rows! {
    NO_BANDWIDTH = "NL-T001", "Link without bandwidth", "A bandwidth of zero would never deliver a message.",
        "Give a bandwidth above 0, such as \"100 Gbps\".";
    LIST_LENGTH = "NL-T002", "List of the wrong length",
        "A list that goes with the dimensions or levels has another number of entries.",
        "Give one value for all, or one for each.";
    JUMPS = "NL-T003", "Jumps do not make a circulant",
        "A jump is out of range, given twice, or all jumps share a divisor with the number of switches.",
        "Give different jumps from 1 to n/2; with jump 1 the network is always connected.";
    DEGREE = "NL-T004", "Degree does not fit the number of switches",
        "A simple graph on n switches has degrees below n, no less than the base network's, and an even sum.",
        "Choose the degree in the stated range.";
    BASE = "NL-T005", "Base network does not fit", "The extents of the base torus multiply to another number of switches.",
        "Give extents whose product is the number of switches.";
    RANDOM = "NL-T006", "Random construction did not succeed",
        "No graph with these parameters was found within the limit of draws.",
        "Use another seed, or a degree further from the extremes.";
    POWER = "NL-T007", "Size is not of the required form",
        "The family exists only for sizes of a certain form, such as c*d^m.", "Use the nearest size in the hint.";
    PRIME_POWER = "NL-T008", "Not a usable prime power",
        "MMS graphs are built on a finite field: q is a prime power with q mod 4 in 0, 1, 3.",
        "Use the nearest q in the hint.";
    TREE = "NL-T009", "Tree shape is inconsistent", "The numbers of children, parents and parallel cables do not make a tree.",
        "Give one entry per level; an endpoint has one parent and one cable.";
    FAT_TREE = "NL-T010", "Radix does not divide over the fat-tree",
        "Half of the ports of a switch go down and half go up; a doubled top level pairs the upward ports.",
        "Use a multiple of 4 (top=\"doubled\") or an even number (top=\"full\").";
    GROUPS = "NL-T011", "Groups cannot be wired",
        "Every pair of groups needs a cable, and every cable a global port at both ends.",
        "Lower g or global_parallel, or raise h or a.";
    GROUP_SIZE = "NL-T012", "Group size is missing or contradictory", "A group needs a, or its extents, and both must agree.",
        "Give a, or group=[rows,columns] with a = rows*columns.";
    RAILS = "NL-T013", "Rails cannot be wired",
        "Every NIC of a node serves as many GPUs, and every leaf has whole cables to each spine of its plane.",
        "Give rails that divide gpus, and an oversubscription that divides pod.";
    CONTRACT = "NL-T090", "Network breaks the contract of topologies",
        "What was built differs from what its generator or its structure promises.",
        "Correct the generator; the sentence says which promise is broken.";
    FAILURE = "NL-N014", "Failure cannot be read", "A line of the list of failures has no meaning on this network.",
        "Write link:A-B, link:A-B#0, switch:A, links:0.5%,seed=3 or switches:4,seed=3.";
    NO_COMBINING = "NL-N018", "No switches combine messages", "An in-network collective needs switches that combine and multiply messages, and a tree of them that joins its ranks.",
        "Use a machine whose combining_switches are nodes, fabric or all, or another algorithm.";
}

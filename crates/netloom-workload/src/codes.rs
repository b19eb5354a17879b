//! `C001`..: collectives and their proofs; `P001`..: traffic patterns and applications.

netloom_model::code_rows! {
    RANKS = "NL-C001", "Number of ranks out of range", "A collective needs 1 to 2^24 ranks.",
        "Give a number of ranks in that range.";
    ROOT = "NL-C002", "Root is not a rank", "The root must be one of the ranks; a collective without a root takes 0.",
        "Give a root in 0..ranks (exclusive).";
    SIZE = "NL-C003", "Size of a collective out of range", "The size is negative, or all messages together exceed 2^63 bytes.",
        "Give a smaller size, zero or more.";
    RESTRICTED = "NL-C004", "Algorithm does not take this number of ranks",
        "The algorithm or one of its options is defined for some numbers of ranks only.",
        "Use another number of ranks or the option that the hint names.";
    MALFORMED = "NL-C005", "Schedule is malformed",
        "A transfer names a rank or a block that does not exist, goes from a rank to itself, or combines in an operation that \
         only moves blocks; or the steps are out of order.",
        "Correct the schedule; the message names the transfer.";
    NOT_HELD = "NL-C006", "Sender does not hold what it sends",
        "A rank sends a block that it has not received before the step begins.",
        "Send it in a later step, or bring it to the sender first.";
    COUNTED_TWICE = "NL-C007", "Contribution counted twice",
        "A rank combines a message that holds a contribution which its own block already counts.",
        "Remove one of the two transfers, or store instead of combining.";
    RACE = "NL-C008", "Order of arrival decides the result",
        "In one step a block receives a stored value together with another value.",
        "Put the two transfers into different steps.";
    LACKS = "NL-C009", "Collective does not keep its promise", "After the last step a rank lacks what the operation promises it.",
        "Add the transfers that bring it.";
    SURPLUS = "NL-C010", "Rank has more than the operation promises",
        "After the last step of a scan a rank counts contributions of higher ranks.", "Remove the transfers that bring them.";
    CLOSED_FORM = "NL-C011", "Schedule disagrees with its closed form",
        "Steps, messages, bytes or ports of the generated schedule differ from the formula of its registry row.",
        "This is a defect of netloom: please report it with the call, the ranks and the root.";
    PROOF_LARGE = "NL-C012", "Schedule too large to prove", "The sets that the proof keeps at a time would need more than 1 GiB.",
        "Prove the same algorithm on fewer ranks.";
    COLLECTIVE = "NL-C013", "Unknown collective operation", "No operation has this name.", "Use one of the names in the hint.";
    SYMMETRY = "NL-C014", "Collective cannot be written as cyclic rounds",
        "Rounds in which all ranks do alike exist only for operations that treat all ranks alike.",
        "List the transfers one by one.";
    PATTERN_RANKS = "NL-P001", "Pattern does not take this number of ranks",
        "The pattern is defined for some numbers of ranks only.", "Use a number of ranks that the hint names.";
    PATTERN_LARGE = "NL-P002", "Traffic too large", "The pattern would have more than 2^27 flows or 2^63 bytes.",
        "Use fewer ranks, messages or bytes.";
    MIX = "NL-P003", "Mix cannot be made",
        "The share must be in 0..1, and the number of messages must be positive.",
        "Give a share between 0 and 1.";
    APPLICATION_RANKS = "NL-P004", "Application does not take this number of ranks",
        "The benchmark is defined for some numbers of ranks only, which depend on its class.",
        "Use one of the numbers that the hint names.";
    APPLICATION_LARGE = "NL-P005", "Application too large", "The programs would have more than 2^25 actions together.",
        "Use fewer ranks.";
    STEPS = "NL-P006", "Steps do not fit together",
        "A workload is on another number of ranks than the groups that do it, or steps are nested too deeply.",
        "Give groups of one size, and fewer steps within steps.";
}

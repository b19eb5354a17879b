//! Error catalogue of the formats: `NL-F...`.

netloom_model::code_rows! {
    TOO_LARGE = "NL-F001", "File too large", "The file, or a list that it abbreviates, exceeds what a reader accepts.",
        "Split the machine, or describe it by a constructor such as torus(64,64,64).";
    ENCODING = "NL-F002", "Not a text file", "The bytes are not UTF-8, or hold a NUL character.",
        "Save the file as UTF-8 text.";
    SYNTAX = "NL-F003", "Syntax error", "The file does not follow its format at this place.",
        "Correct the line, or name the right format with `--from`.";
    NOTHING = "NL-F004", "Nothing to read", "The file names no switch, no link or no rank.",
        "Check that it is the right file and complete.";
    TOO_DEEP = "NL-F005", "Nested too deeply", "Elements or values are nested beyond the limit.",
        "Flatten the file.";
    DUPLICATE = "NL-F006", "Name given twice", "Two things in one file have the same name.",
        "Rename one of them, or remove the repetition.";
    UNKNOWN_ID = "NL-F007", "Unknown name", "A link or a rank refers to something that the file or the network does not define.",
        "Define it, or correct the reference.";
    SELF_LOOP = "NL-F008", "Link from a switch to itself", "Both ends of a link are the same switch.",
        "Remove the link, or correct one end.";
    VALUE = "NL-F009", "Value out of range", "A number, a quantity or a word is not what the format allows there.",
        "Give a value in the stated range.";
    MISSING = "NL-F010", "Something required is missing", "An attribute, a column or a rank is absent.", "Add it.";
    ONE_WAY = "NL-F011", "One-way link", "A directed file lists a link in one direction only; cables are full duplex.",
        "List both directions with the same bandwidth and latency, or make the file undirected.";
    ENDPOINT_LINKS = "NL-F012", "Endpoint not on exactly one switch",
        "An endpoint has no link, several links, or a link to another endpoint.",
        "Give each endpoint one link to a switch; a node that forwards is a switch with its own endpoint.";
    UNSUPPORTED = "NL-F013", "Part of the format that is not read", "The file uses a feature that has no meaning as a network of links.",
        "Remove it, or convert the file with its own tool first.";
    NAME = "NL-F014", "Name that the format cannot hold", "A name is empty, too long, or holds a character with a meaning in the file.",
        "Rename it, or give a host pattern such as node{0001}.";
    HOSTLIST = "NL-F015", "Host list cannot be read", "Brackets or ranges of a list such as n[0-3,7] are wrong.",
        "Write prefix[first-last,number]suffix, with ascending ranges.";
    UNKNOWN_FORMAT = "NL-F016", "Format not recognised", "Neither the file's name nor its beginning tells its format.",
        "Name the format with `--from` or `--to`.";
    NO_DIRECTION = "NL-F017", "Format does not go this way", "The format is only written or only read, or it holds a mapping and not a network.",
        "Use one of the formats in the hint.";
    CANNOT_EXPRESS = "NL-F018", "Network does not fit the format", "The format has no words for a part of this network.",
        "Use the format in the hint, or a constructor that makes a network of the right shape.";
    RANKS = "NL-F019", "Ranks are not 0 to n-1", "A mapping file leaves out a rank or gives it twice.",
        "Give every rank exactly once.";
    ACTION = "NL-F020", "Action that a trace cannot be replayed with",
        "The action is unknown, or the trace does not record what a program would need of it.",
        "Record the application with calls that the trace holds: see docs/reference/formats.md.";
    DISAGREE = "NL-F021", "Ranks disagree on their collectives",
        "Collectives are calls of all ranks, in the same order with the same sizes; traces say nothing of sub-communicators.",
        "Give the traces of all ranks of one run of an application that uses MPI_COMM_WORLD.";
    AMBIGUOUS = "NL-F022", "Receive from any rank that has no single sender",
        "The trace does not record which message a wildcard receive took, and more than one would fit.",
        "Name the source in the application, or correct the line.";
}

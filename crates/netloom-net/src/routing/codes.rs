//! `NL-R001`..: what routings cannot do.

netloom_model::code_rows! {
    NO_GRID = "NL-R001", "Routing needs a grid", "The network has no coordinates, or they do not fit its links.",
        "Use a mesh, torus, hypercube or HyperX, or a routing for any network such as `minimal` or `up-down`.";
    NO_TREE = "NL-R002", "Routing needs a tree", "The network has no levels, or cables that join switches of one level.",
        "Use a tree, or `single-minimal(tie=destination)` or `up-down`, which take any network.";
    NO_PATH = "NL-R003", "No legal path", "The rule of this routing joins the two switches by no path.",
        "Use another routing, or communicate only between switches that have endpoints.";
    TOO_MANY_PATHS = "NL-R004", "Too many candidate paths", "The pair has more paths than the routing's limit.",
        "Raise `limit`, or use a routing with one path per destination such as `single-minimal(tie=destination)`.";
    TOO_MANY_CHANNELS = "NL-R005", "Too many virtual channels", "One channel per hop needs more than 255 channels.",
        "Use vc=\"one\", or a network of smaller diameter.";
    NO_SWITCH = "NL-R006", "Switch does not exist", "A switch number is beyond the number of switches.",
        "Use switches 0 to switches-1.";
    ORDER = "NL-R007", "Not an order of the dimensions", "Every dimension must be named exactly once.",
        "Give a permutation such as [1,0,2], or leave `order` out.";
    NO_GROUPS = "NL-R009", "Routing needs groups",
        "The network has no groups of switches that are connected inside and joined to each other by cables.",
        "Use a dragonfly or dragonfly+, or a routing for any network such as `minimal`.";
    NO_ENTRY = "NL-R010", "Forwarding tables do not lead to an endpoint",
        "The tables lack an entry that packets need, lead them in a circle, or were not read.",
        "Complete the tables of the switch that is named, or write them with `netloom convert --routing`.";
    NO_TABLES = "NL-R011", "Routing has no forwarding tables",
        "The next link depends on more than the switch and the destination, or there are several.",
        "Use a routing with one path per destination, such as `single-minimal(tie=destination)`, or `d-mod-k` on trees.";
    ONE_WAY = "NL-R012", "Links of a butterfly go one way",
        "A routing of other networks would go backwards along links of a butterfly; its own needs the stages of one.",
        "Leave the routing out: a butterfly takes destination-tag, other networks their own default.";
}

//! What a rank does with communicators and groups, call by call: handles are its own numbers.

use super::call::Call;

/// Handles that every rank has.
pub const NULL: i64 = 1;
pub const WORLD: i64 = 2;
pub const SELF: i64 = 3;
/// The group without a rank.
pub const EMPTY: i64 = 2;

/// How a new communicator follows from an old one.
#[derive(Clone, Debug, PartialEq)]
pub enum How {
    Same,
    Split {
        color: i64,
        key: i64,
    },
    /// The members of a group of this rank.
    Group(i64),
    /// The first ranks, as many as a grid of these dimensions has.
    Grid(Vec<i64>),
    /// The ranks that differ in these dimensions of a grid alone.
    Slice(Vec<bool>),
    /// The first ranks.
    First(i64),
}

/// A step; all of them have a handle that is new.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupStep {
    pub new: i64,
    pub does: Does,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    GroupOf {
        communicator: i64,
    },
    Include {
        group: i64,
        ranks: Vec<i64>,
    },
    Exclude {
        group: i64,
        ranks: Vec<i64>,
    },
    Union(i64, i64),
    Intersection(i64, i64),
    Difference(i64, i64),
    Create {
        parent: i64,
        how: How,
    },
    /// A communicator whose members the record does not tell.
    Unknown,
}

/// The step of a call, if it is one.
pub fn step(call: &Call) -> Option<GroupStep> {
    let get = |name: &str| call.get(name);
    let create = |how: How| Some(Does::Create { parent: get("oldcomm")?, how });
    let group = |name: &str| get(name);
    let (new, does) = match call.name {
        "Comm_dup" => ("newcomm", create(How::Same)?),
        "Comm_split" => ("newcomm", create(How::Split { color: get("color")?, key: get("key")? })?),
        "Comm_create" => ("newcomm", create(How::Group(get("group")?))?),
        "Cart_create" => ("newcomm", create(How::Grid(call.list("dims").to_vec()))?),
        "Cart_sub" => {
            let kept = call.list("remain_dims").iter().map(|flag| *flag != 0).collect();
            ("newcomm", create(How::Slice(kept))?)
        }
        "Graph_create" => ("newcomm", create(How::First(get("nodes")?))?),
        "Intercomm_create" | "Intercomm_merge" | "Comm_accept" | "Comm_connect" => ("newcomm", Does::Unknown),
        "Comm_get_parent" => ("parent", Does::Unknown),
        "Comm_group" => ("group", Does::GroupOf { communicator: get("comm")? }),
        "Group_incl" => ("newgroup", Does::Include { group: group("group")?, ranks: call.list("ranks").to_vec() }),
        "Group_excl" => ("newgroup", Does::Exclude { group: group("group")?, ranks: call.list("ranks").to_vec() }),
        "Group_range_incl" => ("newgroup", Does::Include { group: group("group")?, ranks: ranges(call) }),
        "Group_range_excl" => ("newgroup", Does::Exclude { group: group("group")?, ranks: ranges(call) }),
        "Group_union" => ("newgroup", Does::Union(group("group1")?, group("group2")?)),
        "Group_intersection" => ("newgroup", Does::Intersection(group("group1")?, group("group2")?)),
        "Group_difference" => ("newgroup", Does::Difference(group("group1")?, group("group2")?)),
        _ => return None,
    };
    Some(GroupStep { new: get(new)?, does })
}

/// The ranks of first, last, stride, ...; not more than there can be.
fn ranges(call: &Call) -> Vec<i64> {
    let most = i64::from(crate::recorded::MAX_RANKS);
    let mut ranks = Vec::new();
    for range in call.list("ranges").chunks_exact(3) {
        let (mut rank, last, stride) = (range[0], range[1], range[2]);
        while stride != 0 && (0..most).contains(&rank) && (last - rank) * stride.signum() >= 0 {
            if ranks.len() as i64 >= most {
                return ranks;
            }
            ranks.push(rank);
            rank += stride;
        }
    }
    ranks
}

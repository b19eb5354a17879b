//! Who is in each communicator: the calls that create one are put together, the first of each member of the old one, then
//! the second, and so on.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use netloom_model::{Fault, Outcome};

use super::steps::{Does, EMPTY, GroupStep, How, NULL, SELF, WORLD};
use crate::codes;
use crate::recorded::Recording;

/// Most members of all groups and communicators together.
const MAX_MEMBERS: usize = 1 << 26;

/// The number of a communicator in the recording, for each step of each rank; none of what is no communicator that is
/// known.
pub type Numbers = Vec<Vec<Option<u32>>>;

struct Communicator {
    members: Arc<[u32]>,
    dims: Vec<i64>,
    /// By number of the creation: of each member that has come, how, and where the new one goes.
    creations: HashMap<usize, BTreeMap<u32, Coming>>,
}

/// A member that waits for the others.
struct Coming {
    how: How,
    group: Option<Arc<[u32]>>,
    new: i64,
    step: usize,
}

#[derive(Default)]
struct Handles {
    at: usize,
    communicators: HashMap<i64, Option<usize>>,
    groups: HashMap<i64, Arc<[u32]>>,
    /// Creations on each communicator so far.
    created: HashMap<usize, usize>,
    made: Vec<Option<u32>>,
    waits: bool,
}

struct World<'r> {
    place: &'r str,
    recording: &'r mut Recording,
    ranks: Vec<Handles>,
    all: Vec<Communicator>,
    members: usize,
}

/// Goes through the steps of all ranks.
///
/// # Errors
/// `NL-F007` for a handle that nothing made, `NL-F021` where a member does not create what others do, `NL-F001` for too
/// many.
pub fn resolve(place: &str, steps: &[Vec<GroupStep>], recording: &mut Recording) -> Outcome<Numbers> {
    let ranks = (0..steps.len()).map(|_| Handles::default()).collect();
    let mut world = World { place, recording, ranks, all: Vec::new(), members: 0 };
    let everyone: Arc<[u32]> = (0..steps.len() as u32).collect();
    world.all.push(Communicator::new(everyone));
    for rank in &mut world.ranks {
        rank.communicators.insert(WORLD, Some(0));
        rank.groups.insert(EMPTY, Arc::new([]));
    }
    let mut ready: Vec<u32> = (0..steps.len() as u32).rev().collect();
    while let Some(rank) = ready.pop() {
        world.walk(rank, &steps[rank as usize], &mut ready)?;
    }
    let stuck = world.ranks.iter().position(|rank| rank.waits);
    match stuck {
        Some(rank) => Err(world.stuck(rank)),
        None => Ok(world.ranks.into_iter().map(|rank| rank.made).collect()),
    }
}

impl Communicator {
    fn new(members: Arc<[u32]>) -> Communicator {
        Communicator { members, dims: Vec::new(), creations: HashMap::new() }
    }
}

impl World<'_> {
    fn walk(&mut self, rank: u32, steps: &[GroupStep], ready: &mut Vec<u32>) -> Outcome<()> {
        while let Some(step) = steps.get(self.ranks[rank as usize].at) {
            self.ranks[rank as usize].at += 1;
            self.ranks[rank as usize].made.push(None);
            match &step.does {
                Does::Create { parent, how } => {
                    if !self.create(rank, *parent, how, step.new, ready)? {
                        return Ok(());
                    }
                }
                Does::Unknown => {
                    self.ranks[rank as usize].communicators.insert(step.new, None);
                }
                other => {
                    let group = self.group(rank, other)?;
                    self.ranks[rank as usize].groups.insert(step.new, group);
                }
            }
        }
        Ok(())
    }

    /// True if the rank can go on.
    fn create(&mut self, rank: u32, parent: i64, how: &How, new: i64, ready: &mut Vec<u32>) -> Outcome<bool> {
        let Some(parent) = self.communicator(rank, parent)? else {
            self.ranks[rank as usize].communicators.insert(new, None);
            return Ok(true);
        };
        let group = match how {
            How::Group(group) => Some(self.group_of(rank, *group)?),
            _ => None,
        };
        let own = &mut self.ranks[rank as usize];
        let number = own.created.entry(parent).or_default();
        let creation = *number;
        *number += 1;
        own.waits = true;
        let coming = Coming { how: how.clone(), group, new, step: own.at - 1 };
        let come = self.all[parent].creations.entry(creation).or_default();
        come.insert(rank, coming);
        if come.len() < self.all[parent].members.len() {
            return Ok(false);
        }
        let come = self.all[parent].creations.remove(&creation).unwrap_or_default();
        for &other in come.keys() {
            self.ranks[other as usize].waits = false;
            if other != rank {
                ready.push(other);
            }
        }
        self.complete(parent, come)?;
        Ok(true)
    }

    /// All members have come.
    fn complete(&mut self, parent: usize, come: BTreeMap<u32, Coming>) -> Outcome<()> {
        let members = Arc::clone(&self.all[parent].members);
        let kind = |coming: &Coming| std::mem::discriminant(&coming.how);
        let kinds: HashSet<_> = come.values().map(kind).collect();
        if kinds.len() > 1 {
            let sentence = "ranks create a communicator in different ways in one call of all of them";
            return Err(Fault::say(&codes::DISAGREE, self.place, sentence).into());
        }
        // Members of each new communicator, by what tells them apart, in the order of the old one.
        let mut parts: BTreeMap<Vec<i64>, Vec<(i64, u32)>> = BTreeMap::new();
        let mut dims = Vec::new();
        for (number, rank) in (0i64..).zip(members.iter()) {
            let coming = &come[rank];
            if coming.new == NULL {
                self.ranks[*rank as usize].communicators.insert(NULL, None);
                continue;
            }
            let (part, key) = match &coming.how {
                How::Same | How::Grid(_) | How::First(_) => (Vec::new(), number),
                How::Split { color, key } => (vec![*color], *key),
                // Groups of several communicators at once have no rank in common.
                How::Group(_) => {
                    (vec![coming.group.iter().flat_map(|group| group.first()).map(|one| i64::from(*one)).sum()], 0)
                }
                How::Slice(kept) => {
                    let place = coordinates(number, &self.all[parent].dims);
                    let part = place.iter().zip(kept.iter().chain(std::iter::repeat(&false)));
                    (part.map(|(at, kept)| if *kept { 0 } else { *at }).collect(), number)
                }
            };
            dims = match &coming.how {
                How::Grid(dims) => dims.clone(),
                How::Slice(kept) => {
                    let all = self.all[parent].dims.iter().zip(kept);
                    all.filter(|(_, kept)| **kept).map(|(extent, _)| *extent).collect()
                }
                _ => dims,
            };
            parts.entry(part).or_default().push((key, *rank));
        }
        for mut part in parts.into_values() {
            part.sort_by_key(|(key, _)| *key);
            let ranks: Arc<[u32]> = match come[&part[0].1].group.as_deref() {
                Some(group) => {
                    let own: HashSet<u32> = part.iter().map(|(_, rank)| *rank).collect();
                    group.iter().filter(|rank| own.contains(rank)).copied().collect()
                }
                None => part.iter().map(|(_, rank)| *rank).collect(),
            };
            self.keep(ranks.len())?;
            let number = self.recording.communicator(ranks.to_vec())?;
            let at = self.all.len();
            self.all.push(Communicator { dims: dims.clone(), ..Communicator::new(Arc::clone(&ranks)) });
            for rank in ranks.iter() {
                let coming = &come[rank];
                let own = &mut self.ranks[*rank as usize];
                own.communicators.insert(coming.new, Some(at));
                own.made[coming.step] = Some(number);
            }
        }
        Ok(())
    }

    fn communicator(&mut self, rank: u32, handle: i64) -> Outcome<Option<usize>> {
        if handle == SELF && !self.ranks[rank as usize].communicators.contains_key(&SELF) {
            self.all.push(Communicator::new(Arc::new([rank])));
            self.ranks[rank as usize].communicators.insert(SELF, Some(self.all.len() - 1));
        }
        match self.ranks[rank as usize].communicators.get(&handle) {
            Some(found) => Ok(*found),
            None => Err(self.unknown(rank, "communicator", handle)),
        }
    }

    fn group_of(&self, rank: u32, handle: i64) -> Outcome<Arc<[u32]>> {
        let found = self.ranks[rank as usize].groups.get(&handle);
        found.map(Arc::clone).ok_or_else(|| self.unknown(rank, "group", handle))
    }

    fn group(&mut self, rank: u32, does: &Does) -> Outcome<Arc<[u32]>> {
        let made: Vec<u32> = match does {
            Does::GroupOf { communicator } => {
                let found = self.communicator(rank, *communicator)?;
                return Ok(found.map_or_else(|| Arc::new([]) as Arc<[u32]>, |at| Arc::clone(&self.all[at].members)));
            }
            Does::Include { group, ranks } => {
                let group = self.group_of(rank, *group)?;
                let of = |at: &i64| usize::try_from(*at).ok().and_then(|at| group.get(at)).copied();
                let found: Option<Vec<u32>> = ranks.iter().map(of).collect();
                found.ok_or_else(|| self.unknown(rank, "rank of a group", ranks.len() as i64))?
            }
            Does::Exclude { group, ranks } => {
                let (group, out) = (self.group_of(rank, *group)?, ranks.iter().collect::<HashSet<_>>());
                (0i64..).zip(group.iter()).filter(|(at, _)| !out.contains(at)).map(|(_, rank)| *rank).collect()
            }
            Does::Union(first, second) => {
                let (first, second) = (self.group_of(rank, *first)?, self.group_of(rank, *second)?);
                let known: HashSet<u32> = first.iter().copied().collect();
                first.iter().chain(second.iter().filter(|one| !known.contains(one))).copied().collect()
            }
            Does::Intersection(first, second) | Does::Difference(first, second) => {
                let (first, second) = (self.group_of(rank, *first)?, self.group_of(rank, *second)?);
                let (known, both) = (second.iter().collect::<HashSet<_>>(), matches!(does, Does::Intersection(..)));
                first.iter().filter(|one| known.contains(one) == both).copied().collect()
            }
            Does::Create { .. } | Does::Unknown => Vec::new(),
        };
        self.keep(made.len())?;
        Ok(made.into())
    }

    fn keep(&mut self, members: usize) -> Outcome<()> {
        self.members += members;
        if self.members > MAX_MEMBERS {
            let sentence = "too many members of groups and communicators";
            return Err(Fault::say(&codes::TOO_LARGE, self.place, sentence).hint("cut the trace").into());
        }
        Ok(())
    }

    fn unknown(&self, rank: u32, what: &str, handle: i64) -> netloom_model::Faults {
        let sentence = format!("rank {rank} uses the {what} {handle}, which nothing created");
        let hint = "give the files of one run, whole: the program that made them did not record its creation";
        Fault::say(&codes::UNKNOWN_ID, self.place, sentence).hint(hint).into()
    }

    fn stuck(&self, rank: usize) -> netloom_model::Faults {
        let own = rank as u32;
        let waiting = |one: &&BTreeMap<u32, Coming>| one.contains_key(&own);
        let other = self.all.iter().find_map(|one| {
            let come = one.creations.values().find(waiting)?;
            one.members.iter().find(|other| !come.contains_key(other)).copied()
        });
        let other = other.map_or_else(|| "another rank".to_string(), |other| format!("rank {other}"));
        let sentence = format!("rank {rank} creates a communicator, which {other} does not");
        let hint = "give the files of all ranks of one run, whole";
        Fault::say(&codes::DISAGREE, self.place, sentence).hint(hint).into()
    }
}

/// Where a rank is on a grid; the last coordinate runs fastest.
fn coordinates(number: i64, dims: &[i64]) -> Vec<i64> {
    let mut left = number;
    let mut place: Vec<i64> = dims
        .iter()
        .rev()
        .map(|extent| {
            let extent = (*extent).max(1);
            let at = left % extent;
            left /= extent;
            at
        })
        .collect();
    place.reverse();
    place
}

//! The collectives of a record: which there are, and the order in which the members of each communicator enter them.

use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::{Collective, GroupCall, Outcome, Schedule};

use super::entered::{Entered, Uniform};
use super::graph::Work;
use super::limits::{MAX_CALLS, MAX_GROUPS, MAX_MEMBERS};
use super::refused::Refused;

/// Makes the schedule of a collective: kind, ranks, bytes as [`Collective::size_meaning`] says, root.
pub type Collectives<'a> = &'a dyn Fn(Collective, u32, u64, u32) -> Outcome<Schedule>;

/// A communicator.
#[derive(Clone, Debug)]
pub struct Group {
    /// Ranks by their number in it.
    pub members: Arc<[u32]>,
    /// Numbers of the ranks in it, by rank; `None` where both are the same.
    numbers: Option<HashMap<u32, u32>>,
    /// What its members enter, one after another.
    order: Vec<Entered>,
}

impl Group {
    fn new(members: Vec<u32>) -> Group {
        let own = members.iter().enumerate().all(|(number, rank)| number as u32 == *rank);
        let numbers = (!own).then(|| members.iter().zip(0..).map(|(rank, number)| (*rank, number)).collect());
        Group { members: members.into(), numbers, order: Vec::new() }
    }

    pub fn size(&self) -> u32 {
        self.members.len() as u32
    }

    /// The number of a rank in it.
    pub fn number(&self, rank: u32) -> Option<u32> {
        match &self.numbers {
            Some(numbers) => numbers.get(&rank).copied(),
            None => (rank < self.size()).then_some(rank),
        }
    }
}

/// The communicators, and the different collectives on them.
pub struct Calls {
    pub groups: Vec<Group>,
    by_members: HashMap<Arc<[u32]>, u32>,
    ids: HashMap<(u32, Entered), u32>,
    uniform: Vec<(u32, Uniform)>,
    /// Members of all different collectives.
    members: usize,
    /// Collectives that use SMPI's own default.
    pub by_smpi: Vec<Collective>,
}

impl Calls {
    pub fn new(ranks: u32, by_smpi: &[Collective]) -> Calls {
        let (by_smpi, groups) = (by_smpi.to_vec(), vec![Group::new((0..ranks).collect())]);
        Calls { groups, by_members: HashMap::new(), ids: HashMap::new(), uniform: Vec::new(), members: 0, by_smpi }
    }

    /// The number of a communicator of these ranks, which are below that of all and different. The same ranks again, in
    /// the same order, may be another communicator or the same one.
    pub fn group(&mut self, members: Vec<u32>) -> Result<u32, Refused> {
        let all: usize = self.groups.iter().map(|group| group.members.len()).sum();
        if self.groups.len() >= MAX_GROUPS || all + members.len() > MAX_MEMBERS + self.groups[0].members.len() {
            return Err(Refused::TooManyCalls);
        }
        self.groups.push(Group::new(members));
        Ok(self.groups.len() as u32 - 1)
    }

    /// The number of a uniform collective. Communicators of the same members share it.
    pub fn id(&mut self, group: u32, call: Uniform) -> Result<u32, Refused> {
        let members = Arc::clone(&self.groups[group as usize].members);
        let first = *self.by_members.entry(members).or_insert(group);
        let (next, entered) = (self.uniform.len(), Entered::Uniform(call));
        if let Some(&id) = self.ids.get(&(first, entered)) {
            return Ok(id);
        }
        self.members += self.groups[group as usize].members.len();
        if next >= MAX_CALLS || self.members > MAX_MEMBERS {
            return Err(Refused::TooManyCalls);
        }
        self.uniform.push((first, call));
        self.ids.insert((first, entered), next as u32);
        Ok(next as u32)
    }

    /// The name of the call that a task is; none of computation.
    pub fn name_of(&self, work: Work) -> Option<&'static str> {
        Some(match work {
            Work::Send { .. } => "send",
            Work::Receive { .. } => "recv",
            Work::Collective { call, .. } => self.uniform.get(call as usize)?.1.collective.name(),
            Work::Nothing | Work::Seconds { .. } | Work::Flops { .. } => return None,
        })
    }

    /// The bytes of it.
    pub fn bytes_of(&self, work: Work) -> u64 {
        match work {
            Work::Send { bytes, .. } | Work::Receive { bytes, .. } => bytes,
            Work::Collective { call, .. } => self.uniform.get(call as usize).map_or(0, |(_, own)| own.bytes),
            Work::Nothing | Work::Seconds { .. } | Work::Flops { .. } => 0,
        }
    }

    /// A member enters its collective number `at` of a communicator.
    pub fn enter(&mut self, group: u32, at: usize, entered: Entered) -> Result<(), Refused> {
        let order = &mut self.groups[group as usize].order;
        match order.get(at) {
            None => order.push(entered),
            Some(&before) if before != entered => return Err(Refused::Disagrees(before)),
            Some(_) => {}
        }
        Ok(())
    }

    /// Collectives that the members of a communicator enter.
    pub fn entered(&self, group: u32) -> usize {
        self.groups[group as usize].order.len()
    }

    /// The schedules, one per different collective; those of one kind, size and root share one.
    ///
    /// # Errors
    /// Those of `collectives`.
    pub fn schedules(&self, collectives: Collectives) -> Outcome<Vec<GroupCall>> {
        let mut made: HashMap<(Uniform, u32), Arc<Schedule>> = HashMap::new();
        let mut calls = Vec::with_capacity(self.uniform.len());
        for &(group, call) in &self.uniform {
            let (members, Uniform { collective, bytes, root }) = (&self.groups[group as usize].members, call);
            let ranks = members.len() as u32;
            let schedule = match made.get(&(call, ranks)) {
                Some(known) => Arc::clone(known),
                None => Arc::new(collectives(collective, ranks, bytes, root)?),
            };
            made.insert((call, ranks), Arc::clone(&schedule));
            calls.push(GroupCall { schedule, members: members.to_vec() });
        }
        Ok(calls)
    }
}

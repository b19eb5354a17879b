//! Graphs of tasks: strands of a rank say what is done, wait for each other, and share the rank's units.

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use super::*;

/// What the strands of one rank have said and taken since they began.
#[derive(Default)]
pub(super) struct Tasks {
    done: HashSet<u32, BuildHasherDefault<Fold>>,
    /// Strands by the task that they wait for.
    waiting: HashMap<u32, Vec<u32>, BuildHasherDefault<Fold>>,
    /// Strands that want a unit that another one has, by unit; a unit that nobody has is not in it.
    taken: HashMap<u32, VecDeque<u32>, BuildHasherDefault<Fold>>,
}

/// Those of all ranks.
#[derive(Default)]
pub(super) struct AllTasks {
    pub(super) of: HashMap<u32, Tasks, BuildHasherDefault<Fold>>,
    /// Strands that ask for a unit at this moment: rank, unit, turn, strand.
    asked: Vec<(u32, u32, u32, u32)>,
}

impl AllTasks {
    pub(super) fn clear(&mut self) {
        self.of.clear();
        self.asked.clear();
    }
}

impl<T: Transport> Engine<'_, T> {
    fn tasks_of(&mut self, rank: u32) -> &mut Tasks {
        let owner = self.ranks[rank as usize].owner;
        self.tasks.of.entry(owner).or_default()
    }

    /// A task is done: who waits for it goes on, in the order in which they began to wait.
    pub(super) fn signal(&mut self, rank: u32, task: u32) -> bool {
        let tasks = self.tasks_of(rank);
        tasks.done.insert(task);
        for strand in tasks.waiting.remove(&task).unwrap_or_default() {
            self.go_on(strand);
        }
        false
    }

    /// True if the task is not done yet.
    pub(super) fn wait_for_task(&mut self, rank: u32, task: u32) -> bool {
        let tasks = self.tasks_of(rank);
        if tasks.done.contains(&task) {
            return false;
        }
        tasks.waiting.entry(task).or_default().push(rank);
        self.wait_for_strand(rank)
    }

    /// Asks for a unit, which is handed out when all who ask at this moment have.
    pub(super) fn take(&mut self, rank: u32, unit: u32, turn: u32) -> bool {
        self.tasks.asked.push((self.ranks[rank as usize].owner, unit, turn, rank));
        self.wait_for_strand(rank)
    }

    /// Units go to who asked for them at this moment, in turn; those that another strand has when that gives them back. False
    /// if nobody asked.
    pub(super) fn hand_out(&mut self) -> bool {
        if self.tasks.asked.is_empty() {
            return false;
        }
        let mut asked = std::mem::take(&mut self.tasks.asked);
        asked.sort_unstable();
        for (owner, unit, _, strand) in asked.drain(..) {
            match self.tasks.of.entry(owner).or_default().taken.entry(unit) {
                Entry::Vacant(free) => {
                    free.insert(VecDeque::new());
                    self.go_on(strand);
                }
                Entry::Occupied(mut queue) => queue.get_mut().push_back(strand),
            }
        }
        self.tasks.asked = asked;
        true
    }

    /// The unit goes to who has waited longest.
    pub(super) fn give(&mut self, rank: u32, unit: u32) -> bool {
        let tasks = self.tasks_of(rank);
        match tasks.taken.get_mut(&unit).and_then(VecDeque::pop_front) {
            Some(next) => self.go_on(next),
            None => _ = tasks.taken.remove(&unit),
        }
        false
    }

    fn wait_for_strand(&mut self, rank: u32) -> bool {
        let r = &mut self.ranks[rank as usize];
        (r.wait, r.since) = (Wait::Task, self.now);
        true
    }

    fn go_on(&mut self, strand: u32) {
        let r = &mut self.ranks[strand as usize];
        let since = r.since;
        r.wait = Wait::Busy;
        self.note(strand, Activity::Wait, since, self.now, NONE);
        self.ready.push_back(strand);
    }

    /// The fault of strands that wait for each other and for no message.
    pub(super) fn tasks_never_done(&self) -> Option<Fault> {
        let rank = self.ranks.iter().find(|rank| rank.wait == Wait::Task)?;
        let tasks = self.tasks.of.get(&rank.owner)?;
        let wanted = tasks.waiting.keys().min().map(|task| format!("task {task}, which is never done"));
        let unit = || tasks.taken.keys().min().map(|unit| format!("unit {unit}, which is never given back"));
        let sentence = format!("{} waits for its {}", self.name(rank.owner), wanted.or_else(unit)?);
        let hint = "let tasks depend on earlier ones only";
        Some(Fault::say(&codes::UNMATCHED, self.label(), sentence).hint(hint))
    }
}

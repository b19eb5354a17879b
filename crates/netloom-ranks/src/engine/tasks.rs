//! Graphs of tasks: strands of a rank say what is done, wait for each other, and share the rank's units.

use std::collections::HashSet;

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

impl<T: Transport> Engine<'_, T> {
    fn tasks_of(&mut self, rank: u32) -> &mut Tasks {
        let owner = self.ranks[rank as usize].owner;
        self.tasks.entry(owner).or_default()
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

    /// True if another strand has the unit; it is this one's when that gives it back.
    pub(super) fn take(&mut self, rank: u32, unit: u32) -> bool {
        match self.tasks_of(rank).taken.entry(unit) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(VecDeque::new());
                false
            }
            std::collections::hash_map::Entry::Occupied(mut queue) => {
                queue.get_mut().push_back(rank);
                self.wait_for_strand(rank)
            }
        }
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
        let tasks = self.tasks.get(&rank.owner)?;
        let wanted = tasks.waiting.keys().min().map(|task| format!("task {task}, which is never done"));
        let unit = || tasks.taken.keys().min().map(|unit| format!("unit {unit}, which is never given back"));
        let sentence = format!("{} waits for its {}", self.name(rank.owner), wanted.or_else(unit)?);
        let hint = "let tasks depend on earlier ones only";
        Some(Fault::say(&codes::UNMATCHED, self.label(), sentence).hint(hint))
    }
}

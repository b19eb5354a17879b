//! A rank's tasks with what each has to wait for, as actions.
//!
//! Where one task after another starts or blocks, the actions are those of a program with non-blocking messages. Other
//! graphs become chains of tasks, each on a strand, that say to each other what is done (Jain 2016, algorithm 1, without
//! its events).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use netloom_model::Op;

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Work {
    Nothing,
    /// Keeps a unit of the rank, such as a core or a stream, busy.
    Seconds {
        seconds: f64,
        unit: u32,
    },
    Flops {
        flops: f64,
        unit: u32,
    },
    Send {
        peer: u32,
        tag: u32,
        bytes: u64,
    },
    Receive {
        peer: u32,
        tag: u32,
        bytes: u64,
    },
    Collective {
        call: u32,
        member: u32,
        unit: u32,
    },
}

/// A task. What it depends on has a smaller number.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    pub work: Work,
    /// Tasks that end before it starts.
    pub after: Vec<u32>,
    /// Tasks that start before it does.
    pub after_start: Vec<u32>,
}

/// The tasks of one rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskGraph {
    pub tasks: Vec<Task>,
}

/// No task.
const NONE: u32 = u32::MAX;

impl TaskGraph {
    /// The same as actions of a rank. O(tasks + dependencies).
    pub fn actions(&self, rank: u32) -> Vec<Op> {
        Line::of(self, rank).unwrap_or_else(|| Chains::of(self).actions(self, rank))
    }
}

/// Numbers of `count` things so that each comes after those that it depends on, else in their own order; of a cycle one of
/// its members. Edges go from what is earlier to what is later. O((things + edges) log things).
pub fn order(count: usize, edges: impl Iterator<Item = (u32, u32)>) -> Result<Vec<u32>, u32> {
    let mut left = vec![0u32; count];
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (earlier, later) in edges {
        left[later as usize] += 1;
        after[earlier as usize].push(later);
    }
    let free = (0u32..).zip(&left).filter(|(_, left)| **left == 0).map(|(at, _)| Reverse(at));
    let mut free: BinaryHeap<_> = free.collect();
    let mut order = Vec::with_capacity(count);
    while let Some(Reverse(at)) = free.pop() {
        order.push(at);
        for later in &after[at as usize] {
            left[*later as usize] -= 1;
            if left[*later as usize] == 0 {
                free.push(Reverse(*later));
            }
        }
    }
    match left.iter().position(|left| *left > 0) {
        Some(at) => Err(at as u32),
        None => Ok(order),
    }
}

impl Work {
    fn is_message(self) -> bool {
        matches!(self, Work::Send { .. } | Work::Receive { .. })
    }

    /// The action that starts a message, or does all of another task.
    fn starts(self) -> Option<Op> {
        Some(match self {
            Work::Nothing => return None,
            Work::Seconds { seconds, .. } => Op::Sleep { seconds },
            Work::Flops { flops, .. } => Op::Compute { flops },
            Work::Send { peer, tag, bytes } => Op::StartSend { peer, tag, bytes },
            Work::Receive { peer, tag, bytes } => Op::StartReceive { peer, tag, bytes },
            Work::Collective { call, member, .. } => Op::Collective { call, member },
        })
    }

    pub fn unit(self) -> Option<u32> {
        match self {
            Work::Seconds { unit, .. } | Work::Flops { unit, .. } | Work::Collective { unit, .. } => Some(unit),
            _ => None,
        }
    }
}

/// The blocking form of a message that is started and waited for; none of one of a rank to itself.
fn blocking(op: Op, rank: u32) -> Option<Op> {
    match op {
        Op::StartSend { peer, tag, bytes } if peer != rank => Some(Op::Send { peer, tag, bytes }),
        Op::StartReceive { peer, tag, bytes } if peer != rank => Some(Op::Receive { peer, tag, bytes }),
        _ => None,
    }
}

/// Tasks one after another on one strand. Its blocking actions are numbered; every task has to start after the last one
/// of them, or the line would delay it.
#[derive(Default)]
struct Line {
    rank: u32,
    ops: Vec<Op>,
    blocks: u32,
    /// Blocking actions before the start of each task, and before its end; [`NONE`] for a message that is under way.
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Number of each message among the requests, and how many there are.
    requests: Vec<u32>,
    started: u32,
    open: u32,
}

impl Line {
    fn of(graph: &TaskGraph, rank: u32) -> Option<Vec<Op>> {
        let mut line = Line { rank, ..Line::default() };
        for task in &graph.tasks {
            line.add(task)?;
        }
        let mut open = (0u32..).zip(&line.ends).filter(|(_, end)| **end == NONE).map(|(at, _)| at).collect();
        line.wait(&mut open);
        Some(line.ops)
    }

    /// False if a line cannot say when the task starts.
    fn add(&mut self, task: &Task) -> Option<()> {
        let mut known = if self.blocks == 0 { Some(0) } else { None };
        let mut waits: Vec<u32> = Vec::new();
        for &of in &task.after {
            match self.ends[of as usize] {
                NONE => waits.push(of),
                end => known = known.max(Some(end)),
            }
        }
        for &of in task.after_start.iter().chain(&waits) {
            known = known.max(Some(self.starts[of as usize]));
        }
        if known != Some(self.blocks) {
            return None;
        }
        self.wait(&mut waits);
        self.starts.push(self.blocks);
        self.ops.extend(task.work.starts());
        if task.work.is_message() {
            self.requests.push(self.started);
            self.ends.push(NONE);
            (self.started, self.open) = (self.started + 1, self.open + 1);
            return Some(());
        }
        self.requests.push(NONE);
        self.blocks += u32::from(task.work != Work::Nothing);
        self.ends.push(self.blocks);
        Some(())
    }

    fn wait(&mut self, waits: &mut Vec<u32>) {
        if waits.is_empty() {
            return;
        }
        waits.sort_unstable();
        waits.dedup();
        self.blocks += 1;
        // A message that is waited for where it starts blocks.
        let last = self.ops.last().and_then(|op| blocking(*op, self.rank));
        if let (&[of], Some(op)) = (&waits[..], last)
            && self.requests[of as usize] + 1 == self.started
        {
            self.ops.pop();
            self.ops.push(op);
            self.started -= 1;
        } else if waits.len() as u32 == self.open && self.open > 1 {
            self.ops.push(Op::WaitAll);
        } else {
            let back = waits.iter().map(|of| Op::Wait { back: self.started - self.requests[*of as usize] });
            self.ops.extend(back);
        }
        self.open -= waits.len() as u32;
        for of in waits {
            self.ends[*of as usize] = self.blocks;
        }
    }
}

/// Tasks in chains: each begins when the one before it has ended.
struct Chains {
    /// The chain of each task.
    of: Vec<u32>,
    chains: Vec<Vec<u32>>,
    /// Tasks whose end, whose start others wait for in other chains.
    end_told: Vec<bool>,
    start_told: Vec<bool>,
}

impl Chains {
    fn of(graph: &TaskGraph) -> Chains {
        let tasks = graph.tasks.len();
        let (mut of, mut chains): (Vec<u32>, Vec<Vec<u32>>) = (Vec::with_capacity(tasks), Vec::new());
        let (mut end_told, mut start_told) = (vec![false; tasks], vec![false; tasks]);
        for (number, task) in (0u32..).zip(&graph.tasks) {
            let is_last = |before: &u32| chains[of[*before as usize] as usize].last() == Some(before);
            let own = match task.after.iter().copied().filter(is_last).max() {
                Some(before) => of[before as usize],
                None => {
                    chains.push(Vec::new());
                    chains.len() as u32 - 1
                }
            };
            chains[own as usize].push(number);
            of.push(own);
            let others = |before: &&u32| of[**before as usize] != own;
            task.after.iter().filter(others).for_each(|before| end_told[*before as usize] = true);
            task.after_start.iter().filter(others).for_each(|before| start_told[*before as usize] = true);
        }
        Chains { of, chains, end_told, start_told }
    }

    fn actions(&self, graph: &TaskGraph, rank: u32) -> Vec<Op> {
        let mut ops = Vec::new();
        for chain in &self.chains {
            let first = ops.len();
            ops.push(Op::Strand { ops: 0 });
            chain.iter().for_each(|task| self.put(graph, rank, *task, &mut ops));
            ops[first] = Op::Strand { ops: (ops.len() - first - 1) as u32 };
        }
        ops.push(Op::Join);
        ops
    }

    fn put(&self, graph: &TaskGraph, rank: u32, number: u32, ops: &mut Vec<Op>) {
        let Task { work, after, after_start } = &graph.tasks[number as usize];
        let others = |before: &&u32| self.of[**before as usize] != self.of[number as usize];
        ops.extend(after.iter().filter(others).map(|before| Op::Await { task: ended(*before) }));
        ops.extend(after_start.iter().filter(others).map(|before| Op::Await { task: started(*before) }));
        ops.extend(work.unit().map(|unit| Op::Take { unit, turn: number }));
        let tells_start = self.start_told[number as usize];
        if tells_start && !work.is_message() {
            ops.push(Op::Signal { task: started(number) });
        }
        match work.starts() {
            Some(op) if work.is_message() => match blocking(op, rank).filter(|_| !tells_start) {
                Some(whole) => ops.push(whole),
                None => {
                    ops.push(op);
                    ops.extend(tells_start.then_some(Op::Signal { task: started(number) }));
                    ops.push(Op::Wait { back: 1 });
                }
            },
            other => ops.extend(other),
        }
        ops.extend(work.unit().map(|unit| Op::Give { unit }));
        if self.end_told[number as usize] {
            ops.push(Op::Signal { task: ended(number) });
        }
    }
}

fn ended(task: u32) -> u32 {
    2 * task
}

fn started(task: u32) -> u32 {
    2 * task + 1
}

//! Shared by the generators: the bodies of the ranks, written in the order of the real program, and the collectives.

use std::sync::Arc;

use netloom_model::{Bound, Collective, Fault, GroupCall, Op, Outcome, Programs, Schedule};

use super::class::Class;
use crate::codes;

/// The schedule of a collective, for a number of ranks, a size
/// ([`netloom_model::Collective::size_meaning`]) and root.
pub type Collectives<'a> = dyn Fn(Collective, u32, u64, u32) -> Outcome<Schedule> + 'a;

/// Most actions of all ranks of steps together that are held: about 0.4 GiB.
pub const OP_LIMIT: u64 = 1 << 24;
/// The same of an application.
pub const APPLICATION_LIMIT: u64 = 1 << 25;

/// The input of an application's generator.
pub(crate) struct Setup<'a> {
    pub ranks: u32,
    pub class: Class,
    pub iterations: u32,
    /// True: with warm-up and checks.
    pub whole: bool,
    pub bound: &'a Bound,
    pub collectives: &'a Collectives<'a>,
}

/// The collectives of an application.
pub(crate) struct Calls<'a> {
    setup: &'a Setup<'a>,
    made: Vec<GroupCall>,
}

/// A collective that every rank takes part in: one call for all, or one for each group. None on a single rank.
#[derive(Clone, Copy)]
pub(crate) struct Everywhere {
    first: u32,
    groups: Grid,
}

/// How the ranks form groups, by one axis of a grid of ranks with its stride and extent.
#[derive(Clone, Copy)]
pub(crate) enum Grid {
    /// Groups of the ranks that differ on this axis alone.
    Lines { stride: u32, extent: u32 },
    /// Groups of the ranks that are equal on this axis.
    Layers { stride: u32, extent: u32 },
}

impl Grid {
    /// Number of the group of a rank, and its number therein.
    fn place(self, rank: u32) -> (u32, u32) {
        let (Grid::Lines { stride, extent } | Grid::Layers { stride, extent }) = self;
        let at = rank / stride % extent;
        let others = rank / stride / extent * stride + rank % stride;
        match self {
            Grid::Lines { .. } => (others, at),
            Grid::Layers { .. } => (at, others),
        }
    }

    /// Number and size of the groups.
    fn shape(self, ranks: u32) -> (u32, u32) {
        match self {
            Grid::Lines { extent, .. } => (ranks / extent, extent),
            Grid::Layers { extent, .. } => (extent, ranks / extent),
        }
    }
}

impl Calls<'_> {
    /// `collective` in every group; nothing where groups have one rank. O(ranks).
    pub fn each(
        &mut self,
        collective: Collective,
        size_bytes: u64,
        root: u32,
        groups: Grid,
    ) -> Outcome<Option<Everywhere>> {
        let (count, size) = groups.shape(self.setup.ranks);
        if size <= 1 {
            return Ok(None);
        }
        let schedule = Arc::new((self.setup.collectives)(collective, size, size_bytes, root)?);
        let first = self.made.len() as u32;
        let mut members = vec![Vec::with_capacity(size as usize); count as usize];
        for rank in 0..self.setup.ranks {
            members[groups.place(rank).0 as usize].push(rank);
        }
        self.made.extend(members.into_iter().map(|members| GroupCall { schedule: Arc::clone(&schedule), members }));
        Ok(Some(Everywhere { first, groups }))
    }

    /// `collective` of all ranks.
    pub fn world(&mut self, collective: Collective, size_bytes: u64) -> Outcome<Option<Everywhere>> {
        self.each(collective, size_bytes, 0, Grid::Layers { stride: self.setup.ranks, extent: 1 })
    }
}

impl<'a> Setup<'a> {
    pub fn calls(&'a self) -> Calls<'a> {
        Calls { setup: self, made: Vec::new() }
    }

    /// Writes every rank's body. `counted` is the benchmark's operation count.
    ///
    /// # Errors
    /// `NL-P005` beyond [`APPLICATION_LIMIT`] actions, before they are held.
    pub fn weave(&self, calls: Calls, counted: f64, write: impl Fn(u32, &mut Body)) -> Outcome<Programs> {
        let computes = self.bound.bool("compute");
        let body = |rank| {
            let mut body = Body { rank, computes, ops: Vec::new() };
            write(rank, &mut body);
            body.ops
        };
        let refuse = |ops: u64| {
            let sentence =
                format!("{ops} actions on {} ranks exceed the {APPLICATION_LIMIT} that programs hold", self.ranks);
            Fault::say(&codes::APPLICATION_LARGE, self.bound.canonical().to_string(), sentence)
                .hint("use fewer ranks")
                .into()
        };
        // The last rank never has the least to do, so this refuses before memory is taken.
        let least = body(self.ranks - 1).len() as u64 * u64::from(self.ranks) / 2;
        if least > APPLICATION_LIMIT {
            return Err(refuse(least));
        }
        let (mut bodies, mut held) = (Vec::with_capacity(self.ranks as usize), 0);
        for rank in 0..self.ranks {
            let ops = body(rank);
            held += ops.len() as u64;
            if held > APPLICATION_LIMIT {
                return Err(refuse(held));
            }
            bodies.push(ops);
        }
        let mut programs = Programs::new(self.bound.canonical().to_string(), bodies, calls.made)?;
        programs.counted_operations = counted;
        Ok(programs)
    }
}

/// A message to or from a rank.
#[derive(Clone, Copy)]
pub(crate) struct Passed {
    pub peer: u32,
    pub bytes: u64,
}

/// The actions of one rank.
pub(crate) struct Body {
    pub rank: u32,
    computes: bool,
    pub ops: Vec<Op>,
}

impl Body {
    pub fn work(&mut self, flops: f64) {
        if self.computes && flops > 0.0 {
            self.ops.push(Op::Compute { flops });
        }
    }

    /// Blocking, unless the rank sends to itself: there MPI programs rely on the receive that is already posted.
    pub fn send(&mut self, peer: u32, tag: u32, bytes: u64) {
        self.ops.push(if peer == self.rank {
            Op::StartSend { peer, tag, bytes }
        } else {
            Op::Send { peer, tag, bytes }
        });
    }

    pub fn receive(&mut self, peer: u32, tag: u32, bytes: u64) {
        self.ops.push(Op::Receive { peer, tag, bytes });
    }

    pub fn start_receive(&mut self, peer: u32, tag: u32, bytes: u64) {
        self.ops.push(Op::StartReceive { peer, tag, bytes });
    }

    pub fn start_send(&mut self, peer: u32, tag: u32, bytes: u64) {
        self.ops.push(Op::StartSend { peer, tag, bytes });
    }

    pub fn wait_all(&mut self) {
        self.ops.push(Op::WaitAll);
    }

    pub fn wait(&mut self, back: u32) {
        self.ops.push(Op::Wait { back });
    }

    /// Posts the receive, sends, waits for what was posted. Either may be missing.
    pub fn pass(&mut self, tag: u32, from: Option<Passed>, to: Option<Passed>) {
        if let Some(Passed { peer, bytes }) = from {
            self.start_receive(peer, tag, bytes);
        }
        if let Some(Passed { peer, bytes }) = to {
            self.send(peer, tag, bytes);
        }
        let to_itself = to.is_some_and(|to| to.peer == self.rank);
        if from.is_some() {
            self.wait(if to_itself { 2 } else { 1 });
        }
        if to_itself {
            self.wait(1);
        }
    }

    pub fn call(&mut self, call: Option<Everywhere>) {
        if let Some(Everywhere { first, groups }) = call {
            let (group, member) = groups.place(self.rank);
            self.ops.push(Op::Collective { call: first + group, member });
        }
    }

    /// What `write` writes, `times` times.
    pub fn repeat(&mut self, times: u32, write: impl FnOnce(&mut Body)) {
        let at = self.ops.len();
        self.ops.push(Op::Repeat { ops: 0, times });
        write(self);
        let ops = (self.ops.len() - at - 1) as u32;
        match times {
            0 => self.ops.truncate(at),
            1 => {
                self.ops.remove(at);
            }
            _ if ops == 0 => self.ops.truncate(at),
            _ => self.ops[at] = Op::Repeat { ops, times },
        }
    }
}

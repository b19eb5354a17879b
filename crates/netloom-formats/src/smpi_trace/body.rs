//! Makes programs from actions: one rank's actions, and the collectives that all ranks share.

use std::collections::HashMap;

use netloom_model::{Collective, GroupCall, Op, Outcome, Schedule};

use super::action::{Action, NO_PROCESS, UNDEFINED};
use super::limits::{MAX_CALLS, MAX_MEMBERS};
use super::requests::Requests;
use super::wildcard::{Answers, EXCHANGE_TAG, Source};

/// Tag of the messages of a collective with individual counts (alltoallv and the like); applications stay below it.
pub const BURST_TAG: u32 = 0x7fff_0000;

/// Makes the schedule of a collective: kind, ranks, bytes as [`Collective::size_meaning`] says, root.
pub type Collectives<'a> = &'a dyn Fn(Collective, u32, u64, u32) -> Outcome<Schedule>;

/// A collective of the same size on all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uniform {
    pub collective: Collective,
    pub bytes: u64,
    /// 0 for a collective without one.
    pub root: u32,
}

/// A message's other rank, and its bytes.
#[derive(Clone, Copy)]
pub struct PeerBytes {
    pub peer: u32,
    pub bytes: u64,
}

/// A collective as every rank must enter it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entered {
    Uniform(Uniform),
    Alltoallv,
    Allgatherv,
    Gatherv(u32),
    Scatterv(u32),
    /// Total bytes of a reduce-scatter with unequal counts.
    ReduceScatterv(u64),
}

impl std::fmt::Display for Entered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Entered::Uniform(Uniform { collective, bytes, root }) if collective.is_rooted() => {
                write!(f, "{collective} of {bytes} bytes from or to rank {root}")
            }
            Entered::Uniform(Uniform { collective, bytes, .. }) => write!(f, "{collective} of {bytes} bytes"),
            Entered::Alltoallv => f.write_str("alltoallv"),
            Entered::Allgatherv => f.write_str("allgatherv"),
            Entered::Gatherv(root) => write!(f, "gatherv to rank {root}"),
            Entered::Scatterv(root) => write!(f, "scatterv from rank {root}"),
            Entered::ReduceScatterv(bytes) => write!(f, "reduce-scatter of {bytes} bytes in all"),
        }
    }
}

/// The requirement that an action breaks.
pub enum Refused {
    /// A different collective than on earlier ranks.
    Disagrees(Entered),
    UnknownRequest,
    NoSingleSender,
    TooManyCalls,
}

/// The collectives of a trace: the distinct ones, and the order in which all ranks enter them.
#[derive(Default)]
pub struct Calls {
    ids: HashMap<Entered, u32>,
    uniform: Vec<Uniform>,
    order: Vec<Entered>,
    /// Collectives that use SMPI's own default.
    by_smpi: Vec<Collective>,
}

impl Calls {
    pub fn new(by_smpi: &[Collective]) -> Calls {
        Calls { by_smpi: by_smpi.to_vec(), ..Calls::default() }
    }

    /// The number of a uniform collective.
    fn id(&mut self, call: Uniform, ranks: u32) -> Result<u32, Refused> {
        let next = self.uniform.len();
        let entered = Entered::Uniform(call);
        if let Some(&id) = self.ids.get(&entered) {
            return Ok(id);
        }
        if next >= MAX_CALLS || (next + 1) * ranks as usize > MAX_MEMBERS {
            return Err(Refused::TooManyCalls);
        }
        self.uniform.push(call);
        self.ids.insert(entered, next as u32);
        Ok(next as u32)
    }

    fn enter(&mut self, at: usize, entered: Entered) -> Result<(), Refused> {
        match self.order.get(at) {
            None => self.order.push(entered),
            Some(&before) if before != entered => return Err(Refused::Disagrees(before)),
            Some(_) => {}
        }
        Ok(())
    }

    pub fn entered(&self) -> usize {
        self.order.len()
    }

    /// The schedules, one per different collective.
    ///
    /// # Errors
    /// Those of `collectives`.
    pub fn schedules(&self, ranks: u32, collectives: Collectives) -> Outcome<Vec<GroupCall>> {
        let make = |&Uniform { collective, bytes, root }: &Uniform| {
            let schedule = collectives(collective, ranks, bytes, root)?.into();
            Ok(GroupCall { schedule, members: (0..ranks).collect() })
        };
        self.uniform.iter().map(make).collect()
    }
}

/// One rank.
pub struct Body {
    pub rank: u32,
    pub ops: Vec<Op>,
    requests: Requests,
    /// Number of collectives that it has entered.
    pub entered: usize,
    pub element_bytes: u64,
}

impl Body {
    pub fn new(rank: u32) -> Self {
        Body { rank, ops: Vec::new(), requests: Requests::default(), entered: 0, element_bytes: 1 }
    }

    pub fn finish(mut self) -> Vec<Op> {
        self.requests.finish(&mut self.ops);
        self.ops
    }

    /// Adds an action.
    pub fn add(&mut self, action: Action, calls: &mut Calls, answers: &Answers, ranks: u32) -> Result<(), Refused> {
        match action {
            Action::Nothing => {}
            Action::Init { element_bytes } => self.element_bytes = element_bytes,
            Action::Compute(flops) => self.ops.push(Op::Compute { flops }),
            Action::Sleep(seconds) => self.ops.push(Op::Sleep { seconds }),
            Action::Send { to, tag, bytes, starts } => self.send(to, tag, bytes, starts),
            Action::Receive { from, tag, bytes, starts } => {
                let source = answers.source(self.rank, from, tag);
                self.receive(from, tag, source, bytes, starts)?;
            }
            Action::Exchange { to, sent, from, received } => {
                let source = answers.source(self.rank, from, EXCHANGE_TAG);
                self.exchange(to, sent, source, received)?;
            }
            Action::Test(key) => {
                let found = self.requests.test(key, self.ops.len()).ok_or(Refused::UnknownRequest)?;
                self.ops.extend(found);
            }
            Action::Wait(key) => {
                let found = self.requests.wait(key).ok_or(Refused::UnknownRequest)?;
                self.ops.extend(found);
            }
            Action::WaitAll => {
                self.requests.wait_all();
                self.ops.push(Op::WaitAll);
            }
            Action::Collective { collective, bytes, root, flops } => {
                self.uniform(calls, Uniform { collective, bytes, root }, ranks)?;
                self.combine(flops);
            }
            Action::Alltoallv { sent, received } => {
                self.enter(calls, Entered::Alltoallv)?;
                self.burst(by_rank(&received), by_rank(&sent));
            }
            Action::Allgatherv(counts) => self.allgatherv(&counts, calls, ranks)?,
            Action::Gatherv { own, counts, root } => {
                self.enter(calls, Entered::Gatherv(root))?;
                self.gather_at(own, by_rank(&counts), root);
            }
            Action::Scatterv { own, counts, root } => {
                self.enter(calls, Entered::Scatterv(root))?;
                self.scatter_from(own, by_rank(&counts), root);
            }
            Action::ReduceScatterv { counts, elements, flops } => {
                self.reduce_scatterv(&counts, elements, calls, ranks)?;
                self.combine(flops);
            }
        }
        Ok(())
    }

    /// The operations of combining, if the trace counts them.
    fn combine(&mut self, flops: f64) {
        if flops > 0.0 {
            self.ops.push(Op::Compute { flops });
        }
    }

    fn enter(&mut self, calls: &mut Calls, entered: Entered) -> Result<(), Refused> {
        calls.enter(self.entered, entered)?;
        self.entered += 1;
        Ok(())
    }

    fn uniform(&mut self, calls: &mut Calls, call: Uniform, ranks: u32) -> Result<(), Refused> {
        self.enter(calls, Entered::Uniform(call))?;
        if calls.by_smpi.contains(&call.collective) {
            self.smpi_default(call.collective, call.bytes, call.root, ranks);
            return Ok(());
        }
        let call = calls.id(call, ranks)?;
        self.ops.push(Op::Collective { call, member: self.rank });
        Ok(())
    }

    pub fn start_send(&mut self, peer: u32, tag: u32, bytes: u64) {
        self.ops.push(Op::StartSend { peer, tag, bytes });
        self.requests.start_unnamed();
    }

    pub fn start_receive(&mut self, peer: u32, tag: u32, bytes: u64) {
        self.ops.push(Op::StartReceive { peer, tag, bytes });
        self.requests.start_unnamed();
    }

    /// Waits for the last `requests` ones, oldest first.
    pub fn wait_last(&mut self, requests: u32) {
        if self.requests.none_open() && requests > 0 {
            self.ops.push(Op::WaitAll);
        } else {
            self.ops.extend((1..=requests).rev().map(|back| Op::Wait { back }));
        }
    }

    fn send(&mut self, to: i64, tag: i64, bytes: u64, starts: bool) {
        let (me, real) = (i64::from(self.rank), to >= 0);
        let (peer, tag32) = (to as u32, tag as u32);
        if starts {
            self.requests.start((me, to, tag), real);
            if real {
                self.ops.push(Op::StartSend { peer, tag: tag32, bytes });
            }
        } else if peer == self.rank && real {
            self.start_send(peer, tag32, bytes);
            self.ops.push(Op::Wait { back: 1 });
        } else if real {
            self.ops.push(Op::Send { peer, tag: tag32, bytes });
        }
    }

    fn receive(&mut self, from: i64, tag: i64, source: Source, bytes: u64, starts: bool) -> Result<(), Refused> {
        let key = (from, i64::from(self.rank), tag);
        match source {
            Source::Ambiguous => return Err(Refused::NoSingleSender),
            Source::Nobody if starts => self.requests.start(key, false),
            Source::Nobody => {}
            Source::Rank(peer, tag) if starts => {
                self.requests.start(key, true);
                self.ops.push(Op::StartReceive { peer, tag, bytes });
            }
            Source::Rank(peer, tag) if peer == self.rank => {
                self.start_receive(peer, tag, bytes);
                self.ops.push(Op::Wait { back: 1 });
            }
            Source::Rank(peer, tag) => self.ops.push(Op::Receive { peer, tag, bytes }),
        }
        Ok(())
    }

    fn exchange(&mut self, to: i64, sent: u64, source: Source, received: u64) -> Result<(), Refused> {
        let mut requests = 0;
        match source {
            Source::Ambiguous => return Err(Refused::NoSingleSender),
            Source::Nobody => {}
            Source::Rank(peer, tag) => {
                self.start_receive(peer, tag, received);
                requests += 1;
            }
        }
        if to != UNDEFINED && to != NO_PROCESS && to >= 0 {
            self.start_send(to as u32, EXCHANGE_TAG as u32, sent);
            requests += 1;
        }
        self.wait_last(requests);
        Ok(())
    }

    /// All receives posted, then all sends, then a wait for them. Messages without bytes are sent too, as SMPI does; none to
    /// itself.
    pub fn burst<R, S>(&mut self, received: R, sent: S)
    where
        R: IntoIterator<Item = PeerBytes>,
        S: IntoIterator<Item = PeerBytes>,
    {
        let (me, before) = (self.rank, self.ops.len());
        for PeerBytes { peer, bytes } in received.into_iter().filter(|one| one.peer != me) {
            self.start_receive(peer, BURST_TAG, bytes);
        }
        for PeerBytes { peer, bytes } in sent.into_iter().filter(|one| one.peer != me) {
            self.start_send(peer, BURST_TAG, bytes);
        }
        self.wait_last((self.ops.len() - before) as u32);
    }

    /// A send to one rank and a receive from another, both at once.
    pub fn swap(&mut self, to: PeerBytes, from: PeerBytes) {
        self.burst([from], [to]);
    }

    pub fn gather_at(&mut self, own: u64, counts: impl IntoIterator<Item = PeerBytes>, root: u32) {
        if root == self.rank {
            self.burst(counts, []);
        } else {
            self.burst([], [PeerBytes { peer: root, bytes: own }]);
        }
    }

    pub fn scatter_from(&mut self, own: u64, counts: impl IntoIterator<Item = PeerBytes>, root: u32) {
        if root == self.rank {
            self.burst([], counts);
        } else {
            self.burst([PeerBytes { peer: root, bytes: own }], []);
        }
    }

    fn allgatherv(&mut self, counts: &[u64], calls: &mut Calls, ranks: u32) -> Result<(), Refused> {
        if let Some(bytes) = one(counts) {
            return self.uniform(calls, Uniform { collective: Collective::Allgather, bytes, root: 0 }, ranks);
        }
        self.enter(calls, Entered::Allgatherv)?;
        let own = counts[self.rank as usize];
        self.burst(by_rank(counts), (0..ranks).map(|peer| PeerBytes { peer, bytes: own }));
        Ok(())
    }

    fn reduce_scatterv(&mut self, counts: &[u64], elements: u64, calls: &mut Calls, ranks: u32) -> Result<(), Refused> {
        if let Some(bytes) = one(counts) {
            return self.uniform(calls, Uniform { collective: Collective::ReduceScatter, bytes, root: 0 }, ranks);
        }
        let total = counts.iter().fold(0u64, |sum, &bytes| sum.saturating_add(bytes));
        self.enter(calls, Entered::ReduceScatterv(total))?;
        match calls.by_smpi.contains(&Collective::ReduceScatter) {
            true => self.smpi_reduce_scatter(counts, elements),
            false => self.reduce_scatter(counts),
        }
        Ok(())
    }
}

/// Bytes of every rank, with its number.
fn by_rank(counts: &[u64]) -> impl Iterator<Item = PeerBytes> {
    counts.iter().enumerate().map(|(rank, &bytes)| PeerBytes { peer: rank as u32, bytes })
}

/// The common value of all counts.
fn one(counts: &[u64]) -> Option<u64> {
    counts.split_first().filter(|(first, rest)| rest.iter().all(|n| n == *first)).map(|(first, _)| *first)
}

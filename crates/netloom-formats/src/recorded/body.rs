//! One rank of a record: its events become actions.

use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::Op;

use super::calls::Calls;
use super::entered::{Entered, Uniform};
use super::event::{Event, Key, NO_PROCESS, UNDEFINED, WORLD};
use super::peer_bytes::by_rank;
use super::refused::Refused;
use super::requests::Requests;
use super::tags::Tags;
use super::wildcard::{Answers, Member, Source};

/// One rank.
pub struct Body {
    pub rank: u32,
    pub ops: Vec<Op>,
    pub(super) requests: Requests,
    /// Number of collectives that it has entered, by communicator.
    entered: HashMap<u32, usize>,
    pub element_bytes: u64,
    /// Of the event that is added: the communicator, its members, and this rank among them.
    pub(super) group: u32,
    members: Arc<[u32]>,
    pub me: u32,
    /// Collectives that go on by themselves, and those of them that have been waited for.
    going: HashMap<Key, u32>,
    unjoined: bool,
}

impl Body {
    pub fn new(rank: u32) -> Self {
        Body {
            rank,
            ops: Vec::new(),
            requests: Requests::default(),
            entered: HashMap::new(),
            element_bytes: 1,
            group: WORLD,
            members: Arc::new([]),
            me: rank,
            going: HashMap::new(),
            unjoined: false,
        }
    }

    /// Its actions, none the next time. What nothing waited for is waited for at the end. `edges` are positions among them,
    /// which move with those that are dropped.
    pub fn end(&mut self, edges: &mut [usize]) -> Vec<Op> {
        let mut ops = std::mem::take(&mut self.ops);
        if std::mem::take(&mut self.unjoined) {
            ops.push(Op::Join);
        }
        std::mem::take(&mut self.requests).finish(&mut ops, edges);
        ops
    }

    pub fn entered(&self, group: u32) -> usize {
        self.entered.get(&group).copied().unwrap_or(0)
    }

    /// Adds an event of a communicator.
    pub fn add(
        &mut self,
        group: u32,
        event: Event,
        calls: &mut Calls,
        tags: &mut Tags,
        answers: &Answers,
    ) -> Result<(), Refused> {
        self.enter_group(group, calls)?;
        match event {
            Event::Nothing => {}
            Event::Init { element_bytes } => self.element_bytes = element_bytes,
            Event::Compute(flops) => self.ops.push(Op::Compute { flops }),
            Event::Sleep(seconds) => self.ops.push(Op::Sleep { seconds }),
            Event::Send { to, tag, bytes, starts } => self.send(to, tag, bytes, starts, tags)?,
            Event::Receive { from, tag, bytes, starts } => {
                let source = answers.source(self.of(), from, tag);
                self.receive(source, bytes, starts, tags)?;
            }
            Event::Exchange { to, send_tag, sent, from, receive_tag, received } => {
                let source = answers.source(self.of(), from, receive_tag);
                self.exchange((to, send_tag, sent), source, received, tags)?;
            }
            Event::Test(key) => {
                let found = self.requests.test(key, self.ops.len()).ok_or(Refused::UnknownRequest)?;
                self.ops.extend(found);
            }
            Event::Wait(key) if self.going.contains_key(&key) => self.join(key),
            Event::Wait(key) => {
                let found = self.requests.wait(key).ok_or(Refused::UnknownRequest)?;
                self.ops.extend(found);
            }
            Event::WaitAll => {
                self.requests.wait_all();
                self.ops.push(Op::WaitAll);
                self.join_all();
            }
            Event::Collective { collective, bytes, root, flops, starts } => {
                self.within(root)?;
                self.uniform(calls, Uniform { collective, bytes, root }, starts)?;
                self.combine(flops);
            }
            Event::Alltoallv { sent, received } => {
                self.enter(calls, Entered::Alltoallv)?;
                self.sized(sent.len())?;
                self.sized(received.len())?;
                self.burst(by_rank(&received), by_rank(&sent));
            }
            Event::Allgatherv(counts) => self.allgatherv(&counts, calls)?,
            Event::Gatherv { own, counts, root } => {
                self.enter(calls, Entered::Gatherv(root))?;
                self.at_root(root, counts.len())?;
                self.gather_at(own, by_rank(&counts), root);
            }
            Event::Scatterv { own, counts, root } => {
                self.enter(calls, Entered::Scatterv(root))?;
                self.at_root(root, counts.len())?;
                self.scatter_from(own, by_rank(&counts), root);
            }
            Event::ReduceScatterv { counts, elements, flops } => {
                self.reduce_scatterv(&counts, elements, calls)?;
                self.combine(flops);
            }
            Event::Apart { event, starts } => {
                let own = self.begin_strand();
                self.add(group, *event, calls, tags, answers)?;
                self.end_strand(own, starts);
            }
        }
        Ok(())
    }

    fn enter_group(&mut self, group: u32, calls: &Calls) -> Result<(), Refused> {
        if group != self.group || self.members.is_empty() {
            let found = calls.groups.get(group as usize).ok_or(Refused::NoMember)?;
            self.me = found.number(self.rank).ok_or(Refused::NoMember)?;
            (self.group, self.members) = (group, Arc::clone(&found.members));
        }
        Ok(())
    }

    fn of(&self) -> Member<'_> {
        Member { rank: self.rank, group: self.group, members: &self.members }
    }

    pub(super) fn size(&self) -> u32 {
        self.members.len() as u32
    }

    /// The rank that has a number in the communicator.
    pub(super) fn world(&self, member: u32) -> u32 {
        self.members[member as usize]
    }

    fn within(&self, member: u32) -> Result<(), Refused> {
        if member < self.size() { Ok(()) } else { Err(Refused::OutOfGroup) }
    }

    pub(super) fn sized(&self, counts: usize) -> Result<(), Refused> {
        if counts == self.members.len() { Ok(()) } else { Err(Refused::OutOfGroup) }
    }

    pub(super) fn at_root(&self, root: u32, counts: usize) -> Result<(), Refused> {
        self.within(root)?;
        if root == self.me { self.sized(counts) } else { Ok(()) }
    }

    /// The operations of combining, if the record counts them.
    fn combine(&mut self, flops: f64) {
        if flops > 0.0 {
            self.ops.push(Op::Compute { flops });
        }
    }

    pub(super) fn enter(&mut self, calls: &mut Calls, entered: Entered) -> Result<(), Refused> {
        let own = self.entered.entry(self.group).or_default();
        calls.enter(self.group, *own, entered)?;
        *own += 1;
        Ok(())
    }

    /// Counts a collective that is a task of its own.
    pub(super) fn enter_as_task(&mut self, group: u32, call: Uniform, calls: &mut Calls) -> Result<(), Refused> {
        self.enter_group(group, calls)?;
        self.enter(calls, Entered::Uniform(call))
    }

    pub(super) fn uniform(&mut self, calls: &mut Calls, call: Uniform, starts: Option<Key>) -> Result<(), Refused> {
        self.enter(calls, Entered::Uniform(call))?;
        let own = starts.map(|_| self.begin_strand());
        if calls.by_smpi.contains(&call.collective) {
            self.smpi_default(call.collective, call.bytes, call.root, self.size());
        } else {
            let (call, member) = (calls.id(self.group, call)?, self.me);
            self.ops.push(Op::Collective { call, member });
        }
        own.zip(starts).into_iter().for_each(|(own, key)| self.end_strand(own, key));
        Ok(())
    }

    /// What follows goes on by itself, with requests of its own: the position of its first action, and the requests of
    /// the rank.
    fn begin_strand(&mut self) -> (usize, Requests) {
        self.ops.push(Op::Strand { ops: 1 });
        (self.ops.len(), std::mem::take(&mut self.requests))
    }

    fn end_strand(&mut self, (first, own): (usize, Requests), key: Key) {
        self.requests = own;
        self.ops[first - 1] = Op::Strand { ops: (self.ops.len() - first) as u32 };
        *self.going.entry(key).or_default() += 1;
        self.unjoined = true;
    }

    /// A wait for a collective that goes on by itself. It waits for all that do: an action names no single one.
    fn join(&mut self, key: Key) {
        if let Some(left) = self.going.get_mut(&key) {
            *left -= 1;
            if *left == 0 {
                self.going.remove(&key);
            }
        }
        if self.unjoined {
            self.ops.push(Op::Join);
            self.unjoined = false;
        }
    }

    fn join_all(&mut self) {
        self.going.clear();
        if std::mem::take(&mut self.unjoined) {
            self.ops.push(Op::Join);
        }
    }

    /// To a rank.
    pub(super) fn start_send(&mut self, peer: u32, tag: u32, bytes: u64) {
        self.ops.push(Op::StartSend { peer, tag, bytes });
        self.requests.start_unnamed();
    }

    pub(super) fn start_receive(&mut self, peer: u32, tag: u32, bytes: u64) {
        self.ops.push(Op::StartReceive { peer, tag, bytes });
        self.requests.start_unnamed();
    }

    fn send(&mut self, to: i64, tag: i64, bytes: u64, starts: Option<Key>, tags: &mut Tags) -> Result<(), Refused> {
        let real = to >= 0;
        if !real {
            starts.into_iter().for_each(|key| self.requests.start(key, false));
            return Ok(());
        }
        let member = u32::try_from(to).map_err(|_| Refused::OutOfGroup)?;
        self.within(member)?;
        let (peer, tag) = (self.world(member), tags.of(self.group, tag));
        match starts {
            Some(key) => {
                self.requests.start(key, true);
                self.ops.push(Op::StartSend { peer, tag, bytes });
            }
            None if peer == self.rank => {
                self.start_send(peer, tag, bytes);
                self.ops.push(Op::Wait { back: 1 });
            }
            None => self.ops.push(Op::Send { peer, tag, bytes }),
        }
        Ok(())
    }

    fn receive(&mut self, source: Source, bytes: u64, starts: Option<Key>, tags: &mut Tags) -> Result<(), Refused> {
        let (peer, tag) = match source {
            Source::Ambiguous => return Err(Refused::NoSingleSender),
            Source::Nobody => {
                starts.into_iter().for_each(|key| self.requests.start(key, false));
                return Ok(());
            }
            Source::Outside => return Err(Refused::OutOfGroup),
            Source::Rank(peer, tag) => (peer, tags.of(self.group, tag)),
        };
        match starts {
            Some(key) => {
                self.requests.start(key, true);
                self.ops.push(Op::StartReceive { peer, tag, bytes });
            }
            None if peer == self.rank => {
                self.start_receive(peer, tag, bytes);
                self.ops.push(Op::Wait { back: 1 });
            }
            None => self.ops.push(Op::Receive { peer, tag, bytes }),
        }
        Ok(())
    }

    fn exchange(
        &mut self,
        (to, send_tag, sent): (i64, i64, u64),
        source: Source,
        received: u64,
        tags: &mut Tags,
    ) -> Result<(), Refused> {
        let mut requests = 0;
        match source {
            Source::Ambiguous => return Err(Refused::NoSingleSender),
            Source::Outside => return Err(Refused::OutOfGroup),
            Source::Nobody => {}
            Source::Rank(peer, tag) => {
                self.start_receive(peer, tags.of(self.group, tag), received);
                requests += 1;
            }
        }
        if to != UNDEFINED && to != NO_PROCESS && to >= 0 {
            let member = u32::try_from(to).map_err(|_| Refused::OutOfGroup)?;
            self.within(member)?;
            self.start_send(self.world(member), tags.of(self.group, send_tag), sent);
            requests += 1;
        }
        self.wait_last(requests);
        Ok(())
    }
}

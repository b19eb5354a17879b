//! Chakra traces as programs.

use std::collections::{BTreeMap, HashMap};

use netloom_model::{Bound, Collective, Fault, Faults, Outcome};

use super::wire::{MessageFields, WireBytes, WireValue};
use super::{
    ACCELERATOR, COLLECTIVE, COLLECTIVES, COMPUTE, MEMORY_LOAD, MEMORY_STORE, META, NETWORK, PROCESSOR, RECEIVE, SEND,
};
use crate::codes;
use crate::recorded::{
    Event, MAX_OPS, MAX_RANKS, Recorded, Recording, Refused, Replay, Task, TaskGraph, Uniform, WORLD, Work, order,
};

/// A node as its file has it.
#[derive(Clone, Debug, Default)]
struct TraceNode {
    id: u64,
    kind: u64,
    before: Vec<u64>,
    duration_us: u64,
    /// Attributes: those that are numbers by name, and the process group.
    numbers: BTreeMap<String, u64>,
    group: String,
    on_processor: bool,
}

/// Programs of the traces of all ranks: the first file and those next to it, whose names end in `.N.et`. O(bytes).
///
/// # Errors
/// `NL-F003` where a file is cut or nodes wait for each other, `NL-F006`, `NL-F007` for numbers of nodes, `NL-F010` for
/// the file of a rank, `NL-F009`, `NL-F013` for what a node says; those of the recording.
pub fn read(bytes: &[u8], place: &str, replay: Replay<'_>, _bound: &Bound) -> Outcome<Recorded> {
    let mut files: BTreeMap<u32, (&str, &[u8])> = BTreeMap::new();
    let others = replay.others.all(place)?;
    let others = others.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
    for (name, bytes) in std::iter::once((place, bytes)).chain(others) {
        let Some(rank) = rank_of(name) else {
            let sentence = "its name does not say which rank it is of";
            return Err(Fault::say(&codes::NAME, name, sentence)
                .hint("name the files prefix.0.et, prefix.1.et, ...")
                .into());
        };
        if files.insert(rank, (name, bytes)).is_some() {
            return Err(Fault::say(&codes::DUPLICATE, name, format!("rank {rank} has two files")).into());
        }
    }
    let ranks = files.len() as u32;
    if let Some(missing) = (0..ranks).find(|rank| !files.contains_key(rank)) {
        let sentence = format!("the file of rank {missing} is not there, and that of a later one is");
        return Err(Fault::say(&codes::MISSING, place, sentence).hint("put the files of all ranks next to it").into());
    }
    let mut all = Vec::with_capacity(files.len());
    for (name, bytes) in files.values() {
        all.push((*name, nodes(bytes, name)?));
    }
    NodeReader {
        recording: Recording::new(place, ranks, replay.choice.by_smpi, replay.choice.scale)?,
        groups: HashMap::new(),
    }
    .read(&all, replay)
}

/// The number before the ending of a name such as `step.12.et`.
fn rank_of(name: &str) -> Option<u32> {
    let mut parts = name.rsplit('.');
    parts.next()?;
    parts.next()?.parse().ok().filter(|rank| *rank < MAX_RANKS)
}

fn cut(place: &str, what: &str) -> Faults {
    Fault::say(&codes::SYNTAX, place, format!("is cut or no trace of Chakra: {what}"))
        .hint("record or convert it again")
        .into()
}

fn nodes(bytes: &[u8], place: &str) -> Outcome<Vec<TraceNode>> {
    let mut wire = WireBytes::new(bytes);
    wire.delimited().ok_or_else(|| cut(place, "its first message"))?;
    let mut made = Vec::new();
    while !wire.rest.is_empty() {
        let number = made.len();
        let message = wire.delimited().ok_or_else(|| cut(place, &format!("node {number}")))?;
        made.push(node(message).ok_or_else(|| cut(place, &format!("the fields of node {number}")))?);
        if made.len() > MAX_OPS {
            return Err(Fault::say(&codes::TOO_LARGE, place, "too many nodes").hint("cut the trace").into());
        }
    }
    Ok(made)
}

fn node(message: &[u8]) -> Option<TraceNode> {
    let mut made = TraceNode::default();
    for field in MessageFields::new(message) {
        match field? {
            (1, WireValue::Number(id)) => made.id = id,
            (3, WireValue::Number(kind)) => made.kind = kind,
            (4 | 5, WireValue::Number(id)) => made.before.push(id),
            (4 | 5, WireValue::Bytes(list)) => {
                let mut list = WireBytes::new(list);
                while !list.rest.is_empty() {
                    made.before.push(list.varint()?);
                }
            }
            (7, WireValue::Number(duration)) => made.duration_us = duration,
            (10, WireValue::Bytes(attribute)) => put_attribute(attribute, &mut made)?,
            _ => {}
        }
    }
    Some(made)
}

/// An attribute: its name is field 1, its value another one, by type.
fn put_attribute(message: &[u8], made: &mut TraceNode) -> Option<()> {
    let (mut name, mut number, mut text) = (&[][..], None, &[][..]);
    for field in MessageFields::new(message) {
        match field? {
            (1, WireValue::Bytes(bytes)) => name = bytes,
            (29, WireValue::Bytes(bytes)) => text = bytes,
            (_, WireValue::Number(value)) => number = Some(value),
            (_, WireValue::Fixed(value)) => number = Some(value),
            _ => {}
        }
    }
    let name = String::from_utf8_lossy(name);
    match (name.as_ref(), number) {
        ("pg_name", Some(number)) => made.group = number.to_string(),
        ("pg_name", None) => made.group = String::from_utf8_lossy(text).into_owned(),
        ("is_cpu_op", Some(number)) => made.on_processor = number != 0,
        (_, Some(number)) => _ = made.numbers.insert(name.into_owned(), number),
        _ => {}
    }
    Some(())
}

struct NodeReader {
    recording: Recording,
    /// Communicators by name.
    groups: HashMap<String, u32>,
}

type File<'a> = (&'a str, Vec<TraceNode>);

impl NodeReader {
    fn read(mut self, all: &[File<'_>], replay: Replay<'_>) -> Outcome<Recorded> {
        self.find_groups(all)?;
        for (rank, (place, nodes)) in (0u32..).zip(all) {
            let graph = self.graph(rank, place, nodes)?;
            self.recording.put_graph(rank, &graph);
            self.recording.close(rank);
            if self.recording.is_full() {
                return Err(Fault::say(&codes::TOO_LARGE, *place, "too many nodes").hint("cut the trace").into());
            }
        }
        self.recording.finish(replay.choice)
    }

    /// A process group has those ranks that name it: the format has no list of its members.
    fn find_groups(&mut self, all: &[File<'_>]) -> Outcome<()> {
        let mut members: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (rank, (_, nodes)) in (0u32..).zip(all) {
            for node in nodes.iter().filter(|node| node.kind == COLLECTIVE && !node.group.is_empty()) {
                let known = members.entry(&node.group).or_default();
                if known.last() != Some(&rank) {
                    known.push(rank);
                }
            }
        }
        if !members.is_empty() {
            self.recording.survey.note("a process group has those ranks, ascending, whose nodes name it");
        }
        for (name, ranks) in members {
            let group = self.recording.communicator(ranks)?;
            self.groups.insert(name.to_string(), group);
        }
        Ok(())
    }

    fn graph(&mut self, rank: u32, place: &str, nodes: &[TraceNode]) -> Outcome<TaskGraph> {
        let mut numbers = HashMap::with_capacity(nodes.len());
        for (number, node) in (0u32..).zip(nodes) {
            if numbers.insert(node.id, number).is_some() {
                let sentence = format!("node {} stands twice", node.id);
                return Err(Fault::say(&codes::DUPLICATE, place, sentence)
                    .hint("give each node its own number")
                    .into());
            }
        }
        let mut edges = Vec::new();
        for (later, node) in (0u32..).zip(nodes) {
            for id in &node.before {
                let Some(&earlier) = numbers.get(id) else {
                    let sentence = format!("node {} waits for node {id}, which is not there", node.id);
                    let hint = "the file is cut, or holds a part of the nodes";
                    return Err(Fault::say(&codes::UNKNOWN_ID, place, sentence).hint(hint).into());
                };
                edges.push((earlier, later));
            }
        }
        let order = order(nodes.len(), edges.iter().copied()).map_err(|at| {
            let sentence = format!("node {} waits for itself, through others", nodes[at as usize].id);
            Faults::from(Fault::say(&codes::SYNTAX, place, sentence).hint("let nodes wait for others only"))
        })?;
        let mut place_of = vec![0u32; nodes.len()];
        (0u32..).zip(&order).for_each(|(new, old)| place_of[*old as usize] = new);
        let mut tasks = Vec::with_capacity(nodes.len());
        for old in &order {
            let work = self.work(rank, place, &nodes[*old as usize])?;
            tasks.push(Task { work, after: Vec::new(), after_start: Vec::new() });
        }
        for (earlier, later) in edges {
            tasks[place_of[later as usize] as usize].after.push(place_of[earlier as usize]);
        }
        Ok(TaskGraph { tasks })
    }

    fn work(&mut self, rank: u32, place: &str, node: &TraceNode) -> Outcome<Work> {
        let seconds = node.duration_us as f64 / 1e6;
        let unit = if node.on_processor { PROCESSOR } else { ACCELERATOR };
        let number = |name: &str| node.numbers.get(name).copied();
        Ok(match node.kind {
            META => Work::Nothing,
            MEMORY_LOAD | MEMORY_STORE if node.duration_us == 0 => {
                self.recording.survey.note("memory nodes without a duration take no time: memory is not modelled");
                Work::Nothing
            }
            MEMORY_LOAD | MEMORY_STORE => Work::Seconds { seconds, unit },
            COMPUTE if node.duration_us == 0 => {
                if number("tensor_size").unwrap_or(0) > 0 {
                    self.recording.survey.note("tensor_size of computation is not used: its operations, num_ops, are");
                }
                Work::Flops { flops: number("num_ops").unwrap_or(0) as f64, unit }
            }
            COMPUTE => Work::Seconds { seconds, unit },
            SEND | RECEIVE => {
                let (bytes, tag) = (self.size(place, node)?, number("comm_tag").unwrap_or(0) as u32);
                let other = if node.kind == SEND { "comm_dst" } else { "comm_src" };
                let peer = number(other).and_then(|peer| i64::try_from(peer).ok()).unwrap_or(-1);
                let event = match node.kind {
                    SEND => Event::Send { to: peer, tag: tag.into(), bytes, starts: None },
                    _ => Event::Receive { from: peer, tag: tag.into(), bytes, starts: None },
                };
                self.recording.survey.count(&event);
                self.recording.message(rank, WORLD, &event).map_err(|refused| wrong(place, node, &refused))?
            }
            COLLECTIVE => self.collective(rank, place, node)?,
            kind => {
                let expected = "a node of type 1 to 7: metadata, memory, computation, message or collective";
                return Err(Fault::new(&codes::UNSUPPORTED, at(place, node), expected, kind).into());
            }
        })
    }

    fn size(&self, place: &str, node: &TraceNode) -> Outcome<u64> {
        match node.numbers.get("comm_size").copied().filter(|bytes| *bytes <= i64::MAX as u64) {
            Some(bytes) => Ok(bytes),
            None => {
                let expected = "comm_size, its bytes, below 2^63";
                Err(Fault::new(&codes::MISSING, at(place, node), expected, "none").into())
            }
        }
    }

    fn collective(&mut self, rank: u32, place: &str, node: &TraceNode) -> Outcome<Work> {
        let kind = node.numbers.get("comm_type").copied().unwrap_or(u64::MAX);
        let Some(found) = usize::try_from(kind).ok().and_then(|kind| COLLECTIVES.get(kind)) else {
            let expected = "comm_type of 0 to 9";
            return Err(Fault::new(&codes::VALUE, at(place, node), expected, kind).into());
        };
        let collective = found.unwrap_or(Collective::ReduceScatter);
        let group = if node.group.is_empty() { WORLD } else { self.groups.get(&node.group).copied().unwrap_or(WORLD) };
        let members = self.recording.members(group).max(1);
        let whole = if collective == Collective::Barrier { 0 } else { self.size(place, node)? };
        // What the schema calls its size is that of the whole vector where parts of it go to different ranks.
        let parted = matches!(collective, Collective::ReduceScatter | Collective::Alltoall | Collective::Scatter);
        if parted && !whole.is_multiple_of(members.into()) {
            self.recording.survey.note("sizes that their group does not divide are rounded up to whole parts");
        }
        let bytes = if parted { whole.div_ceil(members.into()) } else { whole };
        let root = node.numbers.get("root").map_or(Ok(0), |root| u32::try_from(*root)).unwrap_or(u32::MAX);
        let call = Uniform { collective, bytes, root: if collective.is_rooted() { root } else { 0 } };
        let event = Event::Collective { collective, bytes, root: call.root, flops: 0.0, starts: None };
        self.recording.survey.count(&event);
        let (call, member) = self.recording.call(rank, group, call).map_err(|refused| wrong(place, node, &refused))?;
        Ok(Work::Collective { call, member, unit: NETWORK })
    }
}

fn at(place: &str, node: &TraceNode) -> String {
    format!("{place}: node {}", node.id)
}

fn wrong(place: &str, node: &TraceNode, refused: &Refused) -> Faults {
    let (row, expected, hint) = refused.says();
    Fault::new(row, at(place, node), expected, "this one").hint(hint).into()
}

//! What `scontrol show node` prints, and the lines `NodeName=` of slurm.conf: words `Key=Value` for each node, or for several.

use std::collections::{BTreeMap, HashMap, HashSet};

use netloom_model::{Faults, Outcome};

use super::machine::{Hierarchy, LIMIT, refuse};
use super::reserved::Cpus;
use super::slurm_words::{CLOSED, KEYS};
use crate::codes;
use crate::hostlist::{HostList, fold_hostlist};
use crate::noted::{Fate, Noted};
use crate::sink::quoted;

const HINT: &str = "write scontrol show node > nodes.txt";
const NAME: &str = "NodeName=";

/// Nodes that are alike.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct NodeShape {
    /// Cores of each socket that jobs get.
    cores: Vec<u32>,
    threads: u32,
    gpus: u32,
}

/// Nodes of one shape.
#[derive(Default)]
struct NodeKind {
    nodes: Vec<String>,
    /// What jobs do not get on one of them.
    reserved: Option<String>,
}

/// True for a text with a node's record.
pub fn is_one(text: &str) -> bool {
    text.lines().any(is_record)
}

fn is_record(line: &str) -> bool {
    line.trim_start().get(..NAME.len()).is_some_and(|start| start.eq_ignore_ascii_case(NAME))
}

/// O(text + nodes).
pub fn read(text: &str, place: &str, only: &str) -> Outcome<Hierarchy> {
    let mut wanted = names(only, place)?;
    let mut shapes: BTreeMap<NodeShape, NodeKind> = BTreeMap::new();
    let (mut defaults, mut all, mut closed) = (Record::default(), 0u64, Vec::new());
    let mut noted = Noted::new("Slurm");
    for text in records(text) {
        let record = Record::of(&text);
        record.keys().for_each(|key| note(&mut noted, key));
        let list = record.get("NodeName").unwrap_or_default();
        if list.eq_ignore_ascii_case("DEFAULT") {
            defaults.extend(record);
            continue;
        }
        let nodes = hosts(list, place)?;
        all += nodes.len() as u64;
        if all > LIMIT {
            return Err(refuse(&codes::TOO_LARGE, place, format!("more than {LIMIT} nodes"), ""));
        }
        let nodes: Vec<String> = nodes.into_iter().filter(|name| only.is_empty() || wanted.remove(name)).collect();
        let Some(first) = nodes.first() else { continue };
        let record = record.or(&defaults);
        let (made, reserved) = shape(&record, first, place)?;
        if takes_no_jobs(&record) {
            closed.extend(nodes.iter().cloned());
        }
        let kind = shapes.entry(made).or_default();
        kind.nodes.extend(nodes);
        kind.reserved = kind.reserved.take().or(reserved);
    }
    if let Some(name) = wanted.iter().min() {
        let sentence = format!("none of its {all} nodes is called {}", quoted(name));
        return Err(refuse(&codes::UNKNOWN_ID, place, sentence, ""));
    }
    let mut found = shapes.iter();
    let (Some((shape, NodeKind { nodes, reserved })), None) = (found.next(), found.next()) else {
        return Err(differ(&shapes, place));
    };
    let mut cores = shape.cores.clone();
    let sockets = cores.len() as u32;
    if cores.iter().all(|n| *n == cores[0]) {
        cores.truncate(1);
    }
    let mut made = Hierarchy::of(u32::try_from(nodes.len()).ok(), [vec![sockets], vec![1], vec![1], cores]);
    made.notes.extend(reserved.clone());
    if shape.threads > 1 {
        made.notes.push(format!("{} hardware threads of a core are one place for a rank", shape.threads));
    }
    if shape.gpus > 0 {
        made.notes.push(format!("{0} GPUs on a node: node(gpus={0}) has a rank on each", shape.gpus));
    }
    if !closed.is_empty() {
        let (some, list) = (closed.len(), short(&fold_hostlist(&closed)));
        made.notes.push(format!("{some} of the {} nodes take no jobs by their State: {list}", nodes.len()));
    }
    made.notes.extend(noted.into_notes());
    Ok(made)
}

/// The text of each record: from a name to the next, or one line of slurm.conf, with its continuations and without its comments.
fn records(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // scontrol counts CPUs in every record, slurm.conf calls them CPUs.
    let printed = text.contains("CPUTot=") || text.contains("CPUAlloc=");
    let mut goes_on = false;
    for line in text.lines() {
        let starts = is_record(line) && !goes_on;
        let bare = if printed { line } else { line.split('#').next().unwrap_or_default() };
        let body = bare.trim_end().trim_end_matches('\\');
        let other = !printed
            && !goes_on
            && line.split_whitespace().next().is_some_and(|word| word.contains('=') && is_other(word));
        match lines.last_mut() {
            _ if starts => lines.push(body.to_string()),
            Some(last) if !other => {
                last.push(' ');
                last.push_str(body);
            }
            _ if other => lines.push(String::new()),
            _ => {}
        }
        goes_on = !printed && bare.trim_end().ends_with('\\');
    }
    lines.retain(|line| is_record(line));
    lines
}

/// The first word of a line of slurm.conf about something else: `PartitionName=`, `SlurmctldHost=`. A wrapped record goes on with
/// one of its own keys.
fn is_other(word: &str) -> bool {
    let key = word.split('=').next().unwrap_or_default();
    !KEYS.iter().any(|known| known.0.eq_ignore_ascii_case(key))
}

/// Keys, each with its value as written.
#[derive(Default)]
struct Record(Vec<(String, String)>);

impl Record {
    /// Words without a key belong to the value before: `OS=Linux 5.14.0 #1 SMP`.
    fn of(text: &str) -> Record {
        let mut found: Vec<(String, String)> = Vec::new();
        for word in text.split_whitespace() {
            match (word.split_once('='), found.last_mut()) {
                (Some((key, value)), _) if is_key(key) => found.push((key.into(), value.into())),
                (_, Some(last)) => {
                    last.1.push(' ');
                    last.1.push_str(word);
                }
                _ => {}
            }
        }
        Record(found)
    }

    fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, value)| value.trim())
    }

    fn extend(&mut self, other: Record) {
        self.0.splice(0..0, other.0.into_iter().filter(|(key, _)| !key.eq_ignore_ascii_case("NodeName")));
    }

    fn or(mut self, defaults: &Record) -> Record {
        self.0.extend(defaults.0.iter().cloned());
        self
    }
}

fn is_key(word: &str) -> bool {
    let known = KEYS.iter().any(|key| key.0.eq_ignore_ascii_case(word));
    known
        || (word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

fn note(noted: &mut Noted, key: &str) {
    let fate = KEYS.iter().find(|known| known.0.eq_ignore_ascii_case(key)).map_or(Fate::Noted, |known| known.1);
    if fate == Fate::Noted {
        noted.unused("", key);
    }
}

fn names(only: &str, place: &str) -> Outcome<HashSet<String>> {
    if only.is_empty() { Ok(HashSet::new()) } else { Ok(hosts(only, place)?.into_iter().collect()) }
}

fn hosts(list: &str, place: &str) -> Outcome<Vec<String>> {
    let bad = |why: String| refuse(&codes::HOSTLIST, place, format!("{} is no host list: {why}", quoted(list)), "");
    Ok(HostList::parse(list, LIMIT).map_err(bad)?.expand().into_iter().collect())
}

fn takes_no_jobs(record: &Record) -> bool {
    // `IDLE+DRAIN`, `DOWN*`: the star says that it does not respond.
    let state = record.get("State").unwrap_or_default();
    let mut words = state.split('+').map(|word| word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()));
    state.contains('*') || words.any(|word| CLOSED.contains(&word.to_ascii_uppercase().as_str()))
}

fn shape(record: &Record, name: &str, place: &str) -> Outcome<(NodeShape, Option<String>)> {
    let count = |key: &str, least: u32| -> Outcome<Option<u32>> {
        let Some(text) = record.get(key) else { return Ok(None) };
        let found = text.parse().ok().filter(|n| (least..=LIMIT as u32).contains(n));
        found.map(Some).ok_or_else(|| {
            let sentence = format!("{key} of node {} is {}, no count from {least}", quoted(name), quoted(text));
            refuse(&codes::VALUE, place, sentence, HINT)
        })
    };
    let missing = |key: &str| refuse(&codes::MISSING, place, format!("node {} has no {key}", quoted(name)), HINT);
    let threads = count("ThreadsPerCore", 1)?.unwrap_or(1);
    let cores = count("CoresPerSocket", 1)?.ok_or_else(|| missing("CoresPerSocket"))?;
    let total = count("CPUTot", 1)?.or(count("CPUs", 1)?).or(count("Procs", 1)?);
    let by_board = count("SocketsPerBoard", 1)?.map(|each| Ok::<_, Faults>(each * count("Boards", 1)?.unwrap_or(1)));
    let by_total = total.filter(|total| total.is_multiple_of(cores * threads)).map(|total| total / (cores * threads));
    let sockets = count("Sockets", 1)?.or(by_board.transpose()?).or(by_total).ok_or_else(|| missing("Sockets"))?;
    if u64::from(sockets) * u64::from(cores) > LIMIT {
        return Err(refuse(&codes::TOO_LARGE, place, format!("{sockets} sockets of {cores} cores exceed {LIMIT}"), ""));
    }
    let list = record.get("CPUSpecList").filter(|list| !list.is_empty() && !list.starts_with('('));
    let (effective, reserved) = (count("CPUEfctv", 1)?, count("CoreSpecCount", 0)?);
    let cpus = Cpus { sockets, cores, threads, total, effective, count: reserved, list };
    let (cores, reserved) = cpus
        .left()
        .map_err(|sentence| refuse(&codes::VALUE, place, format!("node {}: {sentence}", quoted(name)), HINT))?;
    Ok((NodeShape { cores, threads, gpus: gpus(record.get("Gres").unwrap_or_default()) }, reserved))
}

/// `gpu:a100:4(S:0-1),tmp:1`: the number is the last part before the bracket; without one it is 1.
fn gpus(gres: &str) -> u32 {
    let mut depth = 0;
    let outside = |c: &char| {
        depth += i32::from(*c == '(');
        let keep = depth == 0;
        depth -= i32::from(*c == ')');
        keep
    };
    let bare: String = gres.chars().filter(outside).collect();
    let of = |word: &str| {
        let rest = word.trim().strip_prefix("gpu")?;
        let numbered = rest.rsplit(':').next().and_then(|number| number.parse::<u32>().ok());
        (rest.is_empty() || rest.starts_with(':')).then(|| numbered.unwrap_or(1))
    };
    bare.split(',').filter_map(of).fold(0, u32::saturating_add)
}

/// Nodes of several shapes: how many of each, and how to name one kind.
fn differ(shapes: &BTreeMap<NodeShape, NodeKind>, place: &str) -> Faults {
    let mut kinds: Vec<(&NodeShape, &Vec<String>)> = shapes.iter().map(|(shape, kind)| (shape, &kind.nodes)).collect();
    kinds.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
    let said = |(shape, nodes): &(&NodeShape, &Vec<String>)| {
        let verb = if nodes.len() == 1 { "has" } else { "have" };
        let gpus = if shape.gpus > 0 { format!(" and {} GPUs", shape.gpus) } else { String::new() };
        format!("{} {verb} {}{gpus}", nodes.len(), shape.sockets())
    };
    let texts: Vec<String> = kinds.iter().take(4).map(said).collect();
    let lists: Vec<String> = kinds.iter().take(4).map(|(_, nodes)| named(nodes)).collect();
    let hint = format!("describe one kind: --nodes '{}'", lists.join("' or '"));
    refuse(&codes::CANNOT_EXPRESS, place, format!("nodes differ: {}", texts.join(", ")), &hint)
}

impl NodeShape {
    /// `2 sockets of 64 cores`, `1 socket of 15 and 1 of 16 cores`.
    fn sockets(&self) -> String {
        let mut counts: HashMap<u32, usize> = HashMap::new();
        self.cores.iter().for_each(|cores| *counts.entry(*cores).or_default() += 1);
        let mut kinds: Vec<(u32, usize)> = counts.into_iter().collect();
        kinds.sort_unstable();
        let one = |(cores, sockets): &(u32, usize)| format!("{sockets} sockets of {cores}");
        let text = kinds.iter().map(one).collect::<Vec<_>>().join(" and ");
        let threads = if self.threads > 1 { format!(" ({} threads each)", self.threads) } else { String::new() };
        format!("{text} cores{threads}")
    }
}

fn short(list: &str) -> String {
    let end = if list.chars().nth(LIST).is_some() { "..." } else { "" };
    list.chars().take(LIST).collect::<String>() + end
}

/// All of the nodes, or the first where the list is long: it describes its kind.
fn named(nodes: &[String]) -> String {
    let list = fold_hostlist(nodes);
    if list.chars().nth(LIST).is_some() { nodes[0].clone() } else { list }
}

/// Characters of a list in a message.
const LIST: usize = 60;

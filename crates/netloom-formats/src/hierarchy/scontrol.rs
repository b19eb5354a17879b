//! What `scontrol show node` prints: a record of words `Key=Value` for each node.

use std::collections::{BTreeMap, HashSet};

use netloom_model::Outcome;

use super::{Hierarchy, LIMIT, codes, refuse};
use crate::hostlist::{HostList, fold_hostlist};
use crate::sink::quoted;

const HINT: &str = "write scontrol show node > nodes.txt";

/// Sockets, cores of each, hardware threads of a core, GPUs.
type Shape = (u32, u32, u32, u32);

/// True for a text that begins with a node's record.
pub fn is_one(text: &str) -> bool {
    text.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("NodeName="))
}

/// O(text).
pub fn read(text: &str, place: &str, only: &str) -> Outcome<Hierarchy> {
    let mut wanted = names(only, place)?;
    let mut shapes: BTreeMap<Shape, Vec<String>> = BTreeMap::new();
    let mut records = text.split("NodeName=").skip(1);
    let all = records.try_fold(0u64, |all, record| -> Outcome<u64> {
        let name = record.split_whitespace().next().unwrap_or_default();
        if only.is_empty() || wanted.remove(name) {
            shapes.entry(shape(record, name, place)?).or_default().push(name.to_string());
        }
        Ok(all + 1)
    })?;
    if let Some(name) = wanted.iter().min() {
        let sentence = format!("none of its {all} nodes is called {}", quoted(name));
        return Err(refuse(&codes::UNKNOWN_ID, place, sentence, ""));
    }
    let mut found = shapes.iter();
    let (Some((&(sockets, cores, threads, gpus), nodes)), None) = (found.next(), found.next()) else {
        return Err(differ(&shapes, place));
    };
    let mut made = Hierarchy::of(u32::try_from(nodes.len()).ok(), [sockets, 1, 1, cores]);
    if threads > 1 {
        made.notes.push(format!("{threads} hardware threads of a core are one place for a rank"));
    }
    if gpus > 0 {
        made.notes.push(format!("{gpus} GPUs on a node: node(gpus={gpus}) has a rank on each"));
    }
    Ok(made)
}

fn names(only: &str, place: &str) -> Outcome<HashSet<String>> {
    if only.is_empty() {
        return Ok(HashSet::new());
    }
    let bad = |why: String| refuse(&codes::HOSTLIST, place, format!("{} is no host list: {why}", quoted(only)), "");
    Ok(HostList::parse(only, LIMIT).map_err(bad)?.expand().into_iter().collect())
}

fn shape(record: &str, name: &str, place: &str) -> Outcome<Shape> {
    let value = |key: &str| record.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    let number = |key: &str, default: Option<u32>| {
        let Some(text) = value(key) else {
            let sentence = format!("node {} has no {key}", quoted(name));
            return default.ok_or_else(|| refuse(&codes::MISSING, place, sentence, HINT));
        };
        text.parse().ok().filter(|n| (1..=LIMIT).contains(&u64::from(*n))).ok_or_else(|| {
            let sentence = format!("{key} of node {} is {}, no count from 1", quoted(name), quoted(text));
            refuse(&codes::VALUE, place, sentence, HINT)
        })
    };
    // `gpu:a100:4(S:0-1),tmp:1`: the number is the last part before the bracket.
    let gpus = value("Gres").unwrap_or_default().split(',').filter_map(|gres| {
        let bare = gres.split('(').next()?.strip_prefix("gpu:")?;
        bare.rsplit(':').next()?.parse::<u32>().ok()
    });
    Ok((number("Sockets", None)?, number("CoresPerSocket", None)?, number("ThreadsPerCore", Some(1))?, gpus.sum()))
}

/// Nodes of several shapes: how many of each, and how to name one kind.
fn differ(shapes: &BTreeMap<Shape, Vec<String>>, place: &str) -> netloom_model::Faults {
    let mut kinds: Vec<(&Shape, &Vec<String>)> = shapes.iter().collect();
    kinds.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
    let said = |(shape, nodes): &(&Shape, &Vec<String>)| {
        let verb = if nodes.len() == 1 { "has" } else { "have" };
        let gpus = if shape.3 > 0 { format!(" and {} GPUs", shape.3) } else { String::new() };
        format!("{} {verb} {} sockets of {} cores{gpus}", nodes.len(), shape.0, shape.1)
    };
    let texts: Vec<String> = kinds.iter().take(4).map(said).collect();
    let lists: Vec<String> = kinds.iter().take(4).map(|(_, nodes)| fold_hostlist(nodes)).collect();
    let short = |list: &String| list.chars().take(60).collect::<String>();
    let hint = format!("describe one kind: --nodes '{}'", lists.iter().map(short).collect::<Vec<_>>().join("' or '"));
    refuse(&codes::CANNOT_EXPRESS, place, format!("nodes differ: {}", texts.join(", ")), &hint)
}

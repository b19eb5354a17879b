//! Slurm `topology.yaml`: one or more topologies of trees, blocks, rings and three-dimensional tori.
//!
//! A topology is read as the lines of `topology.conf` that say the same, each on its line of the file, so that faults name
//! the right one.
//!
//! Source: Slurm documentation, `topology.yaml(5)`.

use std::fmt::Write as _;

use netloom_model::param::Kind;
use netloom_model::{Bound, Network, Outcome, Param, Row};

use super::words::YAML as SAID;
use super::{SHAPE, UPLINKS, plugins, read as tree, write};
use crate::codes;
use crate::graph;
use crate::network_file::Read;
use crate::row::Format;
use crate::sink::{Sink, Spot, quoted};
use crate::text::decode;
use crate::yaml::{Item, Value};

const TOPOLOGY: Param = Param::optional(
    "topology",
    Kind::Text,
    "",
    "which of several topologies; absent: the one that is cluster_default, else the first",
)
.keyword_only();

pub const ROW: Row<Format<Network>> = Row {
    name: "slurm-yaml",
    aliases: &["topology.yaml"],
    summary: "Slurm topology.yaml: tree, block, ring and torus3d.",
    params: &[graph::P, graph::BANDWIDTH, graph::LATENCY, UPLINKS, super::LINK_SPEED, SHAPE, TOPOLOGY, graph::SLOTS],
    example: "slurm-yaml(shape=block)",
    restrictions: "As slurm. One topology is read; regions and placements of a torus are left out, and so is a flat one. \
                   Written placements are all boxes whose extents divide those of the torus.",
    source: "Slurm documentation, topology.yaml(5)",
    build: Format {
        extensions: &["yaml", "yml"],
        begins: |head| {
            let mut lines = head.lines().filter(|line| *line != "---");
            lines.next().is_some_and(|line| line.to_ascii_lowercase().starts_with("- topology:"))
        },
        read: Some(read),
        write: Some(write_yaml),
    },
};

const HINT: &str = "write - topology: NAME, then tree:, block:, ring: or torus3d:";

/// O(text + names).
fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    let file = crate::yaml::read(decode(bytes, place)?, place)?;
    let mut sink = Sink::new(place);
    let Some(chosen) = choose(&file, bound.text("topology"), &mut sink) else { return Err(sink.fail()) };
    let mut lines = Lines::default();
    let mut notes = Vec::new();
    let of_tree = plan(chosen, &mut lines, &mut notes, &mut sink);
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    let mut found = match of_tree {
        true => tree::read_text(&lines.text, place, bound, &SAID)?,
        false => plugins::read(&lines.text, place, bound, &SAID)?,
    };
    let all = file.list().len();
    if all > 1 {
        let name = chosen.get("topology").and_then(Item::text).unwrap_or_default();
        found.notes.push(format!("of {all} topologies {} is read", quoted(name)));
    }
    found.notes.extend(notes);
    Ok(found)
}

/// The topology that is asked for.
fn choose<'f>(file: &'f Item, wanted: &str, sink: &mut Sink) -> Option<&'f Item> {
    let all = file.list();
    let name = |item: &Item| item.get("topology").and_then(Item::text).unwrap_or_default().to_string();
    if all.is_empty() {
        sink.say(&codes::NOTHING, Spot::Whole, "the file lists no topology", HINT);
        return None;
    }
    if wanted.is_empty() {
        let default = |item: &&Item| {
            item.get("cluster_default").and_then(Item::text).is_some_and(|text| text.eq_ignore_ascii_case("true"))
        };
        return all.iter().find(default).or_else(|| all.first());
    }
    let found = all.iter().find(|item| name(item) == wanted);
    if found.is_none() {
        let known: Vec<String> = all.iter().map(name).collect();
        sink.must(&codes::UNKNOWN_ID, Spot::Whole, "topology", &known.join(" or "), wanted, "");
    }
    found
}

/// Lines of `topology.conf`, each at its own number.
#[derive(Default)]
struct Lines {
    text: String,
    count: u32,
}

impl Lines {
    /// Appends at line `at`, or at the next one where that is taken.
    fn push(&mut self, at: u32, line: &str) {
        while self.count + 1 < at {
            self.text.push('\n');
            self.count += 1;
        }
        self.text.push_str(line);
        self.text.push('\n');
        self.count += 1;
    }
}

/// Writes the lines of a topology; true if it is a tree.
fn plan(topology: &Item, lines: &mut Lines, notes: &mut Vec<String>, sink: &mut Sink) -> bool {
    const PLUGINS: [&str; 5] = ["tree", "block", "ring", "torus3d", "flat"];
    only(topology, &["topology", "cluster_default", "tree", "block", "ring", "torus3d", "flat"], sink);
    let given: Vec<&str> = PLUGINS.into_iter().filter(|key| topology.get(key).is_some()).collect();
    if given.len() > 1 {
        let sentence = format!("the topology is {} at once", given.join(" and "));
        sink.say(&codes::UNSUPPORTED, topology.spot(), sentence, "keep one of them");
        return false;
    }
    if let Some(tree) = topology.get("tree") {
        only(tree, &["switches"], sink);
        each(
            tree,
            "switches",
            "switch",
            &[("nodes", "Nodes"), ("children", "Switches"), ("link_speed", "LinkSpeed")],
            "SwitchName",
            lines,
            sink,
        );
        return true;
    }
    if let Some(block) = topology.get("block") {
        only(block, &["block_sizes", "blocks"], sink);
        if let Some(sizes) = block.get("block_sizes") {
            let numbers: Vec<&str> = sizes.list().iter().filter_map(Item::text).collect();
            lines.push(sizes.line, &format!("BlockSizes={}", numbers.join(",")));
        }
        each(block, "blocks", "block", &[("nodes", "Nodes")], "BlockName", lines, sink);
    } else if let Some(ring) = topology.get("ring") {
        only(ring, &["rings"], sink);
        each(ring, "rings", "ring", &[("nodes", "Nodes")], "RingName", lines, sink);
    } else if let Some(torus) = topology.get("torus3d") {
        tori(torus, lines, notes, sink);
    } else if topology.get("flat").is_some() {
        sink.say(
            &codes::UNSUPPORTED,
            topology.spot(),
            "a flat topology says nothing of the network",
            "name another one of the file: slurm-yaml(topology=NAME)",
        );
    } else {
        sink.say(&codes::MISSING, topology.spot(), "the topology is no tree, block, ring or torus3d", HINT);
    }
    false
}

/// A line for each element of a list.
fn each(inside: &Item, list: &str, name: &str, keys: &[(&str, &str)], said: &str, lines: &mut Lines, sink: &mut Sink) {
    let Some(items) = inside.get(list) else {
        sink.say(&codes::MISSING, inside.spot(), format!("there is no list {}", quoted(list)), HINT);
        return;
    };
    let known: Vec<&str> = [name].into_iter().chain(keys.iter().map(|key| key.0)).collect();
    for item in items.list() {
        only(item, &known, sink);
        known.iter().for_each(|key| scalar(item, key, sink));
        let Some(title) = word(item, name) else {
            sink.say(&codes::MISSING, item.spot(), format!("the entry has no {}", quoted(name)), HINT);
            continue;
        };
        let mut line = format!("{said}={title}");
        for (key, conf) in keys {
            if let Some(value) = word(item, key) {
                let _ = write!(line, " {conf}={value}");
            }
        }
        lines.push(item.line, &line);
    }
}

/// Says which keys mean nothing here.
fn only(item: &Item, known: &[&str], sink: &mut Sink) {
    let Value::Map(pairs) = &item.value else {
        return sink.say(&codes::SYNTAX, item.spot(), format!("there are no keys: {}", known.join(", ")), HINT);
    };
    for (key, value) in pairs.iter().filter(|(key, _)| !known.iter().any(|name| key.eq_ignore_ascii_case(name))) {
        let near = netloom_model::fault::nearest(key, known.iter().copied());
        let hint = near.map_or_else(String::new, |near| format!("did you mean {near}?"));
        sink.must(&codes::SYNTAX, value.spot(), "key", &format!("one of {}", known.join(", ")), key, &hint);
    }
}

/// Says that a value is a list or a map where a text belongs.
fn scalar(item: &Item, key: &str, sink: &mut Sink) {
    if let Some(wrong) = item.get(key).filter(|value| value.text().is_none()) {
        let sentence = format!("{} is one text", quoted(key));
        sink.say(&codes::VALUE, wrong.spot(), sentence, "write a host list such as n[1-32,40]");
    }
}

/// A scalar, without blanks, which no name and no host list has.
fn word(item: &Item, key: &str) -> Option<String> {
    let text = item.get(key)?.text()?;
    Some(text.split_whitespace().collect::<String>()).filter(|text| !text.is_empty())
}

/// A torus, or a list of them.
fn tori(torus: &Item, lines: &mut Lines, notes: &mut Vec<String>, sink: &mut Sink) {
    let list = torus.get("toruses").or_else(|| torus.get("tori")).map(Item::list);
    let all: Vec<&Item> = match (list, &torus.value) {
        (Some(items), _) => items.iter().collect(),
        (None, Value::List(items)) => items.iter().collect(),
        _ => vec![torus],
    };
    for item in all {
        only(item, &["name", "torus", "dims", "nodes", "regions", "placements", "toruses", "tori"], sink);
        let dims = item.get("dims");
        let extent = |key: &str| dims.and_then(|d| word(d, key));
        let found = (extent("x"), extent("y"), extent("z"), word(item, "nodes"));
        let (Some(x), Some(y), Some(z), Some(nodes)) = found else {
            sink.say(&codes::MISSING, item.spot(), "a torus has dims x, y and z, and nodes", HINT);
            continue;
        };
        let name = word(item, "name").or_else(|| word(item, "torus")).unwrap_or_else(|| "torus".into());
        lines.push(item.line, &format!("TorusName={name} Dims={x},{y},{z} Nodes={nodes}"));
        if item.get("regions").is_some() || item.get("placements").is_some() {
            notes.push("regions and placements of the torus are left out".into());
        }
    }
}

/// O(switches + links log links).
fn write_yaml(network: &Network, (): (), bound: &Bound) -> Outcome<Vec<u8>> {
    let name = Some(bound.text("topology")).filter(|name| !name.is_empty()).unwrap_or("default").to_string();
    let plan = write::plan(network, bound)?;
    let mut out = super::names::table(network) + &format!("- topology: {name}\n  cluster_default: true\n");
    plan.in_yaml(&mut out);
    Ok(out.into_bytes())
}

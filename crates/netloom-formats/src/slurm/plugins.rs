//! Networks of Slurm's other topology plugins: blocks, rings and three-dimensional tori of nodes.
//!
//! Slurm knows which nodes are near each other and not how they are cabled. A block is read as a switch, and blocks that
//! form a larger block as switches below another one; a node of a ring or a torus has a switch of its own.

use std::collections::{BTreeSet, HashSet};

use netloom_model::network::Grid;
use netloom_model::{Bound, Outcome, memory};

use super::read::{MAX_WORDS, full_bandwidth, uplinks};
use super::words::Words;
use crate::codes;
use crate::graph::{Defaults, Graph, Role, Wire};
use crate::hostlist::{HostList, LIMIT};
use crate::limits::NAMED;
use crate::network_file::Read;
use crate::sink::{Sink, Spot, quoted};
use crate::text::{Word, lines, some, words};

/// Keys of a line, in lower case, and what they name.
const KINDS: [(&str, PluginLineKind); 3] =
    [("blockname", PluginLineKind::Block), ("ringname", PluginLineKind::Ring), ("torusname", PluginLineKind::Torus)];
/// Names of the switches above blocks, from which their sizes are known when the network is written: of a larger block, with
/// its size, and of all blocks, with the size of one.
pub const OF_SIZE: &str = "blocks";
pub const ALL: &str = "all-blocks";
/// How `scontrol show topology` begins the line of a larger block, and keys of its that tell nothing new.
const LARGER: &str = "aggregatedblock=";
const PRINTED: [&str; 3] = ["aggregatedblock", "blockindex", "ringsize"];
/// Most nodes of a ring.
const RING: usize = 16;
/// Extents of a torus.
const DIMS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PluginLineKind {
    Block,
    Ring,
    Torus,
}

/// A line that names nodes.
struct PluginLine {
    kind: PluginLineKind,
    name: String,
    nodes: Vec<String>,
    dims: Vec<u32>,
    spot: Spot,
}

/// True if a line is of one of these plugins.
pub fn is_one(word: &str) -> bool {
    let key = word.split('=').next().unwrap_or_default().to_ascii_lowercase();
    key == "blocksizes" || KINDS.iter().any(|(name, _)| *name == key)
}

/// O(text + names).
pub fn read(text: &str, place: &str, bound: &Bound, said: &'static Words) -> Outcome<Read> {
    let mut reader = PluginReader {
        sink: Sink::new(place),
        parts: Vec::new(),
        sizes: Vec::new(),
        printed: BTreeSet::new(),
        named: 0,
        derived: BTreeSet::new(),
        said,
    };
    for (number, line) in lines(text) {
        let line = line.split('#').next().unwrap_or_default();
        let found: Vec<Word> = words(number, line).take(MAX_WORDS + 1).collect();
        if let Some(word) = found.get(MAX_WORDS) {
            let sentence = format!("more than {MAX_WORDS} words on a line");
            reader.sink.say(&codes::TOO_LARGE, word.spot(), sentence, said.plugins);
        } else if !found.is_empty() {
            reader.line(&found);
        }
    }
    let PluginReader { mut sink, parts, sizes, printed, derived, .. } = reader;
    let sizes = if sizes.is_empty() { printed.into_iter().collect() } else { sizes };
    if let Some(other) = parts.iter().find(|part| part.kind != parts[0].kind) {
        sink.say(&codes::UNSUPPORTED, other.spot, "the file mixes blocks, rings and tori", "keep those of one plugin");
    }
    if parts.iter().all(|part| part.nodes.is_empty()) && sink.is_empty() {
        sink.say(&codes::NOTHING, Spot::Whole, "the file names no node", said.plugins);
    }
    if !sink.is_empty() {
        return Err(sink.fail());
    }
    let defaults = Defaults::of(bound);
    let mut made = Made {
        graph: Graph::default(),
        seen: HashSet::new(),
        switches: HashSet::new(),
        wire: defaults.wire.clone(),
        uplinks: uplinks(bound),
        said,
    };
    let done = match parts[0].kind {
        PluginLineKind::Block => made.blocks(&parts, &sizes, &mut sink),
        PluginLineKind::Ring => parts.iter().try_for_each(|part| made.ring(part, &mut sink)),
        PluginLineKind::Torus => made.torus(&parts, &mut sink),
    };
    if done.is_none() && sink.is_empty() {
        sink.say(&codes::TOO_LARGE, Spot::Whole, "the file describes too many switches or cables", "");
    }
    if made.uplinks.is_some() && parts[0].kind != PluginLineKind::Block {
        made.graph.notes.push("uplinks has no effect: rings and tori have no switch above others".into());
    }
    if !derived.is_empty() {
        let keys = derived.into_iter().collect::<Vec<_>>().join(", ");
        made.graph.notes.push(format!("not used, since other keys say the same: {keys}"));
    }
    if bound.is_given("link_speed") {
        made.graph.notes.push("link_speed has no effect: blocks, rings and tori have no LinkSpeed".into());
    }
    made.graph.finish(&defaults, sink)
}

struct PluginReader<'p> {
    sink: Sink<'p>,
    parts: Vec<PluginLine>,
    /// Nodes of a block, then of larger ones.
    sizes: Vec<u64>,
    /// The sizes that `scontrol show topology` tells, block by block.
    printed: BTreeSet<u64>,
    named: u64,
    /// Keys of scontrol that tell nothing new, as written.
    derived: BTreeSet<String>,
    said: &'static Words,
}

impl PluginReader<'_> {
    fn line(&mut self, found: &[Word]) {
        let mut part = PluginLine {
            kind: PluginLineKind::Block,
            name: String::new(),
            nodes: Vec::new(),
            dims: Vec::new(),
            spot: found[0].spot(),
        };
        // It repeats the nodes of its blocks.
        let larger = found[0].text.to_ascii_lowercase().starts_with(LARGER);
        for word in found {
            let Some((key, value)) = word.text.split_once('=') else {
                self.sink.must(&codes::SYNTAX, word.spot(), "", "Key=Value", word.text, self.said.plugins);
                return;
            };
            let key = key.to_ascii_lowercase();
            if let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == key) {
                (part.kind, part.name) = (*kind, value.to_string());
            } else if key == "nodes" {
                part.nodes = if larger { Vec::new() } else { self.expand(value, word) };
            } else if key == "dims" {
                let extents = self.numbers(&value.replace('x', ","), word);
                part.dims = extents.into_iter().map(|n| u32::try_from(n).unwrap_or(u32::MAX)).collect();
            } else if key == "blocksize" {
                let size = self.numbers(value, word);
                self.printed.extend(size);
            } else if PRINTED.contains(&key.as_str()) {
                self.derived.extend(word.text.split('=').next().map(String::from));
            } else if key == "blocksizes" {
                self.sizes = self.numbers(value, word);
            } else {
                let expected = "BlockName, RingName, Nodes or BlockSizes";
                self.sink.must(&codes::SYNTAX, word.spot(), "key", expected, word.text, self.said.plugins);
            }
        }
        if part.name.is_empty() {
            if part.nodes.is_empty() {
                return;
            }
            let sentence = format!("the nodes have no {}", self.said.named);
            self.sink.say(&codes::MISSING, part.spot, sentence, self.said.plugins);
        } else if part.nodes.is_empty() && self.sink.is_empty() && part.kind != PluginLineKind::Block {
            let sentence = format!("{} has no {}", quoted(&part.name), self.said.nodes);
            self.sink.say(&codes::MISSING, part.spot, sentence, self.said.plugins);
        } else {
            self.parts.push(part);
        }
    }

    fn numbers(&mut self, text: &str, word: &Word) -> Vec<u64> {
        let found: Option<Vec<u64>> =
            text.split(',').map(|n| n.trim().parse().ok().filter(|n| (1..=LIMIT).contains(n))).collect();
        found.unwrap_or_else(|| {
            self.sink.must(&codes::VALUE, word.spot(), "", "positive integers with commas between them", text, "");
            Vec::new()
        })
    }

    fn expand(&mut self, list: &str, word: &Word) -> Vec<String> {
        match HostList::parse(list, LIMIT.saturating_sub(self.named)) {
            Ok(read) => {
                self.named += read.count;
                match memory::require(read.count * NAMED + 2 * read.bytes, &self.sink.at(word.spot()), "the host list")
                {
                    Ok(()) => return read.expand(),
                    Err(fault) => self.sink.push(fault),
                }
            }
            Err(why) => {
                let short: String = list.chars().take(60).collect();
                let got = format!("{short} ({why})");
                self.sink.must(&codes::HOSTLIST, word.spot(), "list", "a host list", got, "write prefix[first-last]");
            }
        }
        Vec::new()
    }
}

struct Made<'t> {
    graph: Graph,
    /// Nodes so far.
    seen: HashSet<&'t str>,
    switches: HashSet<String>,
    wire: Wire,
    uplinks: Option<u32>,
    said: &'static Words,
}

impl<'t> Made<'t> {
    fn switch(&mut self, name: &str, spot: Spot, sink: &mut Sink) -> Option<u32> {
        if !self.switches.insert(name.to_string()) {
            let sentence = format!("two blocks or switches are called {}", quoted(name));
            sink.say(&codes::DUPLICATE, spot, sentence, "give each a name of its own");
            return None;
        }
        self.graph.node(name.to_string(), Role::Switch, spot, sink)
    }

    /// A node on a switch.
    fn node(&mut self, switch: u32, node: &'t str, spot: Spot, sink: &mut Sink) -> Option<()> {
        if !self.seen.insert(node) {
            sink.say(&codes::DUPLICATE, spot, format!("node {} is listed twice", quoted(node)), "list it once");
            return None;
        }
        let end = self.graph.node(node.to_string(), Role::Endpoint, spot, sink)?;
        self.graph.homes.push((end, switch));
        Some(())
    }

    fn cable(&mut self, a: u32, b: u32, spot: Spot, sink: &mut Sink) -> Option<()> {
        let wire = self.wire.clone();
        self.graph.edge(a, b, &wire, spot, sink).map(|_| ())
    }

    /// A leaf for each block; runs of blocks under a switch, as the larger sizes say; one switch above all. A block without
    /// nodes keeps its place among the others and has no switch.
    fn blocks(&mut self, parts: &'t [PluginLine], sizes: &[u64], sink: &mut Sink) -> Option<()> {
        self.sizes_fit(parts, sizes, sink)?;
        let mut level: Vec<u8> = Vec::new();
        let mut row: Vec<Option<(u32, u64)>> = Vec::new();
        let mut empty = Vec::new();
        for part in parts {
            if part.nodes.is_empty() {
                empty.push(quoted(&part.name));
                row.push(None);
                continue;
            }
            let leaf = self.switch(&part.name, part.spot, sink)?;
            level.push(0);
            part.nodes.iter().try_for_each(|node| self.node(leaf, node, part.spot, sink))?;
            row.push(Some((leaf, part.nodes.len() as u64)));
        }
        let ratios: Vec<u64> = sizes.windows(2).map(|pair| pair[1] / pair[0]).chain([u64::MAX]).collect();
        for (number, ratio) in ratios.into_iter().enumerate() {
            if row.iter().flatten().count() < 2 {
                break;
            }
            let mut above = Vec::new();
            for (i, run) in row.chunks(usize::try_from(ratio).unwrap_or(usize::MAX)).enumerate() {
                let name = match sizes.get(number + 1) {
                    Some(size) => format!("{OF_SIZE}{size}-{i}"),
                    // The base size, which the nodes of a block may exceed.
                    None => format!("{ALL}{}", sizes.first().map(u64::to_string).unwrap_or_default()),
                };
                if run.iter().all(Option::is_none) {
                    above.push(None);
                    continue;
                }
                let parent = self.switch(&name, Spot::Whole, sink)?;
                level.push(u8::try_from(number + 1).ok()?);
                for &(child, nodes) in run.iter().flatten() {
                    self.upwards(child, parent, nodes, sink)?;
                }
                above.push(Some((parent, run.iter().flatten().map(|(_, nodes)| nodes).sum())));
            }
            row = above;
        }
        self.graph.structure.levels = Some(level);
        self.graph.notes.push("a block is read as a switch: the file does not say how blocks are cabled".into());
        if self.uplinks.is_none() && !self.graph.edges.is_empty() {
            self.graph.notes.push(full_bandwidth("a block"));
        }
        if !empty.is_empty() {
            self.graph.notes.push(format!("without nodes, and so without a switch: {}", some(empty.into_iter())));
        }
        Some(())
    }

    /// The cables of a block to the switch above it, or one link as wide as its nodes.
    fn upwards(&mut self, child: u32, parent: u32, nodes: u64, sink: &mut Sink) -> Option<()> {
        let mut wire = self.wire.clone();
        if self.uplinks.is_none() {
            wire.bandwidth_bytes_per_s *= nodes.max(1) as f64;
        }
        (0..self.uplinks.unwrap_or(1)).try_for_each(|_| self.graph.edge(child, parent, &wire, Spot::Whole, sink))
    }

    fn sizes_fit(&self, parts: &[PluginLine], sizes: &[u64], sink: &mut Sink) -> Option<()> {
        let power = |pair: &[u64]| {
            pair[1].is_multiple_of(pair[0]) && (pair[1] / pair[0]).is_power_of_two() && pair[1] > pair[0]
        };
        if let Some(pair) = sizes.windows(2).find(|pair| !power(pair)) {
            let sentence = format!("block size {} is no power of two times {}", pair[1], pair[0]);
            sink.say(
                &codes::VALUE,
                Spot::Whole,
                sentence,
                &format!("each of {} is the one before times 2, 4, 8, ...", self.said.sizes),
            );
        }
        for part in parts.iter().filter(|part| !part.nodes.is_empty()) {
            if let Some(base) = sizes.first().filter(|base| (part.nodes.len() as u64) < **base) {
                let sentence = format!(
                    "{} has {} nodes, fewer than the base block of {base}",
                    quoted(&part.name),
                    part.nodes.len()
                );
                sink.say(&codes::VALUE, part.spot, sentence, &format!("lower the first of {}", self.said.sizes));
            }
        }
        sink.is_empty().then_some(())
    }

    /// Switches of nodes in a circle.
    fn ring(&mut self, part: &'t PluginLine, sink: &mut Sink) -> Option<()> {
        let n = part.nodes.len();
        if n > RING {
            let sentence = format!("{} has {n} nodes, Slurm takes {RING} on a ring", quoted(&part.name));
            sink.say(&codes::VALUE, part.spot, sentence, "");
            return None;
        }
        let switches = self.own_switches(part, sink)?;
        for i in 0..n {
            if n > 2 || i + 1 < n {
                self.cable(switches[i], switches[(i + 1) % n], part.spot, sink)?;
            }
        }
        Some(())
    }

    /// A switch for each node.
    fn own_switches(&mut self, part: &'t PluginLine, sink: &mut Sink) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        for node in &part.nodes {
            let switch = self.switch(&format!("{node}-switch"), part.spot, sink)?;
            self.node(switch, node, part.spot, sink)?;
            found.push(switch);
        }
        Some(found)
    }

    /// The nodes are listed with x fastest, so that the extents of the grid are z, y, x.
    fn torus(&mut self, parts: &'t [PluginLine], sink: &mut Sink) -> Option<()> {
        let [part] = parts else {
            sink.say(&codes::UNSUPPORTED, parts[1].spot, "the file has several tori", "name one: they are not linked");
            return None;
        };
        let count: u64 = part.dims.iter().map(|d| u64::from(*d)).product();
        if part.dims.len() != DIMS || count != part.nodes.len() as u64 {
            let sentence =
                format!("{DIMS} extents must multiply to the {} nodes, got {:?}", part.nodes.len(), part.dims);
            sink.say(&codes::VALUE, part.spot, sentence, "");
            return None;
        }
        let switches = self.own_switches(part, sink)?;
        let mut stride = 1usize;
        for &extent in &part.dims {
            let extent = extent as usize;
            for i in 0..switches.len() {
                let at = (i / stride) % extent;
                // Two nodes in a line are joined once.
                if extent > 2 || at + 1 < extent {
                    let next = i - at * stride + ((at + 1) % extent) * stride;
                    if next != i {
                        self.cable(switches[i], switches[next], part.spot, sink)?;
                    }
                }
            }
            stride *= extent;
        }
        let dims: Vec<u32> = part.dims.iter().rev().copied().collect();
        let wrap = dims.iter().map(|&d| d > 2).collect();
        self.graph.structure.grid = Some(Grid { dims, wrap, complete: false });
        Some(())
    }
}

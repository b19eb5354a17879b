//! Reads a tree of switches.

use std::borrow::Cow;
use std::collections::HashMap;

use netloom_model::{Bound, Outcome, memory};

use super::plugins;
use crate::codes;
use crate::graph::{Defaults, Graph, Role};
use crate::hostlist::{HostList, LIMIT};
use crate::limits::{MAX_LINKS, MAX_NAME, NAMED};
use crate::network::Read;
use crate::sink::{Sink, Spot, quoted};
use crate::text::{Word, decode, lines, words};

const HINT: &str = "write SwitchName=s0 Nodes=n[0-17] or SwitchName=s9 Switches=s[0-8]";

/// Most words on a line; an entry has four keys.
const MAX_WORDS: usize = 16;

/// One `SwitchName=` line.
struct Entry {
    switch: u32,
    nodes: Vec<String>,
    children: Vec<String>,
    /// LinkSpeed, which its cables to parents have.
    speed: Option<u32>,
    spot: Spot,
}

/// O(text + names).
pub fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    read_text(&joined(decode(bytes, place)?), place, bound)
}

/// The text with each line that ends with a backslash continued by the next one; the others keep their numbers. O(text).
fn joined(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let (mut found, mut blank) = (String::with_capacity(text.len() + 1), 0);
    for line in text.lines() {
        let continues = line.trim_end().strip_suffix('\\');
        found.push_str(continues.unwrap_or(line));
        blank = if continues.is_some() {
            blank + 1
        } else {
            found.push_str(&"\n".repeat(blank + 1));
            0
        };
    }
    Cow::Owned(found)
}

pub fn read_text(text: &str, place: &str, bound: &Bound) -> Outcome<Read> {
    let first = lines(text).find_map(|(number, line)| {
        words(number, line.split('#').next().unwrap_or_default()).next().map(|word| word.text)
    });
    if first.is_some_and(plugins::is_one) {
        return plugins::read(text, place, bound);
    }
    let mut reader =
        Tree { graph: Graph::default(), sink: Sink::new(place), names: HashMap::new(), named: 0, speeds: 0 };
    let mut entries = Vec::new();
    for (number, line) in lines(text) {
        let line = line.split('#').next().unwrap_or_default();
        let found: Vec<Word> = words(number, line).take(MAX_WORDS + 1).collect();
        if let Some(word) = found.get(MAX_WORDS) {
            reader.sink.say(&codes::TOO_LARGE, word.spot(), format!("more than {MAX_WORDS} words on a line"), HINT);
            continue;
        }
        if let (false, Some(entry)) = (found.is_empty(), reader.line(&found)) {
            entries.push(entry);
        }
        if reader.named > LIMIT.max(MAX_LINKS) {
            reader.sink.say(&codes::TOO_LARGE, Spot::At(number, 1), "the file names too many nodes", "");
            break;
        }
    }
    if entries.is_empty() && reader.sink.is_empty() {
        reader.sink.say(&codes::NOTHING, Spot::Whole, "there is no SwitchName line", HINT);
    }
    if !reader.sink.is_empty() {
        return Err(reader.sink.fail());
    }
    let defaults = Defaults::of(bound);
    let unit = bound.is_given("link_speed").then(|| bound.float("link_speed"));
    reader.join(&entries, &defaults, bound.size("uplinks"), unit);
    if reader.speeds > 0 && unit.is_none() {
        reader.graph.notes.push("LinkSpeed has no unit and is left out; link_speed says what 1 means".into());
    }
    reader.graph.finish(&defaults, reader.sink)
}

struct Tree<'p> {
    graph: Graph,
    sink: Sink<'p>,
    /// Switch names to node numbers.
    names: HashMap<String, u32>,
    /// Names expanded so far.
    named: u64,
    speeds: u64,
}

impl Tree<'_> {
    fn line(&mut self, found: &[Word]) -> Option<Entry> {
        let mut name = None;
        let mut speed = None;
        let (mut nodes, mut children) = (Vec::new(), Vec::new());
        for word in found {
            let Some((key, value)) = word.text.split_once('=') else {
                let hint = match word.text.to_ascii_lowercase().as_str() {
                    "\\" => "a line goes on after a backslash at its end only",
                    "include" => "put the lines of the other file here: one file is read",
                    _ => HINT,
                };
                self.sink.must(&codes::SYNTAX, word.spot(), "", "Key=Value", word.text, hint);
                continue;
            };
            match key.to_ascii_lowercase().as_str() {
                "switchname" => name = Some((value, word.spot())),
                "nodes" => nodes = self.expand(value, word),
                "switches" => children = self.expand(value, word),
                "linkspeed" => {
                    self.speeds += 1;
                    speed = value.parse().ok().filter(|s| *s > 0);
                    if speed.is_none() {
                        let hint = "Slurm takes a whole number; link_speed says what 1 means";
                        self.sink.must(&codes::VALUE, word.spot(), "LinkSpeed", "an integer >= 1", value, hint);
                    }
                }
                "level" => {}
                "blockname" | "blocksizes" | "ringname" | "torusname" => {
                    let sentence = format!("{} belongs to another topology plugin than the first line", quoted(key));
                    self.sink.say(&codes::UNSUPPORTED, word.spot(), sentence, HINT);
                    return None;
                }
                _ => self.sink.must(
                    &codes::SYNTAX,
                    word.spot(),
                    "key",
                    "SwitchName, Nodes, Switches or LinkSpeed",
                    key,
                    HINT,
                ),
            }
        }
        let spot = found.first()?.spot();
        let Some((name, spot_of_name)) = name.filter(|n| !n.0.is_empty()) else {
            self.sink.say(&codes::MISSING, spot, "the line has no SwitchName", HINT);
            return None;
        };
        if name.len() > MAX_NAME || name.contains(['[', ']', ',']) {
            self.sink.must(&codes::NAME, spot_of_name, "SwitchName", "one short name", name, HINT);
            return None;
        }
        let switch = self.graph.node(name.to_string(), Role::Switch, spot, &mut self.sink)?;
        if self.names.insert(name.to_string(), switch).is_some() {
            let sentence = format!("two lines have the SwitchName {}", quoted(name));
            self.sink.say(&codes::DUPLICATE, spot_of_name, sentence, "put all children on one line");
        }
        Some(Entry { switch, nodes, children, speed, spot })
    }

    fn expand(&mut self, list: &str, word: &Word) -> Vec<String> {
        // Slurm prints this if there are none.
        if list == "(null)" {
            return Vec::new();
        }
        let left = LIMIT.saturating_sub(self.named);
        match HostList::parse(list, left) {
            Ok(read) => {
                self.named += read.count;
                let bytes = read.count * NAMED + 2 * read.bytes;
                match memory::require(bytes, &self.sink.at(word.spot()), "the host list") {
                    Ok(()) => read.expand(),
                    Err(fault) => {
                        self.sink.push(fault);
                        Vec::new()
                    }
                }
            }
            Err(why) => {
                let short: String = list.chars().take(60).collect();
                let hint = "write prefix[first-last,number]suffix";
                self.sink.must(&codes::HOSTLIST, word.spot(), "list", "a host list", format!("{short} ({why})"), hint);
                Vec::new()
            }
        }
    }

    /// Cables to children, endpoints on leaves. `scontrol` repeats at each switch all nodes below it, so a switch with
    /// children gets only the nodes that are on no leaf.
    fn join(&mut self, entries: &[Entry], defaults: &Defaults, uplinks: u32, unit: Option<f64>) {
        let rated: HashMap<u32, f64> =
            entries.iter().filter_map(|e| Some((e.switch, f64::from(e.speed?) * unit?))).collect();
        let mut parents = vec![0u32; self.graph.nodes.len()];
        for entry in entries {
            for child in &entry.children {
                let Some(&number) = self.names.get(child) else {
                    let hint = "add its SwitchName line, or correct the name";
                    self.sink.must(
                        &codes::UNKNOWN_ID,
                        entry.spot,
                        "Switches",
                        "names of switches in the file",
                        child,
                        hint,
                    );
                    continue;
                };
                parents[number as usize] += 1;
                let mut wire = defaults.wire.clone();
                wire.bandwidth_bytes_per_s = rated.get(&number).copied().unwrap_or(wire.bandwidth_bytes_per_s);
                for _ in 0..uplinks {
                    if self.graph.edge(entry.switch, number, &wire, entry.spot, &mut self.sink).is_none() {
                        return;
                    }
                }
            }
        }
        let several = parents.iter().filter(|&&p| p > 1).count();
        if several > 0 {
            self.graph
                .notes
                .push(format!("{several} switches have more than one parent, so the network is not a tree"));
        }
        let levels = self.levels(entries);
        let mut home: HashMap<&str, u32> = HashMap::new();
        let (leaves, inner): (Vec<&Entry>, Vec<&Entry>) = entries.iter().partition(|e| e.children.is_empty());
        for (entry, leaf) in leaves.iter().map(|e| (e, true)).chain(inner.iter().map(|e| (e, false))) {
            for node in &entry.nodes {
                if home.contains_key(node.as_str()) {
                    if leaf {
                        let sentence = format!("node {} is on two leaf switches", quoted(node));
                        self.sink.say(&codes::DUPLICATE, entry.spot, sentence, "list it on one of them");
                    }
                    continue;
                }
                home.insert(node, entry.switch);
                let Some(end) = self.graph.node(node.clone(), Role::Endpoint, entry.spot, &mut self.sink) else {
                    return;
                };
                self.graph.homes.push((end, entry.switch));
            }
        }
        self.graph.structure.levels = levels;
    }

    /// Level of every switch in order, 0 for leaves; a fault if switches contain each other.
    fn levels(&mut self, entries: &[Entry]) -> Option<Vec<u8>> {
        let n = self.graph.nodes.len();
        let mut waiting = vec![0u32; n];
        let mut parents: Vec<Vec<u32>> = vec![Vec::new(); n];
        for edge in &self.graph.edges {
            waiting[edge.a as usize] += 1;
            parents[edge.b as usize].push(edge.a);
        }
        let mut level = vec![0u32; n];
        let mut ready: Vec<u32> = (0..n as u32).filter(|&s| waiting[s as usize] == 0).collect();
        let mut done = 0;
        while let Some(s) = ready.pop() {
            done += 1;
            for &p in &parents[s as usize] {
                level[p as usize] = level[p as usize].max(level[s as usize] + 1);
                waiting[p as usize] -= 1;
                if waiting[p as usize] == 0 {
                    ready.push(p);
                }
            }
        }
        if done < n {
            if let Some(entry) = entries.iter().find(|e| waiting[e.switch as usize] > 0) {
                let name = quoted(&self.graph.nodes[entry.switch as usize].name);
                let sentence = format!("the switches below {name} contain each other");
                self.sink.say(&codes::VALUE, entry.spot, sentence, "a switch's children are of a lower level");
            }
            return None;
        }
        level.iter().map(|&l| u8::try_from(l).ok()).collect()
    }
}

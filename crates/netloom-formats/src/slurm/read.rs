//! Reads a tree of switches.

use std::borrow::Cow;
use std::collections::HashMap;

use netloom_model::{Bound, Outcome, memory};

use super::plugins;
use super::words::{CONF, Words};
use crate::codes;
use crate::graph::{Defaults, Graph, Role};
use crate::hostlist::{HostList, LIMIT};
use crate::limits::{MAX_LINKS, MAX_NAME, NAMED};
use crate::network_file::Read;
use crate::sink::{Sink, Spot, quoted};
use crate::text::{Word, decode, lines, words};

/// Most words on a line; an entry has five keys.
pub const MAX_WORDS: usize = 16;

/// A switch below another one, and the line that says so.
struct Family {
    parent: u32,
    child: u32,
    spot: Spot,
}

/// One `SwitchName=` line.
struct SwitchLine {
    switch: u32,
    nodes: Vec<String>,
    children: Vec<String>,
    /// LinkSpeed, which its cables to parents have.
    speed: Option<u32>,
    spot: Spot,
}

/// O(text + names).
pub fn read(bytes: &[u8], place: &str, (): (), bound: &Bound) -> Outcome<Read> {
    let text = joined(decode(bytes, place)?);
    let first = lines(&text).find_map(|(number, line)| {
        words(number, line.split('#').next().unwrap_or_default()).next().map(|word| word.text)
    });
    match first.is_some_and(plugins::is_one) {
        true => plugins::read(&text, place, bound, &CONF),
        false => read_text(&text, place, bound, &CONF),
    }
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

/// Lines of a tree. O(text + names).
pub fn read_text(text: &str, place: &str, bound: &Bound, said: &'static Words) -> Outcome<Read> {
    let mut reader = SwitchTree {
        graph: Graph::default(),
        sink: Sink::new(place),
        names: HashMap::new(),
        named: 0,
        speeds: 0,
        derived: false,
        said,
    };
    let mut entries = Vec::new();
    for (number, line) in lines(text) {
        let line = line.split('#').next().unwrap_or_default();
        let found: Vec<Word> = words(number, line).take(MAX_WORDS + 1).collect();
        if let Some(word) = found.get(MAX_WORDS) {
            let sentence = format!("more than {MAX_WORDS} words on a line");
            reader.sink.say(&codes::TOO_LARGE, word.spot(), sentence, said.tree);
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
        reader.sink.say(&codes::NOTHING, Spot::Whole, format!("there is no line with {}", said.switch), said.tree);
    }
    if !reader.sink.is_empty() {
        return Err(reader.sink.fail());
    }
    let defaults = Defaults::of(bound);
    let unit = bound.is_given("link_speed").then(|| bound.float("link_speed"));
    reader.join(&entries, &defaults, uplinks(bound), unit);
    if reader.speeds > 0 && unit.is_none() {
        let note = format!("{} has no unit and is left out; the option link_speed says what 1 means", said.speed);
        reader.graph.notes.push(note);
    }
    if reader.derived {
        reader.graph.notes.push("Level is not used: levels follow from Switches".into());
    }
    reader.graph.finish(&defaults, reader.sink)
}

struct SwitchTree<'p> {
    graph: Graph,
    sink: Sink<'p>,
    /// Switch names to node numbers.
    names: HashMap<String, u32>,
    /// Names expanded so far.
    named: u64,
    speeds: u64,
    /// Whether lines say a level, as scontrol does.
    derived: bool,
    said: &'static Words,
}

/// Cables to each parent, if the reader's option says it.
pub fn uplinks(bound: &Bound) -> Option<u32> {
    bound.is_given("uplinks").then(|| bound.size("uplinks"))
}

/// What is assumed of links that no file describes.
pub fn full_bandwidth(what: &str) -> String {
    format!(
        "cables are not in the file: {what} is joined upwards by one link as wide as all nodes below it have together, \
         which is full bandwidth; the option uplinks says how many cables of the bandwidth there are"
    )
}

impl SwitchTree<'_> {
    fn line(&mut self, found: &[Word]) -> Option<SwitchLine> {
        let mut name = None;
        let mut speed = None;
        let (mut nodes, mut children) = (Vec::new(), Vec::new());
        for word in found {
            let Some((key, value)) = word.text.split_once('=') else {
                let hint = match word.text.to_ascii_lowercase().as_str() {
                    "\\" => "a line goes on after a backslash at its end only",
                    "include" => "put the lines of the other file here: one file is read",
                    _ => self.said.tree,
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
                        let hint = "Slurm takes a whole number; the option link_speed says what 1 means";
                        self.sink.must(&codes::VALUE, word.spot(), self.said.speed, "an integer >= 1", value, hint);
                    }
                }
                "level" => self.derived = true,
                "blockname" | "blocksizes" | "ringname" | "torusname" => {
                    let sentence = format!("{} belongs to another topology plugin than the first line", quoted(key));
                    self.sink.say(&codes::UNSUPPORTED, word.spot(), sentence, self.said.tree);
                    return None;
                }
                _ => self.sink.must(
                    &codes::SYNTAX,
                    word.spot(),
                    "key",
                    "SwitchName, Nodes, Switches or LinkSpeed",
                    key,
                    self.said.tree,
                ),
            }
        }
        let spot = found.first()?.spot();
        let Some((name, spot_of_name)) = name.filter(|n| !n.0.is_empty()) else {
            self.sink.say(&codes::MISSING, spot, format!("the line has no {}", self.said.switch), self.said.tree);
            return None;
        };
        if name.len() > MAX_NAME || name.contains(['[', ']', ',']) {
            self.sink.must(&codes::NAME, spot_of_name, self.said.switch, "one short name", name, self.said.tree);
            return None;
        }
        let switch = self.graph.node(name.to_string(), Role::Switch, spot, &mut self.sink)?;
        if self.names.insert(name.to_string(), switch).is_some() {
            let sentence = format!("two lines have the {} {}", self.said.switch, quoted(name));
            self.sink.say(&codes::DUPLICATE, spot_of_name, sentence, "put all children on one line");
        }
        Some(SwitchLine { switch, nodes, children, speed, spot })
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
    fn join(&mut self, entries: &[SwitchLine], defaults: &Defaults, uplinks: Option<u32>, unit: Option<f64>) {
        let pairs = self.pairs(entries);
        let switches = self.graph.nodes.len();
        let mut parents = vec![0u32; switches];
        pairs.iter().for_each(|pair| parents[pair.child as usize] += 1);
        let several = parents.iter().filter(|&&p| p > 1).count();
        if several > 0 {
            self.graph
                .notes
                .push(format!("{several} switches have more than one parent, so the network is not a tree"));
        }
        let Some(levels) = self.levels(entries, &pairs) else { return };
        let own = self.homes(entries, switches);
        let below = below(own, &pairs, &parents, &levels);
        let speed = |e: &SwitchLine| Some((e.switch, f64::from(e.speed?) * unit?));
        let rated: HashMap<u32, f64> = entries.iter().filter_map(speed).collect();
        let mut assumed = false;
        for Family { parent, child, spot } in pairs {
            let mut wire = defaults.wire.clone();
            match (rated.get(&child), uplinks) {
                (Some(rate), _) => wire.bandwidth_bytes_per_s = *rate,
                (None, Some(_)) => {}
                (None, None) => {
                    let wide = (below[child as usize] / f64::from(parents[child as usize])).max(1.0);
                    wire.bandwidth_bytes_per_s *= wide;
                    assumed = true;
                }
            }
            for _ in 0..uplinks.unwrap_or(1) {
                if self.graph.edge(parent, child, &wire, spot, &mut self.sink).is_none() {
                    return;
                }
            }
        }
        if assumed {
            self.graph.notes.push(full_bandwidth("a switch"));
        }
        self.graph.structure.levels = levels.iter().map(|&level| u8::try_from(level).ok()).collect();
    }

    /// Parent and child, as the lines name them.
    fn pairs(&mut self, entries: &[SwitchLine]) -> Vec<Family> {
        let mut pairs = Vec::new();
        for entry in entries {
            for child in &entry.children {
                match self.names.get(child) {
                    Some(&number) => pairs.push(Family { parent: entry.switch, child: number, spot: entry.spot }),
                    None => {
                        let hint = "add the switch of that name, or correct the name";
                        let expected = "names of switches in the file";
                        self.sink.must(&codes::UNKNOWN_ID, entry.spot, self.said.children, expected, child, hint);
                    }
                }
            }
        }
        pairs
    }

    /// Endpoints on their switches; how many each switch has.
    fn homes(&mut self, entries: &[SwitchLine], switches: usize) -> Vec<f64> {
        let mut own = vec![0.0; switches];
        let mut home: HashMap<&str, u32> = HashMap::new();
        let (leaves, inner): (Vec<&SwitchLine>, Vec<&SwitchLine>) = entries.iter().partition(|e| e.children.is_empty());
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
                    return own;
                };
                self.graph.homes.push((end, entry.switch));
                own[entry.switch as usize] += 1.0;
            }
        }
        own
    }

    /// Level of every switch in order, 0 for leaves; a fault if switches contain each other.
    fn levels(&mut self, entries: &[SwitchLine], pairs: &[Family]) -> Option<Vec<u32>> {
        let n = self.graph.nodes.len();
        let mut waiting = vec![0u32; n];
        let mut parents: Vec<Vec<u32>> = vec![Vec::new(); n];
        for &Family { parent, child, .. } in pairs {
            waiting[parent as usize] += 1;
            parents[child as usize].push(parent);
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
        Some(level)
    }
}

/// Nodes below every switch, its own included; those of a switch with several parents count in equal shares. O(links).
fn below(own: Vec<f64>, pairs: &[Family], parents: &[u32], levels: &[u32]) -> Vec<f64> {
    let mut below = own;
    let mut order: Vec<&Family> = pairs.iter().collect();
    order.sort_by_key(|pair| levels[pair.child as usize]);
    for &&Family { parent, child, .. } in &order {
        below[parent as usize] += below[child as usize] / f64::from(parents[child as usize]);
    }
    below
}

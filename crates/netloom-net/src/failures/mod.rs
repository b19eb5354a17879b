//! Failures as people write them.
//!
//! One failure per line: `link:12-40` (the cable between two switches, all parallel ones), `link:12-40#0` (one of
//! them, in order of link numbers), `switch:17`, `links:0.5%,seed=3` and `switches:4,seed=3` (a random share or number
//! of all; `class=global` takes links of one class alone). Switches by number or by the name that their file gives, in
//! quotes where it holds what separates: `link:"MF0;core-1"-"leaf#2"#0`; of a subnet also by GUID, as `S-0002c903000a0b28`
//! or `0x0002c903000a0b28`.
//! Empty lines and lines that begin with `#` mean nothing.

#[cfg(test)]
mod tests;
mod written;

use std::collections::HashMap;

use netloom_model::fault::{Fault, Faults, Outcome};
use netloom_model::{Network, Stream, written_name as written};

use crate::codes;

pub use written::lines_of;
use written::{Amount, Written, unquoted};

/// Links (one direction each) and switches of a network that are out of service; repeats are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    pub links: Vec<u32>,
    pub switches: Vec<u32>,
}

/// Longest line in bytes, most lines, most faults reported.
/// What messages call failures that are not from a file.
pub const PLACE: &str = "failures";
const LINE_LIMIT: usize = 4096;
const LINES_LIMIT: usize = 1 << 20;
const TOLD: usize = 20;

/// Reads the failures of `text`, called `place` in messages. O(text + links per random line).
///
/// # Errors
/// `NL-N014` for every line that is no failure of `network`, the first twenty.
pub fn read(network: &Network, text: &str, place: &str) -> Outcome<Failures> {
    let mut reader = Reader { network, names: names(network), failures: Failures::default() };
    let mut faults = Faults::none();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = if text.contains('\n') { format!("{place}:{}", i + 1) } else { place.to_string() };
        let read = if i >= LINES_LIMIT {
            Err(bad(&at, format!("at most {LINES_LIMIT} lines"), "more"))
        } else if line.len() > LINE_LIMIT {
            Err(bad(&at, format!("at most {LINE_LIMIT} bytes in a line"), line.len()))
        } else {
            reader.line(&at, line)
        };
        if let Err(fault) = read {
            faults.push(fault);
            if faults.0.len() == TOLD || i >= LINES_LIMIT {
                break;
            }
        }
    }
    faults.or(reader.failures)
}

/// `network` without what `text` names.
///
/// # Errors
/// As [`read`].
pub fn without(network: &Network, text: &str, place: &str) -> Outcome<Network> {
    let failures = read(network, text, place)?;
    network.without(&failures.links, &failures.switches)
}

/// True for a line that is written as a failure; whether the network has it is not checked. O(line).
pub fn is_failure(line: &str) -> bool {
    let line = line.trim();
    line.len() <= LINE_LIMIT && (line.is_empty() || line.starts_with('#') || Written::parse("", line).is_ok())
}

struct Reader<'a> {
    network: &'a Network,
    names: HashMap<String, u32>,
    failures: Failures,
}

/// Switches by the names of their file.
fn names(network: &Network) -> HashMap<String, u32> {
    if !network.has_names() {
        return HashMap::new();
    }
    (0..network.switches()).rev().map(|s| (network.switch_name(s), s)).collect()
}

fn bad(place: &str, expected: impl Into<String>, got: impl std::fmt::Display) -> Fault {
    Fault::new(&codes::FAILURE, place, expected, got)
}

impl Reader<'_> {
    fn line(&mut self, place: &str, line: &str) -> Result<(), Fault> {
        match Written::parse(place, line)? {
            Written::Link(pair, one) => self.link(place, pair, one),
            Written::Switch(name) => {
                let switch = self.switch(name).ok_or_else(|| self.unknown(place, name))?;
                self.failures.switches.push(switch);
                Ok(())
            }
            Written::Links(amount, seed, class) => {
                let all = self.cables(place, class)?;
                let drawn = draw(all, place, amount, &mut Stream::new(seed, "failures.links"), "cables")?;
                self.failures.links.extend(drawn);
                Ok(())
            }
            Written::Switches(amount, seed) => {
                let all = (0..self.network.switches()).filter(|s| self.network.in_service(*s)).collect();
                let drawn = draw(all, place, amount, &mut Stream::new(seed, "failures.switches"), "switches")?;
                self.failures.switches.extend(drawn);
                Ok(())
            }
        }
    }

    /// The switch that a text means: by name, else by number, else by GUID.
    fn switch(&self, text: &str) -> Option<u32> {
        let plain = unquoted(text);
        let quoted = plain.len() != text.len();
        let number = || text.parse().ok().filter(|s| *s < self.network.switches());
        self.names
            .get(plain.as_ref())
            .copied()
            .or_else(|| if quoted { None } else { number().or_else(|| self.by_guid(text)) })
    }

    fn by_guid(&self, text: &str) -> Option<u32> {
        let digits = text.strip_prefix("S-").or_else(|| text.strip_prefix("0x"))?;
        let wanted = u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() <= 16)?;
        self.network.subnet()?.switch_guid.iter().position(|guid| *guid == wanted).map(|s| s as u32)
    }

    fn unknown(&self, place: &str, text: &str) -> Fault {
        let expected = format!("a switch in 0..{} (exclusive)", self.network.switches());
        let fault = bad(place, if self.names.is_empty() { expected } else { expected + " or its name" }, text);
        let near = netloom_model::fault::nearest(&unquoted(text), self.names.keys().map(String::as_str));
        let several = text.contains(';') && !text.starts_with('"');
        match near {
            Some(near) if !several || near.contains(';') => fault.hint(format!("did you mean {}?", written(near))),
            _ if several => fault
                .hint("after ; comes another failure, such as link:A-B; a name that holds it stands in double quotes"),
            _ if self.names.is_empty() => fault,
            _ => fault.hint("netloom describe --switches lists names and numbers"),
        }
    }

    fn link(&mut self, place: &str, pair: &str, one: Option<u32>) -> Result<(), Fault> {
        // A name may contain hyphens: any of them may separate the two.
        let ends = pair
            .match_indices('-')
            .find_map(|(at, _)| Some((self.switch(pair[..at].trim())?, self.switch(pair[at + 1..].trim())?)));
        let Some((a, b)) = ends else {
            let (a, b) = pair.split_once('-').unwrap_or((pair, ""));
            let stranger = if self.switch(a.trim()).is_some() { b } else { a };
            return Err(self.unknown(place, stranger.trim()));
        };
        let (a, b) = (a.min(b), a.max(b));
        let row = self.network.neighbours(a);
        let start = row.partition_point(|u| *u < b);
        let cables = row[start..].iter().take_while(|u| **u == b).count() as u32;
        let first = self.network.out_links(a).start + start as u32;
        if one.unwrap_or(0) >= cables {
            let name = |s: u32| self.network.switch_name(s);
            let expected = match cables {
                0 => format!("a cable in service; none joins switches {} and {}", name(a), name(b)),
                _ => format!("one of the {cables} cables between switches {} and {}, from #0", name(a), name(b)),
            };
            let near: Vec<String> = row.iter().take(5).map(|u| written(&name(*u))).collect();
            let hint = format!("switch {} is joined to {}", name(a), near.join(", "));
            let hint = if row.len() > 5 { hint + ", ..." } else { hint };
            let text = one.map_or_else(|| pair.to_string(), |one| format!("{pair}#{one}"));
            let fault = bad(place, expected, text);
            return Err(if row.is_empty() || cables > 0 { fault } else { fault.hint(hint) });
        }
        match one {
            Some(one) => self.failures.links.push(first + one),
            None => self.failures.links.extend(first..first + cables),
        }
        Ok(())
    }

    /// One direction of every cable, of one class if named.
    fn cables(&self, place: &str, class: Option<&str>) -> Result<Vec<u32>, Fault> {
        let network = self.network;
        let wanted = |l: &u32| class.is_none_or(|name| network.class(*l).name == name);
        let one_way = |l: &u32| network.tails()[*l as usize] < network.heads()[*l as usize];
        if let Some(name) = class
            && !network.classes().iter().any(|c| c.name == name)
        {
            let known: Vec<&str> = network.classes().iter().map(|c| c.name.as_str()).collect();
            return Err(bad(place, format!("a class of links: {}", known.join(", ")), name));
        }
        Ok((0..network.switch_links()).filter(|l| one_way(l) && wanted(l)).collect())
    }
}

/// Draws an amount of `all`, any set as likely as any other.
fn draw(
    mut all: Vec<u32>,
    place: &str,
    amount: Amount<'_>,
    stream: &mut Stream,
    what: &str,
) -> Result<Vec<u32>, Fault> {
    let count = match amount {
        Amount::Share(share, text) => {
            let count = (share * all.len() as f64).round() as usize;
            if count == 0 && share > 0.0 {
                return Err(bad(place, format!("a share that is at least one of {} {what}", all.len()), text));
            }
            count
        }
        Amount::Count(count) if count as usize > all.len() => {
            return Err(bad(place, format!("at most the {} {what} in service", all.len()), count));
        }
        Amount::Count(count) => count as usize,
    };
    // The first steps of Fisher-Yates.
    for i in 0..count {
        let j = i + stream.below((all.len() - i) as u32) as usize;
        all.swap(i, j);
    }
    all.truncate(count);
    all.sort_unstable();
    Ok(all)
}

//! Failures as people write them.
//!
//! One failure per line: `link:12-40` (the cable between two switches, all parallel ones), `link:12-40#0` (one of
//! them, in order of link numbers), `switch:17`, `links:0.5%,seed=3` and `switches:4,seed=3` (a random share or number
//! of all; `class=global` takes links of one class alone). Switches by number or by the name that their file gives, in
//! quotes where it holds what separates: `link:"MF0;core-1"-"leaf#2"#0`; of a subnet also by GUID, as `S-0002c903000a0b28`
//! or `0x0002c903000a0b28`.
//! Empty lines and lines that begin with `#` mean nothing.

use std::borrow::Cow;
use std::collections::HashMap;

use netloom_model::fault::{Fault, Faults, Outcome};
use netloom_model::{Network, Stream, written_name as written};

use crate::codes;

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

/// A failure as written.
enum Written<'a> {
    /// The two switches with a hyphen between, and which of their cables.
    Link(&'a str, Option<u32>),
    Switch(&'a str),
    /// How many, the seed, the class.
    Links(Amount<'a>, u64, Option<&'a str>),
    Switches(Amount<'a>, u64),
}

impl<'a> Written<'a> {
    fn parse(place: &str, line: &'a str) -> Result<Self, Fault> {
        let kinds = "link:A-B, link:A-B#0, switch:A, links:0.5%,seed=3 or switches:4,seed=3";
        let Some((kind, rest)) = line.split_once(':') else { return Err(bad(place, kinds, line)) };
        let rest = rest.trim();
        match kind.trim() {
            "link" => {
                let (pair, one) = match rest.rsplit_once('#').filter(|(_, one)| !one.contains('"')) {
                    Some((pair, one)) => match one.parse::<u32>() {
                        Ok(one) => (pair, Some(one)),
                        Err(_) => return Err(bad(place, "the number of a parallel cable after #, from 0", one)),
                    },
                    None => (rest, None),
                };
                if !pair.contains('-') {
                    return Err(bad(place, "two switches, as A-B", pair));
                }
                Ok(Written::Link(pair, one))
            }
            "switch" => Ok(Written::Switch(rest)),
            "links" => options(place, rest, true).map(|(amount, seed, class)| Written::Links(amount, seed, class)),
            "switches" => options(place, rest, false).map(|(amount, seed, _)| Written::Switches(amount, seed)),
            _ => Err(bad(place, kinds, line)),
        }
    }
}

/// A name without the quotes around it: inside, a backslash stands before a quote or a backslash.
fn unquoted(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|_| text.len() > 1);
    let Some(inner) = inner else { return Cow::Borrowed(text) };
    let (mut plain, mut escaped) = (String::with_capacity(inner.len()), false);
    for c in inner.chars() {
        if c == '\\' && !escaped {
            escaped = true;
            continue;
        }
        plain.push(c);
        escaped = false;
    }
    Cow::Owned(plain)
}

/// The failures of a text, one a line; semicolons outside of quotes separate them too. What no failure begins with belongs
/// to the name before it, so that a name with a semicolon needs no quotes. O(text).
pub fn lines_of(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut first = true;
        for piece in pieces(line) {
            let starts = KINDS.iter().any(|kind| piece.trim_start().starts_with(kind));
            match found.last_mut() {
                Some(last) if !first && !starts && takes_name(last) && !piece.trim().is_empty() => {
                    last.push(';');
                    last.push_str(piece);
                }
                _ => found.push(piece.to_string()),
            }
            first = false;
        }
    }
    found.iter().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

const KINDS: [&str; 4] = ["link:", "switch:", "links:", "switches:"];

/// Whether a failure ends in the name of a switch, which may go on.
fn takes_name(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("link:") || line.starts_with("switch:")
}

/// Between semicolons that are not in quotes.
fn pieces(line: &str) -> Vec<&str> {
    let (mut found, mut start, mut inside, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' if !escaped => inside = !inside,
            ';' if !inside => {
                found.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    // A quote that is never closed is part of a name.
    if inside {
        return line.split(';').collect();
    }
    found.push(&line[start..]);
    found
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

    /// By name, else by number, else by GUID.
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
        if text.contains(';') && !text.starts_with('"') {
            return fault
                .hint("after ; comes another failure, such as link:A-B; a name that holds it stands in quotes");
        }
        match netloom_model::fault::nearest(text, self.names.keys().map(String::as_str)) {
            Some(near) => fault.hint(format!("did you mean {}?", written(near))),
            None => fault,
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

/// A share of all, or a number.
enum Amount<'a> {
    Share(f64, &'a str),
    Count(u32),
}

/// `0.5%,seed=3,class=global`: the amount, the seed (1 if absent), the class.
fn options<'a>(place: &str, text: &'a str, classes: bool) -> Result<(Amount<'a>, u64, Option<&'a str>), Fault> {
    let mut parts = text.split(',').map(str::trim);
    let first = parts.next().unwrap_or("");
    let amount = match first.strip_suffix('%') {
        Some(share) => match share.trim().parse::<f64>() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => Amount::Share(percent / 100.0, first),
            _ => return Err(bad(place, "a share from 0% to 100%", first)),
        },
        None => match first.parse() {
            Ok(count) => Amount::Count(count),
            Err(_) => return Err(bad(place, "a share such as 0.5%, or a number", first)),
        },
    };
    let (mut seed, mut class) = (1, None);
    for part in parts {
        match part.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("seed", value)) => {
                seed = value.parse().map_err(|_| bad(place, "seed= and an integer >= 0", part))?;
            }
            Some(("class", value)) if classes => class = Some(value),
            _ => return Err(bad(place, if classes { "seed=... or class=..." } else { "seed=..." }, part)),
        }
    }
    Ok((amount, seed, class))
}

/// That many of `all`, any set as likely as any other.
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

#[cfg(test)]
mod tests {
    use super::*;
    use netloom_model::Call;

    fn net(call: &str) -> Network {
        crate::build(&Call::parse(call).unwrap()).unwrap()
    }

    #[test]
    fn what_is_written_as_a_failure_needs_no_network() {
        for line in ["", "# none", "link:0-1", "link: a-b - c#3", "switch:99", "links:0.5%,seed=3", "switches: 4"] {
            assert!(is_failure(line), "{line}");
        }
        for line in ["lnk:0-1", "link:0", "link:0-1#x", "links:many", "links:101%", "switches:4,class=a", "none"] {
            assert!(!is_failure(line), "{line}");
        }
    }

    #[test]
    fn every_kind_of_failure() {
        let network = net("dragonfly(a=4,p=1,h=2,g=3)");
        // Four cables between every two of three groups; two of each pair of switches may be parallel.
        let text = "# broken\n\nlink:0-1\n switch: 5 \nlinks:2,seed=3,class=global\nswitches:10%\n";
        let failures = read(&network, text, "file").unwrap();
        assert_eq!(failures.switches.len(), 2);
        assert_eq!(failures.switches[0], 5);
        assert_eq!(failures.links.len(), 3);
        assert!(failures.links[1..].iter().all(|l| network.class(*l).name == "global"));
        assert_eq!(read(&network, text, "file").unwrap(), failures);
        assert_ne!(read(&network, &text.replace("seed=3", "seed=4"), "file").unwrap(), failures);
        let damaged = without(&network, text, "file").unwrap();
        assert_eq!(damaged.switches(), network.switches());
        assert!(!damaged.in_service(5) && damaged.neighbours(5).is_empty() && !damaged.neighbours(0).contains(&1));
        assert!(damaged.label().contains("without 2 switches and "), "{}", damaged.label());
    }

    #[test]
    fn names_of_fabrics_are_taken_with_quotes_and_without() {
        let mut builder = netloom_model::NetworkBuilder::new("fabric", 4);
        let class = builder.class("link", 1.0, 0.0);
        (1..4).for_each(|leaf| builder.cable(0, leaf, class));
        let names = ["MF0;core:MQM8700/U1", "rack #3, \"a\"", "leaf-2;b", "plain"];
        builder.switch_names(names.map(String::from).to_vec());
        let network = builder.build().unwrap();
        let dead = |text: &str| read(&network, &lines_of(text).join("\n"), "f").map(|f| (f.switches, f.links.len()));
        assert_eq!(dead("switch:MF0;core:MQM8700/U1; links:1").unwrap(), (vec![0], 1));
        for (number, name) in (0u32..).zip(names) {
            assert_eq!(dead(&format!("switch:{}; switch:3", written(name))).unwrap().0, [number, 3]);
        }
        let pair = |a: usize, b: usize| format!("link:{}-{}", written(names[a]), written(names[b]));
        assert_eq!(dead(&format!("{}; {}#0", pair(0, 1), pair(2, 0))).unwrap(), (vec![], 2));
        assert_eq!(written("leaf1"), "leaf1");
        // A second failure that is none is named with what a failure is.
        let said = dead("switch:plain; lonk:1-2").unwrap_err().to_string();
        assert!(said.contains("after ; comes another failure"), "{said}");
        assert_eq!(lines_of("link:0-1;; switches:2,seed=1 ;\nlinks:2%"), ["link:0-1", "switches:2,seed=1", "links:2%"]);
    }

    #[test]
    fn one_of_parallel_cables() {
        let network = net("dragonfly(group=[2,2],h=1,g=2,local_parallel=[1,3])");
        let degree = |text: &str| without(&network, text, "").unwrap().degree(0);
        assert_eq!(network.degree(0), 5);
        assert_eq!((degree("link:0-1"), degree("link:1-0#2"), degree("link:0-1#0\nlink:0-1#1")), (2, 4, 3));
    }

    #[test]
    fn a_share_is_of_all_cables() {
        let network = net("torus(10,10)");
        assert_eq!(read(&network, "links:3.5%", "").unwrap().links.len(), 7);
        assert_eq!(without(&network, "links:100%", "").unwrap().cables(), 0);
        assert_eq!(without(&network, "links:0%", "").unwrap(), network);
    }

    #[test]
    fn lines_that_are_no_failure() {
        let network = net("torus(4,4)");
        for (line, word) in [
            ("lonk:1-2", "link:A-B"),
            ("17", "link:A-B"),
            ("link:1", "A-B"),
            ("link:1-16", "0..16"),
            ("link:1-x", "got x"),
            ("link:0-10", "joined to 1, 3, 4, 12"),
            ("link:0-1#1", "from #0"),
            ("link:0-1#x", "after #"),
            ("switch:-1", "0..16"),
            ("switch:99999999999999999999", "0..16"),
            ("links:101%", "0% to 100%"),
            ("links:nan%", "0% to 100%"),
            ("links:x", "a share"),
            ("links:33", "at most the 32"),
            ("links:1%", "at least one of 32"),
            ("links:1,seed=-1", "seed="),
            ("links:1,class=global", "dim0, dim1"),
            ("switches:1,class=dim0", "seed="),
        ] {
            let faults = read(&network, line, "--fail").unwrap_err();
            assert_eq!(faults.0[0].code, "NL-N014", "{line}");
            assert!(faults.to_string().contains(word), "{line}: {faults}");
        }
        let faults = read(&network, "switch:1\nswitch:77\nbad\n", "broken.txt").unwrap_err();
        assert_eq!((faults.0[0].place.as_str(), faults.0[1].place.as_str()), ("broken.txt:2", "broken.txt:3"));
        assert_eq!(read(&network, &"x\n".repeat(50), "f").unwrap_err().0.len(), TOLD);
    }
}

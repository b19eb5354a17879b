//! Counts and synthetic strings.

use netloom_model::Outcome;

use super::{Hierarchy, LIMIT, codes, refuse};
use crate::sink::quoted;

/// Levels of a synthetic string, and the place of each in a hierarchy; none for those that tell no ranks apart.
const TYPES: &[(&[&str], Option<usize>)] = &[
    (&["machine", "misc", "tile", "module"], None),
    (&["package", "pack", "socket"], Some(0)),
    (&["numa", "numanode", "node", "group", "die"], Some(1)),
    (
        &["l5", "l4", "l3", "l2", "l1", "l1i", "l2i", "l3i", "cache", "l3cache", "l2cache", "l1cache", "l1icache"],
        Some(2),
    ),
    (&["core"], Some(3)),
    (&["pu"], None),
];
const HINT: &str = "write 16,2,2,8 or package:2 numa:4 l3:2 core:8 pu:1";

/// O(text).
pub fn read(text: &str, place: &str) -> Outcome<Hierarchy> {
    let text = text.trim();
    let found = if text.contains(':') { synthetic(text, place)? } else { plain(text, place)? };
    let all = found.counts.iter().fold(u64::from(found.nodes.unwrap_or(1)), |p, c| p.saturating_mul(u64::from(*c)));
    if all > LIMIT {
        return Err(refuse(&codes::TOO_LARGE, place, format!("{all} cores exceed {LIMIT}"), ""));
    }
    Ok(found)
}

fn count(word: &str, place: &str) -> Outcome<u32> {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    word.parse()
        .ok()
        .filter(|n| digits && *n > 0 && u64::from(*n) <= LIMIT)
        .ok_or_else(|| refuse(&codes::VALUE, place, format!("{} is no count from 1 to {LIMIT}", quoted(word)), HINT))
}

/// `16,2,2,8`: nodes, then the levels inside them, of which cores are the last; caches come in with a fifth number.
fn plain(text: &str, place: &str) -> Outcome<Hierarchy> {
    let numbers = text.split(',').take(6).map(|word| count(word.trim(), place)).collect::<Outcome<Vec<u32>>>()?;
    let (nodes, counts) = match numbers[..] {
        [nodes, cores] => (nodes, [1, 1, 1, cores]),
        [nodes, sockets, cores] => (nodes, [sockets, 1, 1, cores]),
        [nodes, sockets, numa, cores] => (nodes, [sockets, numa, 1, cores]),
        [nodes, sockets, numa, caches, cores] => (nodes, [sockets, numa, caches, cores]),
        _ => {
            let sentence =
                format!("{} are not 2 to 5 counts of nodes, sockets, NUMA domains, caches, cores", quoted(text));
            return Err(refuse(&codes::SYNTAX, place, sentence, HINT));
        }
    };
    Ok(Hierarchy::of(Some(nodes), counts))
}

/// `package:2 numa:4 l3:2 core:8 pu:1`. Attributes in parentheses are left out.
fn synthetic(text: &str, place: &str) -> Outcome<Hierarchy> {
    let mut found = Hierarchy::of(None, [1; 4]);
    let mut last = 0;
    let mut cores = false;
    let bare: String = {
        let mut depth = 0u32;
        let outside = |c: &char| {
            depth = if *c == '(' { depth + 1 } else { depth };
            let keep = depth == 0;
            depth = if *c == ')' { depth.saturating_sub(1) } else { depth };
            keep
        };
        text.chars().filter(outside).collect()
    };
    for word in bare.split_whitespace().take(64) {
        // A memory attached to a level, `[numa]`, is no level of its own.
        if word.starts_with('[') {
            continue;
        }
        let wrong =
            || refuse(&codes::SYNTAX, place, format!("{} is no level of hwloc with a count", quoted(word)), HINT);
        let (name, number) = word.split_once(':').ok_or_else(wrong)?;
        let name = name.to_ascii_lowercase();
        let kind = TYPES.iter().find(|t| t.0.contains(&name.as_str())).ok_or_else(wrong)?.1;
        let number = count(number, place)?;
        match kind {
            Some(at) if at < last => {
                let sentence = format!("{} is inside a level that it would have to be around", quoted(word));
                return Err(refuse(&codes::UNSUPPORTED, place, sentence, "order the levels package, numa, l3, core"));
            }
            Some(at) => {
                last = at;
                cores |= at == 3;
                found.counts[at] = found.counts[at].saturating_mul(number);
            }
            None if name == "pu" && !cores => found.counts[3] = number,
            None if name == "pu" && number > 1 => {
                found.notes.push(format!("{number} hardware threads of a core are one place for a rank"));
            }
            None if number > 1 => found.counts[last] = found.counts[last].saturating_mul(number),
            None => {}
        }
    }
    Ok(found)
}

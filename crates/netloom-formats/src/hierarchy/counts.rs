//! Counts: nodes and the levels inside them.

use netloom_model::Outcome;

use super::machine::{Hierarchy, LIMIT, even, refuse};
use crate::codes;
use crate::sink::quoted;

pub const HINT: &str = "write 16,2,2,8 or package:2 numa:4 l3:2 core:8 pu:1";

/// O(text).
pub fn read(text: &str, place: &str) -> Outcome<Hierarchy> {
    let found = plain(text.trim(), place)?;
    within(found.seats().saturating_mul(found.nodes.unwrap_or(1).into()), place)?;
    Ok(found)
}

/// Refuses more cores than a machine may have.
pub fn within(cores: u64, place: &str) -> Outcome<()> {
    if cores > LIMIT {
        return Err(refuse(&codes::TOO_LARGE, place, format!("{cores} cores exceed {LIMIT}"), ""));
    }
    Ok(())
}

pub fn count(word: &str, place: &str) -> Outcome<u32> {
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
    Ok(Hierarchy::of(Some(nodes), even(counts)))
}

//! The files of a trace: one a rank, and a list of keys and values that names how many there are.

use std::collections::BTreeMap;

use netloom_model::{Fault, Outcome};

use crate::codes;
use crate::recorded::MAX_RANKS;
use crate::text::decode;

/// RankFiles by rank: name and bytes.
pub struct RankFiles<'a> {
    pub ranks: Vec<(&'a str, &'a [u8])>,
}

/// Whether a text is the list of keys and values.
pub fn is_meta(text: &str) -> bool {
    let has = |key: &str| value(text, key).is_some();
    has("numprocs") && has("fileprefix")
}

fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    pairs.into_iter().find(|(own, _)| own.trim() == key).map(|(_, value)| value.trim())
}

/// The rank that ends the name of a file, before its ending.
fn rank_of(name: &str) -> Option<u32> {
    let file = name.rsplit(['/', '\\']).next()?;
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.rsplit('-').next()?.parse().ok()
}

impl<'a> RankFiles<'a> {
    /// # Errors
    /// `NL-F010` for a rank without a file, `NL-F006` for one with two, `NL-F001` for too many.
    pub fn of(bytes: &'a [u8], place: &'a str, others: &'a [(&'a str, Vec<u8>)]) -> Outcome<RankFiles<'a>> {
        let mut ranks: BTreeMap<u32, (&str, &[u8])> = BTreeMap::new();
        let mut count = 0;
        let next = others.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
        for (name, bytes) in std::iter::once((place, bytes)).chain(next) {
            let head = &bytes[..bytes.len().min(1 << 16)];
            if let Some(text) = decode(head, name).ok().filter(|text| is_meta(text)) {
                let given = value(text, "numprocs").and_then(|number| number.parse::<u32>().ok());
                let Some(given) = given.filter(|number| (1..=MAX_RANKS).contains(number)) else {
                    let expected = format!("a number of processes from 1 to {MAX_RANKS}");
                    let got = value(text, "numprocs").unwrap_or_default();
                    return Err(
                        Fault::new(&codes::VALUE, format!("{name} numprocs"), expected, format!("{got:.40}")).into()
                    );
                };
                count = count.max(given);
                continue;
            }
            // A file alone may have any name.
            let rank = rank_of(name).or((others.is_empty()).then_some(0));
            let Some(rank) = rank.filter(|rank| *rank < MAX_RANKS) else {
                let sentence = "is no file of a rank: its name does not end with one";
                return Err(Fault::say(&codes::MISSING, name, sentence)
                    .hint("name it PREFIX-0000.bin and so on")
                    .into());
            };
            count = count.max(rank + 1);
            if ranks.insert(rank, (name, bytes)).is_some() {
                let sentence = format!("rank {rank} has a second file");
                return Err(Fault::say(&codes::DUPLICATE, name, sentence).hint("give one").into());
            }
        }
        match (0..count).find(|rank| !ranks.contains_key(rank)) {
            Some(missing) => {
                let sentence = format!("the file of rank {missing} of {count} is missing: *-{missing:04} next to it");
                Err(Fault::say(&codes::MISSING, place, sentence)
                    .hint("copy the files of all ranks to one folder")
                    .into())
            }
            None => Ok(RankFiles { ranks: ranks.into_values().collect() }),
        }
    }
}

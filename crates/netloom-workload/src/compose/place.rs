//! Groups of ranks that share no rank.

use netloom_model::{Fault, Outcome, fault::codes::BAD_VALUE};

/// Lists of ranks, in the order of their numbers within the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups(Vec<Vec<u32>>);

impl Groups {
    /// O(ranks).
    ///
    /// # Errors
    /// `NL-A007` naming the first rank that does not exist or stands in two places.
    pub fn new(ranks: u32, lists: Vec<Vec<u32>>) -> Outcome<Groups> {
        let mut seen = vec![false; ranks as usize];
        for (at, list) in lists.iter().enumerate() {
            for &rank in list {
                match seen.get_mut(rank as usize) {
                    Some(seen) if !*seen => *seen = true,
                    found => {
                        let expected = match found {
                            Some(_) => "ranks that stand in one place only".to_string(),
                            None => format!("ranks below {ranks}"),
                        };
                        return Err(Fault::new(&BAD_VALUE, format!("group {at}"), expected, rank).into());
                    }
                }
            }
        }
        Ok(Groups(lists))
    }

    /// One group of all ranks.
    pub fn all(ranks: u32) -> Groups {
        Groups(vec![(0..ranks).collect()])
    }

    pub fn lists(&self) -> &[Vec<u32>] {
        &self.0
    }

    /// Ranks in all groups together.
    pub fn ranks(&self) -> u64 {
        self.0.iter().map(|list| list.len() as u64).sum()
    }
}

//! Tags of a program, which has one communicator, for the tags of all.

use std::collections::HashMap;

use super::event::WORLD;

/// Tag of the messages of a collective with individual counts (alltoallv and the like); applications stay below it.
pub const BURST_TAG: u32 = 0x7fff_0000;
/// The same on another communicator than that of all: its number is added.
pub const GROUP_BURST_TAG: u32 = 0x7ffe_0000;
/// From here up to those of bursts, tags are numbers that stand for a communicator and a tag.
const NUMBERED_TAG: u32 = 0x4000_0000;

/// Messages of two communicators do not match, and a program has one: each tag of each gets a number of its own.
#[derive(Debug, Default)]
pub struct Tags(HashMap<(u32, i64), u32>);

impl Tags {
    pub fn of(&mut self, group: u32, tag: i64) -> u32 {
        match u32::try_from(tag) {
            Ok(own) if group == WORLD && !(NUMBERED_TAG..GROUP_BURST_TAG).contains(&own) => own,
            _ => {
                let next = NUMBERED_TAG + self.0.len() as u32;
                *self.0.entry((group, tag)).or_insert(next)
            }
        }
    }
}

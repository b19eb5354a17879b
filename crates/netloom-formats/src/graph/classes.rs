//! Link classes of one file, each once.

use std::collections::HashMap;

use netloom_model::network::Per;

use super::Wire;
use crate::limits::MAX_CLASSES;

/// Interned [`Wire`]s, each with what has its bandwidth.
#[derive(Debug, Default)]
pub struct Classes {
    wires: Vec<(Wire, Per)>,
    index: HashMap<(String, u64, u64, Per), u32>,
    /// The class of the last call: files list links of one class together.
    last: Option<u32>,
}

impl Classes {
    /// The number of `wire`; `None` if it is new and there are [`MAX_CLASSES`] already.
    pub fn number(&mut self, wire: &Wire, per: Per) -> Option<u32> {
        let same = |&&last: &&u32| {
            let (known, of) = &self.wires[last as usize];
            *of == per && known == wire
        };
        if let Some(&last) = self.last.as_ref().filter(same) {
            return Some(last);
        }
        self.last = self.find(wire, per);
        self.last
    }

    fn find(&mut self, wire: &Wire, per: Per) -> Option<u32> {
        // Adding zero turns -0 into 0, which is the same latency.
        let bits = |v: f64| (v + 0.0).to_bits();
        let key = (wire.class.clone(), bits(wire.bandwidth_bytes_per_s), bits(wire.latency_s), per);
        if let Some(&number) = self.index.get(&key) {
            return Some(number);
        }
        if self.wires.len() >= MAX_CLASSES {
            return None;
        }
        let number = self.wires.len() as u32;
        self.wires.push((wire.clone(), per));
        self.index.insert(key, number);
        Some(number)
    }

    pub fn get(&self, number: u32) -> &Wire {
        &self.wires[number as usize].0
    }
    pub fn per(&self, number: u32) -> Per {
        self.wires[number as usize].1
    }
    pub fn len(&self) -> u32 {
        self.wires.len() as u32
    }
}

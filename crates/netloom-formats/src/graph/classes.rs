//! Link classes of one file, each once.

use std::collections::HashMap;

use super::Wire;
use crate::limits::MAX_CLASSES;

/// Interned [`Wire`]s.
#[derive(Debug, Default)]
pub struct Classes {
    wires: Vec<Wire>,
    index: HashMap<(String, u64, u64), u32>,
    /// The class of the last call: files list links of one class together.
    last: Option<u32>,
}

impl Classes {
    /// The number of `wire`; `None` if it is new and there are [`MAX_CLASSES`] already.
    pub fn number(&mut self, wire: &Wire) -> Option<u32> {
        if let Some(&last) = self.last.as_ref().filter(|&&l| self.wires[l as usize] == *wire) {
            return Some(last);
        }
        self.last = self.find(wire);
        self.last
    }

    fn find(&mut self, wire: &Wire) -> Option<u32> {
        // Adding zero turns -0 into 0, which is the same latency.
        let bits = |v: f64| (v + 0.0).to_bits();
        let key = (wire.class.clone(), bits(wire.bandwidth_bytes_per_s), bits(wire.latency_s));
        if let Some(&number) = self.index.get(&key) {
            return Some(number);
        }
        if self.wires.len() >= MAX_CLASSES {
            return None;
        }
        let number = self.wires.len() as u32;
        self.wires.push(wire.clone());
        self.index.insert(key, number);
        Some(number)
    }

    pub fn get(&self, number: u32) -> &Wire {
        &self.wires[number as usize]
    }
    pub fn all(&self) -> &[Wire] {
        &self.wires
    }
}

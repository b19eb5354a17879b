//! Bytes of datatypes: as the file lists them, and as their construction says.

use std::collections::HashMap;

use super::call::Call;

/// Sizes of the datatypes of MPI by DUMPI's numbers, from 0, on usual machines; for files without the list.
const USUAL: [u64; 28] = [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20];

/// The datatypes of a rank.
pub struct Datatypes<'a> {
    listed: &'a [u64],
    built: HashMap<i64, u64>,
}

impl<'a> Datatypes<'a> {
    pub fn new(listed: &'a [u64]) -> Datatypes<'a> {
        Datatypes { listed, built: HashMap::new() }
    }

    /// None of a datatype that the record does not describe.
    pub fn size(&self, number: i64) -> Option<u64> {
        let at = usize::try_from(number).ok()?;
        let listed = || if self.listed.is_empty() { USUAL.get(at) } else { self.listed.get(at) };
        self.built.get(&number).or_else(listed).copied()
    }

    /// Learns from a call that builds one.
    pub fn learn(&mut self, call: &Call) {
        let get = |name: &str| call.get(name).and_then(|number| u64::try_from(number).ok());
        let sum = |name: &str| {
            let all = call.list(name).iter().map(|length| u64::try_from(*length).unwrap_or(0));
            all.fold(0u64, u64::saturating_add)
        };
        let elements = match call.name {
            "Type_size" => {
                if let (Some(number), Some(size)) = (call.get("datatype"), get("size")) {
                    self.built.insert(number, size);
                }
                return;
            }
            "Type_contiguous" => get("count"),
            "Type_vector" | "Type_hvector" | "Type_create_hvector" | "Type_create_indexed_block" => {
                get("count").zip(get("blocklength")).map(|(count, length)| count.saturating_mul(length))
            }
            "Type_indexed" | "Type_hindexed" => Some(sum("lengths")),
            "Type_create_hindexed" => Some(sum("blocklengths")),
            "Type_create_subarray" => {
                let extents = call.list("subsizes").iter().map(|extent| u64::try_from(*extent).unwrap_or(0));
                Some(extents.fold(1u64, u64::saturating_mul))
            }
            "Type_dup" | "Type_create_resized" => Some(1),
            "Type_struct" | "Type_create_struct" => {
                let lengths = if call.name == "Type_struct" { "lengths" } else { "blocklengths" };
                let parts = call.list(lengths).iter().zip(call.list("oldtypes"));
                let bytes = parts
                    .map(|(length, old)| Some(self.size(*old)?.saturating_mul(u64::try_from(*length).unwrap_or(0))));
                let bytes: Option<u64> = bytes.sum();
                self.put(call, bytes);
                return;
            }
            _ => return,
        };
        let old = call.get("oldtype").and_then(|old| self.size(old));
        self.put(call, elements.zip(old).map(|(elements, size)| elements.saturating_mul(size)));
    }

    fn put(&mut self, call: &Call, bytes: Option<u64>) {
        if let (Some(number), Some(bytes)) = (call.get("newtype"), bytes) {
            self.built.insert(number, bytes);
        }
    }
}

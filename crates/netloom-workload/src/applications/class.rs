//! Problem sizes of the NAS benchmarks.

use netloom_model::Bound;

/// Problem size: position in `S`, `W`, `A`, `B`, `C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(pub usize);

impl Class {
    pub const NAMES: &'static [&'static str] = &["S", "W", "A", "B", "C"];

    /// The class's value in a table of [`Class::NAMES`].
    pub fn of<T: Copy>(self, table: [T; 5]) -> T {
        table[self.0.min(4)]
    }
}

/// The class of a NAS benchmark.
pub(crate) fn class_of(bound: &Bound) -> Class {
    let name = bound.text("class");
    Class(Class::NAMES.iter().position(|c| *c == name).unwrap_or(0))
}

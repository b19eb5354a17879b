//! The cut that asks for most so far.

/// Demand over capacity; both whole, so that bounds compare exactly.
#[derive(Clone, Debug)]
pub struct Best {
    pub demand: u64,
    pub capacity: u64,
    /// Vertices on one side.
    pub inside: Vec<bool>,
    pub parts: u32,
    pub name: &'static str,
}

impl Best {
    pub fn none() -> Best {
        Best { demand: 0, capacity: 1, inside: Vec::new(), parts: 0, name: "nothing has to cross a cut" }
    }

    pub fn is_beaten_by(&self, demand: u64, capacity: u64) -> bool {
        u128::from(demand) * u128::from(self.capacity) > u128::from(self.demand) * u128::from(capacity)
    }

    pub fn offer(
        &mut self,
        demand: u64,
        capacity: u64,
        parts: u32,
        name: &'static str,
        inside: impl FnOnce() -> Vec<bool>,
    ) {
        if capacity > 0 && self.is_beaten_by(demand, capacity) {
            *self = Best { demand, capacity, inside: inside(), parts, name };
        }
    }
}

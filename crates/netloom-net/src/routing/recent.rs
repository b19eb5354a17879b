//! What was searched for the most recent destinations.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Most distances kept (256 MiB).
const KEPT: usize = 1 << 26;

/// Answers by destination, of up to [`KEPT`] distances: with more, all are forgotten.
pub struct Recent<T: ?Sized> {
    kept: RwLock<HashMap<u32, Arc<T>>>,
}

impl<T: ?Sized> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent { kept: RwLock::default() }
    }
}

impl<T: ?Sized> Recent<T> {
    /// The answer for a destination, which `search` finds, with the number of its distances, if it is not kept.
    pub fn get(&self, destination: u32, search: impl FnOnce() -> (Arc<T>, usize)) -> Arc<T> {
        if let Some(found) = self.kept.read().unwrap_or_else(PoisonError::into_inner).get(&destination) {
            return Arc::clone(found);
        }
        let (found, length) = search();
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if (kept.len() + 1) * length > KEPT {
            kept.clear();
        }
        kept.insert(destination, Arc::clone(&found));
        found
    }
}

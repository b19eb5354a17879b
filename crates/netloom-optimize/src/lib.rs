//! Searches over a mapping, scored by an objective.

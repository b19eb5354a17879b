//! Where ranks go: placements and rank orders.

//! Evaluators of a scenario; the first rung is hops.

//! Workloads: collective schedules with their proofs, and traffic patterns.

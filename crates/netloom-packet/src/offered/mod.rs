//! Offered against accepted load: independent sources, a warm-up, a measurement.

pub mod late;
pub mod measure;
pub mod open_loop;
pub mod processes;
pub mod source;

//! Quantities with units.

use netloom_model::units::Quantity;
use pyo3::prelude::*;

use crate::fault::OrRaise;

/// A time in seconds.
#[pyfunction]
pub fn parse_seconds(py: Python<'_>, text: &str, place: &str) -> PyResult<f64> {
    Quantity::Seconds.parse(place, text).or_raise(py)
}

/// A bandwidth in bytes per second.
#[pyfunction]
pub fn parse_bytes_per_s(py: Python<'_>, text: &str, place: &str) -> PyResult<f64> {
    Quantity::BytesPerSecond.parse(place, text).or_raise(py)
}

/// A speed in operations per second.
#[pyfunction]
pub fn parse_flops_per_s(py: Python<'_>, text: &str, place: &str) -> PyResult<f64> {
    Quantity::FlopsPerSecond.parse(place, text).or_raise(py)
}

/// A whole number of bytes.
#[pyfunction]
pub fn parse_bytes(py: Python<'_>, text: &str, place: &str) -> PyResult<u64> {
    Quantity::parse_bytes(place, text).or_raise(py)
}

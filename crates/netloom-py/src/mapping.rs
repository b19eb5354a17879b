//! Placements and orders.

use netloom_mapping::registry;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::cross;
use crate::fault::OrRaise;
use crate::network::Network;

/// Endpoint of every rank: placement, then order.
#[pyfunction]
pub fn place<'py>(
    py: Python<'py>,
    network: &Network,
    ranks: i64,
    placement: &str,
    order: &str,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (placement, order) = (cross::parse(py, placement)?, cross::parse(py, order)?);
    let mapping = py.detach(|| {
        let placed = registry::place(&network.0, ranks, &placement)?;
        registry::order(&network.0, &placed, &order)
    });
    Ok(PyArray1::from_vec(py, mapping.or_raise(py)?))
}

/// Endpoint of every rank: an order on slots that are already chosen.
#[pyfunction]
pub fn reorder<'py>(
    py: Python<'py>,
    network: &Network,
    slots: PyReadonlyArray1<'py, u32>,
    order: &str,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let order = cross::parse(py, order)?;
    let slots = slots.as_array().to_vec();
    let mapping = py.detach(|| registry::order(&network.0, &slots, &order));
    Ok(PyArray1::from_vec(py, mapping.or_raise(py)?))
}

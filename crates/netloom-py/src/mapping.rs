//! Placements and orders.

use netloom_mapping::registry;
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
) -> PyResult<Bound<'py, PyAny>> {
    let (placement, order) = (cross::parse(py, placement)?, cross::parse(py, order)?);
    let mapping = py.detach(|| {
        let placed = registry::place(&network.0, ranks, &placement)?;
        registry::order(&network.0, &placed, &order)
    });
    cross::column(py, &mapping.or_raise(py)?)
}

/// Endpoint of every rank: an order on slots that are already chosen.
#[pyfunction]
pub fn reorder<'py>(
    py: Python<'py>,
    network: &Network,
    slots: &Bound<'py, PyAny>,
    order: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let order = cross::parse(py, order)?;
    let slots = cross::endpoints(slots)?;
    let mapping = py.detach(|| registry::order(&network.0, &slots, &order));
    cross::column(py, &mapping.or_raise(py)?)
}

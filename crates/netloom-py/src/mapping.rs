//! Placements and orders, several jobs together.

use std::sync::Arc;

use netloom_mapping::jobs::{self, Job, Wanted};
use netloom_mapping::registry;
use pyo3::prelude::*;

use crate::cross;
use crate::objects::Network;
use crate::work::waited;

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
    let net = Arc::clone(&network.0);
    let mapping = waited(py, move || {
        let placed = registry::place(&net, ranks, &placement)?;
        registry::order(&net, &placed, &order)
    })?;
    cross::column(py, &mapping)
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
    let net = Arc::clone(&network.0);
    let mapping = waited(py, move || registry::order(&net, &slots, &order))?;
    cross::column(py, &mapping)
}

/// Endpoints of every job, disjoint. A job is its name, then a list of endpoints and None, or a number of endpoints and a
/// placement.
#[pyfunction]
#[pyo3(signature = (network, wanted, available = None))]
pub fn place_jobs<'py>(
    py: Python<'py>,
    network: &Network,
    wanted: Vec<(String, Bound<'py, PyAny>, Option<String>)>,
    available: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut asked = Vec::with_capacity(wanted.len());
    for (name, wanted, placement) in wanted {
        let wanted = match placement {
            Some(text) => Wanted::Count { endpoints: wanted.extract()?, placement: cross::parse(py, &text)? },
            None => Wanted::List(cross::endpoints(&wanted)?),
        };
        asked.push(Job { name, wanted });
    }
    let available: Option<Vec<i64>> = match available {
        Some(list) => Some(cross::endpoints(list)?.into_iter().map(i64::from).collect()),
        None => None,
    };
    let net = Arc::clone(&network.0);
    let placed = waited(py, move || jobs::place_jobs(&net, &asked, available.as_deref()))?;
    placed.iter().map(|endpoints| cross::column(py, endpoints)).collect()
}

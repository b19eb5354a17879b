//! The cut bound of a collective.

use std::sync::Arc;

use netloom_model::fault::{Fault, codes};
use netloom_model::{Collective, Outcome, Seats, inside};
use netloom_net::metrics::{CutQuestion, cut_bound as bound};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cross;
use crate::fault::OrRaise;
use crate::objects::{Network, Node};
use crate::work::watched;

fn named(name: &str) -> Outcome<Collective> {
    let names = || Collective::ALL.iter().map(|c| c.name()).collect::<Vec<_>>().join(", ");
    let unknown = || Fault::new(&codes::UNKNOWN_NAME, "collective", format!("one of {}", names()), name).into();
    Collective::ALL.iter().copied().find(|c| c.name() == name).ok_or_else(unknown)
}

/// Least time of a collective; see `netloom.cut_bound`.
#[pyfunction]
#[pyo3(signature = (network, mapping, collective, size_bytes, root, endpoint_links, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn cut_bound<'py>(
    py: Python<'py>,
    network: &Network,
    mapping: &Bound<'py, PyAny>,
    collective: &str,
    size_bytes: u64,
    root: u32,
    endpoint_links: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let collective = named(collective).or_raise(py)?;
    let mapping = cross::mapping(network, mapping)?;
    let net = Arc::clone(&network.0);
    let question = CutQuestion { collective, size_bytes, root, endpoint_links };
    let found = watched(py, progress, None, move |p| bound(&net, &mapping, &question, p))?;
    let out = PyDict::new(py);
    out.set_item("time_s", found.time_s)?;
    out.set_item("bytes", found.bytes)?;
    out.set_item("bandwidth_bytes_per_s", found.bandwidth_bytes_per_s)?;
    out.set_item("cut", cross::column(py, &found.side)?)?;
    out.set_item("parts", found.parts)?;
    out.set_item("exact", found.exact)?;
    out.set_item("method", found.method)?;
    Ok(out)
}

/// The network with machines and their levels as switches, on which rank `r` is endpoint `r`: for `cut_bound` without endpoint
/// links. `seats`: of every rank on its endpoint; in order of rank if absent.
#[pyfunction]
#[pyo3(signature = (network, mapping, node=None, seats=None))]
pub fn with_insides(
    py: Python<'_>,
    network: &Network,
    mapping: &Bound<'_, PyAny>,
    node: Option<&Node>,
    seats: Option<&Bound<'_, PyAny>>,
) -> PyResult<Network> {
    let node = node.map(|node| node.0.on(&network.0)).transpose().or_raise(py)?;
    let mut places = Seats::new(cross::endpoints(mapping)?);
    if let Some(seats) = seats {
        places = places.with_seats(cross::endpoints(seats)?).or_raise(py)?;
    }
    places.check(&network.0).or_raise(py)?;
    let places = places.places(network.0.endpoints());
    let made = inside::with_insides(&network.0, node.as_ref(), &places).or_raise(py)?;
    Ok(Network::new(made, Vec::new()))
}

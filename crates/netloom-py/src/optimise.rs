//! Searches for a better mapping.

use std::sync::Arc;

use netloom_model as model;
use netloom_net::routing;
use netloom_optimize::{self as search, Budget, Problem};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cross;
use crate::eval::{Load, Shared, distances, matrix};
use crate::network::Network;
use crate::work::watched;

/// Improves a mapping; see `netloom.map_ranks`. `routing` gives the paths of the objectives that look at links.
#[pyfunction]
#[pyo3(signature = (network, mapping, workload, optimiser, objective, free, seconds=None, progress=None, distance=None,
    routing="single-minimal"))]
#[allow(clippy::too_many_arguments)]
pub fn optimise<'py>(
    py: Python<'py>,
    network: &Network,
    mapping: &Bound<'py, PyAny>,
    workload: Load<'py>,
    optimiser: &str,
    objective: &str,
    free: bool,
    seconds: Option<f64>,
    progress: Option<Py<PyAny>>,
    distance: Option<PyReadonlyArray2<'py, u8>>,
    routing: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let (method, goal, paths) =
        (cross::parse(py, optimiser)?, cross::parse(py, objective)?, cross::parse(py, routing)?);
    let start = cross::mapping(network, mapping)?;
    let (net, load, given) = (Arc::clone(&network.0), workload.share(), matrix(network, distance));
    let budget = if seconds.is_some() { Budget::UntilStopped } else { Budget::Swaps };
    let found = watched(py, progress, seconds, move |p| {
        let distance = distances(&net, given, &model::Progress::new())?;
        let (traffic, schedule) = match &load {
            Shared::Schedule(s) => (Arc::new(model::Traffic::of_schedule(s)?), Some(s.as_ref())),
            Shared::Traffic(t) => (Arc::clone(t), None),
        };
        // Hops need no paths, and a routing may keep a matrix of its own.
        let routing = if search::needs_routing(&goal) {
            Some(routing::build(&net, &paths)?)
        } else {
            routing::check(&paths)?;
            None
        };
        let problem = Problem {
            network: &net,
            distance: &distance,
            start: &start,
            traffic: &traffic,
            schedule,
            routing: routing.as_deref(),
            free,
        };
        search::optimise(&problem, &method, &goal, budget, p)
    })?;
    let out = PyDict::new(py);
    out.set_item("mapping", PyArray1::from_slice(py, found.mapping.endpoints()))?;
    out.set_item("value", found.value)?;
    out.set_item("start_value", found.start_value)?;
    out.set_item("bound", found.bound)?;
    out.set_item("evaluations", found.evaluations)?;
    out.set_item("accepted", found.accepted)?;
    out.set_item("trace", found.trace.iter().map(|t| (t.evaluations, t.value)).collect::<Vec<_>>())?;
    out.set_item("method", found.method)?;
    Ok(out)
}

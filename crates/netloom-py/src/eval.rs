//! Hop counts, link loads and contentions of a workload under a mapping.

use std::sync::Arc;

use netloom_eval as eval;
use netloom_model::{self as model, HopMatrix, Outcome, Progress};
use netloom_net::{metrics, routing};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;
use crate::network::Network;
use crate::work::watched;
use crate::workload::{Schedule, Traffic};

/// A schedule or a traffic, shared with the thread that works on it.
#[derive(FromPyObject)]
pub enum Load<'py> {
    Schedule(PyRef<'py, Schedule>),
    Traffic(PyRef<'py, Traffic>),
}

/// The same without Python.
pub enum Shared {
    Schedule(Arc<model::Schedule>),
    Traffic(Arc<model::Traffic>),
}

impl Load<'_> {
    pub fn share(&self) -> Shared {
        match self {
            Load::Schedule(s) => Shared::Schedule(Arc::clone(&s.0)),
            Load::Traffic(t) => Shared::Traffic(Arc::clone(&t.0)),
        }
    }
}

impl Shared {
    pub fn borrow(&self) -> eval::Workload<'_> {
        match self {
            Shared::Schedule(s) => eval::Workload::Schedule(s),
            Shared::Traffic(t) => eval::Workload::Traffic(t),
        }
    }
}

/// A hop matrix that Python made before, or nothing. An array of another shape or order is as good as
/// nothing.
pub fn matrix(network: &Network, distance: Option<PyReadonlyArray2<'_, u8>>) -> Option<HopMatrix> {
    let array = distance?;
    let n = network.0.switches();
    let square = array.shape() == [n as usize, n as usize];
    // A contiguous array is one copy; element by element would take longer than to compute the distances anew.
    HopMatrix::from_rows(n, array.as_slice().ok().filter(|_| square)?.to_vec())
}

/// The matrix given, or one computed now.
pub fn distances(network: &model::Network, given: Option<HopMatrix>, progress: &Progress) -> Outcome<HopMatrix> {
    given.map_or_else(|| metrics::hop_matrix(network, progress), Ok)
}

/// Hop counts; see `netloom.hops`.
#[pyfunction]
#[pyo3(signature = (network, mapping, workload, distance=None, progress=None))]
pub fn hops<'py>(
    py: Python<'py>,
    network: &Network,
    mapping: &Bound<'py, PyAny>,
    workload: Load<'py>,
    distance: Option<PyReadonlyArray2<'py, u8>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mapping = cross::mapping(network, mapping)?;
    let (net, load, given) = (Arc::clone(&network.0), workload.share(), matrix(network, distance));
    let found = watched(py, progress, None, move |p| {
        let distance = distances(&net, given, &Progress::new())?;
        eval::hops(&distance, net.switch_links(), &mapping.switches(&net), load.borrow(), p)
    })?;
    let out = PyDict::new(py);
    out.set_item("messages", found.messages)?;
    out.set_item("total_hops", found.total_hops)?;
    out.set_item("mean_hops", found.mean_hops)?;
    out.set_item("max_hops", found.max_hops)?;
    let steps = PyList::empty(py);
    for step in &found.steps {
        let row = PyDict::new(py);
        row.set_item("messages", step.messages)?;
        row.set_item("hops", step.hops)?;
        row.set_item("max_hops", step.max)?;
        row.set_item("hop_bytes", step.hop_bytes)?;
        steps.append(row)?;
    }
    out.set_item("steps", steps)?;
    out.set_item("histogram", found.histogram)?;
    out.set_item("bytes", found.bytes)?;
    out.set_item("hop_bytes", found.hop_bytes)?;
    out.set_item("average_dilation", found.average_dilation)?;
    out.set_item("average_hops_per_byte", found.average_hops_per_byte)?;
    out.set_item("average_bytes_per_link", found.average_bytes_per_link)?;
    Ok(out)
}

/// Expected bytes on every directed link; see `netloom.link_loads`.
#[pyfunction]
pub fn link_loads<'py>(
    py: Python<'py>,
    network: &Network,
    mapping: &Bound<'py, PyAny>,
    workload: Load<'py>,
    routing: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let call = cross::parse(py, routing)?;
    let mapping = cross::mapping(network, mapping)?;
    let (net, load) = (Arc::clone(&network.0), workload.share());
    let found = watched(py, None, None, move |p| {
        let routing = routing::build(&net, &call)?;
        eval::link_bytes(&net, routing.as_ref(), &mapping, load.borrow(), p)
    })?;
    let out = PyDict::new(py);
    out.set_item("bytes", PyArray1::from_vec(py, found.bytes))?;
    out.set_item("max_bytes", found.maximum)?;
    out.set_item("endpoint_max_bytes", found.endpoint_maximum)?;
    out.set_item("mean_bytes", found.mean)?;
    out.set_item("used_links", found.used)?;
    Ok(out)
}

/// Possible contentions of a schedule: messages of one step that share a link, on one minimal path per pair.
#[pyfunction]
pub fn contentions(
    py: Python<'_>,
    network: &Network,
    mapping: &Bound<'_, PyAny>,
    workload: &Schedule,
    routing: &str,
) -> PyResult<u64> {
    let call = cross::parse(py, routing)?;
    let mapping = cross::mapping(network, mapping)?;
    let (net, schedule) = (Arc::clone(&network.0), Arc::clone(&workload.0));
    let found = watched(py, None, None, move |p| {
        let routing = routing::build(&net, &call)?;
        eval::contentions(&net, routing.as_ref(), &mapping, &schedule, p)
    })?;
    Ok(found.total)
}

//! Flows over given links, and the settings of a machine.

use std::str::FromStr;

use netloom_flow::{FlowSet, Work, watch_flows};
use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::machine::{SOFTWARE, Sharing, WIRE};
use netloom_model::{Fault, Settings};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;
use crate::fault::{OrRaise, to_py};
use crate::registry::param_dict;
use crate::work::looking;

type Floats<'py> = PyReadonlyArray1<'py, f64>;
type Offsets<'py> = PyReadonlyArray1<'py, u64>;
type Links<'py> = PyReadonlyArray1<'py, u32>;

fn sharing(py: Python<'_>, place: &str, name: &str, weight_s_bytes: f64) -> PyResult<Sharing> {
    match Sharing::from_str(name) {
        Ok(Sharing::Smpi { .. }) => Ok(Sharing::Smpi { weight_s_bytes }),
        Ok(other) => Ok(other),
        Err(()) => Err(refuse(py, place, &format!("one of {}", Sharing::NAMES.join(", ")), name)),
    }
}

fn refuse(py: Python<'_>, place: &str, expected: &str, got: &str) -> PyErr {
    to_py(py, &Fault::new(&BAD_VALUE, place, expected, got).into())
}

fn sizes(offsets: &Offsets<'_>) -> Vec<usize> {
    offsets.as_array().iter().map(|&o| usize::try_from(o).unwrap_or(usize::MAX)).collect()
}

fn set_work(out: &Bound<'_, PyDict>, work: Work) -> PyResult<()> {
    out.set_item("solves", work.solves)?;
    out.set_item("fillings", work.fillings)?;
    out.set_item("entries", work.entries)?;
    out.set_item("changes", work.changes)
}

/// See `netloom.simulate_flows`.
#[pyfunction]
#[pyo3(signature = (bandwidth, latency, routes, size, start, sharing, weight_s_bytes, tcp_window_bytes, cross_traffic,
    fat, reverse, cap, weight, progress=None))]
#[allow(clippy::too_many_arguments)] // One array per property of links and flows.
pub fn simulate_flows<'py>(
    py: Python<'py>,
    bandwidth: Floats<'py>,
    latency: Floats<'py>,
    routes: (Offsets<'py>, Links<'py>),
    size: Floats<'py>,
    start: Floats<'py>,
    sharing: &str,
    weight_s_bytes: f64,
    tcp_window_bytes: f64,
    cross_traffic: f64,
    fat: PyReadonlyArray1<'py, bool>,
    reverse: (Offsets<'py>, Links<'py>),
    cap: Floats<'py>,
    weight: Floats<'py>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let sharing = self::sharing(py, "simulate_flows.sharing", sharing, weight_s_bytes)?;
    // Copies, since other Python threads may write to the user's arrays; route lists are built for this call only.
    let own = |a: &Floats<'py>| a.as_array().to_vec();
    let (bandwidth, latency, size, start) = (own(&bandwidth), own(&latency), own(&size), own(&start));
    let (cap, weight, fat) = (own(&cap), own(&weight), fat.as_array().to_vec());
    let (offsets, back_offsets) = (sizes(&routes.0), sizes(&reverse.0));
    let set = FlowSet {
        bandwidth_bytes_per_s: &bandwidth,
        latency_s: &latency,
        fat: &fat,
        offsets: &offsets,
        links: routes.1.as_slice()?,
        reverse: (&back_offsets, reverse.1.as_slice()?),
        size_bytes: &size,
        start_s: &start,
        cap_bytes_per_s: &cap,
        weight: &weight,
        sharing,
        tcp_window_bytes,
        cross_traffic,
    };
    let found = looking(py, progress, size.len() as u64, |look| watch_flows(&set, look))?;
    let out = PyDict::new(py);
    out.set_item("finish_s", PyArray1::from_vec(py, found.finish_s))?;
    set_work(&out, found.work)?;
    Ok(out)
}

/// Every setting of the wire and of software by name, those of `given` and the defaults of the others; infinite
/// numbers are `inf`. `place` is that of the faults.
#[pyfunction]
pub fn machine_settings<'py>(py: Python<'py>, place: &str, given: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    let (bound, _) = Settings::bind(&cross::options(place, Some(given))).or_raise(py)?;
    let out = PyDict::new(py);
    for (name, value) in bound.canonical().keyword {
        out.set_item(name, cross::to_py(py, &value)?)?;
    }
    Ok(out)
}

/// The table of these settings, as the catalogue has parameters.
#[pyfunction]
pub fn machine_params(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for (part, table) in [("wire", WIRE), ("software", SOFTWARE)] {
        for param in table {
            let item = param_dict(py, param)?;
            item.set_item("part", part)?;
            list.append(item)?;
        }
    }
    Ok(list)
}

//! Flows over given links, and the calibration of messages.

use std::str::FromStr;

use netloom_eval::flow::{Calibration, FlowSet, Sharing, Work, watch_flows};
use netloom_model::Fault;
use netloom_model::fault::codes::BAD_VALUE;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::fault::to_py;
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

/// Every key of `netloom.calibration.Calibration.to_core`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Calibrated {
    sharing: String,
    weight_s_bytes: f64,
    cross_traffic: f64,
    tcp_window_bytes: f64,
    envelope_bytes: u64,
    latency_factors: Vec<(u64, f64)>,
    bandwidth_factors: Vec<(u64, f64)>,
    sender_returns_below_bytes: u64,
    starts_early_below_bytes: u64,
    send_overhead: Vec<(u64, f64, f64)>,
    nonblocking_send_overhead: Vec<(u64, f64, f64)>,
    receive_overhead: Vec<(u64, f64, f64)>,
    combine_s_per_byte: f64,
    loopback_latency_s: f64,
    loopback_bandwidth_bytes_per_s: f64,
}

impl Calibrated {
    pub fn calibration(self, py: Python<'_>) -> PyResult<Calibration> {
        Ok(Calibration {
            sharing: sharing(py, "calibration: sharing", &self.sharing, self.weight_s_bytes)?,
            cross_traffic: self.cross_traffic,
            tcp_window_bytes: self.tcp_window_bytes,
            envelope_bytes: self.envelope_bytes,
            latency_factors: self.latency_factors,
            bandwidth_factors: self.bandwidth_factors,
            sender_returns_below_bytes: self.sender_returns_below_bytes,
            starts_early_below_bytes: self.starts_early_below_bytes,
            send_overhead: self.send_overhead,
            nonblocking_send_overhead: self.nonblocking_send_overhead,
            receive_overhead: self.receive_overhead,
            combine_s_per_byte: self.combine_s_per_byte,
            loopback_latency_s: self.loopback_latency_s,
            loopback_bandwidth_bytes_per_s: self.loopback_bandwidth_bytes_per_s,
        })
    }
}

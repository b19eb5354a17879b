//! Simulated time: flows over given links, and jobs on a network.

use std::str::FromStr;
use std::sync::Arc;

use netloom_eval::flow::{
    Background, Calibration, Duplex, Execution, FlowSet, Machine, Sharing, Work, execute, watch_flows,
};
use netloom_eval::ranks::{Activity, Job, Load, Stretch, Trace, critical_path};
use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::{self as model, Fault};
use netloom_net::routing;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;
use crate::fault::to_py;
use crate::network::Network;
use crate::programs::Programs;
use crate::work::{looking, watched};
use crate::workload::{Schedule, Traffic};

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
    // Copies, since other threads of Python may write to what the user gave; route lists are made for this call alone.
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

/// What a job communicates, shared with the thread that works on it.
#[derive(FromPyObject)]
pub enum Given<'py> {
    Schedule(PyRef<'py, Schedule>),
    Programs(PyRef<'py, Programs>),
    Traffic(PyRef<'py, Traffic>),
}

pub enum Shared {
    Schedule(Arc<model::Schedule>),
    Programs(Arc<model::Programs>),
    Traffic(Arc<model::Traffic>),
}

impl Given<'_> {
    pub fn share(&self) -> Shared {
        match self {
            Given::Schedule(s) => Shared::Schedule(Arc::clone(&s.0)),
            Given::Programs(p) => Shared::Programs(Arc::clone(&p.0)),
            Given::Traffic(t) => Shared::Traffic(Arc::clone(&t.0)),
        }
    }
}

impl Shared {
    pub fn load(&self) -> Load<'_> {
        match self {
            Shared::Schedule(s) => Load::Schedule(s),
            Shared::Programs(p) => Load::Programs(p),
            Shared::Traffic(t) => Load::Traffic(t),
        }
    }
}

/// The machine without its network: every key of `netloom.calibration.Calibration.to_core`, and the settings of
/// `netloom.simulate`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Settings {
    duplex: String,
    switch_latency_s: f64,
    flops_per_s: f64,
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

impl Settings {
    pub fn calibration(&self, py: Python<'_>) -> PyResult<Calibration> {
        Ok(Calibration {
            sharing: sharing(py, "calibration: sharing", &self.sharing, self.weight_s_bytes)?,
            cross_traffic: self.cross_traffic,
            tcp_window_bytes: self.tcp_window_bytes,
            envelope_bytes: self.envelope_bytes,
            latency_factors: self.latency_factors.clone(),
            bandwidth_factors: self.bandwidth_factors.clone(),
            sender_returns_below_bytes: self.sender_returns_below_bytes,
            starts_early_below_bytes: self.starts_early_below_bytes,
            send_overhead: self.send_overhead.clone(),
            nonblocking_send_overhead: self.nonblocking_send_overhead.clone(),
            receive_overhead: self.receive_overhead.clone(),
            combine_s_per_byte: self.combine_s_per_byte,
            loopback_latency_s: self.loopback_latency_s,
            loopback_bandwidth_bytes_per_s: self.loopback_bandwidth_bytes_per_s,
        })
    }

    pub fn duplex(&self, py: Python<'_>) -> PyResult<Duplex> {
        match self.duplex.as_str() {
            "full" => Ok(Duplex::Full),
            "half" => Ok(Duplex::Half),
            other => Err(refuse(py, "simulate.duplex", "one of full, half", other)),
        }
    }

    pub fn machine<'a>(
        &self,
        network: &'a model::Network,
        routing: &'a dyn model::Routing,
        duplex: Duplex,
        calibration: &'a Calibration,
    ) -> Machine<'a> {
        Machine {
            network,
            routing,
            duplex,
            switch_latency_s: self.switch_latency_s,
            flops_per_s: self.flops_per_s,
            calibration,
        }
    }
}

/// See `netloom.simulate`. A job is (workload, endpoint of every rank, start, repetitions); background is (source,
/// destination, bytes, start, cap) per flow.
#[pyfunction]
#[pyo3(signature = (network, jobs, routing, settings, background, trace=false, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn simulate<'py>(
    py: Python<'py>,
    network: &Network,
    jobs: Vec<(Given<'py>, Bound<'py, PyAny>, f64, u32)>,
    routing: &str,
    settings: Settings,
    background: Vec<(u32, u32, f64, f64, f64)>,
    trace: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let call = cross::parse(py, routing)?;
    let (calibration, duplex) = (settings.calibration(py)?, settings.duplex(py)?);
    let mut loads = Vec::new();
    for (given, mapping, start_s, repetitions) in &jobs {
        loads.push((given.share(), cross::endpoints(mapping)?, *start_s, *repetitions));
    }
    let background: Vec<Background> = background
        .into_iter()
        .map(|(src, dst, bytes, start_s, cap_bytes_per_s)| Background { src, dst, bytes, start_s, cap_bytes_per_s })
        .collect();
    let net = Arc::clone(&network.0);
    let done = watched(py, progress, None, move |p| {
        let routing = routing::build(&net, &call)?;
        let machine = settings.machine(&net, routing.as_ref(), duplex, &calibration);
        let jobs: Vec<Job<'_>> = loads
            .iter()
            .map(|(load, mapping, start_s, repetitions)| Job {
                work: load.load(),
                endpoint_of_rank: mapping,
                routing: None,
                start_s: *start_s,
                repetitions: *repetitions,
            })
            .collect();
        execute(&machine, &jobs, &background, trace, p)
    })?;
    result(py, done)
}

fn result(py: Python<'_>, done: Execution) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("time_s", done.end_s())?;
    let finish = PyList::empty(py);
    for job in &done.finish_s {
        finish.append(cross::column(py, job)?)?;
    }
    out.set_item("finish_s", finish)?;
    out.set_item("messages", done.messages)?;
    out.set_item("bytes", done.bytes)?;
    set_work(&out, done.work)?;
    if let Some(trace) = &done.trace {
        out.set_item("trace", record(py, trace)?)?;
        let path = critical_path(trace, &|m| done.alone_s.get(m as usize).copied().unwrap_or(0.0));
        let segments = PyDict::new(py);
        segments.set_item("rank", PyArray1::from_iter(py, path.segments.iter().map(|s| s.rank)))?;
        segments.set_item("message", PyArray1::from_iter(py, path.segments.iter().map(|s| s.message)))?;
        let kind = |kind: Stretch| Stretch::ALL.iter().position(|k| *k == kind).unwrap_or(0) as u8;
        segments.set_item("kind", PyArray1::from_iter(py, path.segments.iter().map(|s| kind(s.kind))))?;
        segments.set_item("start_s", PyArray1::from_iter(py, path.segments.iter().map(|s| s.start_s)))?;
        segments.set_item("end_s", PyArray1::from_iter(py, path.segments.iter().map(|s| s.end_s)))?;
        let shares = PyDict::new(py);
        for kind in Stretch::ALL {
            shares.set_item(kind.name(), path.share_s(kind))?;
        }
        let made = PyDict::new(py);
        made.set_item("total_s", path.total_s)?;
        made.set_item("segments", segments)?;
        made.set_item("shares_s", shares)?;
        out.set_item("critical_path", made)?;
    }
    Ok(out)
}

fn record<'py>(py: Python<'py>, trace: &Trace) -> PyResult<Bound<'py, PyDict>> {
    let (m, i) = (&trace.messages, &trace.intervals);
    let messages = PyDict::new(py);
    messages.set_item("src", PyArray1::from_iter(py, m.iter().map(|m| m.src)))?;
    messages.set_item("dst", PyArray1::from_iter(py, m.iter().map(|m| m.dst)))?;
    messages.set_item("bytes", PyArray1::from_iter(py, m.iter().map(|m| m.bytes)))?;
    messages.set_item("job", PyArray1::from_iter(py, m.iter().map(|m| m.job)))?;
    messages.set_item("posted_send_s", PyArray1::from_iter(py, m.iter().map(|m| m.posted_send_s)))?;
    messages.set_item("posted_receive_s", PyArray1::from_iter(py, m.iter().map(|m| m.posted_receive_s)))?;
    messages.set_item("start_s", PyArray1::from_iter(py, m.iter().map(|m| m.start_s)))?;
    messages.set_item("flow_s", PyArray1::from_iter(py, m.iter().map(|m| m.flow_s)))?;
    messages.set_item("finish_s", PyArray1::from_iter(py, m.iter().map(|m| m.finish_s)))?;
    let activity = |a: Activity| match a {
        Activity::Compute => 0u8,
        Activity::Overhead => 1,
        Activity::WaitSend => 2,
        Activity::WaitReceive => 3,
        Activity::Wait => 4,
    };
    let intervals = PyDict::new(py);
    intervals.set_item("rank", PyArray1::from_iter(py, i.iter().map(|i| i.rank)))?;
    intervals.set_item("activity", PyArray1::from_iter(py, i.iter().map(|i| activity(i.activity))))?;
    intervals.set_item("start_s", PyArray1::from_iter(py, i.iter().map(|i| i.start_s)))?;
    intervals.set_item("end_s", PyArray1::from_iter(py, i.iter().map(|i| i.end_s)))?;
    intervals.set_item("message", PyArray1::from_iter(py, i.iter().map(|i| i.message)))?;
    let bins = &trace.link_bins;
    let utilisation = PyDict::new(py);
    utilisation.set_item("width_s", bins.width_s)?;
    utilisation.set_item("bins", bins.bins)?;
    utilisation.set_item("links", PyArray1::from_slice(py, &bins.links))?;
    let bytes = PyArray1::from_slice(py, &bins.bytes).reshape([bins.links.len(), bins.bins as usize])?;
    utilisation.set_item("bytes", bytes)?;
    let out = PyDict::new(py);
    out.set_item("ranks", trace.ranks)?;
    out.set_item("messages", messages)?;
    out.set_item("intervals", intervals)?;
    out.set_item("link_bins", utilisation)?;
    Ok(out)
}

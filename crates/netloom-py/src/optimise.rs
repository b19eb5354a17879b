//! Searches for a better mapping.

use std::sync::Arc;

use netloom_eval::flow::Stopwatch;
use netloom_eval::ranks::Job;
use netloom_model as model;
use netloom_model::{Clock, Outcome};
use netloom_net::routing;
use netloom_optimize::{self as search, Budget, Problem};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cross;
use crate::eval::{distances, matrix};
use crate::flow::{Given, Settings, Shared};
use crate::network::Network;
use crate::work::watched;

/// Many slots for one endpoint of the machine that is timed: the slots of an endpoint are numbered one after another.
struct Shares<C> {
    clock: C,
    slots: u32,
}

impl<C: Clock> Clock for Shares<C> {
    fn time_s(&self, slot_of_rank: &[u32], limit_s: f64) -> Outcome<Option<f64>> {
        if self.slots == 1 {
            return self.clock.time_s(slot_of_rank, limit_s);
        }
        let endpoints: Vec<u32> = slot_of_rank.iter().map(|slot| slot / self.slots).collect();
        self.clock.time_s(&endpoints, limit_s)
    }
}

/// True if an objective is timed, so that `optimise` needs `timing`.
#[pyfunction]
pub fn needs_clock(py: Python<'_>, objective: &str) -> PyResult<bool> {
    Ok(search::needs_clock(&cross::parse(py, objective)?))
}

/// Improves a mapping; see `netloom.map_ranks`. `routing` gives the paths of the objectives that look at links; `timing`
/// is what the objective `time` simulates: the network (of whose endpoints `network` may have several slots each), the
/// settings of the machine, its routing, and how often the workload is done.
#[pyfunction]
#[pyo3(signature = (network, mapping, workload, optimiser, objective, free, seconds=None, progress=None, distance=None,
    routing="single-minimal", timing=None))]
#[allow(clippy::too_many_arguments)]
pub fn optimise<'py>(
    py: Python<'py>,
    network: &Network,
    mapping: &Bound<'py, PyAny>,
    workload: Given<'py>,
    optimiser: &str,
    objective: &str,
    free: bool,
    seconds: Option<f64>,
    progress: Option<Py<PyAny>>,
    distance: Option<PyReadonlyArray2<'py, u8>>,
    routing: &str,
    timing: Option<(PyRef<'py, Network>, Settings, String, u32)>,
) -> PyResult<Bound<'py, PyDict>> {
    let (method, goal, paths) =
        (cross::parse(py, optimiser)?, cross::parse(py, objective)?, cross::parse(py, routing)?);
    let start = cross::mapping(network, mapping)?;
    let (net, load, given) = (Arc::clone(&network.0), workload.share(), matrix(network, distance));
    let timing = timing.filter(|_| search::needs_clock(&goal)).map(|(host, settings, routing, repetitions)| {
        let (calibration, duplex) = (settings.calibration(py)?, settings.duplex(py)?);
        let call = cross::parse(py, &routing)?;
        PyResult::Ok((Arc::clone(&host.0), settings, calibration, duplex, call, repetitions))
    });
    let timing = timing.transpose()?;
    let budget = if seconds.is_some() { Budget::UntilStopped } else { Budget::Swaps };
    let found = watched(py, progress, seconds, move |p| {
        let distance = distances(&net, given, &model::Progress::new())?;
        let (traffic, schedule) = match &load {
            Shared::Schedule(s) => (Arc::new(model::Traffic::of_schedule(s)?), Some(s.as_ref())),
            Shared::Programs(p) => (Arc::new(model::Traffic::of_programs(p)?), None),
            Shared::Traffic(t) => (Arc::clone(t), None),
        };
        // Hops need no paths, and a routing may keep a matrix of its own.
        let routing = if search::needs_routing(&goal) {
            Some(routing::build(&net, &paths)?)
        } else {
            routing::check(&paths)?;
            None
        };
        let ways = timing.as_ref().map(|(host, _, _, _, call, _)| routing::build(host, call)).transpose()?;
        let machine = timing.as_ref().zip(ways.as_deref()).map(|((host, settings, calibration, duplex, ..), ways)| {
            settings.machine(host, ways, *duplex, calibration)
        });
        let slots = machine.as_ref().map_or(1, |m| (net.endpoints() / m.network.endpoints().max(1)).max(1));
        let first: Vec<u32> = start.endpoints().iter().map(|slot| slot / slots).collect();
        let repetitions = timing.as_ref().map_or(1, |t| t.5);
        let job = Job { work: load.load(), endpoint_of_rank: &first, routing: None, start_s: 0.0, repetitions };
        let watch = machine.as_ref().map(|machine| Stopwatch::new(machine, job, p)).transpose()?;
        let clock = watch.map(|clock| Shares { clock, slots });
        let problem = Problem {
            network: &net,
            distance: &distance,
            start: &start,
            traffic: &traffic,
            schedule,
            routing: routing.as_deref(),
            clock: clock.as_ref().map(|c| c as &dyn Clock),
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

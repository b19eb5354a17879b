//! Scenarios, and the entry point of all evaluators.

use std::sync::Arc;

use netloom::{Parts, PartsJob, RUNGS};
use netloom_model::job::JOB;
use netloom_model::{self as model, Background, Seats};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::fault::OrRaise;
use crate::objects::{Given, Network, Node};
use crate::processes::Processes;
use crate::work::{waited, watched};
use crate::{answer, cross};

/// Source, destination, bytes, start and cap of a background flow.
type Flow = (u32, u32, f64, f64, f64);

/// A workload on its places.
#[pyclass(frozen, module = "netloom._core")]
pub struct Job(PartsJob);

#[pymethods]
impl Job {
    /// `endpoints` has one per rank, and several ranks may be on one; `seats` has the seat of each rank on its
    /// endpoint; in order of rank if absent. `options`: the table `netloom_model::job::JOB`.
    #[new]
    #[pyo3(signature = (name, workload, endpoints, seats=None, **options))]
    fn new(
        py: Python<'_>,
        name: String,
        workload: Given<'_>,
        endpoints: &Bound<'_, PyAny>,
        seats: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Job> {
        let bound = model::Bound::bind(JOB, &cross::options("job", options)).or_raise(py)?;
        let mut places = Seats::new(cross::endpoints(endpoints)?);
        if let Some(seats) = seats {
            places = places.with_seats(cross::endpoints(seats)?).or_raise(py)?;
        }
        if bound.is_given("cores") {
            places = places.with_room(bound.size("cores"));
        }
        let routing = bound.is_given("routing").then(|| cross::parse(py, bound.text("routing"))).transpose()?;
        let job = model::Job::new(name, Arc::new(places), workload.share(), &bound).or_raise(py)?;
        Ok(Job(PartsJob::new(job, routing).or_raise(py)?))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.job.name
    }
    #[getter]
    fn ranks(&self) -> u32 {
        self.0.job.seats.ranks()
    }
}

/// The inputs of one question.
#[pyclass(frozen, module = "netloom._core")]
pub struct Scenario(pub Arc<model::Scenario>);

#[pymethods]
impl Scenario {
    /// `background` has a (source, destination, bytes, start, cap) per flow. `machine`: settings of the tables
    /// `netloom_model::machine::WIRE` and `SOFTWARE` by name.
    #[new]
    #[pyo3(signature = (network, jobs, background=None, machine=None, node=None))]
    fn new(
        py: Python<'_>,
        network: &Network,
        jobs: Vec<PyRef<'_, Job>>,
        background: Option<Vec<Flow>>,
        machine: Option<&Bound<'_, PyDict>>,
        node: Option<&Node>,
    ) -> PyResult<Scenario> {
        let flow =
            |(src, dst, bytes, start_s, cap_bytes_per_s)| Background { src, dst, bytes, start_s, cap_bytes_per_s };
        let settings = model::Settings::bind(&cross::options("machine", machine)).or_raise(py)?.1;
        let machine = model::Machine::new(Arc::clone(&network.0), Arc::clone(&network.2)).with(settings);
        let parts = Parts {
            machine: model::Machine { node: node.map(|node| Arc::clone(&node.0)), ..machine },
            jobs: jobs.iter().map(|job| job.0.clone()).collect(),
            background: background.into_iter().flatten().map(flow).collect(),
        };
        Ok(Scenario(Arc::new(waited(py, move || parts.scenario())?)))
    }

    /// The network whose links answers number: with an endpoint inside every switch that takes part in a collective.
    #[getter]
    fn network(&self) -> Network {
        let machine = &self.0.machine;
        Network(Arc::clone(&machine.network), Vec::new(), Arc::clone(&machine.distances))
    }

    /// The same with other settings of wire and software; routings that are built stay.
    fn with_machine(&self, py: Python<'_>, machine: &Bound<'_, PyDict>) -> PyResult<Scenario> {
        let settings = model::Settings::bind(&cross::options("machine", Some(machine))).or_raise(py)?.1;
        let model::Scenario { machine, jobs, background } = self.0.as_ref().clone();
        Ok(Scenario(Arc::new(model::Scenario { machine: machine.with(settings), jobs, background })))
    }
}

/// The answer of an evaluator, by name or with its options such as `time(trace=true)`, to a scenario. After `seconds` the
/// evaluator is stopped: what it has then is its answer, if it can give a part of one.
#[pyfunction]
#[pyo3(signature = (scenario, evaluator, options=None, progress=None, seconds=None))]
pub fn evaluate<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    evaluator: &str,
    options: Option<&Bound<'py, PyDict>>,
    progress: Option<Py<PyAny>>,
    seconds: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut call = cross::parse(py, evaluator)?;
    call.keyword.extend(cross::options(evaluator, options).keyword);
    let scenario = Arc::clone(&scenario.0);
    let found = watched(py, progress, seconds, move |p| netloom::ask(&scenario, &call, p))?;
    answer::answer(py, found)
}

/// The share of the messages that the evaluator `time` is thought to simulate, where ranks and rounds are alike.
#[pyfunction]
pub fn simulated_share(py: Python<'_>, scenario: &Scenario) -> PyResult<f64> {
    let scenario = Arc::clone(&scenario.0);
    waited(py, move || netloom_flow::simulated_share(&scenario))
}

/// The answer of an evaluator that several processes can compute together, each of which calls it with the same scenario and
/// options. `processes` has the numbers `rank` and `size`, and `all_to_all(list[bytes]) -> list[bytes]`, which gives every
/// process its bytes and returns what each has for this one; `digest` is of inputs that must be the same everywhere.
#[pyfunction]
pub fn evaluate_together<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    evaluator: &str,
    options: &Bound<'py, PyDict>,
    processes: &Bound<'py, PyAny>,
    digest: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut group = netloom_packet::ProcessGroup::of(Box::new(Processes::new(processes)?));
    group.does(digest);
    let mut call = cross::parse(py, evaluator)?;
    call.keyword.extend(cross::options(evaluator, Some(options)).keyword);
    let scenario = Arc::clone(&scenario.0);
    let found = watched(py, progress, None, move |p| netloom::ask_together(&scenario, &call, p, group))?;
    answer::answer(py, found)
}

/// Every evaluator: its name, its model with the assumptions, and the fields of its record and its tables as (name,
/// unit, help).
#[pyfunction]
pub fn evaluators(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let fields = |fields: &'static [model::Field]| fields.iter().map(|f| (f.name, f.unit, f.help)).collect::<Vec<_>>();
    let out = PyList::empty(py);
    for row in RUNGS.rows {
        let item = PyDict::new(py);
        item.set_item("name", row.name)?;
        item.set_item("model", row.model)?;
        item.set_item("version", row.version)?;
        item.set_item("assumptions", row.assumptions)?;
        item.set_item("fields", fields(row.fields))?;
        let tables = PyDict::new(py);
        for table in row.tables {
            tables.set_item(table.name, (table.help, fields(table.fields)))?;
        }
        item.set_item("tables", tables)?;
        out.append(item)?;
    }
    Ok(out)
}

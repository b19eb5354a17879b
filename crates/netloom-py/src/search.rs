//! Searches for better places for a scenario's job.

use std::sync::Arc;

use netloom::Goal;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cross;
use crate::scenario::Scenario;
use crate::work::watched;

/// True if an objective is simulated time whenever the workload can be simulated.
#[pyfunction]
pub fn takes_clock(py: Python<'_>, objective: &str) -> PyResult<bool> {
    Ok(netloom::takes_clock(&cross::parse(py, objective)?))
}

/// True if an objective follows messages on several paths.
#[pyfunction]
pub fn takes_split(py: Python<'_>, objective: &str) -> PyResult<bool> {
    Ok(netloom::takes_split(&cross::parse(py, objective)?))
}

/// True if an objective is timed, so that it depends on the scenario's machine.
#[pyfunction]
pub fn needs_clock(py: Python<'_>, objective: &str) -> PyResult<bool> {
    Ok(netloom::needs_clock(&cross::parse(py, objective)?))
}

/// As `netloom::search`; after `seconds` it ends with what it has found.
#[pyfunction]
#[pyo3(signature = (scenario, optimiser, objective, *, free, timed, one_path=None, seconds=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "all but the first three by name")]
pub fn search<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    optimiser: &str,
    objective: &str,
    free: bool,
    timed: bool,
    one_path: Option<&str>,
    seconds: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (optimiser, objective) = (cross::parse(py, optimiser)?, cross::parse(py, objective)?);
    let one_path = one_path.map(|text| cross::parse(py, text)).transpose()?;
    let goal = Goal { optimiser, objective, free, timed, one_path };
    let asked = Arc::clone(&scenario.0);
    let found = watched(py, progress, seconds, move |p| netloom::search(&asked, &goal, seconds.is_some(), p))?;
    let out = PyDict::new(py);
    let column = |of: fn(&netloom_model::Place) -> u32| found.places.iter().map(of).collect::<Vec<_>>();
    out.set_item("mapping", cross::column(py, &column(|place| place.endpoint))?)?;
    out.set_item("seats", cross::column(py, &column(|place| place.seat))?)?;
    out.set_item("value", found.solution.value)?;
    out.set_item("start_value", found.solution.start_value)?;
    out.set_item("bound", found.solution.bound)?;
    out.set_item("evaluations", found.solution.evaluations)?;
    out.set_item("accepted", found.solution.accepted)?;
    out.set_item("trace", found.solution.trace.iter().map(|t| (t.evaluations, t.value)).collect::<Vec<_>>())?;
    out.set_item("method", found.solution.method)?;
    out.set_item("decided_by", found.solution.decided_by)?;
    Ok(out)
}

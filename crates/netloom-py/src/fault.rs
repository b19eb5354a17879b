//! Faults cross to Python here and nowhere else: as `netloom.base.errors.NetloomError` with a list of `Fault`.

use netloom_model::{Faults, Outcome};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The Python exception that carries `faults`.
pub fn to_py(py: Python<'_>, faults: &Faults) -> PyErr {
    match build(py, faults) {
        Ok(error) => PyErr::from_value(error),
        // Only if the package itself is damaged: still report the fault of the input.
        Err(_) => PyRuntimeError::new_err(faults.to_string()),
    }
}

fn build<'py>(py: Python<'py>, faults: &Faults) -> PyResult<Bound<'py, PyAny>> {
    let errors = py.import("netloom.base.errors")?;
    let class = errors.getattr("Fault")?;
    let mut items = Vec::with_capacity(faults.0.len());
    for f in &faults.0 {
        items.push(class.call1((f.code, &f.place, &f.expected, &f.got, &f.hint))?);
    }
    errors.getattr("NetloomError")?.call1((items,))
}

/// `?` for outcomes inside Python functions.
pub trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Outcome<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|faults| to_py(py, &faults))
    }
}

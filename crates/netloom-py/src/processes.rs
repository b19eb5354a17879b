//! Processes that simulate together, as Python reaches them.

use netloom_model::{Fault, Outcome};
use netloom_packet::Exchange;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// See [`crate::scenario::evaluate_together`].
pub struct Processes {
    given: Py<PyAny>,
    place: (u16, u16),
}

impl Processes {
    pub fn new(given: &Bound<'_, PyAny>) -> PyResult<Processes> {
        let place = (given.getattr("rank")?.extract()?, given.getattr("size")?.extract()?);
        Ok(Processes { given: given.clone().unbind(), place })
    }
}

impl Exchange for Processes {
    fn place(&self) -> (u16, u16) {
        self.place
    }

    fn all_to_all(&mut self, out: Vec<Vec<u8>>) -> Outcome<Vec<Vec<u8>>> {
        let called = Python::attach(|py| {
            let out: Vec<Bound<'_, PyBytes>> = out.iter().map(|bytes| PyBytes::new(py, bytes)).collect();
            self.given.bind(py).call_method1("all_to_all", (out,))?.extract::<Vec<Vec<u8>>>()
        });
        called.map_err(|error: PyErr| {
            Fault::say(
                &netloom_packet::codes::ELSEWHERE,
                "simulation",
                format!("another process is out of reach: {error}"),
            )
            .into()
        })
    }
}

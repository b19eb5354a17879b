//! Nodes: what is below an endpoint.

use std::sync::Arc;

use netloom_model as model;
use pyo3::prelude::*;

use crate::cross;
use crate::fault::OrRaise;

/// The levels of a node, and its NICs.
#[pyclass(frozen, module = "netloom._core")]
pub struct Node(pub Arc<model::Node>);

#[pymethods]
impl Node {
    /// From call text, such as `node(sockets=2,cores=8)`.
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Node> {
        let (row, bound) = model::NODES.bind(&cross::parse(py, text)?).or_raise(py)?;
        Ok(Node(Arc::new((row.build)(&bound).or_raise(py)?)))
    }

    #[getter]
    fn seats(&self) -> u32 {
        self.0.seats()
    }
    #[getter]
    fn seats_per_endpoint(&self) -> u32 {
        self.0.seats_per_endpoint()
    }
    #[getter]
    fn nics(&self) -> u32 {
        self.0.nics()
    }
}

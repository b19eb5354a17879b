//! Nodes: what is below an endpoint.

use std::sync::Arc;

use netloom_model as model;
use pyo3::prelude::*;

use crate::cross;
use crate::fault::OrRaise;
use crate::kept::{self, Reduced, reduced};
use crate::objects::{Network, Node};
use crate::work::waited;

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
    /// The same node behind the endpoints of a network, which may say which of them are ports of one host.
    fn on(&self, py: Python<'_>, network: &Network) -> PyResult<Node> {
        Ok(Node(Arc::new(self.0.on(&network.0).or_raise(py)?)))
    }
    /// Seats behind every endpoint of the network that the node is on; None if all have as many.
    fn rooms<'py>(&self, py: Python<'py>, network: &Network) -> PyResult<Option<Bound<'py, PyAny>>> {
        let rooms: Vec<u32> = (0..network.0.endpoints()).map(|endpoint| self.0.room(endpoint)).collect();
        if rooms.iter().all(|room| *room == rooms[0]) { Ok(None) } else { cross::column(py, &rooms).map(Some) }
    }
    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced(py, kept::NODE, &self.0)
    }
    fn __eq__(&self, other: &Node) -> bool {
        self.0 == other.0
    }
    fn __hash__(&self) -> u64 {
        kept::hashed((self.0.seats(), self.0.nics()))
    }
    #[getter]
    fn nics(&self) -> u32 {
        self.0.nics()
    }
}

/// The network with `slots` endpoints in place of each one, of which those beyond its seats on the node are no places.
pub fn with_slots(
    py: Python<'_>,
    network: &Arc<model::Network>,
    slots: u32,
    node: Option<&Node>,
) -> PyResult<Arc<model::Network>> {
    let node = node.map(|node| node.0.on(network)).transpose().or_raise(py)?;
    let network = Arc::clone(network);
    let room = move |endpoint| node.as_ref().map_or(slots, |node| node.room(endpoint));
    Ok(Arc::new(waited(py, move || network.with_rooms(slots, room))?))
}

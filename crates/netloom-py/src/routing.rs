//! Routings: the paths of pairs of switches, and whether they may deadlock.

use std::sync::Arc;

use netloom_model as model;
use netloom_model::{Deadlock, deadlock};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::cross;
use crate::fault::OrRaise;
use crate::kept::{Reduced, remade};
use crate::objects::{Network, Routing};
use crate::work::watched;

#[pymethods]
impl Routing {
    #[getter]
    fn label(&self) -> &str {
        self.routing.label()
    }
    #[getter]
    fn virtual_channels(&self) -> u8 {
        self.routing.virtual_channels()
    }
    #[getter]
    fn is_deterministic(&self) -> bool {
        self.routing.is_deterministic()
    }

    /// Candidate paths: `links`, the `switches` they pass, `channels`, `fraction` of the traffic.
    fn paths<'py>(&self, py: Python<'py>, source: u32, destination: u32) -> PyResult<Bound<'py, PyList>> {
        let n = self.network.switches();
        for (name, switch) in [("source", source), ("destination", destination)] {
            if switch >= n {
                let expected = format!("a switch in 0..{n} (exclusive)");
                let fault =
                    model::Fault::new(&model::fault::codes::BAD_VALUE, format!("paths.{name}"), expected, switch);
                return Err(crate::fault::to_py(py, &fault.into()));
            }
        }
        let mut paths = Vec::new();
        py.detach(|| self.routing.paths(source, destination, &mut paths)).or_raise(py)?;
        let list = PyList::empty(py);
        for path in paths {
            let row = PyDict::new(py);
            let heads = path.links.iter().map(|&l| self.network.heads()[l as usize]);
            row.set_item("switches", std::iter::once(source).chain(heads).collect::<Vec<u32>>())?;
            row.set_item("links", path.links)?;
            row.set_item("channels", path.channels.iter().map(|&c| u32::from(c)).collect::<Vec<u32>>())?;
            row.set_item("fraction", path.fraction)?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// `free` with the size of the channel dependency graph, or the `cycle` found as (link, virtual channel) pairs; with
    /// `tables` those of its forwarding tables, which have one virtual channel.
    #[pyo3(signature = (progress=None, tables=false))]
    fn deadlock<'py>(
        &self,
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
        tables: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (network, routing) = (Arc::clone(&self.network), Arc::clone(&self.routing));
        let found = watched(py, progress, None, move |p| {
            if !tables {
                return deadlock(&network, routing.as_ref(), p);
            }
            let tables = netloom_net::routing::forwarding(&network, &*routing, p)?;
            netloom_net::routing::deadlock_of(&network, &tables)
        })?;
        verdict(py, found)
    }

    /// Its forwarding tables in a format, as bytes.
    #[pyo3(signature = (format, progress=None))]
    fn write<'py>(&self, py: Python<'py>, format: &str, progress: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyBytes>> {
        let call = cross::parse(py, format)?;
        let (network, routing) = (Arc::clone(&self.network), Arc::clone(&self.routing));
        let bytes = watched(py, progress, None, move |p| {
            let tables = netloom_net::routing::forwarding(&network, &*routing, p)?;
            netloom_formats::write(&tables, &call, &network)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        let network = Network::of(Arc::clone(&self.network));
        remade(py, "Network", "routing", (network, self.routing.label()).into_pyobject(py)?)
    }
    fn __repr__(&self) -> String {
        format!("<Routing {} on {}>", self.routing.label(), self.network.label())
    }
}

/// A verdict on deadlocks as it is given to Python.
pub fn verdict(py: Python<'_>, found: Deadlock) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    match found {
        Deadlock::Free { channels, dependencies, .. } => {
            out.set_item("free", true)?;
            out.set_item("channels", channels)?;
            out.set_item("dependencies", dependencies)?;
        }
        Deadlock::Cycle(cycle) => {
            out.set_item("free", false)?;
            let pairs: Vec<(u32, u32)> = cycle.iter().map(|c| (c.0, u32::from(c.1))).collect();
            out.set_item("cycle", pairs)?;
        }
    }
    Ok(out)
}

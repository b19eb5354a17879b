//! Networks and their metrics.

use std::sync::Arc;

use netloom_net::{contract, metrics, registry, routing};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use crate::cross::array;
use crate::fault::OrRaise;
use crate::kept::{Reduced, hashed, reduced_network};
use crate::node;
use crate::objects::{Network, Node, Routing};
use crate::work::{waited, watched};
use crate::{cross, facts, failures, formats, made, subnet};

#[pymethods]
impl Network {
    /// The network that a call such as `torus(8,8,8)` describes.
    #[staticmethod]
    fn build(py: Python<'_>, text: &str) -> PyResult<Network> {
        let call = cross::parse(py, text)?;
        let network = waited(py, move || registry::build(&call))?;
        Ok(Network::new(network, Vec::new()))
    }

    /// As `build`, from a name and Python arguments.
    #[staticmethod]
    #[pyo3(signature = (name, *args, **kwargs))]
    fn make(
        py: Python<'_>,
        name: &str,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Network> {
        let call = cross::call(name, args, kwargs);
        let network = waited(py, move || registry::build(&call))?;
        Ok(Network::new(network, Vec::new()))
    }

    /// A network from an array of cables (m × 2 switch numbers) and the switch of every endpoint.
    #[staticmethod]
    fn from_edges(
        py: Python<'_>,
        label: &str,
        switches: u32,
        edges: PyReadonlyArray2<'_, i64>,
        endpoint_switch: PyReadonlyArray1<'_, i64>,
        bandwidth_bytes_per_s: f64,
        latency_s: f64,
    ) -> PyResult<Network> {
        let links = (bandwidth_bytes_per_s, latency_s);
        made::of_edges(py, label, switches, &edges, &endpoint_switch, links)
    }

    /// A network from a file's bytes; `place` is its name, for messages and for recognising the format.
    #[staticmethod]
    #[pyo3(signature = (data, place, format=None))]
    fn read(py: Python<'_>, data: PyBackedBytes, place: &str, format: Option<&str>) -> PyResult<Network> {
        formats::read(py, data, place, format)
    }

    /// The network in a format, as bytes.
    fn write<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        formats::write(py, self, format)
    }

    /// Notes of the reader of its file; empty otherwise.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.1.clone()
    }

    /// The same network with `slots` endpoints, `e·slots` and on, in place of each; those beyond its seats on `node` are no places.
    #[pyo3(signature = (slots, node=None))]
    fn with_slots(&self, py: Python<'_>, slots: u32, node: Option<&Node>) -> PyResult<Network> {
        Ok(Network(node::with_slots(py, &self.0, slots, node)?, self.1.clone(), Arc::clone(&self.2)))
    }

    /// The same network with the forwarding tables of a file called `name`, for the routing `tables(name)`.
    #[pyo3(signature = (data, name, format=None))]
    fn with_tables(&self, py: Python<'_>, data: PyBackedBytes, name: &str, format: Option<&str>) -> PyResult<Network> {
        formats::with_tables(py, self, data, name, format)
    }

    /// The same network with forwarding tables called `name`: column of each endpoint (`column_of`), and for each column the
    /// link that leaves each switch (`links`, columns × switches; 2^32 - 1 where there is none).
    fn with_next_links(
        &self,
        py: Python<'_>,
        name: &str,
        column_of: PyReadonlyArray1<'_, u32>,
        links: PyReadonlyArray2<'_, u32>,
    ) -> PyResult<Network> {
        subnet::with_next_links(py, self, name, &column_of, &links)
    }

    /// The same graph without the structure given by its generator.
    fn without_structure(&self) -> Network {
        Network(Arc::new(self.0.without_structure()), Vec::new(), Arc::clone(&self.2))
    }

    /// The same network with cables and switches out of service: `link:12-40`, `link:12-40#0`, `switch:17`,
    /// `links:0.5%,seed=3` or `switches:4,seed=3`, a list of them or a text of lines; `place` is its name in messages.
    #[pyo3(signature = (failures, place=None))]
    fn without(&self, py: Python<'_>, failures: failures::Lines, place: Option<&str>) -> PyResult<Network> {
        failures::without(py, self, failures, place)
    }

    /// The parts that cables join, in order of their lowest switches: numbers of `switches`, and how many `endpoints`.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        facts::parts(py, self.0.connected_parts())
    }

    /// One of these parts as a network: by its number, or by the name of a switch, an endpoint or a host in it.
    fn part(&self, py: Python<'_>, which: &str) -> PyResult<Network> {
        formats::part(py, self, which)
    }

    /// The parts out of service, or None: `whole` (label of the network in full service), `switches`, and `cables` as
    /// pairs of switches, those of failed switches included.
    #[getter]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.0.failed().map(|failed| facts::failed(py, failed)).transpose()
    }

    /// Raises if one of `endpoints` is on a switch that is out of service.
    fn require_in_service(&self, py: Python<'_>, endpoints: PyReadonlyArray1<'_, u32>) -> PyResult<()> {
        self.0.require_in_service(endpoints.as_array().iter().copied()).or_raise(py)
    }

    #[getter]
    fn label(&self) -> &str {
        self.0.label()
    }
    #[getter]
    fn family(&self) -> &str {
        &self.0.structure().family
    }
    #[getter]
    fn switches(&self) -> u32 {
        self.0.switches()
    }
    #[getter]
    fn endpoints(&self) -> u32 {
        self.0.endpoints()
    }
    /// Full-duplex cables between switches.
    #[getter]
    fn switch_links(&self) -> u32 {
        self.0.cables()
    }
    /// Full-duplex cables between endpoints and switches.
    #[getter]
    fn endpoint_links(&self) -> u32 {
        self.0.endpoints()
    }
    /// Directed switch links: the switch where each begins.
    #[getter]
    fn tails<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        array(py, self.0.tails())
    }
    /// Directed switch links: the switch where each ends.
    #[getter]
    fn heads<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        array(py, self.0.heads())
    }
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        array(py, self.0.offsets())
    }
    /// The other direction of every directed switch link.
    #[getter]
    fn reverse<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        array(py, self.0.reverse())
    }
    /// Number of a switch link among those that join the same switches, from 0; None for the only one.
    fn parallel(&self, link: u32) -> Option<u32> {
        self.0.parallel(link)
    }
    /// Index into `classes` of every directed switch link.
    #[getter]
    fn class_index<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        array(py, self.0.class_of())
    }
    /// Bandwidth of every directed link: switch links, then injection, then ejection links of all endpoints.
    #[getter]
    fn link_bandwidth_bytes_per_s<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, (0..self.0.links()).map(|link| self.0.class(link).bandwidth_bytes_per_s))
    }
    #[getter]
    fn endpoint_switch<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        array(py, self.0.endpoint_switch())
    }
    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        facts::classes(py, self.0.classes())
    }
    /// What has the bandwidth of the links of endpoints: "direction", "cable" or "flow".
    #[getter]
    fn endpoint_per(&self) -> &'static str {
        self.0.endpoint_class().per.name()
    }
    /// Group of every switch, or None.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        self.0.structure().groups.as_deref().map(|g| array(py, g))
    }
    /// Chassis of every switch, or None.
    #[getter]
    fn chassis<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        self.0.structure().chassis.as_deref().map(|c| array(py, c))
    }
    /// Level of every switch of a tree, 0 at the endpoints, or None.
    #[getter]
    fn levels<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u8>>> {
        self.0.structure().levels.as_deref().map(|g| array(py, g))
    }
    /// Seats for ranks on an endpoint, if the network's file gives them; else 1.
    #[getter]
    fn seats(&self) -> u32 {
        self.0.seats()
    }
    /// Which endpoints are ports of one host; None if each endpoint is a host of its own.
    #[getter]
    fn hosts<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.0.hosts().map(|hosts| facts::hosts(py, hosts)).transpose()
    }
    /// Call text of the default routing of such machines.
    #[getter]
    fn default_routing(&self) -> String {
        routing::default_routing(&self.0)
    }
    /// `(dims, wrap, complete)` of a grid, or None.
    #[getter]
    fn grid(&self) -> Option<(Vec<u32>, Vec<bool>, bool)> {
        self.0.structure().grid.as_ref().map(|g| (g.dims.clone(), g.wrap.clone(), g.complete))
    }
    /// Rails of a GPU cluster and how they are joined, or None.
    #[getter]
    fn rails<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.0.structure().rails.map(|rails| facts::rails(py, rails)).transpose()
    }
    /// Jumps of a circulant, or None.
    #[getter]
    fn jumps(&self) -> Option<Vec<u32>> {
        self.0.structure().jumps.clone()
    }
    /// True if switch numbers run along a ring.
    #[getter]
    fn is_ring(&self) -> bool {
        self.0.structure().ring
    }
    #[getter]
    fn switch_names(&self) -> Vec<String> {
        (0..self.0.switches()).map(|s| self.0.switch_name(s)).collect()
    }
    #[getter]
    fn endpoint_names(&self) -> Vec<String> {
        (0..self.0.endpoints()).map(|e| self.0.endpoint_name(e)).collect()
    }
    #[getter]
    fn has_names(&self) -> bool {
        self.0.has_names()
    }

    /// Size, degree and distances; see `netloom.describe`.
    #[pyo3(signature = (use_symmetry=true, progress=None))]
    fn metrics<'py>(
        &self,
        py: Python<'py>,
        use_symmetry: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let network = Arc::clone(&self.0);
        let options = metrics::Options { use_symmetry };
        let m = watched(py, progress, None, move |p| metrics::metrics(&network, options, p))?;
        facts::metrics(py, m)
    }

    /// Cables crossed by a cut into equal halves: the best found, and a lower bound.
    #[pyo3(signature = (seed=0, progress=None))]
    fn bisection<'py>(&self, py: Python<'py>, seed: u64, progress: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let network = Arc::clone(&self.0);
        let cut = watched(py, progress, None, move |p| metrics::bisection(&network, seed, p))?;
        facts::bisection(py, &cut)
    }

    /// Cables, and their bandwidth, that a cut into equal halves of the endpoints crosses. `known`: upper, lower, exact,
    /// method and equal_endpoints of the cut into halves of the switches, if there.
    #[pyo3(signature = (known=None, seed=0, progress=None))]
    fn endpoint_bisection<'py>(
        &self,
        py: Python<'py>,
        known: Option<(u64, u64, bool, String, Option<u64>)>,
        seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let network = Arc::clone(&self.0);
        let known = known.map(made::known_cut);
        let cut = watched(py, progress, None, move |p| metrics::endpoint_bisection(&network, known, seed, p))?;
        facts::endpoint_bisection(py, &cut)
    }

    /// Checks the contract of topologies: raises if the network contradicts itself.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let network = Arc::clone(&self.0);
        waited(py, move || contract::check_network(&network, None))
    }

    /// A routing on this network.
    fn routing(&self, py: Python<'_>, text: &str) -> PyResult<Routing> {
        let call = cross::parse(py, text)?;
        let network = Arc::clone(&self.0);
        let routing = waited(py, move || routing::build(&network, &call))?;
        Ok(Routing { network: Arc::clone(&self.0), routing: routing.into() })
    }

    /// Hops between all switches, one byte each, shape (switches, switches).
    #[pyo3(signature = (progress=None))]
    fn hop_matrix<'py>(&self, py: Python<'py>, progress: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let network = Arc::clone(&self.0);
        let matrix = watched(py, progress, None, move |p| metrics::hop_matrix(&network, p))?;
        let n = matrix.switches() as usize;
        PyArray1::from_vec(py, matrix.into_vec()).reshape([n, n])
    }

    /// A network from a graph of NetworkX, with the attributes of the format `node-link`: nodes are switches, or endpoints
    /// where `kind` says so; edges have `bandwidth`, `latency` and `class`.
    #[staticmethod]
    fn from_networkx<'py>(py: Python<'py>, graph: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        py.import("netloom.network.graph")?.getattr("from_networkx")?.call1((graph,))
    }

    /// A `networkx.MultiGraph` of switches and endpoints, which `from_networkx` reads back.
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("netloom.network.graph")?.getattr("to_networkx")?.call1((slf,))
    }

    /// Draws the network and returns the axes of matplotlib, which a notebook shows: see `netloom.plot.draw_network`.
    #[pyo3(signature = (*args, **kwargs))]
    fn draw<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let draw = slf.py().import("netloom.plot.of_network")?.getattr("axes_of_network")?;
        let given = PyTuple::new(slf.py(), [slf.as_any()])?.add(args)?;
        draw.call(given.cast::<PyTuple>()?, kwargs)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("netloom.network.shown")?.getattr("html")?.call1((slf,))
    }

    fn __repr__(&self) -> String {
        format!("<Network {}: {} switches, {} endpoints>", self.0.label(), self.0.switches(), self.0.endpoints())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced_network(py, self)
    }
    fn __eq__(&self, other: &Network) -> bool {
        self.0 == other.0
    }
    fn __hash__(&self) -> u64 {
        hashed((self.0.label(), self.0.switches(), self.0.links()))
    }
}

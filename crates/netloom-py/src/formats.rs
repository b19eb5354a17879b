//! Files of networks and of mappings, as bytes.

use netloom_formats::registry;
use netloom_model::{Fault, Faults};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::cross;
use crate::fault::OrRaise;
use crate::network::Network;

/// A mapping in the format of a launcher.
#[pyfunction]
pub fn emit<'py>(
    py: Python<'py>,
    format: &str,
    network: &Network,
    mapping: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let call = cross::parse(py, format)?;
    let mapping = cross::mapping(network, mapping)?;
    let bytes = registry::write_mapping(&network.0, &mapping, &call).or_raise(py)?;
    Ok(PyBytes::new(py, &bytes))
}

/// A mapping from a file.
#[pyfunction]
pub fn read_mapping<'py>(
    py: Python<'py>,
    data: &[u8],
    place: &str,
    format: &str,
    network: &Network,
) -> PyResult<Bound<'py, PyAny>> {
    let call = cross::parse(py, format)?;
    let mapping = registry::read_mapping(data, place, &network.0, &call).or_raise(py)?;
    cross::column(py, &mapping.into_vec())
}

/// The format of a file, from its name and its first bytes; None if nothing fits.
#[pyfunction]
pub fn detect_format(name: &str, head: &[u8]) -> Option<&'static str> {
    netloom_formats::detect(name, head).map(|row| row.name)
}

/// A network from a file's bytes, with what the reader has to say about it.
pub fn read(py: Python<'_>, data: &[u8], place: &str, format: Option<&str>) -> PyResult<Network> {
    let call = format.map(|text| cross::parse(py, text)).transpose()?;
    let read = py.detach(|| registry::read_network(data, place, call.as_ref())).or_raise(py)?;
    Ok(Network::new(read.network, read.notes))
}

/// A network in a format, as bytes.
pub fn write<'py>(py: Python<'py>, network: &Network, format: &str) -> PyResult<Bound<'py, PyBytes>> {
    let call = cross::parse(py, format)?;
    let bytes = py.detach(|| registry::write_network(&network.0, &call)).or_raise(py)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The names that a host list such as `n[0-3,7]` stands for, at most `limit`.
#[pyfunction]
pub fn expand_hostlist(py: Python<'_>, text: &str, place: &str, limit: u64) -> PyResult<Vec<String>> {
    netloom_formats::expand_hostlist(text, limit)
        .map_err(|why| {
            let short: String = text.chars().take(60).collect();
            let fault = Fault::new(&netloom_formats::codes::HOSTLIST, place, "a host list", format!("{short} ({why})"));
            Faults::from(fault.hint("write prefix[first-last,number]suffix"))
        })
        .or_raise(py)
}

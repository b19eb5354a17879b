//! Files of networks, mappings and forwarding tables, as bytes.

use std::sync::Arc;

use netloom_formats::{Held, mapping};
use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::{self as model, Fault, Faults};
use netloom_net::remade::remade;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

use crate::cross;
use crate::fault::{OrRaise, to_py};
use crate::objects::Network;
use crate::work::waited;

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
    let bytes = netloom_formats::write(&mapping, &call, &network.0).or_raise(py)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Refuses a format that cannot hold every mapping of `ranks` ranks onto a network, before a search instead of after
/// it.
#[pyfunction]
pub fn check_emit(py: Python<'_>, format: &str, network: &Network, ranks: u32) -> PyResult<()> {
    let call = cross::parse(py, format)?;
    mapping::check(&network.0, ranks, &call).or_raise(py)
}

/// A mapping from a file; its format is recognised from name and content if absent.
#[pyfunction]
pub fn read_mapping<'py>(
    py: Python<'py>,
    data: PyBackedBytes,
    place: &str,
    format: Option<&str>,
    network: &Network,
) -> PyResult<Bound<'py, PyAny>> {
    let call = format.map(|text| cross::parse(py, text)).transpose()?;
    let (net, place) = (Arc::clone(&network.0), place.to_string());
    let mapping = waited(py, move || netloom_formats::read::<model::Mapping>(&data, &place, call.as_ref(), &net))?;
    cross::column(py, &mapping.into_vec())
}

/// The format of a file that holds a `network`, a `mapping`, `traffic`, `programs` or `forwarding` tables, from its name and its first
/// bytes; None if unknown.
#[pyfunction]
pub fn detect_format(py: Python<'_>, name: &str, head: &[u8], holds: &str) -> PyResult<Option<&'static str>> {
    match holds {
        "network" => Ok(detected::<model::Network>(name, head)),
        "mapping" => Ok(detected::<model::Mapping>(name, head)),
        "traffic" => Ok(detected::<model::Traffic>(name, head)),
        "programs" => Ok(detected::<model::Programs>(name, head)),
        "forwarding" => Ok(detected::<model::Forwarding>(name, head)),
        other => {
            let expected = "network, mapping, traffic, programs or forwarding";
            Err(to_py(py, &Fault::new(&BAD_VALUE, "holds", expected, other).into()))
        }
    }
}

/// The proper name of a format of what a file holds; None of another one.
#[pyfunction]
pub fn trace_format(name: &str) -> Option<&'static str> {
    netloom_formats::find::<model::Programs>(name.split('(').next().unwrap_or(name)).ok().map(|row| row.name)
}

fn detected<H: Held>(name: &str, head: &[u8]) -> Option<&'static str> {
    netloom_formats::detect::<H>(name, head).map(|row| row.name)
}

/// A network from a file's bytes, with the notes of the reader.
pub fn read(py: Python<'_>, data: PyBackedBytes, place: &str, format: Option<&str>) -> PyResult<Network> {
    let call = format.map(|text| cross::parse(py, text)).transpose()?;
    let place = place.to_string();
    let read = waited(py, move || netloom_formats::read::<model::Network>(&data, &place, call.as_ref(), ()))?;
    let mut notes = read.notes;
    let network = match read.made_by {
        None => read.network,
        Some(made) => {
            let (network, said) = py.detach(|| remade(read.network, &made.call, &made.switches, &made.cables));
            notes.extend(said);
            network
        }
    };
    Ok(Network::new(network, notes))
}

/// `network` with the forwarding tables of a file.
pub fn with_tables(
    py: Python<'_>,
    network: &Network,
    data: PyBackedBytes,
    place: &str,
    format: Option<&str>,
) -> PyResult<Network> {
    let call = format.map(|text| cross::parse(py, text)).transpose()?;
    let (net, place) = (Arc::clone(&network.0), place.to_string());
    let tables = waited(py, move || netloom_formats::read::<model::Forwarding>(&data, &place, call.as_ref(), &net))?;
    let routed = network.0.as_ref().clone().with_tables(Arc::new(tables));
    Ok(Network(Arc::new(routed), network.1.clone(), Arc::clone(&network.2)))
}

/// A network in a format, as bytes.
pub fn write<'py>(py: Python<'py>, network: &Network, format: &str) -> PyResult<Bound<'py, PyBytes>> {
    let call = cross::parse(py, format)?;
    let net = Arc::clone(&network.0);
    let bytes = waited(py, move || netloom_formats::write(&*net, &call, ()))?;
    Ok(PyBytes::new(py, &bytes))
}

/// What a file with this beginning is, if netloom knows it as one of another program, what to give instead, and the format
/// of traces as which it is read, if it is; else None.
#[pyfunction]
pub fn foreign(head: &[u8]) -> Option<(&'static str, &'static str, Option<&'static str>)> {
    netloom_formats::foreign(head).map(|found| (found.what, found.instead, found.read_as))
}

/// What `again`, read from a file of `network`, lacks of it: a few words each.
#[pyfunction]
pub fn lost(network: &Network, again: &Network) -> Vec<String> {
    netloom_formats::lost(&network.0, &again.0)
}

/// The names in a host list such as `n[0-3,7]`, at most `limit`.
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

/// Names as a host list such as `n[0-3,7]`; their order is kept.
#[pyfunction]
pub fn fold_hostlist(names: Vec<String>) -> String {
    netloom_formats::fold_hostlist(&names)
}

/// Indices of names of nodes in the order in which Slurm goes through them.
#[pyfunction]
pub fn slurm_order(names: Vec<String>) -> Vec<u32> {
    netloom_formats::slurm_order(&names)
}

/// The levels of a machine from what hwloc, Slurm or NCCL prints, or from counts: `nodes` (or None), `levels` (outermost
/// first, each with one number or one for each unit around), `gpus` (the innermost are), `speed_bytes_per_s` (of a link of
/// these, or None), `links` (direct ones, as a node takes them), `nics`, `notes`. `only`: a host list of the nodes that count.
#[pyfunction]
pub fn hierarchy<'py>(py: Python<'py>, data: PyBackedBytes, place: &str, only: &str) -> PyResult<Bound<'py, PyDict>> {
    let (place, only) = (place.to_string(), only.to_string());
    let found = waited(py, move || netloom_formats::hierarchy::read(&data, &place, &only))?;
    let levels: Vec<(&str, Vec<u32>)> = netloom_formats::hierarchy::NAMES.into_iter().zip(found.counts).collect();
    let out = PyDict::new(py);
    out.set_item("nodes", found.nodes)?;
    out.set_item("levels", levels)?;
    out.set_item("gpus", found.gpus)?;
    out.set_item("speed_bytes_per_s", found.speed_bytes_per_s)?;
    out.set_item("links", found.links)?;
    out.set_item("nics", found.nics)?;
    for (name, numbers) in [("cpus", found.cpus), ("usable", found.usable), ("closed", found.closed)] {
        out.set_item(name, numbers)?;
    }
    out.set_item("notes", found.notes)?;
    Ok(out)
}

/// One part of a network whose parts no cable joins.
pub fn part(py: Python<'_>, network: &Network, which: &str) -> PyResult<Network> {
    let mut part = py.detach(|| network.0.part(which)).or_raise(py)?;
    // The levels of one plane do not depend on those of the others.
    if let (None, Some(_)) = (&part.structure().levels, part.subnet())
        && let Some(levels) = netloom_formats::fabric::levels(&part)
    {
        part = part.with_levels(levels);
    }
    // What the reader says of the ports of hosts is true of all planes together.
    let whole = network.0.connected_parts().len() == 1;
    let notes = network.1.iter().filter(|note| whole || !note.contains("each an endpoint")).cloned().collect();
    Ok(Network::new(part, notes))
}

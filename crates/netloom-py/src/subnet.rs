//! The numbers of a subnet and the tables of a network, as arrays.

use std::collections::HashMap;
use std::sync::Arc;

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::{Fault, Forwarding};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cross::array;
use crate::fault::{OrRaise, to_py};
use crate::objects::Network;
use crate::routing::verdict;
use crate::work::waited;

/// GUIDs, LIDs and ports of a network whose file gives them, else None; see `netloom_model::Subnet`.
#[pyfunction]
pub fn subnet<'py>(py: Python<'py>, network: &Network) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(subnet) = network.0.subnet() else { return Ok(None) };
    let out = PyDict::new(py);
    out.set_item("switch_guid", array(py, &subnet.switch_guid))?;
    out.set_item("switch_lid", array(py, &subnet.switch_lid))?;
    out.set_item("switch_ports", array(py, &subnet.switch_ports))?;
    out.set_item("endpoint_guid", array(py, &subnet.endpoint_guid))?;
    out.set_item("endpoint_lid", array(py, &subnet.endpoint_lid))?;
    out.set_item("endpoint_bytes_per_s", array(py, &subnet.endpoint_bytes_per_s))?;
    out.set_item("port_of_endpoint", array(py, &subnet.port_of_endpoint))?;
    out.set_item("port_of_link", array(py, &subnet.port_of_link))?;
    out.set_item("best", &subnet.best)?;
    Ok(Some(out))
}

/// Levels of a network that was cabled as a tree: its own, or those of its cables, where a few endpoints may be on upper
/// switches; None for other networks.
#[pyfunction]
pub fn likely_levels<'py>(py: Python<'py>, network: &Network) -> Option<Bound<'py, PyArray1<u8>>> {
    let own = network.0.structure().levels.clone();
    own.or_else(|| netloom_formats::fabric::likely_levels(&network.0)).map(|levels| array(py, &levels))
}

fn found<'n>(py: Python<'_>, network: &'n Network, name: &str) -> PyResult<&'n Forwarding> {
    let Some(tables) = network.0.tables().iter().find(|tables| tables.name() == name) else {
        let fault = Fault::new(&BAD_VALUE, "forwarding.name", "tables that the network has", name);
        return Err(to_py(py, &fault.into()));
    };
    Ok(tables)
}

/// The forwarding tables called `name`: the column of every endpoint (`column_of`), and a row of next links of all switches
/// per column (`links`), 2^32 - 1 where there is none. `lost` are endpoint, switch and reason, columns, where packets are
/// lost though there is an entry, or at the endpoint's own switch; a reason is a number of `reasons`, each the words before
/// and behind the endpoints' names. `absent` are switches of which the file has no whole table.
#[pyfunction]
pub fn forwarding<'py>(py: Python<'py>, network: &Network, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let tables = found(py, network, name)?;
    let shape = [tables.columns() as usize, tables.switches() as usize];
    let flat: Vec<u32> = (0..tables.columns()).flat_map(|column| tables.column(column).iter().copied()).collect();
    let (mut number, mut reasons) = (HashMap::new(), Vec::new());
    let mut lost = Vec::with_capacity(3 * tables.lost().len());
    for one in tables.lost() {
        let reason = *number.entry(one.why).or_insert_with(|| {
            reasons.push(one.why.words(&network.0));
            reasons.len() as u32 - 1
        });
        lost.extend([one.endpoint, one.switch, reason]);
    }
    let out = PyDict::new(py);
    out.set_item("column_of", array(py, tables.column_of()))?;
    out.set_item("links", PyArray1::from_vec(py, flat).reshape(shape)?)?;
    out.set_item("lost", PyArray1::from_vec(py, lost).reshape([tables.lost().len(), 3])?)?;
    out.set_item("reasons", reasons)?;
    out.set_item("absent", tables.absent())?;
    Ok(out)
}

/// A network with forwarding tables that somebody computed.
pub fn with_next_links(
    py: Python<'_>,
    network: &Network,
    name: &str,
    column_of: &PyReadonlyArray1<'_, u32>,
    links: &PyReadonlyArray2<'_, u32>,
) -> PyResult<Network> {
    let refuse = |expected: String, got: String| Err(to_py(py, &Fault::new(&BAD_VALUE, name, expected, got).into()));
    let (net, columns) = (&network.0, column_of.as_array());
    let (rows, width) = links.as_array().dim();
    if columns.len() != net.endpoints() as usize || width != net.switches() as usize {
        let expected = format!("a column of each of {} endpoints and {} switches", net.endpoints(), net.switches());
        return refuse(expected, format!("{} and {width}", columns.len()));
    }
    if let Some(column) = columns.iter().find(|column| **column as usize >= rows) {
        return refuse(format!("a column in 0..{rows} (exclusive)"), column.to_string());
    }
    let own = |switch: usize, link: u32| link == Forwarding::NONE || net.out_links(switch as u32).contains(&link);
    for row in links.as_array().rows() {
        if let Some((switch, link)) = row.iter().enumerate().find(|(switch, link)| !own(*switch, **link)) {
            return refuse(format!("a link that leaves switch {}", net.switch_name(switch as u32)), link.to_string());
        }
    }
    Forwarding::require_size(net, rows as u64).or_raise(py)?;
    let flat = links.as_array().iter().copied().collect();
    let tables = Forwarding::new(name, net.switches(), columns.to_vec(), flat);
    let routed = net.as_ref().clone().with_tables(Arc::new(tables));
    Ok(Network(Arc::new(routed), network.1.clone(), Arc::clone(&network.2)))
}

/// Whether the routes of the tables called `name` that arrive can wait for each other with one virtual channel: as
/// `Routing.deadlock`.
#[pyfunction]
pub fn tables_deadlock<'py>(py: Python<'py>, network: &Network, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let tables = found(py, network, name)?.clone();
    let net = Arc::clone(&network.0);
    verdict(py, waited(py, move || netloom_net::routing::deadlock_of(&net, &tables))?)
}

//! The numbers of a subnet and the tables of a network, as arrays.

use netloom_model::fault::codes::BAD_VALUE;
use netloom_model::{Fault, Forwarding};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cross::array;
use crate::fault::to_py;
use crate::network::Network;

/// The column of every endpoint, and the next links of every column.
type Tables<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray2<u32>>);

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
    out.set_item("faster", &subnet.faster)?;
    Ok(Some(out))
}

/// The forwarding tables called `name`: the column of every endpoint, and a row of next links of all switches per column;
/// 2^32 - 1 where there is none.
#[pyfunction]
pub fn forwarding<'py>(py: Python<'py>, network: &Network, name: &str) -> PyResult<Tables<'py>> {
    let Some(tables) = network.0.tables().iter().find(|tables| tables.name() == name) else {
        let fault = Fault::new(&BAD_VALUE, "forwarding.name", "tables that the network has", name);
        return Err(to_py(py, &fault.into()));
    };
    let (columns, switches) = (tables.columns(), tables.switches());
    let links: &Forwarding = tables;
    let flat: Vec<u32> = (0..columns).flat_map(|column| links.column(column).iter().copied()).collect();
    let rows = PyArray1::from_vec(py, flat).reshape([columns as usize, switches as usize])?;
    Ok((array(py, tables.column_of()), rows))
}

//! Records of a network as dicts.

use netloom_model::{Failed, Hosts, LinkClass, Part, Rails};
use netloom_net::metrics::{Bisection, EndpointBisection, Metrics};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;

/// Size, degree and distances.
pub fn metrics(py: Python<'_>, m: Metrics) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("switches", m.switches)?;
    out.set_item("endpoints", m.endpoints)?;
    out.set_item("switch_links", m.switch_links)?;
    out.set_item("endpoint_links", m.endpoint_links)?;
    out.set_item("degree_min", m.degree_min)?;
    out.set_item("degree_max", m.degree_max)?;
    out.set_item("degree_histogram", m.degree_histogram)?;
    out.set_item("diameter", m.diameter)?;
    out.set_item("aspl", m.aspl)?;
    out.set_item("hop_histogram", m.hop_histogram)?;
    out.set_item("endpoint_diameter", m.endpoint_diameter)?;
    out.set_item("endpoint_aspl", m.endpoint_aspl)?;
    out.set_item("moore_bound", m.moore_bound)?;
    out.set_item("diameter_lower_bound", m.diameter_lower)?;
    out.set_item("aspl_lower_bound", m.aspl_lower)?;
    out.set_item("diameter_gap", m.diameter_gap)?;
    out.set_item("aspl_gap", m.aspl_gap)?;
    let levels = PyDict::new(py);
    for class in &m.cables_per_class {
        let before: u32 = levels.get_item(&class.name)?.map_or(Ok(0), |v| v.extract())?;
        levels.set_item(&class.name, before + class.cables)?;
    }
    out.set_item("links_per_level", levels)?;
    out.set_item("uniform_throughput", m.uniform_throughput)?;
    out.set_item("by_symmetry", m.by_symmetry)?;
    Ok(out)
}

/// Rails of a GPU cluster and how they are joined.
pub fn rails(py: Python<'_>, rails: Rails) -> PyResult<Bound<'_, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("rails", rails.rails)?;
    row.set_item("planes", rails.planes)?;
    row.set_item("pods", rails.pods)?;
    row.set_item("nodes", rails.nodes)?;
    row.set_item("gpus_per_node", rails.gpus)?;
    row.set_item("leaf_ports", rails.leaf_ports)?;
    row.set_item("spines", rails.spines)?;
    row.set_item("cores", rails.cores)?;
    row.set_item("spine_ports", rails.spine_ports)?;
    row.set_item("radix", rails.radix)?;
    row.set_item("oversubscription", rails.oversubscription)?;
    Ok(row)
}

/// Hosts of a network, some with several endpoints: their number, fewest and most endpoints of one, whether the network joins
/// these (NVLink), and the host of every endpoint; 2^32 - 1 for a slot that is no place for a rank.
pub fn hosts<'py>(py: Python<'py>, hosts: &Hosts) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    let (least, most) = hosts.extremes();
    row.set_item("count", hosts.count())?;
    row.set_item("least_endpoints", least)?;
    row.set_item("most_endpoints", most)?;
    row.set_item("joined", hosts.are_linked())?;
    row.set_item("of_endpoint", cross::column(py, hosts.host_of_endpoint())?)?;
    Ok(row)
}

/// Parts of a network: numbers of their switches, how many endpoints.
pub fn parts(py: Python<'_>, parts: Vec<Part>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for part in parts {
        let row = PyDict::new(py);
        row.set_item("switches", part.switches)?;
        row.set_item("endpoints", part.endpoints)?;
        list.append(row)?;
    }
    Ok(list)
}

/// What is out of service.
pub fn failed<'py>(py: Python<'py>, failed: &Failed) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("whole", &failed.whole)?;
    out.set_item("switches", &failed.switches)?;
    out.set_item("cables", &failed.cables)?;
    Ok(out)
}

/// Classes of links.
pub fn classes<'py>(py: Python<'py>, classes: &[LinkClass]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for class in classes {
        let row = PyDict::new(py);
        row.set_item("name", &class.name)?;
        row.set_item("bandwidth_bytes_per_s", class.bandwidth_bytes_per_s)?;
        row.set_item("latency_s", class.latency_s)?;
        row.set_item("per", class.per.name())?;
        list.append(row)?;
    }
    Ok(list)
}

/// A cut into equal halves of the switches.
pub fn bisection<'py>(py: Python<'py>, cut: &Bisection) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("upper", cut.cables)?;
    out.set_item("lower", cut.lower)?;
    out.set_item("exact", cut.exact)?;
    out.set_item("method", &cut.method)?;
    out.set_item("equal_endpoints", cut.equal_endpoints)?;
    Ok(out)
}

/// A cut into equal halves of the endpoints.
pub fn endpoint_bisection<'py>(py: Python<'py>, cut: &EndpointBisection) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    for (key, found) in [("cables", &cut.cables), ("bytes_per_s", &cut.bytes_per_s)] {
        out.set_item(key, (found.lower, found.upper, found.exact))?;
    }
    out.set_item("cut_from_switch", cut.moved)?;
    out.set_item("method", &cut.method)?;
    Ok(out)
}

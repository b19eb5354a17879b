//! Link loads of jobs at machine scale.

use std::sync::Arc;

use netloom_eval::loads::{Job, Report, SETTINGS, Settings, Unit, Variant, report, summary};
use netloom_model as model;
use netloom_net::routing;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::cross;
use crate::fault::OrRaise;
use crate::network::Network;
use crate::work::watched;
use crate::workload::Sends;

/// One job as Python says it: (name, traffic, endpoint of each rank, routing, variant).
type Given<'py> = (String, PyRef<'py, Sends>, Bound<'py, PyAny>, String, String);

/// The same without Python.
struct Kept {
    name: String,
    sends: Arc<dyn model::Sends>,
    endpoint_of_rank: Vec<u32>,
    routing: Box<dyn model::Routing>,
    variant: Variant,
}

impl Kept {
    fn job(&self) -> Job<'_> {
        Job {
            name: &self.name,
            sends: &*self.sends,
            endpoint_of_rank: &self.endpoint_of_rank,
            routing: &*self.routing,
            variant: self.variant,
        }
    }
}

/// Loads of all jobs; see `netloom.loads`. `arrays` adds the columns that need NumPy.
#[pyfunction]
#[pyo3(signature = (network, jobs, settings, hottest=0, top=3, arrays=true, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn loads<'py>(
    py: Python<'py>,
    network: &Network,
    jobs: Vec<Given<'py>>,
    settings: &Bound<'py, PyDict>,
    hottest: usize,
    top: usize,
    arrays: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = read_settings(settings)?;
    let mut given = Vec::new();
    for (name, sends, endpoints, routing, variant) in jobs {
        let call = cross::parse(py, &routing)?;
        given.push((name, sends.sends(), cross::endpoints(&endpoints)?, call, variant));
    }
    let net = Arc::clone(&network.0);
    let found = watched(py, progress, None, move |p| {
        let mut kept = Vec::new();
        for (name, sends, endpoint_of_rank, call, variant) in given {
            let variant = Variant::named(&name, &variant)?;
            kept.push(Kept { name, sends, endpoint_of_rank, routing: routing::build(&net, &call)?, variant });
        }
        report(&net, kept.iter().map(Kept::job).collect(), settings, (hottest, top), p)
    })?;
    give(py, network, &found, arrays)
}

fn read_settings(given: &Bound<'_, PyDict>) -> PyResult<Settings> {
    let call = cross::call("loads", &PyTuple::empty(given.py()), Some(given));
    Ok(Settings::new(&model::Bound::bind(SETTINGS, &call).or_raise(given.py())?))
}

fn give<'py>(py: Python<'py>, network: &Network, found: &Report, arrays: bool) -> PyResult<Bound<'py, PyDict>> {
    let net = &network.0;
    let total = summary::total(&found.loads.by_job);
    let out = PyDict::new(py);
    out.set_item("rounds", found.rounds)?;
    out.set_item("last_gain", found.last_gain)?;
    out.set_item("flows", found.flows)?;
    let sum = |of: fn(&netloom_eval::loads::Counts) -> u64| found.counts.iter().map(of).sum::<u64>();
    out.set_item("messages", sum(|c| c.messages))?;
    out.set_item("bytes_sent", sum(|c| c.bytes))?;
    out.set_item("switch_bytes", sum(|c| c.switch_bytes))?;
    out.set_item("classes", classes(py, net, &total, found)?)?;
    let jobs = PyList::empty(py);
    for (job, counts) in found.counts.iter().enumerate() {
        let row = PyDict::new(py);
        row.set_item("messages", counts.messages)?;
        row.set_item("bytes_sent", counts.bytes)?;
        row.set_item("switch_messages", counts.switch_messages)?;
        row.set_item("switch_bytes", counts.switch_bytes)?;
        row.set_item("links", six(py, summary::six(found.loads.by_job[job].clone(), found.unit))?)?;
        if let Some(meets) = found.neighbours.get(job) {
            row.set_item("slowdown", meets.slowdown)?;
            row.set_item("slowdown_by", &meets.slowdown_by)?;
            row.set_item("met_bytes", &meets.met)?;
        }
        if arrays {
            row.set_item("link_bytes", column(py, &found.loads.by_job[job], found.unit))?;
        }
        jobs.append(row)?;
    }
    out.set_item("jobs", jobs)?;
    out.set_item("hottest", causes(py, network, &total, found)?)?;
    if arrays {
        out.set_item("link_bytes", PyArray1::from_vec(py, found.link_bytes(&total)))?;
        if let Some((groups, matrix)) = summary::groups(net, &total, found.unit) {
            out.set_item("group_bytes", PyArray1::from_vec(py, matrix).reshape([groups, groups])?)?;
        }
    }
    Ok(out)
}

fn column<'py>(py: Python<'py>, loads: &[u64], unit: Unit) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_vec(py, loads.iter().map(|&l| unit.bytes(l)).collect())
}

/// The six numbers of all switch links, of each class, and of injection and ejection; and the time that their bytes take.
fn classes<'py>(py: Python<'py>, net: &model::Network, total: &[u64], found: &Report) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    for class in found.classes(net, total) {
        let row = six(py, class.six)?;
        if !row.is_empty() {
            row.set_item("max_s", class.max_s)?;
            row.set_item("mean_s", class.mean_s)?;
        }
        out.set_item(class.name, row)?;
    }
    Ok(out)
}

fn six(py: Python<'_>, six: Option<summary::Six>) -> PyResult<Bound<'_, PyDict>> {
    let row = PyDict::new(py);
    let Some(six) = six else { return Ok(row) };
    row.set_item("links", six.links)?;
    row.set_item("used", six.used)?;
    row.set_item("total_bytes", six.total)?;
    row.set_item("min_bytes", six.minimum)?;
    row.set_item("q1_bytes", six.first_quartile)?;
    row.set_item("median_bytes", six.median)?;
    row.set_item("mean_bytes", six.mean)?;
    row.set_item("q3_bytes", six.third_quartile)?;
    row.set_item("max_bytes", six.maximum)?;
    Ok(row)
}

fn causes<'py>(py: Python<'py>, network: &Network, total: &[u64], found: &Report) -> PyResult<Bound<'py, PyList>> {
    let net = &network.0;
    let out = PyList::empty(py);
    for cause in &found.causes {
        let row = PyDict::new(py);
        let link = cause.link as usize;
        let class = net.class(cause.link);
        row.set_item("link", cause.link)?;
        row.set_item("from_switch", net.tails()[link])?;
        row.set_item("to_switch", net.heads()[link])?;
        row.set_item("class", &class.name)?;
        row.set_item("bytes", found.unit.bytes(total[link]))?;
        row.set_item("seconds", found.unit.bytes(total[link]) / class.bandwidth_bytes_per_s)?;
        let jobs = PyList::empty(py);
        for share in &cause.shares {
            let of = PyDict::new(py);
            of.set_item("job", share.job)?;
            of.set_item("bytes", found.unit.bytes(share.load))?;
            of.set_item("flows", share.flows)?;
            of.set_item("offsets", &share.offsets)?;
            of.set_item("pairs", &share.pairs)?;
            jobs.append(of)?;
        }
        row.set_item("jobs", jobs)?;
        out.append(row)?;
    }
    Ok(out)
}

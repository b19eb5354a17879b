//! Link loads of jobs at machine scale.

use std::sync::Arc;

use netloom_eval::loads::{Cause, Job, Loads, Model, Settings, Solution, Variant, summary};
use netloom_model::{self as model, Fault, Outcome, Progress};
use netloom_net::routing;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;
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

/// What is computed without Python.
struct Found {
    counts: Vec<netloom_eval::loads::Counts>,
    loads: Loads,
    unit: f64,
    rounds: u32,
    last_gain: f64,
    flows: u64,
    causes: Vec<Cause>,
    neighbours: Vec<summary::Neighbours>,
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
            let variant = read_variant(&name, &variant)?;
            kept.push(Kept { name, sends, endpoint_of_rank, routing: routing::build(&net, &call)?, variant });
        }
        find(&net, &kept, settings, hottest, top, p)
    })?;
    give(py, network, &found, arrays)
}

fn read_variant(job: &str, name: &str) -> Outcome<Variant> {
    let known = |v: &&Variant| v.name() == name || v.short().eq_ignore_ascii_case(name);
    Variant::ALL.iter().find(known).copied().ok_or_else(|| {
        let names: Vec<&str> = Variant::ALL.iter().map(|v| v.name()).collect();
        let place = format!("variant of job {job}");
        Fault::new(&model::fault::codes::BAD_VALUE, place, format!("one of {}", names.join(", ")), name).into()
    })
}

fn read_settings(given: &Bound<'_, PyDict>) -> PyResult<Settings> {
    let mut settings = Settings::default();
    for (key, value) in given.iter() {
        match key.extract::<&str>()? {
            "seed" => settings.seed = value.extract()?,
            "packet_bytes" => settings.packet_bytes = value.extract()?,
            "fresh_paths" => settings.fresh_paths = value.extract()?,
            "direct_paths" => settings.direct_paths = value.extract()?,
            "increments" => settings.increments = value.extract()?,
            "tolerance" => settings.tolerance = value.extract()?,
            "rounds" => settings.rounds = value.extract()?,
            _ => {}
        }
    }
    Ok(settings)
}

fn find(
    network: &model::Network,
    kept: &[Kept],
    settings: Settings,
    hottest: usize,
    top: usize,
    progress: &Progress,
) -> Outcome<Found> {
    let jobs = kept.iter().map(Kept::job).collect();
    let model = Model::new(network, jobs, settings, progress)?;
    let solution: Solution = model.solve(progress)?;
    let loads = model.distribute(&solution, progress)?;
    let bandwidth = bandwidths(network);
    let hot = summary::hottest(&loads.by_job, &bandwidth, hottest);
    let causes = if hot.is_empty() { Vec::new() } else { model.causes(&solution, &hot, top, progress)? };
    let neighbours =
        if kept.len() > 1 { summary::neighbours(&loads.by_job, &bandwidth, model.unit_bytes()) } else { Vec::new() };
    Ok(Found {
        counts: model.counts().to_vec(),
        loads,
        unit: model.unit_bytes(),
        rounds: solution.rounds,
        last_gain: solution.last_gain,
        flows: solution.flows(),
        causes,
        neighbours,
    })
}

fn bandwidths(network: &model::Network) -> Vec<f64> {
    let classes = network.classes();
    network.class_of().iter().map(|c| classes[*c as usize].bandwidth_bytes_per_s).collect()
}

fn give<'py>(py: Python<'py>, network: &Network, found: &Found, arrays: bool) -> PyResult<Bound<'py, PyDict>> {
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
        row.set_item("links", six(py, found.loads.by_job[job].clone(), found.unit)?)?;
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
        let ends = |of: fn(&netloom_eval::loads::Counts) -> &Vec<u64>| ends(found, of);
        let all = total.iter().map(|&l| l as f64 * found.unit);
        let injected = ends(|c| &c.injected).into_iter().map(|b| b as f64);
        let ejected = ends(|c| &c.ejected).into_iter().map(|b| b as f64);
        out.set_item("link_bytes", PyArray1::from_vec(py, all.chain(injected).chain(ejected).collect()))?;
        if let Some((groups, matrix)) = summary::groups(net, &total, found.unit) {
            out.set_item("group_bytes", PyArray1::from_vec(py, matrix).reshape([groups, groups])?)?;
        }
    }
    Ok(out)
}

fn column<'py>(py: Python<'py>, loads: &[u64], unit: f64) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_vec(py, loads.iter().map(|&l| l as f64 * unit).collect())
}

fn ends(found: &Found, of: fn(&netloom_eval::loads::Counts) -> &Vec<u64>) -> Vec<u64> {
    summary::total(&found.counts.iter().map(|c| of(c).clone()).collect::<Vec<_>>())
}

/// The six numbers of all switch links, of each class, and of injection and ejection; and the time that their bytes take.
/// Classes of one name, of different speeds in files, are one.
fn classes<'py>(py: Python<'py>, net: &model::Network, total: &[u64], found: &Found) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    let speeds = bandwidths(net);
    let row = |name: &str, loads: Vec<u64>, speed: &dyn Fn(usize) -> f64, unit: f64| {
        let (max_s, mean_s) = summary::times(&loads, speed, unit);
        let row = six(py, loads, unit)?;
        if !row.is_empty() {
            row.set_item("max_s", max_s)?;
            row.set_item("mean_s", mean_s)?;
        }
        out.set_item(name, row)
    };
    row("all", total.to_vec(), &|l| speeds[l], found.unit)?;
    let mut names: Vec<&str> = Vec::new();
    for class in net.classes() {
        if names.contains(&class.name.as_str()) {
            continue;
        }
        names.push(&class.name);
        let of: Vec<bool> = net.classes().iter().map(|c| c.name == class.name).collect();
        let links: Vec<usize> = (0..total.len()).filter(|l| of[net.class_of()[*l] as usize]).collect();
        if !links.is_empty() {
            row(&class.name, links.iter().map(|l| total[*l]).collect(), &|at| speeds[links[at]], found.unit)?;
        }
    }
    let speed = net.endpoint_class().bandwidth_bytes_per_s;
    let alive = |column: Vec<u64>| -> Vec<u64> {
        let on = |e: &(usize, u64)| net.in_service(net.endpoint_switch()[e.0]);
        column.into_iter().enumerate().filter(on).map(|(_, bytes)| bytes).collect()
    };
    row("injection", alive(ends(found, |c| &c.injected)), &|_| speed, 1.0)?;
    row("ejection", alive(ends(found, |c| &c.ejected)), &|_| speed, 1.0)?;
    Ok(out)
}

fn six<'py>(py: Python<'py>, loads: Vec<u64>, unit: f64) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    let Some(six) = summary::six(loads, unit) else { return Ok(row) };
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

fn causes<'py>(py: Python<'py>, network: &Network, total: &[u64], found: &Found) -> PyResult<Bound<'py, PyList>> {
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
        row.set_item("bytes", total[link] as f64 * found.unit)?;
        row.set_item("seconds", total[link] as f64 * found.unit / class.bandwidth_bytes_per_s)?;
        let jobs = PyList::empty(py);
        for share in &cause.shares {
            let of = PyDict::new(py);
            of.set_item("job", share.job)?;
            of.set_item("bytes", share.load as f64 * found.unit)?;
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

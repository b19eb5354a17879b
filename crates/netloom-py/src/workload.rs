//! Schedules with their proofs, and traffic as a list.

use std::sync::Arc;

use netloom_model as model;
use netloom_workload::{
    UserTransfer, arrivals, collective_named, from_transfers, part_of, patterns, registry, verify_schedule,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyBytes, PyDict, PyString};

use crate::cross;
use crate::fault::OrRaise;
use crate::kept::{self, Reduced, reduced};
use crate::objects::{Programs, Schedule, Traffic};
use crate::work::{waited, watched};

#[pymethods]
impl Schedule {
    /// `collective:algorithm(...)` on `ranks` ranks.
    #[staticmethod]
    #[pyo3(signature = (text, ranks, root=0, size_bytes=0))]
    fn build(py: Python<'_>, text: &str, ranks: i64, root: i64, size_bytes: i64) -> PyResult<Schedule> {
        let call = cross::parse(py, text)?;
        let schedule = waited(py, move || registry::build(&call, ranks, root, size_bytes))?;
        Ok(Schedule(Arc::new(schedule)))
    }

    /// A schedule given by the user, checked for range but not yet proved; `name` is its name in faults.
    #[staticmethod]
    #[pyo3(signature = (collective, ranks, root, size_bytes, steps, name=None))]
    fn from_transfers(
        py: Python<'_>,
        collective: &str,
        ranks: &Bound<'_, PyAny>,
        root: &Bound<'_, PyAny>,
        size_bytes: &Bound<'_, PyAny>,
        steps: &Bound<'_, PyAny>,
        name: Option<&str>,
    ) -> PyResult<Schedule> {
        let (ranks, root) = (whole(ranks, "ranks")?, whole(root, "root")?);
        let (size_bytes, steps) = (whole(size_bytes, "size_bytes")?, transfers(steps)?);
        let collective = collective_named(collective).or_raise(py)?;
        let label = name.map_or_else(|| format!("{collective}:user"), str::to_string);
        let schedule = waited(py, move || from_transfers(label, collective, ranks, root, size_bytes, &steps))?;
        Ok(Schedule(Arc::new(schedule)))
    }

    #[getter]
    fn collective(&self) -> &'static str {
        self.0.collective.name()
    }
    #[getter]
    fn label(&self) -> &str {
        &self.0.label
    }
    #[getter]
    fn ranks(&self) -> u32 {
        self.0.members()
    }
    /// Switches that take part: one a channel until it is placed on a network.
    #[getter]
    fn switches(&self) -> u32 {
        self.0.switches
    }
    #[getter]
    fn root(&self) -> u32 {
        self.0.root
    }
    #[getter]
    fn size_bytes(&self) -> u64 {
        self.0.size_bytes
    }
    #[getter]
    fn steps(&self) -> u32 {
        self.0.steps
    }
    #[getter]
    fn messages(&self) -> u64 {
        self.0.messages()
    }
    /// Bytes of all messages, at most.
    #[getter]
    fn most_bytes(&self) -> u64 {
        self.0.most_bytes()
    }
    /// The next larger size that is cut into blocks of one size; `None` where its own is.
    #[getter]
    fn next_even_size(&self) -> Option<u64> {
        self.0.blocks.next_even()
    }
    /// True if one rank represents all (rounds are symbolic, not a list).
    #[getter]
    fn is_cyclic(&self) -> bool {
        matches!(self.0.rounds, model::Rounds::Cyclic(_))
    }

    /// Executes the schedule on symbolic data; raises if a promise is broken, or if a registered algorithm's steps,
    /// messages, bytes or ports differ from its closed form.
    #[pyo3(signature = (progress=None))]
    fn verify<'py>(&self, py: Python<'py>, progress: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let schedule = Arc::clone(&self.0);
        let proof = watched(py, progress, None, move |p| verify_schedule(&schedule, p))?;
        let out = PyDict::new(py);
        out.set_item("steps", proof.steps)?;
        out.set_item("messages", proof.messages)?;
        out.set_item("max_bytes_sent", proof.max_bytes_sent)?;
        out.set_item("total_bytes", proof.total_bytes)?;
        out.set_item("max_ports", proof.max_ports)?;
        Ok(out)
    }

    /// Every message as columns `step`, `src`, `dst`, `bytes`.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.0.messages() > model::traffic::FLOW_LIMIT {
            let sentence = format!("{} messages are too many for a table", self.0.messages());
            let fault = model::Fault::say(&model::fault::codes::TOO_LARGE, &self.0.label, sentence);
            return Err(crate::fault::to_py(py, &fault.hint("use fewer ranks").into()));
        }
        let count = self.0.messages() as usize;
        let mut columns = (Vec::with_capacity(count), Vec::with_capacity(count), Vec::with_capacity(count));
        let mut bytes = Vec::with_capacity(count);
        self.0.for_each_message(|m| {
            columns.0.push(m.step);
            columns.1.push(m.src);
            columns.2.push(m.dst);
            bytes.push(m.bytes);
        });
        let out = PyDict::new(py);
        out.set_item("step", PyArray1::from_vec(py, columns.0))?;
        out.set_item("src", PyArray1::from_vec(py, columns.1))?;
        out.set_item("dst", PyArray1::from_vec(py, columns.2))?;
        out.set_item("bytes", PyArray1::from_vec(py, bytes))?;
        Ok(out)
    }

    /// Number of blocks into which the data is cut.
    #[getter]
    fn blocks(&self) -> u64 {
        self.0.blocks.count()
    }

    /// What one rank sends and receives: columns `step`, `number`, `src`, `dst`, `combine`, `offsets`, and those of their
    /// block ranges, `first` and `count`.
    fn part_of<'py>(&self, py: Python<'py>, rank: i64) -> PyResult<Bound<'py, PyDict>> {
        let (rank, schedule) = (self.member(py, rank)?, Arc::clone(&self.0));
        let part = waited(py, move || part_of(&schedule, rank))?;
        let out = PyDict::new(py);
        let rows = &part.transfers;
        out.set_item("step", PyArray1::from_iter(py, rows.iter().map(|t| t.step)))?;
        out.set_item("number", PyArray1::from_iter(py, rows.iter().map(|t| t.number)))?;
        out.set_item("src", PyArray1::from_iter(py, rows.iter().map(|t| t.src)))?;
        out.set_item("dst", PyArray1::from_iter(py, rows.iter().map(|t| t.dst)))?;
        out.set_item("combine", PyArray1::from_iter(py, rows.iter().map(|t| t.combine)))?;
        out.set_item("offsets", PyArray1::from_iter(py, part.offsets.iter().copied()))?;
        out.set_item("first", PyArray1::from_iter(py, part.ranges.iter().map(|range| range.first)))?;
        out.set_item("count", PyArray1::from_iter(py, part.ranges.iter().map(|range| range.count)))?;
        Ok(out)
    }

    /// Blocks that come to a rank and are combined, as columns `number` of the transfer, `block`, `lowest` rank that it
    /// counts, and `below`, whether these are lower than the receiver's; `None` where the order of ranks is not kept.
    fn arrivals<'py>(&self, py: Python<'py>, rank: i64) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (rank, schedule) = (self.member(py, rank)?, Arc::clone(&self.0));
        let Some(rows) = waited(py, move || arrivals(&schedule, rank))? else { return Ok(None) };
        let out = PyDict::new(py);
        out.set_item("number", PyArray1::from_iter(py, rows.iter().map(|one| one.transfer)))?;
        out.set_item("block", PyArray1::from_iter(py, rows.iter().map(|one| one.block)))?;
        out.set_item("lowest", PyArray1::from_iter(py, rows.iter().map(|one| one.lowest)))?;
        out.set_item("below", PyArray1::from_iter(py, rows.iter().map(|one| one.below)))?;
        Ok(Some(out))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced(py, kept::SCHEDULE, &self.0)
    }
    fn __eq__(&self, other: &Schedule) -> bool {
        self.0 == other.0
    }
    fn __hash__(&self) -> u64 {
        kept::hashed((&self.0.label, self.0.ranks, self.0.root, self.0.size_bytes))
    }
    fn __repr__(&self) -> String {
        format!(
            "<Schedule {} on {} ranks: {} steps, {} messages>",
            self.0.label,
            self.0.members(),
            self.0.steps,
            self.0.messages()
        )
    }
}

impl Schedule {
    /// A rank that is no switch.
    fn member(&self, py: Python<'_>, rank: i64) -> PyResult<u32> {
        let known = u32::try_from(rank).ok().filter(|rank| *rank < self.0.members());
        known.ok_or_else(|| {
            let expected = format!("a rank in 0..{} (inclusive)", self.0.members() - 1);
            crate::fault::to_py(py, &model::Fault::new(&model::fault::codes::BAD_VALUE, "rank", expected, rank).into())
        })
    }
}

/// The steps of a user's schedule. Any other shape is refused with its place; nothing is reinterpreted.
fn transfers(steps: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<UserTransfer>>> {
    const TRANSFER: &str = "(source, destination, blocks, combine)";
    let mut made = Vec::new();
    for (i, step) in items(steps, "steps", "a list of steps")?.iter().enumerate() {
        let mut own = Vec::new();
        for (j, transfer) in items(step, &format!("steps[{i}]"), "a list of transfers")?.iter().enumerate() {
            let place = format!("steps[{i}][{j}]");
            let parts = items(transfer, &place, TRANSFER)?;
            let [src, dst, blocks, combine] = parts.as_slice() else { return Err(refused(&place, TRANSFER, transfer)) };
            let within = |part: usize| format!("{place}[{part}]");
            let blocks = items(blocks, &within(2), "a list of blocks")?;
            let blocks = blocks.iter().map(|block| whole(block, &within(2))).collect::<PyResult<_>>()?;
            let combine = combine.extract().map_err(|_| refused(&within(3), "True or False", combine))?;
            own.push((whole(src, &within(0))?, whole(dst, &within(1))?, blocks, combine));
        }
        made.push(own);
    }
    Ok(made)
}

/// The items of `object`; a text or a dictionary has none.
fn items<'py>(object: &Bound<'py, PyAny>, place: &str, expected: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let text = object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>();
    match object.try_iter() {
        Ok(items) if !text && !object.is_instance_of::<PyDict>() => items.collect(),
        _ => Err(refused(place, expected, object)),
    }
}

/// An integer of Python or NumPy; a bool is not one.
fn whole(object: &Bound<'_, PyAny>, place: &str) -> PyResult<i64> {
    match object.extract() {
        Ok(number) if !object.is_instance_of::<PyBool>() => Ok(number),
        _ => Err(refused(place, "an integer", object)),
    }
}

fn refused(place: &str, expected: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let shown = got.repr().map_or_else(|_| "an object".into(), |text| text.to_string_lossy().into_owned());
    let fault = model::Fault::new(&model::fault::codes::BAD_VALUE, place, expected, shown);
    crate::fault::to_py(got.py(), &fault.into())
}

#[pymethods]
impl Traffic {
    /// A registered pattern such as `uniform(messages=100000)` on `ranks` ranks.
    #[staticmethod]
    #[pyo3(signature = (text, ranks=None))]
    fn pattern(py: Python<'_>, text: &str, ranks: Option<i64>) -> PyResult<Traffic> {
        let call = cross::parse(py, text)?;
        let traffic = waited(py, move || patterns::build_pattern(&call, ranks))?;
        Ok(Traffic(Arc::new(traffic)))
    }

    #[staticmethod]
    fn of_schedule(py: Python<'_>, schedule: &Schedule) -> PyResult<Traffic> {
        schedule.0.require_no_switches().or_raise(py)?;
        let schedule = Arc::clone(&schedule.0);
        Ok(Traffic(Arc::new(waited(py, move || model::Traffic::of_schedule(&schedule))?)))
    }

    #[staticmethod]
    fn of_programs(py: Python<'_>, programs: &Programs) -> PyResult<Traffic> {
        let programs = Arc::clone(&programs.0);
        Ok(Traffic(Arc::new(waited(py, move || model::Traffic::of_programs(&programs))?)))
    }

    /// Flows given by the user.
    #[staticmethod]
    fn from_flows(
        py: Python<'_>,
        label: &str,
        ranks: u32,
        src: PyReadonlyArray1<'_, i64>,
        dst: PyReadonlyArray1<'_, i64>,
        messages: PyReadonlyArray1<'_, i64>,
        size_bytes: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<Traffic> {
        let columns = [src.as_array(), dst.as_array(), messages.as_array(), size_bytes.as_array()];
        let rows: Vec<[i64; 4]> =
            (0..columns[0].len()).map(|i| columns.each_ref().map(|c| c.get(i).copied().unwrap_or(-1))).collect();
        let traffic = model::Traffic::from_rows(label, ranks, &rows).or_raise(py)?;
        Ok(Traffic(Arc::new(traffic)))
    }

    /// A list or a matrix from a file's bytes; the format is recognised from name and content if absent.
    #[staticmethod]
    #[pyo3(signature = (data, place, format=None, ranks=None))]
    fn read(
        py: Python<'_>,
        data: PyBackedBytes,
        place: &str,
        format: Option<&str>,
        ranks: Option<i64>,
    ) -> PyResult<Traffic> {
        let call = format.map(|text| cross::parse(py, text)).transpose()?;
        let place = place.to_string();
        let traffic = waited(py, move || {
            let found = netloom_formats::read::<model::Traffic>(&data, &place, call.as_ref(), ())?;
            match ranks {
                Some(ranks) => netloom_formats::traffic::on_ranks(found, &place, ranks),
                None => Ok(found),
            }
        })?;
        Ok(Traffic(Arc::new(traffic)))
    }

    /// In a format, as bytes.
    fn write<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let call = cross::parse(py, format)?;
        let traffic = Arc::clone(&self.0);
        let bytes = waited(py, move || netloom_formats::write(&*traffic, &call, ()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn label(&self) -> &str {
        &self.0.label
    }
    #[getter]
    fn ranks(&self) -> u32 {
        self.0.ranks
    }
    #[getter]
    fn messages(&self) -> u64 {
        self.0.messages()
    }
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// Flows that start at times of their own; 0 if all start together.
    #[getter]
    fn timed(&self) -> usize {
        self.0.starts().len()
    }
    /// What its file says and is not in it; empty otherwise.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    /// Flows as columns `src`, `dst`, `messages`, `bytes`.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let flows = self.0.flows();
        let out = PyDict::new(py);
        out.set_item("src", PyArray1::from_iter(py, flows.iter().map(|f| f.src)))?;
        out.set_item("dst", PyArray1::from_iter(py, flows.iter().map(|f| f.dst)))?;
        out.set_item("messages", PyArray1::from_iter(py, flows.iter().map(|f| f.messages)))?;
        out.set_item("bytes", PyArray1::from_iter(py, flows.iter().map(|f| f.bytes)))?;
        Ok(out)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        reduced(py, kept::TRAFFIC, &self.0)
    }
    fn __eq__(&self, other: &Traffic) -> bool {
        self.0 == other.0
    }
    fn __hash__(&self) -> u64 {
        kept::hashed((&self.0.label, self.0.ranks, self.0.flows().len()))
    }
    fn __repr__(&self) -> String {
        format!("<Traffic {} on {} ranks: {} messages>", self.0.label, self.0.ranks, self.0.messages())
    }
}

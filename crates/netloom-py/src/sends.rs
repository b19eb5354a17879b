//! Traffic as a stream.

use std::collections::HashSet;
use std::sync::Arc;

use netloom_model as model;
use netloom_workload::patterns;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::fault::OrRaise;

use crate::cross;
use crate::kept::{Reduced, hashed, remade};
use crate::objects::{Schedule, Sends, Source, Traffic};
use crate::work::waited;

impl Sends {
    fn known(&self, py: Python<'_>, rank: i64) -> PyResult<u32> {
        let ranks = self.0.ranks();
        u32::try_from(rank).ok().filter(|&one| one < ranks).ok_or_else(|| {
            let expected = format!("a rank in 0..{ranks} (exclusive)");
            let fault = model::Fault::new(&model::fault::codes::BAD_VALUE, "rank", expected, rank);
            crate::fault::to_py(py, &fault.into())
        })
    }
}

/// A registered pattern as a stream.
#[pyfunction]
#[pyo3(signature = (text, ranks=None))]
pub fn stream(py: Python<'_>, text: &str, ranks: Option<i64>) -> PyResult<Sends> {
    let call = cross::parse(py, text)?;
    let made = waited(py, move || patterns::stream_pattern(&call, ranks))?;
    Ok(Sends(made, Source::Pattern(text.to_string(), ranks)))
}

#[pymethods]
impl Sends {
    /// The messages of a schedule, without steps.
    #[staticmethod]
    fn of_schedule(py: Python<'_>, schedule: &Schedule) -> PyResult<Sends> {
        schedule.0.require_no_switches().or_raise(py)?;
        Ok(Sends(py.detach(|| schedule.sends()), Source::Schedule(Arc::clone(&schedule.0))))
    }

    /// The flows of a list.
    #[staticmethod]
    fn of_traffic(traffic: &Traffic) -> Sends {
        Sends(traffic.sends(), Source::Traffic(Arc::clone(&traffic.0)))
    }

    #[getter]
    fn label(&self) -> &str {
        self.0.label()
    }
    #[getter]
    fn ranks(&self) -> u32 {
        self.0.ranks()
    }

    /// Whether every rank sends the same to every other one.
    #[getter]
    fn to_all(&self, py: Python<'_>) -> bool {
        py.detach(|| self.0.to_all().is_some())
    }

    /// The messages of `rank`: rows of destination, messages, bytes of all these messages.
    #[pyo3(name = "from_rank")]
    fn sent_by<'py>(&self, py: Python<'py>, rank: i64) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let known = self.known(py, rank)?;
        let mut rows: Vec<u64> = Vec::new();
        py.detach(|| {
            self.0.for_each(known, &mut |to, messages, bytes| rows.extend([u64::from(to), messages, bytes]));
        });
        let count = rows.len() / 3;
        PyArray1::from_vec(py, rows).reshape([count, 3])
    }

    /// How many messages `rank` sends, and to how many ranks. O(messages).
    fn counts_from(&self, py: Python<'_>, rank: i64) -> PyResult<(u64, usize)> {
        let known = self.known(py, rank)?;
        let (mut sum, mut to) = (0_u64, HashSet::new());
        self.0.for_each(known, &mut |rank, messages, _| {
            sum += messages;
            to.insert(rank);
        });
        Ok((sum, to.len()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        match &self.1 {
            Source::Pattern(text, ranks) => remade(py, "stream", "", (text, ranks).into_pyobject(py)?),
            Source::Schedule(schedule) => {
                remade(py, "Sends", "of_schedule", (Schedule(Arc::clone(schedule)),).into_pyobject(py)?)
            }
            Source::Traffic(traffic) => {
                remade(py, "Sends", "of_traffic", (Traffic(Arc::clone(traffic)),).into_pyobject(py)?)
            }
        }
    }
    fn __eq__(&self, other: &Sends) -> bool {
        match (&self.1, &other.1) {
            (Source::Pattern(own, ranks), Source::Pattern(text, others)) => (own, ranks) == (text, others),
            (Source::Schedule(own), Source::Schedule(others)) => own == others,
            (Source::Traffic(own), Source::Traffic(others)) => own == others,
            _ => false,
        }
    }
    fn __hash__(&self) -> u64 {
        hashed((self.0.label(), self.0.ranks()))
    }
    fn __repr__(&self) -> String {
        format!("<Sends {} on {} ranks>", self.0.label(), self.0.ranks())
    }
}

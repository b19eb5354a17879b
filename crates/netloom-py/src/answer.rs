//! The answer of an evaluator as Python objects.

use netloom_model::{Answer, Column, Datum};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;

/// `evaluator`, `model`, `version`, `assumptions`, `record` and `tables`: names to values, and to columns by name.
pub fn answer(py: Python<'_>, answer: Answer) -> PyResult<Bound<'_, PyDict>> {
    let (record, tables) = (PyDict::new(py), PyDict::new(py));
    for (field, value) in answer.fields.iter().zip(&answer.record) {
        record.set_item(field.name, datum(py, value)?)?;
    }
    // Each column is freed once converted.
    for table in answer.tables {
        let columns = PyDict::new(py);
        for (field, items) in table.row.fields.iter().zip(table.columns) {
            columns.set_item(field.name, column(py, &items)?)?;
        }
        tables.set_item(table.row.name, columns)?;
    }
    let out = PyDict::new(py);
    out.set_item("evaluator", answer.evaluator)?;
    out.set_item("model", answer.model)?;
    out.set_item("version", answer.version)?;
    out.set_item("assumptions", answer.assumptions)?;
    out.set_item("record", record)?;
    out.set_item("tables", tables)?;
    Ok(out)
}

fn datum<'py>(py: Python<'py>, value: &Datum) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Datum::Unknown => py.None().into_bound(py),
        Datum::Count(count) => count.into_pyobject(py)?.into_any(),
        Datum::Number(number) => number.into_pyobject(py)?.into_any(),
        Datum::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}

/// `array.array`, or a list for values that no array holds.
fn column<'py>(py: Python<'py>, items: &Column) -> PyResult<Bound<'py, PyAny>> {
    match items {
        Column::U8(items) => cross::column(py, items),
        Column::U32(items) => cross::column(py, items),
        Column::U64(items) => cross::column(py, items),
        Column::I64(items) => cross::column(py, items),
        Column::F64(items) => cross::column(py, items),
        Column::Counts(items) => Ok(PyList::new(py, items)?.into_any()),
        Column::Text(items) => Ok(PyList::new(py, items)?.into_any()),
    }
}

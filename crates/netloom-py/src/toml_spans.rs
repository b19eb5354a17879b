//! Positions of the keys of a TOML text, so that a study's faults can name line and column.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use toml::de::{DeTable, DeValue};

const MAX_TEXT: usize = 16 << 20;

/// Line and column (from 1) of every value, keyed by its path such as `experiment.0.axes.network`.
///
/// A text that is not TOML gives an empty dict: the TOML reader itself reports its faults.
#[pyfunction]
pub fn toml_spans<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    if text.len() > MAX_TEXT {
        return Ok(out);
    }
    let Ok(table) = DeTable::parse(text) else { return Ok(out) };
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|m| m.0 + 1)).collect();
    let mut stack: Vec<(String, usize, &DeValue<'_>)> = Vec::new();
    for (key, value) in table.get_ref() {
        stack.push((key.get_ref().to_string(), key.span().start, value.get_ref()));
    }
    while let Some((path, at, value)) = stack.pop() {
        let line = starts.partition_point(|&s| s <= at);
        let column = text[starts[line - 1]..at].chars().count() + 1;
        out.set_item(&path, (line, column))?;
        match value {
            DeValue::Table(inner) => {
                for (key, item) in inner {
                    stack.push((format!("{path}.{}", key.get_ref()), key.span().start, item.get_ref()));
                }
            }
            DeValue::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    stack.push((format!("{path}.{i}"), item.span().start, item.get_ref()));
                }
            }
            _ => {}
        }
    }
    Ok(out)
}

//! The registries as plain data, and the one grammar.

use netloom::{REGISTRIES, code_rows};
use netloom_model::param::signature;
use netloom_model::{Catalogue, Kind, Param};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;
use crate::fault::OrRaise;

/// The only kind of catalogue that is not a registry: codes of faults.
const ERRORS: &str = "errors";

/// The kinds of catalogue, in the order of the docs.
#[pyfunction]
pub fn kinds() -> Vec<&'static str> {
    REGISTRIES.iter().map(|registry| registry.kind()).chain([ERRORS]).collect()
}

fn registry(py: Python<'_>, kind: &str) -> PyResult<&'static dyn Catalogue> {
    netloom::registry(kind).or_raise(py)
}

/// Rows of one registry as dicts.
#[pyfunction]
pub fn catalogue<'py>(py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    if kind == ERRORS {
        for row in code_rows() {
            let item = PyDict::new(py);
            for (key, text) in [("code", row.code), ("title", row.title), ("cause", row.cause), ("action", row.action)]
            {
                item.set_item(key, text)?;
            }
            list.append(item)?;
        }
        return Ok(list);
    }
    for row in registry(py, kind)?.about() {
        let item = PyDict::new(py);
        item.set_item("name", row.name)?;
        item.set_item("aliases", row.aliases)?;
        item.set_item("summary", row.summary)?;
        let params = PyList::empty(py);
        for param in row.params {
            params.append(param_dict(py, param)?)?;
        }
        item.set_item("params", params)?;
        item.set_item("signature", signature(row.name, row.params))?;
        item.set_item("example", row.example)?;
        item.set_item("restrictions", row.restrictions)?;
        item.set_item("source", row.source)?;
        list.append(item)?;
    }
    Ok(list)
}

pub fn param_dict<'py>(py: Python<'py>, param: &Param) -> PyResult<Bound<'py, PyDict>> {
    let item = PyDict::new(py);
    item.set_item("name", param.name)?;
    item.set_item("kind", param.kind.expected())?;
    item.set_item("type", type_name(param.kind))?;
    item.set_item("default", param.default)?;
    match param.kind {
        Kind::Int { min, max } | Kind::Counts { min, max } => item.set_item("range", (min, max))?,
        Kind::Float { min, max } => item.set_item("range", (min, max))?,
        _ => item.set_item("range", None::<(i64, i64)>)?,
    }
    item.set_item("variadic", param.variadic)?;
    item.set_item("keyword_only", param.keyword_only)?;
    item.set_item("follows", param.follows)?;
    let absent = param.follows.map(|other| format!("; as `{other}` if absent")).unwrap_or_default();
    item.set_item("help", format!("{}{absent}", param.help))?;
    Ok(item)
}

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Int { .. } => "int",
        Kind::Float { .. } => "float",
        Kind::Bool => "bool",
        Kind::Choice(_) => "choice",
        Kind::Text => "text",
        Kind::Ints { .. } | Kind::IntsOr { .. } => "ints",
        Kind::Counts { .. } => "counts",
        Kind::Bools => "bools",
        Kind::Quantity(_) => "quantity",
        Kind::FloatOrNone { .. } => "float-or-none",
        Kind::Rows { .. } => "rows",
    }
}

/// Checks call text against a registry and returns its full form, every parameter by name.
#[pyfunction]
pub fn canonical(py: Python<'_>, kind: &str, text: &str) -> PyResult<String> {
    let call = cross::parse(py, text)?;
    Ok(registry(py, kind)?.canonical(&call).or_raise(py)?.to_string())
}

/// Call text with another value of one parameter. `kinds` are the registries in which its name may be; a name that none
/// has is that of a plug-in, whose arguments are given by name.
#[pyfunction]
pub fn with_argument(
    py: Python<'_>,
    kinds: Vec<String>,
    text: &str,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let call = cross::parse(py, text)?;
    Ok(netloom::with_argument(&kinds, &call, name, cross::value(value)).or_raise(py)?.to_string())
}

/// What the closed forms of a topology promise of call text, without building it. Counts beyond 2^53 are not exact.
#[pyfunction]
pub fn expected<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    let call = cross::parse(py, text)?;
    let (row, bound) = netloom_net::TOPOLOGIES.bind(&call).or_raise(py)?;
    let found = (row.expected)(&bound);
    let item = PyDict::new(py);
    item.set_item("switches", found.switches)?;
    item.set_item("endpoints", found.endpoints)?;
    item.set_item("switch_links", found.switch_links)?;
    item.set_item("degree_max", found.degree_max)?;
    item.set_item("diameter", found.diameter)?;
    Ok(item)
}

/// `(name, positional, keyword)` of call text.
#[pyfunction]
pub fn parse_call<'py>(py: Python<'py>, text: &str) -> PyResult<(String, Bound<'py, PyList>, Bound<'py, PyDict>)> {
    let call = cross::parse(py, text)?;
    let positional = PyList::empty(py);
    for value in &call.positional {
        positional.append(cross::to_py(py, value)?)?;
    }
    let keyword = PyDict::new(py);
    for (key, value) in &call.keyword {
        keyword.set_item(key, cross::to_py(py, value)?)?;
    }
    Ok((call.name, positional, keyword))
}

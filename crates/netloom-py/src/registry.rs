//! The registries as plain data, and the one grammar.

use netloom_model::fault::{CodeRow, codes};
use netloom_model::param::{Bound as Arguments, Param, find, signature};
use netloom_model::{Call, Fault, Kind};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::cross;
use crate::fault::{OrRaise, to_py};

/// What every row of every registry has.
struct Entry {
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
    params: &'static [Param],
    example: &'static str,
    restrictions: &'static str,
    source: &'static str,
}

/// One registry's rows.
macro_rules! entries {
    ($rows:expr) => {
        $rows
            .iter()
            .map(|row| Entry {
                name: row.name,
                aliases: row.aliases,
                summary: row.summary,
                params: row.params,
                example: row.example,
                restrictions: row.restrictions,
                source: row.source,
            })
            .collect()
    };
}

fn entries(kind: &str) -> Option<Vec<Entry>> {
    Some(match kind {
        "topologies" => entries!(netloom_net::registry::topologies()),
        "routings" => entries!(netloom_net::routing::routings()),
        "collectives" => entries!(netloom_workload::registry::collectives()),
        "applications" => entries!(netloom_workload::applications::applications()),
        "patterns" => entries!(netloom_workload::patterns::patterns()),
        "placements" => entries!(netloom_mapping::registry::placements()),
        "orders" => entries!(netloom_mapping::registry::orders()),
        "optimisers" => entries!(netloom_optimize::registry::optimisers()),
        "objectives" => entries!(netloom_optimize::registry::objectives()),
        "formats" => entries!(netloom_formats::registry::FORMATS),
        _ => return None,
    })
}

const KINDS: &[&str] = &[
    "topologies",
    "routings",
    "collectives",
    "applications",
    "patterns",
    "placements",
    "orders",
    "optimisers",
    "objectives",
    "formats",
    "errors",
];

/// Rows of every crate's codes.
fn code_rows() -> impl Iterator<Item = &'static CodeRow> {
    [
        codes::ALL,
        netloom_net::codes::ALL,
        netloom_net::metrics::codes::ALL,
        netloom_net::routing::codes::ALL,
        netloom_workload::codes::ALL,
        netloom_mapping::codes::ALL,
        netloom_eval::codes::ALL,
        netloom_optimize::codes::ALL,
        netloom_formats::codes::ALL,
    ]
    .into_iter()
    .flatten()
}

fn unknown_kind(py: Python<'_>, kind: &str) -> PyErr {
    let fault = Fault::new(&codes::BAD_VALUE, "catalogue.kind", format!("one of {}", KINDS.join(", ")), kind);
    to_py(py, &fault.into())
}

/// Rows of one registry as dicts.
#[pyfunction]
pub fn catalogue<'py>(py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    if kind == "errors" {
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
    let rows = entries(kind).ok_or_else(|| unknown_kind(py, kind))?;
    for row in rows {
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

fn param_dict<'py>(py: Python<'py>, param: &Param) -> PyResult<Bound<'py, PyDict>> {
    let item = PyDict::new(py);
    item.set_item("name", param.name)?;
    item.set_item("kind", param.kind.expected())?;
    item.set_item("type", type_name(param.kind))?;
    item.set_item("default", param.default)?;
    item.set_item("variadic", param.variadic)?;
    item.set_item("keyword_only", param.keyword_only)?;
    item.set_item("help", param.help)?;
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
        Kind::Bools => "bools",
        Kind::Quantity(_) => "quantity",
    }
}

/// Checks call text against a registry and gives its full form, every parameter by name.
#[pyfunction]
pub fn canonical(py: Python<'_>, kind: &str, text: &str) -> PyResult<String> {
    let call = cross::parse(py, text)?;
    let rows = entries(kind).ok_or_else(|| unknown_kind(py, kind))?;
    let what = if kind == "topologies" { "topology" } else { kind.trim_end_matches('s') };
    let row = find(what, &call.name, &rows, |r| std::iter::once(r.name).chain(r.aliases.iter().copied()).collect());
    let row = row.or_raise(py)?;
    // Under the row's own name, so that an alias and the name are the same run.
    let call = Call { name: row.name.to_string(), ..call };
    Ok(Arguments::bind(row.params, &call).or_raise(py)?.canonical().to_string())
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

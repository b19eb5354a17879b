//! Failures as text, and networks with them.

use std::sync::Arc;

use netloom_model as model;
use pyo3::prelude::*;

use crate::objects::Network;
use crate::work::waited;

/// One text of lines, or a list of them.
#[derive(FromPyObject)]
pub enum Lines {
    Text(String),
    List(Vec<String>),
}

/// The network without what the lines name; `place` is their name in messages.
pub fn without(py: Python<'_>, network: &Network, failures: Lines, place: Option<&str>) -> PyResult<Network> {
    let text = match failures {
        Lines::Text(text) => text,
        Lines::List(lines) => lines.join("\n"),
    };
    let place = place.unwrap_or(netloom_net::failures::PLACE).to_string();
    let whole = Arc::clone(&network.0);
    let made = waited(py, move || netloom_net::failures::without(&whole, &text, &place))?;
    Ok(Network::new(made, network.1.clone()))
}

/// The failures of a text, one a line; semicolons separate them too, but for those in names.
#[pyfunction]
pub fn failure_lines(text: &str) -> Vec<String> {
    netloom_net::failures::lines_of(text)
}

/// A switch's name as failures have it: in quotes where it holds what separates.
#[pyfunction]
pub fn written_name(name: &str) -> String {
    model::written_name(name)
}

/// True for a line that is written as a failure; whether the network has it is not checked.
#[pyfunction]
pub fn is_failure(line: &str) -> bool {
    netloom_net::failures::is_failure(line)
}

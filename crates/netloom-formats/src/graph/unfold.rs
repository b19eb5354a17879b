//! Turns a network back into names, for writers of graph formats.

use std::collections::HashSet;

use netloom_model::network::Per;
use netloom_model::{Fault, Network, Outcome};

use crate::codes;
use crate::sink::quoted;

/// Unique names of all nodes.
#[derive(Debug)]
pub struct Unfolded {
    pub switches: Vec<String>,
    pub endpoints: Vec<String>,
}

/// Names of the network's switches and endpoints, unique over both: those of its file, else `s0`, `s1`, ... and `e0`,
/// `e1`, ...; prefixed by `switch:` and `endpoint:` where a switch and an endpoint have the same name. O(nodes).
///
/// # Errors
/// `NL-F006` if two switches or two endpoints share a name.
pub fn unfold(network: &Network) -> Outcome<Unfolded> {
    let named = |count: u32, letter: &str, name: &dyn Fn(u32) -> String| -> Vec<String> {
        let names: Vec<String> = (0..count).map(name).collect();
        match names.iter().enumerate().all(|(i, n)| *n == i.to_string()) {
            true => (0..count).map(|i| format!("{letter}{i}")).collect(),
            false => names,
        }
    };
    let mut switches = named(network.switches(), "s", &|i| network.switch_name(i));
    let mut endpoints = named(network.endpoints(), "e", &|i| network.endpoint_name(i));
    unique(&switches, "switches", network.label())?;
    unique(&endpoints, "endpoints", network.label())?;
    let seen: HashSet<&str> = switches.iter().map(String::as_str).collect();
    if endpoints.iter().any(|e| seen.contains(e.as_str())) {
        switches = switches.into_iter().map(|n| format!("switch:{n}")).collect();
        endpoints = endpoints.into_iter().map(|n| format!("endpoint:{n}")).collect();
    }
    Ok(Unfolded { switches, endpoints })
}

/// # Errors
/// `NL-F006` naming the first name that occurs twice.
pub fn unique(names: &[String], what: &str, place: &str) -> Outcome<()> {
    let mut seen = HashSet::with_capacity(names.len());
    match names.iter().find(|n| !seen.insert(n.as_str())) {
        None => Ok(()),
        Some(name) => Err(Fault::say(&codes::DUPLICATE, place, format!("two {what} are called {}", quoted(name)))
            .hint("rename one of them")
            .into()),
    }
}

/// True if a cable has directions that differ, so that both have to be written. O(links).
pub fn is_directed(network: &Network) -> bool {
    let class = network.class_of();
    class.iter().zip(network.reverse()).any(|(there, &back)| *there != class[back as usize])
}

/// True if some links are not full duplex.
pub fn any_per(network: &Network) -> bool {
    network.classes().iter().chain([network.endpoint_class()]).any(|class| class.per != Per::Direction)
}

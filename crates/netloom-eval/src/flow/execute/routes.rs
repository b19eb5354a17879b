//! The way of a message: which resources it uses, with which latency and weight.

use std::collections::HashMap;

use netloom_model::{Fault, Network, Outcome, Path, Routing};

use super::Machine;
use crate::codes;
use crate::flow::max_min::Use;
use crate::flow::sharing::window_cap;
use crate::flow::ways::use_more;

/// Routes kept at a time; beyond it all are forgotten and made anew when needed. Some 200 MB.
const KEPT: usize = 1 << 20;

/// One way through the network.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    first: usize,
    uses: usize,
    pub links: (usize, usize),
    pub latency_s: f64,
    pub weight: f64,
    pub cap: f64,
    /// Least bandwidth on the way.
    pub bandwidth: f64,
}

/// Routes between endpoints, made when first asked for.
pub struct Routes<'a> {
    machine: &'a Machine<'a>,
    known: HashMap<u64, Route>,
    generation: u32,
    uses: Vec<Use>,
    links: Vec<u32>,
    paths: Vec<Path>,
    made: Vec<Use>,
}

impl<'a> Routes<'a> {
    pub fn new(machine: &'a Machine<'a>) -> Self {
        Routes {
            machine,
            known: HashMap::new(),
            generation: 0,
            uses: Vec::new(),
            links: Vec::new(),
            paths: Vec::new(),
            made: Vec::new(),
        }
    }

    /// Changes when the routes made so far are forgotten.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Resources of a route and their coefficients.
    pub fn uses(&self, route: &Route) -> &[Use] {
        &self.uses[route.first..route.first + route.uses]
    }

    /// Directed links of a route, injection and ejection included.
    pub fn links(&self, route: &Route) -> &[u32] {
        &self.links[route.links.0..route.links.1]
    }

    /// The route between two different endpoints.
    ///
    /// # Errors
    /// `NL-E005` if the routing has several paths; as [`Routing::paths`].
    pub fn get(&mut self, src: u32, dst: u32) -> Outcome<Route> {
        let key = u64::from(src) << 32 | u64::from(dst);
        if let Some(route) = self.known.get(&key) {
            return Ok(*route);
        }
        if self.known.len() >= KEPT {
            self.known.clear();
            self.generation += 1;
            self.uses.clear();
            self.links.clear();
        }
        let machine = self.machine;
        let links = self.links.len();
        way(machine.network, machine.routing, src, dst, &mut self.paths, &mut self.links)?;
        let there = links..self.links.len();
        let (mut latency, mut inverse, mut bandwidth) = (0.0, 0.0, f64::INFINITY);
        self.made.clear();
        for &link in &self.links[there.clone()] {
            let class = machine.network.class(link);
            latency += class.latency_s;
            inverse += 1.0 / class.bandwidth_bytes_per_s;
            bandwidth = bandwidth.min(class.bandwidth_bytes_per_s);
            use_more(&mut self.made, machine.resource(link), 1.0);
        }
        // Injection and ejection are links, each switch stands between two of them.
        latency += machine.switch_latency_s * (there.len() - 1) as f64;
        if machine.calibration.cross_traffic > 0.0 {
            let back = self.links.len();
            way(machine.network, machine.routing, dst, src, &mut self.paths, &mut self.links)?;
            for &link in &self.links[back..] {
                use_more(&mut self.made, machine.resource(link), machine.calibration.cross_traffic);
            }
            self.links.truncate(back);
        }
        let route = Route {
            first: self.uses.len(),
            uses: self.made.len(),
            links: (there.start, there.end),
            latency_s: latency,
            weight: machine.calibration.sharing.weight(latency, inverse),
            cap: window_cap(machine.calibration.tcp_window_bytes, latency),
            bandwidth,
        };
        self.uses.extend_from_slice(&self.made);
        self.known.insert(key, route);
        Ok(route)
    }
}

/// Appends the links from one endpoint to another.
fn way(
    network: &Network,
    routing: &dyn Routing,
    src: u32,
    dst: u32,
    paths: &mut Vec<Path>,
    links: &mut Vec<u32>,
) -> Outcome<()> {
    let at = network.endpoint_switch();
    routing.paths(at[src as usize], at[dst as usize], paths)?;
    let [path] = paths.as_slice() else {
        let place = format!("{} on {}", routing.label(), network.label());
        let sentence = format!("{} paths from endpoint {src} to endpoint {dst}; a message takes one", paths.len());
        return Err(Fault::say(&codes::MANY_PATHS, place, sentence).hint("use single-minimal").into());
    };
    links.push(network.injection_link(src));
    links.extend_from_slice(&path.links);
    links.push(network.ejection_link(dst));
    Ok(())
}

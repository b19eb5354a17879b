//! The way of a message: which resources it uses, with which latency and weight.

use std::collections::HashMap;

use netloom_model::{Fault, Network, Outcome, Path, Routing};

use super::machine::Machine;
use super::max_min::Use;
use super::sharing::window_cap;
use super::ways::use_more;
use crate::codes;
use crate::ranks::Job;

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
#[derive(Clone)]
pub struct Routes<'a> {
    machine: Machine<'a>,
    /// The machine's first, then those that jobs have of their own, each with what it has been asked for.
    routings: Vec<(&'a dyn Routing, HashMap<u64, Route>)>,
    of_job: Vec<u32>,
    known: usize,
    generation: u32,
    uses: Vec<Use>,
    links: Vec<u32>,
    paths: Vec<Path>,
    made: Vec<Use>,
}

impl<'a> Routes<'a> {
    pub fn new(machine: Machine<'a>, jobs: &[Job<'a>]) -> Self {
        let mut routings = vec![(machine.routing, HashMap::new())];
        let number = |job: &Job<'a>| match job.routing {
            None => 0,
            Some(own) => {
                let there = routings.iter().position(|(routing, _)| std::ptr::addr_eq(*routing, own));
                there.unwrap_or_else(|| {
                    routings.push((own, HashMap::new()));
                    routings.len() - 1
                }) as u32
            }
        };
        Routes {
            machine,
            of_job: jobs.iter().map(number).collect(),
            routings,
            known: 0,
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

    /// Number of a job's routing.
    pub fn of_job(&self, job: u32) -> u32 {
        self.of_job[job as usize]
    }

    /// Resources of a route and their coefficients.
    pub fn uses(&self, route: &Route) -> &[Use] {
        &self.uses[route.first..route.first + route.uses]
    }

    /// Directed links of a route, injection and ejection included.
    pub fn links(&self, route: &Route) -> &[u32] {
        &self.links[route.links.0..route.links.1]
    }

    /// The route between two different endpoints by the routing of that number.
    ///
    /// # Errors
    /// `NL-E005` if the routing has several paths; as [`Routing::paths`].
    pub fn get(&mut self, routing: u32, src: u32, dst: u32) -> Outcome<Route> {
        let key = u64::from(src) << 32 | u64::from(dst);
        let (by, known) = &self.routings[routing as usize];
        if let Some(route) = known.get(&key) {
            return Ok(*route);
        }
        let (by, machine) = (*by, self.machine);
        if self.known >= KEPT {
            self.forget();
        }
        let links = self.links.len();
        way(machine.network, by, src, dst, &mut self.paths, &mut self.links)?;
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
            way(machine.network, by, dst, src, &mut self.paths, &mut self.links)?;
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
        self.routings[routing as usize].1.insert(key, route);
        self.known += 1;
        Ok(route)
    }

    fn forget(&mut self) {
        self.routings.iter_mut().for_each(|(_, known)| known.clear());
        self.known = 0;
        self.generation += 1;
        self.uses.clear();
        self.links.clear();
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

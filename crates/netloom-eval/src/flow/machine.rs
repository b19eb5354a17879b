//! The machine of jobs whose messages are flows, and its execution.

pub use netloom_model::{Background, Duplex};
use netloom_model::{Network, Node, Outcome, Per, Place, Progress, Routing, Software, Wire};

use super::check;
use super::max_min::Work;
use super::transport::Flows;
use crate::ranks::{self, Job};

/// The machine of the jobs.
#[derive(Clone, Copy)]
pub struct Machine<'a> {
    pub network: &'a Network,
    /// What is behind the endpoints; `None`: ranks of one endpoint talk over the loopback of the wire.
    pub node: Option<&'a Node>,
    /// One path per pair; for background flows, and for jobs without their own routing.
    pub routing: &'a dyn Routing,
    pub wire: &'a Wire,
    pub software: &'a Software,
}

impl Machine<'_> {
    /// The capacity that a directed link uses.
    pub(super) fn resource(&self, link: u32) -> u32 {
        let links = self.network.links();
        if self.wire.duplex == Duplex::Full && (link >= links || self.network.class(link).per != Per::Cable) {
            return link;
        }
        if link >= links {
            return links + (link - links) / 2 * 2;
        }
        let switch_links = self.network.switch_links();
        match self.network.reverse().get(link as usize) {
            Some(&back) => link.min(back),
            None => switch_links + (link - switch_links) % self.network.endpoints(),
        }
    }

    /// True for a message that no link carries: of a rank to another at the same place, or, where no node is given, to another
    /// port of its host. It takes the time of the wire's loopback.
    pub(crate) fn loops_back(&self, from: Place, to: Place) -> bool {
        from == to || (self.node.is_none() && self.network.keeps_inside(from.endpoint, to.endpoint))
    }

    /// Bandwidth of every link: the network's, then those in nodes.
    pub(crate) fn bandwidths(&self) -> impl Iterator<Item = f64> {
        let of_network = (0..self.network.links()).map(|link| self.network.class(link).bandwidth_bytes_per_s);
        let links = |node: &Node| node.count(self.network.endpoints()) * node.links_per_node();
        let of_nodes = self
            .node
            .into_iter()
            .flat_map(move |node| (0..links(node)).map(|link| node.class_of(link).bandwidth_bytes_per_s));
        of_network.chain(of_nodes)
    }

    /// One number for each place.
    pub(super) fn number(&self, place: Place) -> u32 {
        self.node.map_or(place.endpoint, |node| place.endpoint * node.seats_per_endpoint() + place.seat)
    }
}

/// The result of a run, and the work of the solver.
pub type Execution = ranks::Execution<Work>;

/// Runs jobs together on one network, over background traffic. Cost per message: O(path) and the other rates that its
/// start and its end change. Memory: the ranks, and the messages that wait or move at one time.
///
/// # Errors
/// `NL-E010`, `NL-E011` for impossible amounts; `NL-E001` for a mapping with a different number of ranks; `NL-M001` for
/// an endpoint that does not exist; `NL-E005`, `NL-E003` from the routing; as [`ranks::run`].
pub fn execute(
    machine: &Machine<'_>,
    jobs: &[Job<'_>],
    background: &[Background],
    record: bool,
    progress: &Progress,
) -> Outcome<Execution> {
    check::check(machine, jobs, background)?;
    let mut flows = Flows::new(*machine, jobs);
    for flow in background {
        flows.add_background(flow)?;
    }
    ranks::run(flows, machine.software.clone(), jobs, record, progress)
}

/// Times one job as [`execute`] does, for one mapping after another.
pub type Stopwatch<'a> = ranks::Stopwatch<'a, Flows<'a>>;

impl<'a> Stopwatch<'a> {
    /// [`Stopwatch::over`] a machine.
    ///
    /// # Errors
    /// As [`execute`] before it starts.
    pub fn new(machine: &Machine<'a>, job: Job<'a>, slots: u32, stop: &'a Progress) -> Outcome<Stopwatch<'a>> {
        Stopwatch::over(Flows::new(*machine, &[job]), machine.software.clone(), job, slots, stop)
    }
}

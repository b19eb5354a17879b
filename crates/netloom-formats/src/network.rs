//! Networks in files.

use netloom_model::fault::codes::TOO_LARGE;
use netloom_model::{Bound, Fault, Network, Outcome, Registry};

use crate::limits::MAX_NODES;
use crate::network_file::Read;
use crate::row::{Format, Held};
use crate::{booksim, fabric, graph_golf, graphml, node_link, simgrid, slurm};

/// Formats of networks.
pub static FORMATS: Registry<Format<Network>> = Registry {
    kind: "formats",
    what: "format",
    rows: &[
        graph_golf::ROW,
        graphml::ROW,
        node_link::ROW,
        simgrid::ROW,
        slurm::ROW,
        slurm::YAML,
        booksim::ROW,
        fabric::ROW,
        fabric::ROOTS,
        fabric::ORDER,
    ],
    common: &[],
};

impl Held for Network {
    type Given<'g> = ();
    type Onto<'g> = ();
    type Found = Read;
    type Written = Vec<u8>;
    const WHAT: &'static str = "a network";
    /// Measured: 2 (`ibnetdiscover`) to 14 (`graph-golf`).
    const READ_FACTOR: u64 = 16;

    fn formats() -> &'static Registry<Format<Network>> {
        &FORMATS
    }

    /// Measured: at most 376 bytes for each switch, cable and endpoint (SimGrid), the copy that leaves the core included.
    fn written_bytes(&self) -> u64 {
        400 * (u64::from(self.switches()) + u64::from(self.cables()) + u64::from(self.endpoints()))
    }

    /// The parameter `slots`: seats for ranks on each endpoint of the file, behind its one link; those that the file says
    /// unless it is above 1.
    ///
    /// # Errors
    /// `NL-A009` beyond 2^23 slots.
    fn finish(found: Read, place: &str, bound: &Bound) -> Outcome<Read> {
        let slots = match bound.size("slots") {
            0 | 1 => found.network.seats(),
            given => given,
        };
        let wanted = u64::from(found.network.endpoints()) * u64::from(slots);
        if wanted > MAX_NODES {
            return Err(Fault::say(&TOO_LARGE, place, format!("{wanted} slots exceed {MAX_NODES}")).into());
        }
        Ok(Read { network: found.network.with_seats(slots), ..found })
    }
}

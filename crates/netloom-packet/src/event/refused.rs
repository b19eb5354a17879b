//! What the packet model has no part for.

use netloom_model::fault::codes as model;
use netloom_model::{Background, Duplex, Fault, Faults};

use super::own_links::OwnLinks;
use super::state::MOST_INNER;
use netloom_ranks::RoutedMachine;

/// What the packet model has no part for.
pub fn refused(machine: &RoutedMachine<'_>, background: &[Background]) -> Faults {
    let mut faults = Faults::none();
    OwnLinks::of(machine.network).refused(machine.network).into_iter().for_each(|fault| faults.push(fault));
    let mut refuse = |place: &str, sentence: &str, hint: &str| {
        faults.push(Fault::say(&model::BAD_VALUE, place, sentence).hint(hint));
    };
    if machine.wire.duplex == Duplex::Half {
        refuse("duplex", "the packet model has full-duplex links only", "use --duplex full, or --model flow");
    }
    let costs = machine.wire;
    if costs.cross_traffic > 0.0 || costs.tcp_window_bytes > 0.0 {
        let sentence = "cross traffic and TCP windows belong to the flow model";
        refuse("calibration", sentence, "use pure or a calibration without them, or --model flow");
    }
    if machine.node.is_some_and(|node| node.levels().len() > MOST_INNER / 2) {
        let sentence = format!("has more than {} levels, which packets do not count", MOST_INNER / 2);
        refuse("node", &sentence, "leave levels out, or use --model flow");
    }
    if background.iter().any(|flow| flow.cap_bytes_per_s.is_finite()) {
        refuse(
            "background",
            "the packet model knows no limit of a flow's rate",
            "leave the limit out, or use --model flow",
        );
    }
    faults
}

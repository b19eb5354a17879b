//! What every routing promises, registered or not.

use netloom_model::fault::{Fault, Faults, Outcome};
use netloom_model::{Network, Path, Routing};

use super::codes;
use super::deadlock::ends;

/// Checks the paths of all pairs of switches that have endpoints (of all switches if there are none): each is
/// contiguous, leads from source to destination and stays within the declared channels; the shares of a pair are positive and sum to 1; a deterministic routing has one path per pair.
/// O(pairs · paths · hops).
///
/// # Errors
/// `NL-R008` for the first broken promise of each pair's source, and what the routing says.
pub fn check_routing(network: &Network, routing: &dyn Routing) -> Outcome<()> {
    let mut faults = Faults::none();
    let ends = ends(network);
    let mut paths = Vec::new();
    for &source in &ends {
        for &destination in &ends {
            routing.paths(source, destination, &mut paths)?;
            if let Some(sentence) = broken(network, routing, source, destination, &paths) {
                let place = format!("{} on {}", routing.label(), network.label());
                let sentence = format!("from switch {source} to switch {destination}: {sentence}");
                faults.push(Fault::say(&codes::BROKEN, place, sentence));
                break;
            }
        }
    }
    faults.or(())
}

fn broken(network: &Network, routing: &dyn Routing, source: u32, destination: u32, paths: &[Path]) -> Option<String> {
    let total: f64 = paths.iter().map(|p| p.fraction).sum();
    if (total - 1.0).abs() > 1e-9 || paths.iter().any(|p| p.fraction.is_nan() || p.fraction <= 0.0) {
        return Some(format!("the shares of {} paths sum to {total}", paths.len()));
    }
    if routing.is_deterministic() && paths.len() != 1 {
        return Some(format!("{} paths of a deterministic routing", paths.len()));
    }
    paths.iter().find_map(|path| {
        if path.channels.len() != path.links.len() {
            return Some(format!("{} channels for {} links", path.channels.len(), path.links.len()));
        }
        if path.channels.iter().any(|c| *c >= routing.virtual_channels()) {
            return Some(format!("channels {:?} of {}", path.channels, routing.virtual_channels()));
        }
        let mut at = source;
        for &link in &path.links {
            if network.tails().get(link as usize) != Some(&at) {
                return Some(format!("link {link} does not leave switch {at}"));
            }
            at = network.heads()[link as usize];
        }
        (at != destination).then(|| format!("a path ends at switch {at}"))
    })
}

//! Bytes times hops: every byte takes at least its distance in links, and all links together carry only what their bandwidth allows.

use netloom_model::{Network, Progress};

use super::machine::Machine;

/// Switches times links that the searches may visit.
const VISITS: u64 = 1 << 30;

/// Total load of an alltoall of one byte per pair on all switch links.
pub struct Volume {
    /// Sum of hops over the ordered pairs of ranks.
    pub message_hops: f64,
    /// Bandwidth of all directed switch links together.
    pub bandwidth_bytes_per_s: f64,
}

/// `None` where the searches would take too long, or were stopped. O(switches · links).
pub fn alltoall(machine: &Machine<'_>, progress: &Progress) -> Option<Volume> {
    let network = machine.network;
    let sources: Vec<u32> = (0..machine.switches).filter(|s| machine.below[*s as usize] > 0).collect();
    if sources.len() as u64 * u64::from(network.switch_links()) > VISITS {
        return None;
    }
    // Where the network is vertex-transitive, one source represents all.
    let even = sources.len() as u32 == machine.switches && machine.below.windows(2).all(|w| w[0] == w[1]);
    let alike = even && network.structure().transitive;
    let searched = if alike { &sources[..1] } else { &sources[..] };
    let mut scratch = vec![u32::MAX; machine.switches as usize];
    let mut message_hops = 0u128;
    for &source in searched {
        if progress.stopped() {
            return None;
        }
        message_hops +=
            u128::from(machine.below[source as usize]) * hops_from(network, source, &machine.below, &mut scratch);
    }
    if alike {
        message_hops *= sources.len() as u128;
    }
    let widths = (0..network.switch_links()).map(|link| network.class(link).bandwidth_bytes_per_s);
    let bandwidth_bytes_per_s: f64 = widths.sum();
    (bandwidth_bytes_per_s > 0.0).then_some(Volume { message_hops: message_hops as f64, bandwidth_bytes_per_s })
}

/// Sum of distances from a switch, each as often as ranks are there.
fn hops_from(network: &Network, source: u32, below: &[u32], distance: &mut [u32]) -> u128 {
    distance.fill(u32::MAX);
    distance[source as usize] = 0;
    let mut queue = vec![source];
    let (mut at, mut sum) = (0, 0u128);
    while let Some(&v) = queue.get(at) {
        at += 1;
        let here = distance[v as usize];
        sum += u128::from(here) * u128::from(below[v as usize]);
        for &u in network.neighbours(v) {
            if distance[u as usize] == u32::MAX {
                distance[u as usize] = here + 1;
                queue.push(u);
            }
        }
    }
    sum
}

//! The ports of every switch in full service, also of a network that has lost some.

use netloom_model::Network;

/// A port: the switch at its other end, and its link if that is in service.
type Port = (u32, Option<u32>);

/// The ports to other switches, switch by switch, in the order of the heads.
pub struct Ports {
    offsets: Vec<usize>,
    ports: Vec<Port>,
}

impl Ports {
    /// O(links · log degree).
    pub fn of(network: &Network) -> Ports {
        let n = network.switches() as usize;
        let mut lost: Vec<Vec<u32>> = vec![Vec::new(); n];
        for &(a, b) in network.failed().map_or(&[][..], |failed| &failed.cables) {
            lost[a as usize].push(b);
            lost[b as usize].push(a);
        }
        let (mut offsets, mut ports) = (vec![0], Vec::new());
        for (at, lost) in (0..).zip(&lost) {
            let start = ports.len();
            let alive = network.out_links(at).map(|link| (network.place(link), link));
            let mut heads: Vec<u32> = network.neighbours(at).iter().chain(lost).copied().collect();
            heads.sort_unstable();
            ports.extend(heads.into_iter().map(|head| (head, None)));
            for (place, link) in alive {
                ports[start + place as usize] = (network.heads()[link as usize], Some(link));
            }
            offsets.push(ports.len());
        }
        Ports { offsets, ports }
    }

    fn row(&self, at: u32) -> &[Port] {
        &self.ports[self.offsets[at as usize]..self.offsets[at as usize + 1]]
    }

    /// The switches that `at` has ports to, each once, ascending.
    pub fn heads(&self, at: u32) -> impl Iterator<Item = u32> {
        self.row(at).chunk_by(|a, b| a.0 == b.0).map(|cables| cables[0].0)
    }

    /// Of the switches that `choice` admits the one of number `digit` modulo their count, of the cables to it that of
    /// number `rest` modulo theirs, which is the second value: its link, if it is in service. `None` without a choice.
    pub fn chosen(&self, at: u32, digit: u64, rest: u64, choice: impl Fn(u32) -> bool) -> Option<(Option<u32>, u64)> {
        let groups = || self.row(at).chunk_by(|a, b| a.0 == b.0).filter(|cables| choice(cables[0].0));
        let cables = groups().nth(digit.checked_rem(groups().count() as u64)? as usize)?;
        let count = cables.len() as u64;
        Some((cables[(rest % count) as usize].1, count))
    }
}

//! Cycles of channels that are single rings: there a free buffer that nobody may fill keeps packets moving.

use super::{Channel, Dependencies, shortest_cycle};

impl Dependencies<'_> {
    /// The number of the ring that each channel is on, from 1, or 0 if no cycle leads over it; at link · channels + channel.
    ///
    /// Packets that leave one buffer free on every ring cannot wait for each other forever, if each strongly connected part
    /// of the graph is one ring (Carrion et al. 1997): of the rings with packets, one leads to none of the others, so its
    /// packets leave it or move on into the free buffer. O(dependencies), by Tarjan's search.
    ///
    /// # Errors
    /// A cycle that is part of something other than a ring.
    pub fn rings(&self) -> Result<Vec<u32>, Vec<Channel>> {
        let mut rings = vec![0; self.network.switch_links() as usize * self.channels as usize];
        for (number, part) in (1..).zip(self.parts()) {
            part.iter().for_each(|channel| rings[self.index(*channel)] = number);
            let inside = |from: Channel| self.of(from).filter(|to| rings[self.index(*to)] == number).count();
            if let Some(&fork) = part.iter().find(|channel| inside(**channel) != 1) {
                return Err(shortest_cycle(self, fork));
            }
        }
        Ok(rings)
    }

    /// The strongly connected parts of more than one channel.
    fn parts(&self) -> Vec<Vec<Channel>> {
        const NEW: u32 = 0;
        const DONE: u32 = u32::MAX;
        let links = self.network.switch_links();
        // Order of discovery, and the earliest channel of the part that is known to be reached.
        let mut found = vec![NEW; links as usize * self.channels as usize];
        let mut low = vec![NEW; found.len()];
        let (mut next, mut open, mut parts) = (NEW, Vec::new(), Vec::new());
        let mut stack: Vec<(Channel, u64)> = Vec::new();
        let all = (0..links).flat_map(|link| (0..self.channels as u8).map(move |channel| (link, channel)));
        for root in all {
            if found[self.index(root)] != NEW {
                continue;
            }
            stack.push((root, 0));
            while let Some((at, from)) = stack.last_mut() {
                let (held, here) = (*at, self.index(*at));
                if found[here] == NEW {
                    next += 1;
                    (found[here], low[here]) = (next, next);
                    open.push(held);
                }
                if let Some((asked, after)) = self.next(held, *from) {
                    *from = after;
                    match found[self.index(asked)] {
                        NEW => stack.push((asked, 0)),
                        DONE => {}
                        order => low[here] = low[here].min(order),
                    }
                    continue;
                }
                stack.pop();
                if let Some((before, _)) = stack.last() {
                    let before = self.index(*before);
                    low[before] = low[before].min(low[here]);
                }
                if low[here] == found[here] {
                    let first = open.iter().rposition(|channel| *channel == held).unwrap_or(0);
                    let part = open.split_off(first);
                    part.iter().for_each(|channel| found[self.index(*channel)] = DONE);
                    if part.len() > 1 {
                        parts.push(part);
                    }
                }
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use crate::deadlock::Dependencies;
    use crate::{Network, NetworkBuilder};

    /// Switches 0 to 4: a ring of 0, 1, 2, and one of 2, 3, 4.
    fn eight() -> Network {
        let mut made = NetworkBuilder::new("eight", 5);
        let class = made.class("link", 1e9, 0.0);
        made.endpoint_link(1e9, 0.0);
        for (a, b) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)] {
            made.cable(a, b, class);
        }
        (0..5).for_each(|s| made.endpoint(s));
        made.build().unwrap()
    }

    fn link(network: &Network, from: u32, to: u32) -> u32 {
        network.out_links(from).find(|link| network.heads()[*link as usize] == to).unwrap()
    }

    fn with(network: &Network, waits: &[[u32; 3]]) -> Result<Vec<u32>, Vec<(u32, u8)>> {
        let mut made = Dependencies::new(network, 1).unwrap();
        for [a, b, c] in waits {
            assert!(made.set((link(network, *a, *b), 0), (link(network, *b, *c), 0)));
        }
        made.rings()
    }

    const FIRST: [[u32; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];
    const SECOND: [[u32; 3]; 3] = [[2, 3, 4], [3, 4, 2], [4, 2, 3]];

    #[test]
    fn rings_one_after_another_are_rings() {
        let network = eight();
        // From the first ring to the second, but not back.
        let rings = with(&network, &[&FIRST[..], &SECOND[..], &[[1, 2, 3]]].concat()).unwrap();
        let on = |from, to| rings[link(&network, from, to) as usize];
        assert_eq!([on(0, 1), on(1, 2), on(2, 0)], [on(0, 1); 3]);
        assert_eq!([on(2, 3), on(3, 4), on(4, 2)], [on(2, 3); 3]);
        assert!(on(0, 1) != on(2, 3) && on(0, 1) > 0 && on(2, 3) > 0);
        assert_eq!(rings.iter().filter(|ring| **ring == 0).count(), 6);
    }

    #[test]
    fn rings_that_lead_to_each_other_are_none() {
        let network = eight();
        let found = with(&network, &[&FIRST[..], &SECOND[..], &[[1, 2, 3], [4, 2, 0]]].concat());
        let cycle = found.unwrap_err();
        assert!(cycle.len() >= 3, "{cycle:?}");
    }

    #[test]
    fn without_a_cycle_nothing_is_on_a_ring() {
        let rings = with(&eight(), &[[0, 1, 2], [1, 2, 3]]).unwrap();
        assert!(rings.iter().all(|ring| *ring == 0));
    }
}

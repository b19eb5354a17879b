//! Distances to one switch: from a matrix where that is cheap, else searched on demand and cached.

use std::sync::Arc;

use netloom_model::{HopMatrix, Network, Outcome, Progress};

use super::closed::{GridForm, TreeForm};
use super::recent::Recent;
use super::trunk::{Gate, Trunk};
use crate::metrics;

/// Most switches for which routings keep all distances (64 MiB).
pub const KEEP_LIMIT: u32 = 8192;

/// Hop distances of a network whose switches in use are connected.
pub enum Distances {
    Matrix(HopMatrix),
    Grid(GridForm),
    Tree(TreeForm),
    Searched(Searched),
}

/// Distances to the most recent destinations. Switches that only join two others need none of their own, and those to a hub
/// come from those to its ends: far fewer are searched.
pub struct Searched {
    trunk: Trunk,
    /// Distances from every switch of the trunk to one of them: those that are searched, and those of hubs.
    rows: [Recent<[u32]>; 2],
}

impl Searched {
    fn new(network: &Network) -> Searched {
        Searched { trunk: Trunk::of(network), rows: Default::default() }
    }

    /// O(1) if kept, else O(links).
    fn to(&self, destination: u32) -> DistanceRow<'_> {
        let Gate { ends: [a, b], hops } = self.trunk.gate(destination);
        match hops {
            0 => DistanceRow::Wide(&self.trunk, self.row(a)),
            _ => DistanceRow::Behind(&self.trunk, destination, [self.row(a), self.row(b)]),
        }
    }

    fn row(&self, to: u32) -> Arc<[u32]> {
        let is_hub = self.trunk.is_hub(to);
        self.rows[usize::from(is_hub)].get(to, || {
            let row = if is_hub { self.trunk.of_hub(to, |end| self.row(end)) } else { self.trunk.search(to) };
            let length = row.len();
            (row.into(), length)
        })
    }
}

/// Distance of every switch to one of them.
pub enum DistanceRow<'a> {
    Bytes(&'a [u8]),
    Grid(&'a GridForm, u32),
    Tree(&'a TreeForm, u32),
    /// To a switch of the trunk, from all of them.
    Wide(&'a Trunk, Arc<[u32]>),
    /// To a switch between these two.
    Behind(&'a Trunk, u32, [Arc<[u32]>; 2]),
}

/// Distance of a switch that cannot be reached.
pub const FAR: u32 = u32::MAX;

impl DistanceRow<'_> {
    #[inline]
    pub fn get(&self, switch: u32) -> u32 {
        match self {
            DistanceRow::Bytes(row) => u32::from(row[switch as usize]),
            DistanceRow::Grid(grid, to) => grid.distance(switch, *to),
            DistanceRow::Tree(tree, to) => tree.distance(switch, *to),
            DistanceRow::Wide(trunk, row) => {
                let Gate { ends: [c, d], hops } = trunk.gate(switch);
                row[c as usize].min(row[d as usize]).saturating_add(hops)
            }
            DistanceRow::Behind(_, to, _) if *to == switch => 0,
            DistanceRow::Behind(trunk, _, [a, b]) => {
                let Gate { ends, hops } = trunk.gate(switch);
                let [c, d] = ends.map(|end| a[end as usize].min(b[end as usize]));
                c.min(d).saturating_add(hops + 1)
            }
        }
    }
}

impl Distances {
    /// A matrix up to [`KEEP_LIMIT`] switches, if all are connected and distances fit a byte; beyond, a formula where
    /// there is one.
    ///
    /// # Errors
    /// `NL-N001` if switches in use are disconnected.
    pub fn of(network: &Network) -> Outcome<Distances> {
        network.require_joined()?;
        // Switches out of service, which are apart, have no distance.
        if network.failed().is_some() && !network.unreached().is_empty() {
            return Ok(Distances::searched(network));
        }
        if network.switches() > KEEP_LIMIT {
            return Ok(Distances::closed(network).unwrap_or_else(|| Distances::searched(network)));
        }
        match metrics::hop_matrix(network, &Progress::new()) {
            Ok(matrix) => Ok(Distances::Matrix(matrix)),
            Err(faults) if faults.0.iter().all(|f| f.code == metrics::codes::TOO_FAR.code) => {
                Ok(Distances::searched(network))
            }
            Err(faults) => Err(faults),
        }
    }

    /// Distances by formula, if the network is a grid or a tree.
    pub fn closed(network: &Network) -> Option<Distances> {
        GridForm::of(network).map(Distances::Grid).or_else(|| TreeForm::of(network).map(Distances::Tree))
    }

    pub fn searched(network: &Network) -> Distances {
        Distances::Searched(Searched::new(network))
    }

    /// The answer of [`netloom_model::Routing::is_searched`].
    pub fn is_searched(&self) -> bool {
        matches!(self, Distances::Searched(_))
    }

    /// O(1), or O(links) if it must be searched.
    pub fn to(&self, destination: u32) -> DistanceRow<'_> {
        match self {
            Distances::Matrix(matrix) => DistanceRow::Bytes(matrix.row(destination)),
            Distances::Grid(grid) => DistanceRow::Grid(grid, destination),
            Distances::Tree(tree) => DistanceRow::Tree(tree, destination),
            Distances::Searched(searched) => searched.to(destination),
        }
    }

    /// The diameter, or up to twice that where it is not at hand.
    pub fn diameter_bound(&self, network: &Network) -> u32 {
        match self {
            Distances::Matrix(matrix) => matrix.as_slice().iter().max().map_or(0, |d| u32::from(*d)),
            Distances::Grid(grid) => grid.diameter(),
            Distances::Tree(tree) => tree.diameter(),
            Distances::Searched(_) => eccentricity(network).saturating_mul(2),
        }
    }
}

/// Hops from the first switch that packets come from to the farthest that it reaches.
pub fn eccentricity(network: &Network) -> u32 {
    let first = netloom_model::deadlock::ends(network).first().copied();
    let hops = first.map(|first| search(network, first)).unwrap_or_default();
    hops.into_iter().filter(|d| *d != FAR).max().unwrap_or(0)
}

/// Breadth-first distances; [`FAR`] where there is no path.
pub fn search(network: &Network, from: u32) -> Vec<u32> {
    let mut distance = vec![FAR; network.switches() as usize];
    distance[from as usize] = 0;
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        for &u in network.neighbours(at) {
            if distance[u as usize] == FAR {
                distance[u as usize] = distance[at as usize] + 1;
                queue.push(u);
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use netloom_model::Call;

    use super::*;

    #[test]
    fn searched_distances_are_those_of_the_matrix() {
        for text in [
            "rail_cluster(nodes=5,gpus=3,pod=2)",
            "ring(7)",
            "star(4)",
            "thin_tree(3,2,2)",
            "rail_cluster(nodes=40,gpus=2,pod=4,radix=8)",
            "mesh(6)",
            "complete(3)",
            "dragonfly(a=2,p=1,h=1,g=3)",
            "torus(3,2)",
            "dragonfly(a=8,p=1,h=4,g=20)",
            "random_regular(90,4)",
            "thin_tree(down=4,up=2,levels=3)",
            "rail_cluster(nodes=64,gpus=8,pod=8)",
        ] {
            let network = crate::registry::build(&Call::parse(text).unwrap()).unwrap();
            let (matrix, searched) = (Distances::of(&network).unwrap(), Distances::searched(&network));
            for to in 0..network.switches() {
                let (a, b) = (matrix.to(to), searched.to(to));
                for from in 0..network.switches() {
                    assert_eq!(a.get(from), b.get(from), "{text}: {from} to {to}");
                }
            }
        }
    }
}

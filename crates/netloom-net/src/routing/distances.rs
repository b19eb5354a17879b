//! Distances to one switch: from a matrix where that is cheap, else searched on demand and cached.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use netloom_model::{HopMatrix, Network, Outcome, Progress};

use super::closed::{GridForm, TreeForm};
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

/// Distances to the most recent destinations. Those to a switch with one or two neighbours, such as a GPU between its
/// NVLink switch and its leaf, are those to its neighbours and one more hop: far fewer are searched.
#[derive(Default)]
pub struct Searched {
    rows: RwLock<HashMap<u32, Arc<[u32]>>>,
}

/// Most distances kept (256 MiB).
const KEPT: usize = 1 << 26;

impl Searched {
    /// O(1) if kept, else O(links).
    fn to(&self, network: &Network, destination: u32) -> DistanceRow<'static> {
        match *network.neighbours(destination) {
            [a] => DistanceRow::Behind(destination, [self.searched(network, a), self.searched(network, a)]),
            [a, b] => DistanceRow::Behind(destination, [self.searched(network, a), self.searched(network, b)]),
            _ => DistanceRow::Wide(self.searched(network, destination)),
        }
    }

    fn searched(&self, network: &Network, destination: u32) -> Arc<[u32]> {
        if let Some(row) = self.rows.read().unwrap_or_else(PoisonError::into_inner).get(&destination) {
            return Arc::clone(row);
        }
        let row: Arc<[u32]> = search(network, destination).into();
        let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
        if (rows.len() + 1) * row.len() > KEPT {
            rows.clear();
        }
        rows.insert(destination, Arc::clone(&row));
        row
    }
}

/// Distance of every switch to one of them.
pub enum DistanceRow<'a> {
    Bytes(&'a [u8]),
    Grid(&'a GridForm, u32),
    Tree(&'a TreeForm, u32),
    Wide(Arc<[u32]>),
    /// To a switch, by way of its one or two neighbours.
    Behind(u32, [Arc<[u32]>; 2]),
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
            DistanceRow::Wide(row) => row[switch as usize],
            DistanceRow::Behind(to, _) if *to == switch => 0,
            DistanceRow::Behind(_, [a, b]) => a[switch as usize].min(b[switch as usize]).saturating_add(1),
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
            return Ok(Distances::searched());
        }
        if network.switches() > KEEP_LIMIT {
            return Ok(Distances::closed(network).unwrap_or_else(Distances::searched));
        }
        match metrics::hop_matrix(network, &Progress::new()) {
            Ok(matrix) => Ok(Distances::Matrix(matrix)),
            Err(faults) if faults.0.iter().all(|f| f.code == metrics::codes::TOO_FAR.code) => Ok(Distances::searched()),
            Err(faults) => Err(faults),
        }
    }

    /// Distances by formula, if the network is a grid or a tree.
    pub fn closed(network: &Network) -> Option<Distances> {
        GridForm::of(network).map(Distances::Grid).or_else(|| TreeForm::of(network).map(Distances::Tree))
    }

    pub fn searched() -> Distances {
        Distances::Searched(Searched::default())
    }

    /// O(1), or O(links) if it must be searched.
    pub fn to(&self, network: &Network, destination: u32) -> DistanceRow<'_> {
        match self {
            Distances::Matrix(matrix) => DistanceRow::Bytes(matrix.row(destination)),
            Distances::Grid(grid) => DistanceRow::Grid(grid, destination),
            Distances::Tree(tree) => DistanceRow::Tree(tree, destination),
            Distances::Searched(searched) => searched.to(network, destination),
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
        for text in ["rail_cluster(nodes=5,gpus=3,pod=2)", "ring(7)", "star(4)", "thin_tree(3,2,2)", "torus(3,2)"] {
            let network = crate::registry::build(&Call::parse(text).unwrap()).unwrap();
            let (matrix, searched) = (Distances::of(&network).unwrap(), Distances::searched());
            for to in 0..network.switches() {
                let (a, b) = (matrix.to(&network, to), searched.to(&network, to));
                for from in 0..network.switches() {
                    assert_eq!(a.get(from), b.get(from), "{text}: {from} to {to}");
                }
            }
        }
    }
}

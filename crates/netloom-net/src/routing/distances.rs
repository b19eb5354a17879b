//! Distances to one switch: from a matrix where that is cheap, else searched when asked.

use netloom_model::{HopMatrix, Network, Outcome, Progress};

use crate::metrics;

/// Most switches for which routings keep all distances (64 MiB).
pub const KEEP_LIMIT: u32 = 8192;

/// Hop distances of a connected network.
pub enum Distances {
    Matrix(HopMatrix),
    Searched,
}

/// Distance of every switch to one of them.
pub enum Row<'a> {
    Bytes(&'a [u8]),
    Wide(Vec<u32>),
}

impl Row<'_> {
    #[inline]
    pub fn get(&self, switch: u32) -> u32 {
        match self {
            Row::Bytes(row) => u32::from(row[switch as usize]),
            Row::Wide(row) => row[switch as usize],
        }
    }
}

impl Distances {
    /// A matrix up to [`KEEP_LIMIT`] switches, if distances fit a byte.
    ///
    /// # Errors
    /// `NL-N001` if disconnected.
    pub fn of(network: &Network) -> Outcome<Distances> {
        network.require_connected()?;
        if network.switches() > KEEP_LIMIT {
            return Ok(Distances::Searched);
        }
        match metrics::hop_matrix(network, &Progress::new()) {
            Ok(matrix) => Ok(Distances::Matrix(matrix)),
            Err(faults) if faults.0.iter().all(|f| f.code == metrics::codes::TOO_FAR.code) => Ok(Distances::Searched),
            Err(faults) => Err(faults),
        }
    }

    /// O(1) from the matrix, else O(links).
    pub fn to(&self, network: &Network, destination: u32) -> Row<'_> {
        match self {
            Distances::Matrix(matrix) => Row::Bytes(matrix.row(destination)),
            Distances::Searched => Row::Wide(search(network, destination)),
        }
    }

    /// The diameter, or up to twice that if it would have to be searched.
    pub fn diameter_bound(&self, network: &Network) -> u32 {
        match self {
            Distances::Matrix(matrix) => matrix.as_slice().iter().max().map_or(0, |d| u32::from(*d)),
            Distances::Searched => search(network, 0).iter().max().map_or(0, |d| 2 * d),
        }
    }
}

/// Breadth-first distances; `u32::MAX` where there is no path.
pub fn search(network: &Network, from: u32) -> Vec<u32> {
    let mut distance = vec![u32::MAX; network.switches() as usize];
    distance[from as usize] = 0;
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        for &u in network.neighbours(at) {
            if distance[u as usize] == u32::MAX {
                distance[u as usize] = distance[at as usize] + 1;
                queue.push(u);
            }
        }
    }
    distance
}

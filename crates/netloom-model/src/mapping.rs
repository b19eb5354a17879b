//! An endpoint for every rank: the search space of optimisers, and the content of files without seats.

use crate::fault::{Fault, Faults, Outcome, codes};
use crate::hosts::NO_HOST;
use crate::network::Network;

/// Rank → endpoint; every endpoint at most once. [`crate::Seats`] is the same for ranks that share endpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping(Vec<u32>);

impl Mapping {
    /// # Errors
    /// `NL-M003` more ranks than endpoints, `NL-M001` an endpoint that does not exist, `NL-M002` an endpoint used twice, or
    /// one beyond the seats of its host, `NL-N003` one whose switch is out of service.
    pub fn new(endpoint_of_rank: Vec<u32>, network: &Network) -> Outcome<Mapping> {
        let mut faults = Faults::none();
        let endpoints = network.endpoints();
        if endpoint_of_rank.len() as u64 > u64::from(endpoints) {
            return Err(more_ranks(endpoint_of_rank.len() as u64, endpoints, network.label()).into());
        }
        let mut rank_of = vec![u32::MAX; endpoints as usize];
        for (rank, &endpoint) in endpoint_of_rank.iter().enumerate() {
            match rank_of.get_mut(endpoint as usize) {
                None => {
                    let expected = format!("an endpoint in 0..{endpoints} (exclusive)");
                    faults.push(Fault::new(&codes::MAPPING_RANGE, format!("mapping[{rank}]"), expected, endpoint));
                    break;
                }
                Some(slot) if *slot != u32::MAX => {
                    let sentence = format!("endpoint {} already has rank {slot}", network.endpoint_name(endpoint));
                    faults.push(Fault::say(&codes::MAPPING_TWICE, format!("mapping[{rank}]"), sentence));
                    break;
                }
                Some(slot) => *slot = rank as u32,
            }
        }
        faults.or(())?;
        if let Some(hosts) = network.hosts()
            && let Some(rank) = endpoint_of_rank.iter().position(|endpoint| hosts.host(*endpoint) == NO_HOST)
        {
            let sentence =
                format!("{} is no place for a rank: its host has fewer", network.endpoint_name(endpoint_of_rank[rank]));
            let fault = Fault::say(&codes::MAPPING_TWICE, format!("mapping[{rank}]"), sentence);
            return Err(fault.hint("use more endpoints, or a node with more seats").into());
        }
        network.require_in_service(endpoint_of_rank.iter().copied())?;
        Ok(Mapping(endpoint_of_rank))
    }

    pub fn ranks(&self) -> u32 {
        self.0.len() as u32
    }
    pub fn endpoint(&self, rank: u32) -> u32 {
        self.0[rank as usize]
    }
    pub fn endpoints(&self) -> &[u32] {
        &self.0
    }
    /// Switch of each rank.
    pub fn switches(&self, network: &Network) -> Vec<u32> {
        self.0.iter().map(|&e| network.endpoint_switch()[e as usize]).collect()
    }
    pub fn into_vec(self) -> Vec<u32> {
        self.0
    }
}

/// The fault of a job that is larger than its machine.
pub fn more_ranks(ranks: u64, endpoints: u32, place: &str) -> Fault {
    Fault::say(&codes::MORE_RANKS, place, format!("{ranks} ranks do not fit on {endpoints} endpoints")).hint(format!(
        "use at most {endpoints} ranks, a larger network, or several ranks on an endpoint: cores={} (--cores {0})",
        ranks.div_ceil(u64::from(endpoints.max(1)))
    ))
}

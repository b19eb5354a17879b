//! Where the ranks of a job are: an endpoint of the network, and a seat on the node attached to it.

use crate::fault::{Fault, Outcome, codes};
use crate::mapping::Mapping;
use crate::network::Network;

/// A rank's place. The levels inside a node (socket, core; or GPU) are digits of the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub endpoint: u32,
    pub seat: u32,
}

/// Rank → place. Several ranks may be on one endpoint; 4 bytes per rank, 8 if seats are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seats {
    endpoint_of_rank: Vec<u32>,
    /// `None`: the ranks of an endpoint take its seats 0, 1, ... in order of rank.
    seat_of_rank: Option<Vec<u32>>,
    /// Seats that every endpoint has; `None` for as many as are needed.
    per_endpoint: Option<u32>,
}

impl Seats {
    /// On each endpoint the seats are taken in order of rank.
    pub fn new(endpoint_of_rank: Vec<u32>) -> Seats {
        Seats { endpoint_of_rank, seat_of_rank: None, per_endpoint: None }
    }

    /// Every endpoint has this many seats.
    #[must_use]
    pub fn with_room(self, per_endpoint: u32) -> Seats {
        Seats { per_endpoint: Some(per_endpoint), ..self }
    }

    /// Seats by name. O(ranks log ranks).
    ///
    /// # Errors
    /// `NL-A007` unless there is one seat per rank; `NL-M002` for a seat that two ranks of an endpoint have.
    pub fn with_seats(self, seat_of_rank: Vec<u32>) -> Outcome<Seats> {
        let (ranks, seats) = (self.endpoint_of_rank.len(), seat_of_rank.len());
        if ranks != seats {
            return Err(Fault::new(&codes::BAD_VALUE, "seats", format!("{ranks} seats, one per rank"), seats).into());
        }
        let place = |rank: u32| (self.endpoint_of_rank[rank as usize], seat_of_rank[rank as usize]);
        let mut order: Vec<u32> = (0..ranks as u32).collect();
        order.sort_unstable_by_key(|&rank| (place(rank), rank));
        if let Some(pair) = order.windows(2).find(|pair| place(pair[0]) == place(pair[1])) {
            let (endpoint, seat) = place(pair[0]);
            let sentence = format!("seat {seat} of endpoint {endpoint} already has rank {}", pair[0]);
            return Err(Fault::say(&codes::MAPPING_TWICE, format!("mapping[{}]", pair[1]), sentence).into());
        }
        Ok(Seats { seat_of_rank: Some(seat_of_rank), ..self })
    }

    /// The same with more ranks, each at the first seat of one of these endpoints.
    #[must_use]
    pub fn with_more(&self, endpoints: std::ops::Range<u32>) -> Seats {
        let mut made = self.clone();
        if let Some(seats) = &mut made.seat_of_rank {
            seats.resize(seats.len() + endpoints.len(), 0);
        }
        made.endpoint_of_rank.extend(endpoints);
        made
    }

    /// From numbers that count all seats, `per_endpoint` of them on each endpoint.
    pub fn of_slots(slot_of_rank: &[u32], per_endpoint: u32) -> Outcome<Seats> {
        let per_endpoint = per_endpoint.max(1);
        let endpoints = slot_of_rank.iter().map(|slot| slot / per_endpoint).collect();
        let seats = slot_of_rank.iter().map(|slot| slot % per_endpoint).collect();
        Ok(Seats::new(endpoints).with_seats(seats)?.with_room(per_endpoint))
    }

    /// The same ranks on the same units of `alike` consecutive seats, the ranks of each unit in ascending order of seats.
    /// O(ranks log ranks).
    #[must_use]
    pub fn in_order(mut self, alike: u32) -> Seats {
        let Some(seats) = &mut self.seat_of_rank else { return self };
        let unit =
            |rank: u32, seats: &[u32]| (self.endpoint_of_rank[rank as usize], seats[rank as usize] / alike.max(1));
        let mut ranks: Vec<u32> = (0..seats.len() as u32).collect();
        ranks.sort_unstable_by_key(|&rank| (unit(rank, seats), rank));
        let mut taken: Vec<u32> = (0..seats.len() as u32).collect();
        taken.sort_unstable_by_key(|&rank| (unit(rank, seats), seats[rank as usize]));
        let taken: Vec<u32> = taken.into_iter().map(|rank| seats[rank as usize]).collect();
        ranks.into_iter().zip(taken).for_each(|(rank, seat)| seats[rank as usize] = seat);
        self
    }

    pub fn ranks(&self) -> u32 {
        self.endpoint_of_rank.len() as u32
    }
    pub fn endpoint(&self, rank: u32) -> u32 {
        self.endpoint_of_rank[rank as usize]
    }
    pub fn endpoints(&self) -> &[u32] {
        &self.endpoint_of_rank
    }
    /// Switch of each rank.
    pub fn switches(&self, network: &Network) -> Vec<u32> {
        self.endpoint_of_rank.iter().map(|&e| network.endpoint_switch()[e as usize]).collect()
    }

    /// Endpoint and seat of every rank, for a network with this many endpoints. O(ranks + endpoints).
    pub fn places(&self, endpoints: u32) -> Vec<Place> {
        places(self, &mut vec![0; endpoints as usize])
    }

    /// Seats of every endpoint: as stated, or as many as the fullest one uses, at least 1. O(ranks + endpoints).
    pub fn room(&self, endpoints: u32) -> u32 {
        let used = || self.places(endpoints).iter().map(|place| place.seat + 1).max();
        self.per_endpoint.or_else(used).unwrap_or(1).max(1)
    }

    /// # Errors
    /// `NL-M001` an endpoint that does not exist, `NL-N003` one whose switch is out of service, `NL-M002` more ranks on
    /// an endpoint than it has seats. O(ranks + endpoints).
    pub fn check(&self, network: &Network) -> Outcome<()> {
        let endpoints = network.endpoints();
        if let Some(rank) = self.endpoint_of_rank.iter().position(|e| *e >= endpoints) {
            let expected = format!("an endpoint in 0..{endpoints} (exclusive)");
            let got = self.endpoint_of_rank[rank];
            return Err(Fault::new(&codes::MAPPING_RANGE, format!("mapping[{rank}]"), expected, got).into());
        }
        if let Some(room) = self.per_endpoint
            && let Some(rank) = self.without_seat(endpoints, room)
        {
            let endpoint = self.endpoint_of_rank[rank];
            let sentence = format!("endpoint {endpoint} has {room} seats, and more ranks than these");
            return Err(Fault::say(&codes::MAPPING_TWICE, format!("mapping[{rank}]"), sentence)
                .hint("give endpoints more cores, or use more of them")
                .into());
        }
        network.require_in_service(self.endpoint_of_rank.iter().copied())
    }

    /// The first rank that has none of the `room` seats of its endpoint.
    fn without_seat(&self, endpoints: u32, room: u32) -> Option<usize> {
        if let Some(seats) = &self.seat_of_rank {
            return seats.iter().position(|seat| *seat >= room);
        }
        let mut taken = vec![0u32; endpoints as usize];
        self.endpoint_of_rank.iter().position(|&endpoint| {
            taken[endpoint as usize] += 1;
            taken[endpoint as usize] > room
        })
    }

    /// The same as a mapping, where an endpoint for every rank is needed.
    ///
    /// # Errors
    /// As [`Mapping::new`].
    pub fn exclusive(&self, network: &Network) -> Outcome<Mapping> {
        Mapping::new(self.endpoint_of_rank.clone(), network)
    }

    /// The same as a mapping onto `slots`, a [`Network::with_slots`] of `per_endpoint`.
    ///
    /// # Errors
    /// As [`Mapping::new`].
    pub fn on_slots(&self, slots: &Network, per_endpoint: u32) -> Outcome<Mapping> {
        let endpoints = slots.endpoints() / per_endpoint.max(1);
        let number = |place: &Place| place.endpoint * per_endpoint + place.seat;
        Mapping::new(self.places(endpoints).iter().map(number).collect(), slots)
    }
}

/// Places of ranks where `taken` seats of each endpoint are given away, and more then are: to the ranks that have no seat
/// by name, in their order.
pub(crate) fn places(seats: &Seats, taken: &mut [u32]) -> Vec<Place> {
    let mut next = |endpoint: u32| {
        let at = &mut taken[endpoint as usize];
        *at += 1;
        *at - 1
    };
    let place = |(rank, &endpoint): (usize, &u32)| {
        let seat = seats.seat_of_rank.as_ref().map_or_else(|| next(endpoint), |seats| seats[rank]);
        Place { endpoint, seat }
    };
    seats.endpoint_of_rank.iter().enumerate().map(place).collect()
}

impl From<Mapping> for Seats {
    fn from(mapping: Mapping) -> Self {
        Seats::new(mapping.into_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::NetworkBuilder;

    fn network(endpoints: u32) -> Network {
        let mut builder = NetworkBuilder::new("pair", 2);
        let class = builder.class("link", 1e9, 0.0);
        builder.cable(0, 1, class);
        (0..endpoints).for_each(|e| builder.endpoint(e % 2));
        builder.build().unwrap()
    }

    #[test]
    fn ranks_share_an_endpoint_unless_somebody_minds() {
        let (network, code) = (network(4), |made: Outcome<()>| made.unwrap_err().0[0].code);
        let seats = Seats::new(vec![3, 0, 3, 3]);
        seats.check(&network).unwrap();
        assert_eq!(seats.places(4).iter().map(|p| p.seat).collect::<Vec<_>>(), [0, 0, 1, 2]);
        assert_eq!((seats.room(4), seats.switches(&network)), (3, vec![1, 0, 1, 1]));
        assert_eq!(code(seats.exclusive(&network).map(drop)), "NL-M002");
        assert_eq!(code(seats.clone().with_room(2).check(&network)), "NL-M002");
        assert_eq!(code(Seats::new(vec![4]).check(&network)), "NL-M001");
        assert_eq!(code(Seats::new(vec![0; 5]).exclusive(&network).map(drop)), "NL-M003");
        assert_eq!(code(seats.with_seats(vec![0, 0, 0, 1]).map(drop)), "NL-M002");
    }

    #[test]
    fn seats_that_are_alike_are_taken_in_order() {
        let seats = |slots: &[u32], alike| {
            let made = Seats::of_slots(slots, 4).unwrap().in_order(alike);
            made.places(2).iter().map(|p| p.endpoint * 4 + p.seat).collect::<Vec<_>>()
        };
        assert_eq!(seats(&[7, 2, 5, 3, 0], 4), [5, 0, 7, 2, 3]);
        assert_eq!(seats(&[7, 2, 5, 3, 0], 2), [7, 2, 5, 3, 0]);
        assert_eq!(seats(&[7, 3, 6, 2, 0], 2), [6, 2, 7, 3, 0]);
    }

    #[test]
    fn slots_are_seats_counted_through() {
        let network = network(4);
        let slots = network.with_slots(3).unwrap();
        let seats = Seats::of_slots(&[11, 0, 4, 9], 3).unwrap();
        assert_eq!(seats.endpoints(), [3, 0, 1, 3]);
        assert_eq!(seats.places(4)[0], Place { endpoint: 3, seat: 2 });
        assert_eq!(seats.on_slots(&slots, 3).unwrap().endpoints(), [11, 0, 4, 9]);
        assert!(Seats::of_slots(&[5, 5], 3).is_err());
    }
}

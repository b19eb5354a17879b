//! Which endpoints are ports of one host: a partition of the endpoints, in which hosts may have different numbers of them.

use crate::units::gcd;

/// Of an endpoint that no host has: a slot without a place for a rank.
pub const NO_HOST: u32 = u32::MAX;

/// Host → endpoints, and back. 12 bytes per endpoint, 4 per host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// Of each host among `members`, then their number.
    offsets: Vec<u32>,
    /// Endpoints, host by host in the order of ports.
    members: Vec<u32>,
    host_of: Vec<u32>,
    port_of: Vec<u32>,
    /// Of every host; empty for hosts without names.
    names: Vec<String>,
    linked: bool,
}

impl Hosts {
    /// From one number per endpoint, the same for those of one host; [`NO_HOST`] for none. Hosts are numbered by their first
    /// endpoint, ports in the order of endpoints. O(endpoints log endpoints).
    pub fn of(number_of_endpoint: &[u32]) -> Hosts {
        let mut by_number: Vec<u32> = (0..number_of_endpoint.len() as u32).collect();
        by_number.retain(|&e| number_of_endpoint[e as usize] != NO_HOST);
        by_number.sort_by_key(|&e| number_of_endpoint[e as usize]);
        let mut groups: Vec<&[u32]> =
            by_number.chunk_by(|a, b| number_of_endpoint[*a as usize] == number_of_endpoint[*b as usize]).collect();
        groups.sort_unstable_by_key(|own| own[0]);
        let mut made = Hosts {
            offsets: vec![0],
            members: Vec::with_capacity(by_number.len()),
            host_of: vec![NO_HOST; number_of_endpoint.len()],
            port_of: vec![0; number_of_endpoint.len()],
            names: Vec::new(),
            linked: false,
        };
        for (host, own) in (0..).zip(groups) {
            for (port, &endpoint) in (0..).zip(own) {
                (made.host_of[endpoint as usize], made.port_of[endpoint as usize]) = (host, port);
            }
            made.members.extend_from_slice(own);
            made.offsets.push(made.members.len() as u32);
        }
        made
    }

    /// `ports` consecutive endpoints per host; the last host may have fewer.
    pub fn even(endpoints: u32, ports: u32) -> Hosts {
        Hosts::of(&(0..endpoints).map(|endpoint| endpoint / ports.max(1)).collect::<Vec<_>>())
    }

    /// The same hosts, whose endpoints the network itself joins: what they send each other uses its links (NVLink), and is
    /// counted as inside a host.
    #[must_use]
    pub fn with_links(self) -> Hosts {
        Hosts { linked: true, ..self }
    }

    /// The same hosts with names, one each in their order; without names unless there are so many.
    #[must_use]
    pub fn with_names(self, names: Vec<String>) -> Hosts {
        let names = if names.len() == self.count() as usize { names } else { Vec::new() };
        Hosts { names, ..self }
    }

    /// Name of a host, if hosts have names.
    pub fn name(&self, host: u32) -> Option<&str> {
        self.names.get(host as usize).map(String::as_str)
    }

    /// True if messages inside a host use links of the network.
    pub fn are_linked(&self) -> bool {
        self.linked
    }
    pub fn count(&self) -> u32 {
        self.offsets.len() as u32 - 1
    }
    /// Host of an endpoint.
    #[inline]
    pub fn host(&self, endpoint: u32) -> u32 {
        self.host_of[endpoint as usize]
    }
    /// Host of every endpoint.
    pub fn host_of_endpoint(&self) -> &[u32] {
        &self.host_of
    }
    /// Number of an endpoint among those of its host, from 0.
    #[inline]
    pub fn port(&self, endpoint: u32) -> u32 {
        self.port_of[endpoint as usize]
    }
    /// Endpoints of a host in the order of its ports.
    pub fn endpoints(&self, host: u32) -> &[u32] {
        &self.members[self.offsets[host as usize] as usize..self.offsets[host as usize + 1] as usize]
    }
    /// Ports of a host.
    #[inline]
    pub fn ports(&self, host: u32) -> u32 {
        self.offsets[host as usize + 1] - self.offsets[host as usize]
    }
    /// True if a host has several endpoints.
    pub fn share(&self) -> bool {
        self.offsets.windows(2).any(|ends| ends[1] - ends[0] > 1)
    }
    /// Fewest and most ports of a host; 1 and 1 without hosts.
    pub fn extremes(&self) -> (u32, u32) {
        let ports = || self.offsets.windows(2).map(|ends| ends[1] - ends[0]);
        (ports().min().unwrap_or(1), ports().max().unwrap_or(1))
    }
    /// The first seat of port `port` of a host with `ports` of them and `seats` for ranks: seat `s` is at the port
    /// `s * ports / seats`, rounded down.
    #[inline]
    pub fn first_seat(seats: u32, ports: u32, port: u32) -> u32 {
        (u64::from(port) * u64::from(seats)).div_ceil(u64::from(ports.max(1))) as u32
    }
    /// A number of seats that divides the first seats of all ports, and `seats`. O(endpoints).
    pub(crate) fn divisor(&self, seats: u32) -> u32 {
        let mut known = Vec::new();
        let mut divisor = u64::from(seats);
        for ends in self.offsets.windows(2) {
            let ports = ends[1] - ends[0];
            if !known.contains(&ports) {
                known.push(ports);
                for port in 0..ports {
                    divisor = gcd(divisor, u64::from(Hosts::first_seat(seats, ports, port)));
                }
            }
        }
        divisor as u32
    }

    /// Hosts of a network with `slots` endpoints in place of each one, of which endpoint `e` has `room(e)` for ranks.
    /// O(slots).
    #[must_use]
    pub fn with_slots(&self, slots: u32, room: impl Fn(u32) -> u32) -> Hosts {
        let of = |endpoint: u32| {
            let (host, room) = (self.host(endpoint), room(endpoint));
            (0..slots).map(move |slot| if slot < room { host } else { NO_HOST })
        };
        let numbers: Vec<u32> = (0..self.host_of.len() as u32).flat_map(of).collect();
        Hosts { linked: self.linked, ..Hosts::of(&numbers).with_names(self.names.clone()) }
    }

    /// The same with one more endpoint for each of these: of the host that is given, else of a new one without a name.
    #[must_use]
    pub(crate) fn with_more(&self, more: &[Option<u32>]) -> Hosts {
        let new = |(at, host): (usize, &Option<u32>)| host.unwrap_or(self.count() + at as u32);
        let numbers: Vec<u32> = self.host_of.iter().copied().chain(more.iter().enumerate().map(new)).collect();
        let mut names = self.names.clone();
        names.resize(
            if names.is_empty() { 0 } else { names.len() + more.iter().filter(|h| h.is_none()).count() },
            String::new(),
        );
        Hosts { linked: self.linked, ..Hosts::of(&numbers).with_names(names) }
    }

    /// Hosts of a network with these endpoints only, in order. O(endpoints log endpoints).
    #[must_use]
    pub(crate) fn taken(&self, endpoints: &[u32]) -> Hosts {
        let own: Vec<u32> = endpoints.iter().map(|endpoint| self.host(*endpoint)).collect();
        let made = Hosts::of(&own);
        let first = |host: u32| made.endpoints(host)[0] as usize;
        let names = (0..made.count()).filter_map(|host| self.name(own[first(host)]).map(String::from)).collect();
        Hosts { linked: self.linked, ..made.with_names(names) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_any_size_in_any_order() {
        let hosts = Hosts::of(&[7, 3, 3, 9, 7, 7]);
        assert_eq!((hosts.count(), hosts.extremes(), hosts.share()), (3, (1, 3), true));
        assert_eq!(
            (hosts.endpoints(0), hosts.endpoints(1), hosts.endpoints(2)),
            (&[0, 4, 5][..], &[1, 2][..], &[3][..])
        );
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|e| (hosts.host(e), hosts.port(e))),
            [(0, 0), (1, 0), (1, 1), (2, 0), (0, 1), (0, 2)]
        );
        assert_eq!(Hosts::even(5, 2).host_of_endpoint(), [0, 0, 1, 1, 2]);
        assert!(!Hosts::even(5, 1).share());
    }

    #[test]
    fn seats_go_to_the_nearest_port() {
        for seats in 1..=17u32 {
            for ports in 1..=9u32 {
                for port in 0..ports {
                    let own = (0..seats).filter(|seat| seat * ports / seats == port);
                    let range = Hosts::first_seat(seats, ports, port)..Hosts::first_seat(seats, ports, port + 1);
                    assert!(own.eq(range), "{seats} seats, port {port} of {ports}");
                }
            }
        }
        assert_eq!(Hosts::of(&[0, 1, 1]).divisor(8), 4);
        assert_eq!(Hosts::of(&[0, 1, 1, 1]).divisor(8), 1);
    }

    #[test]
    fn slots_beyond_the_room_of_an_endpoint_belong_to_nobody() {
        let hosts = Hosts::of(&[0, 1, 1]).with_slots(4, |endpoint| if endpoint == 0 { 4 } else { 2 });
        assert_eq!(hosts.endpoints(0), [0, 1, 2, 3]);
        assert_eq!(hosts.endpoints(1), [4, 5, 8, 9]);
        assert_eq!((hosts.host(6), hosts.host(9), hosts.port(9)), (NO_HOST, 1, 3));
    }
}

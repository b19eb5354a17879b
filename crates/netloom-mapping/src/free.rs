//! The endpoints that a placement may use: all of them, or the user's `available` list.

use netloom_model::{Bound, Fault, Faults, Kind, Network, Outcome, Param};

use crate::codes;

/// The parameter that every placement has.
pub const AVAILABLE: Param = Param::optional(
    "available",
    Kind::Ints { min: 0, max: i64::MAX, least: 1, most: usize::MAX },
    "",
    "endpoints that are free; all if absent",
)
.keyword_only();

/// Which endpoints are free.
pub struct Free<'a> {
    network: &'a Network,
    /// All of them if absent.
    mask: Option<Vec<bool>>,
    count: u32,
}

impl<'a> Free<'a> {
    /// All endpoints whose switch is in service.
    pub fn all(network: &'a Network) -> Free<'a> {
        if network.failed().is_none_or(|failed| failed.switches.is_empty()) {
            return Free { network, mask: None, count: network.endpoints() };
        }
        let mask: Vec<bool> = network.endpoint_switch().iter().map(|&s| network.in_service(s)).collect();
        let count = mask.iter().filter(|free| **free).count() as u32;
        Free { network, mask: Some(mask), count }
    }

    /// The endpoints of `list`. O(endpoints).
    ///
    /// # Errors
    /// `NL-M015` for an endpoint that does not exist or is listed twice; `place` says where the list is.
    pub fn only(network: &'a Network, list: &[i64], place: &str) -> Outcome<Free<'a>> {
        let mut mask = vec![false; network.endpoints() as usize];
        for (i, &endpoint) in list.iter().enumerate() {
            let place = || format!("{place}[{i}]");
            match usize::try_from(endpoint).ok().and_then(|e| mask.get_mut(e)) {
                None => {
                    let expected = format!("an endpoint in 0..{} (exclusive)", network.endpoints());
                    return Err(Fault::new(&codes::AVAILABLE, place(), expected, endpoint).into());
                }
                Some(true) => {
                    let sentence = format!("endpoint {endpoint} is listed twice");
                    return Err(Fault::say(&codes::AVAILABLE, place(), sentence).into());
                }
                Some(slot) => *slot = true,
            }
        }
        Ok(Free { network, mask: Some(mask), count: list.len() as u32 })
    }

    /// The free endpoints that the argument `available` also names, if it is given. O(endpoints).
    ///
    /// # Errors
    /// `NL-M015`.
    pub fn within(&self, args: &Bound) -> Outcome<Free<'a>> {
        if !args.is_given("available") {
            return Ok(Free { network: self.network, mask: self.mask.clone(), count: self.count });
        }
        let mut given = Free::only(self.network, &args.ints("available"), &format!("{}.available", args.owner))?;
        if let (Some(mask), Some(own)) = (&mut given.mask, &self.mask) {
            mask.iter_mut().zip(own).for_each(|(slot, own)| *slot &= own);
            given.count = mask.iter().filter(|free| **free).count() as u32;
        }
        Ok(given)
    }

    /// How many are free.
    pub fn count(&self) -> u32 {
        self.count
    }
    /// Marks `endpoints` as used, also those that were not free. O(endpoints) the first time.
    pub fn take(&mut self, endpoints: &[u32]) {
        let all = self.network.endpoints() as usize;
        let mask = self.mask.get_or_insert_with(|| vec![true; all]);
        for &endpoint in endpoints {
            let slot = &mut mask[endpoint as usize];
            self.count -= u32::from(*slot);
            *slot = false;
        }
    }
    pub fn has(&self, endpoint: u32) -> bool {
        self.mask.as_ref().is_none_or(|m| m[endpoint as usize])
    }
    /// All free endpoints, ascending.
    pub fn list(&self) -> Vec<u32> {
        (0..self.network.endpoints()).filter(|&e| self.has(e)).collect()
    }
    /// The first `ranks` free endpoints, switch by switch.
    pub fn along(&self, switches: impl IntoIterator<Item = u32>, ranks: u32) -> Vec<u32> {
        let network = self.network;
        let endpoints = switches.into_iter().flat_map(|s| network.endpoints_of(s).iter().copied());
        endpoints.filter(|&e| self.has(e)).take(ranks as usize).collect()
    }
}

/// The switch named by parameter `name`; drawn from `seed` if absent.
pub fn start_switch(network: &Network, args: &Bound, name: &str, draw: impl FnOnce(u32) -> u32) -> Outcome<u32> {
    match args.int_or_none(name) {
        None => Ok(draw(network.switches())),
        Some(s) if s < i64::from(network.switches()) => Ok(s as u32),
        Some(_) => {
            let expected = format!("a switch in 0..{} (exclusive)", network.switches());
            Err(Faults(vec![args.fault(name, expected)]))
        }
    }
}

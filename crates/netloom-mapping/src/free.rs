//! The endpoints that a placement may use: all of them, or the user's `available` list.

use netloom_model::{Bound, Fault, Faults, Kind, Network, Outcome, Param, mapping};

use crate::codes;

/// The parameter that every placement has.
pub const AVAILABLE: Param = Param::optional(
    "available",
    Kind::Ints { min: 0, max: i64::MAX, least: 1 },
    "",
    "endpoints that are free; all if absent",
)
.keyword_only();

/// Which endpoints are free.
pub struct Free<'a> {
    network: &'a Network,
    mask: Option<Vec<bool>>,
}

impl<'a> Free<'a> {
    /// Reads `available`, and checks that `ranks` fit. O(endpoints).
    ///
    /// # Errors
    /// `NL-M015` for a bad list, `NL-M003` for more ranks than free endpoints.
    pub fn read(network: &'a Network, ranks: u32, args: &Bound) -> Outcome<Free<'a>> {
        let mut count = network.endpoints();
        let mut mask = None;
        if args.is_given("available") {
            let list = args.ints("available");
            let mut free = vec![false; network.endpoints() as usize];
            for (i, &endpoint) in list.iter().enumerate() {
                let place = format!("{}.available[{i}]", args.owner);
                match usize::try_from(endpoint).ok().and_then(|e| free.get_mut(e)) {
                    None => {
                        let expected = format!("an endpoint in 0..{} (exclusive)", network.endpoints());
                        return Err(Fault::new(&codes::AVAILABLE, place, expected, endpoint).into());
                    }
                    Some(true) => {
                        let sentence = format!("endpoint {endpoint} is listed twice");
                        return Err(Fault::say(&codes::AVAILABLE, place, sentence).into());
                    }
                    Some(slot) => *slot = true,
                }
            }
            count = list.len() as u32;
            mask = Some(free);
        }
        if ranks > count {
            return Err(mapping::more_ranks(u64::from(ranks), count, network.label()).into());
        }
        Ok(Free { network, mask })
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

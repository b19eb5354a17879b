//! Which global port of a group leads to which other group, and through which port it arrives.
//!
//! With one cable per pair of groups, port k of group s leads (Hastings et al. 2015) to
//! - absolute: group k if k < s, else k+1;
//! - relative: group s+k+1 (mod g);
//! - circulant: groups s+1, s-1, s+2, s-2, ... (mod g) for k = 0, 1, 2, 3, ...;
//! - round-robin (Jain 2016 section 8.1.1): group k, on switch k mod a; the port with the group's own number stays free.
//!
//! Further cables per pair repeat the order on the following ports.

use netloom_model::{Bound, Fault, Faults, Outcome};

use crate::codes;
use crate::common::fault;

pub const ARRANGEMENTS: &[&str] = &["absolute", "relative", "circulant", "round-robin"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Absolute,
    Relative,
    Circulant,
    RoundRobin,
}

/// The global cables of a network of groups.
#[derive(Clone, Debug)]
pub struct Global {
    order: Order,
    /// Switches per group that have global ports.
    a: u64,
    pub h: u32,
    pub groups: u64,
    /// Cables per pair of groups.
    pub cables_per_pair: u64,
}

impl Global {
    /// No groups; a placeholder while faults are collected.
    pub fn none() -> Self {
        Global { order: Order::Absolute, a: 1, h: 0, groups: 0, cables_per_pair: 0 }
    }

    /// Reads `h`, `g`, `arrangement` and `global_parallel`. `a` is the number of switches per group that have global
    /// ports, `a_name` the parameter that sets it.
    ///
    /// # Errors
    /// `NL-T011` if the ports do not suffice to join every pair of groups.
    pub fn read(bound: &Bound, a: u64, a_name: &str) -> Outcome<Global> {
        let order = match bound.text("arrangement") {
            "relative" => Order::Relative,
            "circulant" => Order::Circulant,
            "round-robin" => Order::RoundRobin,
            _ => Order::Absolute,
        };
        let h = bound.size("h");
        let ports = a.saturating_mul(u64::from(h));
        let own = u64::from(order != Order::RoundRobin);
        let groups = if bound.is_given("g") { u64::from(bound.size("g")) } else { ports.saturating_add(own) };
        // Ports that one cable to every other group takes: with round-robin the group itself counts too.
        let slots = groups - own.min(groups);
        let parallel = bound.is_given("global_parallel").then(|| u64::from(bound.size("global_parallel")));
        let fits = ports.checked_div(slots).unwrap_or(0);
        let cables_per_pair = parallel.unwrap_or(fits);
        let global = Global { order, a, h, groups, cables_per_pair };
        if groups <= 1 {
            return Ok(Global { cables_per_pair: 0, ..global });
        }
        if fits == 0 {
            return Err(too_many_groups(bound, order, ports, a, a_name));
        }
        if cables_per_pair > fits {
            let hint = format!("{ports} global ports per group give each of {slots} at most {fits}");
            let expected = format!("at most {fits}");
            return Err(fault(bound, &codes::GROUPS, "global_parallel", expected).hint(hint).into());
        }
        Ok(global)
    }

    pub fn cables(&self) -> u64 {
        (self.groups.saturating_mul(self.groups.saturating_sub(1)) / 2).saturating_mul(self.cables_per_pair)
    }

    /// Switch of group `s` that holds cable `r` towards group `t`.
    fn switch(&self, s: u64, t: u64, r: u64) -> u64 {
        let g = self.groups;
        let ahead = (t + g - s) % g;
        let place = match self.order {
            Order::RoundRobin => return (r * g + t) % self.a,
            Order::Absolute => t - u64::from(t > s),
            Order::Relative => ahead - 1,
            Order::Circulant if ahead <= g - ahead => 2 * (ahead - 1),
            Order::Circulant => 2 * (g - ahead) - 1,
        };
        (r * (g - 1) + place) / u64::from(self.h)
    }

    /// Visits each cable as (group, switch in it, group, switch in it).
    pub fn for_each_cable(&self, mut visit: impl FnMut(u32, u32, u32, u32)) {
        for s in 0..self.groups {
            for t in s + 1..self.groups {
                for r in 0..self.cables_per_pair {
                    visit(s as u32, self.switch(s, t, r) as u32, t as u32, self.switch(t, s, r) as u32);
                }
            }
        }
    }

    /// Fewest and most global ports that a switch uses; `None` for round-robin with several cables per pair.
    pub fn ports_used(&self) -> Option<(u32, u32)> {
        let (g, a, h) = (self.groups, self.a, u64::from(self.h));
        if self.cables_per_pair == 0 {
            return Some((0, 0));
        }
        let (least, most) = if self.order != Order::RoundRobin {
            let used = self.cables_per_pair * (g - 1);
            (used.saturating_sub((a - 1) * h).min(h), used.min(h))
        } else if self.cables_per_pair > 1 {
            return None;
        } else if a == 1 {
            (g - 1, g - 1)
        } else {
            // Switch k mod a holds the slots k < g; the slot of the group itself stays free.
            ((g / a).saturating_sub(1), g.div_ceil(a))
        };
        Some((u32::try_from(least).ok()?, u32::try_from(most).ok()?))
    }
}

fn too_many_groups(bound: &Bound, order: Order, ports: u64, a: u64, a_name: &str) -> Faults {
    let most = ports + u64::from(order != Order::RoundRobin);
    let g = u64::from(bound.size("g"));
    let h = (g - u64::from(order != Order::RoundRobin)).div_ceil(a.max(1));
    let mut hint = format!("use g <= {most}, or h >= {h}, or a larger {a_name}");
    if order == Order::RoundRobin && g == ports + 1 {
        hint.push_str(", or another arrangement: round-robin leaves the port with the group's own number free");
    }
    let got: Fault =
        fault(bound, &codes::GROUPS, "g", format!("at most {most}, what {ports} global ports per group join"));
    got.hint(hint).into()
}

//! Group-minimal routing from its arguments.

use std::sync::Arc;

use netloom_model::fault::Fault;
use netloom_model::{Bound, Network, Outcome, Routing, Split};

use super::channels::Channels;
use super::chassis::ChassisFirst;
use super::group_minimal::GroupMinimal;
use super::shape::APART;
use super::tables::GroupTables;
use crate::routing::codes;
use crate::routing::distances::{Distances, eccentricity};
use crate::routing::minimal::Minimal;
use crate::routing::rule::Ruled;

pub fn build(network: &Arc<Network>, bound: &Bound, label: &str) -> Outcome<Box<dyn Routing>> {
    network.require_joined()?;
    let tables = GroupTables::new(network, &bound.owner)?;
    let whole = network.failed().is_none();
    let place = || format!("{} on {}", bound.owner, network.label());
    let groups = tables.groups() as u32;
    let (mut deterministic, mut one_cable) = (true, true);
    let mut across = 0u32;
    for g in 0..groups {
        let shape = tables.shape(g);
        if whole && shape.pairs().iter().any(|p| p.hops == APART) {
            let sentence = format!("needs groups that are connected inside, and group {g} is not");
            return Err(Fault::say(&codes::NO_GROUPS, place(), sentence).hint("use `minimal`").into());
        }
        deterministic &= shape.pairs().iter().all(|p| p.paths == 1);
        let hops = shape.pairs().iter().filter(|p| p.hops != APART).map(|p| u32::from(p.hops));
        across = across.max(hops.max().unwrap_or(0));
        for h in (0..groups).filter(|h| *h != g) {
            let cables = tables.between(g, h).len();
            if whole && cables == 0 {
                let sentence = format!("needs a cable between every two groups; {g} and {h} have none");
                return Err(Fault::say(&codes::NO_GROUPS, place(), sentence).hint("use `minimal`").into());
            }
            one_cable &= cables == 1;
        }
    }
    let longest = match (whole, groups) {
        (true, 0 | 1) => across,
        (true, _) => 2 * across + 1,
        (false, _) => (3 * across + 2).max(eccentricity(network).saturating_mul(2)),
    }
    .max(1);
    let channels = Channels::of(bound, &place(), whole && across <= 1, groups > 1, longest)?;
    if channels == Channels::Globals && !whole {
        return Err(bound.fault("vc", "hops or one, round what is out of service").into());
    }
    let anywhere = (!whole).then(|| Ruled {
        network: network.clone(),
        label: label.into(),
        rule: Box::new(Minimal::new(network, Distances::searched(network), None)),
        hop_channels: if let Channels::Hops(channels) = channels { Some(channels) } else { None },
        split: Split::Paths,
        limit: bound.size("limit") as usize,
    });
    let routing = GroupMinimal {
        network: network.clone(),
        label: label.into(),
        tables,
        limit: u64::from(bound.size("limit")),
        channels,
        ordered: match channels {
            Channels::Hops(_) => true,
            Channels::Globals => whole && across <= 1,
            Channels::One => false,
        },
        deterministic: deterministic && one_cable && whole,
        anywhere,
    };
    if bound.text("inside") == "any" {
        return Ok(Box::new(routing));
    }
    let Some(chassis) = network.structure().chassis.as_deref() else {
        let sentence = "has no chassis, which inside=chassis needs";
        return Err(Fault::say(&codes::NO_GROUPS, place(), sentence).hint("leave `inside` out").into());
    };
    Ok(Box::new(Ruled {
        network: network.clone(),
        label: label.into(),
        rule: Box::new(ChassisFirst::new(routing, chassis, one_cable && whole)),
        hop_channels: None,
        split: Split::Paths,
        limit: bound.size("limit") as usize,
    }))
}

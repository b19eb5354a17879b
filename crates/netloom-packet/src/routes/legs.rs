//! Classes of channels for packets that go by way of another switch first, and their proof.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use netloom_model::deadlock::{Channel, Dependencies, destinations, ends};
use netloom_model::fault::{Fault, codes as model};
use netloom_model::{Deadlock, Draws, Network, Outcome, Routing, Way};

use super::proof::PROVED;
use super::taking::{Legs, Taking};

/// The classes of the legs of a routing's detours, few if that cannot deadlock.
///
/// A detour that starts before the first hop has the routing's classes twice: before and after its middle. One that starts later
/// has classes of its own for the hop before too: one, if the graph of all channels shows no cycle then, else again all of them.
/// Channels of a leg wait for those of later legs only, so with classes of their own legs add no cycle.
///
/// # Errors
/// `NL-A007` for choosing again without groups, or more than 255 classes.
pub fn of(network: &Network, routing: &dyn Routing, classes: u8, taking: Taking) -> Outcome<Legs> {
    let too_many = || {
        let sentence = format!("has {classes} classes of channels, too many to have them for each leg of a detour");
        Fault::say(&model::BAD_VALUE, routing.label(), sentence)
    };
    if !taking.detours() {
        return Ok(Legs::plain(classes));
    }
    if !taking.again() {
        return Ok(Legs::early(classes).ok_or_else(too_many)?);
    }
    if network.structure().groups.is_none() {
        let sentence = "has no groups, and only inside its group may a packet choose again";
        let fault = Fault::say(&model::BAD_VALUE, network.label(), sentence);
        return Err(fault.hint("use adaptive-hybrid or adaptive-global").into());
    }
    let few = Legs::late(classes, 1).ok_or_else(too_many)?;
    let destinations = destinations(network, routing).len() as u64;
    if classes > 1 && destinations * u64::from(network.switch_links()) <= PROVED && is_free(network, routing, few)? {
        return Ok(few);
    }
    Ok(Legs::late(classes, classes).ok_or_else(too_many)?)
}

/// True if a packet may choose again behind a link: it leads to a switch with endpoints in the same group. O(1).
pub fn stays(network: &Network, link: u32) -> bool {
    let (Some(from), Some(at)) = (network.tails().get(link as usize), network.heads().get(link as usize)) else {
        return false;
    };
    let same = network.structure().groups.as_ref().is_some_and(|g| g[*from as usize] == g[*at as usize]);
    same && !network.endpoints_of(*at).is_empty()
}

/// Middles that are drawn for a detour before one is taken that leads nowhere else.
const TRIES: u32 = 16;

/// The endpoint by which a packet at a switch might go to another one. Between two groups it is in a third one (Kim et al. 2008,
/// section 4.1): from within these two, packets would come back to the links between them. Where there is no third group, any.
pub fn middle(network: &Network, draws: &mut Draws, at: u32, to: u32) -> u32 {
    let (ends, groups) = (network.endpoint_switch(), network.structure().groups.as_deref());
    let mut drawn = draws.below(network.endpoints());
    let Some(groups) = groups else { return drawn };
    let of = |switch: u32| groups[switch as usize];
    let (here, there) = (of(at), of(to));
    for _ in 0..if here == there { 0 } else { TRIES } {
        let group = of(ends[drawn as usize]);
        if group != here && group != there {
            break;
        }
        drawn = draws.below(network.endpoints());
    }
    drawn
}

/// True if the channels of all legs together form no cycle. O(destinations · places · degree).
///
/// # Errors
/// As the routing; `NL-A009` for a graph that is too large.
pub fn is_free(network: &Network, routing: &dyn Routing, legs: Legs) -> Outcome<bool> {
    let mut waits = Dependencies::new(network, legs.total)?;
    let sources = ends(network);
    // Of each switch the channels by which packets leave it first, by which they come with one hop, and by which they end.
    let [mut first, mut after_one, mut last]: [BTreeMap<u32, BTreeSet<Channel>>; 3] = Default::default();
    let on = |leg: usize, (link, channel): Channel| (link, channel + legs.first[leg]);
    for end in destinations(network, routing) {
        for leg in [Legs::DIRECT, Legs::OUT, Legs::BACK] {
            routing.dependencies(&sources, end, &mut |held, asked| _ = waits.set(on(leg, held), on(leg, asked)))?;
        }
        let stop = routing.switch_of(end);
        walk(&*routing.towards(end), sources.iter().filter(|source| **source != stop), &mut |from, channel, ends| {
            let head = network.heads()[channel.0 as usize];
            if let Some(from) = from {
                first.entry(from).or_default().insert(channel);
                after_one.entry(head).or_default().insert(channel);
            }
            if ends {
                last.entry(head).or_default().insert(channel);
            }
        });
    }
    // Packets that are on a detour from the first have gone nowhere before it.
    let late = legs.first[Legs::OUT] >= legs.first[Legs::DIRECT];
    let joins = [(&after_one, Legs::DIRECT, Legs::OUT), (&last, Legs::OUT, Legs::BACK)];
    for (held, from, to) in joins.into_iter().skip(usize::from(!late)) {
        for (switch, held) in held {
            for (held, asked) in
                first.get(switch).iter().flat_map(|all| held.iter().flat_map(|h| all.iter().map(|a| (*h, *a))))
            {
                _ = waits.set(on(from, held), on(to, asked));
            }
        }
    }
    Ok(matches!(waits.judge(), Deadlock::Free { .. }))
}

/// Every step of a route once: the source that it starts at, if it is a first one, its channel, and whether it is the last.
fn walk<'a>(way: &dyn Way, sources: impl Iterator<Item = &'a u32>, visit: &mut dyn FnMut(Option<u32>, Channel, bool)) {
    let (mut seen, mut places, mut found) = (HashSet::new(), Vec::new(), Vec::new());
    for source in sources {
        let mut starts = Vec::new();
        way.starts(*source, &mut starts);
        places.extend(starts.into_iter().map(|start| (Some(*source), start)));
    }
    let mut next = 0;
    while let Some(&(source, place)) = places.get(next) {
        next += 1;
        found.clear();
        way.steps(place, &mut found);
        for step in &found {
            visit(source, (step.link, step.channel), way.remaining(step.place) == 0);
            if seen.insert(step.place) {
                places.push((None, step.place));
            }
        }
    }
}

//! Independent flows over given lists of links: the solver's bare entry point.

use netloom_model::{Fault, Faults, Outcome, Progress};

use super::fluid::{Fluid, instant_end};
use super::max_min::{Use, Work};
use super::sharing::{Sharing, window_cap};
use crate::codes;

/// What [`simulate_flows`] runs. All slices of links have one length, all of flows another.
#[derive(Clone, Debug)]
pub struct FlowSet<'a> {
    pub bandwidth_bytes_per_s: &'a [f64],
    pub latency_s: &'a [f64],
    /// Links that every flow has to itself up to their bandwidth (SimGrid's FATPIPE); empty for none.
    pub fat: &'a [bool],
    /// Links of flow `i` are `links[offsets[i]..offsets[i + 1]]`.
    pub offsets: &'a [usize],
    pub links: &'a [u32],
    /// The way back of every flow, in the same form; empty where there is no cross traffic.
    pub reverse: (&'a [usize], &'a [u32]),
    pub size_bytes: &'a [f64],
    pub start_s: &'a [f64],
    /// Bytes per second that a flow never exceeds; empty for no caps.
    pub cap_bytes_per_s: &'a [f64],
    /// Weights on top of the sharing rule's; empty for 1.
    pub weight: &'a [f64],
    pub sharing: Sharing,
    /// 0 for no bound.
    pub tcp_window_bytes: f64,
    /// Share of the rate that a flow takes on its way back.
    pub cross_traffic: f64,
}

/// When every flow ends, seconds, and what it took to find out.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowTimes {
    pub finish_s: Vec<f64>,
    pub work: Work,
}

/// Simulates flows that share links: a flow pays the latency of its route once, then shares bandwidth. Alone it takes
/// Σ latency + bytes / min bandwidth. Cost per arrival or departure: what the change moves.
///
/// # Errors
/// `NL-E010`.. for every input that is negative, not finite or out of range; `NL-E004` if stopped; `NL-E016` if time
/// overflows.
pub fn simulate_flows(set: &FlowSet<'_>, progress: &Progress) -> Outcome<FlowTimes> {
    check(set)?;
    let flows = set.size_bytes.len();
    progress.set_total(flows as u64);
    let mut order: Vec<(f64, u32)> = Vec::with_capacity(flows);
    for flow in 0..flows {
        let latency: f64 = route(set.offsets, set.links, flow).iter().map(|&l| set.latency_s[l as usize]).sum();
        order.push((set.start_s[flow] + latency, flow as u32));
    }
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut finish_s = vec![0.0; flows];
    let mut fluid = Fluid::new(set.bandwidth_bytes_per_s.iter().copied());
    let (mut coming, mut rounds) = (order.into_iter().peekable(), 0u32);
    let mut uses = Vec::new();
    loop {
        let start = coming.peek().map(|(time, _)| *time);
        let Some(now) = [start, fluid.next()].into_iter().flatten().reduce(f64::min) else { break };
        if !now.is_finite() {
            return Err(Fault::say(&codes::TIME_OVERFLOW, "simulate_flows", "simulated time exceeds 1e308 s").into());
        }
        let mut ended = 0;
        fluid.finish(now, |flow, end| {
            finish_s[flow as usize] = end;
            ended += 1;
        });
        progress.add(ended);
        while let Some((time, flow)) = coming.next_if(|(time, _)| *time <= instant_end(now)) {
            let at = flow as usize;
            let links = route(set.offsets, set.links, at);
            if set.size_bytes[at] == 0.0 || links.is_empty() {
                finish_s[at] = time;
                progress.add(1);
                continue;
            }
            let (weight, cap) = share(set, at, links, &mut uses);
            fluid.start(now, set.size_bytes[at], &uses, weight, cap, flow);
        }
        fluid.update(now);
        rounds = rounds.wrapping_add(1);
        if rounds.is_multiple_of(256) && progress.stopped() {
            return Err(Fault::say(&codes::STOPPED, "simulate_flows", "the simulation was stopped").into());
        }
    }
    Ok(FlowTimes { finish_s, work: fluid.work() })
}

fn route<'a>(offsets: &[usize], links: &'a [u32], flow: usize) -> &'a [u32] {
    &links[offsets[flow]..offsets[flow + 1]]
}

/// Weight, cap and resources of a flow.
fn share(set: &FlowSet<'_>, flow: usize, links: &[u32], uses: &mut Vec<Use>) -> (f64, f64) {
    let (mut latency, mut inverse) = (0.0, 0.0);
    let mut cap = set.cap_bytes_per_s.get(flow).copied().unwrap_or(f64::INFINITY);
    let is_fat = |link: u32| set.fat.get(link as usize).copied().unwrap_or(false);
    uses.clear();
    for &link in links {
        let bandwidth = set.bandwidth_bytes_per_s[link as usize];
        latency += set.latency_s[link as usize];
        inverse += 1.0 / bandwidth;
        if is_fat(link) {
            cap = cap.min(bandwidth);
        } else {
            use_more(uses, link, 1.0);
        }
    }
    if set.cross_traffic > 0.0 && !set.reverse.0.is_empty() {
        for &link in route(set.reverse.0, set.reverse.1, flow).iter().filter(|&&link| !is_fat(link)) {
            use_more(uses, link, set.cross_traffic);
        }
    }
    let weight = set.sharing.weight(latency, inverse) * set.weight.get(flow).copied().unwrap_or(1.0);
    (weight, cap.min(window_cap(set.tcp_window_bytes, latency)))
}

/// Adds to what a flow uses; a resource stands in the list once.
pub fn use_more(uses: &mut Vec<Use>, resource: u32, coefficient: f64) {
    match uses.iter_mut().find(|u| u.resource == resource) {
        Some(there) => there.coefficient += coefficient,
        None => uses.push(Use { resource, coefficient }),
    }
}

fn check(set: &FlowSet<'_>) -> Outcome<()> {
    let mut faults = Faults::none();
    let (links, flows) = (set.bandwidth_bytes_per_s.len(), set.size_bytes.len());
    let mut length = |name: &str, is: usize, wanted: usize, optional: bool| {
        if is != wanted && !(optional && is == 0) {
            let expected = format!("{wanted} long");
            faults.push(Fault::new(&codes::BAD_LENGTH, name, expected, format!("{is} values")));
        }
    };
    length("latency_s", set.latency_s.len(), links, false);
    length("fat", set.fat.len(), links, true);
    length("start_s", set.start_s.len(), flows, false);
    length("routes", set.offsets.len(), flows + 1, false);
    length("reverse_routes", set.reverse.0.len(), flows + 1, true);
    length("cap_bytes_per_s", set.cap_bytes_per_s.len(), flows, true);
    length("weight", set.weight.len(), flows, true);
    let mut each = |name: &str, values: &[f64], good: fn(f64) -> bool, expected: &str| {
        if let Some((at, value)) = values.iter().enumerate().find(|(_, v)| !good(**v)) {
            faults.push(Fault::new(&codes::BAD_AMOUNT, format!("{name}[{at}]"), expected, value));
        }
    };
    let (positive, at_least_0) = ("a finite number above 0", "a finite number of at least 0");
    each("bandwidth_bytes_per_s", set.bandwidth_bytes_per_s, |v| v.is_finite() && v > 0.0, positive);
    each("latency_s", set.latency_s, |v| v.is_finite() && v >= 0.0, at_least_0);
    each("size_bytes", set.size_bytes, |v| v.is_finite() && v >= 0.0, at_least_0);
    each("start_s", set.start_s, |v| v.is_finite() && v >= 0.0, at_least_0);
    each("cap_bytes_per_s", set.cap_bytes_per_s, |v| v > 0.0, "a number above 0, or infinity");
    each("weight", set.weight, |v| v.is_finite() && v > 0.0, positive);
    each("tcp_window_bytes", &[set.tcp_window_bytes], |v| v.is_finite() && v >= 0.0, at_least_0);
    each("cross_traffic", &[set.cross_traffic], |v| (0.0..=1.0).contains(&v), "between 0 and 1");
    if let Sharing::Smpi { weight_s_bytes } = set.sharing {
        each("weight_s_bytes", &[weight_s_bytes], |v| v.is_finite() && v >= 0.0, at_least_0);
    }
    for (name, offsets, list) in [("routes", set.offsets, set.links), ("reverse_routes", set.reverse.0, set.reverse.1)]
    {
        let ascending = offsets.windows(2).all(|w| w[0] <= w[1]);
        if !ascending
            || offsets.last().is_some_and(|&end| end != list.len())
            || offsets.first().is_some_and(|&o| o != 0)
        {
            let expected = format!("offsets that ascend from 0 to the number of link ids, {}", list.len());
            faults.push(Fault::new(&codes::BAD_LENGTH, name, expected, "others"));
        }
        if let Some((at, link)) = list.iter().enumerate().find(|(_, l)| **l as usize >= links) {
            let expected = format!("a link id in 0..{links} (exclusive)");
            faults.push(Fault::new(&codes::BAD_AMOUNT, format!("{name}: link id {at}"), expected, link));
        }
    }
    faults.or(())
}

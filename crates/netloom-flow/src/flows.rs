//! Independent flows over given lists of links: the solver's bare entry point.

use netloom_model::{Fault, Faults, Outcome, Progress};

use crate::codes;
use crate::fluid::{Fluid, Way, instant_end};
use crate::max_min::Work;
use crate::ways::Ways;
use netloom_model::machine::Sharing;

/// What [`simulate_flows`] runs. All slices of links have one length, all of flows another.
#[derive(Clone, Debug)]
pub struct FlowSet<'a> {
    pub bandwidth_bytes_per_s: &'a [f64],
    pub latency_s: &'a [f64],
    /// Links whose full bandwidth is available to every flow (SimGrid's FATPIPE); empty for none.
    pub fat: &'a [bool],
    /// Links of flow `i` are `links[offsets[i]..offsets[i + 1]]`.
    pub offsets: &'a [usize],
    pub links: &'a [u32],
    /// The reverse route of every flow, in the same form; empty without cross traffic.
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
    /// Share of its rate that a flow uses on the reverse route.
    pub cross_traffic: f64,
}

/// End of every flow in seconds, and the work of the solver.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowTimes {
    pub finish_s: Vec<f64>,
    pub work: Work,
}

/// [`watch_flows`] with a plain progress counter.
///
/// # Errors
/// As there.
pub fn simulate_flows(set: &FlowSet<'_>, progress: &Progress) -> Outcome<FlowTimes> {
    progress.set_total(set.size_bytes.len() as u64);
    watch_flows(set, |ended| {
        progress.add(ended);
        progress.stopped()
    })
}

/// Simulates flows that share links: a flow pays the latency of its route once, then shares bandwidth. Alone it takes Σ
/// latency + bytes / min bandwidth. Cost per arrival or departure: in proportion to the rates that change. `look` is
/// called now and then with the number of flows that ended since, and returns whether to stop.
///
/// # Errors
/// `NL-E010`.. for every input that is negative, not finite or out of range; `NL-E004` if stopped; `NL-E016` if time
/// overflows.
pub fn watch_flows(set: &FlowSet<'_>, mut look: impl FnMut(u64) -> bool) -> Outcome<FlowTimes> {
    check(set)?;
    let flows = set.size_bytes.len();
    // The bits of times of at least 0 sort as the times do; equal ones sort by number.
    let mut order: Vec<u128> = Vec::with_capacity(flows);
    for flow in 0..flows {
        let latency: f64 = route(set.offsets, set.links, flow).iter().map(|&l| set.latency_s[l as usize]).sum();
        let begin = (set.start_s[flow] + latency + 0.0).to_bits();
        order.push(u128::from(begin) << 32 | flow as u128);
    }
    order.sort_unstable();
    let order = order.into_iter().map(|entry| (f64::from_bits((entry >> 32) as u64), entry as u32));
    let mut finish_s = vec![0.0; flows];
    let mut fluid = Fluid::new(set.sharing, []);
    let (mut coming, mut rounds) = (order.peekable(), 0u32);
    let mut ended = 0;
    let mut ways = Ways::new(set);
    loop {
        let start = coming.peek().map(|(time, _)| *time);
        let Some(now) = [start, fluid.next()].into_iter().flatten().reduce(f64::min) else { break };
        if !now.is_finite() {
            return Err(Fault::say(&codes::TIME_OVERFLOW, "simulate_flows", "simulated time exceeds 1e308 s").into());
        }
        fluid.finish(now, |flow, end| {
            finish_s[flow as usize] = end;
            ended += 1;
        });
        while let Some((time, flow)) = coming.next_if(|(time, _)| *time <= instant_end(now)) {
            let at = flow as usize;
            let links = route(set.offsets, set.links, at);
            if set.size_bytes[at] == 0.0 || links.is_empty() {
                finish_s[at] = time;
                ended += 1;
                continue;
            }
            let (weight, cap) = ways.find(set, flow, &mut fluid);
            fluid.start(now, set.size_bytes[at], Way { uses: ways.uses(), weight, cap, number: None }, flow);
        }
        fluid.update(now);
        rounds = rounds.wrapping_add(1);
        if rounds.is_multiple_of(256) && look(std::mem::take(&mut ended)) {
            return Err(Fault::say(&codes::STOPPED, "simulate_flows", "the simulation was stopped").into());
        }
    }
    look(ended);
    Ok(FlowTimes { finish_s, work: fluid.work() })
}

/// Links of a flow.
pub fn route<'a>(offsets: &[usize], links: &'a [u32], flow: usize) -> &'a [u32] {
    &links[offsets[flow]..offsets[flow + 1]]
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
    let (positive, at_least_0) = ("a finite number above 0", "a finite number of at least 0");
    let (is_positive, is_amount) = (|v: f64| v.is_finite() && v > 0.0, |v: f64| v.is_finite() && v >= 0.0);
    let weight_s_bytes = match set.sharing {
        Sharing::Smpi { weight_s_bytes } => weight_s_bytes,
        Sharing::Equal | Sharing::Rtt => 0.0,
    };
    each(&mut faults, "bandwidth_bytes_per_s", set.bandwidth_bytes_per_s, is_positive, positive);
    each(&mut faults, "latency_s", set.latency_s, is_amount, at_least_0);
    each(&mut faults, "size_bytes", set.size_bytes, is_amount, at_least_0);
    each(&mut faults, "start_s", set.start_s, is_amount, at_least_0);
    each(&mut faults, "cap_bytes_per_s", set.cap_bytes_per_s, |v| v > 0.0, "a number above 0, or infinity");
    each(&mut faults, "weight", set.weight, is_positive, positive);
    each(&mut faults, "tcp_window_bytes", &[set.tcp_window_bytes], is_amount, at_least_0);
    each(&mut faults, "cross_traffic", &[set.cross_traffic], |v| (0.0..=1.0).contains(&v), "between 0 and 1");
    each(&mut faults, "weight_s_bytes", &[weight_s_bytes], is_amount, at_least_0);
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
        let greatest = list.iter().fold(0, |most, &link| most.max(link));
        if greatest as usize >= links
            && let Some((at, link)) = list.iter().enumerate().find(|(_, l)| **l as usize >= links)
        {
            let expected = format!("a link id in 0..{links} (exclusive)");
            faults.push(Fault::new(&codes::BAD_AMOUNT, format!("{name}: link id {at}"), expected, link));
        }
    }
    faults.or(())
}

/// Names the first invalid value.
fn each(faults: &mut Faults, name: &str, values: &[f64], good: impl Fn(f64) -> bool, expected: &str) {
    // All of them first: without an early exit it takes a fraction of the time.
    if values.iter().fold(true, |all, &v| all & good(v)) {
        return;
    }
    if let Some((at, value)) = values.iter().enumerate().find(|(_, v)| !good(**v)) {
        faults.push(Fault::new(&codes::BAD_AMOUNT, format!("{name}[{at}]"), expected, value));
    }
}

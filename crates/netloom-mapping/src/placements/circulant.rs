//! Every (n/m)-th switch of a circulant, which is a circulant again (Cui 2024 §4.4).

use netloom_model::{Bound, Fault, Network, Outcome, Param, Stream};

use super::{SEED, SWITCH};
use crate::codes;
use crate::free::{AVAILABLE, Free, start_switch};
use crate::row::PlacementRow;

pub const ROW: PlacementRow = PlacementRow {
    name: "circulant",
    aliases: &["circulant-stride"],
    summary: "m switches at stride n/m from a start switch: on circulant(n, pow2) they form circulant(m, pow2), with \
              its distances or shorter ones.",
    params: &[Param::optional("start", SWITCH, "", "first switch; drawn from the seed if absent"), SEED, AVAILABLE],
    example: "circulant(start=0)",
    restrictions: "a circulant of n switches with p endpoints each; ranks/p is a power of two that divides n",
    source: "Cui 2024 §4.4, algorithm 4.1",
    build,
};

/// O(ranks).
fn build(network: &Network, ranks: u32, free: &Free, args: &Bound) -> Outcome<Vec<u32>> {
    if network.structure().jumps.is_none() {
        return Err(Fault::say(&codes::NO_CIRCULANT, network.label(), "the network is not a circulant")
            .hint("use circulant(n, pow2), or another placement")
            .into());
    }
    let n = network.switches();
    let per_switch = network.endpoints() / n;
    let uneven = (0..n).any(|s| network.endpoints_of(s).len() as u32 != per_switch);
    let switches = ranks / per_switch.max(1);
    if uneven || per_switch * switches != ranks || !switches.is_power_of_two() || !n.is_multiple_of(switches) {
        let sentence = format!("{ranks} ranks have no even stride on {n} switches with {per_switch} endpoints each");
        let fits = (0..32).map(|i| 1u64 << i).rfind(|m| u64::from(n) % m == 0).unwrap_or(1);
        return Err(Fault::say(&codes::NO_STRIDE, network.label(), sentence)
            .hint(format!("use a power of two up to {fits}, times {per_switch} endpoints"))
            .into());
    }
    let mut stream = Stream::new(args.int("seed") as u64, "placement circulant");
    let start = u64::from(start_switch(network, args, "start", |n| stream.below(n))?);
    let stride = u64::from(n / switches);
    let chosen = (0..u64::from(switches)).map(|i| ((start + i * stride) % u64::from(n)) as u32);
    let list: Vec<u32> = chosen.flat_map(|s| network.endpoints_of(s).iter().copied()).collect();
    match list.iter().find(|&&e| !free.has(e)) {
        None => Ok(list),
        Some(taken) => {
            let sentence = format!("endpoint {taken} is on the stride from switch {start} but not available");
            Err(Fault::say(&codes::NOT_FREE, network.label(), sentence).hint("give another start=").into())
        }
    }
}

//! All mappings of a handful of slots, for an objective whose energy is only a stand-in.
//!
//! The sum of fourth powers may be lowest where the largest load is not: alltoall:bruck on a ring of five has such a mapping.
//! Where trying all takes no longer than a search, that is done, with any method that is counted in moves.

use crate::row::Run;
use crate::walk::Found;

/// Slots whose orders are all tried: 8! are 40,320.
const FEW: u32 = 8;

/// The best of all mappings, or nothing where these are too many or the method may make fewer moves. One exchange per
/// mapping (Heap 1963).
pub(crate) fn mapping(run: &Run<'_>) -> Option<Found> {
    let slots = run.prepared.slots();
    let orders: u64 = (1..=u64::from(slots.min(FEW + 1))).product();
    let allowed = run.args.int_or_none("swaps").is_none_or(|swaps| swaps.unsigned_abs() >= orders);
    if slots > FEW || !allowed {
        return None;
    }
    let mut walk = run.walk();
    let mut turns = vec![0u32; slots as usize];
    let mut item = 0;
    while item < slots && !walk.over() {
        let turn = &mut turns[item as usize];
        if *turn < item {
            let other = if item.is_multiple_of(2) { 0 } else { *turn };
            *turn += 1;
            // What stands at two places of the list changes places: slots are the list.
            let (a, b) = (walk.places.rank_at(item), walk.places.rank_at(other));
            let change = walk.delta(a, b, f64::INFINITY);
            walk.swap(a, b, change);
            item = 0;
        } else {
            *turn = 0;
            item += 1;
        }
    }
    Some(walk.finish())
}

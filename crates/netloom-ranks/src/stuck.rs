//! Why a run is stuck, or what was left over at its end.

use netloom_model::Fault;

use crate::codes;
use crate::matching::Key;

/// Most ranks named in one message.
const NAMED: usize = 8;

/// A half of a message that waits for the other.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    pub key: Key,
    pub is_send: bool,
    pub bytes: u64,
}

impl Half {
    fn waiter(&self) -> (u32, u32) {
        if self.is_send { (self.key.src, self.key.dst) } else { (self.key.dst, self.key.src) }
    }

    fn say(&self, name: &dyn Fn(u32) -> String) -> String {
        let (rank, peer) = self.waiter();
        let verb = if self.is_send { "send to" } else { "receive from" };
        let tag = if self.key.context == 0 { format!(", tag {}", self.key.tag) } else { String::new() };
        format!("{} waits to {verb} {} ({} B{tag})", name(rank), name(peer), self.bytes)
    }
}

/// The fault of a deadlock: the cycle if there is one, else the ranks that wait. `halves` are sorted; `name` names a
/// rank; `blocked` tells whether a rank cannot continue.
pub fn deadlock(label: &str, halves: &[Half], blocked: &dyn Fn(u32) -> bool, name: &dyn Fn(u32) -> String) -> Fault {
    let waits = |rank: u32| halves.iter().find(|h| h.waiter().0 == rank && blocked(rank));
    let mut starts: Vec<u32> = halves.iter().map(|h| h.waiter().0).filter(|r| blocked(*r)).collect();
    starts.sort_unstable();
    starts.dedup();
    for &start in &starts {
        let (mut chain, mut at): (Vec<&Half>, u32) = (Vec::new(), start);
        while let Some(half) = waits(at) {
            if let Some(first) = chain.iter().position(|h| h.waiter().0 == at) {
                return cycle(label, &chain[first..], name);
            }
            chain.push(half);
            at = half.waiter().1;
        }
    }
    let named: Vec<String> = starts.iter().filter_map(|r| waits(*r)).take(NAMED).map(|h| h.say(name)).collect();
    let more = starts.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    Fault::say(&codes::UNMATCHED, label, format!("nothing more happens: {}{rest}", named.join("; ")))
        .hint("let every send have a receive with the same pair of ranks and the same tag")
}

fn cycle(label: &str, chain: &[&Half], name: &dyn Fn(u32) -> String) -> Fault {
    let named: Vec<String> = chain.iter().take(NAMED).map(|h| h.say(name)).collect();
    let more = chain.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    let sentence = format!("deadlock, a cycle of {} ranks: {}{rest}", chain.len(), named.join("; "));
    Fault::say(&codes::DEADLOCK, label, sentence).hint("order the calls, or use non-blocking ones")
}

/// The fault of a message that is left over when all ranks have ended.
pub fn left_over(label: &str, half: &Half, name: &dyn Fn(u32) -> String) -> Fault {
    let (rank, peer) = half.waiter();
    let (verb, lacks) = if half.is_send { ("sent", "receives it") } else { ("receives", "is sent") };
    let way = if half.is_send { "to" } else { "from" };
    let what = if half.is_send { "which nobody" } else { "which never" };
    let sentence =
        format!("{} {verb} {} B {way} {} (tag {}), {what} {lacks}", name(rank), half.bytes, name(peer), half.key.tag);
    Fault::say(&codes::UNMATCHED, label, sentence).hint("let every send have one receive, and every receive one send")
}

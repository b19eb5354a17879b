//! Strands of one rank whose messages cannot take each other's place.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use netloom_model::{Op, Programs};

/// What a rank's messages belong to: those of a partner and tag, each way; those of a call; those over a GPU library's connections.
#[derive(PartialEq, Eq, Hash)]
enum Of {
    Partner { peer: u32, tag: u32, sends: bool },
    Call(u32),
    Connections,
}

/// True if no two strands of a rank send to, or receive from, the same rank with the same tag, make the same call, or use connections of
/// GPU libraries: which of two such messages comes first at one instant is not defined. O(actions).
pub fn are_apart(programs: &Programs) -> bool {
    if !programs.ops.iter().any(|op| matches!(op, Op::Strand { .. })) {
        return true;
    }
    // Which of two strands takes a unit first is not defined either.
    if programs.has_tasks() {
        return false;
    }
    (0..programs.ranks()).all(|rank| {
        let (mut strands, mut users): (Vec<(usize, usize)>, _) = (Vec::new(), HashMap::new());
        let mut alone = |of: Of, strand: usize| match users.entry(of) {
            Entry::Occupied(there) => *there.get() == strand,
            Entry::Vacant(free) => *free.insert(strand) == strand,
        };
        programs.of(rank).iter().enumerate().all(|(at, op)| {
            strands.retain(|(_, end)| at < *end);
            let own = strands.last().map_or(0, |strand| strand.0);
            match *op {
                Op::Strand { ops } => strands.push((at + 1, at + 1 + ops as usize)),
                Op::Send { peer, tag, .. } | Op::StartSend { peer, tag, .. } => {
                    return alone(Of::Partner { peer, tag, sends: true }, own);
                }
                Op::Receive { peer, tag, .. } | Op::StartReceive { peer, tag, .. } => {
                    return alone(Of::Partner { peer, tag, sends: false }, own);
                }
                Op::Collective { call, .. } => {
                    let connects = programs.calls[call as usize].schedule.protocol.is_some();
                    return alone(Of::Call(call), own) && (!connects || alone(Of::Connections, own));
                }
                _ => {}
            }
            true
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strands_are_apart_by_partner_tag_and_way() {
        let send = |tag| Op::StartSend { peer: 1, tag, bytes: 8 };
        let receive = |tag| Op::StartReceive { peer: 0, tag, bytes: 8 };
        let made = |first: Vec<Op>| {
            let second = first.iter().filter_map(|op| match op {
                Op::StartSend { tag, .. } => Some(receive(*tag)),
                _ => None,
            });
            let second = second.collect();
            are_apart(&Programs::new("strands", vec![first, second], Vec::new()).unwrap())
        };
        assert!(made(vec![send(0), send(0)]));
        assert!(made(vec![Op::Strand { ops: 2 }, send(0), send(0), send(1), Op::Join]));
        assert!(!made(vec![Op::Strand { ops: 1 }, send(0), send(0), Op::Join]));
        assert!(!made(vec![Op::Strand { ops: 1 }, send(0), Op::Strand { ops: 1 }, send(0), Op::Join]));
        // A strand within a strand is another one.
        assert!(!made(vec![Op::Strand { ops: 4 }, Op::Strand { ops: 1 }, send(0), send(0), Op::Join, Op::Join]));
        assert!(made(vec![Op::Strand { ops: 4 }, Op::Strand { ops: 1 }, send(0), send(1), Op::Join, Op::Join]));
    }
}

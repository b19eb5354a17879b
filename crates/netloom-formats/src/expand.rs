//! Collectives of programs as messages, for formats that have no words for them.

use netloom_model::{Fault, GroupCall, Outcome, Programs};

use crate::codes;
use crate::recorded::MAX_OPS;

/// Tag of the messages of a collective that is written out.
pub const GROUP_TAG: u32 = 0x7fff_0001;

/// A message that a member of a collective sends or receives; the peer is a rank of the program.
#[derive(Clone, Copy)]
pub struct Half {
    pub step: u32,
    pub peer: u32,
    pub bytes: u64,
    pub receives: bool,
}

/// For every call that is to be written out, the messages of every member by step, receives first. O(messages).
///
/// # Errors
/// `NL-F001` beyond an eighth of the most actions.
pub fn halves(programs: &Programs, wanted: impl Fn(&GroupCall) -> bool) -> Outcome<Vec<Option<Vec<Vec<Half>>>>> {
    let mut messages = 0u64;
    let mut found = Vec::new();
    for call in &programs.calls {
        if !wanted(call) {
            found.push(None);
            continue;
        }
        messages += call.schedule.messages();
        if messages > MAX_OPS as u64 / 8 {
            let limit = MAX_OPS / 8;
            return Err(too_large(programs, &format!("collectives have more than {limit} messages")));
        }
        let mut halves = vec![Vec::new(); call.members.len()];
        call.schedule.for_each_message(|message| {
            let (src, dst) = (message.src as usize, message.dst as usize);
            let half = Half { step: message.step, peer: 0, bytes: message.bytes, receives: false };
            halves[src].push(Half { peer: call.members[dst], ..half });
            halves[dst].push(Half { peer: call.members[src], receives: true, ..half });
        });
        halves.iter_mut().for_each(|member| member.sort_by_key(|half| (half.step, !half.receives)));
        found.push(Some(halves));
    }
    Ok(found)
}

/// True for a collective over all ranks where rank `r` is member `r`.
pub fn is_whole(call: &GroupCall, programs: &Programs) -> bool {
    call.members.len() == programs.ranks() as usize && call.members.iter().enumerate().all(|(i, &m)| i as u32 == m)
}

pub fn too_large(programs: &Programs, sentence: &str) -> netloom_model::Faults {
    Fault::say(&codes::TOO_LARGE, &programs.label, format!("as a trace: {sentence}"))
        .hint("fewer ranks or loops")
        .into()
}

//! Texts that become objects: calls of every registry, host lists. What is built is small, or refused before it takes memory.

#![no_main]

use std::sync::Once;

use libfuzzer_sys::fuzz_target;
use netloom_formats::{expand_hostlist, fold_hostlist};
use netloom_model::{Call, memory};

/// What a call may make.
const MEMORY: u64 = 64 << 20;
const RANKS: i64 = 13;

static LIMIT: Once = Once::new();

fuzz_target!(|data: &[u8]| {
    LIMIT.call_once(|| memory::set_limit(MEMORY));
    let [kind, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    if kind % 4 == 0 {
        if let Ok(names) = expand_hostlist(text, 4096) {
            let again = expand_hostlist(&fold_hostlist(&names), 1 << 20).expect("a folded list");
            assert!(names == again, "other hosts from a folded list");
        }
        return;
    }
    let Ok(call) = Call::parse(text) else { return };
    let same = Call::parse(&call.to_string()).expect("a call as written");
    assert!(same == call, "{call}: another call when it is read again");
    match kind % 4 {
        1 => drop(netloom_net::build(&call)),
        2 => {
            if let Ok(schedule) = netloom_workload::build(&call, RANKS, 0, 4096) {
                let proved = netloom_workload::verify_schedule(&schedule, &netloom_model::Progress::new());
                assert!(proved.is_ok(), "{call}: {proved:?}");
            }
        }
        _ => drop(netloom_model::node::NODES.bind(&call)),
    }
});

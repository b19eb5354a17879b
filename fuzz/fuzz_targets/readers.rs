//! Every reader. The first byte says the kind, the second the format; the rest is the file. Where the second says so, what is
//! read is written in every format that can hold it, and what was written in its own format is read again: the same bytes.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use netloom_formats::hierarchy;
use netloom_formats::recorded::{Choice, Others, Replay, Scale};
use netloom_formats::{Held, Read, read, write};
use netloom_model::{Call, Collective, Faults, Forwarding, Mapping, Network, Programs, Traffic, memory};

/// What a file below 64 KiB may make.
const MEMORY: u64 = 256 << 20;

/// Most endpoints and switches of a network, and most ranks of a traffic matrix, that is written again, in all formats: a
/// line makes thousands of them.
const SMALL: u32 = 2048;

/// Endpoints of mappings and of forwarding tables.
static NETWORK: LazyLock<Network> = LazyLock::new(|| {
    memory::set_limit(MEMORY);
    netloom_net::build(&Call::parse("torus(4,4)").expect("a call")).expect("a network")
});

/// Set in the number of a format: what is read is written again too, which takes ten times as long.
const AGAIN: u8 = 0x80;

/// The format of a number; those that are only written are tried too, and refused.
fn format<H: Held>(number: u8) -> Call {
    let rows = H::formats().rows;
    Call::bare(rows[usize::from(number & !AGAIN) % rows.len()].name)
}

/// The formats to write in.
fn all<H: Held>(number: u8) -> impl Iterator<Item = Call> {
    let rows = if number & AGAIN == 0 { &[] } else { H::formats().rows };
    rows.iter().map(|row| Call::bare(row.name))
}

/// Written and read twice: the third file is the second. The first may differ, where a format adds what the thing lacks.
fn again<H>(held: &H, call: &Call, given: H::Given<'_>, onto: H::Onto<'_>, of: impl Fn(H::Found) -> H)
where
    H: Held<Written = Vec<u8>>,
{
    let Ok(once) = write(held, call, onto) else { return };
    let Ok(found) = read::<H>(&once, "again", Some(call), given) else { return };
    let twice = write(&of(found), call, onto).expect("what was read is written");
    let found = read::<H>(&twice, "again", Some(call), given).expect("what was written is read");
    assert!(twice == write(&of(found), call, onto).expect("the same is written"), "{call}: other bytes the third time");
}

fuzz_target!(|data: &[u8]| {
    let [kind, number, bytes @ ..] = data else { return };
    let network = &*NETWORK;
    match kind % 6 {
        0 => {
            if let Ok(Read { network, .. }) = read::<Network>(bytes, "file", Some(&format::<Network>(*number)), ()) {
                if network.endpoints().max(network.switches()) > SMALL {
                    return;
                }
                all::<Network>(*number).for_each(|call| again(&network, &call, (), (), |found: Read| found.network));
            }
        }
        1 => {
            if let Ok(mapping) = read::<Mapping>(bytes, "file", Some(&format::<Mapping>(*number)), network) {
                all::<Mapping>(*number).for_each(|call| again(&mapping, &call, network, network, |found| found));
            }
        }
        2 => {
            if let Ok(traffic) = read::<Traffic>(bytes, "file", Some(&format::<Traffic>(*number)), ())
                && traffic.ranks <= SMALL
            {
                all::<Traffic>(*number).for_each(|call| again(&traffic, &call, (), (), |found| found));
            }
        }
        3 => {
            let format = format::<Forwarding>(*number);
            if let Ok(tables) = read::<Forwarding>(bytes, "file", Some(&format), network) {
                all::<Forwarding>(*number).for_each(|call| again(&tables, &call, network, network, |found| found));
            }
        }
        4 => {
            let _ = hierarchy::read(bytes, "file", "");
        }
        _ => {
            let collectives = &|_: Collective, _: u32, _: u64, _: u32| Err(Faults::none());
            let choice = Choice { collectives, by_smpi: &[], scale: &Scale::default() };
            let _ = read::<Programs>(bytes, "file", None, Replay { others: Others::NONE, choice });
        }
    }
});

//! Contents of hostile traces.

use netloom_model::Collective;
use proptest::prelude::*;

use super::super::write::write;
use super::{mixed, one, read, star};

const REFUSED: &[(&str, &str, &str)] = &[
    ("", "NL-F004", "t: holds no action"),
    ("x\n", "NL-F010", "\"x\", which is not given"),
    ("0 init\n2 init\n", "NL-F010", "rank 1 of 3 has no action"),
    ("0 init\n4294967296 init\n", "NL-F009", "a rank in 0..1048576"),
    ("0 init\n-1 init\n", "NL-F009", "t:2:1 first word"),
    ("0 init\n0\n", "NL-F020", "an action that can be replayed"),
    ("0 bcats 3", "NL-F020", "did you mean bcast?"),
    ("0 waitAny 2", "NL-F020", "does not say which one completed"),
    ("0 Ssend 0 1 2", "NL-F020", "use MPI_Send or MPI_Isend"),
    ("0 comm_split 1", "NL-F020", "which ranks a split communicator has"),
    ("0 ibcast 3 0 1", "NL-F020", "non-blocking collectives"),
    ("0 Start 0 1 2 0", "NL-F020", "persistent requests"),
    ("0 send 0 1", "NL-F003", "3 to 4 arguments instead of 2"),
    ("0 send 1 1 1", "NL-F009", "t:1:8 must be a rank in 0..1 (exclusive), got \"1\""),
    ("0 send 0 -2 1", "NL-F009", "a tag >= 0"),
    ("0 send 0 99999999999 1", "NL-F009", "an integer of 32 bits"),
    ("0 send 0 1 -1", "NL-F009", "a number of elements"),
    ("0 send 0 1 1.5", "NL-F009", "a number of elements"),
    ("0 send 0 1 18446744073709551615 0", "NL-F009", "less than 2^63 bytes"),
    ("0 send 0 1 1 -1", "NL-F020", "derived datatype"),
    ("0 send 0 1 1 99", "NL-F020", "the number of a datatype"),
    ("0 compute -1", "NL-F009", "a finite amount"),
    ("0 compute nan", "NL-F009", "a finite amount"),
    ("0 compute 1e999", "NL-F009", "a finite amount"),
    ("0 wait 0 0 1", "NL-F007", "a request that was started"),
    ("0 bcast 1 1", "NL-F009", "a rank in 0..1"),
    ("0 alltoallv 1 1", "NL-F003", "4 to 6 arguments"),
    // As SimGrid 3.32 records MPI_Reduce_scatter_block of 3: three zeros for any number of ranks.
    ("0 reducescatter 0 0 0 0 1 ", "NL-F003", "2 to 3 arguments instead of 5"),
    ("0 bcast 1 0\n1 barrier\n", "NL-F021", "broadcast of 1 bytes from or to rank 0"),
    ("0 barrier\n0 barrier\n1 barrier\n", "NL-F021", "rank 1 enters 1 collectives, another rank 2"),
    ("0 bcast 1 0\n1 bcast 2 0\n", "NL-F021", "sub-communicators"),
    ("0 recv -333 1 8\n1 send 0 1 8\n2 send 0 1 8", "NL-F022", "exactly one rank"),
    ("0 recv -333 1 8\n0 recv -333 1 8\n1 send 0 1 8", "NL-F022", "name the source"),
    ("0 recv -555 1 8", "NL-F022", "exactly one rank"),
];

#[test]
fn what_cannot_be_replayed_is_refused_with_its_place() {
    for &(text, code, says) in REFUSED {
        let faults = one(text).unwrap_err();
        assert!(faults.0[0].code == code && faults.to_string().contains(says), "{text:?}: {faults}");
    }
    assert_eq!(one("0 send 0 1 \u{0}").unwrap_err().0[0].code, "NL-F002");
}

#[test]
fn the_faults_of_a_schedule_come_through() {
    let refuse = |_: Collective, _: u32, _: u64, _: u32| {
        Err(netloom_model::Fault::say(&crate::codes::VALUE, "bcast", "needs more ranks").into())
    };
    assert!(read(&[("t", b"0 bcast 1 0")], &refuse).unwrap_err().to_string().contains("needs more ranks"));
}

#[test]
fn a_flood_of_faults_or_calls_is_cut() {
    let faults = one(&"0 fly\n".repeat(100_000)).unwrap_err();
    assert!(faults.0.len() == 20 && faults.to_string().contains("99980 more"));
    let many: String = (0..70_000).map(|n| format!("0 bcast {n} 0\n")).collect();
    assert_eq!(one(&many).unwrap_err().0[0].code, "NL-F001");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&[("t", &bytes)], &star);
    }

    #[test]
    fn a_damaged_trace_is_read_or_refused(at in 0usize..3000, to in any::<u8>(), cut in 0usize..40) {
        let mut all: Vec<u8> = mixed()[1..].iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect();
        let at = at % all.len();
        all[at] = to;
        all.drain(at..(at + cut).min(all.len()));
        if let Ok(programs) = read(&[("t", &all)], &star) {
            prop_assert!(write(&programs).is_ok());
        }
    }
}

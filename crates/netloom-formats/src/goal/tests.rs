//! Schedules by hand, and programs that come back.

use netloom_model::{Call, Collective, GroupCall, Op, Outcome, Programs};
use proptest::prelude::*;

use crate::recorded::{Choice, Scale, drawn_bodies, drawn_steps, read_files, star};

fn read(bytes: &[u8], format: Option<&str>) -> Outcome<Programs> {
    let choice = Choice { collectives: &star, by_smpi: &[], scale: &Scale::default() };
    read_files(format, &[("t", bytes)], choice).map(|made| made.programs)
}

fn written(programs: &Programs, format: &str) -> Vec<u8> {
    crate::write(programs, &Call::bare(format), ()).unwrap().remove(0).1
}

const TWO: &str = "// two ranks\nnum_ranks 2\nrank 0 {\n a: calc 500\n b: send 4096b to 1 tag 3\n b requires a\n}\n\
    rank 1 { /* one\n two */\n a: recv 4096b from 0 tag 3 cpu 1 nic 2\n}\n";

#[test]
fn a_schedule_is_read_as_it_says() {
    let programs = read(TWO.as_bytes(), None).unwrap();
    let send = Op::Send { peer: 1, tag: 3, bytes: 4096 };
    assert_eq!(programs.of(0), [Op::Sleep { seconds: 5e-7 }, send]);
    assert_eq!(programs.of(1), [Op::Receive { peer: 0, tag: 3, bytes: 4096 }]);
}

#[test]
fn what_is_wrong_is_placed() {
    for (text, code, place) in [
        ("num_ranks 2\nrank 0 {\n}\n", "NL-F010", "rank 1"),
        ("num_ranks 1\nrank 0 {\n a: calc x\n}", "NL-F003", "t:3:10"),
        ("num_ranks 1\nrank 0 {\n a: calc 1\n a: calc 1\n}", "NL-F006", "t:4:2"),
        ("num_ranks 1\nrank 0 {\n a: calc 1\n a requires b\n}", "NL-F007", "t:4:13"),
        ("num_ranks 1\nrank 0 {\n send 8b to 1\n}", "NL-F003", "t:3:13"),
        ("num_ranks 1\nrank 0 {\n a: calc 1\n b: calc 1\n a requires b\n b requires a\n}", "NL-F003", "t:3:5"),
        ("num_ranks 1\nrank 0 {\n calc 1 calc 2\n}", "NL-F003", "t:3:9"),
        ("num_ranks 1\nrank 0 {\n calc 1\n", "NL-F003", "t"),
        ("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}", "NL-F006", "t:4:1"),
        ("num_ranks 9999999\n", "NL-F003", "t:1:11"),
        ("num_ranks 0\n", "NL-F004", "t"),
        ("num_ranks 0\nrank 0 {\n}\n", "NL-F004", "t"),
        (
            "num_ranks 3\nrank 0 {\nsend 1b to 2\n}\nrank 1 {\nsend 1b to 2\n}\nrank 2 {\nrecv 1b from -1\n}",
            "NL-F022",
            "t:9:1",
        ),
    ] {
        let faults = read(text.as_bytes(), Some("goal")).unwrap_err();
        assert!(faults.0[0].code == code && faults.to_string().contains(place), "{text}: {faults}");
    }
}

#[test]
fn any_rank_is_the_one_that_sends() {
    let text =
        "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 9\n}\nrank 1 {\na: recv 1b from -1 tag -1\nb: calc 1\nb requires a\n}";
    let programs = read(text.as_bytes(), None).unwrap();
    assert_eq!(programs.of(1)[0], Op::Receive { peer: 0, tag: 9, bytes: 1 });
}

#[test]
fn both_forms_hold_the_same() {
    let programs = read(TWO.as_bytes(), None).unwrap();
    let binary = written(&programs, "goal-binary");
    assert_eq!(read(&binary, None).unwrap(), programs);
    for length in 8..binary.len() {
        assert!(read(&binary[..length], Some("goal-binary")).is_err(), "{length}");
    }
}

#[test]
fn strands_and_collectives_come_back_in_order() {
    let schedule = star(Collective::Gather, 2, 7, 0).unwrap().into();
    let calls = vec![GroupCall { schedule, members: vec![1, 0] }];
    let body = |member| {
        vec![
            Op::Strand { ops: 1 },
            Op::Sleep { seconds: 1e-6 },
            Op::Collective { call: 0, member },
            Op::Join,
            Op::Sleep { seconds: 2e-9 },
        ]
    };
    let programs = Programs::new("t", vec![body(1), body(0)], calls).unwrap();
    let text = String::from_utf8(written(&programs, "goal")).unwrap();
    let own = text.split("rank 1").next().unwrap();
    assert!(own.contains("o0: calc 1000 cpu 1\no1: send 7b to 1 tag 2147418113\no2: calc 2\n"), "{own}");
    assert!(own.contains("o2 requires o0\no2 requires o1\n"), "{own}");
    let again = read(text.as_bytes(), None).unwrap();
    assert_eq!(written(&again, "goal").len(), text.len());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(num_ranks 2\nrank 0 \\{\n)?([a-c]: )?(send|recv|calc|[a-c]) (1b|requires|7|irequires) (to|from|[a-c]) [-0-9]{1,3}\n\\}") {
        let _ = read(text.as_bytes(), Some("goal"));
    }

    #[test]
    fn changed_bytes_are_read_or_refused(at in 0usize..150, byte in any::<u8>()) {
        let mut binary = written(&read(TWO.as_bytes(), None).unwrap(), "goal-binary");
        if let Some(one) = binary.get_mut(at) {
            *one = byte;
        }
        let _ = read(&binary, Some("goal-binary"));
    }

    /// Programs without loops come back, waits that wait for nothing left out.
    #[test]
    fn programs_come_back(steps in drawn_steps()) {
        let bodies = drawn_bodies(steps, 1e-9);
        let programs = Programs::new("t", bodies, Vec::new()).unwrap();
        for format in ["goal", "goal-binary"] {
            let bytes = written(&programs, format);
            let again = read(&bytes, None).unwrap();
            prop_assert!(!again.has_tasks(), "{:?}", again);
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            prop_assert_eq!(text(written(&again, format)), text(bytes));
        }
    }
}

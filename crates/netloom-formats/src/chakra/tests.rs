//! Traces that are written and read, and such as others write.

use netloom_model::{Call, GroupCall, Op, Outcome, Programs};
use proptest::prelude::*;

use super::wire::Message;
use crate::recorded::{Choice, Scale, drawn_bodies, drawn_steps, read_files, star};

fn read(files: &[(String, Vec<u8>)]) -> Outcome<Programs> {
    let choice = Choice { collectives: &star, by_smpi: &[], scale: &Scale::default() };
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    read_files(Some("chakra"), &files, choice).map(|made| made.programs)
}

fn written(programs: &Programs) -> Vec<(String, Vec<u8>)> {
    crate::write(programs, &Call::bare("chakra"), ()).unwrap()
}

fn attribute(name: &str, field: u64, value: u64) -> Vec<u8> {
    let mut made = Message::default();
    made.bytes(1, name.as_bytes());
    made.number(field, value);
    made.0
}

fn node(id: u64, kind: u64, before: &[u64], attributes: &[Vec<u8>]) -> Message {
    let mut made = Message::default();
    made.number(1, id);
    made.number(3, kind);
    // As some writers do: one field for each.
    before.iter().for_each(|id| made.number(5, *id));
    attributes.iter().for_each(|one| made.bytes(10, one));
    made
}

fn file(nodes: &[Message]) -> Vec<u8> {
    let mut out = Message::default();
    let mut head = Message::default();
    head.bytes(1, b"0.0.4");
    out.delimited(&head.0);
    nodes.iter().for_each(|node| out.delimited(&node.0));
    out.0
}

#[test]
fn nodes_are_read_as_they_say() {
    let size = |field| attribute("comm_size", field, 4096);
    let mut busy = node(7, 4, &[], &[attribute("is_cpu_op", 27, 0)]);
    busy.number(7, 12);
    let reduce = |before: &[u64]| node(9, 7, before, &[attribute("comm_type", 9, 0), size(9)]);
    let first =
        [busy, node(8, 5, &[7], &[attribute("comm_dst", 7, 1), attribute("comm_tag", 7, 3), size(13)]), reduce(&[8])];
    let second = [node(1, 6, &[], &[attribute("comm_src", 7, 0), attribute("comm_tag", 7, 3), size(9)]), reduce(&[1])];
    let files = [("a.0.et".to_string(), file(&first)), ("a.1.et".to_string(), file(&second))];
    let programs = read(&files).unwrap();
    let (send, receive) = (Op::Send { peer: 1, tag: 3, bytes: 4096 }, Op::Receive { peer: 0, tag: 3, bytes: 4096 });
    assert_eq!(programs.of(0), [Op::Sleep { seconds: 12e-6 }, send, Op::Collective { call: 0, member: 0 }]);
    assert_eq!(programs.of(1), [receive, Op::Collective { call: 0, member: 1 }]);
    assert_eq!(programs.calls[0].schedule.size_bytes, 4096);
}

#[test]
fn what_is_wrong_is_told() {
    let one = |nodes: &[Message]| read(&[("a.0.et".to_string(), file(nodes))]).unwrap_err().to_string();
    assert!(one(&[node(1, 1, &[2], &[])]).contains("NL-F007"));
    assert!(one(&[node(1, 1, &[2], &[]), node(2, 1, &[1], &[])]).contains("NL-F003"));
    assert!(one(&[node(1, 1, &[], &[]), node(1, 1, &[], &[])]).contains("NL-F006"));
    assert!(one(&[node(1, 9, &[], &[])]).contains("NL-F013"));
    assert!(one(&[node(1, 5, &[], &[attribute("comm_dst", 7, 0)])]).contains("NL-F010"));
    assert!(one(&[node(1, 5, &[], &[attribute("comm_dst", 7, 5), attribute("comm_size", 7, 5)])]).contains("NL-F009"));
    assert!(
        one(&[node(1, 7, &[], &[attribute("comm_type", 7, 77), attribute("comm_size", 7, 5)])]).contains("NL-F009")
    );
    let whole = file(&[node(1, 1, &[], &[]), node(2, 1, &[1], &[])]);
    for length in 0..whole.len() {
        let made = read(&[("a.0.et".to_string(), whole[..length].to_vec())]);
        assert!(made.is_ok_and(|made| made.ops.is_empty()) || length < whole.len(), "{length}");
    }
    let gap = [("a.0.et".to_string(), file(&[])), ("a.2.et".to_string(), file(&[]))];
    assert!(read(&gap).unwrap_err().to_string().contains("rank 1"));
    assert!(read(&[("a.et".to_string(), file(&[]))]).unwrap_err().to_string().contains("NL-F014"));
}

#[test]
fn groups_are_those_who_name_them() {
    let schedule: std::sync::Arc<_> = star(netloom_model::Collective::Alltoall, 2, 7, 0).unwrap().into();
    let call = |members: &[u32]| GroupCall { schedule: std::sync::Arc::clone(&schedule), members: members.into() };
    let calls = vec![call(&[0, 2]), call(&[1, 3])];
    let body = |rank: u32| vec![Op::Collective { call: rank % 2, member: rank / 2 }, Op::Sleep { seconds: 3e-6 }];
    let programs = Programs::new("trace.0.et", (0..4).map(body).collect(), calls).unwrap();
    let again = read(&written(&programs)).unwrap();
    assert_eq!((again.ops, again.calls), (programs.ops, programs.calls));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&[("a.0.et".to_string(), bytes)]);
    }

    #[test]
    fn changed_bytes_are_read_or_refused(at in 0usize..200, byte in any::<u8>()) {
        let body = |peer| vec![Op::StartReceive { peer, tag: 1, bytes: 8 }, Op::StartSend { peer, tag: 1, bytes: 8 }, Op::WaitAll];
        let mut files = written(&Programs::new("t", vec![body(1), body(0)], Vec::new()).unwrap());
        if let Some(one) = files[0].1.get_mut(at) {
            *one = byte;
        }
        let _ = read(&files);
    }

    /// Programs without loops come back, waits that wait for nothing left out.
    #[test]
    fn programs_come_back(steps in drawn_steps()) {
        let bodies = drawn_bodies(steps, 1e-6);
        let programs = Programs::new("trace.0.et", bodies, Vec::new()).unwrap();
        let files = written(&programs);
        let again = read(&files).unwrap();
        prop_assert!(!again.has_tasks(), "{:?}", again);
        prop_assert_eq!(written(&again), files);
    }
}

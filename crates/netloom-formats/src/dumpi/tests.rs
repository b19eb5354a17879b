//! Texts as dumpi2ascii prints them, binary files by hand, and any bytes.

use netloom_model::{Op, Outcome};
use proptest::prelude::*;

use crate::recorded::{Choice, Recorded, Scale, read_files, star};

fn read(format: &str, files: &[(&str, &[u8])]) -> Outcome<Recorded> {
    let choice = Choice { collectives: &star, by_smpi: &[], scale: &Scale::default() };
    read_files(Some(format), files, choice)
}

/// Calls of a rank: from second `begin` each takes one second, with one between.
fn text(calls: &[(&str, &str)]) -> String {
    let mut made = String::from("version=1.0.0\n");
    for (at, (name, arguments)) in calls.iter().enumerate() {
        let line = |word: &str, second: usize| {
            format!("MPI_{name} {word} at walltime {second}.500000000, cputime 0.1 seconds in thread 0.\n")
        };
        made += &line("entering", 2 * at);
        made += &arguments.replace("; ", "\n");
        made.push('\n');
        made += &line("returning", 2 * at + 1);
    }
    for (number, size) in [0, 0, 1, 1, 1, 1, 4, 2, 2, 4].iter().enumerate() {
        made += &format!("Datatype {number} (of MPI) has size {size}\n");
    }
    made
}

fn texts(ranks: &[&[(&str, &str)]]) -> Outcome<Recorded> {
    let texts: Vec<String> = ranks.iter().map(|calls| text(calls)).collect();
    let names: Vec<String> = (0..ranks.len()).map(|rank| format!("run-{rank:04}.txt")).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    read("dumpi-ascii", &files)
}

fn gap() -> Op {
    Op::Sleep { seconds: 1.0 }
}

/// Without the list of sizes a datatype has the usual one.
const CHARS: &str = "int count=5; MPI_Datatype datatype=2 (MPI_CHAR)";

#[test]
fn a_receive_from_any_source_takes_that_of_its_status() {
    let comm = "MPI_Comm comm=2 (MPI_COMM_WORLD)";
    let send = format!("{CHARS}; int dest=2; int tag=7; {comm}");
    let receive = format!("{CHARS}; int source=-1; int tag=-1; {comm}; MPI_Request request=[4]");
    let wait = "int count=1; MPI_Request requests[1]=[4]; MPI_Status statuses[1]=[{bytes=5, cancelled=0, source=1, tag=7, error=0}]";
    let from_0 = wait.replace("source=1", "source=0");
    let own = [("Irecv", receive.as_str()), ("Waitall", wait), ("Irecv", &receive), ("Waitall", &from_0)];
    let made = texts(&[&[("Send", &send)], &[("Send", &send)], &own]).unwrap();
    assert_eq!(made.programs.of(0), [Op::Send { peer: 2, tag: 7, bytes: 5 }]);
    let start = |peer| Op::StartReceive { peer, tag: 7, bytes: 5 };
    let wait = Op::Wait { back: 1 };
    assert_eq!(made.programs.of(2), [start(1), gap(), wait, gap(), start(0), gap(), wait]);
}

#[test]
fn a_receive_without_a_status_has_its_only_sender() {
    let comm = "MPI_Comm comm=2 (MPI_COMM_WORLD)";
    let send = format!("{CHARS}; int dest=2; int tag=7; {comm}");
    let receive = format!("{CHARS}; int source=-1; int tag=7; {comm}; MPI_Status status=<IGNORED>");
    let made = texts(&[&[("Send", &send)], &[], &[("Recv", &receive)]]).unwrap();
    assert_eq!(made.programs.of(2), [Op::Receive { peer: 0, tag: 7, bytes: 5 }]);
    let both = [("Send", send.as_str())];
    let refused = texts(&[&both, &both, &[("Recv", &receive)]]).unwrap_err().to_string();
    assert!(refused.contains("NL-F022") && refused.contains("run-0002.txt:2 MPI_Recv"), "{refused}");
}

#[test]
fn persistent_requests_start_again_and_types_are_built() {
    let comm = "MPI_Comm comm=2 (MPI_COMM_WORLD)";
    let vector = "int count=3; int blocklength=2; int stride=9; MPI_Datatype oldtype=9 (MPI_INT); MPI_Datatype newtype=28 (user)";
    let message = |peer: &str| {
        format!("int count=2; MPI_Datatype datatype=28 (user); int {peer}; int tag=1; {comm}; MPI_Request request=[2]")
    };
    let (all, one) =
        ("int count=1; MPI_Request requests[1]=[2]", "MPI_Request request=[2]; MPI_Status status=<IGNORED>");
    let (sends, receives) = (message("dest=1"), message("source=0"));
    let calls = |name: &'static str, message: &str| {
        let rest = [("Startall", all), ("Wait", one), ("Wait", one), ("Start", one), ("Wait", one)];
        let mut made = vec![("Type_vector", vector.to_string()), (name, message.to_string())];
        made.extend(rest.iter().map(|(name, arguments)| (*name, (*arguments).to_string())));
        made
    };
    let (first, second) = (calls("Send_init", &sends), calls("Recv_init", &receives));
    fn refer<'a>(all: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
        all.iter().map(|(name, arguments)| (*name, arguments.as_str())).collect()
    }
    let made = texts(&[&refer(&first), &refer(&second)]).unwrap();
    let is_message = |op: &&Op| !matches!(op, Op::Sleep { .. });
    let (send, wait) = (Op::StartSend { peer: 1, tag: 1, bytes: 48 }, Op::Wait { back: 1 });
    assert_eq!(made.programs.of(0).iter().filter(is_message).collect::<Vec<_>>(), [&send, &wait, &send, &wait]);
    assert_eq!(made.programs.of(1).iter().filter(is_message).count(), 4);
}

#[test]
fn communicators_follow_their_creation() {
    let split = |color: u32, key: i32| {
        format!(
            "MPI_Comm oldcomm=2 (MPI_COMM_WORLD); int color={color}; int key={key}; MPI_Comm newcomm=4 (user-defined-comm)"
        )
    };
    let bcast = "int count=3; MPI_Datatype datatype=9 (MPI_INT); int root=1; MPI_Comm comm=4 (user-defined-comm)";
    let splits: Vec<String> = (0..4).map(|rank| split(rank % 2, -(rank as i32))).collect();
    let ranks: Vec<Vec<(&str, &str)>> =
        splits.iter().map(|split| vec![("Comm_split", split.as_str()), ("Bcast", bcast)]).collect();
    let made = texts(&ranks.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
    let members: Vec<&[u32]> = made.programs.calls.iter().map(|call| call.members.as_slice()).collect();
    assert_eq!(members, [[2, 0], [3, 1]]);
    assert_eq!(made.programs.calls[0].schedule.size_bytes, 12);
    assert_eq!(made.programs.of(2), [gap(), Op::Collective { call: 0, member: 0 }]);
    assert_eq!(made.survey.communicators, [4, 2, 2]);
    assert_eq!(made.survey.notes, ["calls that are not replayed, left out with their time: MPI_Comm_split 4"]);
    assert_eq!(made.survey.span_s, 3.0);
}

#[test]
fn what_does_not_fit_is_said() {
    let barrier = |comm: u32| format!("MPI_Comm comm={comm} (x)");
    let dup = "MPI_Comm oldcomm=2 (MPI_COMM_WORLD); MPI_Comm newcomm=4 (x)";
    let (known, unknown) = (barrier(2), barrier(5));
    for (ranks, code, words) in [
        (vec![vec![("Barrier", known.as_str())], vec![]], "NL-F021", "enters"),
        (vec![vec![("Barrier", unknown.as_str())], vec![]], "NL-F007", "run-0000.txt:2 MPI_Barrier"),
        (vec![vec![("Comm_dup", dup)], vec![]], "NL-F021", "rank 0 creates a communicator, which rank 1 does not"),
        (vec![vec![("Bcast", known.as_str())], vec![]], "NL-F010", "argument"),
        (vec![vec![("Nonsense", "")], vec![]], "NL-F013", "MPI_Nonsense"),
    ] {
        let refused = texts(&ranks.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap_err().to_string();
        assert!(refused.contains(code) && refused.contains(words), "{refused}");
    }
    let one = text(&[("Barrier", &known)]);
    let refused = read("dumpi-ascii", &[("run-0001.txt", one.as_bytes())]).unwrap_err().to_string();
    assert!(refused.contains("NL-F010") && refused.contains("rank 0 of 2"), "{refused}");
    let meta: &[u8] = b"numprocs=3\nfileprefix=run\n";
    let refused = read("dumpi", &[("run.meta", meta)]).unwrap_err().to_string();
    assert!(refused.contains("the file of rank 0 of 3 is missing: *-0000"), "{refused}");
    let cut = one.split("MPI_Barrier returning").next().unwrap();
    let refused = read("dumpi-ascii", &[("run-0000.txt", cut.as_bytes())]).unwrap_err().to_string();
    assert!(refused.contains("NL-F003"), "{refused}");
    let back = one.replace("returning at walltime 1.5", "returning at walltime 0.4");
    let refused = read("dumpi-ascii", &[("run-0000.txt", back.as_bytes())]).unwrap_err().to_string();
    assert!(refused.contains("the clock ran backwards"), "{refused}");
}

/// A binary file with a Send of each mask, and its index.
fn binary() -> Vec<u8> {
    let mut made = b"\xff\xaa\xddDUMPI".to_vec();
    made.extend(0u64.to_be_bytes());
    // MPI_Barrier on the communicator of all, with wall times.
    made.extend(52u16.to_be_bytes());
    made.push(8 | 0x40);
    made.extend(0u16.to_be_bytes());
    for (second, ns) in [(1u16, 5u32), (2, 7)] {
        made.extend(second.to_be_bytes());
        made.extend(ns.to_be_bytes());
    }
    made.extend(2u16.to_be_bytes());
    made.extend(293u16.to_be_bytes());
    let header = made.len() as u64;
    made.extend([1, 0, 0]);
    made.extend(b"\xff\xaa\xddDUMPI");
    for part in [0, 0, 0, header, 8, 0, 0] {
        made.extend(part.to_be_bytes());
    }
    made
}

#[test]
fn a_binary_file_is_read() {
    let bytes = binary();
    let made = read("dumpi", &[("any.bin", &bytes)]).unwrap();
    assert_eq!(made.programs.of(0), [Op::Collective { call: 0, member: 0 }]);
    assert_eq!(made.survey.calls["barrier"].seconds, 1.000000002);
    let refused = read("dumpi", &[("any.bin", &bytes[..bytes.len() - 9])]).unwrap_err().to_string();
    assert!(refused.contains("is cut: the index at its end is missing"), "{refused}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_change_is_read_or_refused(changes in proptest::collection::vec((0usize..200, any::<u8>()), 1..6), cut in 0usize..200) {
        let mut bytes = binary();
        for (at, byte) in changes {
            let length = bytes.len();
            bytes[at % length] = byte;
        }
        bytes.truncate(bytes.len() - cut % 3);
        let _ = read("dumpi", &[("any-0000.bin", &bytes)]);
        let _ = read("dumpi-ascii", &[("any-0000.bin", &bytes)]);
    }
}

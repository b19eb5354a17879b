use super::{Hierarchy, read};

const EPYC: &str = include_str!("../../../../tests/data/hwloc/two_sockets.xml");

fn counts(text: &str) -> ([u32; 4], Option<u32>) {
    let found = read(text.as_bytes(), "f", "").unwrap_or_else(|faults| panic!("{faults}"));
    (alike(&found), found.nodes)
}

/// The counts of a node whose units are alike.
fn alike(found: &Hierarchy) -> [u32; 4] {
    assert!(found.counts.iter().all(|own| own.len() == 1), "{:?}", found.counts);
    [0, 1, 2, 3].map(|level: usize| found.counts[level][0])
}

fn said(text: &str) -> String {
    let faults = read(text.as_bytes(), "f", "").unwrap_err();
    assert_eq!(faults.0.len(), 1, "{faults}");
    faults.0[0].to_string()
}

#[test]
fn the_three_forms_agree() {
    assert_eq!(counts(EPYC), ([2, 4, 2, 8], None));
    assert_eq!(counts("package:2 numa:4 l3:2 core:8 pu:1"), ([2, 4, 2, 8], None));
    assert_eq!(counts("16,2,4,2,8"), ([2, 4, 2, 8], Some(16)));
    assert_eq!(counts("16,2,2,8\n"), ([2, 2, 1, 8], Some(16)));
    assert_eq!(counts("pack:2(attr=1 x) [numa] die:2 l3:1(size=32MB) l2:4 core:1 pu:2"), ([2, 1, 2, 4], None));
    assert_eq!(counts("pu:8"), ([1, 1, 1, 8], None));
}

/// The file that `lstopo` writes of a synthetic string: `(kind, units in each around)`, where `NUMANode` is memory attached
/// to the level before.
fn file(levels: &[(&str, u32)]) -> String {
    fn put(levels: &[(&str, u32)], around: &str, next: &mut u32, out: &mut String) {
        let Some(((kind, number), mut inside)) = levels.split_first().map(|(one, rest)| (*one, rest)) else { return };
        for _ in 0..number {
            let mut nodes = around.to_string();
            let mut memory = String::new();
            while inside.first().is_some_and(|level| level.0 == "NUMANode") {
                *next += 1;
                nodes = format!("0x{next:x}");
                memory += &format!("<object type=\"NUMANode\" nodeset=\"{nodes}\"/>");
                inside = &inside[1..];
            }
            *out += &format!("<object type=\"{kind}\" nodeset=\"{nodes}\">{memory}");
            put(inside, &nodes, next, out);
            *out += "</object>";
            inside = levels.split_first().map_or(&[], |one| one.1);
        }
    }
    let mut out = String::new();
    put(levels, "0xffffffff", &mut 0, &mut out);
    format!("<topology version=\"2.0\">{out}</topology>")
}

/// A string, the levels of its file, and its counts.
type Case = (&'static str, Vec<(&'static str, u32)>, [u32; 4]);

/// A string and the file that hwloc makes of it, as `lstopo -i STRING --of xml` of hwloc 2.9 lays it out.
#[test]
fn a_string_and_its_file_are_one_node() {
    let (machine, memory) = (("Machine", 1), ("NUMANode", 1));
    let cases: &[Case] = &[
        ("package:4 core:8 pu:1", vec![machine, memory, ("Package", 4), ("Core", 8), ("PU", 1)], [4, 1, 1, 8]),
        (
            "numa:4 package:2 core:4 pu:1",
            vec![machine, ("Group", 4), memory, ("Package", 2), ("Core", 4), ("PU", 1)],
            [8, 1, 1, 4],
        ),
        (
            "package:2 l3:2 l2:4 core:1 pu:2",
            vec![machine, memory, ("Package", 2), ("L3Cache", 2), ("L2Cache", 4), ("Core", 1), ("PU", 2)],
            [2, 1, 2, 4],
        ),
        (
            "package:1 die:2 l3:2 l2:4 core:1 pu:2",
            vec![machine, ("Package", 1), memory, ("Die", 2), ("L3Cache", 2), ("L2Cache", 4), ("Core", 1), ("PU", 2)],
            [1, 1, 4, 4],
        ),
        (
            "package:1 l3:1 l2:4 core:2 pu:2",
            vec![machine, ("Package", 1), memory, ("L3Cache", 1), ("L2Cache", 4), ("Core", 2), ("PU", 2)],
            [1, 1, 4, 2],
        ),
        (
            "l3:1 package:2 core:4 pu:1",
            vec![machine, ("L3Cache", 1), memory, ("Package", 2), ("Core", 4), ("PU", 1)],
            [2, 1, 1, 4],
        ),
        (
            "Package:2 L3Cache:2(size=16777216) L2Cache:2(size=4194304) [NUMANode(memory=8 indexes=0)] Core:4 PU:2",
            vec![machine, ("Package", 2), ("L3Cache", 2), ("L2Cache", 2), memory, ("Core", 4), ("PU", 2)],
            [2, 4, 1, 4],
        ),
        (
            "Package:2 [NUMANode(memory=8)] [NUMANode] L3Cache:1 L2Cache:8 L1dCache:1(size=49152) L1iCache:1 Core:1 PU:2",
            vec![
                machine,
                ("Package", 2),
                memory,
                memory,
                ("L3Cache", 1),
                ("L2Cache", 8),
                ("L1Cache", 1),
                ("L1iCache", 1),
                ("Core", 1),
                ("PU", 2),
            ],
            [2, 1, 1, 8],
        ),
        ("[NUMANode] Group:2 Core:4 PU:1", vec![machine, memory, ("Group", 2), ("Core", 4), ("PU", 1)], [1, 1, 1, 8]),
        ("pu:8", vec![machine, memory, ("PU", 8)], [1, 1, 1, 8]),
    ];
    for (text, levels, expected) in cases {
        assert_eq!(counts(text).0, *expected, "{text}");
        assert_eq!(counts(&file(levels)).0, *expected, "file of {text}");
    }
}

#[test]
fn levels_that_are_none_are_said() {
    let notes = |text: &str| read(text.as_bytes(), "f", "").unwrap().notes;
    assert_eq!(notes("numa:4 package:2 core:4"), ["numa are not inside the level around them, and are left out"]);
    assert_eq!(
        notes("package:2 die:2 core:4"),
        ["4 dies or groups have no memory of their own, and are left out; --insert adds a level for them"]
    );
    // One unit of the whole node, dies that are caches, and private caches are no loss.
    for text in ["package:2 core:4", "[numa] package:2 die:2 l3:1 core:4", "l3:1 package:2 l2:4 core:1"] {
        assert!(notes(text).is_empty(), "{text}: {:?}", notes(text));
    }
}

#[test]
fn units_that_differ_have_a_count_each() {
    let cut = EPYC.replacen("type=\"Core\"", "type=\"Misc\"", 1);
    let found = read(cut.as_bytes(), "f", "").unwrap();
    assert_eq!(found.counts[..3], [vec![2], vec![4], vec![2]]);
    assert_eq!(found.counts[3], [[7].as_slice(), &[8; 15]].concat());
    assert_eq!(found.seats(), 127);
    let none = said(&EPYC.replace("type=\"Core\"", "type=\"Misc\"").replace("type=\"PU\"", "type=\"Misc\""));
    assert!(none.starts_with("NL-F010"), "{none}");
}

#[test]
fn cores_that_may_not_be_used_are_said() {
    let full = "0xffffffff,0xffffffff,0xffffffff,0xffffffff\"";
    let allowed = |set: &str| {
        EPYC.replace(&format!("allowed_cpuset={}", &format!("\"{full}")), &format!("allowed_cpuset=\"{set}\""))
    };
    // CPU 3 of 128, and then one of the highest word.
    for (set, closed, cache) in [
        ("0xffffffff,0xffffffff,0xffffffff,0xfffffff7", 3, 0),
        ("0x7fffffff,0xffffffff,0xffffffff,0xffffffff", 127, 15),
    ] {
        let found = read(allowed(set).as_bytes(), "f", "").unwrap();
        assert_eq!((&found.closed, found.cpus.len(), found.counts[3][cache]), (&vec![closed], 127, 7));
        assert!(!found.cpus.contains(&closed) && !found.usable.contains(&closed));
        let note = format!("CPU {closed} is offline or not allowed; 1 cores have no other CPU, and are left out");
        assert!(found.notes[0].starts_with(&note), "{:?}", found.notes);
    }
    let none = said(&allowed("0x0,0x0,0x0,0x0"));
    assert!(none.contains("lists no core that may be used"), "{none}");
    // A CPU that is not among the objects of the file.
    let more = EPYC.replacen(&format!("complete_cpuset=\"{full}"), &format!("complete_cpuset=\"0x00000002,{full}"), 1);
    let found = read(more.as_bytes(), "f", "").unwrap();
    assert_eq!(found.closed, [129]);
    assert!(found.notes.iter().any(|note| note.starts_with("CPU 129 is offline")), "{:?}", found.notes);
    let whole = read(EPYC.as_bytes(), "f", "").unwrap();
    assert!(whole.notes.is_empty() && whole.closed.is_empty());
    // Of one core each, in the order of the file.
    assert_eq!((whole.cpus.len(), whole.usable), (128, (0..128).collect()));
    assert!(read(b"16,2,2,8", "f", "").unwrap().cpus.is_empty());
}

#[test]
fn bad_text_is_one_line() {
    for (text, code) in [
        ("16,0,2", "NL-F009"),
        ("16,2,x", "NL-F009"),
        ("16", "NL-F003"),
        ("1,2,3,4,5,6", "NL-F003"),
        ("99999,99999", "NL-F001"),
        ("99999999999999999999,2", "NL-F009"),
        ("rack:2 core:4", "NL-F003"),
        ("core:4 package:2", "NL-F013"),
        ("core:x", "NL-F009"),
        ("core:4 numa:2", "NL-F013"),
        ("l6:2 core:4", "NL-F003"),
        ("l3x:2 core:4", "NL-F003"),
        ("package:2 [core] core:4", "NL-F003"),
        ("package:65536 core:65536 pu:1", "NL-F001"),
        ("<a/>", "NL-F003"),
        ("<topology version=\"2.0\"></topology>", "NL-F010"),
        ("<!DOCTYPE t [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><topology>&b;</topology>", "NL-F013"),
        (&EPYC[..EPYC.len() / 2], "NL-F003"),
    ] {
        let text = said(text);
        assert!(text.starts_with(code), "{text}");
    }
    let deep = "<object>".repeat(1 << 16);
    assert!(said(&format!("<topology>{deep}")).starts_with("NL-F005"));
}

#[test]
fn a_file_cut_at_any_byte_is_read_or_refused() {
    for end in (0..EPYC.len()).step_by(97) {
        assert!(read(&EPYC.as_bytes()[..end], "f", "").is_err());
    }
}

const NODES: &str = "NodeName=cn001 Arch=x86_64 CoresPerSocket=64 \n   CPUAlloc=0 CPUEfctv=256 CPUTot=256 CPULoad=0.00\n   \
    Gres=gpu:a100:4(S:0-1)\n   OS=Linux 5.14.0 #1 SMP\n   RealMemory=515000 AllocMem=0 FreeMem=1 Sockets=2 Boards=1\n   \
    State=IDLE ThreadsPerCore=2 TmpDisk=0\n\nNodeName=cn002 CoresPerSocket=64 Sockets=2 ThreadsPerCore=2 Gres=gpu:a100:4\n\n\
    NodeName=fat1 CoresPerSocket=24 Sockets=4 ThreadsPerCore=1 Gres=(null)\n";

#[test]
fn nodes_of_slurm_must_be_alike_or_be_named() {
    let text = said(NODES);
    let nodes = "2 have 2 sockets of 64 cores (2 threads each) and 4 GPUs, 1 has 4 sockets of 24 cores";
    assert!(text.starts_with(&format!("NL-F018 f: nodes differ: {nodes}")), "{text}");
    assert!(text.contains("cn[001-002]") && text.contains("fat1"), "{text}");
    let found = read(NODES.as_bytes(), "f", "cn[001-002]").unwrap();
    assert_eq!((found.nodes, alike(&found), found.gpus), (Some(2), [2, 1, 1, 64], false));
    assert_eq!(
        found.notes,
        ["2 hardware threads of a core are one place for a rank", "4 GPUs on a node: node(gpus=4) has a rank on each"]
    );
    assert_eq!(alike(&read(NODES.as_bytes(), "f", "fat1").unwrap()), [4, 1, 1, 24]);
    assert!(read(NODES.as_bytes(), "f", "cn003").unwrap_err().to_string().starts_with("NL-F007"));
    assert!(read(NODES.as_bytes(), "f", "cn[").unwrap_err().to_string().starts_with("NL-F015"));
    assert!(read(b"16,2,8", "f", "cn1").unwrap_err().to_string().starts_with("NL-F013"));
    assert!(said("NodeName=a Sockets=2 CoresPerSocket=x").starts_with("NL-F009"));
    assert!(said("NodeName=a Sockets=2").starts_with("NL-F010"));
}

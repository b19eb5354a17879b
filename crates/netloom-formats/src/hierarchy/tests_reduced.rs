//! Machines of which less is used than there is: reserved cores, cgroups, offline cores; and files of hwloc 1.

use super::{Hierarchy, read};

fn found(text: &str) -> Hierarchy {
    read(text.as_bytes(), "f", "").unwrap_or_else(|faults| panic!("{faults}"))
}

fn said(text: &str) -> String {
    read(text.as_bytes(), "f", "").unwrap_err().to_string()
}

/// The cores of each socket, and the notes.
fn cores(words: &str) -> (Vec<u32>, Vec<String>) {
    let node = found(&format!("NodeName=a Sockets=2 CoresPerSocket=16 {words}"));
    (node.counts[3].clone(), node.notes)
}

#[test]
fn reserved_cores_get_no_ranks() {
    for (words, left, note) in [
        (
            "CPUTot=32 CPUEfctv=30 CoreSpecCount=2 CPUSpecList=15,31",
            vec![15],
            "2 of the 32 cores of a node are reserved (CPUSpecList)",
        ),
        ("CPUTot=32 CPUEfctv=30 CoreSpecCount=2", vec![15], "2 of the 32 cores of a node are reserved (CoreSpecCount)"),
        ("CoreSpecCount=1", vec![16, 15], "1 of the 32 cores"),
        ("CoreSpecCount=3", vec![15, 14], "3 of the 32 cores"),
        ("CPUSpecList=0-1", vec![14, 16], "2 of the 32 cores"),
        ("CPUTot=32 CPUEfctv=28", vec![14], "4 of the 32 cores of a node are reserved (CPUEfctv)"),
        // Two threads: a core whose thread is reserved is.
        ("ThreadsPerCore=2 CPUTot=64 CPUEfctv=60 CPUSpecList=30-31,62", vec![15], "2 of the 32 cores"),
        ("ThreadsPerCore=2 CPUTot=64 CPUEfctv=56 CoreSpecCount=4", vec![14], "4 of the 32 cores"),
        // Slurm was told that a CPU is a core.
        ("ThreadsPerCore=2 CPUTot=32 CPUEfctv=30 CoreSpecCount=2", vec![15], "2 of the 32 cores"),
        ("CPUTot=32 CPUEfctv=28 CPUSpecList=15,31", vec![15], "by CPUEfctv it would be 4"),
    ] {
        let (counts, notes) = cores(words);
        assert_eq!(counts, left, "{words}");
        assert!(notes[0].contains(note), "{words}: {notes:?}");
    }
    for words in ["CoreSpecCount=0 CPUTot=32 CPUEfctv=32", "CPUSpecList=(null)", "CPUTot=32"] {
        assert_eq!(cores(words), (vec![16], vec![]), "{words}");
    }
    let bad = |words: &str| said(&format!("NodeName=a Sockets=2 CoresPerSocket=16 {words}"));
    assert!(bad("CPUSpecList=32").contains("CPUSpecList has CPU 32, which is not there"));
    assert!(bad("CPUSpecList=x").contains("no list of CPUs"));
    assert!(bad("CPUSpecList=4294967295-4294967295").contains("not there"));
    assert!(bad("CoreSpecCount=32").contains("leaves no core"));
    assert!(bad("CPUTot=33").contains("33 CPUs are not those of 2 sockets of 16 cores"));
    // A whole socket for the system.
    assert_eq!(found("NodeName=a Sockets=2 CoresPerSocket=4 CPUSpecList=0-3").counts[0], [1]);
}

#[test]
fn nodes_with_other_reserved_cores_are_not_alike() {
    let one = "NodeName=a[1-2] Sockets=2 CoresPerSocket=4\n";
    let text = said(&format!("{one}NodeName=b Sockets=2 CoresPerSocket=4 CoreSpecCount=1\n"));
    assert!(text.contains("2 have 2 sockets of 4 cores, 1 has 1 sockets of 3 and 1 sockets of 4 cores"), "{text}");
    assert_eq!(found(one).nodes, Some(2));
    // As many cores, reserved in another way.
    let same = "NodeName=a Sockets=2 CoresPerSocket=4 CoreSpecCount=2\nNodeName=b Sockets=2 CoresPerSocket=4 CPUSpecList=3,7\n";
    assert_eq!((found(same).nodes, found(same).counts[3].clone()), (Some(2), vec![3]));
    // A hint that can be followed, however long the list of nodes is.
    let odd: String = (1..80).map(|n| format!("NodeName=n{} Sockets=2 CoresPerSocket=4\n", n * n)).collect();
    let text = odd + "NodeName=fat Sockets=4 CoresPerSocket=4\n";
    assert!(said(&text).contains("--nodes 'n1' or 'fat'"), "{}", said(&text));
    assert_eq!(read(text.as_bytes(), "f", "n1").unwrap().counts[0], [2]);
}

#[test]
fn the_lines_of_slurm_conf_are_read() {
    let conf = "ClusterName=c\n# nodes\nNodeName=DEFAULT Sockets=2 CoresPerSocket=8 \\\n  ThreadsPerCore=2\n\
        NodeName=n[01-03] Gres=gpu:2,tmp:1 State=UNKNOWN # CoreSpecCount=7\nnodename=n04 Gres=gpu:2\n\
        PartitionName=all Nodes=n[01-04] Default=YES\n";
    let node = found(conf);
    assert_eq!((node.nodes, node.counts), (Some(4), [vec![2], vec![1], vec![1], vec![8]]));
    assert!(node.notes.contains(&"2 GPUs on a node: node(gpus=2) has a rank on each".to_string()), "{:?}", node.notes);
    assert_eq!(read(conf.as_bytes(), "f", "n[01,04]").unwrap().nodes, Some(2));
    assert_eq!(found("NodeName=x CPUs=64 CoresPerSocket=16 ThreadsPerCore=2").counts[0], [2]);
    assert_eq!(found("NodeName=x Boards=2 SocketsPerBoard=2 CoresPerSocket=16").counts[0], [4]);
}

#[test]
fn gpus_are_counted_in_all_their_spellings() {
    for (gres, gpus) in [
        ("gpu:4", "4 GPUs"),
        ("gpu:a100:4(S:0-1)", "4 GPUs"),
        ("gpu:a100:2(S:0,1),gpu:h100:2,nic:1", "4 GPUs"),
        ("gpu", "1 GPUs"),
        ("gpu:tesla", "1 GPUs"),
    ] {
        let notes = cores(&format!("Gres={gres}")).1;
        assert!(notes[0].starts_with(gpus), "{gres}: {notes:?}");
    }
    assert!(cores("Gres=(null)").1.is_empty() && cores("Gres=gpumem:4").1.is_empty());
}

#[test]
fn nodes_that_take_no_jobs_are_said() {
    let text = |state: &str| {
        format!("NodeName=a[1-3] Sockets=1 CoresPerSocket=2\nNodeName=b Sockets=1 CoresPerSocket=2 State={state}")
    };
    for state in ["DOWN*", "IDLE+DRAIN", "DRAINED", "down", "IDLE*", "MIXED+FAIL"] {
        let notes = found(&text(state)).notes;
        assert_eq!(notes, ["1 of the 4 nodes take no jobs by their State: b"], "{state}");
    }
    for state in ["IDLE", "MIXED+PLANNED", "UNKNOWN", "ALLOCATED"] {
        assert!(found(&text(state)).notes.is_empty(), "{state}");
    }
}

/// Two sockets in a NUMA node each, with two caches of level 3 of two cores of one CPU.
fn old(sets: &str) -> String {
    let mut out = format!("<topology><object type=\"Machine\" {sets}>");
    for socket in 0..2 {
        let nodes = format!("nodeset=\"0x{}\"", 1 << socket);
        out += &format!("<object type=\"NUMANode\" {nodes}><object type=\"Socket\" {nodes}>");
        for cache in 0..2 {
            out += &format!("<object type=\"Cache\" depth=\"3\" cache_type=\"0\" {nodes}>");
            for core in 0..2 {
                let cpu = 1 << (4 * socket + 2 * cache + core);
                let own = format!("{nodes} cpuset=\"0x{cpu:08x}\"");
                out += &format!(
                    "<object type=\"Cache\" depth=\"1\" cache_type=\"2\" {nodes}><object type=\"Core\" {own}>"
                );
                out += &format!("<object type=\"PU\" {own}/></object></object>");
            }
            out += "</object>";
        }
        out += "</object></object>";
    }
    out + "</object></topology>"
}

#[test]
fn files_of_hwloc_1_have_sockets_and_caches() {
    let node = found(&old("cpuset=\"0xff\""));
    assert_eq!((node.counts, node.cpus.len()), ([vec![2], vec![1], vec![2], vec![2]], 8));
    assert!(node.notes.is_empty(), "{:?}", node.notes);
    // Allowed, but offline.
    let node = found(&old("cpuset=\"0xff\" complete_cpuset=\"0xff\" allowed_cpuset=\"0xff\" online_cpuset=\"0x7f\""));
    assert_eq!((node.counts[3].clone(), node.closed), (vec![2, 2, 2, 1], vec![7]));
    assert!(said(&old("").replace("<topology>", "<topology version=\"3.0\">")).contains("version \"3.0\""));
    assert!(said("<graphs version=\"1\"/>").contains("NCCL_TOPO_DUMP_FILE"));
    let two =
        "<topology><object type=\"System\"><object type=\"Machine\"/><object type=\"Machine\"/></object></topology>";
    assert!(said(two).contains("several machines"));
}

#[test]
fn a_socket_with_fewer_cores_has_fewer_seats() {
    let core = |cpu: u32| format!("<object type=\"Core\" cpuset=\"0x{:08x}\"/>", 1u32 << cpu);
    let package = |cpus: std::ops::Range<u32>| {
        let nodes = format!("nodeset=\"0x{}\"", cpus.start);
        let all: String = cpus.map(core).collect();
        format!("<object type=\"Package\" {nodes}><object type=\"NUMANode\" {nodes}/>{all}</object>")
    };
    let machine = |sets: &str, inside: &str| {
        format!("<topology version=\"2.0\"><object type=\"Machine\" {sets}>{inside}</object></topology>")
    };
    let both = package(1..5) + &package(5..8);
    let node = found(&machine("", &both));
    assert_eq!((&node.counts, node.seats()), (&[vec![2], vec![1], vec![1], vec![4, 3]], 7));
    // A cgroup with the cores 1, 2 and 5: the file may list all of them, or only these.
    let sets = |all: &str| format!("cpuset=\"{all}\" complete_cpuset=\"0xfe\" allowed_cpuset=\"0x26\"");
    let few = package(1..3) + &package(5..6);
    for text in [machine(&sets("0xfe"), &both), machine(&sets("0x26"), &few)] {
        let node = found(&text);
        assert_eq!((&node.counts[3], &node.cpus, &node.usable), (&vec![2, 1], &vec![1, 2, 5], &vec![1, 2, 5]));
        assert_eq!(node.closed, [3, 4, 6, 7]);
        assert!(node.notes[0].starts_with("CPU 3 and 3 more is offline or not allowed"), "{:?}", node.notes);
    }
}

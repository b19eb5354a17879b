use netloom_model::{Call, Mapping, Network};

use crate::fixtures::{fat_tree_4x2, line, mesh_2x3x2, tree_3x2};
use crate::host_names;

pub fn write(network: &Network, endpoints: &[u32], format: &str) -> String {
    let mapping = Mapping::new(endpoints.to_vec(), network).unwrap();
    match crate::write(&mapping, &Call::parse(format).unwrap(), network) {
        Ok(bytes) => String::from_utf8(bytes).unwrap(),
        Err(faults) => faults.to_string(),
    }
}

pub fn read(network: &Network, text: &str, format: &str) -> String {
    match crate::read::<Mapping>(text.as_bytes(), "f", Some(&Call::parse(format).unwrap()), network) {
        Ok(mapping) => format!("{:?}", mapping.endpoints()),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn hosts_are_named_by_file_or_pattern() {
    assert_eq!(host_names(&tree_3x2(), "", 1).unwrap()[5], "n06");
    assert_eq!(host_names(&line(2), "", 1).unwrap(), ["node0001", "node0002", "node0003", "node0004"]);
    assert_eq!(host_names(&line(2), "r{7}-x", 2).unwrap(), ["r7-x", "r8-x"]);
    assert_eq!(host_names(&line(2), "c{098}", 1).unwrap()[2], "c100");
    for bad in ["node", "n{}", "n{a}", "n{1", "a b{1}", "a\n{1}", "{9999999999}", "-{1}", "n=$(x){1}"] {
        assert_eq!(host_names(&line(2), bad, 1).unwrap_err().0[0].code, "NL-F014", "{bad}");
    }
}

#[test]
fn each_format_as_its_launcher_takes_it() {
    let network = tree_3x2();
    let order = [5, 0, 3];
    assert_eq!(write(&network, &order, "rankfile"), "rank 0=n06 slot=0\nrank 1=n01 slot=0\nrank 2=n04 slot=0\n");
    assert_eq!(write(&network, &order, "slurm-arbitrary"), "n06\nn01\nn04\n");
    assert_eq!(write(&network, &order, "machinefile"), "n06:1\nn01:1\nn04:1\n");
    assert_eq!(write(&network, &order, "plain"), "5\n0\n3\n");
    assert_eq!(
        write(&network, &order, "csv"),
        "rank,endpoint,host,slot,switch\n0,5,n06,0,2\n1,0,n01,0,0\n2,3,n04,0,1\n"
    );
    let cray = "# MPICH_RANK_REORDER_METHOD=3; hosts in this order: n[01,04,06]\n1\n2\n0\n";
    assert_eq!(write(&network, &order, "cray"), cray);
    assert_eq!(read(&network, cray, "cray"), format!("{order:?}"));
}

#[test]
fn slots_of_a_file_keep_its_names() {
    let text = b"SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n3\nSwitchName=c Switches=a,b\n";
    let read =
        |format: &str| crate::read::<Network>(text, "f", Some(&Call::parse(format).unwrap()), ()).map(|r| r.network);
    let network = read("slurm(slots=2)").unwrap();
    assert_eq!((network.endpoint_switch(), network.seats()), (&[0, 0, 1][..], 2));
    // As in a search: every seat is an endpoint.
    let network = network.with_slots(2).unwrap();
    assert_eq!(network.endpoint_switch(), [0, 0, 0, 0, 1, 1]);
    assert_eq!((network.endpoint_name(3), network.endpoints_of(1)), ("n2:1".into(), &[4, 5][..]));
    let order = [5, 4, 0, 1];
    let rankfile = "rank 0=n3 slot=1\nrank 1=n3 slot=0\nrank 2=n1 slot=0\nrank 3=n1 slot=1\n";
    assert_eq!(write(&network, &order, "rankfile"), rankfile);
    assert_eq!(write(&network, &order, "rankfile(slots=2)"), rankfile);
    assert_eq!(self::read(&network, rankfile, "rankfile"), "[5, 4, 0, 1]");
    assert_eq!(write(&network, &[4, 5, 0], "slurm-arbitrary"), "n3\nn3\nn1\n");
    // Other slots than the file was read with would name hosts that do not exist.
    assert!(write(&network, &order, "rankfile(slots=3)").starts_with("NL-F014"));
    assert!(write(&read("slurm").unwrap(), &[0, 1], "rankfile(slots=2)").starts_with("NL-F014"));
    assert_eq!(write(&read("slurm").unwrap(), &[0], "rankfile(\"x{1}\",slots=2)"), "rank 0=x1 slot=0\n");
    for bad in ["slurm(slots=0)", "slurm(slots=65537)"] {
        assert_eq!(read(bad).unwrap_err().0[0].code, "NL-A007", "{bad}");
    }
    let many = b"SwitchName=a Nodes=n[1-1000]\n";
    let faults = crate::read::<Network>(many, "f", Some(&Call::parse("slurm(slots=65536)").unwrap()), ()).unwrap_err();
    assert_eq!(faults.0[0].code, "NL-A009");
}

#[test]
fn slots_gather_endpoints_into_hosts() {
    let network = fat_tree_4x2();
    let order = [2, 3, 0, 1, 4];
    let rankfile = "rank 0=node0002 slot=0\nrank 1=node0002 slot=1\nrank 2=node0001 slot=0\nrank 3=node0001 slot=1\nrank \
                    4=node0003 slot=0\n";
    assert_eq!(write(&network, &order, "rankfile(slots=2)"), rankfile);
    assert_eq!(read(&network, rankfile, "rankfile(slots=2)"), "[2, 3, 0, 1, 4]");
    let hostfile = write(&network, &order, "hostfile(slots=2)");
    assert_eq!(hostfile, "node0002:2\nnode0001:2\nnode0003:1\n");
    assert_eq!(read(&network, &hostfile, "hostfile(slots=2)"), "[2, 3, 0, 1, 4]");
    assert!(write(&network, &order, "cray(slots=2)").ends_with("node[0001-0003]\n2,3\n0,1\n4\n"));
    assert!(write(&network, &[3, 2], "slurm-arbitrary(slots=2)").starts_with("NL-F018"));
    assert!(write(&network, &[0, 2, 3], "cray(slots=2)").contains("host node0001 has 1 ranks, not 2"));
    // The second slot of a host before its first: a rank file can express it, and so can a list of ranks per node in
    // order.
    assert!(write(&network, &[1, 0], "cray(slots=2)").ends_with("1,0\n"));
}

#[test]
fn blue_gene_coordinates() {
    let network = mesh_2x3x2();
    assert_eq!(write(&network, &[0, 23, 3], "bgq"), "0 0 0 0\n1 2 1 1\n0 0 1 1\n");
    assert!(
        write(&line(3), &[0], "bgq").starts_with("NL-F018 bgq: needs a torus or mesh of 5 or 3 dimensions; line_3")
    );
    assert!(
        read(&network, "0 0 0 0\n0 3 0 0\n", "bgq")
            .contains("NL-F009 f:2:1 line must be 3 coordinates below [2, 3, 2]")
    );
    assert!(read(&network, "0 0 0 2\n", "bgq").contains("NL-F009"));
    assert!(read(&network, "0 0 0\n", "bgq").contains("NL-F009"));
}

#[test]
fn faults_name_line_value_and_remedy() {
    let network = tree_3x2();
    let cases = [
        ("rankfile", "rank 0=n01 slot=0\nrank 2=n02 slot=0\n", "NL-F019 f:2:1: rank 1 is missing"),
        ("rankfile", "rank 0=n01 slot=0\nrank 0=n02 slot=0\n", "NL-F019 f:2:1: rank 0 is repeated"),
        (
            "rankfile",
            "rank 0=n01 slot=0\nrank 1=n01 slot=0\n",
            "NL-M002 f:2:1: slot 0 of n01 already has rank 0, from line 1",
        ),
        ("rankfile", "rank 0=m01 slot=0\n", "NL-F007 f:1:1 host must be a host of the network, got \"m01\""),
        ("rankfile", "rank 0=n01 slot=1\n", "NL-F009 f:1:1 slot of n01 must be below 1"),
        ("rankfile", "rank 0=n01 slot=0:1\n", "NL-F009 f:1:1 rank and slot must be one number each"),
        ("rankfile", "rank 0 n01\n", "NL-F003 f:1:1 line must be rank R=HOST slot=S"),
        ("rankfile", "", "NL-F004"),
        ("slurm-arbitrary", "n01\nn02 n03\n", "NL-F003 f:2:1"),
        ("slurm-arbitrary", "n01\nn01\n", "NL-F009 f:2:1 slot of n01"),
        ("hostfile", "n01:999999999999\n", "NL-F009 f:1:1 line must be host:count"),
        ("hostfile", "n01:-1\n", "NL-F009"),
        ("csv", "a,b\n0,0\n", "NL-F010 f:1:1: the first line must name"),
        ("csv", "\nrank;endpoint\n0;0\n", "with commas between them, got \"rank;endpoint\""),
        ("csv", "\n", "NL-F004 f: the file names no rank"),
        ("csv", "rank,endpoint\n1,2\n0,2\n", "NL-M002 f:2:1: endpoint 2 already has rank 0, from line 3"),
        (
            "csv(cores=2)",
            "rank,endpoint,slot\n0,1,1\n1,1,1\n",
            "NL-M002 f:3:1: slot 1 of endpoint 1 already has rank 0",
        ),
        ("csv", "Rank,Endpoint\n0,3\n", "[3]"),
        ("csv", "rank,endpoint\n0,x\n", "NL-F009 f:2:1 rank and endpoint must be integers from 0"),
        ("csv", "endpoint,rank\n4,0\n", "[4]"),
        ("plain", "0\n6\n", "NL-M001 f:2:1 endpoint must be an integer in 0..5, got \"6\""),
        ("plain", "0 1 2 3 4 5 0\n", "NL-M003"),
        ("plain", "-1\n", "NL-F009 f:1:1 endpoint must be an integer in 0..5, got \"-1\""),
    ];
    for (format, text, want) in cases {
        let got = read(&network, text, format);
        assert!(got.contains(want), "{format} {text}\n  {got}\n  wanted {want}");
    }
}

#[test]
fn lists_of_cores_are_the_same_on_every_host() {
    let network = fat_tree_4x2();
    // Both hosts have their first rank on slot 1.
    let alike = [1, 0, 3, 2];
    let cases = [
        ("map-cpu(slots=2)", "--cpu-bind=map_cpu:1,0\n"),
        ("map-cpu(slots=2,cpus=[8,40])", "--cpu-bind=map_cpu:40,8\n"),
        ("mask-cpu(slots=2)", "--cpu-bind=mask_cpu:0x2,0x1\n"),
        ("mask-cpu(slots=2,cpus=[6,67])", "--cpu-bind=mask_cpu:0x80000000000000000,0x40\n"),
        ("hydra-bind(slots=2)", "-bind-to user:1,0\n"),
        ("intel-pin(slots=2)", "I_MPI_PIN_PROCESSOR_LIST=1,0\n"),
        ("likwid-pin(slots=2)", "-pin N:1_N:0\n"),
        ("pe-list(slots=2)", "--map-by pe-list=1,0:ordered\n"),
    ];
    for (format, expected) in cases {
        assert_eq!(write(&network, &alike, format), expected, "{format}");
    }
    // The second host the other way round.
    let refused = write(&network, &[1, 0, 2, 3], "map-cpu(slots=2)");
    assert!(refused.starts_with("NL-F018") && refused.contains("one list for all hosts"), "{refused}");
    // Ranks 0 and 2 on one host: the list is the same, but hosts are not filled.
    let crossed = [1, 3, 0, 2];
    assert_eq!(write(&network, &crossed, "map-cpu(slots=2,hosts=elsewhere)"), "--cpu-bind=map_cpu:1,0\n");
    for filled in ["pe-list(slots=2)", "likwid-pin(slots=2)"] {
        assert!(write(&network, &crossed, filled).starts_with("NL-F018"), "{filled}");
        assert!(write(&network, &[2, 3, 0, 1], filled).starts_with("NL-F018"), "{filled}");
    }
    // Where the cores are listed elsewhere, hosts are enough.
    assert!(write(&network, &crossed, "slurm-arbitrary(slots=2)").starts_with("NL-F018"));
    let hosts = "node0001\nnode0002\nnode0001\nnode0002\n";
    assert_eq!(write(&network, &crossed, "slurm-arbitrary(slots=2,bind=elsewhere)"), hosts);
    for bad in ["map-cpu(slots=2,cpus=[1])", "map-cpu(slots=2,cpus=[1,1])", "map-cpu(slots=2,cpus=[-1,0])"] {
        assert!(write(&network, &alike, bad).starts_with("NL-A007"), "{bad}");
    }
}

/// The examples of Flux RFC 34, and where no block repeats.
#[test]
fn task_maps_of_flux() {
    let network = fat_tree_4x2();
    let map = |endpoints: &[u32]| write(&network, endpoints, "flux-taskmap(slots=2)");
    assert_eq!(map(&[0, 1, 2, 3, 4, 5, 6, 7]), "[[0,4,2,1]]\n");
    assert_eq!(map(&[0, 2, 4, 6, 1, 3, 5, 7]), "[[0,4,1,2]]\n");
    assert_eq!(map(&[2, 3, 0, 1, 4]), "[[1,1,2,1],[0,1,2,1],[2,1,1,1]]\n");
    // Nodes are those of the allocation, which has two here.
    assert_eq!(map(&[2, 6, 3, 7]), "[[0,2,1,2]]\n");
    // The shell starts 3 ranks on two nodes as 2 and 1, and 10 on three as 4, 3, 3: the map must say so too.
    let refused = map(&[4, 5, 2, 3, 0]);
    assert!(refused.starts_with("NL-F018 flux-taskmap: node0001 has 1 rank(s) and Flux starts 2 there"), "{refused}");
    assert!(write(&network, &[0, 1, 2, 3, 4, 5], "flux-taskmap(slots=4)").starts_with("NL-F018"));
}

#[test]
fn distributions_of_slurm_where_they_exist() {
    let network = fat_tree_4x2();
    let word = |endpoints: &[u32]| write(&network, endpoints, "slurm-distribution(slots=4)");
    assert_eq!(word(&[0, 1, 2, 3, 4, 5, 6, 7]), "--distribution=block:block,NoPack\n");
    assert_eq!(word(&[0, 4, 1, 5, 2, 6, 3, 7]), "--distribution=cyclic:block\n");
    assert_eq!(word(&[0, 1, 4, 5, 2, 3, 6, 7]), "--distribution=plane=2\n");
    // Without a rank for every core: the first hosts get one more.
    assert_eq!(word(&[0, 1, 4]), "--distribution=block:block,NoPack\n");
    for no in [&[4, 0, 1, 5][..], &[0, 4, 5], &[0, 4, 5, 1]] {
        assert!(word(no).starts_with("NL-F018"), "{no:?}");
    }
}

#[test]
fn nodes_of_torchrun_may_come_in_any_order() {
    let network = fat_tree_4x2();
    let lines = "node0002 --node-rank=0 CUDA_VISIBLE_DEVICES=1,0\nnode0001 --node-rank=1 CUDA_VISIBLE_DEVICES=0,1\n";
    assert_eq!(write(&network, &[3, 2, 0, 1], "torchrun(slots=2)"), lines);
    for no in [&[0, 2, 1, 3][..], &[0, 1, 2]] {
        assert!(write(&network, no, "torchrun(slots=2)").starts_with("NL-F018"), "{no:?}");
    }
}

#[test]
fn coordinates_and_actors() {
    let mesh = mesh_2x3x2();
    assert_eq!(write(&mesh, &[0, 22, 1, 6], "vcoordfile"), "(0,0,0)\n(1,2,1)\n(0,0,0)\n(0,1,1)\n");
    assert!(write(&mesh, &[1], "vcoordfile").starts_with("NL-F018"));
    assert!(write(&line(3), &[0], "vcoordfile").starts_with("NL-F018"));
    // Hints name only what the format takes.
    let swapped = |format: &str| write(&line(2), &[1, 0], format);
    for (format, offers) in
        [("simgrid-deployment", false), ("slurm-distribution", false), ("flux-taskmap", true), ("hostfile", true)]
    {
        let refused = swapped(&format!("{format}(slots=2)"));
        assert!(refused.starts_with(&format!("NL-F018 {format}: rank 0 is on slot 1 of ")), "{refused}");
        assert_eq!(refused.contains("or bind=elsewhere"), offers, "{refused}");
        assert_eq!(swapped(&format!("{format}(slots=2,bind=elsewhere)")).starts_with("NL-A003"), !offers);
    }
    let actors = write(&tree_3x2(), &[5, 0], "simgrid-deployment");
    // As in the platform of a network without names.
    assert!(write(&line(2), &[3], "simgrid-deployment").contains("<actor host=\"e3\""));
    let expected = "  <actor host=\"n06\" function=\"rank\"><argument value=\"0\"/></actor>\n  <actor host=\"n01\" \
                    function=\"rank\"><argument value=\"1\"/></actor>\n</platform>\n";
    assert!(actors.starts_with("<?xml version=\"1.0\"?>") && actors.ends_with(expected), "{actors}");
}

#[test]
fn hydra_begins_a_list_of_cores_anew_where_ranks_come_back_to_a_host() {
    let said = write(&line(2), &[0, 2, 1], "hydra-bind(slots=2)");
    assert!(said.starts_with("NL-F018") && said.contains("rank 2 is on node0001 again"), "{said}");
    assert_eq!(write(&line(2), &[2, 3, 0, 1], "hydra-bind(slots=2)"), "-bind-to user:0,1\n");
    // The launcher of Slurm counts the ranks of a node.
    assert_eq!(write(&line(2), &[0, 2, 1, 3], "map-cpu(slots=2,hosts=elsewhere)"), "--cpu-bind=map_cpu:0,1\n");
}

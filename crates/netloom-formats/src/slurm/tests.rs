use netloom_model::{Call, Network, NetworkBuilder};

use crate::fixtures::{assert_same, fat_tree_4x2, line, mesh_2x3x2, tree_3x2};

fn read(text: &str) -> crate::Read {
    crate::read::<Network>(text.as_bytes(), "topology.conf", Some(&Call::bare("slurm")), ()).unwrap()
}

fn fault(text: &str) -> String {
    crate::read::<Network>(text.as_bytes(), "topology.conf", Some(&Call::bare("slurm")), ()).unwrap_err().to_string()
}

#[test]
fn reads_the_example_of_the_manual() {
    let read = read(
        "# a comment\nSwitchName=s0 Nodes=dev[0-5]\nSwitchName=s1 Nodes=dev[6-11] LinkSpeed=900\n\nswitchname=s2 \
         nodes=dev[12-17]\nSwitchName=s3 Switches=s[0-2] # top\n",
    );
    let network = read.network;
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (4, 18, 3));
    assert_eq!(network.neighbours(3), [0, 1, 2]);
    assert_eq!(network.endpoint_name(17), "dev17");
    assert_eq!(network.endpoint_switch()[17], 2);
    assert_eq!(network.structure().levels, Some(vec![0, 0, 0, 1]));
    assert!(read.notes[0].contains("full bandwidth") && read.notes[0].contains("uplinks"), "{:?}", read.notes);
    assert_eq!(read.notes[1..], ["LinkSpeed has no unit and is left out; the option link_speed says what 1 means"]);
}

#[test]
fn reads_what_scontrol_prints() {
    let text = "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[01-02]\nSwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[03-04]\n\
                SwitchName=top Level=1 LinkSpeed=1 Nodes=n[01-04] Switches=s[0-1]\n";
    let network = read(text).network;
    assert_eq!(network.endpoint_switch(), [0, 0, 1, 1]);
    assert_eq!(network.cables(), 2);
}

#[test]
fn uplinks_and_speeds_are_said_by_the_reader_and_the_file() {
    let text = "SwitchName=s0 LinkSpeed=200 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=top Switches=s[0-1]\n";
    let call = Call::parse("slurm(uplinks=2,bandwidth=\"100 Gbps\",link_speed=\"1 Gbps\")").unwrap();
    let read = crate::read::<Network>(text.as_bytes(), "topology.conf", Some(&call), ()).unwrap();
    let speeds: Vec<f64> = (0..8).map(|link| read.network.class(link).bandwidth_bytes_per_s).collect();
    assert_eq!((read.network.cables(), read.network.neighbours(0)), (4, &[2, 2][..]));
    assert_eq!(speeds, [25e9, 25e9, 12.5e9, 12.5e9, 25e9, 25e9, 12.5e9, 12.5e9]);
    assert!(read.notes.is_empty());
    assert!(fault("SwitchName=s0 Nodes=a LinkSpeed=fast").contains("LinkSpeed must be an integer >= 1"));
}

#[test]
fn no_nodes_are_none() {
    let text = "SwitchName=s0 Nodes=n[0-1] Switches=(null)\nSwitchName=s1 Nodes=(null) Switches=s0\n";
    let network = read(text).network;
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (2, 2, 1));
}

#[test]
fn faults_name_line_column_value_and_remedy() {
    let cases = [
        ("SwitchName=s0 Nodes=n[0-999999999999]", "NL-F015 topology.conf:1:15 list must be a host list"),
        ("SwitchName=s0 Nodes=n[3-1]", "goes down"),
        ("SwitchName=s0 Nodes=a\nInclude other.conf", "one file is read"),
        ("SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=a", "NL-F006 topology.conf:2:1: node \"a\" is on two leaf"),
        ("SwitchName=s0 Nodes=a\nSwitchName=s0 Nodes=b", "NL-F006 topology.conf:2:1: two lines"),
        ("SwitchName=s0 Switches=s1", "NL-F007 topology.conf:1:1 Switches must be names of switches"),
        ("SwitchName=s0 Switches=s0", "NL-F009"),
        ("SwitchName=a Switches=b\nSwitchName=b Switches=a", "contain each other"),
        ("Nodes=a", "NL-F010 topology.conf:1:1: the line has no SwitchName"),
        ("SwitchName=s0 Node=a", "NL-F003 topology.conf:1:15 key must be"),
        ("SwitchName=s0 \\ Nodes=n1", "hint: a line goes on after a backslash at its end only"),
        ("SwitchName=s0 a a a a a a a a a a a a a a a a", "NL-F001 topology.conf:1:45: more than 16 words"),
        ("hello", "NL-F003 topology.conf:1:1 must be Key=Value, got \"hello\""),
        ("# nothing\n", "NL-F004 topology.conf: there is no line with SwitchName"),
    ];
    for (text, want) in cases {
        let got = fault(text);
        assert!(got.contains(want), "{text}\n  {got}\n  wanted {want}");
    }
}

#[test]
fn all_faults_of_a_file_are_listed_and_a_flood_is_counted() {
    // Each line has two faults: it is not Key=Value, and it names no switch.
    let text = "nonsense\n".repeat(1000);
    let faults = crate::read::<Network>(text.as_bytes(), "f", Some(&Call::bare("slurm")), ()).unwrap_err();
    assert_eq!(faults.0.len(), crate::limits::MAX_FAULTS);
    assert!(faults.to_string().ends_with("(and 1980 more faults in this file)"), "{faults}");
}

#[test]
fn a_tree_is_written_as_it_is() {
    let network = tree_3x2();
    let text = crate::write(&network, &Call::bare("slurm"), ()).unwrap();
    let want = "SwitchName=leaf0 Nodes=n[01-02]\nSwitchName=leaf1 Nodes=n[03-04]\nSwitchName=leaf2 Nodes=n[05-06]\n\
                SwitchName=spine Switches=leaf[0-2]\n";
    assert_eq!(String::from_utf8(text.clone()).unwrap(), want);
    let format = Call::parse("slurm(latency=1e-7,uplinks=1)").unwrap();
    assert_same(&network, &crate::read::<Network>(&text, "f", Some(&format), ()).unwrap().network);
}

#[test]
fn inner_switches_with_endpoints_get_a_leaf_of_their_own() {
    let text = String::from_utf8(crate::write(&line(3), &Call::bare("slurm"), ()).unwrap()).unwrap();
    let want = "SwitchName=s0 Nodes=node[0001-0002]\nSwitchName=s1-nodes Nodes=node[0003-0004]\n\
                SwitchName=s1 Switches=s[0,2],s1-nodes\nSwitchName=s2 Nodes=node[0005-0006]\n";
    assert_eq!(text, want);
}

#[test]
fn levels_and_groups_become_a_hierarchy_and_other_networks_are_refused() {
    let text = String::from_utf8(crate::write(&fat_tree_4x2(), &Call::bare("slurm"), ()).unwrap()).unwrap();
    assert!(text.ends_with("SwitchName=s3 Nodes=node[0007-0008]\nSwitchName=level1-0 Switches=s[0-3]\n"), "{text}");
    let refused = crate::write(&mesh_2x3x2(), &Call::bare("slurm"), ()).unwrap_err();
    assert_eq!(refused.0[0].code, "NL-F018");
    let mut b = NetworkBuilder::new("two_groups", 4);
    let class = b.class("local", 1.0, 0.0);
    [(0, 1), (2, 3), (1, 2), (3, 0)].iter().for_each(|&(x, y)| b.cable(x, y, class));
    b.endpoints_everywhere(1);
    b.structure().groups = Some(vec![0, 0, 1, 1]);
    let text = String::from_utf8(crate::write(&b.build().unwrap(), &Call::bare("slurm"), ()).unwrap()).unwrap();
    assert!(text.ends_with("SwitchName=group0 Switches=s[0-1]\nSwitchName=group1 Switches=s[2-3]\nSwitchName=all-groups Switches=group[0-1]\n"), "{text}");
}

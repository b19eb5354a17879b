//! What a site's files leave open: cables, names that Slurm does not take, blocks without nodes; every key of the manuals.

use netloom_model::{Call, Network, NetworkBuilder, Outcome};

fn read(text: &str, call: &str) -> Outcome<crate::Read> {
    crate::read::<Network>(text.as_bytes(), "site", Some(&Call::parse(call).unwrap()), ())
}

fn widths(found: &crate::Read) -> Vec<f64> {
    let up = |l: &u32| found.network.tails()[*l as usize] < found.network.heads()[*l as usize];
    let width =
        |l: u32| found.network.class(l).bandwidth_bytes_per_s / found.network.endpoint_class().bandwidth_bytes_per_s;
    (0..found.network.switch_links()).filter(up).map(width).collect()
}

#[test]
fn without_uplinks_a_switch_is_joined_as_wide_as_its_nodes() {
    let text = "SwitchName=a Nodes=n[1-20]\nSwitchName=b Nodes=n[21-26]\nSwitchName=c Switches=a,b\nSwitchName=d Nodes=n[30-33]\n\
                SwitchName=top Switches=c,d\n";
    let found = read(text, "slurm").unwrap();
    // a and b below c, then c and d below the top: 20, 6, 26 and 4 nodes.
    assert_eq!(widths(&found), [20.0, 6.0, 26.0, 4.0]);
    assert!(
        found.notes[0].contains("full bandwidth") && found.notes[0].contains("option uplinks"),
        "{:?}",
        found.notes
    );
    let said = read(text, "slurm(uplinks=3)").unwrap();
    assert_eq!((said.network.cables(), widths(&said)), (12, vec![1.0; 12]));
    assert!(said.notes.is_empty(), "{:?}", said.notes);
    // Two parents share it; a leaf without nodes has a cable nevertheless.
    let two = "SwitchName=a Nodes=n[1-8]\nSwitchName=e\nSwitchName=p Switches=a,e\nSwitchName=q Switches=a,e\n";
    assert_eq!(widths(&read(two, "slurm").unwrap()), [4.0, 4.0, 1.0, 1.0]);
    // A speed that is said goes before what is assumed.
    let rated = "SwitchName=a Nodes=n[1-8] LinkSpeed=400\nSwitchName=b Nodes=n[9-16]\nSwitchName=t Switches=a,b\n";
    assert_eq!(widths(&read(rated, "slurm(link_speed=\"1 Gbps\")").unwrap()), [4.0, 8.0]);
}

#[test]
fn blocks_are_joined_as_wide_as_their_nodes_too() {
    let blocks = "BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\nBlockSizes=4\n";
    let found = read(blocks, "slurm").unwrap();
    assert_eq!(widths(&found), [4.0, 4.0]);
    assert!(found.notes.iter().any(|note| note.contains("full bandwidth")));
    let ring = read("RingName=r Nodes=n[1-4]\n", "slurm(uplinks=2)").unwrap();
    assert_eq!((ring.network.cables(), widths(&ring)), (4, vec![1.0; 4]));
    assert!(ring.notes.iter().any(|note| note.starts_with("uplinks has no effect")), "{:?}", ring.notes);
}

#[test]
fn a_block_without_nodes_keeps_its_place() {
    // Base blocks of 2, larger ones of 4: b1 with the empty b2, b3 with b4.
    let blocks = "BlockName=b1 Nodes=n[1-2]\nBlockName=b2\nBlockName=b3 Nodes=n[3-4]\nBlockName=b4 Nodes=n[5-6]\nBlockSizes=2,4\n";
    let found = read(blocks, "slurm").unwrap();
    let net = &found.network;
    let above = |name: &str| {
        let switch = (0..net.switches()).find(|s| net.switch_name(*s) == name).unwrap();
        net.switch_name(net.neighbours(switch)[0])
    };
    assert_eq!([above("b1"), above("b3"), above("b4")], ["blocks4-0", "blocks4-1", "blocks4-1"]);
    assert!(
        found.notes.iter().any(|note| note.contains("without nodes") && note.contains("\"b2\"")),
        "{:?}",
        found.notes
    );
}

#[test]
fn hints_are_in_the_syntax_of_the_file() {
    for (text, code) in [
        ("- topology: t\n  block:\n    block_sizes: [4]\n    blocks:\n    - block: b1\n      nodes: \"\"\n", "NL-F004"),
        ("- topology: t\n  ring:\n    rings:\n    - ring: r\n", "NL-F010"),
        (
            "- topology: t\n  tree:\n    switches:\n    - switch: s\n      nodes: a\n    - switch: s\n      nodes: b\n",
            "NL-F006",
        ),
        ("- topology: t\n  tree:\n    switches:\n    - switch: s\n      children: x\n", "NL-F007"),
        (
            "- topology: t\n  block:\n    block_sizes: [4, 5]\n    blocks:\n    - block: b\n      nodes: n[1-5]\n",
            "NL-F009",
        ),
        ("- topology: t\n  tree:\n    switches: []\n", "NL-F004"),
    ] {
        let said = read(text, "slurm-yaml").unwrap_err().to_string();
        let conf = ["SwitchName", "BlockName", "RingName", "BlockSizes", "Nodes=", "Switches="];
        assert!(said.starts_with(code) && !conf.iter().any(|word| said.contains(word)), "{text}: {said}");
    }
}

/// topology.conf(5), and what `scontrol show topology` prints: what becomes of each key.
#[test]
fn every_key_of_topology_conf_is_used_noted_or_refused() {
    let tree = "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n1\nSwitchName=s1 Nodes=n2\nSwitchName=t Switches=s0,s1\n";
    let notes = read(tree, "slurm").unwrap().notes.join("; ");
    assert!(notes.contains("Level is not used") && notes.contains("LinkSpeed has no unit"), "{notes}");
    let blocks = "BlockName=b1 BlockIndex=0 Nodes=n1 BlockSize=1\nBlockName=b2 BlockIndex=1 Nodes=n2 BlockSize=1\n\
                  AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-2] BlockSize=2\n";
    let notes = read(blocks, "slurm").unwrap().notes.join("; ");
    assert!(notes.contains("AggregatedBlock, BlockIndex"), "{notes}");
    assert!(read("RingName=r RingSize=2 Nodes=n[1-2]\n", "slurm").unwrap().notes.join("; ").contains("RingSize"));
    assert!(read("TorusName=t Dims=2x1x1 Nodes=n[1-2]\n", "slurm").is_ok());
    for (key, text) in [
        ("Include", "SwitchName=s Nodes=n1\nInclude other.conf\n"),
        ("Topology", "SwitchName=s Nodes=n1 Topology=fast\n"),
        ("Colour", "BlockName=b Nodes=n1 Colour=red\n"),
        ("BlockSizes", "SwitchName=s Nodes=n1\nBlockSizes=1\n"),
    ] {
        let said = read(text, "slurm").unwrap_err().to_string();
        assert!(said.starts_with("NL-F003") || said.starts_with("NL-F013"), "{key}: {said}");
    }
    // No word of a long line is lost.
    let long = format!("BlockName=b Nodes=n1 {}\n", "x=1 ".repeat(20));
    assert!(read(&long, "slurm").unwrap_err().to_string().contains("NL-F001"));
}

/// topology.yaml(5).
#[test]
fn every_key_of_topology_yaml_is_used_noted_or_refused() {
    let torus = "- topology: t\n  cluster_default: true\n  torus3d:\n    toruses:\n    - name: a\n      dims: {x: 2, y: 1, z: 1}\n      \
                 nodes: n[1-2]\n      regions: []\n      placements: []\n";
    assert!(read(torus, "slurm-yaml").unwrap().notes.join("; ").contains("regions and placements"));
    for (text, word) in [
        ("- topology: t\n  colour: red\n  tree:\n    switches:\n    - switch: s\n      nodes: n1\n", "colour"),
        ("- topology: t\n  tree:\n    switches:\n    - switch: s\n      nodes: n1\n      speed: 1\n", "speed"),
        ("- topology: t\n  tree:\n    switches:\n    - switch: s\n      nodes: [n1, n2]\n", "one text"),
        ("- topology: t\n  block:\n    size: 4\n    blocks:\n    - block: b\n      nodes: n1\n", "size"),
        ("- topology: t\n  flat: true\n  ring:\n    rings:\n    - ring: r\n      nodes: n1\n", "ring and flat"),
        ("- topology: t\n  torus3d:\n    dims: {x: 1, y: 1, z: 1}\n    nodes: n1\n    links: 2\n", "links"),
    ] {
        let said = read(text, "slurm-yaml").unwrap_err().to_string();
        assert!(said.contains(word), "{text}: {said}");
    }
}

#[test]
fn names_that_slurm_does_not_take_are_written_otherwise_once() {
    let mut builder = NetworkBuilder::new("fabric", 4);
    let class = builder.class("link", 1.0, 0.0);
    (0..3).for_each(|leaf| builder.cable(leaf, 3, class));
    (0..3).for_each(|leaf| builder.endpoint(leaf));
    let names = ["MF0;leaf:X/U1", "MF0 leaf,X U1", "MF0_leaf_X_U1", "7 top"];
    builder.switch_names(names.map(String::from).to_vec());
    builder.endpoint_names(["a", "b", "c"].map(String::from).to_vec());
    let network = builder.build().unwrap();
    for (format, parent) in [("slurm", "s7_top Switches="), ("slurm-yaml", "switch: s7_top")] {
        let bytes = crate::write(&network, &Call::bare(format), ()).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        for line in [
            "# MF0_leaf_X_U1-2 is MF0;leaf:X/U1\n",
            "# MF0_leaf_X_U1-3 is MF0 leaf,X U1\n",
            "# s7_top is 7 top\n",
            parent,
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        let again = read(&text, format).unwrap().network;
        assert_eq!((again.switches(), again.endpoints(), again.cables()), (4, 3, 3));
    }
    // A node's name is Slurm's own: it is not changed, and no host_pattern is proposed.
    let mut builder = NetworkBuilder::new("fabric", 1);
    builder.endpoint(0);
    builder.endpoint_names(vec!["my node".into()]);
    let said = crate::write(&builder.build().unwrap(), &Call::bare("slurm"), ()).unwrap_err().to_string();
    assert!(said.contains("rename the node") && !said.contains("host_pattern"), "{said}");
}

//! Blocks, rings, tori, and `topology.yaml`.

use netloom_model::{Call, Network, Outcome};

use crate::fixtures::{assert_same, fat_tree_4x2};

fn parse(text: &str, call: &str) -> Outcome<crate::Read> {
    let name = if call.starts_with("slurm-yaml") { "topology.yaml" } else { "topology.conf" };
    crate::read::<Network>(text.as_bytes(), name, Some(&Call::parse(call).unwrap()), ())
}

fn read(text: &str, call: &str) -> Network {
    parse(text, call).unwrap_or_else(|faults| panic!("{faults}")).network
}

fn fault(text: &str, call: &str) -> String {
    parse(text, call).unwrap_err().to_string()
}

fn written(network: &Network, call: &str) -> String {
    String::from_utf8(crate::write(network, &Call::parse(call).unwrap(), ()).unwrap()).unwrap()
}

const BLOCKS: &str = "BlockName=b1 Nodes=n[01-04]\nBlockName=b2 Nodes=n[05-08]\nBlockName=b3 Nodes=n[09-12]\n\
                      BlockName=b4 Nodes=n[13-16]\nBlockSizes=4,8\n";

#[test]
fn blocks_are_leaves_and_larger_blocks_switches_above() {
    let network = read(BLOCKS, "slurm");
    assert_eq!((network.switches(), network.endpoints(), network.cables()), (7, 16, 6));
    assert_eq!(network.structure().levels, Some(vec![0, 0, 0, 0, 1, 1, 2]));
    assert_eq!((network.switch_name(4), network.neighbours(4)), ("blocks8-0".to_string(), &[0, 1, 6][..]));
    assert_eq!(network.endpoint_switch()[15], 3);
    // Without larger sizes one switch joins all blocks, by as many cables as asked for.
    let flat = read(&BLOCKS.replace("4,8", "4"), "slurm(uplinks=2)");
    assert_eq!((flat.switches(), flat.cables()), (5, 8));
}

#[test]
fn a_ring_and_its_nodes_in_order() {
    let network = read("RingName=r0 Nodes=n[1-4]\n", "slurm");
    assert_eq!((network.switches(), network.cables(), network.neighbours(0)), (4, 4, &[1, 3][..]));
    assert_eq!(read("RingName=r0 Nodes=a,b\n", "slurm").cables(), 1);
    assert_eq!(written(&network, "slurm(shape=ring)"), "RingName=ring0 Nodes=n[1-4]\n");
}

#[test]
fn what_scontrol_prints_is_read_as_the_file_is() {
    let printed = "BlockName=b1 BlockIndex=0 Nodes=n[01-04] BlockSize=4\nBlockName=b2 BlockIndex=1 Nodes=n[05-08] BlockSize=4\n\
                   BlockName=b3 BlockIndex=2 Nodes=n[09-12] BlockSize=4\nBlockName=b4 BlockIndex=3 Nodes=n[13-16] BlockSize=4\n\
                   AggregatedBlock=b[1-2] BlockIndex=4 Nodes=n[1-8] BlockSize=8\n\
                   AggregatedBlock=b[3-4] BlockIndex=5 Nodes=n[9-16] BlockSize=8\n";
    assert_same(&read(printed, "slurm"), &read(BLOCKS, "slurm"));
    assert_same(&read("RingName=r0 Nodes=n[1-4] RingSize=4\n", "slurm"), &read("RingName=r0 Nodes=n[1-4]\n", "slurm"));
    let torus = read("TorusName=t Dims=4x3x2 Nodes=m[00-23]\n", "slurm");
    assert_same(&torus, &read(YAML, "slurm-yaml(topology=cube)"));
}

#[test]
fn a_line_goes_on_after_a_backslash() {
    let long = "RingName=r0 \\\n  Nodes=n[1-4]\n";
    assert_same(&read(long, "slurm"), &read("RingName=r0 Nodes=n[1-4]\n", "slurm"));
    let wrong = format!("# a ring\n{long}RingName=r1 Nodes=n[5-\n");
    assert!(fault(&wrong, "slurm").contains("topology.conf:4:"), "{}", fault(&wrong, "slurm"));
}

const YAML: &str = "---\n# two of them\n- topology: small\n  cluster_default: false\n  tree:\n    switches:\n    - switch: top\n      \
    children: s[0-1]\n    - switch: s0\n      nodes: n[0-1]\n    - switch: s1\n      nodes: n[2-3]\n- topology: blocks\n  \
    cluster_default: True\n  block:\n    block_sizes:\n      - 2\n      - 4\n    blocks:\n    - block: b1\n      nodes: n[0-1]\n    \
    - block: b2\n      nodes: n[2-3]\n- topology: cube\n  torus3d:\n    toruses:\n    - name: t\n      dims: {x: 4, y: 3, z: 2}\n      \
    nodes: m[00-23]\n      placements:\n      - dims: {x: 2, y: 1, z: 1}\n- topology: plain\n  flat: true\n";

#[test]
fn yaml_holds_several_topologies() {
    let found = parse(YAML, "slurm-yaml").unwrap();
    assert_eq!((found.network.switches(), found.network.endpoints()), (3, 4));
    assert!(found.notes.contains(&"of 4 topologies \"blocks\" is read".to_string()), "{:?}", found.notes);
    let tree = read(YAML, "slurm-yaml(topology=small)");
    assert_eq!((tree.neighbours(0), tree.endpoint_name(3)), (&[1, 2][..], "n3".to_string()));
    let cube = parse(YAML, "slurm-yaml(topology=cube)").unwrap();
    let grid = cube.network.structure().grid.clone().unwrap();
    // Two in a line are joined once.
    assert_eq!((grid.dims, grid.wrap), (vec![2, 3, 4], vec![false, true, true]));
    assert_eq!((cube.network.cables(), cube.network.neighbours(0)), (24 + 24 + 12, &[1, 3, 4, 8, 12][..]));
    assert!(cube.notes.iter().any(|note| note.contains("placements")));
}

#[test]
fn yaml_is_read_as_it_is_written() {
    let tree = fat_tree_4x2();
    for shape in ["levels", "block"] {
        let conf = written(&tree, &format!("slurm(shape={shape})"));
        let yaml = written(&tree, &format!("slurm-yaml(shape={shape})"));
        assert_same(&read(&yaml, "slurm-yaml"), &read(&conf, "slurm"));
    }
    let mut cube = String::from("- topology: t\n  torus3d:\n    dims: {x: 3, y: 3, z: 2}\n    nodes: \"n[01-18]\"\n");
    let network = read(&cube, "slurm-yaml");
    cube = written(&network, "slurm-yaml(shape=torus3d)");
    assert_same(&read(&cube, "slurm-yaml"), &network);
    let refused = crate::write(&network, &Call::parse("slurm(shape=torus3d)").unwrap(), ()).unwrap_err().to_string();
    assert!(refused.starts_with("NL-F018") && refused.contains("write slurm-yaml"), "{refused}");
}

#[test]
fn blocks_of_a_fat_tree() {
    assert!(written(&fat_tree_4x2(), "slurm(shape=block)").contains("BlockSizes=2"));
}

#[test]
fn block_sizes_are_written_as_they_were_read() {
    let fifth = format!("{}BlockName=b5 Nodes=n[17-20]\n", BLOCKS.replace("BlockSizes=4,8\n", ""));
    for (blocks, sizes) in [
        (BLOCKS.to_string(), "4,8"),
        (BLOCKS.replace("4,8", "4"), "4"),
        (BLOCKS.replace("4,8", "3"), "3"),
        (BLOCKS.replace("4,8", "3,6,12"), "3,6,12"),
        (BLOCKS.replace("4,8", "4,8,16"), "4,8,16"),
        (BLOCKS.replace("4,8", "4,16"), "4,16"),
        (format!("{fifth}BlockSizes=4,8\n"), "4,8"),
        (format!("{fifth}BlockSizes=4,8,16\n"), "4,8,16"),
    ] {
        let text = written(&read(&blocks, "slurm"), "slurm(shape=block)");
        assert!(text.ends_with(&format!("\nBlockSizes={sizes}\n")), "{blocks}: {text}");
    }
}

#[test]
fn a_torus_has_placements_and_the_hint_names_its_shape() {
    let cube = read(YAML, "slurm-yaml(topology=cube)");
    let text = written(&cube, "slurm-yaml(shape=torus3d)");
    assert!(text.contains("      dims: {x: 4, y: 3, z: 2}\n"), "{text}");
    // Divisors of 4, 3 and 2.
    assert_eq!(text.matches("      - dims: {x: ").count(), 3 * 2 * 2, "{text}");
    let (first, last) = ("placements:\n      - dims: {x: 1, y: 1, z: 1}\n", "      - dims: {x: 4, y: 3, z: 2}\n");
    assert!(text.contains(first) && text.ends_with(last), "{text}");
    let said =
        |network: &Network, call: &str| crate::write(network, &Call::parse(call).unwrap(), ()).unwrap_err().to_string();
    assert!(said(&cube, "slurm").contains("write slurm-yaml(shape=torus3d)"));
    let ring = read("RingName=r0 Nodes=n[1-4]\n", "slurm");
    assert!(said(&ring, "slurm").contains("write slurm(shape=ring)"));
    assert!(said(&ring, "slurm(shape=tree)").contains("write graphml"));
}

#[test]
fn bad_plans_are_one_line_with_their_place() {
    let bomb = "- topology: a\n  x: &a [1,1]\n  y: *a\n";
    let deep = format!("- topology: {}", "[".repeat(100));
    for (text, call, code, says) in [
        (BLOCKS.replace("4,8", "4,12").as_str(), "slurm", "NL-F009", "block size 12 is no power of two times 4"),
        (&BLOCKS.replace("4,8", "5"), "slurm", "NL-F009", "\"b1\" has 4 nodes"),
        ("BlockName=b1 Nodes=n1\nSwitchName=s Nodes=n2\n", "slurm", "NL-F003", "topology.conf:2:1"),
        ("SwitchName=s Nodes=n2\nBlockName=b1 Nodes=n1\n", "slurm", "NL-F013", "topology.conf:2:1"),
        ("BlockName=b1 Nodes=n1\nRingName=r Nodes=n2\n", "slurm", "NL-F013", "mixes blocks, rings and tori"),
        ("BlockName=b1\n", "slurm", "NL-F004", "names no node"),
        ("RingName=r\n", "slurm", "NL-F010", "has no Nodes"),
        ("RingName=r Nodes=n[1-17]\n", "slurm", "NL-F009", "17 nodes"),
        ("BlockName=b1 Nodes=n1\nBlockName=b2 Nodes=n1\n", "slurm", "NL-F006", "n1"),
        ("BlockName=b1 Nodes=n1\nBlockName=b1 Nodes=n2\n", "slurm", "NL-F006", "topology.conf:2:1: two blocks"),
        ("BlockSizes=1\nBlockName=all-blocks1 Nodes=n1\nBlockName=b Nodes=n2\n", "slurm", "NL-F006", "\"all-blocks1\""),
        ("BlockName=all-blocks Nodes=n1\nBlockName=b Nodes=n2\n", "slurm", "NL-F006", "called \"all-blocks\""),
        (bomb, "slurm-yaml", "NL-F013", "topology.yaml:2:1: anchors and aliases"),
        (&deep, "slurm-yaml", "NL-F005", "levels"),
        ("- topology: a\n\ttree:", "slurm-yaml", "NL-F003", "is no YAML"),
        (YAML, "slurm-yaml(topology=plain)", "NL-F013", "flat topology"),
        (YAML, "slurm-yaml(topology=big)", "NL-F007", "small or blocks or cube or plain"),
        ("- topology: a\n  tree: {}\n", "slurm-yaml", "NL-F010", "no list"),
        ("- topology: a\n", "slurm-yaml", "NL-F010", "no tree"),
        (
            "- topology: a\n  torus3d:\n    dims: {x: 2, y: 2, z: 2}\n    nodes: n[1-7]\n",
            "slurm-yaml",
            "NL-F009",
            "7 nodes",
        ),
        (
            "- topology: a\n  tree:\n    switches:\n    - switch: s\n      nodes: \"n[1-\"\n",
            "slurm-yaml",
            "NL-F015",
            "topology.yaml:4",
        ),
        ("[]", "slurm-yaml", "NL-F004", ""),
        ("", "slurm-yaml", "NL-F004", ""),
    ] {
        let said = fault(text, call);
        assert!(said.starts_with(code) && said.contains(says), "{text}: {said}");
    }
}

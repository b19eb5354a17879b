//! Tables 2 and 3 of Navaridas 2009, its wiring with the errata, and the fat tree of Jain 2016.

use netloom_model::{Call, Network};

use super::TreeFamilyShape;
use crate::registry::build;

fn net(text: &str) -> Network {
    build(&Call::parse(text).unwrap()).unwrap()
}

/// (k, k', n, switches, links) of table 2 and of table 3; the links of nodes are counted. The two entries that the
/// paper prints wrongly (E1-04: one level is missing) are corrected.
const TABLES: &[(u32, u32, usize, u64, u64)] = &[
    (8, 1, 2, 9, 72),
    (8, 2, 2, 10, 80),
    (8, 3, 2, 11, 88),
    (8, 4, 2, 12, 96),
    (8, 5, 2, 13, 104),
    (8, 6, 2, 14, 112),
    (8, 7, 2, 15, 120),
    (8, 8, 2, 16, 128),
    (8, 1, 3, 73, 584),
    (8, 2, 3, 84, 672),
    (8, 3, 3, 97, 776),
    (8, 4, 3, 112, 896),
    (8, 5, 3, 129, 1032),
    (8, 6, 3, 148, 1184),
    (8, 7, 3, 169, 1352),
    (8, 8, 3, 192, 1536),
    (8, 1, 4, 585, 4680),
    (8, 2, 4, 680, 5440),
    (8, 3, 4, 803, 6424),
    (8, 4, 4, 960, 7680),
    (8, 5, 4, 1157, 9256),
    (8, 6, 4, 1400, 11200),
    (8, 7, 4, 1695, 13560),
    (8, 8, 4, 2048, 16384),
    (11, 1, 2, 12, 132),
    (10, 2, 2, 12, 120),
    (9, 3, 2, 12, 108),
    (7, 5, 3, 109, 763),
    (6, 6, 3, 108, 648),
    (11, 1, 3, 133, 1463),
    (10, 2, 3, 124, 1240),
    (9, 3, 3, 117, 1053),
    (7, 5, 4, 888, 6216),
    (6, 6, 4, 864, 5184),
    (11, 1, 4, 1464, 16104),
    (10, 2, 4, 1248, 12480),
    (9, 3, 4, 1080, 9720),
    (7, 5, 5, 6841, 47887),
    (6, 6, 5, 6480, 38880),
];

#[test]
fn counts_of_tables_2_and_3() {
    for &(k, up, n, switches, links) in TABLES {
        let net = net(&format!("thin_tree({k},{up},{n})"));
        assert_eq!(u64::from(net.switches()), switches, "{k}:{up},{n}");
        assert_eq!(u64::from(net.cables() + net.endpoints()), links, "{k}:{up},{n}");
        assert_eq!(u64::from(net.endpoints()), u64::from(k).pow(n as u32));
        assert_eq!(net.degree(0), up, "the leaves use their upward ports");
    }
    // The printed entries are those of a tree without its lowest level of switches.
    assert_eq!(6841 - 7u32.pow(4), 4440);
    assert_eq!(6480 - 6u32.pow(4), 5184);
}

#[test]
fn every_downward_port_is_wired_once() {
    for (k, up, n) in [(4, 4, 3), (4, 2, 3), (4, 3, 3), (8, 2, 4), (5, 3, 4), (3, 1, 4), (2, 2, 6)] {
        let shape = TreeFamilyShape::new(vec![k; n], &vec![up; n - 1], &vec![1; n - 1]);
        for level in 0..n - 1 {
            let above = shape.switches_at(level + 1);
            let mut used = vec![false; above as usize * k as usize];
            for s in 0..shape.switches_at(level) {
                for port in 0..u64::from(up) {
                    let parent = shape.parent(level, s, port);
                    assert!(parent < above, "{k}:{up},{n} level {level} switch {s} port {port}");
                    let slot = parent * u64::from(k) + shape.parent_port(level, s);
                    assert!(!std::mem::replace(&mut used[slot as usize], true), "port wired twice");
                }
            }
            assert!(used.iter().all(|&u| u), "{k}:{up},{n} level {level}: a port is open");
        }
    }
}

#[test]
fn the_k_ary_formula_of_the_paper() {
    // E1-05: parent = port·k^l + k^(l+1)·⌊s/k^(l+1)⌋ + s mod k^l; E1-06: port ⌊s/k^l⌋ mod k.
    let (k, n) = (3u64, 4usize);
    let shape = TreeFamilyShape::new(vec![3; n], &[3; 3], &[1; 3]);
    for level in 0..n - 1 {
        let width = k.pow(level as u32);
        for s in 0..k.pow(n as u32 - 1) {
            for port in 0..k {
                let parent = port * width + width * k * (s / (width * k)) + s % width;
                assert_eq!(shape.parent(level, s, port), parent);
                assert_eq!(shape.parent_port(level, s), s / width % k);
            }
        }
    }
}

#[test]
fn upward_ports_ascend() {
    let net = net("thin_tree(4,2,3)");
    // 16 leaves, 8 above (two for each group of four), 4 on top.
    assert_eq!(net.neighbours(0), [16, 17]);
    assert_eq!(net.neighbours(7), [18, 19]);
    // Switch 17 is number 1 of level 1: children 0 to 3, parents 1 and 3 of level 2.
    assert_eq!(net.neighbours(17), [0, 1, 2, 3, 25, 27]);
    let structure = net.structure();
    assert_eq!(structure.levels.as_ref().unwrap()[15..17], [0, 1]);
    let tree = structure.tree.as_ref().unwrap();
    assert_eq!((&tree.down[..], &tree.up[..], &tree.parallel[..]), (&[4, 4, 4][..], &[2, 2, 0][..], &[1, 1, 1][..]));
    assert_eq!(net.endpoints_of(3), [12, 13, 14, 15]);
    assert!(net.endpoints_of(16).is_empty());
}

#[test]
fn fat_tree_of_jain_2016() {
    // Figure 5.2: radix 4, 3 levels: 4 leaves with 2 nodes each, 4 switches, 2 on top with two cables per pair.
    let small = net("fat_tree(radix=4,levels=3)");
    assert_eq!((small.switches(), small.endpoints()), (10, 8));
    assert_eq!(small.neighbours(0), [4, 5]);
    assert_eq!(small.neighbours(8), [4, 4, 6, 6]);
    // Table 6.1: radix 72 joins 46,656 nodes; every port of every switch is used.
    let large = net("fat_tree(radix=72)");
    assert_eq!(large.endpoints(), 46656);
    assert_eq!(large.switches(), 1296 + 1296 + 648);
    assert!((1296..large.switches()).all(|s| large.degree(s) == 72));
    // Two levels: half as many switches on top.
    let two = net("fat_tree(radix=8,levels=2)");
    assert_eq!((two.switches(), two.endpoints()), (4 + 2, 16));
    // Al-Fares et al.: k³/4 hosts and 5k²/4 switches; with two levels k leaves and k/2 spines.
    let full = net("fat_tree(radix=8,top=full)");
    assert_eq!((full.switches(), full.endpoints()), (80, 128));
    assert_eq!(net("fat_tree(radix=8,levels=2,top=full)").switches(), 8 + 4);
}

#[test]
fn shapes_that_are_refused() {
    for (text, code, word) in [
        ("thin_tree(4,5,3)", "NL-T009", "at most down = 4"),
        ("fat_tree(6,3)", "NL-T010", "k_ary_n_tree(k=3,n=3)"),
        ("fat_tree(7,3)", "NL-T010", "multiple of 4"),
        ("fat_tree(7,3,top=full)", "NL-T010", "even"),
        ("xgft([4,4],[1])", "NL-T009", "2 levels"),
        ("xgft([4,4],[2,2])", "NL-T009", "starts with 1"),
        ("xgft([4,4],[1,2],[2,1])", "NL-T009", "starts with 1"),
        ("k_ary_n_tree(2,33)", "NL-A007", "1..32"),
        ("thin_tree(1000,1000,1)", "", ""),
    ] {
        match build(&Call::parse(text).unwrap()) {
            Ok(_) => assert_eq!(code, "", "{text}"),
            Err(faults) => {
                assert_eq!(faults.0[0].code, code, "{text}: {faults}");
                assert!(faults.to_string().contains(word), "{text}: {faults}");
            }
        }
    }
}

//! The machines of Jain 2016, figure 1 of Hastings et al. 2015 by definition, and the limits of wiring.

use netloom_model::{Call, Network};

use crate::registry::build;

fn net(text: &str) -> Network {
    build(&Call::parse(text).unwrap()).unwrap()
}

fn cables(net: &Network, class: &str) -> usize {
    (0..net.switch_links()).filter(|&l| net.class(l).name.starts_with(class)).count() / 2
}

/// Groups that the global ports of group `s` lead to, in order of switch, for h = 1.
fn targets(net: &Network, a: u32, s: u32) -> Vec<u32> {
    (0..a)
        .map(|i| {
            let links = net.out_links(s * a + i);
            let global = links.filter(|&l| net.class(l).name == "global").map(|l| net.heads()[l as usize] / a);
            global.collect::<Vec<u32>>()[..].try_into().map(|[t]: [u32; 1]| t).unwrap()
        })
        .collect()
}

#[test]
fn arrangements_by_definition() {
    let of = |arrangement: &str| net(&format!("dragonfly(a=4,h=1,g=5,arrangement={arrangement})"));
    let absolute = of("absolute");
    assert_eq!(targets(&absolute, 4, 0), [1, 2, 3, 4]);
    assert_eq!(targets(&absolute, 4, 2), [0, 1, 3, 4]);
    let relative = of("relative");
    assert_eq!(targets(&relative, 4, 0), [1, 2, 3, 4]);
    assert_eq!(targets(&relative, 4, 2), [3, 4, 0, 1]);
    let circulant = of("circulant");
    assert_eq!(targets(&circulant, 4, 0), [1, 4, 2, 3]);
    assert_eq!(targets(&circulant, 4, 2), [3, 1, 4, 0]);
}

#[test]
fn round_robin_of_jain_2016() {
    // S1 -> S2 leaves switch S2 mod nps and lands on switch S1 mod nps (section 8.1.1).
    let net = net("dragonfly(a=16,p=1,h=4,g=64,arrangement=\"round-robin\")");
    for s in 0..64 {
        for t in (0..64).filter(|&t| t != s) {
            assert!(net.neighbours(s * 16 + t % 16).contains(&(t * 16 + s % 16)), "{s} {t}");
        }
    }
    // J48: 15,360 directed L1 links and 4,032 L2 links.
    assert_eq!(2 * cables(&net, "local"), 15360);
    assert_eq!(2 * cables(&net, "global"), 4032);
    assert_eq!(net.structure().groups.as_ref().unwrap()[1023], 63);
}

#[test]
fn the_prototype_of_jain_2016() {
    // J04: 960 groups of 16 x 6 routers with 10 global ports and 4 nodes: 30 network ports, 368,640 nodes, 24 cores each.
    let net = net("dragonfly(group=[16,6],p=4,h=10,g=960,arrangement=\"round-robin\")");
    assert_eq!(net.switches(), 960 * 96);
    assert_eq!(u64::from(net.endpoints()) * 24, 8_847_360);
    assert_eq!((0..net.switches()).map(|s| net.degree(s)).max(), Some(30));
    assert_eq!(cables(&net, "global"), 960 * 959 / 2);
    // Cascade: 240 groups, four cables per pair; three per pair in the second dimension of a group.
    let cascade = build(
        &Call::parse("dragonfly(a=96,group=[16,6],local_parallel=[1,3],h=10,g=240,arrangement=relative)").unwrap(),
    )
    .unwrap();
    assert_eq!(cables(&cascade, "global"), 4 * 240 * 239 / 2);
    assert_eq!(cables(&cascade, "local0"), 240 * 6 * 16 * 15 / 2);
    assert_eq!(cables(&cascade, "local1"), 240 * 3 * 16 * 6 * 5 / 2);
}

#[test]
fn a_chassis_is_a_line_of_the_last_extent() {
    let rows = net("dragonfly(group=[3,4],h=1,g=2)");
    let chassis = rows.structure().chassis.as_ref().unwrap();
    assert_eq!(chassis[..9], [0, 0, 0, 0, 1, 1, 1, 1, 2]);
    assert_eq!((chassis[12], chassis[23]), (3, 5));
    // All switches of a chassis are connected to each other: level 1 along the row.
    for s in 0..rows.switches() {
        for t in (0..rows.switches()).filter(|t| *t != s && chassis[*t as usize] == chassis[s as usize]) {
            assert!(rows.neighbours(s).contains(&t), "{s} {t}");
        }
    }
    let flat = net("dragonfly(a=4,h=2)");
    assert_eq!(flat.structure().chassis, flat.structure().groups);
}

#[test]
fn no_switch_has_more_than_h_global_cables() {
    for arrangement in ["absolute", "relative", "circulant", "round-robin"] {
        for a in 1..6u32 {
            for h in 1..4u32 {
                let most = a * h + u32::from(arrangement != "round-robin");
                for g in 1..=most {
                    let net = net(&format!("dragonfly(a={a},h={h},g={g},arrangement={arrangement})"));
                    let used = |s: u32| net.out_links(s).filter(|&l| net.class(l).name == "global").count() as u32;
                    assert!((0..net.switches()).all(|s| used(s) <= h), "{}", net.label());
                    // Every pair of groups has the same number of cables, and one more would not fit.
                    let slots = if arrangement == "round-robin" { g } else { g - 1 };
                    let each = if g == 1 { 0 } else { a * h / slots };
                    assert_eq!(cables(&net, "global") as u32, each * g * (g - 1) / 2, "{}", net.label());
                }
            }
        }
    }
}

#[test]
fn canonical_dragonfly_has_diameter_3() {
    let net = net("dragonfly(a=4,p=2,h=2)");
    assert_eq!((net.switches(), net.endpoints(), net.degree(0)), (36, 72, 5));
    let lone = build(&Call::parse("dragonfly(a=8,p=4,h=4,g=33)").unwrap()).unwrap();
    assert_eq!(lone.endpoints(), 1056);
    // E0-12: a·h·g/2 global cables.
    assert_eq!(cables(&lone, "global"), 8 * 4 * 33 / 2);
}

#[test]
fn groups_that_cannot_be_wired() {
    for (text, code, word) in [
        ("dragonfly(a=4,h=2,g=10)", "NL-T011", "use g <= 9, or h >= 3"),
        ("dragonfly(a=4,h=2,g=9,arrangement=round-robin)", "NL-T011", "another arrangement"),
        ("dragonfly(a=4,h=2,g=4,global_parallel=3)", "NL-T011", "at most 2"),
        ("dragonfly(h=2,g=4)", "NL-A004", "group=[rows,columns]"),
        ("dragonfly(a=4,group=[3,2],h=2)", "NL-T012", "6, the product"),
        ("dragonfly_plus(leaves=2,spines=2,h=1,g=4)", "NL-T011", "larger spines"),
    ] {
        let faults = build(&Call::parse(text).unwrap()).unwrap_err();
        assert_eq!(faults.0[0].code, code, "{text}: {faults}");
        assert!(faults.to_string().contains(word), "{text}: {faults}");
    }
}

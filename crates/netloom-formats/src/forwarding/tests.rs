use netloom_model::{Call, Forwarding, Network, Progress, Why};
use netloom_net::routing;
use proptest::prelude::*;

use crate::detect;
use crate::fixtures::{any_network, line, tree_3x2};
use crate::forwarding::FORMATS;

fn tables_of(network: &Network, call: &str) -> netloom_model::Outcome<Forwarding> {
    let routing = routing::build(&std::sync::Arc::new(network.clone()), &Call::parse(call).unwrap())?;
    routing::forwarding(network, &*routing, &Progress::new())
}

fn write(tables: &Forwarding, network: &Network, format: &str) -> String {
    match crate::write(tables, &Call::bare(format), network) {
        Ok(bytes) => String::from_utf8(bytes).unwrap(),
        Err(faults) => faults.to_string(),
    }
}

fn read(text: &str, network: &Network, format: &str) -> Result<Forwarding, String> {
    crate::read::<Forwarding>(text.as_bytes(), "f", Some(&Call::bare(format)), network).map_err(|f| f.to_string())
}

/// `b` has the entries of `a`; with `fills`, it may have more.
fn assert_same(network: &Network, a: &Forwarding, b: &Forwarding, fills: bool) {
    for endpoint in 0..network.endpoints() {
        let (a, b) = (a.towards(endpoint), b.towards(endpoint));
        let same = a.iter().zip(b).all(|(a, b)| a == b || (fills && *a == Forwarding::NONE));
        assert!(same, "{endpoint}: {a:?}, {b:?}");
    }
}

/// Every switch leads to every other one's endpoints.
fn assert_whole(network: &Network, tables: &Forwarding) {
    for (endpoint, &end) in (0u32..).zip(network.endpoint_switch()) {
        for switch in 0..network.switches() {
            let (mut at, mut hops) = (switch, 0);
            while at != end {
                let link = tables.towards(endpoint)[at as usize];
                assert_ne!(link, Forwarding::NONE, "no entry at {at} for {endpoint}");
                (at, hops) = (network.heads()[link as usize], hops + 1);
                assert!(hops <= network.switches(), "a circle from {switch} to {endpoint}");
            }
        }
    }
}

/// Two switches with two cables, an endpoint on each.
fn pair() -> Network {
    let mut b = netloom_model::NetworkBuilder::new("pair", 2);
    let class = b.class("link", 12.5e9, 1e-7);
    (0..2).for_each(|_| b.cable(0, 1, class));
    b.endpoints_everywhere(1);
    b.switch_names(["s0", "s1"].map(String::from).to_vec());
    b.endpoint_names(["e0", "e1"].map(String::from).to_vec());
    b.build().unwrap()
}

#[test]
fn files_look_like_this() {
    const NO: u32 = Forwarding::NONE;
    let tables = Forwarding::new("t", 2, vec![0, 1], vec![NO, 2, 1, NO]);
    assert_eq!(write(&tables, &pair(), "forwarding-csv"), "switch,endpoint,next,cable\n0,1,1,1\n1,0,0,0\n");
    let guid = |n: u32| format!("0x{:016x}", 0x0200_0000_0000_0000u64 + u64::from(n));
    let want = format!(
        "Unicast lids [0-4] of switch Lid 1 guid {0} ('s0'):\n\
         0x0001 000 # Switch portguid {0}: 's0'\n\
         0x0002 002 # Switch portguid {1}: 's1'\n\
         0x0003 003 # Channel Adapter portguid {2}: 'e0'\n\
         0x0004 002 # Channel Adapter portguid {3}: 'e1'\n\
         4 lids dumped\n\n\
         Unicast lids [0-4] of switch Lid 2 guid {1} ('s1'):\n\
         0x0001 001 # Switch portguid {0}: 's0'\n\
         0x0002 000 # Switch portguid {1}: 's1'\n\
         0x0003 001 # Channel Adapter portguid {2}: 'e0'\n\
         0x0004 003 # Channel Adapter portguid {3}: 'e1'\n\
         4 lids dumped\n\n",
        guid(0x100),
        guid(0x200),
        guid(0x301),
        guid(0x401)
    );
    assert_eq!(write(&tables, &pair(), "opensm-lfts"), want);
}

#[test]
fn a_column_may_be_left_out_and_the_own_switch_named() {
    let csv = "next, endpoint ,switch,remark\n1,1,0,x\n\n0,0,1,\n0,0,0,here\n";
    let found = read(csv, &pair(), "forwarding-csv").unwrap();
    assert_eq!(found.towards(1), [0, Forwarding::NONE]);
    assert_eq!(found.towards(0), [Forwarding::NONE, 2]);
    assert_eq!(found.name(), "f");
}

#[test]
fn what_the_network_has_not_is_said_in_one_line() {
    let head = "switch,endpoint,next,cable\n";
    for (line, code, words) in [
        ("9,1,1,0", "NL-F007", "there is no switch 9: pair has 2"),
        ("0,7,1,0", "NL-F007", "there is no endpoint 7"),
        ("0,1,1,2", "NL-F007", "no cable 2 from switch 0 to switch 1: they are numbered 0..2"),
        ("0,1,0,0", "NL-F007", "no cable joins switch 0 to switch 0"),
        ("0,1,x,0", "NL-F009", "integers from 0"),
        ("0,1,-1,0", "NL-F009", "integers from 0"),
        ("0,1", "NL-F009", "integers from 0"),
        ("0,1,1,0\n0,1,1,1", "NL-F006", "switch \"s0\" has a second entry for endpoint \"e1\""),
        ("", "NL-F004", "no entry"),
    ] {
        let said = read(&format!("{head}{line}\n"), &pair(), "forwarding-csv").unwrap_err();
        assert!(said.starts_with(code) && said.contains(words), "{line}: {said}");
        assert!(said.lines().count() <= 2, "{said}");
    }
    assert!(read("a,b\n", &pair(), "forwarding-csv").unwrap_err().starts_with("NL-F010"));
    let lid = "Unicast lids [0-4] of switch Lid";
    let own = format!("{lid} 1 guid 0x0200000000000100 ('a'):\n");
    for (text, code, words) in [
        (format!("{lid} 2 guid 0x0000000000200000 ('leaf0'):\n0x0003 001\n"), "NL-F013", "netloom's numbering"),
        (format!("{lid} 7 guid 0x0200000000000700 ('a'):\n"), "NL-F013", "netloom's numbering"),
        (format!("{own}0x0009 001\n"), "NL-F007", "pair has no LID 9"),
        (format!("{own}0x0003 003\n0x0003 003\n"), "NL-F006", "switch \"s0\" has a second entry for endpoint \"e0\""),
        (format!("{own}0x0004 001\n0x0004 255\n"), "NL-F006", "second entry for endpoint \"e1\""),
        (format!("{own}0x0004 255\n"), "NL-F004", "the file has no entry"),
        (format!("{own}hello\n"), "NL-F003", "0x0008 007"),
        ("0x0003 001\n".to_string(), "NL-F003", "before the first switch"),
    ] {
        let said = read(&text, &pair(), "opensm-lfts").unwrap_err();
        assert!(said.starts_with(code) && said.contains(words), "{text}: {said}");
    }
}

#[test]
fn sizes_are_checked_before_memory_is_taken() {
    let wide = netloom_net::build(&Call::parse("torus(128,128)").unwrap()).unwrap();
    assert!(read("switch,endpoint,next\n", &wide, "forwarding-csv").unwrap_err().starts_with("NL-A009"));
    let crowded = netloom_net::build(&Call::parse("complete(300,p=1)").unwrap()).unwrap();
    let tables = tables_of(&crowded, "single-minimal").unwrap();
    assert!(write(&tables, &crowded, "opensm-lfts").contains("ports, 254 are the most"));
    assert!(write(&tables, &line(3), "forwarding-csv").starts_with("NL-F018"));
}

/// What a file of two entries of switch `s0`, for `e0` and `e1`, and a whole table of `s1` loses.
fn lost(entries: &str) -> Vec<(u32, u32, Why)> {
    let block = |lid: u32, entries: &str| {
        let guid = 0x0200_0000_0000_0000u64 + 256 * u64::from(lid);
        format!("Unicast lids [0-4] of switch Lid {lid} guid 0x{guid:016x} ('a'):\n{entries}\n2 lids dumped\n")
    };
    let text = block(1, entries) + &block(2, "0x0003 001\n0x0004 003");
    let found = read(&text, &pair(), "opensm-lfts").unwrap();
    assert!(found.absent().is_empty());
    found.lost().iter().map(|lost| (lost.endpoint, lost.switch, lost.why)).collect()
}

#[test]
fn entries_that_lead_nowhere_are_kept_with_their_reason() {
    assert_eq!(lost("0x0003 003\n0x0004 002"), []);
    for (entries, endpoint, why) in [
        ("0x0004 002", 0, Why::NoEntry),
        ("0x0003 255\n0x0004 002", 0, Why::NoEntry),
        ("0x0003 001\n0x0004 002", 0, Why::Away { port: 1, switch: 1 }),
        ("0x0003 003\n0x0004 004", 1, Why::NoCable { port: 4 }),
        ("0x0003 003\n0x0004 000", 1, Why::Itself),
        ("0x0003 003\n0x0004 003", 1, Why::Wrong { port: 3, endpoint: 0 }),
        ("0x0003 003\n0x0004 255", 1, Why::NoEntry),
    ] {
        assert_eq!(lost(entries), [(endpoint, 0, why)], "{entries}");
    }
    // Between switches, no entry needs no reason.
    assert_eq!(lost("0x0003 003"), []);
}

#[test]
fn tools_say_more_than_entries() {
    for more in [
        "0x0000 255 : (path #0 - illegal port)",
        "0x0009 001 : (node info not available fabric scan)",
        "0x0009 001 : (unknown node and type)",
        "0x0009 255",
        "*** WARNING ***: this command has been replaced by dump_fts",
    ] {
        assert_eq!(lost(&format!("0x0003 003\n0x0004 002\n{more}")), [], "{more}");
    }
}

#[test]
fn switches_without_a_whole_table_are_named() {
    let network = tree_3x2();
    let text = write(&tables_of(&network, "single-minimal").unwrap(), &network, "opensm-lfts");
    let absent = |text: &str| read(text, &network, "opensm-lfts").unwrap().absent().to_vec();
    let n = network.switches();
    assert!(absent(&text).is_empty());
    let second = text.rfind("Unicast").unwrap();
    assert_eq!(absent(&text[..second]), [n - 1]);
    // Cut in the first table, so that no other one shows how tables end.
    let end = text.find("lids dumped").unwrap() - 3;
    assert_eq!(absent(&text[..end]), (0..n).collect::<Vec<_>>());
    // Cut in the last one.
    let said = read(&text[..text.len() - 20], &network, "opensm-lfts").unwrap_err();
    assert!(said.starts_with("NL-F004") && said.contains("the file is cut off"), "{said}");
}

/// Ports and cables are counted as in full service.
#[test]
fn tables_of_the_whole_network_are_read_where_parts_failed() {
    let whole = pair();
    let tables = Forwarding::new("t", 2, vec![0, 1], vec![Forwarding::NONE, 2, 1, Forwarding::NONE]);
    for format in ["forwarding-csv", "opensm-lfts"] {
        let text = write(&tables, &whole, format);
        // Of the cables 0-2 and 1-3 (links by their direction) the tables take link 1 and link 2.
        let first = read(&text, &whole.without(&[0], &[]).unwrap(), format).unwrap();
        assert_eq!((first.towards(1)[0], first.towards(0)[1]), (0, Forwarding::NONE), "{format}");
        assert_eq!(first.lost().iter().map(|lost| (lost.endpoint, lost.switch)).collect::<Vec<_>>(), [(0, 1)]);
        let second = read(&text, &whole.without(&[1], &[]).unwrap(), format).unwrap();
        assert_eq!((second.towards(1)[0], second.towards(0)[1]), (Forwarding::NONE, 1), "{format}");
        let none = read(&text, &whole.without(&[0, 1], &[]).unwrap(), format).unwrap();
        assert_eq!(none.lost().len(), 2, "{format}");
        let alone = read(&text, &whole.without(&[], &[1]).unwrap(), format).unwrap();
        assert!(alone.absent().is_empty(), "{format}");
        let again = write(&first, &whole.without(&[0], &[]).unwrap(), "forwarding-csv");
        assert_eq!(again, "switch,endpoint,next,cable\n0,1,1,1\n");
    }
    let call = Call::parse("fat_tree(radix=4,levels=2)").unwrap();
    let (tree, bad) = (netloom_net::build(&call).unwrap(), "0,2,0,0");
    let failed = tree.without(&[0], &[]).unwrap();
    assert!(read(&format!("switch,endpoint,next,cable\n{bad}\n"), &failed, "forwarding-csv").is_err());
}

#[test]
fn every_lid_of_a_port_has_an_entry() {
    let network = pair();
    let mut subnet = netloom_model::Subnet::numbered(&network);
    (subnet.endpoint_lid, subnet.endpoint_lmc) = (vec![8, 16], vec![2, 1]);
    let tables = Forwarding::new("t", 2, vec![0, 1], vec![Forwarding::NONE, 2, 1, Forwarding::NONE]);
    let text = write(&tables, &network.clone().with_subnet(subnet.clone()), "opensm-lfts");
    assert_eq!(text.matches("\n8 lids dumped").count(), 2, "{text}");
    assert_eq!(text.matches("[0-17] of switch").count(), 2, "{text}");
    for line in ["0x0008 003", "0x000b 003", "0x0011 002", "0x000a 001", "0x0010 003"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let found = read(&text, &network.clone().with_subnet(subnet.clone()), "opensm-lfts").unwrap();
    assert_same(&network, &tables, &found, false);
    assert!(found.lost().is_empty());
    (subnet.switch_lid, subnet.endpoint_lid) = (vec![0, 0], vec![0, 0]);
    let said = write(&tables, &network.with_subnet(subnet), "opensm-lfts");
    assert!(said.starts_with("NL-F018") && said.contains("all LIDs of pair are 0"), "{said}");
}

#[test]
fn tables_in_place_of_a_network_are_recognised() {
    let text = write(&tables_of(&tree_3x2(), "single-minimal").unwrap(), &tree_3x2(), "opensm-lfts");
    let said = crate::read::<Network>(text.as_bytes(), "f", None, ()).unwrap_err().to_string();
    assert!(said.starts_with("NL-F016") && said.contains("these are forwarding tables"), "{said}");
}

#[test]
fn what_is_written_is_recognised() {
    let network = tree_3x2();
    let tables = tables_of(&network, "single-minimal").unwrap();
    for row in FORMATS.rows {
        let text = write(&tables, &network, row.name);
        for name in [format!("x.{}", row.extensions[0]), "without-ending".into()] {
            assert_eq!(detect::<Forwarding>(&name, text.as_bytes()).unwrap().name, row.name);
        }
        for end in 0..text.len() {
            if text.is_char_boundary(end) {
                let _ = read(&text[..end], &network, row.name);
            }
        }
    }
}

/// Two leaves with two endpoints each, two spines, two cables between each leaf and spine. Routes of one choice leave the second
/// spine out; it answers, too.
#[test]
fn every_switch_has_an_entry_for_every_lid() {
    let mut b = netloom_model::NetworkBuilder::new("fabric", 4);
    let class = b.class("link", 12.5e9, 1e-7);
    for (leaf, spine) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
        (0..2).for_each(|_| b.cable(leaf, spine, class));
    }
    [0, 0, 1, 1].iter().for_each(|leaf| b.endpoint(*leaf));
    let network = b.build().unwrap();
    for call in ["single-minimal", "up-down(choice=single,root=2)"] {
        let tables = tables_of(&network, call).unwrap();
        assert!((0..4).any(|e| tables.towards(e)[3] == Forwarding::NONE));
        let text = write(&tables, &network, "opensm-lfts");
        assert_eq!(text.matches("\n8 lids dumped").count(), 4, "{call}: {text}");
        let found = read(&text, &network, "opensm-lfts").unwrap();
        assert_same(&network, &tables, &found, true);
        assert_whole(&network, &found);
    }
    // Links that lead in a circle stay as they are; a switch that leads into a gap arrives when the gap is filled.
    let tables = tables_of(&network, "single-minimal").unwrap();
    let mut links = tables.towards(2).to_vec();
    let to = |from: u32, to: u32| network.out_links(from).find(|l| network.heads()[*l as usize] == to).unwrap();
    (links[0], links[2], links[3]) = (to(0, 3), to(2, 0), Forwarding::NONE);
    let links = [tables.towards(0), &links].concat();
    let gap = Forwarding::new("gap", 4, vec![0, 0, 1, 1], links);
    let found = read(&write(&gap, &network, "opensm-lfts"), &network, "opensm-lfts").unwrap();
    assert_eq!(found.towards(2), [to(0, 3), Forwarding::NONE, to(2, 0), to(3, 1)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tables_are_read_as_they_were_written(network in any_network(true), seed in 0u32..1000) {
        // Whole networks with endpoints have tables.
        let Ok(tables) = tables_of(&network, &format!("single-minimal(tie=seeded,seed={seed})")) else { return Ok(()) };
        for row in FORMATS.rows {
            let text = write(&tables, &network, row.name);
            match read(&text, &network, row.name) {
                Ok(found) => {
                    assert_same(&network, &tables, &found, row.name == "opensm-lfts");
                    if row.name == "opensm-lfts" {
                        assert_whole(&network, &found);
                    }
                }
                Err(said) => prop_assert!(said.starts_with("NL-F004"), "{}: {}", row.name, said),
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(switch,endpoint,next\n|Unicast lids \\[0-4\\] of switch Lid 1 guid 0x0200000000000100 \\('a'\\):\n)?[0-9a-fx, #\n]{0,80}") {
        for row in FORMATS.rows {
            let _ = read(&text, &pair(), row.name);
        }
    }
}

/// dump_fts(8) and `opensm-lfts.dump`: every kind of line is used, says nothing of routes, or is refused.
#[test]
fn lines_of_tables_are_known() {
    let text = "Unicast lids [0-4] of switch Lid 1 guid 0x0200000000000100 ('a'):\n  Lid  Out   Destination\n       Port     Info\n\
                0x0003 003 : (Channel Adapter portguid 0x1: 'x')\n0x0004 002 # remark\n2 valid lids dumped\n\
                Unicast lids [0-4] of switch DR path slid 0; dlid 0; 0 guid 0x0200000000000200 (b):\n0x0003 001\n0x0004 003\n\
                # comment\n2 valid lids dumped\n*** WARNING ***: this command has been replaced by dump_fts\n";
    let found = read(text, &pair(), "opensm-lfts").unwrap_or_else(|said| panic!("{said}"));
    assert!(found.lost().is_empty() && found.absent().is_empty());
    for other in
        ["Multicast mlids [0xc000-0xc3ff] of switch Lid 1:\n", "Lost 3\n", "0x0003\n", "LID : Port : Hops : Optimal\n"]
    {
        assert!(
            read(&(String::from(text) + other), &pair(), "opensm-lfts").unwrap_err().starts_with("NL-F003"),
            "{other}"
        );
    }
}

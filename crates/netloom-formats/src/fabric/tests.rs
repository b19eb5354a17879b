use netloom_model::{Call, Forwarding, Network, Outcome};

use super::natural;
use super::rate::Rate;
use crate::fixtures::{ends, fat_tree_4x2, line, links, tree_3x2};

const FULL: &str = include_str!("../../../../tests/data/fabric/two_leaves.ibnetdiscover");
const PORTS: &str = include_str!("../../../../tests/data/fabric/two_leaves.ports");
const LINK_INFO: &str = include_str!("../../../../tests/data/fabric/two_leaves.iblinkinfo");
const LINES: &str = include_str!("../../../../tests/data/fabric/two_leaves.lines");
const DUMP: &str = include_str!("../../../../tests/data/fabric/two_leaves.dump");
const FTS: &str = include_str!("../../../../tests/data/fabric/two_leaves.fts");
/// What the tools print of one fabric.
pub const FORMS: [&str; 4] = [FULL, PORTS, LINK_INFO, LINES];

fn read(text: &str) -> Outcome<crate::Read> {
    crate::read::<Network>(text.as_bytes(), "f", None, ())
}

fn network(text: &str) -> Network {
    read(text).unwrap_or_else(|faults| panic!("{faults}")).network
}

fn said(text: &str) -> String {
    let faults = read(text).unwrap_err();
    assert_eq!(faults.0.len(), 1, "{faults}");
    faults.0[0].to_string()
}

fn tables(text: &str, network: &Network) -> Outcome<Forwarding> {
    crate::read::<Forwarding>(text.as_bytes(), "t", None, network)
}

#[test]
fn the_four_forms_are_one_network() {
    let full = network(FULL);
    let names: Vec<String> = (0..4).map(|s| full.switch_name(s)).collect();
    assert_eq!(names, ["leaf0", "leaf1", "spine0", "spine1"]);
    let names: Vec<String> = (0..5).map(|e| full.endpoint_name(e)).collect();
    assert_eq!(names, ["hostA", "hostB", "hostC", "hostD:0", "hostD:1"]);
    assert_eq!(full.endpoint_switch(), [0, 0, 1, 1, 1]);
    assert_eq!(full.cables(), 5);
    assert_eq!(full.neighbours(1), [2, 2, 3]);
    assert_eq!(full.structure().levels.as_deref(), Some(&[0, 0, 1, 1][..]));
    assert_eq!(full.endpoint_class().bandwidth_bytes_per_s, 1e9);
    let mut rates: Vec<(&str, f64)> =
        full.classes().iter().map(|c| (c.name.as_str(), c.bandwidth_bytes_per_s)).collect();
    rates.sort_by(|a, b| a.1.total_cmp(&b.1));
    assert_eq!(rates, [("1x SDR", 0.25e9), ("4x SDR", 1e9)]);
    for form in [PORTS, LINK_INFO, LINES] {
        let other = network(form);
        assert_eq!(links(&full), links(&other));
        assert_eq!(full.endpoint_switch(), other.endpoint_switch());
        let (a, b) = (full.subnet().unwrap(), other.subnet().unwrap());
        assert_eq!(
            (&a.port_of_link, &a.port_of_endpoint, &a.endpoint_lid),
            (&b.port_of_link, &b.port_of_endpoint, &b.endpoint_lid)
        );
        assert_eq!((&a.switch_guid, &a.switch_lid, &a.switch_ports), (&b.switch_guid, &b.switch_lid, &b.switch_ports));
        assert_eq!((&a.endpoint_guid, &a.endpoint_port), (&b.endpoint_guid, &b.endpoint_port));
    }
}

#[test]
fn ports_are_those_of_the_file() {
    let network = network(FULL);
    let subnet = network.subnet().unwrap();
    let port = |from: u32, class: &str| {
        let found =
            network.out_links(from).filter(|l| network.class(*l).name == class && network.heads()[*l as usize] == 2);
        found
            .map(|l| (subnet.port_of_link[l as usize], subnet.port_of_link[network.reverse()[l as usize] as usize]))
            .collect::<Vec<_>>()
    };
    assert_eq!((port(1, "1x SDR"), port(1, "4x SDR"), port(0, "4x SDR")), (vec![(7, 2)], vec![(6, 3)], vec![(7, 1)]));
    assert_eq!(subnet.endpoint_guid, [0x10_0001, 0x10_0003, 0x10_0005, 0x10_0007, 0x10_0008]);
    assert_eq!(subnet.endpoint_node, [0x10_0000, 0x10_0002, 0x10_0004, 0x10_0006, 0x10_0006]);
    let failed = network.without(&[network.out_links(1).start], &[]).unwrap();
    let kept = failed.subnet().unwrap();
    assert_eq!(kept.port_of_link.len(), failed.switch_links() as usize);
    for link in failed.out_links(0) {
        assert_eq!(kept.port_of_link[link as usize], 7 + failed.heads()[link as usize] - 2);
    }
}

#[test]
fn both_tables_are_the_routes_as_set() {
    for form in FORMS {
        let network = network(form);
        let subnet = network.subnet().unwrap();
        let found = [DUMP, FTS].map(|text| tables(text, &network).unwrap());
        for e in 0..network.endpoints() {
            assert_eq!(found[0].towards(e), found[1].towards(e));
        }
        let ports: Vec<u32> = (0..5)
            .map(|e| found[0].towards(e)[0])
            .filter(|l| *l != Forwarding::NONE)
            .map(|l| subnet.port_of_link[l as usize])
            .collect();
        // Of leaf0 to hostC, hostD:0 and hostD:1.
        assert_eq!(ports, [7, 8, 7]);
        // Written in LIDs and ports of the subnet, all lines of OpenSM's own file but the routes to spines.
        let text = String::from_utf8(crate::write(&found[0], &Call::bare("opensm-lfts"), &network).unwrap()).unwrap();
        let adapters = |text: &str| {
            text.lines()
                .map(str::trim)
                .filter(|l| !l.contains("# Switch") && !l.is_empty())
                .map(|l| l.replace(":0'", "'").replace(":1'", "'"))
                .collect::<Vec<_>>()
        };
        assert_eq!(adapters(&text), adapters(DUMP));
        assert_eq!(text.matches("# Switch").count(), 16);
    }
}

#[test]
fn what_is_written_is_read_again() {
    for network in [tree_3x2(), fat_tree_4x2(), line(12), network(FULL)] {
        let bytes = crate::write(&network, &Call::bare("ibnetdiscover"), ()).unwrap();
        let again = crate::read::<Network>(&bytes, "f", None, ()).unwrap().network;
        assert_eq!(ends(&network), ends(&again));
        assert_eq!(network.endpoint_switch(), again.endpoint_switch());
        assert_eq!(bytes, crate::write(&again, &Call::bare("ibnetdiscover"), ()).unwrap());
        if let (Some(a), Some(b)) = (network.subnet(), again.subnet()) {
            assert_eq!(a, b);
        }
    }
}

#[test]
fn a_fabric_cut_at_any_line_is_refused_in_one_line() {
    for form in FORMS {
        let starts: Vec<usize> = form.match_indices('\n').map(|(at, _)| at + 1).collect();
        for &end in starts.iter().filter(|end| !form[**end..].trim().is_empty()) {
            let Err(faults) = read(&form[..end]) else {
                // iblinkinfo does not say how many ports a switch has: the first switch and its hosts look whole.
                assert!(form.contains("LinkUp") && network(&form[..end]).switches() == 1, "{}", &form[..end]);
                continue;
            };
            assert_eq!(faults.0.len(), 1, "{faults}");
            assert!(["NL-F011", "NL-F004", "NL-F016"].contains(&faults.0[0].code), "{faults}");
        }
    }
    let cut = said(&FULL[..FULL.find("caguid=0x100004").unwrap()]);
    assert!(
        cut.starts_with(
            "NL-F011 f:9:1: the file is cut off: it does not list the other end of port 1 of \"leaf1\", and 2 more"
        ),
        "{cut}"
    );
}

#[test]
fn numbers_are_used_once() {
    let twice = |from: &str, to: &str| said(&FULL.replace(from, to));
    let of_node = twice("Ca\t1 \"H-0000000000100002\"", "Ca\t1 \"H-0000000000100004\"");
    assert!(of_node.starts_with("NL-F006") && of_node.contains("GUID 0x0000000000100004"), "{of_node}");
    let of_port = twice("[1](100003)", "[1](100001)");
    assert!(of_port.starts_with("NL-F006") && of_port.contains("GUID 0x0000000000100001"), "{of_port}");
    let of_lid = twice("# lid 5 lmc 0", "# lid 2 lmc 0");
    assert!(of_lid.starts_with("NL-F006") && of_lid.contains("LID 2"), "{of_lid}");
    let whole = said(&format!("{FULL}\nSwitch\t8 \"S-0000000000200001\"\t\t# \"leaf1\" base port 0 lid 3 lmc 0\n"));
    assert!(whole.starts_with("NL-F006"), "{whole}");
    let port = twice("[8]\t\"S-0000000000200003\"[2]", "[7]\t\"S-0000000000200003\"[2]");
    assert!(port.starts_with("NL-F006") && port.contains("port 7 of \"leaf1\" is listed twice"), "{port}");
}

#[test]
fn what_is_wrong_in_a_line_is_said() {
    for (form, from, to, words) in [
        (
            FULL,
            "lid 4 4xSDR",
            "lid 4 4xTDR",
            "NL-F009 f:12:47 rate must be a width and a speed such as 4xEDR, got \"4xTDR\"",
        ),
        (FULL, "lid 4 4xSDR", "lid 4 3xSDR", "rate must be a width and a speed such as 4xEDR, got \"3xSDR\""),
        (FULL, "[6]\t", "[600]\t", "NL-F009 f:12:2 port must be a number from 1 to 254, got \"600\""),
        (FULL, "base port 0 lid 3", "base port 0 lid 99999", "LID must be a number from 0 to 49151, got \"99999\""),
        (FULL, "lid 7 lmc 0", "lid 7 lmc 9", "lmc must be a number from 0 to 7, got \"9\""),
        (FULL, "Switch\t8 ", "Switch\t4000 ", "number of ports must be a number from 1 to 254, got \"4000\""),
        (FULL, "devid=0x0\n", "hello\n", "NL-F003 f:5:1 must be a device such as"),
        (PORTS, "CA     7  1", "CA     70000  1", "f:3:8 LID must be a number from 0 to 49151, got \"70000\""),
        (PORTS, "4x SDR", "3x SDR", "width must be one that InfiniBand has, such as 4x EDR, got \"3x\""),
        (LINK_INFO, "7    1[", "7    0[", "port must be a number from 1 to 254, got \"0\""),
        (
            LINES,
            "2.5 Gbps",
            "2.6 Gbps",
            "speed must be one that InfiniBand has, such as 4X and 25.78125 Gbps, got \"2.6\"",
        ),
    ] {
        assert!(form.contains(from), "{from}");
        let text = said(&form.replacen(from, to, 1));
        assert!(text.contains(words), "{text}");
    }
    // The ports under a device that is wrong are not wrong too, and a value in many lines is said once.
    assert!(said(&FULL.replace("Switch\t8 ", "Switch\t4000 ")).contains("4000"));
    assert!(said(&FULL.replace("4xSDR", "4xTDR")).contains("4xTDR"));
    let alone = said(
        "Ca\t1 \"H-01\"\t# \"a\"\n[1](2)\t\"H-03\"[1]\t# lid 1 lmc 0 \"b\" lid 2 4xEDR\n\n\
                      Ca\t1 \"H-03\"\t# \"b\"\n[1](4)\t\"H-01\"[1]\t# lid 2 lmc 0 \"a\" lid 1 4xEDR\n",
    );
    assert!(alone.starts_with("NL-F004"), "{alone}");
}

#[test]
fn what_options_of_the_tools_add_is_read() {
    let full = FULL.replace("4xSDR\n", "4xSDR s=1 w=2 v=4\n").replace("1xSDR\n", "1xSDR s=1 w=1 v=4\n");
    let begin = FULL.find("vendid=").unwrap();
    let grouped = format!(
        "#\n\nChassis 1 (guid 0x200001)\n\n# Spine Nodes\n{}\nNon-Chassis Nodes\n\n{}",
        FULL[begin..FULL.find("vendid=0x0\ndevid=0x0\nsysimgguid=0x200003").unwrap()].replace("[8]\t", "[8][ext 3]\t"),
        &FULL[FULL.find("vendid=0x0\ndevid=0x0\nsysimgguid=0x200003").unwrap()..]
    );
    let alone = format!("Non-Chassis Nodes\n\n{}", &FULL[begin..]);
    for text in [full, grouped, alone] {
        let found = network(&text);
        assert_eq!((links(&found), found.subnet()), (links(&network(FULL)), network(FULL).subnet()));
    }
}

#[test]
fn a_port_that_does_not_answer_leaves_its_cable_out() {
    for form in [LINK_INFO, LINES] {
        // Without hostC, behind port 1 of leaf1.
        let gone = |line: &&str| !line.contains("0x0000000000100005 ") || line.contains("\"hostC\"");
        let lines = form.lines().filter(|line| !line.contains("CA: hostC") && gone(line));
        let text: Vec<String> = lines
            .filter(|line| !line.starts_with("0x0000000000100005"))
            .map(|line| match line.split_once(")==>") {
                Some((own, to)) if to.contains("\"hostC\"") => format!("{own})==>      \"Port not available\""),
                _ => line.to_string(),
            })
            .collect();
        let found = read(&text.join("\n")).unwrap();
        assert_eq!((found.network.endpoints(), found.network.cables()), (4, 5));
        let note = "the other end of leaf1[1] did not answer (\"Port not available\"): this cable is left out";
        assert_eq!(found.notes[0], note);
    }
}

#[test]
fn link_info_without_lids_is_read_by_names() {
    let without = |form: &str| {
        let mut text = String::new();
        for line in form.lines() {
            let lid = |half: &str| {
                let words: Vec<&str> = half.split('[').next().unwrap().split_whitespace().collect();
                words[words.len().saturating_sub(2)..].join(" ")
            };
            let Some((own, to)) = line.split_once("==(").filter(|_| line.contains("LinkUp")) else {
                text += &format!("{line}\n");
                continue;
            };
            let (state, to) = to.split_once(")==>").unwrap();
            let zero = |half: &str| {
                let (start, rest) = half.split_once('[').unwrap();
                let port = lid(half).split(' ').nth(1).unwrap().to_string();
                let kept: Vec<&str> = start.split_whitespace().collect();
                format!("{} 0 {port}[{rest}", kept[..kept.len() - 2].join(" "))
            };
            text += &format!("{}==({state})==> {}\n", zero(own), zero(to));
        }
        text
    };
    for form in [LINK_INFO, LINES] {
        let found = network(&without(form));
        assert_eq!(links(&found), links(&network(FULL)));
        assert_eq!(found.subnet().unwrap().endpoint_lid, [0; 5]);
    }
    // Two hosts of one name: only GUIDs tell them apart.
    let text = without(LINK_INFO).replace("hostB", "hostA");
    let refused = said(&text);
    assert!(refused.starts_with("NL-F010") && refused.contains("no LIDs"), "{refused}");
    assert_eq!(network(&without(LINES).replace("hostB", "hostA")).endpoints(), 5);
}

#[test]
fn link_info_of_switches_alone_is_named() {
    let start = LINK_INFO.find("Switch:").unwrap();
    let end = LINK_INFO.rfind("CA: hostB").unwrap();
    let last = LINK_INFO.rfind("Switch:").unwrap();
    let text = said(&format!("{}{}", &LINK_INFO[start..end], &LINK_INFO[last..]));
    assert!(text.starts_with("NL-F011") && text.contains("--switches-only"), "{text}");
}

#[test]
fn ends_that_differ_in_rate_are_noted() {
    let text = FULL.replacen("\"leaf0\" lid 1 4xSDR", "\"leaf0\" lid 1 1xDDR", 1);
    let found = read(&text).unwrap();
    let words = "the ends of a cable differ in rate, and the slower one is read: ";
    assert!(found.notes[0].starts_with(words) && found.notes[0].contains("(1x DDR)"), "{:?}", found.notes);
    let slow = found.network.classes().iter().filter(|class| class.name == "1x DDR").count();
    assert_eq!(slow, 1);
    // Fewer lanes may carry more.
    let more = read(&FULL.replacen("\"leaf0\" lid 1 4xSDR", "\"leaf0\" lid 1 1xEDR", 1)).unwrap();
    assert!(more.network.classes().iter().all(|class| class.name != "1x EDR"));
}

#[test]
fn tables_of_another_fabric_are_refused() {
    let network = network(FULL);
    let said = |text: &str| {
        let faults = tables(text, &network).unwrap_err();
        faults.0[0].to_string()
    };
    for (from, to, code, words) in [
        ("guid 0x0000000000200000", "guid 0x0000000000300000", "NL-F007", "no switch of this GUID"),
        ("switch Lid 3", "switch Lid 5", "NL-F007", "this switch has LID 3"),
        ("0x0009 007", "0x000c 007", "NL-F007", "f has no LID 12"),
        ("0x0009 007", "0x0008 007", "NL-F006", "second entry"),
        ("0x0009 007", "9 7", "NL-F003", "0x0008 007"),
    ] {
        let text = said(&DUMP.replacen(from, to, 1));
        assert!(text.starts_with(code) && text.contains(words), "{text}");
    }
    let cut = said(&DUMP[..DUMP.len() - 200]);
    assert!(cut.starts_with("NL-F004") && cut.contains("cut off"), "{cut}");
}

#[test]
fn rates_are_data_rates() {
    let gbps = |text: &str| Rate::parse(text).map(|rate| rate.bytes_per_s() * 8e-9);
    assert_eq!(gbps("4xEDR"), Some(100.0));
    assert_eq!(gbps("4xHDR"), Some(200.0));
    assert_eq!(gbps("2xHDR"), Some(100.0));
    assert_eq!(gbps("4xQDR"), Some(32.0));
    assert!((gbps("4xFDR").unwrap() - 54.5454).abs() < 1e-3);
    assert_eq!(gbps("5xEDR"), None);
    assert_eq!(Rate::of("4X", "25.78125"), Rate::parse("4xEDR"));
    assert_eq!(Rate::at_least(12.5e9).word(), "4xEDR");
    assert_eq!(Rate::at_least(1e9 / 4.0).word(), "1xSDR");
    assert_eq!(Rate::at_least(13e9).word(), "4xHDR");
    assert_eq!(Rate::at_least(1e15).word(), "4xXDR");
}

#[test]
fn hosts_and_switches_without_names_of_their_own() {
    let maker = "MT4115 ConnectX4 Mellanox Technologies";
    let text = FULL.replace("\"hostA\"", &format!("\"{maker}\"")).replace("\"hostB\"", &format!("\"{maker}\""));
    let found = network(&text.replace("\"spine0\"", "\"Quantum\"").replace("\"spine1\"", "\"Quantum\""));
    assert_eq!(found.endpoint_name(0), "H-0000000000100000");
    assert_eq!(found.switch_name(0), "S-0000000000200002");
    let sharp = read(&FULL.replace("\"hostA\"", "\"Mellanox Technologies Aggregation Node\"")).unwrap();
    assert_eq!(sharp.network.endpoints(), 4);
    assert!(sharp.notes[0].contains("1 aggregation node"), "{:?}", sharp.notes);
    assert!(sharp.notes[1].contains("hosts have 1 to 2 ports"), "{:?}", sharp.notes);
    assert!(tables(DUMP, &sharp.network).is_ok());
    let order = crate::write(&network(FULL), &Call::bare("node-order"), ()).unwrap();
    assert_eq!(String::from_utf8(order).unwrap().lines().next(), Some("0x0000000000100001"));
    let roots = crate::write(&network(FULL), &Call::bare("root-guids"), ()).unwrap();
    assert_eq!(String::from_utf8(roots).unwrap(), "0x0000000000200002\n0x0000000000200003\n");
    let ring = crate::write(&line(3), &Call::bare("root-guids"), ()).unwrap_err();
    assert_eq!(ring.0[0].code, "NL-F018");
    assert_eq!(natural::compare("a", "a"), std::cmp::Ordering::Equal);
}

#[test]
fn a_host_with_two_ports_is_one_host_of_rank_files() {
    let write = |network: &Network, endpoints: &[u32], format: &str| {
        let mapping = netloom_model::Mapping::new(endpoints.to_vec(), network).unwrap();
        let written = crate::write(&mapping, &Call::parse(format).unwrap(), network);
        written.map_or_else(|faults| faults.to_string(), |bytes| String::from_utf8(bytes).unwrap())
    };
    let full = network(FULL);
    let order = [4, 0, 3];
    let file = "rank 0=hostD slot=1\nrank 1=hostA slot=0\nrank 2=hostD slot=0\n";
    assert_eq!(write(&full, &order, "rankfile"), file);
    let read =
        crate::read::<netloom_model::Mapping>(file.as_bytes(), "f", Some(&Call::parse("rankfile").unwrap()), &full);
    assert_eq!(read.unwrap().endpoints(), order);
    assert_eq!(write(&full, &[0, 1, 2, 3, 4], "hostfile"), "hostA:1\nhostB:1\nhostC:1\nhostD:2\n");
    // The slots of both ports are those of the host, one after another.
    let slots = full.with_slots(2).unwrap();
    let file = "rank 0=hostD slot=3\nrank 1=hostD slot=1\nrank 2=hostA slot=1\n";
    assert_eq!(write(&slots, &[9, 7, 1], "rankfile"), file);
    assert_eq!(write(&slots, &[6, 7, 8, 9, 0], "hydra-bind"), "-bind-to user:0,1,2,3\n");
}

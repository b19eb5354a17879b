//! Every word that the tools' manuals define: what it changes, what is said of it.

use netloom_model::{Call, Network, Outcome};

use super::fields::{LINES, STATES};
use crate::Read;
use crate::fixtures::links;
use crate::noted::Fate;

fn read(text: &str) -> Outcome<Read> {
    crate::read::<Network>(text.as_bytes(), "f", Some(&Call::bare("ibnetdiscover")), ())
}

/// A switch with two adapters; `router` in place of the second one, `remark` behind every rate.
fn discovered(router: bool, remark: &str) -> String {
    let (kind, letter) = if router { ("Rt", 'R') } else { ("Ca", 'H') };
    format!(
        "Switch\t36 \"S-00aa\"\t# \"sw\" base port 0 lid 1 lmc 0\n\
         [1]\t\"H-0100\"[1](101)\t# \"n1\" lid 2 4xEDR{remark}\n[2]\t\"{letter}-0200\"[1](201)\t# \"n2\" lid 4 4xEDR{remark}\n\n\
         Ca\t1 \"H-0100\"\t# \"n1\"\n[1](101)\t\"S-00aa\"[1]\t# lid 2 lmc 1 \"sw\" lid 1 4xEDR{remark}\n\n\
         {kind}\t1 \"{letter}-0200\"\t# \"n2\"\n[1](201)\t\"S-00aa\"[2]\t# lid 4 lmc 0 \"sw\" lid 1 4xEDR{remark}\n"
    )
}

fn port_list(kind: &str) -> String {
    let line = |a: &str, b: &str| format!("{a} 4x EDR - {b}\n");
    let (sw, n1, n2) = ("SW 1 {} 0x00aa", "CA 2 1 0x0101", format!("{kind} 3 1 0x0201"));
    let sw = |port: &str| sw.replace("{}", port);
    line(&sw("1"), &format!("{n1} ( 'sw' - 'n1' )"))
        + &line(&sw("2"), &format!("{n2} ( 'sw' - 'n2' )"))
        + &line(n1, &format!("{} ( 'n1' - 'sw' )", sw("1")))
        + &line(&n2, &format!("{} ( 'n2' - 'sw' )", sw("2")))
}

/// The same for `iblinkinfo`, the first cable in this state, with what is behind the name of its peer.
fn link_info(state: &str, remark: &str, kind: &str) -> String {
    let up = "4X 25.78125 Gbps";
    format!(
        "CA: n1:\n 0x0101 2 1[ ] ==( {up} {state}/ LinkUp)==> 1 1[ ] \"sw\" ( )\n\
         {kind} n2:\n 0x0201 3 1[ ] ==( {up} Active/ LinkUp)==> 1 2[ ] \"sw\" ( )\n\
         Switch: 0x00aa sw:\n 1 1[ ] ==( {up} {state}/ LinkUp)==> 2 1[ ] \"n1\" ({remark})\n\
         1 2[ ] ==( {up} Active/ LinkUp)==> 3 1[ ] \"n2\" ( )\n 1 3[ ] ==( Down/ Polling)==> [ ] \"\" ( )\n"
    )
}

fn fate(table: &[(&str, Fate)], word: &str) -> Fate {
    table.iter().find(|field| field.0 == word).unwrap_or_else(|| panic!("{word}")).1
}

#[test]
fn lines_of_ibnetdiscover() {
    let base = read(&discovered(false, "")).unwrap();
    assert!(base.notes.is_empty(), "{:?}", base.notes);
    // ibnetdiscover(8), "TOPOLOGY FILE FORMAT", and the option -g.
    let manual = "vendid= devid= sysimgguid= switchguid= caguid= rtguid= chassisguid= Switch Ca Rt [";
    manual.split(' ').for_each(|word| _ = fate(LINES, word));
    for (start, fate) in LINES {
        if *fate != Fate::Label {
            continue;
        }
        let text = format!("{start}0x2c9 0\n{}", discovered(false, ""));
        let found = read(&text).unwrap_or_else(|faults| panic!("{start}: {faults}"));
        assert_eq!((links(&found.network), found.notes), (links(&base.network), vec![]), "{start}");
    }
    let router = read(&discovered(true, "")).unwrap();
    assert_eq!(router.notes, ["1 router to another subnet is read as a host"]);
    assert_eq!(router.network.endpoints(), 2);
    // With -f: link widths and speeds as numbers, virtual lanes.
    assert!(read(&discovered(false, " s=64 w=2 v=4")).unwrap().notes.is_empty());
    for other in ["speed=9\n", "Hub\t1 \"X-01\"\t# \"h\"\n", "Topology v2\n"] {
        assert!(read(&(discovered(false, "") + other)).unwrap_err().to_string().starts_with("NL-F003"), "{other}");
    }
}

/// Number, name, GUID, LID and LMC of a device or port each show in the network that is read.
#[test]
fn parts_of_a_line_of_ibnetdiscover_are_used() {
    let text = discovered(false, "");
    let facts = |text: &str| {
        let found = read(text).unwrap_or_else(|faults| panic!("{text}: {faults}")).network;
        let subnet = found.subnet().unwrap().as_ref().clone();
        let names = (found.switch_name(0), found.endpoint_name(0));
        (names, subnet, found.endpoint_class().bandwidth_bytes_per_s.to_bits())
    };
    let base = facts(&text);
    for (old, new) in [
        ("Switch\t36", "Switch\t40"),
        ("00aa", "00ab"),
        ("# \"sw\"", "# \"core\""),
        ("lid 1 lmc 0\n", "lid 9 lmc 0\n"),
        ("\"n1\"", "\"m1\""),
        ("(101)", "(111)"),
        ("lid 2 lmc 1", "lid 2 lmc 0"),
        ("lid 2 ", "lid 12 "),
        ("[2]\t", "[3]\t"),
        ("4xEDR", "4xHDR"),
    ] {
        let changed = text.replace(old, new).replace(if old == "[2]\t" { "[2]\t#" } else { "\0" }, "[3]\t#");
        assert!(text.contains(old) && facts(&changed) != base, "{old}");
    }
}

#[test]
fn lines_of_the_port_list() {
    for (kind, notes) in [("CA", 0), ("RT", 1)] {
        let found = read(&port_list(kind)).unwrap_or_else(|faults| panic!("{kind}: {faults}"));
        assert_eq!((found.network.endpoints(), found.notes.len()), (2, notes), "{kind}: {:?}", found.notes);
    }
    assert!(read(&port_list("XX")).is_err());
}

#[test]
fn states_and_remarks_of_iblinkinfo() {
    for (state, fate) in STATES {
        let found = read(&link_info(state, " ", "CA:")).unwrap_or_else(|faults| panic!("{state}: {faults}"));
        let note = format!("ports are up and not active, and are read as if they were: {state} (2)");
        assert_eq!(found.notes, if *fate == Fate::Noted { vec![note] } else { vec![] }, "{state}");
        assert_eq!(found.network.subnet().unwrap().switch_ports, [3]);
    }
    for kind in ["RT:", "Router:"] {
        assert_eq!(
            read(&link_info("Active", " ", kind)).unwrap().notes,
            ["1 router to another subnet is read as a host"]
        );
    }
    let best = |remark| read(&link_info("Active", remark, "CA:")).unwrap().network.subnet().unwrap().best.clone();
    assert!(best(" ").iter().all(|known| known.2 == 12.5e9));
    assert!(best("Could be 53.125 Gbps").iter().any(|known| known.2 == 25e9));
}

/// Descriptions that the maker sets have several words: adapters are called by their GUIDs, which is said.
#[test]
fn descriptions_of_many_words_are_said() {
    for name in ["MT4123 ConnectX6 Mellanox Technologies", ""] {
        let found = read(&discovered(false, "").replace("\"n1\"", &format!("\"{name}\""))).unwrap();
        assert_eq!(found.network.endpoint_name(0), "H-0000000000000100");
        let note =
            format!("1 adapter has a description of no or many words: \"{name}\"; each is a host called by its GUID");
        assert!(found.notes.len() == 1 && found.notes[0].starts_with(&note), "{:?}", found.notes);
    }
}

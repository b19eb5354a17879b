//! Which adapters are one host, planes, and every kind of line of the tools.

use netloom_model::{Call, Network, Outcome};

use crate::Read;

fn read(text: &str) -> Outcome<Read> {
    crate::read::<Network>(text.as_bytes(), "f", Some(&Call::bare("ibnetdiscover")), ())
}

/// A star of these adapters, as `ibnetdiscover` prints it.
fn star(names: &[&str]) -> String {
    let mut text = String::from("Switch\t36 \"S-00000000000000aa\"\t# \"sw\" base port 0 lid 1 lmc 0\n");
    for (n, name) in names.iter().enumerate() {
        text += &format!(
            "[{}]\t\"H-{:016x}\"[1]({:x})\t# \"{name}\" lid {} 4xEDR\n",
            n + 1,
            256 * (n + 1),
            256 * (n + 1) + 1,
            n + 2
        );
    }
    for (n, name) in names.iter().enumerate() {
        text += &format!("\nCa\t1 \"H-{:016x}\"\t# \"{name}\"\n", 256 * (n + 1));
        text += &format!(
            "[1]({:x})\t\"S-00000000000000aa\"[{}]\t# lid {} lmc 0 \"sw\" lid 1 4xEDR\n",
            256 * (n + 1) + 1,
            n + 1,
            n + 2
        );
    }
    text
}

fn endpoints(found: &Read) -> Vec<String> {
    (0..found.network.endpoints()).map(|e| found.network.endpoint_name(e)).collect()
}

#[test]
fn devices_of_one_host_differ_after_its_name() {
    let found = read(&star(&["cn1 mlx5_0", "cn1 mlx5_1", "cn2 mlx5_0"])).unwrap();
    assert_eq!(endpoints(&found), ["cn1:0", "cn1:1", "cn2"]);
    assert!(!found.notes.iter().any(|note| note.contains("GUID")), "{:?}", found.notes);
}

#[test]
fn adapters_of_one_description_are_different_hosts() {
    let found = read(&star(&["cn1 HCA-1", "cn1 HCA-1", "cn1 HCA-2", "cn2 HCA-1"])).unwrap();
    // Which of the two has HCA-2 is not known.
    assert_eq!(endpoints(&found), ["H-0000000000000100", "H-0000000000000200", "H-0000000000000300", "cn2"]);
    let note = found.notes.iter().find(|note| note.contains("same description")).unwrap();
    assert!(note.starts_with("3 adapters") && note.contains("--node-name-map"), "{note}");
    let bare = read(&star(&["cn1", "cn1"])).unwrap();
    assert_eq!(endpoints(&bare), ["H-0000000000000100", "H-0000000000000200"]);
}

#[test]
fn descriptions_that_were_never_set_name_no_host() {
    for name in
        ["localhost HCA-1", "localhost.localdomain mlx5_0", "MT4123", "mlx5_0", "(none) HCA-1", "ConnectX-7 adapter"]
    {
        let found = read(&star(&[name, "cn2 HCA-1"])).unwrap();
        assert_eq!(endpoints(&found), ["H-0000000000000100", "cn2"], "{name}");
        assert!(
            found.notes.iter().any(|note| note.contains("names no host") && note.contains(name)),
            "{:?}",
            found.notes
        );
    }
    // Names that only begin like it.
    assert_eq!(endpoints(&read(&star(&["localhost1 HCA-1", "mt4 HCA-1"])).unwrap()), ["localhost1", "mt4"]);
}

#[test]
fn ports_of_an_adapter_are_devices_in_other_forms() {
    let port = |port: u32, lid: u32, guid: u32, name: &str| {
        format!("CA {lid} {port} 0x{guid:016x} 4x EDR - SW 1 {lid} 0x00000000000000aa ( '{name}' - 'sw' )\n")
    };
    let back = |to: u32, lid: u32, guid: u32, name: &str| {
        format!("SW 1 {lid} 0x00000000000000aa 4x EDR - CA {lid} {to} 0x{guid:016x} ( 'sw' - '{name}' )\n")
    };
    let of = |second: u32| {
        port(1, 2, 0x101, "cn1 HCA-1")
            + &port(second, 3, 0x202, "cn1 HCA-1")
            + &back(1, 2, 0x101, "cn1 HCA-1")
            + &back(second, 3, 0x202, "cn1 HCA-1")
    };
    assert_eq!(endpoints(&read(&of(2)).unwrap()), ["cn1:0", "cn1:1"]);
    assert_eq!(endpoints(&read(&of(1)).unwrap()), ["H-0000000000000101", "H-0000000000000202"]);
}

#[test]
fn planes_are_parts() {
    let mut text = String::new();
    for plane in 1..=2 {
        let guid = 0xa0 + plane;
        text += &format!("\nSwitch\t36 \"S-{guid:016x}\"\t# \"asic {plane}\" base port 0 lid {plane} lmc 0\n");
        for host in 1..=3 {
            let (node, lid) = (0x1000 * host + 0x10 * plane, 10 * plane + host);
            text += &format!(
                "[{host}]\t\"H-{node:016x}\"[1]({:x})\t# \"g{host} mlx5_0_plane_{plane}\" lid {lid} 1xXDR\n",
                node + 1
            );
        }
        for host in 1..=3 {
            let (node, lid) = (0x1000 * host + 0x10 * plane, 10 * plane + host);
            text += &format!("\nCa\t1 \"H-{node:016x}\"\t# \"g{host} mlx5_0_plane_{plane}\"\n");
            text += &format!(
                "[1]({:x})\t\"S-{guid:016x}\"[{host}]\t# lid {lid} lmc 0 \"asic {plane}\" lid {plane} 1xXDR\n",
                node + 1
            );
        }
    }
    let whole = read(&text).unwrap().network;
    let said = whole.require_connected().unwrap_err().to_string();
    assert!(
        said.contains("in 2 parts") && said.contains("planes") && said.contains("--part 0") && said.contains("asic 2"),
        "{said}"
    );
    for which in ["1", "asic 2", "g2:1"] {
        let plane = whole.part(which).unwrap();
        assert_eq!((plane.switches(), plane.endpoints()), (1, 3), "{which}");
        // The only port that a host has in the plane is called as the host.
        assert_eq!([plane.switch_name(0), plane.endpoint_name(1)], ["asic 2", "g2"]);
        let subnet = plane.subnet().unwrap();
        assert_eq!((&subnet.switch_guid[..], &subnet.endpoint_lid[..]), (&[0xa2][..], &[21, 22, 23][..]));
        plane.require_connected().unwrap();
    }
    for which in ["2", "g2", "nobody"] {
        let said = whole.part(which).unwrap_err().to_string();
        assert!(said.starts_with("NL-N004") && said.contains("asic 1"), "{said}");
    }
}

/// ibnetdiscover(8): every kind of line. Labels say nothing of links; what is none of these is refused.
#[test]
fn every_kind_of_line_is_known() {
    let form = star(&["cn1 HCA-1", "cn2 HCA-1"]);
    let labels = "#\n# Topology file: generated on Thu Jan  1 00:00:00 2026\n#\n# Initiated from node 0100 port 0101\n\n\
                  Chassis 1 (guid 0x2)\nHostname: cn1\nNon-Chassis Nodes\nvendid=0x2c9\ndevid=0xc738\nsysimgguid=0x1\nchassisguid=0x2\n\
                  switchguid=0xaa(aa)\ncaguid=0x1\nrtguid=0x1\n";
    assert_eq!(read(&(String::from(labels) + &form)).unwrap().network.endpoints(), 2);
    let router = form
        .replace("Ca\t1 \"H-0000000000000200\"", "Rt\t1 \"R-0000000000000200\"")
        .replace("\"H-0000000000000200\"", "\"R-0000000000000200\"");
    assert_eq!(read(&router).unwrap().network.endpoints(), 2);
    for other in ["Hub\t1 \"X-01\"\t# \"h\"\n", "speed=9\n"] {
        assert!(read(&(form.clone() + other)).unwrap_err().to_string().starts_with("NL-F003"), "{other}");
    }
}

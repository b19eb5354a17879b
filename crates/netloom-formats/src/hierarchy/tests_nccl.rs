//! GPUs of NCCL's topology, and the links between them.

use super::{Hierarchy, read};

const FAST: &str = "link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"";

/// GPUs by processor, each with what is inside it, and a NIC on every processor.
fn system(processors: &[&[&str]], pci: &str) -> String {
    let mut out = String::from("<system version=\"1\">");
    let mut number = 0;
    for (cpu, gpus) in processors.iter().enumerate() {
        out += &format!("<cpu numaid=\"{cpu}\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">");
        for inside in *gpus {
            out += &format!(
                "<pci busid=\"0000:0{number}:00.0\" class=\"0x030200\" {pci}><gpu dev=\"{number}\" sm=\"80\" rank=\"{number}\" \
                 gdr=\"1\">{inside}</gpu></pci>"
            );
            number += 1;
        }
        out += &format!(
            "<pci busid=\"0000:1{cpu}:00.0\" class=\"0x020700\"><nic><net name=\"mlx5_{cpu}\" dev=\"{cpu}\" speed=\"200000\" \
             port=\"1\" guid=\"0x{cpu}\" maxconn=\"1\" gdr=\"1\"/></nic></pci></cpu>"
        );
    }
    out + "</system>"
}

fn to(gpu: u32, count: u32) -> String {
    format!("<nvlink target=\"0000:0{gpu}:00.0\" count=\"{count}\" tclass=\"0x030200\"/>")
}

fn found(text: &str) -> Hierarchy {
    read(text.as_bytes(), "f", "").unwrap_or_else(|faults| panic!("{faults}"))
}

fn said(text: &str) -> String {
    read(text.as_bytes(), "f", "").unwrap_err().to_string()
}

fn even(counts: [u32; 4]) -> super::Counts {
    counts.map(|n| vec![n])
}

#[test]
fn links_from_gpu_to_gpu_are_a_graph() {
    let of = |own: u32| (0..4).filter(|gpu| *gpu != own).map(|gpu| to(gpu, 4)).collect::<String>();
    let all = [of(0), of(1), of(2), of(3)];
    let mesh = found(&system(&[&[&all[0], &all[1]], &[&all[2], &all[3]]], FAST));
    assert_eq!((&mesh.counts, mesh.nics), (&even([2, 1, 1, 2]), 2));
    // Four links of 20 GB/s for each pair; the level is that of PCI.
    assert_eq!(mesh.links, "0-1,0-2,0-3,1-2,1-3,2-3:640 Gbps");
    assert_eq!(mesh.speed_bytes_per_s, Some(32e9));
    assert!(
        mesh.notes[1].starts_with("NVLinks join GPUs directly") && !mesh.notes[1].contains("none"),
        "{:?}",
        mesh.notes
    );
    // Two pairs, and one pair alone.
    let pairs = found(&system(&[&[&to(1, 4), &to(0, 4)], &[&to(3, 2), &to(2, 2)]], FAST));
    assert_eq!(pairs.links, "0-1:640 Gbps; 2-3:320 Gbps");
    let some = found(&system(&[&[&to(1, 4), &to(0, 4)], &["", ""]], FAST));
    assert_eq!((some.links.as_str(), &some.counts), ("0-1:640 Gbps", &even([2, 1, 1, 2])));
    assert!(some.notes.iter().any(|note| note.contains("2 GPUs have none")), "{:?}", some.notes);
    // One way, other numbers each way, several elements of one pair, and a GPU that is not there.
    let odd = found(&system(&[&[&(to(1, 1) + &to(1, 2)), &to(0, 1), &to(0, 1), &to(9, 1)]], FAST));
    assert_eq!(odd.links, "0>1:480 Gbps; 1>0,2>0:160 Gbps");
    assert!(odd.notes.iter().any(|note| note.contains("GPUs that the file does not list (1)")), "{:?}", odd.notes);
    assert!(found(&system(&[&["", ""]], FAST)).links.is_empty());
}

#[test]
fn an_nvswitch_is_a_level() {
    let switch = "<nvlink target=\"0000:05:00.0\" count=\"12\" tclass=\"0x068000\"/>";
    let all = found(&system(&[&[switch, switch], &[switch, switch]], FAST));
    assert_eq!((&all.counts, all.gpus, all.nics), (&even([1, 1, 1, 4]), true, 2));
    assert_eq!((all.speed_bytes_per_s, all.links.as_str()), (Some(240e9), ""));
    assert_eq!(
        all.notes,
        ["NICs of 200 Gb/s: give the network this bandwidth", "in the NCCL file and not used: speed of PCI links (4)"]
    );
    // Not known, as in a virtual machine: NCCL takes it for a switch.
    let hidden = switch.replace(" tclass=\"0x068000\"", "");
    assert_eq!(found(&system(&[&[&hidden, &hidden]], FAST)).speed_bytes_per_s, Some(240e9));
    let text = said(&system(&[&[switch, ""]], FAST));
    assert!(text.starts_with("NL-F018 f: 1 of 2 GPUs have NVLinks to a switch"), "{text}");
    let fewer = switch.replace("12", "11");
    let text = said(&system(&[&[switch, &fewer]], FAST));
    assert!(text.contains("node(gpus=2,gpu_bandwidth=\"1760 Gbps\")"), "{text}");
}

#[test]
fn links_to_processors_are_those_of_the_level() {
    let nvlink = "<nvlink target=\"0004:00:00.0\" count=\"3\" tclass=\"0x068001\"/>";
    let power = found(&system(&[&[nvlink, nvlink], &[nvlink, nvlink]], FAST));
    assert_eq!((power.speed_bytes_per_s, &power.counts), (Some(60e9), &even([2, 1, 1, 2])));
    let c2c = "<c2c bw=\"45000\" count=\"10\"/>";
    let grace = found(&system(&[&[c2c], &[c2c]], FAST));
    assert_eq!(grace.speed_bytes_per_s, Some(450e9));
    for node in [power, grace] {
        assert!(node.notes.iter().any(|note| note.contains("to processors are the links of the GPUs' level")));
    }
    assert!(said(&system(&[&["<c2c bw=\"x\" count=\"1\"/>"]], FAST)).contains("bw of <c2c> is \"x\", no number"));
    assert!(said(&system(&[&["<nvlink target=\"1\" tclass=\"0x030200\"/>"]], FAST)).starts_with("NL-F009"));
}

#[test]
fn gpus_of_amd_have_links_too() {
    let xgmi = |gpu: u32| format!("<xgmi target=\"0000:0{gpu}:00.0\" count=\"1\" tclass=\"0x038000\"/>");
    let text = system(&[&[&xgmi(1), &xgmi(0)]], FAST).replace("sm=\"80\"", "gcn=\"gfx942\" arch=\"1\"");
    assert_eq!(found(&text).links, "0-1:384 Gbps");
    assert_eq!(found(&text.replace("gfx942", "gfx90a")).links, "0-1:288 Gbps");
}

#[test]
fn pci_without_a_speed_is_generation_3() {
    for pci in ["link_speed=\"Unknown speed\" link_width=\"16\"", "link_speed=\"Unknown\" link_width=\"0\"", ""] {
        let node = found(&system(&[&["", ""], &["", ""]], pci));
        assert_eq!((node.speed_bytes_per_s, &node.counts), (Some(16e9), &even([2, 1, 1, 2])), "{pci}");
        assert!(node.notes[0].contains("does not know the PCI speed or width of 4 GPUs: 8 GT/s"), "{:?}", node.notes);
    }
    let known = found(&system(&[&["", ""], &["", ""]], FAST));
    assert_eq!(known.speed_bytes_per_s, Some(32e9));
    assert!(known.notes.iter().all(|note| !note.contains("does not know")), "{:?}", known.notes);
    assert!(known.notes[0].contains("socket_bandwidth limits them"), "{:?}", known.notes);
}

#[test]
fn gpus_may_be_spread_unevenly() {
    let node = found(&system(&[&["", "", ""], &[""]], FAST));
    assert_eq!(node.counts, [vec![2], vec![1], vec![1], vec![3, 1]]);
    assert!(node.notes.iter().any(|note| note.contains("some of them on another processor")), "{:?}", node.notes);
    // One socket has none, and its NIC is one all the same.
    let node = found(&system(&[&["", ""], &[]], FAST));
    assert_eq!((&node.counts, node.nics), (&even([1, 1, 1, 2]), 2));
    let other = system(&[&["", ""]], FAST).replacen("link_width=\"16\"", "link_width=\"8\"", 1);
    let text = said(&other);
    assert!(text.starts_with("NL-F018 f: GPUs differ: one has links of 16 GB/s, another of 32"), "{text}");
    assert!(text.contains("node(gpus=2,gpu_bandwidth=\"128 Gbps\")"), "{text}");
    assert!(said("<system version=\"1\"><cpu numaid=\"0\"/></system>").starts_with("NL-F010"));
    assert!(said("<system version=\"1\"><gpu dev=\"0\"/></system>").contains("in no <cpu>"));
}

#[test]
fn the_order_and_the_hosts_are_said() {
    let text = system(&[&["", ""]], FAST).replacen("dev=\"0\" sm", "dev=\"7\" sm", 1);
    assert!(found(&text).notes.iter().any(|note| note.contains("seats 0, 1, ... are devices 7, 1")));
    let two = system(&[&[""], &[""]], FAST);
    let two = two.replacen("numaid=\"0\"", "host_hash=\"0x1\"", 1).replacen("numaid=\"1\"", "host_hash=\"0x2\"", 1);
    assert!(found(&two).notes.iter().any(|note| note.contains("the GPUs of 2 hosts")));
}

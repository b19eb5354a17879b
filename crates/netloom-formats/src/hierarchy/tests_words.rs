//! Every element, attribute and key that a format's manual defines has a fate, and what is noted is said.

use super::read;
use super::{hwloc_words, nccl_words, slurm_words};
use crate::noted::{ElementRow, Fate};

fn notes(text: &str) -> String {
    read(text.as_bytes(), "f", "").unwrap_or_else(|faults| panic!("{faults}")).notes.join("\n")
}

fn fate(table: &[ElementRow], element: &str, attribute: &str) -> Fate {
    let row = table.iter().find(|row| row.0 == element).unwrap_or_else(|| panic!("{element}"));
    if attribute.is_empty() {
        return row.1;
    }
    row.2.iter().find(|known| known.0 == attribute).unwrap_or_else(|| panic!("{attribute} of {element}")).1
}

/// `hwloc2.dtd` of 2.9 and `hwloc.dtd` of 1.11.
#[test]
fn the_xml_of_hwloc() {
    let object = "type subtype os_index gp_index cpuset complete_cpuset online_cpuset allowed_cpuset nodeset complete_nodeset \
        allowed_nodeset local_memory name cache_size depth cache_linesize cache_associativity cache_type kind subkind dont_merge \
        bridge_type bridge_pci pci_busid pci_type pci_link_speed osdev_type";
    object.split_whitespace().for_each(|name| assert_ne!(fate(hwloc_words::TABLE, "object", name), Fate::Refused));
    for element in ["topology", "object", "page_type", "info", "userdata", "support"] {
        assert!(matches!(fate(hwloc_words::TABLE, element, ""), Fate::Used | Fate::Label));
    }
    let machine = |inside: &str, after: &str| {
        format!(
            "<topology version=\"2.0\"><object type=\"Machine\"><object type=\"Package\"><object type=\"Core\"/>{inside}\
             </object></object>{after}</topology>"
        )
    };
    assert_eq!(notes(&machine("", "<support name=\"a\" value=\"1\"/>")), "");
    for element in ["distances", "distances2", "distances2hetero", "memattr", "cpukind"] {
        let text = notes(&machine("", &format!("<{element}><anything/></{element}>")));
        assert_eq!(text, format!("in the hwloc file and not used: <{element}> (1)"));
    }
    let gpu = "<object type=\"PCIDev\" pci_link_speed=\"31.5\"><object type=\"OSDev\" osdev_type=\"5\" name=\"cuda0\"/></object>";
    let text = notes(&machine(gpu, ""));
    assert!(text.contains("1 GPUs on the node") && text.contains("pci_link_speed of devices (1)"), "{text}");
    assert!(notes(&machine("<object type=\"PCIDev\" pci_link_speed=\"0.000000\"/>", "")).is_empty());
    assert!(notes(&machine("<object type=\"Tile\"/>", "")).contains("object of type Tile (1)"));
    assert!(notes(&machine("<object type=\"PU\"/>", "")).contains("hardware thread outside of a core (1)"));
    assert!(notes(&machine("<object type=\"L1iCache\" colour=\"1\"/>", "")).contains("colour of <object> (1)"));
}

/// NCCL's `src/graph/xml.cc`, RCCL's additions.
#[test]
fn the_topology_of_nccl() {
    for (element, attributes) in [
        ("system", "version"),
        ("cpu", "numaid host_hash affinity arch vendor familyid modelid"),
        ("pci", "busid class vendor device subsystem_vendor subsystem_device link_speed link_width"),
        ("gpu", "dev sm rank gdr gcn arch mlopart"),
        ("nvlink", "target count tclass"),
        ("xgmi", "target count tclass"),
        ("c2c", "bw count"),
        ("nic", ""),
        ("net", "name dev speed latency port guid maxconn gdr coll keep rail plane"),
    ] {
        assert_eq!(fate(nccl_words::TABLE, element, ""), Fate::Used);
        attributes
            .split_whitespace()
            .for_each(|name| assert_ne!(fate(nccl_words::TABLE, element, name), Fate::Refused));
    }
    let node = |gpu: &str, beside: &str| {
        format!(
            "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"1\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">\
             <gpu dev=\"0\" sm=\"80\" {gpu}/></pci>{beside}</cpu></system>"
        )
    };
    assert_eq!(notes(&node("", "")), "");
    for (gpu, beside, said) in [
        ("mlopart=\"1\"", "", "mlopart of <gpu> (1)"),
        ("", "<pcilink target=\"2\"/>", "<pcilink> (1)"),
        ("", "<gin/>", "<gin> (1)"),
        ("", "<nic><net dev=\"0\" speed=\"1\" rail=\"1\" plane=\"0\"/></nic>", "rail of <net> (1), plane of <net> (1)"),
        ("", "<nic><net dev=\"0\" speed=\"1\" latency=\"1.5\"/></nic>", "latency of <net> (1)"),
        ("", "<nic><net speed=\"1\"/></nic>", "<net> without dev or with keep=0 (1)"),
        ("", "<nic><net dev=\"1\" keep=\"0\" speed=\"1\"/></nic>", "<net> without dev or with keep=0 (1)"),
        ("", "<nic><net dev=\"1\"/></nic>", "does not know the speed of 1 NICs"),
    ] {
        let text = notes(&node(gpu, beside));
        assert!(text.contains(said), "{said}: {text}");
    }
    let graph = read(node("", "<graph id=\"0\"/>").as_bytes(), "f", "").unwrap_err().to_string();
    assert!(graph.contains("the element <graph> is not read"), "{graph}");
    assert!(!notes(&node("", "<nic><net dev=\"0\" speed=\"1\" latency=\"0.000000\"/></nic>")).contains("not used"));
}

/// scontrol(1), slurm.conf(5) of 25.05.
#[test]
fn the_nodes_of_slurm() {
    let printed = "NodeName Arch CoresPerSocket CPUAlloc CPUEfctv CPUTot CPULoad AvailableFeatures ActiveFeatures Gres GresDrain \
        GresUsed NodeAddr NodeHostName Port Version OS RealMemory AllocMem FreeMem Sockets Boards CoreSpecCount CPUSpecList \
        MemSpecLimit State ThreadsPerCore TmpDisk Weight Owner MCS_label NextState Partitions BootTime SlurmdStartTime LastBusyTime \
        ResumeAfterTime CfgTRES AllocTRES CapWatts CurrentWatts AveWatts Reason Comment Extra InstanceId InstanceType";
    let written = "NodeHostname NodeAddr BcastAddr Boards CoreSpecCount CoresPerSocket CpuBind CPUs CPUSpecList Features Gres \
        MemSpecLimit Port Procs RealMemory Reason RestrictedCoresPerGPU Sockets SocketsPerBoard State ThreadsPerCore TmpDisk \
        Topology Weight Parameters";
    for key in printed.split_whitespace().chain(written.split_whitespace()) {
        let known = slurm_words::KEYS.iter().find(|known| known.0.eq_ignore_ascii_case(key));
        let fate = known.unwrap_or_else(|| panic!("{key}")).1;
        let value = if ["CPUs", "Procs", "CPUTot"].contains(&key) { 8 } else { 1 };
        let text = notes(&format!("NodeName=a Sockets=2 CoresPerSocket=4 {key}={value}\n"));
        assert_eq!(text.contains("not used"), fate == Fate::Noted, "{key}: {text}");
    }
    assert!(notes("NodeName=a Sockets=2 CoresPerSocket=4 Novelty=1").ends_with("not used: Novelty (1)"));
}

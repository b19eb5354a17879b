//! Host files of Open MPI, hosts by number, names in full and in short.

use netloom_model::{Call, Mapping, Network, NetworkBuilder};

fn network(names: &[&str]) -> Network {
    let mut builder = NetworkBuilder::new("f", 1);
    names.iter().for_each(|_| builder.endpoint(0));
    builder.endpoint_names(names.iter().map(|name| name.to_string()).collect());
    builder.build().unwrap()
}

fn read(text: &str, network: &Network, format: &str) -> Result<Vec<u32>, String> {
    let call = Call::parse(format).unwrap();
    let found = crate::read::<Mapping>(text.as_bytes(), "f", Some(&call), network);
    found.map(|mapping| mapping.endpoints().to_vec()).map_err(|faults| faults.to_string())
}

#[test]
fn slots_of_host_files_are_filled_host_by_host() {
    let slots = network(&["cn1", "cn2", "cn3"]).with_slots(4).unwrap();
    let text = "# hosts\ncn2 slots=2 max_slots=4\n\ncn1 slots=1 # one\ncn2 slots=1\ncn3 max-slots=2\n";
    assert_eq!(read(text, &slots, "ompi-hostfile(slots=4)").unwrap(), [4, 5, 6, 0, 8, 9]);
    assert_eq!(read("cn1\n", &slots, "ompi-hostfile(slots=4)").unwrap(), [0, 1, 2, 3]);
    let head = b"cn2 slots=2\n";
    let told = crate::detect::<Mapping>("hosts.txt", head).map(|row| row.name);
    assert_eq!(told, Some("ompi-hostfile"));
    for (text, words) in [
        ("cn1 slots=3 max_slots=2", "at most max_slots=2"),
        ("cn1 slots=0", "an integer in 1.."),
        ("cn1 slots=x", "an integer in 1.."),
        ("cn1 user=me", "HOST slots=N max_slots=N"),
        ("+n1 slots=1", "choose from hosts"),
        ("^cn1", "choose from hosts"),
        ("cn1 slots=5", "below 4, the slots of a host"),
        ("cn9 slots=1", "a host of the network"),
    ] {
        let said = read(text, &slots, "ompi-hostfile(slots=4)").unwrap_err();
        assert!(said.contains(words), "{text}: {said}");
    }
}

#[test]
fn host_files_are_written_where_hosts_follow_each_other() {
    let slots = network(&["cn1", "cn2"]).with_slots(2).unwrap();
    let write = |endpoints: &[u32]| {
        let mapping = Mapping::new(endpoints.to_vec(), &slots).unwrap();
        let call = Call::parse("ompi-hostfile(slots=2)").unwrap();
        crate::write(&mapping, &call, &slots).map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|f| f.to_string())
    };
    assert_eq!(write(&[2, 3, 0]).unwrap(), "cn2 slots=2\ncn1 slots=1\n");
    assert!(write(&[2, 0, 3]).unwrap_err().contains("do not follow each other"));
}

#[test]
fn a_host_by_number_is_one_of_the_list() {
    let network = network(&["cn1", "cn2", "cn3"]);
    let text = "rank 0=+n0 slot=0\nrank 1=+n1 slot=0\n";
    assert_eq!(read(text, &network, "rankfile(hosts=\"cn[3,1]\")").unwrap(), [2, 0]);
    assert!(read(text, &network, "rankfile").unwrap_err().contains("rankfile(hosts="));
    assert!(read(text, &network, "rankfile(hosts=\"cn3\")").unwrap_err().contains("+n0 to +n0"));
    assert!(read(text, &network, "rankfile(hosts=\"cn[3\")").unwrap_err().contains("NL-F015"));
}

#[test]
fn a_name_in_full_is_the_same_host_as_in_short() {
    let short = network(&["cn1", "cn2"]);
    assert_eq!(read("cn2.cluster.site:1\ncn1:1\n", &short, "hostfile").unwrap(), [1, 0]);
    let full = network(&["cn1.a", "cn2.a", "cn3.a", "cn3.b"]);
    assert_eq!(read("cn2:1\ncn1.a:1\n", &full, "hostfile").unwrap(), [1, 0]);
    // Two hosts of that label, and one of another domain.
    for name in ["cn3", "cn1.b", "cn"] {
        assert!(
            read(&format!("{name}:1\n"), &full, "hostfile").unwrap_err().contains("a host of the network"),
            "{name}"
        );
    }
}

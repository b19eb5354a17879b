//! What Slurm does with hosts and counts, and the formats that leave both to it.

use std::cmp::Ordering;

use netloom_model::{Call, Mapping, Network};

use super::step::{Distribution, compare};
use super::tests::{read, write};

fn network(topology: &str) -> Network {
    let call = Call::parse("slurm").unwrap();
    crate::read::<Network>(topology.as_bytes(), "f", Some(&call), ()).unwrap().network.with_slots(2).unwrap()
}

/// cn3 and cn4 come before cn1 and cn2; two slots each.
fn turned() -> Network {
    network("SwitchName=a Nodes=cn[3-4]\nSwitchName=b Nodes=cn[1-2]\nSwitchName=c Switches=a,b\n")
}

#[test]
fn names_are_in_slurms_order() {
    let sorted = ["a", "b1", "b1-2", "b1-10", "b01", "b010", "b09", "b2", "b10", "c0099", "c0100", "c1"];
    let expected = ["a", "b01", "b010", "b09", "b1", "b1-2", "b1-10", "b2", "b10", "c0099", "c0100", "c1"];
    let mut names = sorted;
    names.sort_by(|a, b| compare(a, b));
    assert_eq!(names, expected);
    assert_eq!(compare("n01", "n01"), Ordering::Equal);
}

#[test]
fn ranks_of_hosts_as_srun_counts_them() {
    assert_eq!(Distribution::Block.counts(10, 4), [3, 3, 2, 2]);
    assert_eq!(Distribution::Cyclic.counts(10, 4), [3, 3, 2, 2]);
    assert_eq!(Distribution::Plane(3).counts(10, 4), [3, 3, 3, 1]);
    // Every host gets one rank first.
    assert_eq!(Distribution::Plane(3).counts(5, 4), [2, 1, 1, 1]);
    assert_eq!(Distribution::Plane(2).counts(7, 2), [4, 3]);
}

#[test]
fn hosts_that_slurm_orders_are_in_the_order_of_their_names() {
    let network = turned();
    let file = [0, 1, 2, 3, 4, 5, 6, 7];
    let names = [4, 5, 6, 7, 0, 1, 2, 3];
    for (format, said) in [
        ("slurm-distribution", "--distribution=block:block,NoPack\n"),
        ("map-cpu", "--cpu-bind=map_cpu:0,1\n"),
        ("mask-cpu", "--cpu-bind=mask_cpu:0x1,0x2\n"),
        ("pe-list", "--map-by pe-list=0,1:ordered\n"),
        ("likwid-pin", "-pin N:0_N:1\n"),
    ] {
        let refused = write(&network, &file, format);
        assert!(refused.starts_with("NL-F018"), "{format}: {refused}");
        assert_eq!(write(&network, &names, format), said, "{format}");
        // An allocation of some of the hosts.
        assert_eq!(write(&network, &[4, 5, 2, 3], format), said, "{format}");
    }
    assert_eq!(write(&network, &file, "flux-taskmap"), "[[2,2,2,1],[0,2,2,1]]\n");
    let cray = write(&network, &file, "cray");
    assert!(cray.ends_with("hosts in this order: cn[1-4]\n4,5\n6,7\n0,1\n2,3\n"), "{cray}");
    assert_eq!(read(&network, &cray, "cray"), format!("{file:?}"));
}

#[test]
fn a_rank_order_of_others_needs_the_hosts_of_the_job() {
    let network = turned();
    let order = "# made by grid_order\n0,2,1,\n3\n4-7\n";
    let said = read(&network, order, "cray");
    assert!(said.starts_with("NL-F010") && said.contains("cray(hosts="), "{said}");
    assert_eq!(read(&network, order, "cray(hosts=\"cn[1-4]\")"), "[4, 6, 5, 7, 0, 1, 2, 3]");
    // Slurm sorts what it is given; three ranks on two hosts are two and one.
    assert_eq!(read(&network, "2,0,1", "cray(hosts=\"cn[3,1]\")"), "[5, 0, 4]");
    assert!(read(&network, "0-99999999999", "cray(hosts=\"cn[1-4]\")").starts_with("NL-F009"));
    assert!(read(&network, "0-1", "cray(hosts=\"cn[1-\")").starts_with("NL-F0"));
    assert!(read(&network, "0-2", "cray(hosts=\"cn1\")").contains("slot of cn1 must be below 2, the slots of a host"));
}

/// What srun starts, whatever the ends of lines are; a line for every host with another number is refused.
#[test]
fn a_rank_order_is_read_by_the_counts_of_srun() {
    let network = network("SwitchName=a Nodes=cn[1-4]\n").with_slots(2).unwrap();
    let on = |hosts: &str, ranks: &str| {
        let text = format!("# MPICH_RANK_REORDER_METHOD=3; hosts in this order: {hosts}\n{ranks}");
        read(&network, &text, "cray(slots=4,host_pattern=\"cn{1}\")")
    };
    for ranks in ["3,0,1,2", "3,0-2\n", "3,0\n1-2\n", "3\n0,1,\n2 # the last\n"] {
        assert_eq!(on("cn[1-2]", ranks), "[1, 4, 5, 0]", "{ranks}");
    }
    let refused = on("cn[1-2]", "3\n0-2\n");
    assert!(
        refused.starts_with("NL-F009 f:2:1 ranks of the line must be 2, as srun starts on cn1, got \"1\""),
        "{refused}"
    );
    assert!(refused.contains("cray(hosts=\"cn[1-2]\")"), "{refused}");
    assert!(on("cn[1-2]", "# srun --distribution=plane=3\n0,1,2\n3\n").starts_with("[0, 1, 2, 4]"));
    assert!(on("", "0\n").starts_with("NL-F0"));
}

#[test]
fn comments_and_tables_are_told_apart_from_lists_of_hosts() {
    let told = |text: &str| crate::detect::<Mapping>("ranks", text.as_bytes()).map(|row| row.name);
    assert_eq!(told("n3:2 # two\n#c\nn1\n"), Some("hostfile"));
    assert_eq!(told("n3 # one\n"), Some("slurm-arbitrary"));
    assert_eq!(told("0,1 # first node\n2,3\n"), Some("cray"));
    assert_eq!(told("4 # endpoint\n"), Some("plain"));
    for table in ["rank,host\n0,n1\n", "rank;endpoint;slot\n0;1;1\n", "endpoint,slot\n0,0\n"] {
        assert_eq!(told(table), Some("csv"), "{table}");
    }
    let fault = |text: &str| crate::read::<Mapping>(text.as_bytes(), "f", None, &turned()).unwrap_err().to_string();
    assert!(fault("").starts_with("NL-F004 f: the file is empty"), "{}", fault(""));
    assert!(fault("\n \n").starts_with("NL-F004 f: the file is empty"));
    assert!(fault("rank,host\n0,n1\n").contains("got \"rank,host\""));
}

#[test]
fn a_file_of_hosts_may_have_commas_and_counts() {
    let network = turned();
    assert_eq!(read(&network, "cn3,cn1*2\ncn4\n", "slurm-arbitrary"), "[0, 4, 5, 2]");
    assert!(read(&network, "cn3*3\n", "slurm-arbitrary").starts_with("NL-F009"));
    let told = |text: &str| crate::detect::<Mapping>("ranks", text.as_bytes()).map(|row| row.name);
    assert_eq!(told("cn3,cn1*2\n"), Some("slurm-arbitrary"));
    assert_eq!(told("0-3\n4-7\n"), Some("cray"));
    assert_eq!(told("rank,endpoint\n0,1\n"), Some("csv"));
    assert_eq!(told("my-node-1\n"), Some("slurm-arbitrary"));
    assert_eq!(told("0\n1\n"), Some("plain"));
}

#[test]
fn rank_files_of_other_kinds_say_what_to_write() {
    let network = turned();
    assert!(read(&network, "rank 0=cn1 slot=0-1\n", "rankfile").contains("ranges (slot=0-1) are not read"));
    assert!(
        read(&network, "rank 0=+n1 slot=0\n", "rankfile")
            .contains("host must be a name: which host that is depends on the list of mpirun")
    );
}

#[test]
fn a_list_of_cores_without_hosts_needs_srun_s_blocks() {
    let network = turned();
    for format in ["map-cpu", "mask-cpu"] {
        let said = write(&network, &[4, 6, 5, 7], format);
        assert!(said.contains("rank 1 is on cn2") && said.contains("srun would start it on cn1"), "{said}");
        assert!(said.contains("slurm-arbitrary(bind=elsewhere)"), "{said}");
        assert!(write(&network, &[4, 6, 5, 7], &format!("{format}(hosts=elsewhere)")).starts_with("--cpu-bind="));
    }
}

#[test]
fn distributions_of_uneven_ranks() {
    let network = network("SwitchName=a Nodes=cn[1-4]\n");
    let word = |endpoints: &[u32]| write(&network, endpoints, "slurm-distribution");
    assert_eq!(word(&[0, 1, 2, 3, 4, 6]), "--distribution=block:block,NoPack\n");
    assert_eq!(word(&[0, 2, 4, 6, 1, 3]), "--distribution=cyclic:block\n");
    assert_eq!(word(&[0, 1, 2, 3, 4, 5, 6]), "--distribution=block:block,NoPack\n");
    assert!(word(&[0, 2, 3, 4, 5]).starts_with("NL-F018"));
}

#[test]
fn a_rank_order_holds_the_counts_that_srun_makes() {
    let network = network("SwitchName=a Nodes=cn[1-4]\n");
    let after = |endpoints: &[u32]| {
        let text = write(&network, endpoints, "cray(slots=4,host_pattern=\"n{1}\")");
        text.split_once('\n').map(|(_, ranks)| ranks.to_string()).unwrap_or(text)
    };
    assert_eq!(after(&[0, 1, 2, 4, 5]), "0,1,2\n3,4\n");
    // All full but the last, which blocks do not do: 4, 1 instead of 3, 2.
    assert_eq!(after(&[0, 1, 2, 3, 4]), "# srun --distribution=plane=4\n0,1,2,3\n4\n");
    let refused = write(&network, &[0, 2, 3], "cray");
    assert!(refused.contains("host cn1 has 1 ranks, not 2 on its first slots, as srun starts them"), "{refused}");
}

//! Failures as people write them.

use super::*;
use netloom_model::Call;

fn net(call: &str) -> Network {
    crate::build(&Call::parse(call).unwrap()).unwrap()
}

#[test]
fn what_is_written_as_a_failure_needs_no_network() {
    for line in ["", "# none", "link:0-1", "link: a-b - c#3", "switch:99", "links:0.5%,seed=3", "switches: 4"] {
        assert!(is_failure(line), "{line}");
    }
    for line in ["lnk:0-1", "link:0", "link:0-1#x", "links:many", "links:101%", "switches:4,class=a", "none"] {
        assert!(!is_failure(line), "{line}");
    }
}

#[test]
fn every_kind_of_failure() {
    let network = net("dragonfly(a=4,p=1,h=2,g=3)");
    // Four cables between every two of three groups; two of each pair of switches may be parallel.
    let text = "# broken\n\nlink:0-1\n switch: 5 \nlinks:2,seed=3,class=global\nswitches:10%\n";
    let failures = read(&network, text, "file").unwrap();
    assert_eq!(failures.switches.len(), 2);
    assert_eq!(failures.switches[0], 5);
    assert_eq!(failures.links.len(), 3);
    assert!(failures.links[1..].iter().all(|l| network.class(*l).name == "global"));
    assert_eq!(read(&network, text, "file").unwrap(), failures);
    assert_ne!(read(&network, &text.replace("seed=3", "seed=4"), "file").unwrap(), failures);
    let damaged = without(&network, text, "file").unwrap();
    assert_eq!(damaged.switches(), network.switches());
    assert!(!damaged.in_service(5) && damaged.neighbours(5).is_empty() && !damaged.neighbours(0).contains(&1));
    assert!(damaged.label().contains("without 2 switches and "), "{}", damaged.label());
}

#[test]
fn names_of_fabrics_are_taken_with_quotes_and_without() {
    let mut builder = netloom_model::NetworkBuilder::new("fabric", 4);
    let class = builder.class("link", 1.0, 0.0);
    (1..4).for_each(|leaf| builder.cable(0, leaf, class));
    let names = ["MF0;core:MQM8700/U1", "rack #3, \"a\"", "leaf-2;b", "plain"];
    builder.switch_names(names.map(String::from).to_vec());
    let network = builder.build().unwrap();
    let dead = |text: &str| read(&network, &lines_of(text).join("\n"), "f").map(|f| (f.switches, f.links.len()));
    assert_eq!(dead("switch:MF0;core:MQM8700/U1; links:1").unwrap(), (vec![0], 1));
    for (number, name) in (0u32..).zip(names) {
        assert_eq!(dead(&format!("switch:{}; switch:3", written(name))).unwrap().0, [number, 3]);
    }
    let pair = |a: usize, b: usize| format!("link:{}-{}", written(names[a]), written(names[b]));
    assert_eq!(dead(&format!("{}; {}#0", pair(0, 1), pair(2, 0))).unwrap(), (vec![], 2));
    assert_eq!(written("leaf1"), "leaf1");
    // A second failure that is none is named with what a failure is.
    let said = dead("switch:plain; lonk:1-2").unwrap_err().to_string();
    assert!(said.contains("after ; comes another failure"), "{said}");
    assert_eq!(lines_of("link:0-1;; switches:2,seed=1 ;\nlinks:2%"), ["link:0-1", "switches:2,seed=1", "links:2%"]);
}

#[test]
fn one_of_parallel_cables() {
    let network = net("dragonfly(group=[2,2],h=1,g=2,local_parallel=[1,3])");
    let degree = |text: &str| without(&network, text, "").unwrap().degree(0);
    assert_eq!(network.degree(0), 5);
    assert_eq!((degree("link:0-1"), degree("link:1-0#2"), degree("link:0-1#0\nlink:0-1#1")), (2, 4, 3));
}

#[test]
fn a_share_is_of_all_cables() {
    let network = net("torus(10,10)");
    assert_eq!(read(&network, "links:3.5%", "").unwrap().links.len(), 7);
    assert_eq!(without(&network, "links:100%", "").unwrap().cables(), 0);
    assert_eq!(without(&network, "links:0%", "").unwrap(), network);
}

#[test]
fn lines_that_are_no_failure() {
    let network = net("torus(4,4)");
    for (line, word) in [
        ("lonk:1-2", "link:A-B"),
        ("17", "link:A-B"),
        ("link:1", "A-B"),
        ("link:1-16", "0..16"),
        ("link:1-x", "got x"),
        ("link:0-10", "joined to 1, 3, 4, 12"),
        ("link:0-1#1", "from #0"),
        ("link:0-1#x", "after #"),
        ("switch:-1", "0..16"),
        ("switch:99999999999999999999", "0..16"),
        ("links:101%", "0% to 100%"),
        ("links:nan%", "0% to 100%"),
        ("links:x", "a share"),
        ("links:33", "at most the 32"),
        ("links:1%", "at least one of 32"),
        ("links:1,seed=-1", "seed="),
        ("links:1,class=global", "dim0, dim1"),
        ("switches:1,class=dim0", "seed="),
    ] {
        let faults = read(&network, line, "--fail").unwrap_err();
        assert_eq!(faults.0[0].code, "NL-N014", "{line}");
        assert!(faults.to_string().contains(word), "{line}: {faults}");
    }
    let faults = read(&network, "switch:1\nswitch:77\nbad\n", "broken.txt").unwrap_err();
    assert_eq!((faults.0[0].place.as_str(), faults.0[1].place.as_str()), ("broken.txt:2", "broken.txt:3"));
    assert_eq!(read(&network, &"x\n".repeat(50), "f").unwrap_err().0.len(), TOLD);
}

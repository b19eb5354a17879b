use super::*;

#[test]
fn classes_have_a_speed_and_no_name_of_the_answers() {
    let made = |name: &str, speed: f64, endpoints: f64| {
        let mut b = NetworkBuilder::new("pair", 2);
        let class = b.class(name, speed, 0.0);
        b.cable(0, 1, class);
        b.endpoint_link(endpoints, 0.0);
        b.build().map(|_| ()).map_err(|faults| faults.to_string())
    };
    assert!(made("copper", 1e9, 1e9).is_ok());
    for name in ["all", "injection", "ejection"] {
        assert!(made(name, 1e9, 1e9).unwrap_err().contains(name));
    }
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(made("copper", speed, 1e9).unwrap_err().contains("copper links have a bandwidth"), "{speed}");
        assert!(made("copper", 1e9, speed).unwrap_err().contains("endpoint links have a bandwidth"), "{speed}");
    }
}

#[test]
fn parallel_cables_pair_up() {
    let mut b = NetworkBuilder::new("pair", 3);
    let c = b.class("x", 1.0, 0.0);
    b.cable(1, 0, c);
    b.cable(0, 1, c);
    b.cable(2, 1, c);
    b.endpoints_everywhere(2);
    let net = b.build().unwrap();
    assert_eq!(net.cables(), 3);
    assert_eq!(net.neighbours(1), [0, 0, 2]);
    for link in 0..net.switch_links() {
        let back = net.reverse()[link as usize];
        assert_eq!(net.reverse()[back as usize], link);
        assert_ne!(back, link);
        assert_eq!(net.heads()[link as usize], net.tails()[back as usize]);
    }
    assert_eq!(net.endpoints_of(2), [4, 5]);
    assert_eq!(net.ejection_link(0), 6 + 6);
    assert!(net.unreached().is_empty());
}

#[test]
fn order_of_cables_does_not_matter() {
    let mut stream = crate::Stream::new(1, "cables");
    let mut ends: Vec<(u32, u32)> = Vec::new();
    while ends.len() < 500 {
        let (x, y) = (stream.below(40), stream.below(40));
        if x != y {
            ends.push((x, y));
        }
    }
    let build = |ends: &[(u32, u32)]| {
        let mut b = NetworkBuilder::new("any", 40);
        let classes = [b.class("x", 1.0, 0.0), b.class("y", 1.0, 0.0), b.class("z", 1.0, 0.0)];
        ends.iter().for_each(|&(x, y)| b.cable(x, y, classes[(x + y) as usize % 3]));
        b.build().unwrap()
    };
    let net = build(&ends);
    stream.shuffle(&mut ends);
    assert_eq!(net, build(&ends));
    // The definition of the link numbers: directed cables sorted by (tail, head, cable).
    ends.iter_mut().for_each(|c| *c = (c.0.min(c.1), c.0.max(c.1)));
    ends.sort_unstable();
    let mut directed: Vec<(u32, u32, usize)> =
        ends.iter().enumerate().flat_map(|(i, &(x, y))| [(x, y, i), (y, x, i)]).collect();
    directed.sort_unstable();
    for (link, &(tail, head, cable)) in directed.iter().enumerate() {
        assert_eq!((net.tails()[link], net.heads()[link]), (tail, head));
        let back = directed.iter().position(|d| d.2 == cable && d.0 == head).unwrap();
        assert_eq!(net.reverse()[link] as usize, back);
        assert_eq!(net.class_of()[link], ((tail + head) % 3) as u16);
    }
}

#[test]
fn refuses_loops_and_strangers() {
    let mut b = NetworkBuilder::new("bad", 2);
    let c = b.class("x", 1.0, 0.0);
    b.cable(0, 0, c);
    b.endpoint(5);
    assert_eq!(b.build().unwrap_err().0.len(), 2);
    let apart = NetworkBuilder::new("apart", 2).build().unwrap();
    assert_eq!(apart.require_connected().unwrap_err().0[0].code, "NL-N001");
}

/// A ring of six with two cables between 0 and 5, two endpoints per switch.
fn six() -> Network {
    let mut b = NetworkBuilder::new("six", 6);
    let c = b.class("x", 1.0, 0.0);
    (0..6).for_each(|s| b.cable(s, (s + 1) % 6, c));
    b.cable(0, 5, c);
    b.endpoints_everywhere(2);
    (b.structure().ring, b.structure().transitive, b.structure().groups) = (true, true, Some(vec![0, 0, 0, 1, 1, 1]));
    b.build().unwrap()
}

#[test]
fn without_is_what_the_builder_would_make() {
    let whole = six();
    let link = |net: &Network, a: u32, b: u32| net.out_links(a).find(|l| net.heads()[*l as usize] == b).unwrap();
    let damaged = whole.without(&[link(&whole, 5, 0), link(&whole, 2, 1)], &[3]).unwrap();
    let mut b = NetworkBuilder::new(damaged.label(), 6);
    let c = b.class("x", 1.0, 0.0);
    [(0, 1), (4, 5), (5, 0)].iter().for_each(|&(x, y)| b.cable(x, y, c));
    b.endpoints_everywhere(2);
    b.structure().groups = Some(vec![0, 0, 0, 1, 1, 1]);
    let Network { failed, .. } = damaged.clone();
    assert_eq!(Network { failed, ..b.build().unwrap() }, damaged);
    assert_eq!(damaged.label(), "six without 1 switch and 4 cables");
    let failed = damaged.failed().unwrap();
    assert_eq!((&failed.switches[..], &failed.cables[..]), (&[3][..], &[(0, 5), (1, 2), (2, 3), (3, 4)][..]));
    // One after the other, or both together.
    let step = whole.without(&[], &[3]).unwrap();
    let steps = step.without(&[link(&step, 0, 5), link(&step, 1, 2)], &[]).unwrap();
    assert_eq!(steps, damaged);
    assert_eq!(whole.without(&[], &[]).unwrap(), whole);
    assert_eq!(whole.without(&[14], &[6]).unwrap_err().0.len(), 2);
    assert!(damaged.in_service(2) && !damaged.in_service(3) && whole.in_service(3));
    assert!(damaged.require_in_service([0, 5, 8]).is_ok());
    let faults = damaged.require_in_service([0, 6, 7]).unwrap_err();
    assert_eq!(faults.0[0].code, "NL-N003");
    assert!(faults.to_string().contains("endpoint 6 is on switch 3") && faults.to_string().contains("1 others"));
}

#[test]
fn who_is_cut_off_and_by_what() {
    let whole = six();
    let link = |a: u32, b: u32| whole.out_links(a).find(|l| whole.heads()[*l as usize] == b).unwrap();
    // A single failed switch disconnects no other.
    whole.without(&[], &[3]).unwrap().require_joined().unwrap();
    whole.without(&[link(0, 1)], &[]).unwrap().require_joined().unwrap();
    let faults = whole.without(&[link(0, 1)], &[3]).unwrap().require_joined().unwrap_err();
    let text = faults.to_string();
    assert_eq!(faults.0[0].code, "NL-N001");
    // Of the five in service, 0, 4, 5 on one side and 1, 2 on the other: six pairs.
    for word in ["6 pairs", "0 and 1", "link:0-1", "switch:3"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn parallel_links_are_numbered() {
    let mut builder = NetworkBuilder::new("n", 3);
    let class = builder.class("c", 1e9, 1e-7);
    for (a, b) in [(0, 2), (0, 1), (0, 1), (1, 2), (0, 1)] {
        builder.cable(a, b, class);
    }
    (0..3).for_each(|switch| builder.endpoint(switch));
    let network = builder.build().unwrap();
    let numbers: Vec<Option<u32>> = (0..network.switch_links() + 1).map(|link| network.parallel(link)).collect();
    let of_three = [Some(0), Some(1), Some(2)];
    assert_eq!(numbers[..4], [&of_three[..], &[None]].concat());
    assert_eq!(numbers[4..8], [&of_three[..], &[None]].concat());
    assert_eq!(numbers[8..], [None; 3]);
    // A cable has one number in both directions.
    assert!(
        (0..network.switch_links())
            .all(|link| { network.parallel(link) == network.parallel(network.reverse()[link as usize]) })
    );
}

#[test]
fn directions_of_a_cable_have_classes_of_their_own() {
    let mut builder = NetworkBuilder::new("n", 3);
    let (slow, fast) = (builder.class("slow", 1e9, 1e-7), builder.class("fast", 4e9, 2e-7));
    builder.cable(0, 1, slow);
    builder.cable_each_way(2, 1, fast, slow);
    builder.cable_each_way(1, 2, fast, slow);
    builder.cable_each_way(1, 2, fast, fast);
    builder.cable(0, 1, fast);
    let network = builder.build().unwrap();
    let speeds = |network: &Network, a: u32, b: u32| -> Vec<f64> {
        let links = network.out_links(a).filter(|l| network.heads()[*l as usize] == b);
        let mut speeds: Vec<f64> = links.map(|l| network.class(l).bandwidth_bytes_per_s).collect();
        speeds.sort_by(f64::total_cmp);
        speeds
    };
    assert_eq!((speeds(&network, 0, 1), speeds(&network, 1, 0)), (vec![1e9, 4e9], vec![1e9, 4e9]));
    assert_eq!((speeds(&network, 1, 2), speeds(&network, 2, 1)), (vec![1e9, 4e9, 4e9], vec![1e9, 4e9, 4e9]));
    let back = |link: u32| network.reverse()[link as usize];
    let unlike: Vec<u32> =
        (0..network.switch_links()).filter(|l| network.class(*l) != network.class(back(*l))).collect();
    assert_eq!(unlike.len(), 4);
    // A failed cable takes both of its directions along, and the others keep theirs.
    let rest = network.without(&unlike[..1], &[]).unwrap();
    let (there, here) = (speeds(&rest, 1, 2), speeds(&rest, 2, 1));
    assert_eq!(there.iter().chain(&here).copied().sum::<f64>(), 13e9);
    assert_eq!((there.len(), here.len(), speeds(&rest, 0, 1)), (2, 2, vec![1e9, 4e9]));
}

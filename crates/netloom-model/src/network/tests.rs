use super::*;

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

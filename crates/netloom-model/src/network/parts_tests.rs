use super::{Grid, NetworkBuilder};

#[test]
fn a_part_keeps_what_its_switches_have() {
    let mut builder = NetworkBuilder::new("two", 5);
    let (slow, fast) = (builder.class("slow", 1e9, 1e-7), builder.class("fast", 2e9, 1e-7));
    builder.cable(0, 2, slow);
    builder.cable(1, 3, fast);
    builder.cable(3, 4, slow);
    builder.cable(3, 4, fast);
    [1, 0, 4, 2].into_iter().for_each(|s| builder.endpoint(s));
    builder.endpoint_link(3e9, 2e-7);
    builder.structure().groups = Some(vec![0, 1, 2, 3, 4]);
    builder.structure().levels = Some(vec![0, 0, 1, 1, 0]);
    builder.structure().grid = Some(Grid { dims: vec![5], wrap: vec![false], complete: false });
    let whole = builder.build().unwrap().with_seats(2);
    let parts = whole.connected_parts();
    assert_eq!(
        parts.iter().map(|p| (p.switches.clone(), p.endpoints)).collect::<Vec<_>>(),
        [(vec![0, 2], 2), (vec![1, 3, 4], 2)]
    );
    let part = whole.part("1").unwrap();
    assert_eq!(
        (part.label(), part.switches(), part.endpoints(), part.cables(), part.seats()),
        ("two, part 1", 3, 2, 3, 2)
    );
    assert_eq!(part.endpoint_switch(), [0, 2]);
    assert_eq!(part.neighbours(1), [0, 2, 2]);
    let names: Vec<&str> = part.out_links(1).map(|l| part.class(l).name.as_str()).collect();
    assert_eq!(names, ["fast", "slow", "fast"]);
    assert_eq!(part.endpoint_class().bandwidth_bytes_per_s, 3e9);
    assert_eq!(part.structure().groups, Some(vec![1, 3, 4]));
    assert_eq!((&part.structure().levels, &part.structure().grid), (&Some(vec![0, 1, 0]), &None));
    // A network in one part is that part; one with failures is refused.
    assert_eq!(part.part("0").unwrap(), part);
    let dead = whole.without(&[0], &[]).unwrap();
    assert!(dead.part("0").unwrap_err().to_string().contains("before what fails"));
    assert!(whole.part("2").unwrap_err().to_string().contains("0 to 1"));
}

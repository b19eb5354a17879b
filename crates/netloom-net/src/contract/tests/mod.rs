//! Every row over many parameters, good and bad.

mod cases;

use netloom_model::{Bound, Call, Kind, NetworkBuilder, Param, Stream, Value};

use super::*;
use crate::registry::{TOPOLOGIES, build};
use cases::CASES;

fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

#[test]
fn every_row_keeps_the_contract() {
    let examples = TOPOLOGIES.rows.iter().map(|r| r.example);
    for text in examples.chain(CASES.iter().copied()) {
        let call = call(text);
        let row = TOPOLOGIES.find(&call.name).unwrap();
        let bound = row.bind(&call).unwrap_or_else(|f| panic!("{text}: {f}"));
        check(row, &bound).unwrap_or_else(|f| panic!("{text}: {f}"));
        let network = build(&call).unwrap();
        assert_eq!(network.label(), call.to_string());
        assert_eq!(network.structure().family, row.name);
        assert_eq!(network, build(&call).unwrap(), "{text} is not the same twice");
    }
}

#[test]
fn every_row_is_complete_and_found_by_its_names() {
    for row in TOPOLOGIES.rows {
        for name in row.names() {
            assert_eq!(TOPOLOGIES.find(name).unwrap().name, row.name, "{name} is taken");
        }
        assert!(!row.summary.is_empty() && !row.source.is_empty());
        assert!(CASES.iter().filter(|c| call(c).name == row.name).count() > 1, "{} has too few cases", row.name);
        assert!(row.params.iter().all(|p| !p.help.is_empty()));
    }
}

#[test]
fn what_follows_another_parameter_has_its_value() {
    let mut followers = 0;
    for row in TOPOLOGIES.rows {
        for param in row.params {
            let Some(other) = param.follows else { continue };
            followers += 1;
            assert_eq!(param.default, Some(""), "{}: {} has a default too", row.name, param.name);
            let followed = row.params.iter().find(|p| p.name == other).unwrap();
            let Kind::Quantity(quantity) = followed.kind else { panic!("{other} is no quantity") };
            assert!(matches!(param.kind, Kind::Quantity(same) if same == quantity));
            let value = if other.contains("bandwidth") { "7 Gbps" } else { "7 us" };
            let with = |names: &[&str]| {
                let mut call = call(row.example);
                call.keyword.retain(|(name, _)| !names.contains(&&**name) && *name != param.name);
                call.keyword.extend(names.iter().map(|name| (name.to_string(), Value::Text(value.into()))));
                build(&call).unwrap().with_label("")
            };
            let alone = with(&[other]);
            assert_eq!(alone, with(&[other, param.name]), "{}: {} is not as {other}", row.name, param.name);
            assert_ne!(alone, with(&[]), "{}: {other} changes nothing", row.name);
        }
    }
    assert!(followers > 20);
}

/// Values that no parameter of this kind takes.
fn bad_values(param: &Param) -> Vec<Value> {
    let huge = Value::Int(1 << 40);
    let lists = |min: i64| vec![Value::Int(min - 1), Value::List(vec![]), Value::List(vec![Value::Int(1 << 40)])];
    let mut bad = vec![Value::Other("None".into()), Value::Other("99999999999999999999".into())];
    match param.kind {
        Kind::Int { min, max } => {
            bad.extend([Value::Int(min - 1), Value::Float(1.5), Value::Text("a".into()), Value::Bool(true)]);
            bad.extend([Value::Int(-1), Value::Int(i64::MIN)]);
            if max < i64::MAX {
                bad.extend([Value::Int(max + 1), Value::Int(i64::MAX), huge]);
            }
        }
        Kind::Ints { min, .. } | Kind::IntsOr { min, .. } | Kind::Counts { min, .. } => {
            bad.extend(lists(min));
            bad.extend([Value::Float(1.5), Value::Text("a".into()), Value::List(vec![Value::Text("a".into())])]);
        }
        Kind::Bools | Kind::Bool => bad.extend([Value::Int(0), Value::Float(1.5), Value::Text("a".into())]),
        Kind::Choice(_) => bad.extend([Value::Int(0), Value::Text("a".into())]),
        Kind::Quantity(_) => {
            bad.extend([Value::Int(-1), Value::Float(f64::NAN), Value::Float(f64::INFINITY), Value::Text("a".into())]);
            if param.name.contains("bandwidth") {
                bad.extend([Value::Int(0), Value::Text("0 Gbps".into())]);
            }
        }
        // No topology has these.
        Kind::Float { .. } | Kind::FloatOrNone { .. } | Kind::Rows { .. } | Kind::Text => {}
    }
    bad
}

#[test]
fn bad_parameters_are_refused() {
    for row in TOPOLOGIES.rows {
        let good = row.bind(&call(row.example)).unwrap().canonical();
        for param in row.params {
            for value in bad_values(param) {
                let mut bad = good.clone();
                bad.keyword.retain(|(name, _)| name != param.name);
                bad.keyword.push((param.name.into(), value));
                let faults = build(&bad).expect_err(&bad.to_string());
                let named = faults.0.iter().any(|f| f.place == format!("{}.{}", row.name, param.name));
                assert!(named, "{bad}: {faults}");
                assert!(faults.0.iter().all(|f| f.code.starts_with("NL-")));
            }
        }
    }
}

#[test]
fn too_large_is_refused_before_anything_is_built() {
    for row in TOPOLOGIES.rows {
        let good = row.bind(&call(row.example)).unwrap().canonical();
        for param in row.params {
            let (Kind::Int { max, .. } | Kind::Ints { max, .. } | Kind::IntsOr { max, .. }) = param.kind else {
                continue;
            };
            // A ring of 2^26 switches is just small enough, a ratio beyond n leaves jump 1 alone, and ports may be free.
            let fine = [("ring", "n"), ("recursive_circulant", "d"), ("rail_cluster", "radix"), ("simple", "n")]
                .contains(&(row.name, param.name));
            if max == i64::MAX || fine {
                continue;
            }
            let mut large = good.clone();
            large.keyword.retain(|(name, _)| name != param.name);
            large.keyword.push((param.name.into(), Value::List(vec![Value::Int(max); 4])));
            if matches!(param.kind, Kind::Int { .. }) {
                large.keyword.last_mut().unwrap().1 = Value::Int(max);
            }
            assert!(build(&large).is_err(), "{large}");
        }
    }
    for text in [
        "torus(65536,65536)",
        "torus(67108864,67108864,67108864,67108864)",
        "complete(20000)",
        "complete(67108864)",
        "hypercube(31)",
        "k_ary_n_tree(67108864,32)",
        "dragonfly(a=67108864,h=67108864)",
        "dragonfly(a=1000,h=1000)",
        "random_shortcut(67108864,degree=19)",
        "kautz(67108864,31)",
        "butterfly(2,25)",
        "butterfly(67108864,26)",
        "simple(67108864,serial=true)",
        "xpander(67108864,67108864)",
        "slim_fly(512)",
        "ring(4,p=67108864)",
    ] {
        assert_eq!(build(&call(text)).unwrap_err().0[0].code, "NL-A009", "{text}");
    }
}

#[test]
fn all_faults_come_together() {
    let faults = build(&call("dragonfly(a=4,h=1,g=99,group=[2,2],local_parallel=[1,1,1],bandwidth=0)")).unwrap_err();
    let codes: Vec<_> = faults.0.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["NL-T002", "NL-T011", "NL-T001"], "{faults}");
    let message = build(&call("fat_tree(radix=7,top=full)")).unwrap_err().to_string();
    assert_eq!(message, "NL-T010 fat_tree.radix must be an even integer >= 2, got 7\n  hint: use 6 or 8");
}

/// The smallest cut into equal halves, by trying them all.
fn best_cut(network: &Network) -> u64 {
    let n = network.switches();
    let rows: Vec<(u32, u32)> = (0..network.switch_links())
        .map(|l| (network.tails()[l as usize], network.heads()[l as usize]))
        .filter(|(a, b)| a < b)
        .collect();
    (0u32..1 << n)
        .filter(|half| half.count_ones() == n / 2)
        .map(|half| rows.iter().filter(|(a, b)| (half >> a ^ half >> b) & 1 == 1).count() as u64)
        .min()
        .unwrap()
}

#[test]
fn bisections_are_the_smallest_cuts() {
    for text in [
        "ring(2)",
        "ring(7)",
        "ring(8)",
        "mesh(5)",
        "mesh(3,3)",
        "mesh(4,3)",
        "mesh(5,3)",
        "mesh(2,2,3)",
        "mesh(4,4)",
        "mesh(2,7)",
        "torus(3,3)",
        "torus(4,3)",
        "torus(5,3)",
        "torus(4,4)",
        "torus(2,3)",
        "torus(2,7)",
        "torus(2,2,3)",
        "torus(4,2,double=[false,true])",
        "torus(2,2,double=true)",
        "torus(2,2,2,2)",
        "torus(4,4,wrap=[true,false])",
        "torus(3,4,wrap=[true,false])",
        "torus(6,2,wrap=[false,true])",
        "hypercube(4)",
        "complete(5)",
        "complete(6)",
        "hyperx(4,3)",
        "hyperx(2,3,parallel=[1,3])",
        "hyperx(4,2,2)",
        "hyperx(5)",
        "star(4)",
        "star(5)",
        "star(1)",
        "circulant(9,1)",
        "hyperx(4,4,parallel=[1,2])",
    ] {
        let network = build(&call(text)).unwrap();
        if let Some(cables) = network.structure().bisection_cables {
            assert_eq!(cables, best_cut(&network), "{text}");
        } else {
            assert!(["hyperx(4,3)", "torus(2,7)"].contains(&text), "{text} has no bisection");
        }
    }
}

#[test]
fn broken_promises_are_found() {
    let torus = build(&call("torus(4,4)")).unwrap();
    let row = TOPOLOGIES.find("torus").unwrap();
    let expected = |text: &str| (row.expected)(&row.bind(&call(text)).unwrap());
    check_network(&torus, Some(&expected("torus(4,4)"))).unwrap();
    for other in ["torus(4,5)", "torus(2,8)", "torus(4,4,p=2)", "torus(4,4,wrap=false)"] {
        assert!(check_network(&torus, Some(&expected(other))).is_err(), "{other}");
    }

    type Lie = fn(&mut netloom_model::Structure);
    let lies: [Lie; 9] = [
        |s| s.transitive = true,
        |s| s.ring = true,
        |s| s.bisection_cables = Some(9),
        |s| s.levels = Some(vec![0, 1, 2, 3]),
        |s| s.levels = Some(vec![0; 3]),
        |s| s.groups = Some(vec![0; 3]),
        |s| s.jumps = Some(vec![1]),
        |s| s.grid = Some(Grid { dims: vec![4], wrap: vec![false], complete: false }),
        |s| s.grid = Some(Grid { dims: vec![5], wrap: vec![false], complete: false }),
    ];
    for (i, lie) in lies.iter().enumerate() {
        // A path 0-2-1-3.
        let mut builder = NetworkBuilder::new("path", 4);
        let class = builder.class("x", 1.0, 0.0);
        for (a, b) in [(0, 2), (2, 1), (1, 3)] {
            builder.cable(a, b, class);
        }
        check_network(&builder.clone().build().unwrap(), None).unwrap();
        lie(builder.structure());
        let faults = check_network(&builder.build().unwrap(), None).unwrap_err();
        assert!(faults.0.iter().all(|f| f.code == "NL-T090"), "lie {i}: {faults}");
    }
    let apart = NetworkBuilder::new("apart", 2).build().unwrap();
    assert_eq!(check_network(&apart, None).unwrap_err().0[0].code, "NL-N001");
}

#[test]
fn bound_of_a_refused_shape_expects_nothing() {
    let row = TOPOLOGIES.find("fat_tree").unwrap();
    let bound = Bound::bind(row.params, &call("fat_tree(6)")).unwrap();
    assert_eq!((row.expected)(&bound), Expected::default());
}

/// A value in the lower part of the parameter's range, or nothing.
fn small_value(param: &Param, stream: &mut Stream) -> Option<Value> {
    let required = param.default.is_none();
    if !required && stream.below(2) == 0 {
        return None;
    }
    let mut small = |min: i64, most: u32| Value::Int(min + i64::from(stream.below(most)));
    Some(match param.kind {
        Kind::Int { min, .. } => small(min, 8),
        Kind::Ints { min, .. } | Kind::IntsOr { min, .. } => {
            let Value::Int(length) = small(1, 4) else { return None };
            Value::List((0..length).map(|_| small(min, 5)).collect())
        }
        Kind::Bools => Value::List((0..1 + stream.below(3)).map(|_| Value::Bool(stream.below(2) == 1)).collect()),
        Kind::Choice(words) => Value::Text(words[stream.below(words.len() as u32) as usize].into()),
        _ => return None,
    })
}

/// Parameters at random: refused with faults, or built as promised.
#[test]
fn random_parameters_keep_the_contract() {
    for row in TOPOLOGIES.rows {
        // Of its own, so that a new row changes no other one's draws.
        let mut stream = Stream::new(7, row.name);
        let mut built = 0;
        for _ in 0..800 {
            let keyword = row
                .params
                .iter()
                .filter_map(|p| small_value(p, &mut stream).map(|v| (p.name.to_string(), v)))
                .collect();
            let call = Call { name: row.name.into(), positional: vec![], keyword };
            let Ok(bound) = row.bind(&call) else { continue };
            let expected = (row.expected)(&bound);
            if expected.switches.max(expected.switch_links) > 3000 {
                continue;
            }
            match (row.network)(&bound) {
                Ok(network) => {
                    built += 1;
                    check_network(&network, Some(&expected)).unwrap_or_else(|f| panic!("{call}: {f}"));
                }
                Err(faults) => {
                    assert!(!faults.is_empty() && expected.switches == 0 || row.name == "xpander", "{call}: {faults}")
                }
            }
        }
        assert!(built > 10, "{}: only {built} of 800 were built", row.name);
    }
}

/// `degree 3`, or `degree 2 to 4`.
fn degrees(network: &Network) -> String {
    let all = || (0..network.switches()).map(|s| network.degree(s));
    let (least, most) = (all().min().unwrap(), all().max().unwrap());
    if least == most { format!("degree {least}") } else { format!("degree {least} to {most}") }
}

#[test]
fn every_page_states_what_its_example_gives() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/topologies");
    for row in TOPOLOGIES.rows {
        let page = std::fs::read_to_string(docs.join(format!("{}.md", row.name))).unwrap();
        let example = page.split("## Example\n\n```text\n").nth(1).unwrap().lines().next().unwrap();
        let network = build(&call(example)).unwrap();
        assert_eq!(network.structure().family, row.name);
        let (n, mut search) = (network.switches(), Search::new(network.switches()));
        let (mut diameter, mut hops) = (0, 0u64);
        for s in 0..n {
            let histogram = search.histogram(&network, s);
            diameter = diameter.max(histogram.len() - 1);
            hops += histogram.iter().zip(0u64..).map(|(count, d)| count * d).sum::<u64>();
        }
        let stated = format!(
            "`{example}` has {n} switches, {} endpoints, {} cables, {}, diameter {diameter}. Its ASPL is {:.4}.",
            network.endpoints(),
            network.cables(),
            degrees(&network),
            hops as f64 / (f64::from(n) * f64::from(n - 1))
        );
        let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&stated), "{}: {stated}", row.name);
    }
}

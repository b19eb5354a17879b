//! Section 4.2 of Cui 2024 and the sizes it states.

use netloom_model::Call;

use crate::registry::{TOPOLOGIES, build};
use crate::row::Expected;

fn closed(text: &str) -> Expected {
    let call = Call::parse(text).unwrap();
    let row = TOPOLOGIES.find(&call.name).unwrap();
    (row.expected)(&row.bind(&call).unwrap())
}

#[test]
fn the_thesis_example() {
    // C(16;1,2,4,8) = G(16,4), degree 2k-1.
    let net = build(&Call::parse("circulant(16,pow2)").unwrap()).unwrap();
    assert_eq!(net.structure().jumps, Some(vec![1, 2, 4, 8]));
    assert_eq!(net.neighbours(0), [1, 2, 4, 8, 12, 14, 15]);
    assert_eq!(net, build(&Call::parse("circulant(16,1,2,4,8)").unwrap()).unwrap().with_label("circulant(16,pow2)"));
    let names: Vec<&str> = net.classes().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["jump1", "jump2", "jump4", "jump8"]);
}

#[test]
fn degrees_and_diameters_of_section_5_1() {
    let thousand = closed("circulant(1024,pow2)");
    assert_eq!((thousand.degree_min, thousand.diameter), (Some(19), Some(5)));
    // K04: 7 at 8192.
    assert_eq!(closed("circulant(8192,pow2)").diameter, Some(7));
    for bits in 1..13 {
        for text in [format!("recursive_circulant({},4)", 1 << bits), format!("circulant({},pow2)", 1 << bits)] {
            let call = Call::parse(&text).unwrap();
            let row = TOPOLOGIES.find(&call.name).unwrap();
            crate::contract::check(row, &row.bind(&call).unwrap()).unwrap_or_else(|f| panic!("{f}"));
            assert!(closed(&text).diameter.is_some());
        }
    }
}

#[test]
fn jumps_that_are_refused() {
    for (text, word) in [
        ("circulant(16,1,1)", "all different"),
        ("circulant(16,1,9)", "the same as one of 7"),
        ("circulant(16,16)", "same switch"),
        ("circulant(16,2,4)", "share 2"),
        ("circulant(16,33,1)", "the same as one of 1"),
    ] {
        let faults = build(&Call::parse(text).unwrap()).unwrap_err();
        assert_eq!(faults.0[0].code, "NL-T003", "{text}");
        assert!(faults.to_string().contains(word), "{text}: {faults}");
    }
    let faults = build(&Call::parse("recursive_circulant(23,3)").unwrap()).unwrap_err();
    assert!(faults.to_string().contains("use 18 or 27"), "{faults}");
    for n in 2..60u32 {
        if let Err(faults) = build(&Call::parse(&format!("recursive_circulant({n},4)")).unwrap()) {
            let hint = &faults.0[0].hint;
            for near in hint.trim_start_matches("use ").split(" or ") {
                assert!(build(&Call::parse(&format!("recursive_circulant({near},4)")).unwrap()).is_ok(), "{n}: {hint}");
            }
        }
    }
}

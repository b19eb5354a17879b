//! Besta and Hoefler 2014: q = 5 is the Hoffman-Singleton graph; table of sizes by formula.

use netloom_model::Call;

use crate::registry::build;

#[test]
fn hoffman_singleton() {
    let net = build(&Call::parse("slim_fly(q=5)").unwrap()).unwrap();
    assert_eq!((net.switches(), net.cables()), (50, 175));
    assert!((0..50).all(|s| net.degree(s) == 7));
    // The Moore graph of degree 7 and diameter 2: no triangles, no squares, so any two switches that are not connected
    // have exactly one neighbour in common.
    for a in 0..50u32 {
        for b in 0..a {
            let common = net.neighbours(a).iter().filter(|s| net.neighbours(b).contains(s)).count();
            assert_eq!(common, usize::from(!net.neighbours(a).contains(&b)), "{a} {b}");
        }
    }
}

#[test]
fn sizes_of_the_paper() {
    // q = 19: 722 routers of network radix 29, the paper's example of about 10,830 endpoints with p = 15.
    let net = build(&Call::parse("slim_fly(q=19,p=15)").unwrap()).unwrap();
    assert_eq!((net.switches(), net.degree(0), net.endpoints()), (722, 29, 10830));
}

#[test]
fn q_must_be_a_prime_power() {
    for (q, near) in [(6, "5 or 7"), (10, "9 or 11"), (12, "11 or 13"), (14, "13 or 16")] {
        let faults = build(&Call::parse(&format!("slim_fly({q})")).unwrap()).unwrap_err();
        assert_eq!(faults.0[0].code, "NL-T008");
        assert!(faults.to_string().contains(near), "{faults}");
    }
}

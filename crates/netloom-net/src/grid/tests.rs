//! Numbers of Cui 2024 section 2.1.2 (with its errata), Blue Gene/Q, and identities between the families.

use netloom_model::{Call, Network};

use crate::registry::{TOPOLOGIES, build};
use crate::row::Expected;

fn net(text: &str) -> Network {
    build(&Call::parse(text).unwrap()).unwrap()
}

fn closed(text: &str) -> Expected {
    let call = Call::parse(text).unwrap();
    let row = TOPOLOGIES.find(&call.name).unwrap();
    (row.expected)(&row.bind(&call).unwrap())
}

/// Same graph, ignoring labels, classes and structure.
fn same(a: &str, b: &str) {
    let (x, y) = (net(a), net(b));
    assert_eq!((x.offsets(), x.heads()), (y.offsets(), y.heads()), "{a} and {b}");
    assert_eq!(x.endpoint_switch(), y.endpoint_switch(), "{a} and {b}");
}

#[test]
fn rows_of_a_small_torus() {
    let t = net("torus(3,4)");
    // Switch 5 is (1,1): neighbours (0,1), (1,0), (1,2), (2,1).
    assert_eq!(t.neighbours(5), [1, 4, 6, 9]);
    // Switch 0: (0,1), (0,3), (1,0), (2,0).
    assert_eq!(t.neighbours(0), [1, 3, 4, 8]);
    let dim = |link: u32| t.class(link).name.clone();
    let names: Vec<String> = t.out_links(0).map(dim).collect();
    assert_eq!(names, ["dim1", "dim1", "dim0", "dim0"]);
}

#[test]
fn closed_forms_of_the_errata() {
    // E0-01: 5x5 has diameter 4; E0-02: ASPL n(k/4 - 1/(4k)) N/(N-1) for odd k.
    let t = closed("torus(5,5)");
    assert_eq!(t.diameter, Some(4));
    assert!((t.aspl.unwrap() - 2.0 * (1.25 - 0.05) * 25.0 / 24.0).abs() < 1e-12);
    // E0-03: mesh n(k²-1)/(3k), E0-05: hypercube n·2^(n-1)/(2^n - 1).
    assert!((closed("mesh(4,4)").aspl.unwrap() - 2.0 * 15.0 / 12.0 * 16.0 / 15.0).abs() < 1e-12);
    assert!((closed("hypercube(10)").aspl.unwrap() - 5120.0 / 1023.0).abs() < 1e-12);
    assert_eq!(closed("hypercube(10)").diameter, Some(10));
    // Measured by others for 32x32x32.
    assert!((closed("torus(32,32,32)").aspl.unwrap() - 24.0007324442).abs() < 1e-9);
    assert_eq!(closed("torus(32,32,32)").diameter, Some(48));
}

#[test]
fn blue_gene_q_has_two_cables_in_e() {
    let doubled = "double=[false,false,false,false,true]";
    let midplane = net(&format!("torus(4,4,4,4,2,{doubled})"));
    assert_eq!((midplane.switches(), midplane.degree(0)), (512, 10));
    assert_eq!(net("torus(4,4,4,4,2)").degree(0), 9);
    // Twice 512/4: the E dimension would cut more.
    assert_eq!(closed(&format!("torus(4,4,4,4,2,{doubled})")).bisection_cables, Some(256));
    assert_eq!(closed("torus(8,4,4,4,2)").bisection_cables, Some(256));
}

#[test]
fn families_meet() {
    same("torus(2,2,2,2)", "hypercube(4)");
    same("torus(7)", "ring(7)");
    same("mesh(2,2)", "hypercube(2)");
    same("torus(6,5,wrap=false)", "mesh(6,5)");
    same("circulant(9,1)", "ring(9)");
    same("circulant(2,1)", "ring(2)");
    same("hyperx(6)", "complete(6)");
    same("hyperx(2,2,2)", "hypercube(3)");
    same("hyperx(4,4,p=4)", "flattened_butterfly(4,3)");
    same("hyperx(3,3)", "torus(3,3)");
    same("circulant(8,pow2)", "recursive_circulant(8,2)");
    same("circulant(16,1,4)", "recursive_circulant(16,4)");
    same("k_ary_n_tree(4,3)", "thin_tree(4,4,3)");
    same("k_ary_n_tree(3,3)", "xgft([3,3,3],[1,3,3])");
    same("thin_tree(4,2,3)", "xgft([4,4,4],[1,2,2])");
    same("star(5,p=2)", "xgft([2,5],[1,1])");
    same("fat_tree(8,3)", "xgft([4,4,4],[1,4,2],[1,1,2])");
    same("dragonfly(a=5,h=1,g=1)", "complete(5)");
    same("dragonfly(a=1,h=5)", "complete(6)");
    same("dragonfly(group=[4,3],h=1,g=1)", "hyperx(4,3)");
    same("xpander(4,1)", "complete(5)");
    same("de_bruijn(5,1)", "complete(5)");
    same("kautz(5,1)", "complete(6)");
    same("random_shortcut(12,2)", "ring(12)");
    same("random_shortcut(12,11)", "complete(12)");
    same("random_shortcut(16,4,base=[4,4])", "torus(4,4)");
}

#[test]
fn speeds_reach_the_links() {
    let n = net("torus(4,4,bandwidth=\"200 Gbps\",latency=\"50 ns\",endpoint_bandwidth=\"10 GB/s\")");
    assert_eq!(n.class(0).bandwidth_bytes_per_s, 25e9);
    assert!((n.class(0).latency_s - 50e-9).abs() < 1e-20);
    assert_eq!(n.endpoint_class().bandwidth_bytes_per_s, 10e9);
    assert_eq!(n.endpoint_class().latency_s, n.class(0).latency_s);
    let default = net("ring(4)");
    assert_eq!(default.endpoint_class().bandwidth_bytes_per_s, 12.5e9);
}

#[test]
fn lists_must_fit() {
    for (text, code) in [
        ("torus(4,4,wrap=[true,false,true])", "NL-T002"),
        ("torus(4,4,double=[])", "NL-T002"),
        ("hyperx(4,4,parallel=[1,2,3])", "NL-T002"),
    ] {
        let faults = build(&Call::parse(text).unwrap()).unwrap_err();
        assert_eq!(faults.0[0].code, code, "{text}: {faults}");
    }
}

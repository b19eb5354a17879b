use netloom_model::{Network, Progress, Stream};
use proptest::prelude::*;

use super::super::tests::{grid, multigraph, network};
use super::*;

fn ask(network: &Network) -> Bisection {
    bisection(network, 7, &Progress::new()).unwrap()
}

/// Fewest cables over all cuts into halves, by trying them.
fn exhaustive(net: &Network) -> u64 {
    let n = net.switches();
    (0u32..1 << n)
        .filter(|cut| cut.count_ones() == n / 2)
        .map(|cut| {
            let side = |s: u32| cut >> s & 1;
            net.tails().iter().zip(net.heads()).filter(|(a, b)| side(**a) > side(**b)).count() as u64
        })
        .min()
        .unwrap()
}

#[test]
fn known_cuts() {
    for (net, cables, lower) in [
        (grid(&[8, 8], true), 16, 16),
        (grid(&[16, 8, 4], true), 64, 64),
        (grid(&[2; 8], false), 128, 128),
        (grid(&[64], true), 2, 2),
        // Shortest paths shared at every switch crowd the middle of a mesh, so its bound is not met.
        (grid(&[8, 8], false), 8, 7),
    ] {
        let found = ask(&net);
        assert_eq!((found.cables, found.lower, found.exact), (cables, lower, cables == lower), "{found:?}");
    }
    let complete: Vec<_> = (0..9).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let found = ask(&network(9, &complete, |_| 1));
    assert_eq!((found.cables, found.lower), (20, 20));
}

#[test]
fn formulas_and_corners() {
    let mut builder = netloom_model::NetworkBuilder::new("x", 4);
    builder.structure().bisection_cables = Some(17);
    let found = ask(&builder.build().unwrap());
    assert_eq!((found.cables, found.lower, found.exact), (17, 17, true));
    assert_eq!(ask(&network(1, &[], |_| 1)).cables, 0);
    assert_eq!(ask(&network(0, &[], |_| 1)).cables, 0);
    assert_eq!(ask(&network(2, &[(0, 1), (0, 1)], |_| 1)).lower, 2);
    let apart = ask(&network(4, &[(0, 2), (1, 3)], |_| 1));
    assert_eq!((apart.cables, apart.lower), (0, 0));
    let progress = Progress::new();
    progress.request_stop();
    assert_eq!(bisection(&grid(&[5], true), 1, &progress).unwrap_err().0[0].code, "NL-N011");
}

#[test]
fn eigenvalue_of_a_torus() {
    let spectrum = fiedler(&grid(&[16, 16], true), &mut Stream::new(1, "test"), &Progress::new());
    let expected = 2.0 - 2.0 * (std::f64::consts::TAU / 16.0).cos();
    assert!(spectrum.lower <= expected && expected - spectrum.lower < 1e-5, "{}", spectrum.lower);
    assert!(spectrum.value >= expected - 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn interval_holds_the_best_cut(n in 2u32..13, extra in 0usize..24, seed in any::<u64>()) {
        let mut stream = Stream::new(seed, "small");
        let mut cables: Vec<_> = (1..n).map(|s| (s, stream.below(s))).collect();
        cables.extend((0..extra).map(|_| (stream.below(n), stream.below(n))).filter(|c| c.0 != c.1));
        let net = network(n, &cables, |_| 1);
        let (found, best) = (ask(&net), exhaustive(&net));
        prop_assert!(found.lower <= best && best <= found.cables, "{found:?} {best}");
        prop_assert!(!found.exact || best == found.cables, "{found:?} {best}");
    }

    #[test]
    fn cut_is_what_the_halves_cross((n, cables) in multigraph()) {
        let net = network(n, &cables, |_| 1);
        let order: Vec<u32> = (0..n).collect();
        let mut halves = Halves::new(&net, &order);
        let start = halves.cut();
        halves.refine(&Progress::new());
        prop_assert!(halves.cut() <= start);
        prop_assert_eq!(halves.recount(), (halves.cut(), n.div_ceil(2)));
    }
}

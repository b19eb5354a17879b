//! Ahn et al. 2009: a HyperX is its extents, its parallel cables and its terminals.

use netloom_model::Call;

use crate::registry::build;

#[test]
fn a_small_one_by_hand() {
    let net = build(&Call::parse("hyperx(2,3,parallel=[1,2])").unwrap()).unwrap();
    // Switch 4 is (1,1): (1,0) and (1,2) twice each, (0,1) once.
    assert_eq!(net.neighbours(4), [1, 3, 3, 5, 5]);
    assert_eq!(net.cables(), 3 + 2 * 2 * 3);
    let grid = net.structure().grid.clone().unwrap();
    assert!(grid.complete);
    assert_eq!(grid.dims, [2, 3]);
}

#[test]
fn the_papers_flattened_butterfly() {
    // Kim, Dally, Abts 2007: the 32-ary 2-flat has 32 routers and 1024 nodes; the 16-ary 4-flat 65,536 nodes.
    let flat = build(&Call::parse("flattened_butterfly(k=32,n=2)").unwrap()).unwrap();
    assert_eq!((flat.switches(), flat.endpoints(), flat.degree(0)), (32, 1024, 31));
    let large = build(&Call::parse("flattened_butterfly(k=16,n=4)").unwrap()).unwrap();
    assert_eq!((large.endpoints(), large.degree(0) + 16), (65536, 61));
}

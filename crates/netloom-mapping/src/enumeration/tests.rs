use std::collections::BTreeSet;

use netloom_model::Levels;
use proptest::prelude::*;

use super::words::{Names, open_mpi, slurm};
use super::{Ask, Entry, WantedOrders};

fn ask(sizes: &[i64], communicator: Option<i64>, cores: Option<i64>) -> Ask {
    Ask::new(Levels::new(sizes, "levels").unwrap(), communicator, cores).unwrap()
}
fn one(ask: &Ask, order: &[i64]) -> Entry {
    ask.entries(&WantedOrders::These(vec![order.to_vec()])).unwrap().remove(0)
}
fn names(depth: usize) -> Names {
    Names::new(None, depth).unwrap()
}

/// Swartvagher 2023, figure 2 and §3.3.
#[test]
fn communicators_of_four_on_two_nodes_of_two_sockets_of_four_cores() {
    let four = ask(&[2, 2, 4], Some(4), None);
    assert_eq!((one(&four, &[0, 1, 2]).ring_cost, one(&four, &[1, 0, 2]).ring_cost), (9, 7));
    assert_eq!(one(&four, &[2, 1, 0]).pairs_percent, [100.0, 0.0, 0.0]);
    let spread = one(&four, &[1, 0, 2]).pairs_percent.iter().map(|p| (p * 10.0).round()).collect::<Vec<_>>();
    assert_eq!(spread, [0.0, 333.0, 667.0]);
    let all = four.entries(&WantedOrders::All).unwrap();
    let orders: Vec<&[usize]> = all.iter().map(|entry| &entry.order[..]).collect();
    assert_eq!(orders, [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]);
    let same: Vec<Option<usize>> = all.iter().map(|entry| entry.same_as).collect();
    assert_eq!(same, [None, None, None, None, None, Some(4)]);
}

/// Swartvagher 2023 §4.1.2: Hydra, 16 ranks to a communicator.
#[test]
fn ring_costs_of_figure_3() {
    let hydra = ask(&[16, 2, 2, 8], Some(16), None);
    let (high, low) = (one(&hydra, &[1, 3, 2, 0]), one(&hydra, &[3, 1, 0, 2]));
    assert_eq!((high.ring_cost, low.ring_cost), (45, 17));
    assert_eq!(high.pairs_percent, low.pairs_percent);
}

/// Swartvagher 2023 §4.3 and figure 9: one node of LUMI.
#[test]
fn cores_of_figure_9() {
    let some = |cores: i64, order: &[usize]| ask(&[2, 4, 2, 8], None, Some(cores)).first(order, cores as u32);
    assert_eq!(some(2, &[0, 1, 2, 3]), [0, 64]);
    assert_eq!(some(4, &[2, 1, 0, 3]), [0, 8, 16, 24]);
    assert_eq!(some(8, &[0, 1, 2, 3]), [0, 64, 16, 80, 32, 96, 48, 112]);
    assert_eq!(some(8, &[1, 0, 2, 3]), [0, 16, 32, 48, 64, 80, 96, 112]);
    assert_eq!(some(8, &[1, 2, 0, 3]), [0, 16, 32, 48, 8, 24, 40, 56]);
    assert_eq!(some(8, &[2, 1, 0, 3]), [0, 8, 16, 24, 32, 40, 48, 56]);
    let sorted = |order: &[usize]| {
        let mut cores = some(32, order);
        cores.sort_unstable();
        cores
    };
    let first_two: Vec<u32> = (0..16).flat_map(|l3| [8 * l3, 8 * l3 + 1]).collect();
    let with: Vec<Vec<usize>> = ask(&[2, 4, 2, 8], None, None)
        .entries(&WantedOrders::All)
        .unwrap()
        .into_iter()
        .map(|entry| entry.order)
        .filter(|order| sorted(order) == first_two)
        .collect();
    assert_eq!(with.len(), 6);
    assert!(with.iter().all(|order| order[3] == 3));
}

#[test]
fn the_second_step_has_the_levels_that_the_chosen_cores_form() {
    // Swartvagher 2023 §3.4: the first socket of two nodes; two cores of every socket.
    let shape = |cores: &[u32]| super::measures::shape(&Levels::new(&[2, 2, 4], "levels").unwrap(), cores);
    assert_eq!(shape(&[0, 1, 2, 3, 8, 9, 10, 11]), Some(vec![2, 4]));
    assert_eq!(shape(&[0, 1, 4, 5, 8, 9, 12, 13]), Some(vec![2, 2, 2]));
    assert_eq!(shape(&[0, 1, 4]), None);
    let entries = ask(&[2, 4, 2, 8], None, Some(16)).entries(&WantedOrders::All).unwrap();
    let of = |order: &[usize]| entries.iter().find(|entry| entry.order == order).unwrap();
    assert_eq!(of(&[1, 2, 3, 0]).chosen, Some(vec![4, 2, 2]));
    assert_eq!(of(&[2, 1, 3, 0]).same_cores_as.map(|at| entries[at].order.clone()), Some(vec![1, 2, 3, 0]));
    assert_eq!(of(&[2, 1, 3, 0]).same_as, None);
}

#[test]
fn bad_questions_are_refused() {
    let levels = || Levels::new(&[2, 2, 4], "levels").unwrap();
    let code = |communicator, cores| Ask::new(levels(), communicator, cores).unwrap_err().0[0].code;
    assert_eq!([code(Some(3), None), code(Some(0), None), code(Some(32), None)], ["NL-A007"; 3]);
    assert_eq!([code(None, Some(0)), code(None, Some(17)), code(Some(4), Some(6))], ["NL-A007"; 3]);
    let nine = ask(&[2; 9], None, None);
    assert_eq!(nine.entries(&WantedOrders::All).unwrap_err().0[0].code, "NL-A009");
    assert_eq!(nine.entries(&WantedOrders::Sample(0, 1)).unwrap_err().0[0].code, "NL-A007");
    let twenty = nine.entries(&WantedOrders::Sample(20, 1)).unwrap();
    assert_eq!(twenty.iter().map(|entry| &entry.order).collect::<BTreeSet<_>>().len(), 20);
    assert_eq!(twenty, nine.entries(&WantedOrders::Sample(20, 1)).unwrap());
    // A sample of all orders is all orders.
    assert_eq!(ask(&[2, 3], None, None).entries(&WantedOrders::Sample(9, 1)).unwrap().len(), 2);
    let text = |names: &[&str]| Names::new(Some(&names.iter().map(|n| (*n).to_string()).collect::<Vec<_>>()), 3);
    assert!(text(&["node", "core"]).is_err() && text(&["node", "node", "core"]).is_err());
    assert!(text(&["node", "-", "-"]).is_ok());
}

/// Swartvagher 2023, figure 2: every order of [2,2,4] but [1,0,2] is a distribution of Slurm.
#[test]
fn distributions_of_figure_2() {
    let levels = Levels::new(&[2, 2, 4], "levels").unwrap();
    let word = |order: &[usize]| slurm(&levels, &names(3), order);
    let words = [
        (&[0, 1, 2], Some("cyclic:cyclic")),
        (&[0, 2, 1], Some("cyclic:block")),
        (&[1, 0, 2], None),
        (&[1, 2, 0], Some("block:cyclic")),
        (&[2, 0, 1], Some("plane=4")),
        (&[2, 1, 0], Some("block:block")),
    ];
    for (order, expected) in words {
        assert_eq!(word(order).as_deref(), expected, "{order:?}");
    }
    // The default of Slurm on Hydra (§4.2).
    let hydra = Levels::new(&[16, 2, 2, 8], "levels").unwrap();
    assert_eq!(slurm(&hydra, &names(4), &[1, 3, 2, 0]).as_deref(), Some("block:cyclic"));
    // Open MPI takes sockets of all nodes in turn.
    assert_eq!(open_mpi(&levels, &names(3), &[1, 0, 2]).as_deref(), Some("--map-by package:span --bind-to core"));
    assert_eq!(
        open_mpi(&levels, &names(3), &[1, 2, 0]).as_deref(),
        Some("--map-by package --rank-by slot --bind-to core")
    );
    assert_eq!(open_mpi(&levels, &names(3), &[0, 2, 1]).as_deref(), Some("--map-by node --bind-to core"));
    assert_eq!(open_mpi(&levels, &names(3), &[2, 0, 1]), None);
}

/// A launcher step by step: nodes by `outer` with `plane` ranks at a time, then the sockets of a node by `inner`.
fn distributed(sizes: [u32; 3], plane: u32, cyclic: bool) -> Vec<u32> {
    let [nodes, sockets, cores] = sizes;
    let mut used = vec![0; (nodes * sockets) as usize];
    let mut on_node = vec![0; nodes as usize];
    (0..nodes * sockets * cores)
        .map(|rank| {
            let node = rank / plane % nodes;
            let local = on_node[node as usize];
            on_node[node as usize] += 1;
            let socket = if cyclic { local % sockets } else { local / cores };
            let core = &mut used[(node * sockets + socket) as usize];
            *core += 1;
            (node * sockets + socket) * cores + *core - 1
        })
        .collect()
}

proptest! {
    #[test]
    fn distributions_place_ranks_as_their_orders_do(nodes in 2u32..5, sockets in 2u32..4, cores in 2u32..5) {
        let sizes = [nodes, sockets, cores];
        let levels = Levels::new(&sizes.map(i64::from), "levels").unwrap();
        let mut order = vec![0, 1, 2];
        loop {
            let expected = match slurm(&levels, &names(3), &order).as_deref() {
                Some("block:block") => Some(distributed(sizes, sockets * cores, false)),
                Some("block:cyclic") => Some(distributed(sizes, sockets * cores, true)),
                Some("cyclic:block") => Some(distributed(sizes, 1, false)),
                Some("cyclic:cyclic") => Some(distributed(sizes, 1, true)),
                Some(plane) => {
                    prop_assert_eq!(plane, format!("plane={cores}"));
                    Some(distributed(sizes, cores, false))
                }
                None => None,
            };
            if let Some(expected) = expected {
                prop_assert_eq!(levels.old_of_new(&order), expected, "{:?}", order);
            }
            if !netloom_model::mixed_radix::next_order(&mut order) {
                break;
            }
        }
    }

    /// Groups against communicators written out, core by core.
    #[test]
    fn orders_are_the_same_where_their_communicators_are(sizes in prop::collection::vec(2i64..5, 1..5), pick in 0usize..8) {
        let whole: i64 = sizes.iter().product();
        let divisors: Vec<i64> = (1..=whole).filter(|d| whole % d == 0).collect();
        let size = divisors[pick % divisors.len()];
        let ask = ask(&sizes, Some(size), None);
        let entries = ask.entries(&WantedOrders::All).unwrap();
        let written: Vec<BTreeSet<Vec<u32>>> = entries
            .iter()
            .map(|entry| ask.levels.old_of_new(&entry.order).chunks(size as usize).map(<[u32]>::to_vec).collect())
            .collect();
        for (at, entry) in entries.iter().enumerate() {
            let first = written.iter().position(|other| *other == written[at]).unwrap();
            prop_assert_eq!(entry.same_as, Some(first).filter(|first| *first != at));
        }
    }

    /// Measures against pairs counted one by one.
    #[test]
    fn measures_agree_with_their_definition(sizes in prop::collection::vec(2i64..5, 1..5), pick in 0usize..200, size in 1u32..30) {
        let levels = Levels::new(&sizes, "levels").unwrap();
        let ask = ask(&sizes, None, None);
        let entries = ask.entries(&WantedOrders::All).unwrap();
        let order = &entries[pick % entries.len()].order;
        let cores = ask.first(order, size.min(levels.count()));
        prop_assert_eq!(&cores[..], &levels.old_of_new(order)[..cores.len()]);
        let cost = |a: u32, b: u32| {
            let (a, b) = (levels.coordinates(a), levels.coordinates(b));
            let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
            (levels.depth() - same) as u64
        };
        let ring: u64 = cores.windows(2).map(|pair| cost(pair[0], pair[1])).sum();
        prop_assert_eq!(super::measures::ring_cost(&levels, &cores), ring);
        let mut counted = vec![0; levels.depth()];
        for (i, a) in cores.iter().enumerate() {
            cores[..i].iter().for_each(|b| counted[cost(*a, *b) as usize - 1] += 1);
        }
        prop_assert_eq!(super::measures::pairs(&levels, &cores), counted);
    }
}

//! Positions of ranks.

use super::super::APPLICATIONS;
use super::super::cg::place;
use super::super::lu::grid;
use netloom_model::Call;

#[test]
fn cg_partners_are_mutual_and_pieces_add_up() {
    for n in [1400, 7000, 14_000, 75_000, 150_000] {
        for ranks in (0..=10).map(|l| 1u32 << l) {
            let all: Vec<_> = (0..ranks).map(|rank| place(n, ranks, rank)).collect();
            for (rank, mine) in all.iter().enumerate() {
                for (at, partner) in mine.partners.iter().enumerate() {
                    assert_eq!(all[*partner as usize].partners[at], rank as u32);
                }
                let opposite = &all[mine.transposed as usize];
                assert_eq!((opposite.transposed, opposite.own), (rank as u32, mine.arriving), "{n} on {ranks}");
            }
            // The parts that a column of ranks receives transposed form the vector.
            let columns = 1usize << ranks.ilog2().div_ceil(2);
            assert_eq!(all[..columns].iter().map(|p| p.arriving).sum::<u64>(), n);
        }
    }
}

#[test]
fn lu_takes_near_squares() {
    assert_eq!([1, 2, 6, 8, 12, 128].map(grid), [(1, 1), (2, 1), (3, 2), (4, 2), (4, 3), (16, 8)]);
    let row = APPLICATIONS.rows.iter().find(|row| row.name == "lu").unwrap();
    let (_, bound) = APPLICATIONS.bind(&Call::parse("lu(class=S)").unwrap()).unwrap();
    assert_eq!((row.legal)(&bound).up_to(100), [1, 2, 4, 6, 8, 9, 12, 16]);
}

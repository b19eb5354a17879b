//! Counts of whole runs, against what was measured on the real programs and against formulas that look at no program.

use netloom_model::Collective;

use super::{Sent, expand, made, most};

/// Messages per rank at most, and MB per rank at most to the digits that were noted.
#[test]
fn most_messages_and_bytes_are_as_measured() {
    for (name, class, ranks, messages, megabytes) in [
        ("cg", "A", 128, 5472, 14.6),
        ("mg", "A", 128, 754, 3.3),
        ("lu", "A", 128, 63_264, 46.0),
        ("cg", "B", 64, 19_988, 593.0),
        ("lu", "B", 64, 101_416, 160.0),
        ("mg", "B", 64, 3048, 18.0),
    ] {
        let (sent, bytes) = most(&made(&format!("{name}(class={class},part=whole)"), ranks).unwrap());
        assert_eq!(sent, messages, "{name} {class}");
        let half_digit: f64 = if megabytes < 15.0 { 0.05 } else { 0.5 };
        let off = (bytes as f64 / 1e6 - megabytes).abs();
        assert!(off <= half_digit, "{name} {class}: {bytes} bytes");
    }
}

#[test]
fn collectives_are_as_measured() {
    let ft = expand(&made("ft(class=A)", 128).unwrap());
    let is = expand(&made("is(class=A,part=whole)", 128).unwrap());
    for (ft, is) in ft.iter().zip(&is) {
        assert_eq!(ft.collectives[&(Collective::Alltoall, 8192)], 7);
        assert_eq!(ft.collectives[&(Collective::Reduce, 16)], 6);
        assert_eq!(is.collectives[&(Collective::Alltoall, 262_144 / 128)], 11);
        assert_eq!(is.collectives[&(Collective::Alltoall, 4)], 11);
        assert_eq!(is.collectives[&(Collective::Allreduce, 4116)], 11);
    }
    assert_eq!(is.iter().map(Sent::messages).sum::<u64>(), 127);
    // 48 allreduces of 8 bytes in MG, class S on 8 ranks.
    let mg = expand(&made("mg(class=S,part=whole)", 8).unwrap());
    assert!(mg.iter().all(|sent| sent.collectives[&(Collective::Allreduce, 8)] == 48));
}

/// More ranks than planes: two alltoalls a transform, in groups.
#[test]
fn ft_of_pencils() {
    let programs = made("ft(class=W)", 64).unwrap();
    let each = 16 * 128 * 128 * 32 / 64;
    for sent in expand(&programs) {
        assert_eq!(sent.collectives[&(Collective::Alltoall, each / 2)], 7);
        assert_eq!(sent.collectives[&(Collective::Alltoall, each / 32)], 7);
    }
    let groups =
        |size: usize| programs.calls.iter().filter(move |c| c.members.len() == size).map(|c| c.members.clone());
    assert_eq!(groups(2).next().unwrap(), [0, 1]);
    assert_eq!(groups(2).count(), 32);
    assert_eq!(groups(32).nth(1).unwrap(), (0..32).map(|i| 2 * i + 1).collect::<Vec<u32>>());
}

/// CG by closed form: every rank's messages, and the 8-byte ones' bytes.
#[test]
fn cg_per_iteration() {
    for ranks in [2u32, 4, 8, 16, 32, 64] {
        let l = u64::from(ranks.ilog2().div_ceil(2));
        let timed = expand(&made("cg(class=W,iterations=3)", ranks).unwrap());
        let (rows, columns) = (u64::from(ranks) >> l, 1u64 << l);
        assert!(timed.iter().all(|sent| sent.messages() == 3 * (52 * l + l + 26 * (l + 1))), "{ranks} ranks");
        // A row of ranks holds n / rows elements; summed over the row, each element crosses once per rank and partner
        // when square, once per pair of ranks and partner otherwise; the transposition moves every element once per rank
        // of its column.
        let copies = if rows == columns { columns } else { columns / 2 };
        let vectors = 26 * (l + 1) * 7000 * 8 * copies;
        let small = u64::from(ranks) * (52 * l * 8 + l * 16);
        assert_eq!(timed.iter().map(Sent::bytes).sum::<u64>(), 3 * (vectors + small), "{ranks} ranks");
    }
}

/// LU by closed form, summed over all ranks: inner edges of the grid times planes, and faces.
#[test]
fn lu_in_total() {
    for (ranks, longer, shorter) in [(2u64, 2, 1), (4, 2, 2), (6, 3, 2), (8, 4, 2), (12, 4, 3)] {
        let sent = expand(&made("lu(class=S)", ranks as u32).unwrap());
        let cuts = (longer - 1) * shorter + (shorter - 1) * longer;
        let messages = 50 * (2 * cuts * 10 + 2 * cuts);
        assert_eq!(sent.iter().map(Sent::messages).sum::<u64>(), messages, "{ranks} ranks");
        // A cut through the cube crosses 10 inner points of each inner plane, and 12 × 12 points of the faces.
        let across = longer - 1 + shorter - 1;
        let bytes = 50 * 2 * across * (10 * 10 * 40 + 12 * 12 * 80);
        assert_eq!(sent.iter().map(Sent::bytes).sum::<u64>(), bytes, "{ranks} ranks");
    }
}

/// Where every rank has points on every level, MG sends six faces per routine: 3 per level and V-cycle (2 on the
/// coarsest) and one before them.
#[test]
fn mg_where_nobody_rests() {
    for sent in expand(&made("mg(class=S)", 8).unwrap()) {
        assert_eq!(sent.messages(), 6 * (1 + 4 * (3 * 4 + 2)));
        let face = |k: u32| {
            let n = u64::from((1u32 << k) / 2 + 2);
            2 * 8 * ((n - 2) * (n - 2) + n * (n - 2) + n * n)
        };
        let cycle = 3 * (2..=5).map(face).sum::<u64>() + 2 * face(1);
        assert_eq!(sent.bytes(), face(5) + 4 * cycle);
    }
}

/// 4 × 4 × 4 ranks and two points an axis on the coarsest level: there a rank has a point if all its coordinates are odd,
/// and on the way up it feeds its neighbours along every axis on which its coordinate is odd, one layer down, two up.
#[test]
fn mg_where_ranks_rest() {
    let sent = expand(&made("mg(class=S)", 64).unwrap());
    for (rank, sent) in (0u64..).zip(&sent) {
        let odd = [rank % 4, rank / 4 % 4, rank / 16].iter().filter(|c| *c % 2 == 1).count() as u64;
        let awake = u64::from(odd == 3);
        assert_eq!(sent.messages(), 6 + 4 * (6 * (3 * 4 + 2 * awake) + 2 * odd), "rank {rank}");
        let face = |points: u64| 2 * 8 * (points * points + (points + 2) * points + (points + 2) * (points + 2));
        let cycle = 3 * (face(1) + face(2) + face(4) + face(8)) + 2 * awake * face(1) + odd * (1 + 2) * 8 * 3 * 3;
        assert_eq!(sent.bytes(), face(8) + 4 * cycle, "rank {rank}");
    }
}

/// Operations of all ranks together equal the benchmark's count, for any number of ranks and iterations.
#[test]
fn work_is_what_is_counted() {
    for (text, millions) in [
        ("ft(class=A)", 7135.0),
        ("is(class=A)", 83.886_08),
        ("mg(class=A)", 58.0 * 4.0 * 16.777_216),
        ("lu(class=A)", 119_280.0),
        ("cg(class=A)", 1496.0),
        ("cg(class=A,iterations=3)", 299.2),
    ] {
        for ranks in [1, 8, 128] {
            let programs = made(text, ranks).unwrap();
            let counted = programs.counted_operations;
            assert!((counted / (millions * 1e6) - 1.0).abs() < 1e-3, "{text}: {counted}");
            let done: f64 = expand(&programs).iter().map(|sent| sent.flops).sum();
            assert!((done / counted - 1.0).abs() < 1e-12, "{text} on {ranks}: {done} of {counted}");
        }
    }
    let twice = made("is(class=A,operations_per_key=12)", 8).unwrap();
    let done: f64 = expand(&twice).iter().map(|sent| sent.flops).sum();
    assert!((done / twice.counted_operations - 12.0).abs() < 1e-9);
}

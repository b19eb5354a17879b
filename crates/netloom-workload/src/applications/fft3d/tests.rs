use std::collections::BTreeMap;

use netloom_model::{Call, Op, Programs};

use super::decomposition::{Decomposition, Layout, Reshape};
use crate::applications::{application, default_collectives};

fn made(arguments: &str, ranks: u32) -> Programs {
    application(&Call::parse(&format!("fft3d({arguments})")).unwrap(), ranks, &default_collectives).unwrap()
}

fn refused(arguments: &str, ranks: u32) -> String {
    let call = Call::parse(&format!("fft3d({arguments})")).unwrap();
    application(&call, ranks, &default_collectives).unwrap_err().to_string()
}

/// Messages and points of a reshape, those that stay on their object's rank too.
fn all(grid: &Decomposition, reshape: Reshape) -> (u64, u64) {
    let objects = 0..(grid.a * grid.b) as u32;
    objects.flat_map(|object| grid.sends(reshape, object)).fold((0, 0), |(m, p), (_, points)| (m + 1, p + points))
}

#[test]
fn a_cutoff_keeps_so_many_planes_pencils_and_points() {
    for (cutoff, planes, pencils) in
        [(100, 21, 317), (1600, 81, 5025), (6400, 161, 20_081), (14_400, 241, 45_225), (22_500, 300, 70_679)]
    {
        let grid = Decomposition::new([300; 3], (50, 50), Some(cutoff), "round-robin", None);
        assert_eq!(all(&grid, Reshape::First).1, 300 * 300 * planes, "{cutoff}");
        assert_eq!(all(&grid, Reshape::Second).1, 300 * pencils, "{cutoff}");
    }
}

#[test]
fn round_robin_reaches_nearly_every_object() {
    for (a, b, first, second) in [
        (10, 10, 1000, 10_000),
        (300, 1, 300, 90_000),
        (75, 4, 1200, 90_000),
        (20, 15, 4500, 90_000),
        (20, 20, 8000, 160_000),
        (30, 30, 27_000, 810_000),
        (50, 50, 125_000, 4_500_000),
    ] {
        let grid = Decomposition::new([300; 3], (a, b), None, "round-robin", None);
        assert_eq!((all(&grid, Reshape::First).0, all(&grid, Reshape::Second).0), (first, second), "{a} x {b}");
        assert_eq!(all(&grid, Reshape::First).1, 300 * 300 * 300);
    }
    // Pencils in runs: each part of Z has its own objects.
    let grid = Decomposition::new([300; 3], (50, 50), None, "block", None);
    assert_eq!(all(&grid, Reshape::Second).0, 50 * 50 * 50);
}

#[test]
fn what_is_sent_is_what_is_got() {
    for (n, parts, cutoff, d3, bricks) in [
        ([7, 5, 6], (3, 2), None, "round-robin", None),
        ([7, 5, 6], (3, 2), Some(5), "block", None),
        ([4, 9, 3], (4, 3), Some(2), "grid", None),
        ([8, 8, 8], (4, 2), None, "grid", Some([2, 2, 2])),
        ([5, 7, 9], (3, 4), None, "grid", Some([2, 2, 3])),
        ([1, 1, 1], (1, 1), None, "block", None),
    ] {
        let grid = Decomposition::new(n, parts, cutoff, d3, bricks);
        for reshape in [Reshape::In, Reshape::First, Reshape::Second, Reshape::Out] {
            if matches!(reshape, Reshape::In | Reshape::Out) && bricks.is_none() {
                continue;
            }
            let (mut sent, mut got) = (BTreeMap::new(), BTreeMap::new());
            for object in 0..(grid.a * grid.b) as u32 {
                for (to, points) in grid.sends(reshape, object) {
                    sent.insert((object, to), points);
                }
                for (from, points) in grid.gets(reshape, object) {
                    got.insert((from, object), points);
                }
            }
            assert_eq!(sent, got, "{n:?} {parts:?} {reshape:?}");
        }
        let lines = |layout: Layout| -> u64 {
            (0..(grid.a * grid.b) as u32).map(|object| grid.lines(layout, object)).map(|(lines, _)| lines).sum()
        };
        assert_eq!(lines(Layout::D1), n[0] * n[1]);
        assert_eq!(lines(Layout::D3) * n[0], all(&grid, Reshape::Second).1);
    }
}

#[test]
fn ranks_send_what_objects_do() {
    let grid = Decomposition::new([12, 10, 9], (4, 3), Some(20), "round-robin", None);
    let wanted: u64 = [Reshape::First, Reshape::Second].iter().map(|reshape| all(&grid, *reshape).1).sum();
    for ranks in [1, 5, 12, 40] {
        for mapping in ["block", "round-robin"] {
            let programs = made(&format!("n=[12,10,9],decomposition=[4,3],cutoff=20,mapping={mapping}"), ranks);
            let (mut bytes, mut flops) = (0, 0.0);
            for op in &programs.ops {
                match op {
                    Op::StartSend { bytes: of, .. } => bytes += of,
                    Op::Compute { flops: of } => flops += of,
                    _ => {}
                }
            }
            assert_eq!(bytes, 16 * wanted);
            assert!((flops / programs.counted_operations - 1.0).abs() < 1e-12);
        }
    }
    // Two instances, there and back: four times the bytes.
    let programs = made("n=[12,10,9],decomposition=[4,3],cutoff=20,direction=both,instances=2", 5);
    let sum: u64 = programs.ops.iter().map(|op| if let Op::StartSend { bytes, .. } = op { *bytes } else { 0 }).sum();
    assert_eq!(sum, 4 * 16 * wanted);
}

#[test]
fn rows_and_columns_exchange_as_objects_do() {
    let plain = made("n=[8,8,8],decomposition=[4,2],d3=grid", 8);
    let turns = made("n=[8,8,8],decomposition=[4,2],d3=grid,exchange=alltoallv", 8);
    let sums = |programs: &Programs| {
        let mut sums = BTreeMap::new();
        programs.for_each_message(|src, dst, bytes, times| *sums.entry((src, dst)).or_insert(0) += bytes * times);
        sums
    };
    assert_eq!(sums(&plain), sums(&turns));
    let together = made("n=[8,8,8],decomposition=[4,2],d3=grid,exchange=alltoall", 8);
    assert_eq!(together.calls.len(), 4 + 2);
}

#[test]
fn what_does_not_fit_is_refused() {
    for (arguments, ranks, said) in [
        ("n=[8,8,8],decomposition=[9,2]", 4, "9 x 2 parts are more than a grid of 8 x 8 x 8 has points"),
        ("n=[8,8,4],decomposition=[2,5]", 4, "2 x 5 parts are more"),
        ("n=[8,8,8],decomposition=[2,2],mapping=[0,1,2]", 4, "3 numbers"),
        ("n=[8,8,8],decomposition=[2,2],mapping=[0,1,2,4]", 4, "a rank from 0 to 3"),
        ("n=[8,8,8],decomposition=[2,2],exchange=alltoall", 4, "needs pencils dealt as a grid"),
        ("n=[8,8,8],decomposition=[2,2],exchange=alltoall,d3=grid", 5, "NL-P004"),
        ("n=[8,8,8],decomposition=[2,2],bricks=[2,2,2],d3=grid", 4, "8 bricks are not as many as the 4 objects"),
        ("n=[8,8,8],decomposition=[2,2],bricks=[2,2,1],d3=grid,cutoff=4", 4, "hold the whole grid"),
        ("n=[8192,8192,8192],decomposition=[2,2],bytes=\"1 TB\"", 4, "more than 2^53 bytes"),
        ("n=[8,8,8],decomposition=[2,2],bricks=[2,2,1]", 4, "add d3=grid"),
    ] {
        let found = refused(arguments, ranks);
        assert!(found.contains(said), "{arguments}: {found}");
    }
    assert!(Call::parse("fft3d(n=[8,8,8],decomposition=[2,2],cutoff=0)").is_ok_and(|call| {
        application(&call, 4, &default_collectives).is_err_and(|fault| fault.to_string().contains("cutoff"))
    }));
}

//! Applications that papers describe: messages and bytes by closed form, and the papers' own counts.

use netloom_model::{Collective, Op};

use super::super::legal::cut;
use super::{Sent, expand, made};

/// A plane of pF3D sends up and down but for the ends; every rank takes part in an alltoall of its row and its column.
#[test]
fn pf3d_by_planes() {
    for (x, y, planes) in [(32u32, 16u32, 3u32), (4, 2, 5), (3, 5, 1), (1, 4, 2)] {
        let ranks = x * y * planes;
        let programs = made(&format!("pf3d({x},{y},iterations=3)"), ranks).unwrap();
        let sent = expand(&programs);
        for (rank, sent) in (0u32..).zip(&sent) {
            let plane = rank / (x * y);
            let up = u64::from(plane + 1 < planes);
            let down = u64::from(plane > 0);
            assert_eq!((sent.messages(), sent.bytes()), (3 * (up + down), 3 * 1024 * (256 * up + 384 * down)));
            let calls = |bytes| sent.collectives.get(&(Collective::Alltoall, bytes)).copied().unwrap_or(0);
            assert_eq!((calls(4096), calls(8192)), (if x > 1 { 3 } else { 0 }, 3), "{x} x {y}");
        }
        // Members of a group share the plane, and the row or the column.
        for call in &programs.calls {
            let of = |rank: &u32| (rank / (x * y), rank / x % y, rank % x);
            let first = of(&call.members[0]);
            let along_x = call.members.iter().all(|m| (of(m).0, of(m).1) == (first.0, first.1));
            let along_y = call.members.iter().all(|m| (of(m).0, of(m).2) == (first.0, first.2));
            let extent = if call.schedule.size_bytes == 4096 { x } else { y };
            assert!(if call.schedule.size_bytes == 4096 { along_x } else { along_y });
            assert_eq!(call.members.len(), extent as usize);
            assert!(call.members.is_sorted());
        }
        let groups = programs.calls.len() as u32;
        assert_eq!(groups, planes * (if x > 1 { y } else { 0 } + x));
    }
}

/// 131,072 ranks: 31 and 15 partners, and 255 of 256 planes that send up (Jain 2016 §3.1.3).
#[test]
fn pf3d_at_the_papers_size() {
    let programs = made("pf3d", 131_072).unwrap();
    let (mut messages, mut bytes) = (0u64, 0u64);
    programs.for_each_message(|_, _, size, times| {
        messages += times;
        bytes += times * size;
    });
    assert_eq!(messages, 131_072 * (31 + 15) + 2 * 255 * 512);
    assert_eq!(bytes, 1024 * (131_072 * (31 * 4 + 15 * 8) + 255 * 512 * (256 + 384)));
}

/// Phases are left out one by one, and `send` changes nothing but whether a rank waits.
#[test]
fn pf3d_arguments() {
    let none = made("pf3d(2,2,x_bytes=0,y_bytes=0,up_bytes=0,down_bytes=0)", 8).unwrap();
    assert!(none.ops.is_empty() && none.calls.is_empty());
    let up = made("pf3d(2,2,x_bytes=0,y_bytes=0,down_bytes=0)", 8).unwrap();
    assert_eq!(up.of(3), [Op::Send { peer: 7, tag: 1, bytes: 256 << 10 }]);
    assert_eq!(up.of(7), [Op::Receive { peer: 3, tag: 1, bytes: 256 << 10 }]);
    let both = |send: &str| made(&format!("pf3d(2,2,send={send})"), 16).unwrap();
    assert_eq!(expand(&both("blocking")), expand(&both("non-blocking")));
    assert!(both("non-blocking").ops.iter().all(|op| !matches!(op, Op::Send { .. })));
}

/// Eight faces a rank, of the volume over the extent; every rank of a closed grid does the same.
#[test]
fn milc_by_faces() {
    let sent = expand(&made("milc(grid=[4,4,3,5],iterations=2)", 240).unwrap());
    for (rank, sent) in sent.iter().enumerate() {
        assert_eq!((sent.messages(), sent.peers.len()), (16, 8));
        assert_eq!(sent.bytes(), 2 * 2 * 24 * (256 + 256 + 128 + 128));
        assert_eq!(sent.collectives[&(Collective::Allreduce, 8)], 2);
        let at = [rank / 60, rank / 15 % 4, rank / 5 % 3, rank % 5];
        for (axis, extent) in [4, 4, 3, 5].into_iter().enumerate() {
            for step in [1, extent - 1] {
                let mut next = at;
                next[axis] = (at[axis] + step) % extent;
                let peer = ((next[0] * 4 + next[1]) * 3 + next[2]) * 5 + next[3];
                assert_eq!(sent.peers[&(peer as u32)], (2, 2 * 24 * 1024 / [4, 4, 8, 8][axis]), "{rank} to {peer}");
            }
        }
    }
    // Two messages to the only neighbour of an axis of two, none on an axis of one.
    let flat = expand(&made("milc(grid=[1,2,1,3],sites=[2,2,2,2],site_bytes=1,sum_bytes=0)", 6).unwrap());
    assert_eq!(
        flat[0].peers.iter().map(|(p, c)| (*p, *c)).collect::<Vec<_>>(),
        [(1, (1, 8)), (2, (1, 8)), (3, (2, 16))]
    );
    assert!(flat[0].collectives.is_empty());
}

/// The grids of the paper's numbers of ranks, 64 to a node.
#[test]
fn grids_are_near_cubes_or_follow_the_box() {
    let of = |nodes: u32| cut([1; 4], 64 * nodes);
    assert_eq!([128, 256, 512].map(of), [[16, 8, 8, 8], [16, 16, 8, 8], [16, 16, 16, 8]]);
    assert_eq!([1024, 2048, 4096].map(of), [[16; 4], [32, 16, 16, 16], [32, 32, 16, 16]]);
    assert_eq!(cut([1; 4], 7 * 30), [7, 5, 3, 2]);
    assert_eq!(cut([100, 1], 12), [12, 1]);
    assert_eq!(cut([1; 3], 1), [1; 3]);
    for ranks in 1..200 {
        assert_eq!(cut([3, 4, 5], ranks).iter().product::<u32>(), ranks);
    }
}

/// Swartvagher 2023 §4.2: 3 communicators of all 1,024 ranks, 8 of 256 and 64 of 16.
#[test]
fn splatt_has_the_communicators_of_the_paper() {
    let programs = made("splatt", 1024).unwrap();
    let mut sizes: Vec<usize> = programs.calls.iter().map(|call| call.members.len()).collect();
    sizes.sort_unstable();
    let count = |size| sizes.iter().filter(|s| **s == size).count();
    assert_eq!((count(16), count(256), count(1024), sizes.len()), (64, 8, 3, 75));
    // Those of 16 take every 64th rank.
    let sixteen = programs.calls.iter().filter(|call| call.members.len() == 16);
    for (layer, call) in (0u32..).zip(sixteen) {
        assert_eq!(call.members, (0..16).map(|i| layer + 64 * i).collect::<Vec<u32>>());
    }
    let rows =
        |mode: u64, extent: u64| mode.div_ceil(extent).min(143_599_552u64.div_ceil(1024)).div_ceil(1024 / extent);
    for sent in expand(&programs) {
        assert_eq!(sent.messages(), 0);
        for (mode, extent) in [(2_902_330, 4), (25_495_389, 64)] {
            let each = rows(mode, extent) * 10 * 8;
            let same = if extent == 4 { 4 } else { 2 };
            assert_eq!(sent.collectives[&(Collective::Alltoall, each)], same);
        }
        for (bytes, calls) in [(800, 3), (80, 3), (8, 1)] {
            assert_eq!(sent.collectives[&(Collective::Allreduce, bytes)], calls);
        }
    }
}

/// Neighbours form a communicator; with one running the others do nothing.
#[test]
fn communicators_are_side_by_side() {
    let members = |text: &str| -> Vec<Vec<u32>> {
        let programs = made(text, 12).unwrap();
        programs.communicators().unwrap().iter().map(|(call, _)| call.members.clone()).collect()
    };
    let all = [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9, 10, 11]];
    assert_eq!(members("communicators(alltoall,4,bytes=\"2 KiB\")"), all);
    assert_eq!(members("communicators(alltoall,4,one)"), all[..1]);
    let programs = made("communicators(allgather,6,bytes=5,iterations=3)", 12).unwrap();
    let found = programs.communicators().unwrap();
    assert_eq!((found[1].0.schedule.size_bytes, found[1].1), (5, 3));
}

/// A layer with fewer rows than a rank has nonzeros moves its rows; one rank moves nothing.
#[test]
fn splatt_counts_rows() {
    let sent =
        expand(&made("splatt(grid=[2,3,4],modes=[60,60,60],nonzeros=24000,columns=2,iterations=2)", 24).unwrap());
    for sent in &sent {
        // 30, 20 and 15 rows in layers of 12, 8 and 6 ranks.
        assert_eq!(sent.collectives[&(Collective::Alltoall, 3 * 2 * 8)], 3 * 2 * 2);
    }
    let alone = expand(&made("splatt", 1).unwrap());
    assert_eq!(alone, [Sent::default()]);
}

/// A message along every edge of the grid, each way and sweep; a rank sends when its lower neighbours have sent.
#[test]
fn sweep_by_edges() {
    for (call, ranks, messages, each) in [
        ("sweep(8,8)", 64, 224, 40 << 10),
        ("sweep(4,4,4)", 64, 288, 40 << 10),
        ("sweep(8,8,bytes=\"1 KiB\",times=40,back=false)", 64, 4480, 1 << 10),
        ("sweep(16,32)", 512, 1952, 40 << 10),
        ("sweep(8,8,8,times=3)", 512, 3 * 2688, 40 << 10),
        ("sweep(1,7,1,bytes=0)", 7, 12, 0),
        ("sweep(1)", 1, 0, 0),
    ] {
        let programs = made(call, ranks).unwrap();
        let (mut count, mut bytes) = (0, 0);
        programs.for_each_message(|_, _, size, times| {
            count += times;
            bytes += times * size;
        });
        assert_eq!((count, bytes), (messages, messages * each), "{call}");
        assert!(programs.ops.iter().all(|op| !matches!(op, Op::Compute { .. })));
    }
    let one = made("sweep(2,3,bytes=9,back=false)", 6).unwrap();
    let (receive, send) =
        (|peer| Op::StartReceive { peer, tag: 0, bytes: 9 }, |peer| Op::StartSend { peer, tag: 0, bytes: 9 });
    assert_eq!(one.of(0), [send(3), send(1), Op::WaitAll]);
    let second = [receive(1), receive(3), Op::Wait { back: 2 }, Op::Wait { back: 1 }, send(5), Op::WaitAll];
    assert_eq!(one.of(4), second);
    assert_eq!(one.of(5)[4..], [Op::WaitAll]);
}

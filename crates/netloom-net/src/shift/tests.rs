//! The smallest de Bruijn and Kautz networks by hand.

use netloom_model::Call;

use crate::registry::build;

#[test]
fn binary_words_of_three() {
    let net = build(&Call::parse("de_bruijn(2,3)").unwrap()).unwrap();
    // 000 leads to 001; 001 to 010, 011; 010 to 100, 101; ... loops at 000 and 111, 010-101 connected in both
    // directions.
    let rows: Vec<&[u32]> = (0..8).map(|s| net.neighbours(s)).collect();
    let expected: [&[u32]; 8] =
        [&[1, 4], &[0, 2, 3, 4], &[1, 4, 5], &[1, 5, 6, 7], &[0, 1, 2, 6], &[2, 3, 6], &[3, 4, 5, 7], &[3, 6]];
    assert_eq!(rows, expected);
}

#[test]
fn kautz_words_have_different_neighbours() {
    // K(2,2): six words of two different symbols; xy leads to yz. Numbered by words, the same degrees and distances.
    let net = build(&Call::parse("kautz(2,2)").unwrap()).unwrap();
    let words: Vec<(u32, u32)> = (0..3).flat_map(|x| (0..3).map(move |y| (x, y))).filter(|w| w.0 != w.1).collect();
    let joined = |a: (u32, u32), b: (u32, u32)| a != b && (a.1 == b.0 || b.1 == a.0);
    // 3-regular on 6 vertices with 2 triangles (the prism) or none (K33): count triangles of both.
    let triangles = |edge: &dyn Fn(usize, usize) -> bool| {
        let mut count = 0;
        for a in 0..6 {
            for b in 0..a {
                for c in 0..b {
                    count += u32::from(edge(a, b) && edge(b, c) && edge(a, c));
                }
            }
        }
        count
    };
    let built = |a: usize, b: usize| net.neighbours(a as u32).contains(&(b as u32));
    assert!((0..6).all(|s| net.degree(s) == 3));
    assert_eq!(triangles(&built), triangles(&|a, b| joined(words[a], words[b])));
}

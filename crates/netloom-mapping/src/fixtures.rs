//! Small networks for tests.

use netloom_model::{Network, NetworkBuilder};

/// `circulant(n, pow2)`: jumps 1, 2, 4, ... below n, `p` endpoints per switch.
pub fn circulant(n: u32, p: u32) -> Network {
    let mut b = NetworkBuilder::new(format!("circulant({n},pow2)"), n);
    let class = b.class("jump", 12.5e9, 1e-7);
    let jumps: Vec<u32> = (0..31).map(|i| 1 << i).take_while(|j| *j < n).collect();
    for &jump in &jumps {
        for s in 0..n {
            if 2 * jump != n || s < jump {
                b.cable(s, (s + jump) % n, class);
            }
        }
    }
    b.endpoints_everywhere(p);
    b.structure().ring = true;
    b.structure().jumps = Some(jumps);
    b.build().unwrap()
}

/// A path of `n` switches, one endpoint each, without structure.
pub fn path(n: u32) -> Network {
    let mut b = NetworkBuilder::new(format!("path_{n}"), n);
    let class = b.class("step", 12.5e9, 1e-7);
    for s in 1..n {
        b.cable(s - 1, s, class);
    }
    b.endpoints_everywhere(1);
    b.build().unwrap()
}

/// Two paths of `n` switches that are not joined.
pub fn two_parts(n: u32) -> Network {
    let mut b = NetworkBuilder::new("two_parts", 2 * n);
    let class = b.class("step", 12.5e9, 1e-7);
    for s in (1..2 * n).filter(|s| *s != n) {
        b.cable(s - 1, s, class);
    }
    b.endpoints_everywhere(1);
    b.build().unwrap()
}

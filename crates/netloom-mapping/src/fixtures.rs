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

/// Two paths of `n` switches that are not connected.
pub fn two_parts(n: u32) -> Network {
    let mut b = NetworkBuilder::new("two_parts", 2 * n);
    let class = b.class("step", 12.5e9, 1e-7);
    for s in (1..2 * n).filter(|s| *s != n) {
        b.cable(s - 1, s, class);
    }
    b.endpoints_everywhere(1);
    b.build().unwrap()
}

/// A dragonfly of `groups` groups of `chassis` chassis of `line` switches of `p` endpoints.
pub fn dragonfly(groups: u32, chassis: u32, line: u32, p: u32) -> Network {
    let a = chassis * line;
    let mut b = NetworkBuilder::new("dragonfly", groups * a);
    let class = b.class("local", 12.5e9, 1e-7);
    for s in 0..groups * a {
        for t in s + 1..groups * a {
            if s / a == t / a || s % a == t % a {
                b.cable(s, t, class);
            }
        }
    }
    b.endpoints_everywhere(p);
    b.structure().groups = Some((0..groups * a).map(|s| s / a).collect());
    b.structure().chassis = Some((0..groups * a).map(|s| s / line).collect());
    b.build().unwrap()
}

/// Pods of `leaves` leaf switches of `p` endpoints under one switch each, and one root.
pub fn pods(pods: u32, leaves: u32, p: u32) -> Network {
    let below = pods * leaves;
    let mut b = NetworkBuilder::new("pods", below + pods + 1);
    let class = b.class("up", 12.5e9, 1e-7);
    for leaf in 0..below {
        b.cable(leaf, below + leaf % pods, class);
    }
    for pod in 0..pods {
        b.cable(below + pod, below + pods, class);
    }
    for leaf in 0..below {
        for _ in 0..p {
            b.endpoint(leaf);
        }
    }
    b.structure().levels = Some((0..below).map(|_| 0).chain((0..pods).map(|_| 1)).chain([2]).collect());
    b.build().unwrap()
}

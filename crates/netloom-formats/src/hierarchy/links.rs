//! Direct links as the text of a node's `links`.

use std::collections::BTreeMap;

/// Bits per second of a byte per second, in units of a gigabit.
const GBPS: f64 = 8e-9;

/// A bandwidth as `640 Gbps`.
pub fn gbps(bytes_per_s: f64) -> String {
    format!("{} Gbps", (bytes_per_s * GBPS * 1e4).round() / 1e4)
}

/// The text of links from one unit to another, each with its bytes per second: those of one bandwidth together, both ways
/// as one where they are the same. O(links log links).
pub fn written(ways: &BTreeMap<(u32, u32), f64>) -> String {
    let mut groups: Vec<(f64, Vec<String>)> = Vec::new();
    for (&(a, b), &speed) in ways {
        let both = ways.get(&(b, a)) == Some(&speed);
        if both && a > b {
            continue;
        }
        let pair = format!("{a}{}{b}", if both { '-' } else { '>' });
        match groups.iter_mut().find(|group| group.0 == speed) {
            Some(group) => group.1.push(pair),
            None => groups.push((speed, vec![pair])),
        }
    }
    let parts: Vec<String> =
        groups.iter().map(|(speed, pairs)| format!("{}:{}", pairs.join(","), gbps(*speed))).collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_one_bandwidth_stand_together() {
        let ways = [((0, 1), 80e9), ((1, 0), 80e9), ((2, 3), 80e9), ((3, 2), 80e9), ((0, 2), 40e9), ((2, 0), 20e9)];
        let ways: BTreeMap<(u32, u32), f64> = ways.into_iter().collect();
        assert_eq!(written(&ways), "0-1,2-3:640 Gbps; 0>2:320 Gbps; 2>0:160 Gbps");
        assert_eq!(written(&BTreeMap::new()), "");
        assert_eq!(gbps(18.0 * 20.6e9), "2966.4 Gbps");
    }
}

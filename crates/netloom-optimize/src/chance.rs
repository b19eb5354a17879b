//! What annealing draws, made of additions and multiplications only: the logarithm of a system library may differ in its
//! last bit between machines, and a search would then end differently.

/// Entries of the table of thresholds: the random number has 12 bits.
pub const LUCK: usize = 1 << 12;

/// `-ln(u)` for the middles of 4096 equal parts of (0, 1): a worsening of `t × threshold` or less is accepted, which is
/// the Metropolis rule.
pub fn thresholds() -> Vec<f64> {
    (0..LUCK).map(|k| -ln((k as f64 + 0.5) / LUCK as f64)).collect()
}

/// Natural logarithm of a positive number, to about 1e-15.
pub fn ln(x: f64) -> f64 {
    let (mut m, mut twos) = (x, 0i32);
    while m >= 1.5 {
        m *= 0.5;
        twos += 1;
    }
    while m < 0.75 {
        m *= 2.0;
        twos -= 1;
    }
    let z = (m - 1.0) / (m + 1.0);
    let square = z * z;
    // 2 artanh(z) = ln m; |z| <= 1/5.
    let series = (0..13).rev().fold(0.0, |sum, i| sum * square + 1.0 / f64::from(2 * i + 1));
    f64::from(twos) * std::f64::consts::LN_2 + 2.0 * z * series
}

/// Exponential of a number in -700..700, to about 1e-14.
pub fn exp(x: f64) -> f64 {
    let halvings = 10;
    let small = x / f64::from(1 << halvings);
    let mut y = (1..12).rev().fold(1.0, |sum, i| 1.0 + small * sum / f64::from(i));
    for _ in 0..halvings {
        y *= y;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_the_library() {
        for i in 1..20_000 {
            let x = f64::from(i) / 1000.0;
            assert!((ln(x) - x.ln()).abs() < 1e-13 * (1.0 + x.ln().abs()), "{x}");
            assert!((exp(-x) / (-x).exp() - 1.0).abs() < 1e-11, "{x}");
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-11, "{x}");
        }
        let table = thresholds();
        assert!(table.windows(2).all(|w| w[0] > w[1]) && table[LUCK - 1] > 0.0);
    }
}

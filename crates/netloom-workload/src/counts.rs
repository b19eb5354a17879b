//! Cost of a schedule, and the number theory used in the closed forms.

use std::fmt;

/// Steps, messages, bytes and ports of a schedule; by formula ([`Closed`]) or by execution ([`Proof`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub steps: u32,
    pub messages: u64,
    /// Largest sum of bytes that one rank sends.
    pub max_bytes_sent: u64,
    /// Bytes of all messages.
    pub total_bytes: u64,
    /// Most messages that one rank sends, or receives, in one step.
    pub max_ports: u32,
}

/// Costs by formula, without making the schedule.
pub type Closed = Counts;
/// Costs that were counted while the schedule was executed and found right.
pub type Proof = Counts;

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { steps, messages, max_bytes_sent, total_bytes, max_ports } = self;
        write!(
            f,
            "{steps} steps, {messages} messages, {max_bytes_sent} bytes sent at most by one rank, {total_bytes} bytes in \
             all, {max_ports} ports"
        )
    }
}

/// [`Counts`] wide enough that no formula overflows before it is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    pub steps: u128,
    pub messages: u128,
    pub max_bytes_sent: u128,
    pub total_bytes: u128,
    pub max_ports: u128,
}

impl Wide {
    /// The counts, if they fit their types and the bytes stay below 2^63.
    pub fn narrow(self) -> Option<Counts> {
        if self.total_bytes >= 1 << 63 || self.max_bytes_sent >= 1 << 63 {
            return None;
        }
        Some(Counts {
            steps: u32::try_from(self.steps).ok()?,
            messages: u64::try_from(self.messages).ok()?,
            max_bytes_sent: self.max_bytes_sent as u64,
            total_bytes: self.total_bytes as u64,
            max_ports: u32::try_from(self.max_ports).ok()?,
        })
    }
}

/// Smallest `q` with `k^q >= p`.
pub fn log_ceil(p: u64, k: u64) -> u32 {
    let (mut q, mut power) = (0, 1u64);
    while power < p {
        power = power.saturating_mul(k);
        q += 1;
    }
    q
}

/// Largest `l` with `k^l <= p`.
pub fn log_floor(p: u64, k: u64) -> u32 {
    let (mut l, mut power) = (0, 1u64);
    while power.saturating_mul(k) <= p {
        power *= k;
        l += 1;
    }
    l
}

/// `k^i`, saturating.
pub fn power(k: u64, i: u32) -> u64 {
    k.saturating_pow(i)
}

/// Number of pairs (digit `i`, value `j` in `1..k`) with `j·k^i < p`: the messages of one rank that has a partner for
/// every digit value, and the children of the root of a k-nomial tree.
pub fn partners(p: u64, k: u64) -> u128 {
    (0..log_ceil(p, k)).map(|i| u128::from((k - 1).min(p.div_ceil(power(k, i)) - 1))).sum()
}

/// Sum over `0..x` of the number of digits to base `k` that are not zero.
pub fn nonzero_digits(x: u64, k: u64) -> u128 {
    (0..log_ceil(x, k))
        .map(|i| {
            let (unit, cycle) = (power(k, i), power(k, i + 1));
            u128::from(x) - u128::from(x / cycle) * u128::from(unit) - u128::from((x % cycle).min(unit))
        })
        .sum()
}

/// Sum of the digits to base `k` of the number in `0..=x` whose digit sum is largest, written with `digits` digits.
pub fn largest_digit_sum(x: u64, k: u64, digits: u32) -> u64 {
    let (mut best, mut prefix) = (0, 0);
    for i in (0..digits).rev() {
        let digit = x / power(k, i) % k;
        if digit > 0 {
            best = best.max(prefix + digit - 1 + u64::from(i) * (k - 1));
        }
        prefix += digit;
    }
    best.max(prefix)
}

/// Bytes of the first `end` of `count` parts of `total` bytes, the first `total mod count` of which are one byte longer.
pub fn prefix(total: u64, count: u64, end: u64) -> u128 {
    let (each, longer) = (total / count, total % count);
    u128::from(each) * u128::from(end) + u128::from(end.min(longer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_agree_with_counting() {
        for k in 2..7u64 {
            for x in 0..200u64 {
                let digits = |mut v: u64| std::iter::from_fn(move || (v > 0).then(|| (v % k, v /= k).0));
                let slow: usize = (0..x).map(|v| digits(v).filter(|d| *d > 0).count()).sum();
                assert_eq!(nonzero_digits(x, k), slow as u128);
                let best = (0..=x).map(|v| digits(v).sum::<u64>()).max().unwrap();
                assert_eq!(largest_digit_sum(x, k, log_ceil(x + 1, k)), best, "x={x} k={k}");
                if x > 0 {
                    let (q, l) = (log_ceil(x, k), log_floor(x, k));
                    assert!(k.pow(q) >= x && (q == 0 || k.pow(q - 1) < x));
                    assert!(k.pow(l) <= x && k.pow(l + 1) > x);
                    let slow = (0..q).flat_map(|i| (1..k).map(move |j| j * k.pow(i))).filter(|d| *d < x).count();
                    assert_eq!(partners(x, k), slow as u128);
                }
            }
        }
    }
}

//! The order in which people list names: numbers in them by value.

use std::cmp::Ordering;

/// Compares names piece by piece, runs of digits by value: `n2` before `n10`. Total: equal only for equal names.
/// O(length).
pub fn compare(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a, b);
    while let (Some(p), Some(q)) = (x.chars().next(), y.chars().next()) {
        let order = if p.is_ascii_digit() && q.is_ascii_digit() {
            let (m, n) = (digits(&mut x), digits(&mut y));
            m.len().cmp(&n.len()).then_with(|| m.cmp(n))
        } else {
            (x, y) = (&x[p.len_utf8()..], &y[q.len_utf8()..]);
            p.cmp(&q)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    x.len().cmp(&y.len()).then_with(|| a.cmp(b))
}

/// The leading digits without zeros in front, and `text` behind them.
fn digits<'t>(text: &mut &'t str) -> &'t str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (run, rest) = text.split_at(end);
    *text = rest;
    run.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn numbers_count_by_value() {
        let mut names = ["n10", "n2", "n02", "a", "n2x", "n", "é1", "n1-2", "n1-10"];
        names.sort_by(|a, b| compare(a, b));
        assert_eq!(names, ["a", "n", "n1-2", "n1-10", "n02", "n2", "n2x", "n10", "é1"]);
    }
}

//! Quantities as SimGrid writes them: `12.5GBps`, `100Gbps`, `500ns`, `1.5Mf`.

/// Quantity of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Bandwidth,
    Time,
    Speed,
}

const DECIMAL: &str = "kMGTPEZY";
/// Unit, factor, divisor: a division keeps 500ns the same number as 5e-7.
const TIMES: &[(&str, f64, f64)] = &[
    ("w", 604_800.0, 1.0),
    ("d", 86_400.0, 1.0),
    ("h", 3_600.0, 1.0),
    ("m", 60.0, 1.0),
    ("s", 1.0, 1.0),
    ("ms", 1.0, 1e3),
    ("us", 1.0, 1e6),
    ("ns", 1.0, 1e9),
    ("ps", 1.0, 1e12),
];

impl Unit {
    pub fn expected(self) -> &'static str {
        match self {
            Unit::Bandwidth => "a bandwidth above zero such as 12.5GBps",
            Unit::Time => "a latency of zero or more such as 500ns",
            Unit::Speed => "a speed above zero such as 1Gf",
        }
    }

    /// Value in B/s, s or flop/s. A bare number is in these units, as in SimGrid. `None` if it cannot be read, is not
    /// finite, is negative, or is zero where zero is not allowed.
    pub fn parse(self, text: &str) -> Option<f64> {
        let text = text.trim();
        let split = text.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')).unwrap_or(text.len());
        // `1E` is exa and `1e9` is a number: the longest prefix that is a number wins.
        let split =
            (1..=split).rev().filter(|&i| text.is_char_boundary(i)).find(|&i| text[..i].parse::<f64>().is_ok())?;
        let number = text[..split].parse::<f64>().ok()?;
        let (factor, divisor) = self.factor(text[split..].trim())?;
        let value = number * factor / divisor;
        let fits = value.is_finite() && (0.0..=1e30).contains(&value) && (value > 0.0 || self == Unit::Time);
        fits.then_some(value)
    }

    fn factor(self, unit: &str) -> Option<(f64, f64)> {
        if unit.is_empty() {
            return Some((1.0, 1.0));
        }
        match self {
            Unit::Time => TIMES.iter().find(|t| t.0 == unit).map(|t| (t.1, t.2)),
            Unit::Speed => Some((prefix(unit.strip_suffix('f')?)?, 1.0)),
            Unit::Bandwidth => match unit.strip_suffix("Bps") {
                Some(rest) => Some((prefix(rest)?, 1.0)),
                None => Some((prefix(unit.strip_suffix("bps")?)?, 8.0)),
            },
        }
    }
}

/// `k` is 1000, `Ki` is 1024.
fn prefix(text: &str) -> Option<f64> {
    let mut chars = text.chars();
    let Some(letter) = chars.next() else { return Some(1.0) };
    let binary = match chars.as_str() {
        "" => false,
        "i" => true,
        _ => return None,
    };
    let letter = if binary && letter == 'K' { 'k' } else { letter };
    let power = DECIMAL.find(letter)? as i32 + 1;
    Some(if binary { 1024f64.powi(power) } else { 1000f64.powi(power) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_simgrid_writes() {
        assert_eq!(Unit::Bandwidth.parse("12.5GBps"), Some(12.5e9));
        assert_eq!(Unit::Bandwidth.parse("100Gbps"), Some(12.5e9));
        assert_eq!(Unit::Bandwidth.parse("1KiBps"), Some(1024.0));
        assert_eq!(Unit::Bandwidth.parse("1E9Bps"), Some(1e9));
        assert_eq!(Unit::Bandwidth.parse("2EBps"), Some(2e18));
        assert_eq!(Unit::Bandwidth.parse("125000000"), Some(125e6));
        assert_eq!(Unit::Time.parse("2m"), Some(120.0));
        assert_eq!(Unit::Time.parse("0"), Some(0.0));
        assert_eq!(Unit::Time.parse("500ns"), Some(5e-7));
        assert_eq!(Unit::Speed.parse("1.5Gf"), Some(1.5e9));
        for bad in ["", "fast", "-1GBps", "0GBps", "1GB", "nanGBps", "infBps", "1XBps", "é", "1é", "1e400Bps"] {
            assert_eq!(Unit::Bandwidth.parse(bad), None, "{bad}");
        }
    }
}

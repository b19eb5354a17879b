//! Quantities with units, read and written. SI inside: bytes, seconds, bytes per second, metres.

use crate::fault::{CodeRow, Fault, Outcome, codes, nearest};

/// The quantity that a text gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    Bytes,
    Seconds,
    BytesPerSecond,
    FlopsPerSecond,
    Metres,
}

const KIB: f64 = 1024.0;

/// Largest quantity in SI units; products of a few of them stay finite.
pub const QUANTITY_MAX: f64 = 1e30;

impl Quantity {
    /// Unit name and its factor to SI. The first is what a bare number means. `KB` is 1024 bytes as in the papers.
    fn units(self) -> &'static [(&'static str, f64)] {
        match self {
            Quantity::Bytes => &[
                ("B", 1.0),
                ("kB", 1e3),
                ("KB", KIB),
                ("KiB", KIB),
                ("MB", KIB * KIB),
                ("MiB", KIB * KIB),
                ("GB", KIB * KIB * KIB),
                ("GiB", KIB * KIB * KIB),
                ("TiB", KIB * KIB * KIB * KIB),
            ],
            Quantity::Seconds => &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("ns", 1e-9), ("ps", 1e-12)],
            Quantity::BytesPerSecond => &[
                ("B/s", 1.0),
                ("Bps", 1.0),
                ("kB/s", 1e3),
                ("MB/s", 1e6),
                ("GB/s", 1e9),
                ("TB/s", 1e12),
                ("kBps", 1e3),
                ("MBps", 1e6),
                ("GBps", 1e9),
                ("TBps", 1e12),
                ("KiBps", KIB),
                ("MiBps", KIB * KIB),
                ("GiBps", KIB * KIB * KIB),
                ("KiB/s", KIB),
                ("MiB/s", KIB * KIB),
                ("GiB/s", KIB * KIB * KIB),
                ("bps", 0.125),
                ("kbps", 125.0),
                ("Mbps", 125e3),
                ("Gbps", 125e6),
                ("Tbps", 125e9),
                ("Gb/s", 125e6),
                ("Mb/s", 125e3),
                ("Tb/s", 125e9),
            ],
            Quantity::FlopsPerSecond => {
                &[("flops", 1.0), ("kflops", 1e3), ("Mflops", 1e6), ("Gflops", 1e9), ("Tflops", 1e12)]
            }
            Quantity::Metres => &[("m", 1.0), ("cm", 0.01), ("mm", 1e-3), ("km", 1e3)],
        }
    }

    /// Examples of such a text, for messages.
    pub fn words(self) -> &'static str {
        match self {
            Quantity::Bytes => "a size such as \"64 KiB\"",
            Quantity::Seconds => "a time such as \"100 ns\"",
            Quantity::BytesPerSecond => "a bandwidth such as \"100 Gbps\"",
            Quantity::FlopsPerSecond => "a speed such as \"100 Gflops\"",
            Quantity::Metres => "a length such as \"1.5 m\"",
        }
    }

    /// Reads a finite, non-negative number with an optional unit.
    ///
    /// # Errors
    /// `NL-A008` naming `place`, the text and the nearest unit.
    pub fn parse(self, place: &str, text: &str) -> Outcome<f64> {
        const ROW: &CodeRow = &codes::UNIT;
        let (number, unit) = parts(text);
        let fault = |hint: String| Fault::new(ROW, place, self.words(), format!("\"{text}\"")).hint(hint);
        let Ok(number) = number.parse::<f64>() else {
            return Err(fault("write a number, then the unit".into()).into());
        };
        let units = self.units();
        let factor = if unit.is_empty() { Some(1.0) } else { units.iter().find(|u| u.0 == unit).map(|u| u.1) };
        let Some(factor) = factor else {
            return Err(fault(self.hint(number, unit)).into());
        };
        // Divided below one: 100 ns is then the number nearest to 1e-7, which a product misses.
        let value = if factor < 1.0 { number / (1.0 / factor).round() } else { number * factor };
        if !(0.0..=QUANTITY_MAX).contains(&value) {
            return Err(fault("give a finite number, zero or more".into()).into());
        }
        Ok(value)
    }

    /// Suggestions for an unknown unit: the units that it begins (`M` of `MB`, `gb` of `GB/s` and `Gbps`),
    /// one of each size, else the nearest one, else all.
    fn hint(self, number: f64, unit: &str) -> String {
        let begun = |name: &str| name.to_lowercase().starts_with(&unit.to_lowercase());
        let mut meant: Vec<(&str, f64)> = Vec::new();
        for &(name, factor) in self.units().iter().filter(|u| begun(u.0)) {
            if meant.iter().all(|m| m.1 != factor) {
                meant.push((name, factor));
            }
        }
        let names = self.units().iter().map(|u| u.0);
        let meant: Vec<&str> = match meant.is_empty() {
            true => nearest(unit, names.clone()).into_iter().collect(),
            false => meant.into_iter().map(|m| m.0).collect(),
        };
        if meant.is_empty() {
            return format!("units: {}", names.collect::<Vec<_>>().join(", "));
        }
        let quoted: Vec<String> = meant.iter().map(|name| format!("\"{number} {name}\"")).collect();
        format!("did you mean {}?", quoted.join(" or "))
    }

    /// A whole number of bytes, exact to the last one.
    ///
    /// # Errors
    /// As [`Quantity::parse`]; also a fraction of a byte, or 2^63 and more.
    pub fn parse_bytes(place: &str, text: &str) -> Outcome<u64> {
        let value = Quantity::Bytes.parse(place, text)?;
        let (number, unit) = parts(text);
        let factor = Quantity::Bytes.units().iter().find(|u| u.0 == unit).map_or(1.0, |u| u.1);
        // A decimal is multiplied in integers, since a double is not exact above 2^53; with an exponent the value of
        // the double is taken.
        let bytes = match product(number, factor as u128) {
            Some(exact) => exact,
            None => (value.fract() == 0.0).then_some(value as u128),
        };
        match bytes.and_then(|b| u64::try_from(b).ok()).filter(|&b| b < 1 << 63) {
            Some(bytes) => Ok(bytes),
            None => {
                let wanted = "a whole number of bytes below 2^63";
                Err(Fault::new(&codes::UNIT, place, wanted, format!("\"{text}\"")).into())
            }
        }
    }
}

/// Number and unit of a quantity's text.
fn parts(text: &str) -> (&str, &str) {
    let trimmed = text.trim();
    let split = trimmed
        .char_indices()
        .find(|&(i, c)| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-') || exponent(trimmed, i, c)))
        .map_or(trimmed.len(), |(i, _)| i);
    (trimmed[..split].trim(), trimmed[split..].trim())
}

/// A decimal times a factor in integers: `Some(None)` if the product is not an integer, `None` if the text has another
/// form or is too long.
fn product(number: &str, factor: u128) -> Option<Option<u128>> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<u128>().ok() };
    let scale = 10u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let (whole, part) = (digits(whole)?.checked_mul(factor)?, digits(fraction)?.checked_mul(factor)?);
    Some(if part.is_multiple_of(scale) { whole.checked_add(part / scale) } else { None })
}

/// True if `c` at `i` is the `e` of `1e9`.
fn exponent(text: &str, i: usize, c: char) -> bool {
    matches!(c, 'e' | 'E')
        && i > 0
        && text[..i].ends_with(|d: char| d.is_ascii_digit() || d == '.')
        && text[i + 1..].starts_with(|d: char| d.is_ascii_digit() || matches!(d, '+' | '-'))
}

/// `65536` as `64 KiB`, `1000` as `1000 B`.
pub fn show_bytes(bytes: u64) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        if bytes >= 1 << shift && bytes.is_multiple_of(1 << shift) {
            return format!("{} {unit}", bytes >> shift);
        }
    }
    format!("{bytes} B")
}

/// Greatest common divisor; that of a number and 0 is the number.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_units() {
        assert_eq!(Quantity::BytesPerSecond.parse("x", "100 Gbps").unwrap(), 12.5e9);
        assert_eq!(Quantity::Bytes.parse("x", "64KiB").unwrap(), 65536.0);
        assert_eq!(Quantity::Bytes.parse("x", "1 KB").unwrap(), 1024.0);
        assert_eq!(Quantity::Seconds.parse("x", "1e-7").unwrap(), 1e-7);
        assert_eq!(Quantity::Seconds.parse("x", "100 ns").unwrap(), 1e-7);
        assert_eq!(Quantity::FlopsPerSecond.parse("x", "2.5 Gflops").unwrap(), 2.5e9);
        assert_eq!(show_bytes(65536), "64 KiB");
    }

    #[test]
    fn bytes_are_exact() {
        for (text, bytes) in [
            ("65536", 65536),
            ("1.5 MiB", 3 << 19),
            ("1.0000", 1),
            ("9223372036854775807", (1 << 63) - 1),
            ("9007199254740993", (1 << 53) + 1),
            ("1e3 kB", 1_000_000),
            (".5KiB", 512),
        ] {
            assert_eq!(Quantity::parse_bytes("size", text).unwrap(), bytes, "{text}");
        }
        for text in
            ["1.5", "0.3 KiB", "9223372036854775808", "8388608 TiB", "1e30", "-4", "1e-1", "4.0000000000000000001"]
        {
            assert!(Quantity::parse_bytes("size", text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_unit_cut_short_is_completed() {
        for (quantity, text, hint) in [
            (Quantity::Bytes, "64M", "did you mean \"64 MB\"?"),
            (Quantity::Bytes, "64Mi", "did you mean \"64 MiB\"?"),
            (Quantity::Bytes, "8k", "did you mean \"8 kB\" or \"8 KB\"?"),
            (Quantity::Bytes, "2T", "did you mean \"2 TiB\"?"),
            (Quantity::Bytes, "10 Gb", "did you mean \"10 GB\"?"),
            (Quantity::BytesPerSecond, "100G", "did you mean \"100 GB/s\" or \"100 GiBps\" or \"100 Gbps\"?"),
            (Quantity::BytesPerSecond, "10 Gb", "did you mean \"10 GB/s\" or \"10 Gbps\"?"),
            (Quantity::BytesPerSecond, "10 Gi", "did you mean \"10 GiBps\"?"),
            (Quantity::Seconds, "5 n", "did you mean \"5 ns\"?"),
            (Quantity::FlopsPerSecond, "3T", "did you mean \"3 Tflops\"?"),
            (Quantity::Bytes, "1 parsec", "units: B, "),
        ] {
            let faults = quantity.parse("size", text).unwrap_err();
            assert!(faults.0[0].hint.starts_with(hint), "{text}: {}", faults.0[0].hint);
        }
    }

    #[test]
    fn refuses_with_a_hint() {
        for text in ["", "fast", "100 Gbbs", "-1 Gbps", "inf", "nan", "1e400"] {
            assert!(Quantity::BytesPerSecond.parse("link.bandwidth", text).is_err(), "{text}");
        }
        let message = Quantity::BytesPerSecond.parse("link.bandwidth", "100 Gbsp").unwrap_err().to_string();
        assert!(message.contains("Gbps"), "{message}");
        assert!(Quantity::parse_bytes("size", "1.5").is_err());
    }
}

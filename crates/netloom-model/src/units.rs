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

/// Largest quantity in SI units; products of a few of them stay finite.
pub const QUANTITY_MAX: f64 = 1e30;

/// Prefixes with their factors.
type Prefixes = &'static [(&'static str, f64)];

const KIB: f64 = 1024.0;
const NONE: Prefixes = &[("", 1.0)];
/// Powers of 1000 (SI, and IEC 80000-13 for bytes).
const DECIMAL: Prefixes = &[("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15)];
/// Powers of 1024 (IEC 80000-13).
const BINARY: Prefixes = &[
    ("Ki", KIB),
    ("Mi", KIB * KIB),
    ("Gi", KIB * KIB * KIB),
    ("Ti", KIB * KIB * KIB * KIB),
    ("Pi", KIB * KIB * KIB * KIB * KIB),
];
/// A letter alone, as OSU's benchmarks and nccl-tests take sizes: powers of 1024.
const LETTERS: Prefixes = &[
    ("K", KIB),
    ("k", KIB),
    ("M", KIB * KIB),
    ("m", KIB * KIB),
    ("G", KIB * KIB * KIB),
    ("g", KIB * KIB * KIB),
    ("T", KIB * KIB * KIB * KIB),
    ("t", KIB * KIB * KIB * KIB),
];

/// A unit, its factor to SI and the prefixes that it takes.
struct Unit(&'static str, f64, Prefixes);

impl Quantity {
    /// All units. The first is what a bare number means.
    fn units(self) -> &'static [Unit] {
        match self {
            Quantity::Bytes => &[Unit("B", 1.0, DECIMAL), Unit("B", 1.0, BINARY), Unit("", 1.0, LETTERS)],
            Quantity::Seconds => &[
                Unit("s", 1.0, NONE),
                Unit("ms", 1e-3, NONE),
                Unit("us", 1e-6, NONE),
                Unit("µs", 1e-6, NONE),
                Unit("ns", 1e-9, NONE),
                Unit("ps", 1e-12, NONE),
            ],
            Quantity::BytesPerSecond => &[
                Unit("B/s", 1.0, DECIMAL),
                Unit("B/s", 1.0, BINARY),
                Unit("Bps", 1.0, DECIMAL),
                Unit("Bps", 1.0, BINARY),
                Unit("bps", 0.125, DECIMAL),
                Unit("b/s", 0.125, DECIMAL),
                Unit("bit/s", 0.125, DECIMAL),
            ],
            Quantity::FlopsPerSecond => &[Unit("flops", 1.0, DECIMAL)],
            Quantity::Metres => {
                &[Unit("m", 1.0, NONE), Unit("cm", 0.01, NONE), Unit("mm", 1e-3, NONE), Unit("km", 1e3, NONE)]
            }
        }
    }

    /// What a unit's name stands for in SI.
    fn factor(self, unit: &str) -> Option<f64> {
        if unit.is_empty() {
            return Some(1.0);
        }
        self.units().iter().find_map(|&Unit(name, factor, prefixes)| {
            let prefix = unit.strip_suffix(name)?;
            prefixes.iter().find(|p| p.0 == prefix).map(|p| p.1 * factor)
        })
    }

    /// Names with their factors, but letters alone, which are no proposal.
    fn names(self) -> Vec<(String, f64)> {
        let named = self.units().iter().filter(|u| !u.0.is_empty());
        named
            .flat_map(|&Unit(name, factor, prefixes)| {
                prefixes.iter().map(move |p| (format!("{}{name}", p.0), p.1 * factor))
            })
            .collect()
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
        let (number, unit) = text_of(text);
        let fault = |hint: String| Fault::new(ROW, place, self.words(), format!("\"{text}\"")).hint(hint);
        let Ok(number) = number.parse::<f64>() else {
            return Err(fault("write a number, then the unit".into()).into());
        };
        let Some(factor) = self.factor(unit) else {
            return Err(fault(self.hint(number, unit)).into());
        };
        let value = match self {
            // Bytes are counted: 2.3 TB is a whole number of them.
            Quantity::Bytes => exact(text_of(text).0, factor).flatten().map_or(number * factor, |bytes| bytes as f64),
            // Divided below one: 100 ns is then the number nearest to 1e-7, which a product misses.
            _ if factor < 1.0 => number / (1.0 / factor).round(),
            _ => number * factor,
        };
        if !(0.0..=QUANTITY_MAX).contains(&value) {
            return Err(fault("give a finite number, zero or more".into()).into());
        }
        Ok(value)
    }

    /// Suggestions for an unknown unit: the units that it begins (`gb` of `GB/s` and `Gbps`), one of each size, else
    /// the nearest one, else all. What is bytes in another case may mean either system.
    fn hint(self, number: f64, unit: &str) -> String {
        let names = self.names();
        let lower = unit.to_lowercase();
        let starts = |name: &str, head: &str| name.to_lowercase().starts_with(head);
        let binary = lower.strip_suffix('b').filter(|_| self == Quantity::Bytes).map(|letter| format!("{letter}ib"));
        let mut meant: Vec<(&str, f64)> = Vec::new();
        for (name, factor) in &names {
            let begun = starts(name, &lower) || binary.as_ref().is_some_and(|head| starts(name, head));
            if begun && meant.iter().all(|m| m.1 != *factor) {
                meant.push((name, *factor));
            }
        }
        let every = || names.iter().map(|n| n.0.as_str());
        let meant: Vec<&str> = match meant.is_empty() {
            true => nearest(unit, every()).into_iter().collect(),
            false => meant.into_iter().map(|m| m.0).collect(),
        };
        if meant.is_empty() {
            return format!("units: {}", every().collect::<Vec<_>>().join(", "));
        }
        let quoted: Vec<String> = meant.iter().map(|name| format!("\"{number} {name}\"")).collect();
        let why = if unit == "KB" { "KB is 1000 bytes to some and 1024 to others: " } else { "" };
        format!("{why}did you mean {}?", quoted.join(" or "))
    }

    /// A whole number of bytes, exact to the last one.
    ///
    /// # Errors
    /// As [`Quantity::parse`]; also a fraction of a byte, or 2^63 and more.
    pub fn parse_bytes(place: &str, text: &str) -> Outcome<u64> {
        let value = Quantity::Bytes.parse(place, text)?;
        let (number, unit) = text_of(text);
        // In integers, since a double is not exact above 2^53.
        let bytes = match exact(number, Quantity::Bytes.factor(unit).unwrap_or(1.0)) {
            Some(found) => found,
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
fn text_of(text: &str) -> (&str, &str) {
    let trimmed = text.trim();
    let split = trimmed
        .char_indices()
        .find(|&(i, c)| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-') || exponent(trimmed, i, c)))
        .map_or(trimmed.len(), |(i, _)| i);
    (trimmed[..split].trim(), trimmed[split..].trim())
}

/// A decimal, with an exponent or without, times a whole factor in integers: `Some(None)` if the product is not an
/// integer, `None` if the text has another form or is too long.
fn exact(number: &str, factor: f64) -> Option<Option<u128>> {
    let (decimal, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, ""));
    let fraction = fraction.trim_end_matches('0');
    let shift = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let digits = format!("{whole}{fraction}").parse::<u128>().ok()?.checked_mul(factor as u128)?;
    if digits == 0 {
        return Some(Some(0));
    }
    let scale = 10u128.checked_pow(shift.unsigned_abs());
    if shift >= 0 {
        return Some(Some(digits.checked_mul(scale?)?));
    }
    Some(scale.filter(|&scale| digits.is_multiple_of(scale)).map(|scale| digits / scale))
}

/// True if `c` at `i` is the `e` of `1e9`.
fn exponent(text: &str, i: usize, c: char) -> bool {
    matches!(c, 'e' | 'E')
        && i > 0
        && text[..i].ends_with(|d: char| d.is_ascii_digit() || d == '.')
        && text[i + 1..].starts_with(|d: char| d.is_ascii_digit() || matches!(d, '+' | '-'))
}

/// Bytes of memory, sums and loads in decimal units, one place after the point: `5.4 GB`.
pub fn show_amount(bytes: u64) -> String {
    let (prefix, unit) = DECIMAL[1..].iter().rev().find(|p| bytes as f64 >= p.1).unwrap_or(&DECIMAL[1]);
    format!("{:.1} {prefix}B", bytes as f64 / unit)
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
        assert_eq!(Quantity::Seconds.parse("x", "1e-7").unwrap(), 1e-7);
        assert_eq!(Quantity::Seconds.parse("x", "100 ns").unwrap(), 1e-7);
        assert_eq!(Quantity::FlopsPerSecond.parse("x", "2.5 Gflops").unwrap(), 2.5e9);
        assert_eq!(Quantity::BytesPerSecond.parse("x", "1 TiB/s").unwrap(), (1u64 << 40) as f64);
        assert_eq!(show_amount(88_000_000_000_000), "88.0 TB");
    }

    /// SI is decimal, with `i` binary, in every quantity of bytes; a letter alone is binary, as OSU and NCCL print sizes.
    #[test]
    fn two_systems() {
        for (at, letter) in ["k", "M", "G", "T", "P"].iter().enumerate() {
            let (decimal, binary) = (1000u64.pow(at as u32 + 1), 1024u64.pow(at as u32 + 1));
            let upper = letter.to_uppercase();
            assert_eq!(Quantity::parse_bytes("x", &format!("3 {letter}B")).unwrap(), 3 * decimal);
            assert_eq!(Quantity::parse_bytes("x", &format!("3 {upper}iB")).unwrap(), 3 * binary);
            for unit in ["B/s", "Bps"] {
                let rate = |prefix: &str| Quantity::BytesPerSecond.parse("x", &format!("3 {prefix}{unit}")).unwrap();
                assert_eq!((rate(letter), rate(&format!("{upper}i"))), (3.0 * decimal as f64, 3.0 * binary as f64));
            }
            for unit in ["bps", "b/s", "bit/s"] {
                let rate = Quantity::BytesPerSecond.parse("x", &format!("8 {letter}{unit}")).unwrap();
                assert_eq!(rate, decimal as f64, "{letter}{unit}");
            }
            if *letter != "P" {
                assert_eq!(Quantity::parse_bytes("x", &format!("3{upper}")).unwrap(), 3 * binary);
                assert_eq!(Quantity::parse_bytes("x", &format!("3{}", letter.to_lowercase())).unwrap(), 3 * binary);
            }
        }
    }

    /// Which of the two it is cannot be known.
    #[test]
    fn kb_is_neither() {
        for text in ["1 KB", "1 kb", "1 Kb"] {
            let faults = Quantity::parse_bytes("x", text).unwrap_err();
            assert!(faults.0[0].hint.ends_with("did you mean \"1 kB\" or \"1 KiB\"?"), "{}", faults.0[0].hint);
        }
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
            ("6.3 GB", 6_300_000_000),
            ("0.1 GB", 100_000_000),
            ("1.1 TB", 1_100_000_000_000),
            ("2.3e-3 PB", 2_300_000_000_000),
            ("1.1e1 MiB", 11 << 20),
            ("9.007199254740993e15", (1 << 53) + 1),
            ("0.5M", 1 << 19),
        ] {
            assert_eq!(Quantity::parse_bytes("size", text).unwrap(), bytes, "{text}");
        }
        for text in [
            "1.5",
            "0.3 KiB",
            "9223372036854775808",
            "8388608 TiB",
            "1e30",
            "-4",
            "1e-1",
            "4.0000000000000000001",
            "0.0001 kB",
        ] {
            assert!(Quantity::parse_bytes("size", text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_unit_cut_short_is_completed() {
        for (quantity, text, hint) in [
            (Quantity::Bytes, "64Mi", "did you mean \"64 MiB\"?"),
            (Quantity::Bytes, "10 Gb", "did you mean \"10 GB\" or \"10 GiB\"?"),
            (Quantity::BytesPerSecond, "100G", "did you mean \"100 GB/s\" or \"100 GiB/s\" or \"100 Gbps\"?"),
            (Quantity::BytesPerSecond, "10 Gb", "did you mean \"10 GB/s\" or \"10 Gbps\"?"),
            (Quantity::BytesPerSecond, "10 Gi", "did you mean \"10 GiB/s\"?"),
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

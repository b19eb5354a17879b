//! Host lists as Slurm abbreviates them: `n[0-3,7],m[01-02]x`.
//!
//! Source: Slurm documentation, `scontrol show hostnames` and `topology.conf(5)`. Zero padding is kept: the width of
//! a range is that of its first number. Several brackets in one name expand as nested loops, the last fastest.

use std::fmt::Write as _;

use crate::limits::{MAX_NAME, MAX_NODES};

/// Expanded names.
pub type HostNames = Vec<String>;

/// A run of numbers with a common width.
struct Run {
    first: u64,
    last: u64,
    width: usize,
}

/// A list that was read but not expanded.
pub struct HostList<'a> {
    items: Vec<Vec<Piece<'a>>>,
    /// Names that it expands to.
    pub count: u64,
    /// Bytes of these names at most.
    pub bytes: u64,
}

impl<'a> HostList<'a> {
    /// Reads a list of at most `limit` names.
    ///
    /// # Errors
    /// The problem, as a phrase.
    pub fn parse(text: &'a str, limit: u64) -> Result<Self, String> {
        let items = split(text)?.into_iter().map(|item| pieces(item, limit)).collect::<Result<Vec<_>, _>>()?;
        let (mut total, mut bytes) = (0u64, 0u64);
        for pieces in &items {
            let count = count(pieces);
            total = total.saturating_add(count);
            bytes = bytes.saturating_add(count.saturating_mul(longest(pieces)));
        }
        if total > limit {
            return Err(format!("it expands to more than {limit} names"));
        }
        // Names may be long and many at once: bound their bytes as well.
        if bytes > limit.saturating_mul(16).max(1 << 20) {
            return Err("its names are too long for their number".into());
        }
        Ok(HostList { items, count: total, bytes })
    }

    /// All names. O(names).
    pub fn expand(&self) -> HostNames {
        let mut out = Vec::with_capacity(self.count as usize);
        for pieces in &self.items {
            product(pieces, &mut String::new(), &mut out);
        }
        out
    }
}

/// Expands a list into names, at most `limit`. The number of names is known before any is created. O(names).
///
/// # Errors
/// The problem, as a phrase.
pub fn expand_hostlist(text: &str, limit: u64) -> Result<HostNames, String> {
    Ok(HostList::parse(text, limit)?.expand())
}

/// Number of names that the pieces of one item expand to, without creating any.
fn count(pieces: &[Piece]) -> u64 {
    let mut count = 1u64;
    for piece in pieces {
        if let Piece::Runs(runs) = piece {
            let sum = runs.iter().fold(0u64, |s, r| s.saturating_add((r.last - r.first).saturating_add(1)));
            count = count.saturating_mul(sum);
        }
    }
    count
}

/// Bytes of the longest name that the pieces of one item expand to.
fn longest(pieces: &[Piece]) -> u64 {
    let digits = |run: &Run| run.width.max(run.last.checked_ilog10().unwrap_or(0) as usize + 1);
    let length = |piece: &Piece| match piece {
        Piece::Text(text) => text.len(),
        Piece::Runs(runs) => runs.iter().map(digits).max().unwrap_or(0),
    };
    pieces.iter().map(|piece| length(piece) as u64).sum()
}

/// Numbers of a list of ranges such as `0-119,200`.
///
/// # Errors
/// The problem, as a phrase.
pub fn ranges(text: &str, limit: u64) -> Result<Vec<u64>, String> {
    let runs = runs(text, limit)?;
    let mut count = 0u64;
    for run in &runs {
        count = count.saturating_add((run.last - run.first).saturating_add(1));
    }
    if count > limit {
        return Err(format!("it expands to more than {limit} numbers"));
    }
    Ok(runs.iter().flat_map(|r| r.first..=r.last).collect())
}

enum Piece<'a> {
    Text(&'a str),
    Runs(Vec<Run>),
}

/// Items between commas outside brackets.
fn split(text: &str) -> Result<Vec<&str>, String> {
    let (mut items, mut start, mut inside) = (Vec::new(), 0, false);
    for (i, c) in text.char_indices() {
        match c {
            '[' if inside => return Err("a bracket opens inside a bracket".into()),
            '[' => inside = true,
            ']' if !inside => return Err("a bracket closes that was not opened".into()),
            ']' => inside = false,
            ',' if !inside => {
                items.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    if inside {
        return Err("a bracket is not closed".into());
    }
    items.push(&text[start..]);
    match items.iter().any(|i| i.is_empty()) {
        true => Err("a name is empty".into()),
        false => Ok(items),
    }
}

fn pieces(item: &str, limit: u64) -> Result<Vec<Piece<'_>>, String> {
    let mut out = Vec::new();
    let mut rest = item;
    while let Some((before, after)) = rest.split_once('[') {
        let (inside, behind) = after.split_once(']').ok_or("a bracket is not closed")?;
        out.push(Piece::Text(before));
        out.push(Piece::Runs(runs(inside, limit)?));
        if out.len() > 16 {
            return Err("it has more than 8 brackets".into());
        }
        rest = behind;
    }
    out.push(Piece::Text(rest));
    match longest(&out) > MAX_NAME as u64 {
        true => Err(format!("a name is longer than {MAX_NAME} bytes")),
        false => Ok(out),
    }
}

/// The runs of a host list, at most `limit`: each expands to at least one name.
fn runs(text: &str, limit: u64) -> Result<Vec<Run>, String> {
    let number = |t: &str| -> Result<u64, String> {
        let digits = !t.is_empty() && t.len() <= 18 && t.bytes().all(|b| b.is_ascii_digit());
        let short: String = t.chars().take(20).collect();
        t.parse().ok().filter(|_| digits).ok_or(format!("'{}' is not a number", short.escape_debug()))
    };
    let run = |part: &str| {
        let part = part.trim();
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let run = Run { first: number(first)?, last: number(last)?, width: first.len() };
        match run.first > run.last {
            true => Err(format!("the range {}-{} goes down", run.first, run.last)),
            false => Ok(run),
        }
    };
    let mut out = Vec::new();
    for part in text.split(',') {
        if out.len() as u64 >= limit {
            return Err(format!("it expands to more than {limit} names"));
        }
        out.push(run(part)?);
    }
    Ok(out)
}

fn product(pieces: &[Piece], prefix: &mut String, out: &mut HostNames) {
    let length = prefix.len();
    match pieces.split_first() {
        None => out.push(prefix.clone()),
        Some((Piece::Text(text), rest)) => {
            prefix.push_str(text);
            product(rest, prefix, out);
        }
        Some((Piece::Runs(runs), rest)) => {
            for run in runs {
                for number in run.first..=run.last {
                    let _ = write!(prefix, "{number:0width$}", width = run.width);
                    product(rest, prefix, out);
                    prefix.truncate(length);
                }
            }
        }
    }
    prefix.truncate(length);
}

/// Writes names in short form: neighbours that share text around one number become `prefix[first-last]suffix`; the
/// order of names is kept. O(bytes).
pub fn fold_hostlist(names: &[String]) -> String {
    let mut out = String::new();
    let mut i = 0;
    while i < names.len() {
        let (prefix, digits, suffix) = around(&names[i]);
        let mut parts: Vec<(u64, u64)> = Vec::new();
        let mut j = i;
        while let Some(name) = names.get(j) {
            let (p, d, s) = around(name);
            let value: Option<u64> = d.parse().ok();
            let alike = if padded(digits) { d.len() == digits.len() } else { !padded(d) };
            let (true, Some(value)) = ((p, s) == (prefix, suffix) && alike, value) else { break };
            match parts.last_mut() {
                Some(last) if last.1.checked_add(1) == Some(value) => last.1 = value,
                _ => parts.push((value, value)),
            }
            j += 1;
        }
        if i > 0 {
            out.push(',');
        }
        if j <= i + 1 {
            out.push_str(&names[i]);
            i += 1;
            continue;
        }
        let width = if padded(digits) { digits.len() } else { 0 };
        let ranges: Vec<String> = parts
            .iter()
            .map(|&(a, b)| if a == b { format!("{a:0width$}") } else { format!("{a:0width$}-{b:0width$}") })
            .collect();
        let _ = write!(out, "{prefix}[{}]{suffix}", ranges.join(","));
        i = j;
    }
    out
}

fn padded(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0')
}

/// Text before the last number, the number (18 digits at most), the text behind it.
fn around(name: &str) -> (&str, &str, &str) {
    let Some(end) = name.rfind(|c: char| c.is_ascii_digit()).map(|i| i + 1) else { return (name, "", "") };
    let start = name[..end]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |i| i + name[i..].chars().next().map_or(1, char::len_utf8));
    let start = start.max(end.saturating_sub(18));
    (&name[..start], &name[start..end], &name[end..])
}

/// Most names of one list in a file.
pub const LIMIT: u64 = MAX_NODES - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn expands_brackets_padding_and_products() {
        let expand = |t| expand_hostlist(t, 100).unwrap();
        assert_eq!(expand("a[0-3,7],b[01-02]x"), ["a0", "a1", "a2", "a3", "a7", "b01x", "b02x"]);
        assert_eq!(expand("r[1-2]n[08-10]"), ["r1n08", "r1n09", "r1n10", "r2n08", "r2n09", "r2n10"]);
        assert_eq!(expand("login"), ["login"]);
        assert_eq!(fold_hostlist(&expand("a[0-3,7],b[01-02]x,c")), "a[0-3,7],b[01-02]x,c");
    }

    #[test]
    fn a_list_of_many_gaps_is_as_long_as_its_names() {
        // Every second of 100,000 nodes in one bracket: the item is long, each name is not.
        let numbers: Vec<String> = (0..50_000).map(|i| format!("{:06}", 2 * i)).collect();
        let names = expand_hostlist(&format!("nid[{}]", numbers.join(",")), 100_000).unwrap();
        assert_eq!((names.len(), names[49_999].as_str()), (50_000, "nid099998"));
        assert_eq!(expand_hostlist("nid[000000-368639]", 368_640).unwrap().len(), 368_640);
        assert!(expand_hostlist(&format!("nid[{}]", numbers.join(",")), 49_999).is_err());
        assert!(expand_hostlist(&"x".repeat(5000), 10).is_err());
    }

    #[test]
    fn refuses_before_it_expands() {
        for bad in [
            "n[0-999999999999]",
            "n[0-9][0-9][0-9][0-9]",
            "n[3-1]",
            "n[",
            "n]",
            "n[]",
            "n[a]",
            "n[[0]]",
            "",
            "a,,b",
            "n[-1]",
            "n[0-99999999999999999999]",
            "n[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]",
        ] {
            assert!(expand_hostlist(bad, 1000).is_err(), "{bad}");
        }
        assert!(ranges("0-99999999999", 10).is_err());
        assert_eq!(ranges("0-2,5", 10).unwrap(), [0, 1, 2, 5]);
    }

    proptest! {
        #[test]
        fn folded_lists_expand_to_the_same(names in prop::collection::vec("[a-z]{0,2}[0-9]{0,4}[a-z]{1,2}[0-9]{0,3}", 1..40)) {
            prop_assert_eq!(expand_hostlist(&fold_hostlist(&names), 1000).unwrap(), names);
        }

        #[test]
        fn any_text_is_expanded_or_refused(text in "[a-c0-9,\\[\\]-]{0,30}") {
            let _ = expand_hostlist(&text, 1000);
        }
    }
}

//! The grammar of one line.

use std::borrow::Cow;

use netloom_model::fault::Fault;

use super::bad;

/// A share of all, or a number.
pub(super) enum Amount<'a> {
    Share(f64, &'a str),
    Count(u32),
}

/// `0.5%,seed=3,class=global`: the amount, the seed (1 if absent), the class.
fn options<'a>(place: &str, text: &'a str, classes: bool) -> Result<(Amount<'a>, u64, Option<&'a str>), Fault> {
    let mut parts = text.split(',').map(str::trim);
    let first = parts.next().unwrap_or("");
    let amount = match first.strip_suffix('%') {
        Some(share) => match share.trim().parse::<f64>() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => Amount::Share(percent / 100.0, first),
            _ => return Err(bad(place, "a share from 0% to 100%", first)),
        },
        None => match first.parse() {
            Ok(count) => Amount::Count(count),
            Err(_) => return Err(bad(place, "a share such as 0.5%, or a number", first)),
        },
    };
    let (mut seed, mut class) = (1, None);
    for part in parts {
        match part.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("seed", value)) => {
                seed = value.parse().map_err(|_| bad(place, "seed= and an integer >= 0", part))?;
            }
            Some(("class", value)) if classes => class = Some(value),
            _ => return Err(bad(place, if classes { "seed=... or class=..." } else { "seed=..." }, part)),
        }
    }
    Ok((amount, seed, class))
}

/// A failure as written.
pub(super) enum Written<'a> {
    /// The two switches with a hyphen between, and which of their cables.
    Link(&'a str, Option<u32>),
    Switch(&'a str),
    /// How many, the seed, the class.
    Links(Amount<'a>, u64, Option<&'a str>),
    Switches(Amount<'a>, u64),
}

impl<'a> Written<'a> {
    pub(super) fn parse(place: &str, line: &'a str) -> Result<Self, Fault> {
        let kinds = "link:A-B, link:A-B#0, switch:A, links:0.5%,seed=3 or switches:4,seed=3";
        let Some((kind, rest)) = line.split_once(':') else { return Err(bad(place, kinds, line)) };
        let rest = rest.trim();
        match kind.trim() {
            "link" => {
                let (pair, one) = match rest.rsplit_once('#').filter(|(_, one)| !one.contains('"')) {
                    Some((pair, one)) => match one.parse::<u32>() {
                        Ok(one) => (pair, Some(one)),
                        Err(_) => return Err(bad(place, "the number of a parallel cable after #, from 0", one)),
                    },
                    None => (rest, None),
                };
                if !pair.contains('-') {
                    return Err(bad(place, "two switches, as A-B", pair));
                }
                Ok(Written::Link(pair, one))
            }
            "switch" => Ok(Written::Switch(rest)),
            "links" => options(place, rest, true).map(|(amount, seed, class)| Written::Links(amount, seed, class)),
            "switches" => options(place, rest, false).map(|(amount, seed, _)| Written::Switches(amount, seed)),
            _ => Err(bad(place, kinds, line)),
        }
    }
}

/// A name without the quotes around it: inside, a backslash stands before a quote or a backslash.
pub(super) fn unquoted(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|_| text.len() > 1);
    let Some(inner) = inner else { return Cow::Borrowed(text) };
    let (mut plain, mut escaped) = (String::with_capacity(inner.len()), false);
    for c in inner.chars() {
        if c == '\\' && !escaped {
            escaped = true;
            continue;
        }
        plain.push(c);
        escaped = false;
    }
    Cow::Owned(plain)
}

/// The failures of a text, one a line; semicolons outside of quotes separate them too. What no failure begins with belongs
/// to the name before it, so that a name with a semicolon needs no quotes. O(text).
pub fn lines_of(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut first = true;
        for piece in pieces(line) {
            let starts = KINDS.iter().any(|kind| piece.trim_start().starts_with(kind));
            match found.last_mut() {
                Some(last) if !first && !starts && takes_name(last) && !piece.trim().is_empty() => {
                    last.push(';');
                    last.push_str(piece);
                }
                _ => found.push(piece.to_string()),
            }
            first = false;
        }
    }
    found.iter().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

const KINDS: [&str; 4] = ["link:", "switch:", "links:", "switches:"];

/// Whether a failure ends in the name of a switch, which may go on.
fn takes_name(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("link:") || line.starts_with("switch:")
}

/// The pieces between semicolons that are not in quotes.
fn pieces(line: &str) -> Vec<&str> {
    let (mut found, mut start, mut inside, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' if !escaped => inside = !inside,
            ';' if !inside => {
                found.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    // A quote that is never closed is part of a name.
    if inside {
        return line.split(';').collect();
    }
    found.push(&line[start..]);
    found
}

//! Faults are data: a code, the place, what was got, what was expected, a hint. Text is made in one `Display`.
//!
//! A check never stops at the first fault: it collects all of one input into [`Faults`], which is what every
//! fallible public function returns.

use std::fmt;

/// One row of the error catalogue (`docs/reference/errors.md` is generated from these rows).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// `NL-` + room letter + three digits, for example `NL-T012`.
    pub code: &'static str,
    /// What went wrong, as a heading.
    pub title: &'static str,
    /// Why it happens.
    pub cause: &'static str,
    /// What the user does about it.
    pub action: &'static str,
}

/// One thing wrong with one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: &'static str,
    /// `torus.dims`, `study.toml:12:3`, `rank 5`: where the value is.
    pub place: String,
    /// The requirement, as a phrase that follows "must be", or a whole sentence if `got` is empty.
    pub expected: String,
    /// The offending value as the user wrote it; empty if there is none.
    pub got: String,
    /// The remedy or the nearest valid value.
    pub hint: String,
}

impl Fault {
    /// A fault that says `{place} must be {expected}, got {got}`.
    pub fn new(row: &CodeRow, place: impl Into<String>, expected: impl Into<String>, got: impl fmt::Display) -> Self {
        Fault {
            code: row.code,
            place: place.into(),
            expected: expected.into(),
            got: got.to_string(),
            hint: String::new(),
        }
    }

    /// A fault that says `{place}: {sentence}`.
    pub fn say(row: &CodeRow, place: impl Into<String>, sentence: impl Into<String>) -> Self {
        Fault {
            code: row.code,
            place: place.into(),
            expected: sentence.into(),
            got: String::new(),
            hint: String::new(),
        }
    }

    /// Adds the remedy.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// Longest echo of a user's value; longer input is cut so that a hostile file cannot flood a terminal.
const ECHO_LIMIT: usize = 80;

/// Control and direction characters shown escaped, so that no input can disguise a message.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\'' | '"' | '\\' => out.push(c),
            _ => out.extend(c.escape_debug()),
        }
    }
    out
}

/// As [`printable`], and long values cut.
fn echo(text: &str) -> String {
    let cut: String = text.chars().take(ECHO_LIMIT).collect();
    printable(&cut) + if cut.len() < text.len() { "..." } else { "" }
}

/// What is kept of a place longer than their sum: a path ends with its file, line and column.
const PLACE_HEAD: usize = 120;
const PLACE_TAIL: usize = 120;

fn echo_place(text: &str) -> String {
    let length = text.chars().count();
    if length <= PLACE_HEAD + PLACE_TAIL {
        return printable(text);
    }
    let head: String = text.chars().take(PLACE_HEAD).collect();
    let tail: String = text.chars().skip(length - PLACE_TAIL).collect();
    printable(&head) + "..." + &printable(&tail)
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.got.is_empty() {
            write!(f, "{} {}: {}", self.code, echo_place(&self.place), printable(&self.expected))?;
        } else {
            let expected = printable(&self.expected);
            write!(f, "{} {} must be {expected}, got {}", self.code, echo_place(&self.place), echo(&self.got))?;
        }
        if !self.hint.is_empty() {
            write!(f, "\n  hint: {}", printable(&self.hint))?;
        }
        Ok(())
    }
}

/// All faults of one input, at least one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    pub fn none() -> Self {
        Faults(Vec::new())
    }
    pub fn push(&mut self, fault: Fault) {
        self.0.push(fault);
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// `Ok(value)` if nothing was found wrong.
    pub fn or<T>(self, value: T) -> Outcome<T> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Faults(vec![fault])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// The result of every function that can get bad input.
pub type Outcome<T> = Result<T, Faults>;

/// The candidate nearest to `word` by edit distance, if any is close enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).clamp(1, 3) + usize::from(word.len() > 3);
    candidates
        .into_iter()
        .map(|c| (edit_distance(&word.to_lowercase(), &c.to_lowercase()), c))
        .filter(|(d, c)| *d <= limit || (word.len() >= 3 && c.starts_with(word)))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Levenshtein distance with adjacent transpositions; O(|a|·|b|).
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let substitute = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

/// A crate's part of the error catalogue: one constant per row, and `ALL` of them in order.
///
/// ```
/// netloom_model::code_rows! {
///     TOO_TALL = "NL-Z001", "Too tall", "It does not fit under the roof.", "Lower it.";
/// }
/// assert_eq!(ALL[0].code, TOO_TALL.code);
/// ```
#[macro_export]
macro_rules! code_rows {
    ($($name:ident = $code:literal, $title:literal, $cause:literal, $action:literal;)*) => {
        $(
            pub const $name: $crate::CodeRow =
                $crate::CodeRow { code: $code, title: $title, cause: $cause, action: $action };
        )*
        /// Every row above, in order.
        pub const ALL: &[$crate::CodeRow] = &[$($name),*];
    };
}

/// `A001`..: the codes that the model itself raises.
pub mod codes {
    crate::code_rows! {
        SYNTAX = "NL-A001", "Call cannot be read", "The text is not of the form name(value, key=value).",
            "Write a name, then arguments in parentheses; quote text that holds commas or spaces.";
        UNKNOWN_NAME = "NL-A002", "Unknown name", "Nothing of that kind is registered under this name.",
            "Use the name that the hint proposes, or list the names with `netloom list`.";
        UNKNOWN_PARAMETER = "NL-A003", "Unknown parameter", "The named thing takes no such argument.",
            "Use one of the parameters in the hint.";
        MISSING_PARAMETER = "NL-A004", "Missing parameter", "An argument without a default was left out.",
            "Give it, by position or by name.";
        TWICE = "NL-A005", "Parameter given twice", "The same argument is given by position and by name, or by name twice.",
            "Keep one of them.";
        TOO_MANY = "NL-A006", "Too many positional arguments", "More values than parameters.",
            "Remove the surplus values.";
        BAD_VALUE = "NL-A007", "Value of the wrong type or out of range",
            "The parameter takes another type, or a smaller or larger value.", "Give a value in the stated range.";
        UNIT = "NL-A008", "Quantity cannot be read", "The number or its unit is not known.",
            "Write a number and a unit, such as \"100 Gbps\", \"64 KiB\", \"100 ns\", \"1.5 m\".";
        TOO_LARGE = "NL-A009", "Result too large", "The requested sizes overflow or exceed what netloom indexes (2^31 items).",
            "Choose smaller parameters.";
        TOO_DEEP = "NL-A010", "Text too long or nested too deeply", "A call is limited to 64 KiB and 32 levels.",
            "Shorten it.";
        DISCONNECTED = "NL-N001", "Network is disconnected", "Some switches cannot reach each other.",
            "Add links, or study the connected parts one by one.";
        NETWORK_INVALID = "NL-N002", "Network is inconsistent",
            "A link or an endpoint names a switch that does not exist, or a link joins a switch to itself.",
            "Correct the file or the class that made the network.";
        OUT_OF_SERVICE = "NL-N003", "Switch is out of service", "A rank or a packet would be on a switch that failed.",
            "Use endpoints of switches in service, or restore the switch.";
        NO_PART = "NL-N004", "No such part", "The network is in parts that no cable joins, and the one asked for is none of them.",
            "Give the number of a part, or the name of a switch or host that is in one of them.";
        INTERRUPTED = "NL-N011", "Interrupted", "The caller asked the computation to stop before its end.",
            "Run it again, with more time.";
        BROKEN = "NL-R008", "Routing breaks its contract",
            "A path does not lead from its source to its destination, its shares do not sum to 1, or it uses a channel beyond those declared.",
            "Correct the class that made the paths.";
        RANKS_DIFFER = "NL-E001", "Mapping and workload have different numbers of ranks",
            "Every rank of the workload needs exactly one place in the mapping.", "Make both for the same number of ranks.";
        STOPPED = "NL-E004", "Evaluation was stopped", "The caller asked for the work to end before it was complete.",
            "Run it again, with more time or a smaller workload.";
        BAD_AMOUNT = "NL-E011", "Impossible amount in a simulation",
            "A bandwidth of zero, a negative or infinite time or size, NaN, or a link that does not exist.",
            "Correct the value that is named.";
        UNSUPPORTED = "NL-E030", "Evaluator cannot use a part of the scenario",
            "The model behind the evaluator has no place for what is named, and would silently leave it out.",
            "Leave it out of the scenario, or ask an evaluator that takes it.";
        MAPPING_RANGE = "NL-M001", "Mapping names an endpoint that does not exist", "An entry is beyond the number of endpoints.",
            "Use endpoints 0 to endpoints-1.";
        MAPPING_TWICE = "NL-M002", "Endpoint used twice", "Two ranks stand on one endpoint.",
            "Give every rank its own endpoint, or attach more endpoints per switch.";
        MEMORY = "NL-X011", "Not enough memory", "Something would need more memory than may be taken: what is free, or --memory.",
            "Choose smaller sizes, fewer jobs with -j, or give more with --memory.";
        MORE_RANKS = "NL-M003", "More ranks than slots", "The job needs more endpoints than the network or the allocation has.",
            "Lower the number of ranks, or enlarge the network.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_keeps_its_line() {
        let fault = Fault::say(&codes::SYNTAX, "x/".repeat(500) + "study.toml:12:3", "is wrong");
        assert!(fault.to_string().contains("study.toml:12:3: is wrong") && fault.to_string().len() < 300);
    }

    #[test]
    fn no_character_of_an_input_disguises_a_message() {
        let fault = Fault::say(&codes::SYNTAX, "a\u{1b}[31m", "expected a name, got '\u{202e}'").hint("C:\\a\nb");
        assert_eq!(fault.to_string(), "NL-A001 a\\u{1b}[31m: expected a name, got '\\u{202e}'\n  hint: C:\\a\\nb");
    }
}

//! The one small grammar for everything that has a name and parameters: `torus(8,8,8)`, `allreduce:ring`,
//! `two-opt(swaps=200000, accept="strict")`, in study files, on the command line and in Python alike.

use std::fmt;

use crate::fault::{Fault, Outcome, codes};

const MAX_TEXT: usize = 64 * 1024;
const MAX_DEPTH: usize = 32;

/// An argument as written, before any parameter claims it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(String),
    List(Vec<Value>),
    Call(Box<Call>),
    /// Something no parameter takes (Python's `None`, an object, an integer beyond 64 bits), kept for the message.
    Other(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(v) => write!(f, "{v}"),
            Value::Float(v) => write!(f, "{v:?}"),
            Value::Bool(v) => write!(f, "{v}"),
            Value::Text(v) if is_bare(v) => write!(f, "{v}"),
            Value::Text(v) => write!(f, "\"{}\"", v.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::List(items) => {
                write!(f, "[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i > 0 { "," } else { "" })?;
                }
                write!(f, "]")
            }
            Value::Call(call) => write!(f, "{call}"),
            Value::Other(text) => write!(f, "{text}"),
        }
    }
}

/// True if `text` reads back as the same text without quotes.
fn is_bare(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && text.chars().all(is_word)
        && !matches!(text, "true" | "True" | "false" | "False" | "none" | "None")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/' | '*' | '+' | '%')
}

/// A name with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub name: String,
    pub positional: Vec<Value>,
    pub keyword: Vec<(String, Value)>,
}

impl fmt::Display for Call {
    /// The text that parses back to this call.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if self.positional.is_empty() && self.keyword.is_empty() {
            return Ok(());
        }
        write!(f, "(")?;
        let mut first = true;
        for value in &self.positional {
            write!(f, "{}{value}", if first { "" } else { "," })?;
            first = false;
        }
        for (key, value) in &self.keyword {
            write!(f, "{}{key}={value}", if first { "" } else { "," })?;
            first = false;
        }
        write!(f, ")")
    }
}

impl Call {
    pub fn bare(name: impl Into<String>) -> Self {
        Call { name: name.into(), positional: Vec::new(), keyword: Vec::new() }
    }

    /// Reads `name` or `name(value, key=value, ...)`.
    ///
    /// # Errors
    /// `NL-A001` with the column where reading failed; `NL-A010` beyond 64 KiB or 32 levels.
    pub fn parse(text: &str) -> Outcome<Call> {
        if text.len() > MAX_TEXT {
            let place = text.chars().take(20).collect::<String>();
            return Err(Fault::say(&codes::TOO_DEEP, place, format!("text is longer than {MAX_TEXT} bytes")).into());
        }
        let mut parser = Parser { text, chars: text.char_indices().collect(), at: 0 };
        parser.space();
        let call = parser.call(0)?;
        parser.space();
        if parser.at < parser.chars.len() {
            return Err(parser.fail("nothing more"));
        }
        Ok(call)
    }
}

struct Parser<'a> {
    text: &'a str,
    chars: Vec<(usize, char)>,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|c| c.1)
    }
    fn space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }
    fn take(&mut self, c: char) -> bool {
        self.space();
        let hit = self.peek() == Some(c);
        self.at += usize::from(hit);
        hit
    }
    fn fail(&self, expected: &str) -> crate::Faults {
        let got = self.peek().map_or("the end of the text".into(), |c| format!("'{c}'"));
        let sentence = format!("expected {expected} at column {}, got {got}", self.at + 1);
        Fault::say(&codes::SYNTAX, format!("\"{}\"", self.text), sentence)
            .hint("write name(value, key=value), as in torus(4,4) or node(cores=64)")
            .into()
    }
    fn word(&mut self) -> String {
        self.space();
        let start = self.at;
        while self.peek().is_some_and(is_word) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().map(|c| c.1).collect()
    }

    fn call(&mut self, depth: usize) -> Outcome<Call> {
        if depth > MAX_DEPTH {
            return Err(Fault::say(&codes::TOO_DEEP, "call", format!("nested deeper than {MAX_DEPTH} levels")).into());
        }
        self.space();
        if !self.peek().is_some_and(|c| c.is_alphabetic()) {
            return Err(self.fail("a name"));
        }
        let name = self.word();
        self.arguments(name, depth)
    }

    fn arguments(&mut self, name: String, depth: usize) -> Outcome<Call> {
        let mut call = Call::bare(name);
        if !self.take('(') {
            return Ok(call);
        }
        if self.take(')') {
            return Ok(call);
        }
        loop {
            let value = self.value(depth + 1)?;
            if self.take('=') {
                let Value::Text(key) = value else { return Err(self.fail("a parameter name before '='")) };
                if !is_bare(&key) {
                    return Err(self.fail("a parameter name before '='"));
                }
                let value = self.value(depth + 1)?;
                call.keyword.push((key, value));
            } else if call.keyword.is_empty() {
                call.positional.push(value);
            } else {
                return Err(self.fail("key=value (a value by position cannot follow one by name)"));
            }
            if self.take(')') {
                return Ok(call);
            }
            if !self.take(',') {
                return Err(self.fail("',' or ')'"));
            }
        }
    }

    fn value(&mut self, depth: usize) -> Outcome<Value> {
        if depth > MAX_DEPTH {
            return Err(Fault::say(&codes::TOO_DEEP, "call", format!("nested deeper than {MAX_DEPTH} levels")).into());
        }
        self.space();
        match self.peek() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            Some('[' | '(') => self.list(depth),
            Some(c) if is_word(c) => {
                let word = self.word();
                if self.peek() == Some('(') && word.chars().next().is_some_and(char::is_alphabetic) {
                    let call = self.arguments(word, depth)?;
                    // Without arguments a call is its name, as it is written.
                    let bare = call.positional.is_empty() && call.keyword.is_empty();
                    return Ok(if bare { Value::Text(call.name) } else { Value::Call(Box::new(call)) });
                }
                Ok(self.number_or_text(word))
            }
            _ => Err(self.fail("a value")),
        }
    }

    fn number_or_text(&mut self, word: String) -> Value {
        match word.as_str() {
            "true" | "True" => return Value::Bool(true),
            "false" | "False" => return Value::Bool(false),
            "none" | "None" => return Value::Other("None".into()),
            _ => {}
        }
        if let Ok(number) = word.parse::<i64>() {
            return Value::Int(number);
        }
        if !word.is_empty() && word.trim_start_matches(['-', '+']).chars().all(|c| c.is_ascii_digit()) {
            return Value::Other(word); // an integer beyond 64 bits
        }
        match word.parse::<f64>() {
            Ok(number) if word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) => {
                // One beyond floats is kept as it is, as a long integer.
                if number.is_finite() { Value::Float(number) } else { Value::Other(word) }
            }
            _ => {
                // "100 Gbps": a number, one space, a unit.
                let mark = self.at;
                let numeric = word.parse::<f64>().is_ok();
                self.space();
                if numeric && self.peek().is_some_and(char::is_alphabetic) {
                    let unit = self.word();
                    return Value::Text(format!("{word} {unit}"));
                }
                self.at = mark;
                Value::Text(word)
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Outcome<Value> {
        self.at += 1;
        let mut out = String::new();
        loop {
            match self.peek() {
                None => return Err(self.fail("the closing quote")),
                Some(c) if c == quote => {
                    self.at += 1;
                    return Ok(Value::Text(out));
                }
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(c) => out.push(c),
                        None => return Err(self.fail("a character after '\\'")),
                    }
                    self.at += 1;
                }
                Some(c) => {
                    out.push(c);
                    self.at += 1;
                }
            }
        }
    }

    fn list(&mut self, depth: usize) -> Outcome<Value> {
        let close = if self.peek() == Some('[') { ']' } else { ')' };
        self.at += 1;
        let mut items = Vec::new();
        if self.take(close) {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.take(close) {
                return Ok(Value::List(items));
            }
            if !self.take(',') {
                return Err(self.fail("',' or the end of the list"));
            }
            if self.take(close) {
                return Ok(Value::List(items));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_the_design_writes() {
        let call = Call::parse("dragonfly(a=16,p=1,h=4,g=64,arrangement=\"round-robin\")").unwrap();
        assert_eq!(call.name, "dragonfly");
        assert_eq!(call.keyword[4], ("arrangement".into(), Value::Text("round-robin".into())));
        let call = Call::parse("circulant(1024,pow2)").unwrap();
        assert_eq!(call.positional, [Value::Int(1024), Value::Text("pow2".into())]);
        assert_eq!(Call::parse("allreduce:recursive-doubling").unwrap().name, "allreduce:recursive-doubling");
        let call = Call::parse("mix(alltoall:bruck(k=4), share=0.5, bandwidth=\"100 Gbps\")").unwrap();
        assert!(matches!(&call.positional[0], Value::Call(c) if c.name == "alltoall:bruck"));
        let beyond = Call::parse("a(1e999,-1e999,-inf)").unwrap();
        assert_eq!(Call::parse(&beyond.to_string()).unwrap(), beyond);
        assert_eq!(Call::parse("a(b(), true())").unwrap(), Call::parse("a(b, \"true\")").unwrap());
    }

    #[test]
    fn says_where_it_stopped() {
        for (text, column) in
            [("", 1), ("torus(", 7), ("torus(8,", 9), ("torus(8))", 9), ("(3)", 1), ("a(b=1, 2)", 9), ("a(\"4\"=1)", 7)]
        {
            let message = Call::parse(text).unwrap_err().to_string();
            assert!(message.contains(&format!("column {column},")), "{text}: {message}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "a(".repeat(5000);
        assert_eq!(Call::parse(&deep).unwrap_err().0[0].code, "NL-A010");
        let deep = format!("a({}", "[".repeat(5000));
        assert_eq!(Call::parse(&deep).unwrap_err().0[0].code, "NL-A010");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
            let _ = Call::parse(&text);
        }

        #[test]
        fn what_is_written_reads_back(a in any::<i64>(), b in "\\PC{0,20}", c in any::<bool>(), d in -1e9..1e9f64) {
            let call = Call {
                name: "x:y".into(),
                positional: vec![Value::Int(a), Value::List(vec![Value::Bool(c), Value::Float(d)])],
                keyword: vec![("k".into(), Value::Text(b))],
            };
            prop_assert_eq!(Call::parse(&call.to_string()).unwrap(), call);
        }
    }
}

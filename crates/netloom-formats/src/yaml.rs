//! YAML as a tree of values with lines, for files of a known and small shape.
//!
//! Anchors and aliases are refused, so that a file is no larger than what it says.

use netloom_model::Outcome;
use yaml_rust2::parser::{Event, Parser};

use crate::codes;
use crate::limits::{MAX_DEPTH, MAX_ITEMS};
use crate::sink::{Sink, Spot, quoted};

/// A value and the line that it begins on.
#[derive(Debug)]
pub struct Item {
    pub line: u32,
    pub value: Value,
}

/// What a value is.
#[derive(Debug)]
pub enum Value {
    Text(String),
    List(Vec<Item>),
    /// Keys in the order of the file.
    Map(Vec<(String, Item)>),
}

impl Item {
    /// The value of a key, compared without case.
    pub fn get(&self, key: &str) -> Option<&Item> {
        match &self.value {
            Value::Map(pairs) => pairs.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, item)| item),
            _ => None,
        }
    }
    /// A scalar as text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
    /// The elements of a list; none of anything else.
    pub fn list(&self) -> &[Item] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }
    pub fn spot(&self) -> Spot {
        Spot::At(self.line, 1)
    }
}

/// The only document of a text. O(text).
///
/// # Errors
/// `NL-F003` for what is no YAML, `NL-F005` for values nested too deep, `NL-F001` for too many, `NL-F013` for aliases.
pub fn read(text: &str, place: &str) -> Outcome<Item> {
    let mut reader = YamlReader { parser: Parser::new(text.chars()), sink: Sink::new(place), count: 0 };
    match reader.document() {
        Some(item) if reader.sink.is_empty() => Ok(item),
        _ => {
            if reader.sink.is_empty() {
                reader.sink.say(&codes::NOTHING, Spot::Whole, "the file is empty", "");
            }
            Err(reader.sink.fail())
        }
    }
}

struct YamlReader<'t, 'p> {
    parser: Parser<std::str::Chars<'t>>,
    sink: Sink<'p>,
    count: u64,
}

impl YamlReader<'_, '_> {
    /// The next event with its line; `None` after a fault.
    fn next(&mut self) -> Option<(Event, u32)> {
        match self.parser.next_token() {
            Ok((event, mark)) => Some((event, u32::try_from(mark.line()).unwrap_or(u32::MAX))),
            Err(error) => {
                let mark = *error.marker();
                let spot = Spot::At(mark.line() as u32, mark.col() as u32 + 1);
                self.sink.say(&codes::SYNTAX, spot, format!("is no YAML: {}", quoted(error.info())), "");
                None
            }
        }
    }

    fn document(&mut self) -> Option<Item> {
        loop {
            let (event, line) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentStart | Event::Nothing => {}
                Event::StreamEnd | Event::DocumentEnd => return None,
                event => return self.item(event, line, 0),
            }
        }
    }

    fn item(&mut self, event: Event, line: u32, depth: usize) -> Option<Item> {
        self.count += 1;
        if depth > MAX_DEPTH {
            self.sink.say(&codes::TOO_DEEP, Spot::At(line, 1), format!("more than {MAX_DEPTH} levels"), "");
            return None;
        }
        if self.count > MAX_ITEMS {
            self.sink.say(&codes::TOO_LARGE, Spot::At(line, 1), format!("more than {MAX_ITEMS} values"), "");
            return None;
        }
        let value = match event {
            Event::Scalar(text, _, 0, _) => Value::Text(text),
            Event::SequenceStart(0, _) => {
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => break,
                        (event, line) => items.push(self.item(event, line, depth + 1)?),
                    }
                }
                Value::List(items)
            }
            Event::MappingStart(0, _) => {
                let mut pairs = Vec::new();
                loop {
                    let (event, at) = self.next()?;
                    if event == Event::MappingEnd {
                        break;
                    }
                    let Value::Text(key) = self.item(event, at, depth + 1)?.value else {
                        self.sink.say(&codes::SYNTAX, Spot::At(at, 1), "a key is no text", "");
                        return None;
                    };
                    let (event, at) = self.next()?;
                    pairs.push((key, self.item(event, at, depth + 1)?));
                }
                Value::Map(pairs)
            }
            _ => {
                let hint = "write the values out";
                self.sink.say(&codes::UNSUPPORTED, Spot::At(line, 1), "anchors and aliases are not read", hint);
                return None;
            }
        };
        Some(Item { line, value })
    }
}

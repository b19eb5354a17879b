//! GOAL as text: `num_ranks N`, then `rank R { operations and what they require }` for each rank.

use std::borrow::Cow;

use netloom_model::{Bound, Outcome};

use super::{Dependency, Kind, Labels, Operation, Operations, programs};
use crate::codes;
use crate::recorded::{MAX_RANKS, Recorded, Replay};
use crate::sink::{Sink, Spot};
use crate::text::{decode, lines};

/// Programs of a schedule as text. O(text).
///
/// # Errors
/// `NL-F003`, `NL-F006`, `NL-F007`, `NL-F009`, `NL-F010` with line and column; those of the operations.
pub fn read(bytes: &[u8], place: &str, replay: Replay<'_>, _bound: &Bound) -> Outcome<Recorded> {
    let text = without_comments(decode(bytes, place)?);
    let tokens = Tokens::of(&text);
    let mut sink = Sink::new(place);
    let all = Parser { tokens, at: 0, sink: &mut sink }.ranks();
    match all {
        Some(all) if sink.is_empty() => {
            programs(all.len() as u32, place, |rank| Ok(Cow::Borrowed(&all[rank as usize])), replay)
        }
        _ => Err(sink.fail()),
    }
}

/// The text with blanks in place of comments, lines kept.
pub fn without_comments(text: &str) -> String {
    let (mut made, mut rest) = (String::with_capacity(text.len()), text);
    let blank = |made: &mut String, part: &str| made.extend(part.chars().map(|c| if c == '\n' { c } else { ' ' }));
    while let Some(slash) = rest.find('/') {
        let (before, from) = rest.split_at(slash);
        made.push_str(before);
        let end = match from.as_bytes().get(1) {
            Some(b'/') => from.find('\n').unwrap_or(from.len()),
            Some(b'*') => from[2..].find("*/").map_or(from.len(), |end| end + 4),
            _ => {
                made.push('/');
                rest = &from[1..];
                continue;
            }
        };
        blank(&mut made, &from[..end]);
        rest = &from[end..];
    }
    made.push_str(rest);
    made
}

/// A word, or one of `{`, `}` and `:`; or the end of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Token<'a> {
    text: &'a str,
    spot: Spot,
}

/// What ends a line.
const END: &str = "\n";

struct Tokens<'a>(Vec<Token<'a>>);

impl<'a> Tokens<'a> {
    fn of(text: &'a str) -> Tokens<'a> {
        let mut all = Vec::new();
        for (number, line) in lines(text) {
            let mut at = 0;
            let spot = |at: usize| Spot::At(number, at as u32 + 1);
            while let Some(start) = line[at..].find(|c: char| !c.is_whitespace()) {
                let from = at + start;
                let ends = |c: char| c.is_whitespace() || "{}:".contains(c);
                let length = line[from..].find(ends).unwrap_or(line.len() - from).max(1);
                all.push(Token { text: &line[from..from + length], spot: spot(from) });
                at = from + length;
            }
            all.push(Token { text: END, spot: spot(line.len()) });
        }
        Tokens(all)
    }
}

struct Parser<'a, 's, 'p> {
    tokens: Tokens<'a>,
    at: usize,
    sink: &'s mut Sink<'p>,
}

impl<'a> Parser<'a, '_, '_> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.0.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn skip_ends(&mut self) {
        while self.peek().is_some_and(|token| token.text == END) {
            self.at += 1;
        }
    }

    /// The next token on this or a later line, which must be `wanted`.
    fn expect(&mut self, wanted: &str) -> Option<()> {
        self.skip_ends();
        match self.next() {
            Some(token) if token.text == wanted => Some(()),
            other => self.wrong(other, &format!("\"{wanted}\"")),
        }
    }

    fn wrong<T>(&mut self, token: Option<Token<'a>>, expected: &str) -> Option<T> {
        let (spot, text) = match token {
            Some(Token { text: END, spot }) => (spot, "the end of the line"),
            Some(token) => (token.spot, token.text),
            None => (Spot::Whole, "the end of the file"),
        };
        let hint = "an operation is: [label:] send 8b to 1 tag 0 | recv 8b from 0 | calc 100, or label requires label";
        self.sink.must(&codes::SYNTAX, spot, "", expected, text, hint);
        None
    }

    /// A number of at most `most`.
    fn number(&mut self, most: u64, what: &str) -> Option<u64> {
        let token = self.next();
        match token.and_then(|token| token.text.parse::<u64>().ok()).filter(|number| *number <= most) {
            Some(number) => Some(number),
            None => self.wrong(token, &format!("{what}, at most {most}")),
        }
    }

    fn ranks(&mut self) -> Option<Vec<Operations>> {
        self.expect("num_ranks")?;
        let ranks = self.number(MAX_RANKS.into(), "a number of ranks")? as u32;
        if ranks == 0 {
            // Blocks of ranks would be of none.
            return Some(Vec::new());
        }
        let mut all: Vec<Option<Operations>> = Vec::new();
        all.resize_with(ranks as usize, || None);
        loop {
            self.skip_ends();
            let Some(token) = self.peek() else { break };
            self.expect("rank")?;
            let rank = self.number(u64::from(ranks.saturating_sub(1)), "a rank")?;
            if all[rank as usize].is_some() {
                self.sink.say(
                    &codes::DUPLICATE,
                    token.spot,
                    format!("rank {rank} stands twice"),
                    "join its operations",
                );
                return None;
            }
            all[rank as usize] = Some(self.operations(ranks)?);
        }
        if let Some(rank) = all.iter().position(Option::is_none) {
            let sentence = format!("rank {rank} of {ranks} has no block");
            self.sink.say(&codes::MISSING, Spot::Whole, sentence, &format!("add: rank {rank} {{ }}"));
            return None;
        }
        Some(all.into_iter().flatten().collect())
    }

    fn operations(&mut self, ranks: u32) -> Option<Operations> {
        self.expect("{")?;
        let (mut made, mut labels) = (Operations::default(), Labels::new());
        loop {
            self.skip_ends();
            let first = self.next();
            match first {
                Some(Token { text: "}", .. }) => return Some(made),
                Some(Token { text: "send" | "recv" | "calc", .. }) if !self.is_label() => {
                    self.at -= 1;
                    self.operation(ranks, &mut made)?;
                }
                Some(token) if is_name(token.text) => {
                    if self.is_label() {
                        self.at += 1;
                        if labels.insert(token.text, made.all.len() as u32).is_some() {
                            let sentence = format!("the label {} stands twice", crate::sink::quoted(token.text));
                            self.sink.say(&codes::DUPLICATE, token.spot, sentence, "give each operation its own");
                            return None;
                        }
                        self.operation(ranks, &mut made)?;
                    } else {
                        self.dependency(token, &labels, &mut made)?;
                    }
                }
                other => return self.wrong(other, "an operation, a requirement or \"}\""),
            }
            match self.peek() {
                Some(Token { text: END | "}", .. }) => {}
                other => return self.wrong(other, "the end of the line"),
            }
        }
    }

    /// True where a colon follows.
    fn is_label(&self) -> bool {
        self.peek().is_some_and(|token| token.text == ":")
    }

    fn operation(&mut self, ranks: u32, made: &mut Operations) -> Option<()> {
        let first = self.next();
        let (Some(token), most) = (first, u64::from(u32::MAX)) else { return self.wrong(first, "an operation") };
        let last = u64::from(ranks.saturating_sub(1));
        let kind = match token.text {
            "calc" => Kind::Calc { ns: self.number(u64::MAX, "a number of nanoseconds")? },
            "send" => {
                let bytes = self.bytes()?;
                self.word("to")?;
                let to = self.number(last, "a rank")? as u32;
                let tag = self.option("tag").then(|| self.number(most, "a tag"));
                Kind::Send { to, tag: tag.map_or(Some(0), |tag| tag)? as u32, bytes }
            }
            "recv" => {
                let bytes = self.bytes()?;
                self.word("from")?;
                let from = self.number_or_any(last, "a rank, or -1 for any")?;
                let tag = match self.option("tag") {
                    true => self.number_or_any(most, "a tag, or -1 for any")?,
                    false => Some(0),
                };
                Kind::Receive { from, tag, bytes }
            }
            _ => return self.wrong(first, "send, recv or calc"),
        };
        let cpu = if self.option("cpu") { self.number(255, "a cpu")? } else { 0 } as u8;
        let nic = if self.option("nic") { self.number(255, "a NIC")? } else { 0 } as u8;
        made.all.push(Operation { kind, cpu, nic, spot: token.spot });
        Some(())
    }

    /// A size such as `8b`.
    fn bytes(&mut self) -> Option<u64> {
        let token = self.next();
        let found = token.and_then(|token| token.text.strip_suffix('b')).and_then(|text| text.parse::<u64>().ok());
        match found.filter(|bytes| *bytes <= i64::MAX as u64) {
            Some(bytes) => Some(bytes),
            None => self.wrong(token, "a size such as 8b, below 2^63"),
        }
    }

    fn number_or_any(&mut self, most: u64, what: &str) -> Option<Option<u32>> {
        if self.peek().is_some_and(|token| token.text == "-1") {
            self.at += 1;
            return Some(None);
        }
        self.number(most, what).map(|number| Some(number as u32))
    }

    fn word(&mut self, wanted: &str) -> Option<()> {
        let token = self.next();
        if token.is_some_and(|token| token.text == wanted) { Some(()) } else { self.wrong(token, wanted) }
    }

    fn option(&mut self, name: &str) -> bool {
        let there = self.peek().is_some_and(|token| token.text == name);
        self.at += usize::from(there);
        there
    }

    fn dependency(&mut self, later: Token<'a>, labels: &Labels<'a>, made: &mut Operations) -> Option<()> {
        let verb = self.next();
        let on_start = match verb {
            Some(Token { text: "requires", .. }) => false,
            Some(Token { text: "irequires", .. }) => true,
            other => return self.wrong(other, "requires or irequires"),
        };
        let Some(earlier) = self.next().filter(|token| token.text != END) else {
            return self.wrong(verb, "a label after it");
        };
        let mut known = |token: Token<'a>| match labels.get(token.text) {
            Some(number) => Some(*number),
            None => {
                let hint = "labels are known after the operation that has them, in their rank";
                self.sink.must(
                    &codes::UNKNOWN_ID,
                    token.spot,
                    "",
                    "the label of an earlier operation",
                    token.text,
                    hint,
                );
                None
            }
        };
        let (later, earlier) = (known(later)?, known(earlier)?);
        made.dependencies.push(Dependency { earlier, later, on_start });
        Some(())
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

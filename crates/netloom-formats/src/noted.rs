//! What a reader met in a file and did not use: one note for all of it.
//!
//! Every element and attribute of a file is used, refused, or in this note. A format lists what its manual defines in a
//! table of [`Fate`]s; what is in a file and not in the table is unused too. A reader of another shape calls
//! [`Noted::unused`] itself.

use crate::codes;
use crate::sink::{Sink, Spot, quoted};
use crate::xml::{Element, Tree};

/// What becomes of an element or an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The network depends on it.
    Used,
    /// A name, a comment, a version: it says nothing of a network.
    Label,
    /// Left out, and said so.
    Noted,
    /// Refused: without it the answer would be wrong.
    Refused,
}

/// An element of a format in XML: its name, what becomes of it, and of its attributes. What is below an element that is
/// [`Fate::Noted`] counts as it.
pub type ElementRow = (&'static str, Fate, &'static [(&'static str, Fate)]);

/// Names that one note lists; the rest is counted.
const LISTED: usize = 12;
/// Different names that are counted by name: a file may hold millions.
const NAMED: usize = 256;

/// Collects what is not used.
#[derive(Debug)]
pub struct Noted {
    format: &'static str,
    /// What it is, and how often it is there, in the order in which it was met.
    met: Vec<(Met, u64)>,
    others: u64,
}

#[derive(Debug)]
struct Met {
    form: Form,
    kind: String,
    name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `kind name`.
    Plain,
    /// `<name>`.
    Element,
    /// `name of <kind>`.
    Attribute,
}

impl Noted {
    pub fn new(format: &'static str) -> Noted {
        Noted { format, met: Vec::new(), others: 0 }
    }

    /// Something of this kind and name is in the file and not used: `unused("column", "tag")`. O(different names).
    pub fn unused(&mut self, kind: &str, name: &str) {
        self.several(kind, name, 1);
    }

    /// Counts a name `times` times.
    pub fn several(&mut self, kind: &str, name: &str, times: u64) {
        self.count(Form::Plain, kind, name, times);
    }

    fn count(&mut self, form: Form, kind: &str, name: &str, times: u64) {
        let is = |m: &(Met, u64)| m.0.form == form && m.0.name == name && m.0.kind == kind;
        let known = self.met.iter().position(is);
        match known {
            _ if times == 0 => {}
            Some(at) => self.met[at].1 += times,
            None if self.met.len() < NAMED => {
                self.met.push((Met { form, kind: kind.into(), name: name.into() }, times));
            }
            None => self.others += times,
        }
    }

    /// Looks up an element and its attributes; true if the reader goes on with what is below. O(attributes · table).
    pub fn element(&mut self, table: &[ElementRow], tree: &Tree, element: &Element, sink: &mut Sink) -> bool {
        let name = element.name();
        let Some(row) = table.iter().find(|row| row.0 == name) else {
            self.count(Form::Element, "", name, 1);
            return false;
        };
        match row.1 {
            Fate::Noted => {
                self.count(Form::Element, "", name, 1);
                return false;
            }
            Fate::Refused => {
                refuse(&format!("the element <{name}> is not read"), tree.spot(element), sink);
                return false;
            }
            Fate::Used | Fate::Label => {}
        }
        for key in element.keys() {
            match row.2.iter().find(|known| known.0 == key).map_or(Fate::Noted, |known| known.1) {
                Fate::Used | Fate::Label => {}
                Fate::Noted => self.count(Form::Attribute, name, key, 1),
                Fate::Refused => refuse(&format!("{key} of <{name}> is not read"), tree.spot(element), sink),
            }
        }
        row.1 == Fate::Used
    }

    /// The notes: at most one sentence, with counts.
    pub fn into_notes(self) -> Vec<String> {
        if self.met.is_empty() {
            return Vec::new();
        }
        let mut parts: Vec<String> =
            self.met.iter().take(LISTED).map(|(met, n)| format!("{} ({n})", met.shown())).collect();
        let rest = self.others + self.met.iter().skip(LISTED).map(|m| m.1).sum::<u64>();
        if rest > 0 {
            parts.push(format!("{rest} others"));
        }
        vec![format!("in the {} file and not used: {}", self.format, parts.join(", "))]
    }
}

impl Met {
    fn shown(&self) -> String {
        let (kind, name) = (quoted(&self.kind), quoted(&self.name));
        let (kind, name) = (kind.trim_matches('"'), name.trim_matches('"'));
        match self.form {
            Form::Plain => format!("{kind} {name}").trim().to_string(),
            Form::Element => format!("<{name}>"),
            Form::Attribute => format!("{name} of <{kind}>"),
        }
    }
}

fn refuse(sentence: &str, spot: Spot, sink: &mut Sink) {
    sink.say(&codes::UNSUPPORTED, spot, sentence, "describe the part by what the format's page lists as read");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_note_counts_by_name_and_stays_short() {
        let mut noted = Noted::new("toy");
        assert!(Noted::new("toy").into_notes().is_empty());
        noted.unused("attribute", "speed");
        noted.unused("attribute", "speed");
        noted.several("column", "line\nbreak", 3);
        noted.several("column", "none", 0);
        assert_eq!(noted.into_notes(), ["in the toy file and not used: attribute speed (2), column line\\nbreak (3)"]);
        let mut flood = Noted::new("toy");
        (0..100_000).for_each(|i| flood.unused("", &format!("a{i}")));
        let notes = flood.into_notes();
        assert!(notes[0].ends_with("a11 (1), 99988 others") && notes[0].len() < 200, "{notes:?}");
    }

    #[test]
    fn a_table_says_what_becomes_of_each_element() {
        const TABLE: &[ElementRow] = &[
            ("a", Fate::Used, &[("size", Fate::Used), ("id", Fate::Label), ("bad", Fate::Refused)]),
            ("b", Fate::Noted, &[]),
            ("c", Fate::Refused, &[]),
        ];
        let tree = Tree::parse("<a size='1' id='x' bad='2' odd='3'><b u='1'/><c/><d/></a>", "f").unwrap();
        let (mut noted, mut sink) = (Noted::new("toy"), Sink::new("f"));
        assert!(noted.element(TABLE, &tree, tree.root(), &mut sink));
        for child in tree.children(tree.root()) {
            assert!(!noted.element(TABLE, &tree, child, &mut sink));
        }
        let notes = noted.into_notes();
        assert_eq!(notes, ["in the toy file and not used: odd of <a> (1), <b> (1), <d> (1)"]);
        let text = sink.fail().to_string();
        assert!(text.contains("NL-F013 f:1:1: bad of <a>") && text.contains("the element <c>"), "{text}");
    }
}

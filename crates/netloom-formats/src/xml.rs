//! A small tree over quick-xml: bounded in depth, elements and attributes, without document types or entities.

use std::borrow::Cow;

use netloom_model::{Faults, Outcome};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::codes;
use crate::limits::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_ITEMS};
use crate::sink::{Sink, Spot, quoted};
use crate::text::LineIndex;

/// One element.
#[derive(Debug)]
pub struct Element<'a> {
    start: BytesStart<'a>,
    /// Text directly inside.
    pub text: Cow<'a, str>,
    offset: u32,
    /// Children as a list: first, last, and the next child of the same parent. 0 ends it, as the root is no child.
    first: u32,
    last: u32,
    next: u32,
}

impl Element<'_> {
    /// Name without its namespace prefix.
    pub fn name(&self) -> &str {
        let length = self.start.name().as_ref().len();
        let name = self.start.get(..length).unwrap_or_default();
        name.rsplit(':').next().unwrap_or_default()
    }
    pub fn is(&self, name: &str) -> bool {
        self.name() == name
    }
    /// Value of an attribute with character references resolved. O(attributes).
    pub fn attr(&self, name: &str) -> Option<Cow<'_, str>> {
        let found = self.start.attributes().with_checks(false).flatten().find(|a| a.key.as_ref() == name)?;
        found.normalized_value(XmlVersion::Implicit1_0).ok()
    }
    /// Names of its attributes without those of namespaces and schemas, each without its prefix.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let mut attributes = self.start.attributes();
        attributes.with_checks(false);
        let names = attributes.flatten().map(|a| a.key.into_inner());
        let of_xml = |name: &&str| *name != "xmlns" && !["xmlns:", "xsi:", "xml:"].iter().any(|p| name.starts_with(p));
        names.filter(of_xml).map(|name| name.rsplit(':').next().unwrap_or_default())
    }
}

/// A document; element 0 is its root.
pub struct Tree<'a> {
    elements: Vec<Element<'a>>,
    lines: LineIndex,
}

impl<'a> Tree<'a> {
    pub fn root(&self) -> &Element<'a> {
        &self.elements[0]
    }
    pub fn children<'t>(&'t self, of: &'t Element<'a>) -> impl Iterator<Item = &'t Element<'a>> {
        let element = |i: u32| if i == 0 { None } else { self.elements.get(i as usize) };
        std::iter::successors(element(of.first), move |e| element(e.next))
    }
    pub fn spot(&self, element: &Element) -> Spot {
        self.lines.spot(u64::from(element.offset))
    }

    /// Reads a whole document. O(text).
    ///
    /// # Errors
    /// `NL-F003` not well-formed, `NL-F013` entities and internal document types, `NL-F005` and `NL-F001` beyond the
    /// limits.
    pub fn parse(text: &'a str, place: &str) -> Outcome<Tree<'a>> {
        let mut builder =
            Builder { sink: Sink::new(place), lines: LineIndex::new(text), elements: Vec::new(), open: Vec::new() };
        let mut reader = Reader::from_str(text);
        loop {
            let offset = reader.buffer_position();
            match reader.read_event() {
                Err(e) => {
                    let spot = builder.lines.spot(reader.error_position());
                    builder.sink.say(&codes::SYNTAX, spot, format!("not well-formed XML: {}", show(&e)), "");
                    return Err(builder.sink.fail());
                }
                Ok(Event::Eof) => return builder.close(text.len()),
                Ok(event) => builder.event(event, offset)?,
            }
        }
    }
}

/// The library's message on one short line.
fn show(error: &quick_xml::Error) -> String {
    let text: String = error.to_string().chars().flat_map(char::escape_debug).take(200).collect();
    text.replace("\\'", "'").replace("\\\"", "\"")
}

struct Builder<'a, 'p> {
    sink: Sink<'p>,
    lines: LineIndex,
    elements: Vec<Element<'a>>,
    open: Vec<u32>,
}

impl<'a> Builder<'a, '_> {
    fn event(&mut self, event: Event<'a>, offset: u64) -> Result<(), Faults> {
        match event {
            Event::Start(start) => {
                let index = self.element(start, offset)?;
                self.open.push(index);
            }
            Event::Empty(start) => {
                self.element(start, offset)?;
            }
            Event::End(_) => {
                self.open.pop();
            }
            Event::Text(text) => self.text(text.xml10_content(), offset)?,
            Event::CData(text) => self.text(text.xml10_content(), offset)?,
            Event::GeneralRef(entity) => {
                let resolved = match entity.resolve_char_ref() {
                    Ok(Some(c)) => Some(c.to_string()),
                    Ok(None) => {
                        quick_xml::escape::resolve_predefined_entity(&entity.xml10_content()).map(str::to_string)
                    }
                    Err(_) => None,
                };
                match resolved {
                    Some(text) => self.text(Cow::Owned(text), offset)?,
                    None => {
                        let sentence =
                            format!("the entity &{}; is not read", &*quoted(entity.xml10_content()).replace('"', ""));
                        return self.fail(&codes::UNSUPPORTED, offset, sentence, "write the text itself");
                    }
                }
            }
            Event::DocType(content) if content.contains('[') || content.contains("<!") => {
                let sentence = "a document type with declarations (<!ENTITY ...>) is not read";
                return self.fail(&codes::UNSUPPORTED, offset, sentence, "remove the part between [ and ]");
            }
            _ => {}
        }
        Ok(())
    }

    fn fail(
        &mut self,
        row: &netloom_model::CodeRow,
        offset: u64,
        sentence: impl Into<String>,
        hint: &str,
    ) -> Outcome<()> {
        let mut sink = Sink::new(self.sink.place());
        sink.say(row, self.lines.spot(offset), sentence, hint);
        Err(sink.fail())
    }

    fn text(&mut self, text: Cow<'a, str>, offset: u64) -> Outcome<()> {
        match self.open.last() {
            Some(&i) => {
                let element = &mut self.elements[i as usize];
                // Indentation between elements is most of a file's text and never content.
                if element.text.is_empty() && !text.trim().is_empty() {
                    element.text = text;
                } else if !element.text.is_empty() {
                    element.text.to_mut().push_str(&text);
                }
            }
            None if text.trim().is_empty() => {}
            None => return self.fail(&codes::SYNTAX, offset, "text outside the root element", ""),
        }
        Ok(())
    }

    fn element(&mut self, start: BytesStart<'a>, offset: u64) -> Outcome<u32> {
        if self.open.len() >= MAX_DEPTH {
            let sentence = format!("elements are nested deeper than {MAX_DEPTH} levels");
            self.fail(&codes::TOO_DEEP, offset, sentence, "")?;
        }
        if self.elements.len() as u64 >= MAX_ITEMS {
            self.fail(&codes::TOO_LARGE, offset, format!("more than {MAX_ITEMS} elements"), "")?;
        }
        if self.open.is_empty() && !self.elements.is_empty() {
            self.fail(&codes::SYNTAX, offset, "a second root element", "a document has one root")?;
        }
        self.attributes(&start, offset)?;
        let index = self.elements.len() as u32;
        if let Some(&parent) = self.open.last() {
            let last = std::mem::replace(&mut self.elements[parent as usize].last, index);
            match last {
                0 => self.elements[parent as usize].first = index,
                _ => self.elements[last as usize].next = index,
            }
        }
        let offset = offset as u32;
        self.elements.push(Element { start, text: Cow::Borrowed(""), offset, first: 0, last: 0, next: 0 });
        Ok(index)
    }

    /// Checks attributes: well-formed, few, distinct, without entities.
    fn attributes(&mut self, start: &BytesStart<'a>, offset: u64) -> Outcome<()> {
        let mut keys: Vec<String> = Vec::new();
        for attribute in start.attributes().with_checks(false) {
            let attribute = match attribute {
                Ok(a) => a,
                Err(e) => return self.fail(&codes::SYNTAX, offset, format!("attribute cannot be read: {e}"), ""),
            };
            let key = attribute.key.as_ref().to_string();
            if keys.contains(&key) {
                let sentence = format!("attribute {} is repeated", quoted(&key));
                return self.fail(&codes::DUPLICATE, offset, sentence, "keep one of them");
            }
            if let Err(e) = attribute.normalized_value(XmlVersion::Implicit1_0) {
                return self.fail(
                    &codes::UNSUPPORTED,
                    offset,
                    format!("attribute {}: {}", quoted(&key), show(&e)),
                    "write the text itself",
                );
            }
            keys.push(key);
            if keys.len() > MAX_ATTRIBUTES {
                let sentence = format!("more than {MAX_ATTRIBUTES} attributes on one element");
                return self.fail(&codes::TOO_LARGE, offset, sentence, "");
            }
        }
        Ok(())
    }

    fn close(mut self, length: usize) -> Outcome<Tree<'a>> {
        if let Some(&open) = self.open.last() {
            let element = &self.elements[open as usize];
            let sentence = format!("the file ends inside the element <{}>", element.name());
            let offset = length as u64;
            self.fail(&codes::SYNTAX, offset, sentence, "the file is incomplete")?;
        }
        if self.elements.is_empty() {
            self.fail(&codes::NOTHING, 0, "there is no XML element in the file", "")?;
        }
        Ok(Tree { elements: self.elements, lines: self.lines })
    }
}

/// Text as XML attribute value or content.
pub fn escape(text: &str) -> Cow<'_, str> {
    quick_xml::escape::escape(text)
}

/// # Errors
/// `NL-F014` for a name that XML and line formats cannot carry: control characters.
pub fn check_names<'n>(names: impl IntoIterator<Item = &'n String>, place: &str) -> Outcome<()> {
    match names.into_iter().find(|n| n.chars().any(|c| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'))) {
        None => Ok(()),
        Some(name) => {
            let sentence = format!("the name {} holds a control character", quoted(name));
            Err(netloom_model::Fault::say(&codes::NAME, place, sentence).hint("rename it").into())
        }
    }
}

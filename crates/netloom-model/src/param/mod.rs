//! Attribute tables: the parameters of a registered thing. One table gives the binding of arguments, the checks, the
//! messages, the help text, the Python signature and the docs.

mod argument;
mod bound;
mod rows;

pub use bound::Bound;
pub use rows::{RowColumn, SizeRow};

use crate::call::Value;
use crate::fault::{Fault, codes, nearest};
use crate::units::{QUANTITY_MAX, Quantity};

/// The least of numbers above 0, as the `min` of a [`Kind`].
pub const ABOVE_ZERO: f64 = f64::MIN_POSITIVE;

/// The type and range of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Integer in `min..=max`.
    Int {
        min: i64,
        max: i64,
    },
    /// Finite number in `min..=max`.
    Float {
        min: f64,
        max: f64,
    },
    /// Number of at least `min`; infinite if given as `none`.
    FloatOrNone {
        min: f64,
    },
    /// Rows of a threshold in bytes, ascending, with one number for each column; read by [`Bound::rows`]. With one column
    /// a number is a row for all sizes.
    Rows {
        columns: &'static [RowColumn],
    },
    Bool,
    /// One of the words.
    Choice(&'static [&'static str]),
    /// Free text (a file name, a nested call).
    Text,
    /// List of `least..=most` integers, each in `min..=max`. A lone integer is a list of one.
    Ints {
        min: i64,
        max: i64,
        least: usize,
        most: usize,
    },
    /// As `Ints` of any length, or one of the words in its place (`circulant(1024, pow2)`).
    IntsOr {
        min: i64,
        max: i64,
        least: usize,
        words: &'static [&'static str],
    },
    /// Integer in `min..=max`, or a list of them: one for each unit of something.
    Counts {
        min: i64,
        max: i64,
    },
    /// List of booleans; a lone one is a list of one.
    Bools,
    /// Number with a unit.
    Quantity(Quantity),
}

/// One row of an attribute table.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    /// As the user would write it; `None` makes the parameter required; `Some("")` means absent unless given.
    pub default: Option<&'static str>,
    /// True if all (remaining) positional values gather here, as in `torus(8,8,8)`. Kind must be `Ints` or `IntsOr`.
    pub variadic: bool,
    /// True if it is given by name only.
    pub keyword_only: bool,
    /// The parameter whose value it has where it is absent. It stands in the same table, and has the same kind.
    pub follows: Option<&'static str>,
    pub help: &'static str,
}

impl Param {
    pub const fn required(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Param { name, kind, default: None, variadic: false, keyword_only: false, follows: None, help }
    }
    pub const fn optional(name: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Self {
        Param { name, kind, default: Some(default), variadic: false, keyword_only: false, follows: None, help }
    }
    pub const fn variadic(mut self) -> Self {
        self.variadic = true;
        self
    }
    pub const fn keyword_only(mut self) -> Self {
        self.keyword_only = true;
        self
    }
    pub const fn follows(mut self, other: &'static str) -> Self {
        self.follows = Some(other);
        self
    }
}

impl Kind {
    /// "an integer in 2..=1024", for messages and help.
    pub fn expected(&self) -> String {
        let range = |min: i64, max: i64| match (min, max) {
            (i64::MIN, i64::MAX) => String::new(),
            (min, i64::MAX) => format!(" >= {min}"),
            (min, max) => format!(" in {min}..{max}"),
        };
        match self {
            Kind::Int { min, max } => format!("an integer{}", range(*min, *max)),
            Kind::Float { min, max } if max.is_infinite() => format!("a finite number {}", least(*min)),
            Kind::Float { min, max } => format!("a number in {min}..{max}"),
            Kind::FloatOrNone { min } => format!("a number {}, or \"none\"", least(*min)),
            Kind::Rows { columns: columns @ [_] } => format!("a number, or a list of rows {}", rows::form(columns)),
            Kind::Rows { columns } => format!("a list of rows {}", rows::form(columns)),
            Kind::Bool => "true or false".into(),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Text => "text".into(),
            Kind::Ints { min, max, least, most } => {
                let count = match (*least, *most) {
                    (0, usize::MAX) => "integers".into(),
                    (1, usize::MAX) => "one or more integers".into(),
                    (least, usize::MAX) => format!("at least {least} integers"),
                    (least, most) if least == most => format!("{least} integers"),
                    (least, most) => format!("{least} to {most} integers"),
                };
                count + &range(*min, *max)
            }
            Kind::IntsOr { words, .. } => format!("{}, or {}", self.as_ints().expected(), words.join(" or ")),
            Kind::Counts { min, max } => format!("an integer{}, or a list of them", range(*min, *max)),
            Kind::Bools => "a list of true and false".into(),
            Kind::Quantity(quantity) => quantity.words().into(),
        }
    }

    /// `value` converted to this kind (an integer becomes a number where a number is required), or `None`.
    fn accept(&self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Kind::Int { min, max }, Value::Int(v)) => (min..=max).contains(&v).then(|| value.clone()),
            (Kind::Float { min, max }, Value::Int(v)) => {
                Kind::Float { min: *min, max: *max }.accept(&Value::Float(*v as f64))
            }
            (Kind::Float { min, max }, Value::Float(v)) => {
                (v.is_finite() && min <= v && v <= max).then(|| value.clone())
            }
            // The grammar reads a bare `none` as no value.
            (Kind::FloatOrNone { .. }, Value::Text(text) | Value::Other(text))
                if matches!(text.as_str(), "none" | "None") =>
            {
                Some(Value::Float(f64::INFINITY))
            }
            (Kind::FloatOrNone { min }, Value::Int(v)) => {
                Kind::FloatOrNone { min: *min }.accept(&Value::Float(*v as f64))
            }
            (Kind::FloatOrNone { min }, Value::Float(v)) => (v >= min).then(|| value.clone()),
            (Kind::Rows { columns }, _) => rows::read(columns, value).is_ok().then(|| value.clone()),
            (Kind::Bool, Value::Bool(_)) => Some(value.clone()),
            (Kind::Choice(words), Value::Text(text)) => words.contains(&text.as_str()).then(|| value.clone()),
            (Kind::Text, Value::Text(_)) => Some(value.clone()),
            (Kind::Text, Value::Call(call)) => Some(Value::Text(call.to_string())),
            (Kind::Ints { least, most, .. }, Value::List(items)) => {
                let ok = (least..=most).contains(&&items.len()) && items.iter().all(|item| self.accept_item(item));
                ok.then(|| value.clone())
            }
            (Kind::Ints { .. }, Value::Int(_)) => self.accept(&Value::List(vec![value.clone()])),
            (Kind::IntsOr { words, .. }, Value::Text(text)) => words.contains(&text.as_str()).then(|| value.clone()),
            (Kind::IntsOr { words, .. }, Value::List(items)) if items.len() == 1 => match &items[0] {
                Value::Text(text) => words.contains(&text.as_str()).then(|| items[0].clone()),
                _ => self.as_ints().accept(value),
            },
            (Kind::IntsOr { .. }, _) => self.as_ints().accept(value),
            (Kind::Counts { min, max }, Value::Int(v)) => (min..=max).contains(&v).then(|| value.clone()),
            (Kind::Counts { .. }, Value::List(items)) => {
                (!items.is_empty() && items.iter().all(|item| self.accept_item(item))).then(|| value.clone())
            }
            (Kind::Bools, Value::Bool(_)) => Some(Value::List(vec![value.clone()])),
            (Kind::Bools, Value::List(items)) => {
                items.iter().all(|item| matches!(item, Value::Bool(_))).then(|| value.clone())
            }
            (Kind::Quantity(_), Value::Int(v)) => (*v >= 0).then_some(Value::Float(*v as f64)),
            (Kind::Quantity(_), Value::Float(v)) => (0.0..=QUANTITY_MAX).contains(v).then(|| value.clone()),
            (Kind::Quantity(quantity), Value::Text(text)) => quantity.parse("", text).ok().map(Value::Float),
            _ => None,
        }
    }

    fn accept_item(&self, item: &Value) -> bool {
        match (self, item) {
            (Kind::Ints { min, max, .. } | Kind::Counts { min, max }, Value::Int(v)) => (min..=max).contains(&v),
            _ => false,
        }
    }

    fn as_ints(&self) -> Kind {
        match *self {
            Kind::IntsOr { min, max, least, .. } => Kind::Ints { min, max, least, most: usize::MAX },
            other => other,
        }
    }

    fn fault(&self, place: String, value: &Value) -> Fault {
        if let (Kind::Quantity(quantity), Value::Text(text)) = (self, value)
            && let Err(mut faults) = quantity.parse(&place, text)
        {
            return faults.0.remove(0);
        }
        if let Kind::Rows { columns } = self
            && let Err(wrong) = rows::read(columns, value)
        {
            return Fault::new(&codes::BAD_VALUE, place + &wrong.inside, wrong.expected, wrong.got);
        }
        let fault = Fault::new(&codes::BAD_VALUE, place, self.expected(), value);
        match (self, value) {
            (Kind::Choice(words), Value::Text(text)) => match nearest(text, words.iter().copied()) {
                Some(near) => fault.hint(format!("did you mean \"{near}\"?")),
                None => fault,
            },
            _ => fault,
        }
    }
}

/// ">= 2", or "> 0" for [`ABOVE_ZERO`].
fn least(min: f64) -> String {
    if min == ABOVE_ZERO { "> 0".into() } else { format!(">= {min}") }
}

/// `torus(*dims, wrap=true, p=1)`.
pub fn signature(name: &str, params: &[Param]) -> String {
    let mut parts = Vec::new();
    let mut starred = false;
    for param in params {
        if param.keyword_only && !starred {
            starred = params.iter().any(|p| p.variadic);
        }
        parts.push(match param.default {
            _ if param.variadic => format!("*{}", param.name),
            None => param.name.to_string(),
            Some("") => format!("{}=None", param.name),
            Some(default) => format!("{}={default}", param.name),
        });
    }
    format!("{name}({})", parts.join(", "))
}

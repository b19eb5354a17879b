//! Rows and registries. Everything that a user calls by name is a row of a registry.
//!
//! To add a registry: define the content of a row (a function type, or a struct of functions and facts), list the rows
//! in one static, and add that static to the list in `netloom-py/src/registry.rs`, from which come `_core.catalogue`,
//! `_core.canonical`, the docs table and the contract tests.
//!
//! ```
//! use netloom_model::{Bound, Call, Kind, Outcome, Param, Registry, Row};
//!
//! type Shape = fn(&Bound) -> Outcome<u64>;
//!
//! const SQUARE: Row<Shape> = Row {
//!     name: "square",
//!     aliases: &[],
//!     summary: "A square.",
//!     params: &[Param::required("side", Kind::Int { min: 1, max: 1000 }, "length of a side")],
//!     example: "square(3)",
//!     restrictions: "",
//!     source: "Euclid, book I",
//!     build: |bound| Ok(u64::from(bound.size("side")).pow(2)),
//! };
//! static SHAPES: Registry<Shape> = Registry { kind: "shapes", what: "shape", rows: &[SQUARE], common: &[] };
//!
//! let (row, bound) = SHAPES.bind(&Call::parse("square(3)")?)?;
//! assert_eq!((row.build)(&bound)?, 9);
//! assert!(SHAPES.find("sqare").unwrap_err().to_string().contains("did you mean \"square\"?"));
//! # Ok::<(), netloom_model::Faults>(())
//! ```

use std::ops::Deref;

use crate::call::Call;
use crate::fault::{Fault, Outcome, codes, nearest};
use crate::param::{Bound, Param};

/// Most names that a hint lists; `netloom list` has them all.
const KNOWN_SHOWN: usize = 30;

/// A thing with a name. `B` is what only this kind of thing has: its constructor, or a struct of functions and facts,
/// whose fields are read as fields of the row.
#[derive(Clone, Copy, Debug)]
pub struct Row<B: 'static> {
    pub name: &'static str,
    /// Other names, among them those that papers and other programs use.
    pub aliases: &'static [&'static str],
    /// One sentence.
    pub summary: &'static str,
    pub params: &'static [Param],
    /// Call text that works.
    pub example: &'static str,
    /// Joint conditions on the arguments and other requirements; "" if none.
    pub restrictions: &'static str,
    /// Paper, section, specification.
    pub source: &'static str,
    pub build: B,
}

impl<B> Row<B> {
    /// The name, then the aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<B> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Reads and checks the arguments of `call`, under the row's registered name: messages and provenance do not depend
    /// on the alias.
    ///
    /// # Errors
    /// As [`Bound::bind`].
    pub fn bind(&self, call: &Call) -> Outcome<Bound> {
        self.bind_with(&[], call)
    }

    /// As [`Row::bind`], with the parameters that every row of its registry takes.
    ///
    /// # Errors
    /// As [`Bound::bind`].
    fn bind_with(&self, common: &[Param], call: &Call) -> Outcome<Bound> {
        let call = Call { name: self.name.into(), ..call.clone() };
        if common.is_empty() {
            return Bound::bind(self.params, &call);
        }
        Bound::bind(&[self.params, common].concat(), &call)
    }

    /// The row without what it builds, for listings.
    pub fn about(&self) -> Row<()> {
        let Row { name, aliases, summary, params, example, restrictions, source, .. } = *self;
        Row { name, aliases, summary, params, example, restrictions, source, build: () }
    }
}

impl<B> Deref for Row<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.build
    }
}

/// An explicit list of rows.
#[derive(Clone, Copy, Debug)]
pub struct Registry<B: 'static> {
    /// Name of the list, in the plural: "topologies".
    pub kind: &'static str,
    /// What one row is, for messages: "topology".
    pub what: &'static str,
    /// In the order of the docs.
    pub rows: &'static [Row<B>],
    /// Parameters that every row takes besides its own, by name.
    pub common: &'static [Param],
}

impl<B> Registry<B> {
    /// The row called `name`, which may be an alias (`_` and `-` mean the same).
    ///
    /// # Errors
    /// `NL-A002` with the nearest name.
    pub fn find(&self, name: &str) -> Outcome<&'static Row<B>> {
        find(self.what, name, self.rows.iter())
    }

    /// Row and arguments of a call.
    ///
    /// # Errors
    /// `NL-A002` for an unknown name, `NL-A003`..`NL-A008` for the arguments.
    pub fn bind(&self, call: &Call) -> Outcome<(&'static Row<B>, Bound)> {
        let row = self.find(&call.name)?;
        Ok((row, row.bind_with(self.common, call)?))
    }
}

/// A registry of any kind, as listings see it.
pub trait Catalogue: Sync {
    /// Name of the list, in the plural.
    fn kind(&self) -> &'static str;
    /// What one row is.
    fn what(&self) -> &'static str;
    /// The rows in the order of the docs.
    fn about(&self) -> Vec<Row<()>>;
    /// Parameters that every row takes besides its own.
    fn common(&self) -> &'static [Param];

    /// The row called `name`.
    ///
    /// # Errors
    /// `NL-A002` with the nearest name.
    fn entry(&self, name: &str) -> Outcome<Row<()>> {
        find(self.what(), name, self.about().iter()).copied()
    }

    /// `call` in full: the row's registered name, every parameter by name. Equal calls have equal forms.
    ///
    /// # Errors
    /// `NL-A002` for an unknown name, `NL-A003`..`NL-A008` for the arguments.
    fn canonical(&self, call: &Call) -> Outcome<Call> {
        Ok(self.entry(&call.name)?.bind_with(self.common(), call)?.canonical())
    }
}

impl<B: Sync> Catalogue for Registry<B> {
    fn kind(&self) -> &'static str {
        self.kind
    }
    fn what(&self) -> &'static str {
        self.what
    }
    fn about(&self) -> Vec<Row<()>> {
        self.rows.iter().map(Row::about).collect()
    }
    fn common(&self) -> &'static [Param] {
        self.common
    }
}

/// The row called `name`, or the fault that names the nearest one.
fn find<'r, B>(what: &str, name: &str, rows: impl Iterator<Item = &'r Row<B>> + Clone) -> Outcome<&'r Row<B>> {
    let same = |other: &str| other.replace('_', "-") == name.replace('_', "-");
    if let Some(row) = rows.clone().find(|row| row.names().any(same)) {
        return Ok(row);
    }
    let hint = match nearest(name, rows.clone().flat_map(Row::names)) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => {
            let mut known: Vec<&str> = rows.map(|row| row.name).collect();
            let rest = if known.len() > KNOWN_SHOWN { ", ..." } else { "" };
            known.truncate(KNOWN_SHOWN);
            format!("known: {}{rest}", known.join(", "))
        }
    };
    Err(Fault::say(&codes::UNKNOWN_NAME, what, format!("no {what} is called \"{name}\"")).hint(hint).into())
}

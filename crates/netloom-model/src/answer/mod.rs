//! The answer of an evaluator: named values with units, and tables. A value that the model does not know is `None`.

mod record;
mod table;

pub use record::{Datum, Field, Record, join};
pub use table::{Column, Table, TableRow, Tabled};

/// The results, without the parts common to every answer of the evaluator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The fields of the record that was found, which are those of the evaluator.
    pub fields: &'static [Field],
    /// One value per field, in their order.
    pub record: Vec<Datum>,
    /// Some of the evaluator's tables.
    pub tables: Vec<Table>,
}

impl Found {
    pub fn new<R: Record>(record: R, tables: Vec<Table>) -> Found {
        Found { fields: R::FIELDS, record: record.values(), tables }
    }
}

/// The answer to a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub evaluator: &'static str,
    /// The model's name and version.
    pub model: &'static str,
    pub version: &'static str,
    /// Assumptions of the model, one sentence each.
    pub assumptions: &'static [&'static str],
    pub fields: &'static [Field],
    pub record: Vec<Datum>,
    pub tables: Vec<Table>,
}

impl Answer {
    /// The value `name`; `None` if the evaluator has no such field.
    pub fn get(&self, name: &str) -> Option<&Datum> {
        self.fields.iter().position(|field| field.name == name).and_then(|at| self.record.get(at))
    }
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.row.name == name)
    }
}

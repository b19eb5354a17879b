//! The answer of an evaluator: named values with units, and tables. A value that the model does not know is `None`.

/// A value's or a column's name, its unit ("" for none) and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub unit: &'static str,
    pub help: &'static str,
}

impl Field {
    pub const fn new(name: &'static str, unit: &'static str, help: &'static str) -> Field {
        Field { name, unit, help }
    }
}

/// One value of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// Unknown to the model: never written as 0.
    Unknown,
    Count(u128),
    Number(f64),
    Text(String),
}

impl From<u32> for Datum {
    fn from(count: u32) -> Self {
        Datum::Count(count.into())
    }
}
impl From<u64> for Datum {
    fn from(count: u64) -> Self {
        Datum::Count(count.into())
    }
}
impl From<u128> for Datum {
    fn from(count: u128) -> Self {
        Datum::Count(count)
    }
}
impl From<f64> for Datum {
    fn from(number: f64) -> Self {
        Datum::Number(number)
    }
}
impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Datum::Text(text.into())
    }
}
impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Self {
        value.map_or(Datum::Unknown, Into::into)
    }
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    U8(Vec<u8>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    F64(Vec<f64>),
    /// Sums that may exceed 64 bits.
    Counts(Vec<u128>),
    Text(Vec<String>),
}

impl Column {
    pub fn len(&self) -> usize {
        match self {
            Column::U8(items) => items.len(),
            Column::U32(items) => items.len(),
            Column::U64(items) => items.len(),
            Column::I64(items) => items.len(),
            Column::F64(items) => items.len(),
            Column::Counts(items) => items.len(),
            Column::Text(items) => items.len(),
        }
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Name and columns of a table that an evaluator gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableRow {
    pub name: &'static str,
    pub help: &'static str,
    pub fields: &'static [Field],
}

/// Columns of equal length, as many as the row names.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub row: &'static TableRow,
    pub columns: Vec<Column>,
}

impl Table {
    pub fn new(row: &'static TableRow, columns: Vec<Column>) -> Table {
        debug_assert_eq!(row.fields.len(), columns.len(), "columns of {}", row.name);
        Table { row, columns }
    }
}

/// The results, without the parts common to every answer of the evaluator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// As many values as the evaluator has fields, in their order.
    pub record: Vec<Datum>,
    /// Some of the evaluator's tables.
    pub tables: Vec<Table>,
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

//! Tables: a struct per row whose fields are also columns with units and meanings, from one list.

use super::Field;

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

impl From<Vec<u8>> for Column {
    fn from(items: Vec<u8>) -> Self {
        Column::U8(items)
    }
}
impl From<Vec<u32>> for Column {
    fn from(items: Vec<u32>) -> Self {
        Column::U32(items)
    }
}
impl From<Vec<u64>> for Column {
    fn from(items: Vec<u64>) -> Self {
        Column::U64(items)
    }
}
impl From<Vec<i64>> for Column {
    fn from(items: Vec<i64>) -> Self {
        Column::I64(items)
    }
}
impl From<Vec<f64>> for Column {
    fn from(items: Vec<f64>) -> Self {
        Column::F64(items)
    }
}
impl From<Vec<u128>> for Column {
    fn from(items: Vec<u128>) -> Self {
        Column::Counts(items)
    }
}
impl From<Vec<String>> for Column {
    fn from(items: Vec<String>) -> Self {
        Column::Text(items)
    }
}

/// Name and columns of a table that an evaluator gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableRow {
    pub name: &'static str,
    pub help: &'static str,
    pub fields: &'static [Field],
}

/// A struct that [`table!`](crate::table) made: one row of a table.
pub trait Tabled: Sized {
    const TABLE: &'static TableRow;

    /// The rows as columns, one per field, in their order.
    fn columns(rows: impl Iterator<Item = Self>) -> Vec<Column>;
}

/// Columns of equal length, as many as the row names.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub row: &'static TableRow,
    pub columns: Vec<Column>,
}

impl Table {
    /// The table of `rows`. O(rows · columns).
    pub fn of<T: Tabled>(rows: impl IntoIterator<Item = T>) -> Table {
        Table { row: T::TABLE, columns: T::columns(rows.into_iter()) }
    }
}

/// A struct that is one row of a table, and the [`TableRow`] that names its columns, from one list: each line is a column with
/// the type of its values, its unit and its meaning.
///
/// ```
/// use netloom_model::{Column, Table};
///
/// netloom_model::table! {
///     /// A rank and what it sends.
///     pub struct Fan: "fans", "one row per rank" {
///         messages: u64, "", "messages that the rank sends";
///     }
/// }
/// let table = Table::of([2, 3].map(|messages| Fan { messages }));
/// assert_eq!(table.row.name, "fans");
/// assert_eq!(table.columns, [Column::U64(vec![2, 3])]);
/// ```
#[macro_export]
macro_rules! table {
    ($(#[$meta:meta])* $vis:vis struct $name:ident: $table:literal, $help:literal {
        $($field:ident: $kind:ty, $unit:literal, $meaning:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $name { $(#[doc = $meaning] pub $field: $kind,)* }

        impl $crate::Tabled for $name {
            const TABLE: &'static $crate::TableRow = &$crate::TableRow {
                name: $table,
                help: $help,
                fields: &[$($crate::Field::new(stringify!($field), $unit, $meaning)),*],
            };

            fn columns(rows: impl Iterator<Item = Self>) -> Vec<$crate::Column> {
                let least = rows.size_hint().0;
                $(let mut $field: Vec<$kind> = Vec::with_capacity(least);)*
                for row in rows {
                    $($field.push(row.$field);)*
                }
                vec![$($field.into()),*]
            }
        }
    };
}

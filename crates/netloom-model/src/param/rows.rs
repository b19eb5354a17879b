//! Rows of a threshold and numbers: values that depend on the size of a message.

use crate::call::Value;

/// Most rows: sizes from 1 byte to 1 EiB in steps of 1.01 need fewer.
pub const MAX_ROWS: usize = 4096;
/// Longest list that a message shows.
const SHOWN: usize = 8;

/// A column after the threshold.
#[derive(Clone, Copy, Debug)]
pub struct RowColumn {
    pub name: &'static str,
    /// Smallest value; [`super::ABOVE_ZERO`] for "> 0".
    pub min: f64,
}

/// A row that counts for sizes above its threshold, up to that of the next row.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeRow {
    pub above_bytes: u64,
    /// One for each column.
    pub values: Vec<f64>,
}

impl SizeRow {
    /// The row that counts for a size: the one with the largest threshold strictly below it.
    #[inline]
    pub fn of(rows: &[SizeRow], size: u64) -> Option<&SizeRow> {
        rows.partition_point(|row| row.above_bytes < size).checked_sub(1).map(|at| &rows[at])
    }

    /// The value of a column; 0 if there is no such column.
    #[inline]
    pub fn value(&self, column: usize) -> f64 {
        self.values.get(column).copied().unwrap_or(0.0)
    }
}

/// Why a value is no list of rows: where inside it, what is expected there, and what was found.
pub(super) struct WrongRow {
    pub inside: String,
    pub expected: String,
    pub got: String,
}

/// `[above_bytes, factor]`.
pub(super) fn form(columns: &[RowColumn]) -> String {
    let names: Vec<&str> = std::iter::once("above_bytes").chain(columns.iter().map(|column| column.name)).collect();
    format!("[{}]", names.join(", "))
}

/// The rows of a value; where there is one column, a number is a row for all sizes.
pub(super) fn read(columns: &[RowColumn], value: &Value) -> Result<Vec<SizeRow>, WrongRow> {
    if let ([column], Some(said)) = (columns, number(value)) {
        if said.is_finite() && said >= column.min {
            return Ok(for_all(said));
        }
        let expected = format!("a finite {} {}", column.name, super::least(column.min));
        return Err(WrongRow { inside: String::new(), expected, got: value.to_string() });
    }
    let Value::List(items) = value else { return Err(no_list(columns, value.to_string())) };
    if items.len() > MAX_ROWS {
        return Err(no_list(columns, format!("a list of {}", items.len())));
    }
    let mut rows: Vec<SizeRow> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let wrong = |expected: String, got: String| WrongRow { inside: format!("[{at}]"), expected, got };
        let cells = match item {
            Value::List(cells) if cells.len() == 1 + columns.len() => cells,
            other => return Err(wrong(format!("a row {}", form(columns)), shown(other))),
        };
        let above_bytes = match &cells[0] {
            Value::Int(above) => u64::try_from(*above).ok(),
            _ => None,
        };
        let Some(above_bytes) = above_bytes else {
            return Err(wrong("an integer >= 0 as threshold in bytes".into(), cells[0].to_string()));
        };
        let mut values = Vec::with_capacity(columns.len());
        for (column, cell) in columns.iter().zip(&cells[1..]) {
            match number(cell).filter(|number| number.is_finite() && *number >= column.min) {
                Some(number) => values.push(number),
                None => {
                    let expected = format!("a finite {} {}", column.name, super::least(column.min));
                    return Err(wrong(expected, cell.to_string()));
                }
            }
        }
        if let Some(last) = rows.last().filter(|last| last.above_bytes >= above_bytes) {
            let expected = format!("above the threshold before it ({})", last.above_bytes);
            return Err(wrong(expected, above_bytes.to_string()));
        }
        rows.push(SizeRow { above_bytes, values });
    }
    Ok(rows)
}

/// The rows of a value that [`read`] has accepted.
pub(super) fn accepted(value: &Value) -> Vec<SizeRow> {
    let Value::List(items) = value else { return number(value).map_or_else(Vec::new, for_all) };
    let row = |item: &Value| {
        let Value::List(cells) = item else { return None };
        let (Value::Int(above), values) = cells.split_first()? else { return None };
        Some(SizeRow { above_bytes: u64::try_from(*above).ok()?, values: values.iter().filter_map(number).collect() })
    };
    items.iter().filter_map(row).collect()
}

fn for_all(value: f64) -> Vec<SizeRow> {
    vec![SizeRow { above_bytes: 0, values: vec![value] }]
}

fn no_list(columns: &[RowColumn], got: String) -> WrongRow {
    let or = if columns.len() == 1 { "a number, or " } else { "" };
    let expected = format!("{or}a list of at most {MAX_ROWS} rows {}", form(columns));
    WrongRow { inside: String::new(), expected, got }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(v) => Some(*v as f64),
        Value::Float(v) => Some(*v),
        _ => None,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::List(items) if items.len() > SHOWN => format!("a list of {}", items.len()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use crate::param::{Bound, Kind, Param};

    const TABLE: &[Param] = &[Param::optional(
        "factors",
        Kind::Rows { columns: &[RowColumn { name: "factor", min: super::super::ABOVE_ZERO }] },
        "[]",
        "",
    )];

    fn bind(text: &str) -> Result<Vec<SizeRow>, String> {
        let bound = Bound::bind(TABLE, &Call::parse(text).unwrap());
        bound.map(|bound| bound.rows("factors")).map_err(|faults| faults.to_string())
    }

    #[test]
    fn rows_are_read_in_order_of_their_thresholds() {
        let rows = bind("x(factors=[[0,1.5],[4096,2]])").unwrap();
        assert_eq!(rows[1], SizeRow { above_bytes: 4096, values: vec![2.0] });
        assert!(bind("x()").unwrap().is_empty());
        assert_eq!(bind("x(factors=2)").unwrap(), [SizeRow { above_bytes: 0, values: vec![2.0] }]);
    }

    #[test]
    fn the_message_names_the_row() {
        for (text, says) in [
            ("x(factors=many)", "a number, or a list of at most 4096 rows [above_bytes, factor]"),
            ("x(factors=-3)", "a finite factor > 0"),
            ("x(factors=[[0,1.0],[0,2.0]])", "factors[1] must be above the threshold before it (0)"),
            ("x(factors=[[0,0.0]])", "factors[0] must be a finite factor > 0"),
            ("x(factors=[[-1,1.0]])", "an integer >= 0"),
            ("x(factors=[[0]])", "a row [above_bytes, factor]"),
        ] {
            let said = bind(text).unwrap_err();
            assert!(said.contains(says), "{said}");
        }
    }
}

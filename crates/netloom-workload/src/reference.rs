//! `docs/reference/collectives.md`, written from the registry so that it cannot lag behind.

use std::fmt::Write;

use netloom_model::param::signature;
use netloom_model::{Bound, Call, Collective, Outcome};

use crate::collectives::{CollectiveRow, Form, Job};
use crate::patterns::{PATTERNS, PatternRow};
use crate::registry::COLLECTIVES;

const HEAD: &str = "\
# Collectives and traffic patterns

Written from the registry by `cargo run -p netloom-workload --example reference`; a test keeps it up to date.

A collective is written `operation:algorithm`, with parameters in parentheses: `broadcast:chain(segments=16)`. The columns
*steps*, *messages*, *bytes* (largest sum that one rank sends) and *ports* (most messages that one rank sends or receives
in a step) are the closed form for 64 | 100 ranks, root 0 and 1 KiB. *Form*: cyclic schedules are held for one rank.
Every row is proved for all ranks 1 to 65 and all roots. See [schedules](../concepts/schedules.md).
";

/// The whole page. O(rows).
///
/// # Errors
/// Those of an example that does not bind, which the contract test of the registry excludes.
pub fn reference_page() -> Outcome<String> {
    let mut page = HEAD.to_string();
    for &operation in Collective::ALL {
        let _ = write!(page, "\n## {operation}\n\nSize: {}.\n\n", operation.size_meaning());
        page += "| call | what it does | steps | messages | bytes | ports | form | other numbers of ranks |\n";
        page += "|---|---|---|---|---|---|---|---|\n";
        let rows = || COLLECTIVES.rows.iter().filter(|row| row.collective == operation);
        for row in rows() {
            page += &line(row)?;
        }
        page += "\n";
        for row in rows() {
            let needs =
                if row.restrictions.is_empty() { String::new() } else { format!(" Needs: {}.", row.restrictions) };
            let names = row.aliases.iter().map(|a| format!("`{a}`")).collect::<Vec<_>>().join(", ");
            let also = if names.is_empty() { String::new() } else { format!(" Also {names}.") };
            let _ = writeln!(page, "- `{}`: {}.{needs}{also}", row.name, row.source);
        }
    }
    page += "\n## Patterns\n\nTraffic without order; `bytes` is the size of one message.\n\n";
    page += "| call | what it does | ranks | source |\n|---|---|---|---|\n";
    PATTERNS.rows.iter().for_each(|row| page += &pattern_line(row));
    Ok(page)
}

fn line(row: &CollectiveRow) -> Outcome<String> {
    let bound = Bound::bind(row.params, &Call::parse(row.example)?)?;
    let [a, b] = [
        row.closed(&Job::new(row.collective, 64, 0, 1024)?, &bound)?,
        row.closed(&Job::new(row.collective, 100, 0, 1024)?, &bound)?,
    ];
    let form = match row.form {
        Form::Listed => "listed",
        Form::Cyclic => "cyclic",
        Form::ListThenCyclic => "listed, then cyclic",
        Form::CyclicIfPowerOfTwo => "cyclic on 2^k",
        Form::CyclicIfEven => "cyclic if even",
        Form::CyclicByLevels(_) => "cyclic if its levels are",
    };
    Ok(format!(
        "| `{}` | {} | {} \\| {} | {} \\| {} | {} \\| {} | {} \\| {} | {form} | {} |\n",
        signature(row.name, row.params).replace("()", ""),
        row.summary,
        a.steps,
        b.steps,
        a.messages,
        b.messages,
        a.max_bytes_sent,
        b.max_bytes_sent,
        a.max_ports,
        b.max_ports,
        row.npof2,
    ))
}

fn pattern_line(row: &PatternRow) -> String {
    let ranks = if row.restrictions.is_empty() { "any" } else { row.restrictions };
    format!(
        "| `{}` | {} | {ranks} | {} |\n",
        signature(row.name, row.params).replace("()", ""),
        row.summary,
        row.source
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_in_docs_is_this_one() {
        let page = include_str!("../../../docs/reference/collectives.md");
        let message = "run `cargo run -p netloom-workload --example reference > docs/reference/collectives.md`";
        assert!(super::reference_page().unwrap() == page, "{message}");
    }
}

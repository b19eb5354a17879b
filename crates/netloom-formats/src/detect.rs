//! Which format a file has, from its name and its first bytes.

use netloom_model::Row;

use crate::head::Head;
use crate::row::{Format, Held};

/// Endings that do not identify the content: they select a format only for writing, when there is no content yet.
const GENERAL: &[&str] = &["txt"];

/// The format of a file called `name` that begins with `head`, among those that hold an `H`. Content decides; the
/// ending counts only if the content does not identify it. `None` if neither does.
pub fn detect<H: Held>(name: &str, head: &[u8]) -> Option<&'static Row<Format<H>>> {
    let rows = H::formats().rows;
    let found = Head::of(head);
    rows.iter().find(|row| (row.begins)(&found)).or_else(|| {
        let file = name.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
        let ending = |e: &&str| {
            let is = file.strip_suffix(&e.to_ascii_lowercase()).is_some_and(|stem| stem.ends_with('.'));
            is && (head.is_empty() || !GENERAL.contains(e))
        };
        rows.iter().find(|row| row.extensions.iter().any(ending))
    })
}

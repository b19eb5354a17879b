//! A file's beginning as the readers of mappings take it: without comments.

use crate::head::Head;

/// Lines of a file's beginning without what a `#` begins, as the readers take them.
pub fn bare_lines<'h>(head: &'h Head) -> impl Iterator<Item = &'h str> {
    head.lines().map(|line| line.split('#').next().unwrap_or_default().trim_end())
}

/// Words of the first such line.
pub fn bare_words<'h>(head: &'h Head) -> Vec<&'h str> {
    bare_lines(head).next().map(|line| line.split_whitespace().collect()).unwrap_or_default()
}

//! Which format a file has, from its name and its first bytes.

use crate::registry::{FORMATS, FormatRow, Holds};
use crate::{booksim, graph_golf, graphml, node_link, simgrid, slurm, traffic};

/// How much of the beginning is looked at.
const HEAD: usize = 64 * 1024;

/// The network format of a file called `name` that begins with `head`. Content decides; the file's ending only where
/// content is silent. `None` if neither tells.
pub fn detect(name: &str, head: &[u8]) -> Option<&'static FormatRow> {
    let head = String::from_utf8_lossy(&head[..head.len().min(HEAD)]);
    by_content(head.trim_start_matches('\u{feff}')).or_else(|| by_extension(name, Holds::Network))
}

/// The traffic format of a file: content decides where it has a banner, else the ending.
pub fn detect_traffic(name: &str, head: &[u8]) -> Option<&'static FormatRow> {
    if head.starts_with(traffic::npy::MAGIC) {
        return Some(&traffic::npy::ROW);
    }
    if head.starts_with(traffic::matrix_market::BANNER.as_bytes()) {
        return Some(&traffic::matrix_market::ROW);
    }
    by_extension(name, Holds::Traffic)
}

fn by_extension(name: &str, holds: Holds) -> Option<&'static FormatRow> {
    let file = name.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
    let ending = |e: &&str| file.strip_suffix(*e).is_some_and(|stem| stem.ends_with('.'));
    FORMATS.rows.iter().find(|r| r.holds() == holds && r.read.is_some() && r.extensions.iter().any(ending))
}

fn by_content(head: &str) -> Option<&'static FormatRow> {
    let start = head.trim_start();
    if start.starts_with('<') {
        return if has_element(head, "graphml") {
            Some(&graphml::ROW)
        } else if has_element(head, "platform") {
            Some(&simgrid::ROW)
        } else {
            None
        };
    }
    if start.starts_with('{') {
        return Some(&node_link::ROW);
    }
    let line = head.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#'))?;
    let word = line.split_whitespace().next()?;
    if word.to_ascii_lowercase().starts_with("switchname=") {
        return Some(&slurm::ROW);
    }
    if matches!(word, "router" | "node") {
        return Some(&booksim::ROW);
    }
    let numeric = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit() || b == b',');
    let words: Vec<&str> = line.split_whitespace().collect();
    let edge = matches!(words.len(), 2 | 3) && words.iter().take(3).all(|w| numeric(w) || *w == "{}");
    edge.then_some(&graph_golf::ROW)
}

/// True if `<name` or `<prefix:name` opens an element.
fn has_element(head: &str, name: &str) -> bool {
    head.match_indices('<').any(|(i, _)| {
        let rest = &head[i + 1..];
        let word: &str = rest.split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next().unwrap_or_default();
        word.rsplit(':').next() == Some(name)
    })
}

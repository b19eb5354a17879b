//! What the tools print, and what becomes of it.
//!
//! Sources: ibnetdiscover(8), iblinkinfo(8) and their output (infiniband-diags 44.0).

use crate::noted::Fate;

use Fate::{Label, Noted, Used};

/// A word of a tool and its fate.
pub type Field = (&'static str, Fate);

/// Beginnings of lines of `ibnetdiscover`; the three that are not followed by a number are of its option `-g`. A line that
/// begins otherwise is refused.
pub const LINES: &[Field] = &[
    ("vendid=", Label),
    ("devid=", Label),
    ("sysimgguid=", Label),
    ("switchguid=", Label),
    ("caguid=", Label),
    ("rtguid=", Label),
    ("chassisguid=", Label),
    ("Chassis ", Label),
    ("Hostname: ", Label),
    ("Non-Chassis Nodes", Label),
    ("Switch", Used),
    ("Ca", Used),
    // Read as a host, and said so.
    ("Rt", Noted),
    ("[", Used),
];

/// Logical states of a port that is up, as `iblinkinfo` prints them: before `Active` it carries nothing yet. A port that is
/// not up has no cable.
pub const STATES: &[Field] = &[("Active", Used), ("Init", Noted), ("Armed", Noted), ("Down", Noted)];

/// True for a line of `ibnetdiscover` that says nothing of links.
pub fn is_label(line: &str) -> bool {
    line.starts_with('#') || LINES.iter().any(|(start, fate)| *fate == Label && line.starts_with(start))
}

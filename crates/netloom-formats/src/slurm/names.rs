//! Names of switches in the characters that Slurm takes: those of a fabric, such as `MF0;core:MQM8700/U1`, hold others.

use std::collections::HashSet;
use std::fmt::Write as _;

use netloom_model::{Faults, Network};

/// Longest name that is written, in bytes; a number that makes it unique may follow.
const LONGEST: usize = 200;

/// A name for every switch, each once: its own one where Slurm takes it, else with `_` for each run of other characters, and
/// with a number at its end where another switch has that name. O(switches).
pub fn of(network: &Network) -> Vec<String> {
    let own: Vec<String> = (0..network.switches()).map(|s| network.switch_name(s)).collect();
    let mut taken: HashSet<String> = HashSet::with_capacity(own.len());
    // Names that stay come first: no other one takes theirs.
    let mut made: Vec<Option<String>> = own.iter().map(|name| kept(name).filter(|n| taken.insert(n.clone()))).collect();
    for (name, slot) in own.iter().zip(&mut made) {
        if slot.is_none() {
            let plain = plain(name);
            let numbered = (2u32..).map(|number| format!("{plain}-{number}"));
            *slot = std::iter::once(plain.clone()).chain(numbered).find(|n| taken.insert(n.clone()));
        }
    }
    made.into_iter().flatten().collect()
}

/// The name as it is, or with the letter that a number needs in front.
fn kept(name: &str) -> Option<String> {
    let good = !name.is_empty() && name.len() <= LONGEST && name.chars().all(is_plain) && !name.starts_with(['-', '.']);
    good.then(|| if name.starts_with(|c: char| c.is_ascii_digit()) { format!("s{name}") } else { name.to_string() })
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

fn plain(name: &str) -> String {
    let mut made = String::new();
    for c in name.chars() {
        let c = if is_plain(c) { c } else { '_' };
        if c != '_' || !made.ends_with('_') {
            made.push(c);
        }
        if made.len() >= LONGEST {
            break;
        }
    }
    let made = made.trim_matches(['_', '-', '.']);
    let letter = made.starts_with(|c: char| c.is_ascii_alphabetic());
    if letter { made.to_string() } else { format!("s{made}") }
}

/// What became of names, a comment for each that is written otherwise; those of numbers alone are known to get a letter.
pub fn table(network: &Network) -> String {
    let mut out = String::new();
    for (switch, name) in of(network).iter().enumerate() {
        let own = network.switch_name(switch as u32);
        if *name != own && *name != format!("s{own}") {
            let _ = writeln!(out, "# {name} is {}", own.escape_debug());
        }
    }
    if out.is_empty() { out } else { format!("# Names of switches that Slurm does not take:\n{out}") }
}

/// Nodes keep their names, which `slurm.conf` has too.
pub fn of_the_file(mut faults: Faults) -> Faults {
    for fault in &mut faults.0 {
        fault.hint = "rename the node in the network's file: Slurm knows it by that name".into();
    }
    faults
}

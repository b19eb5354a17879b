//! The two ways between bytes and what files hold: [`read`] and [`write`].

use netloom_model::{Call, Catalogue, Fault, Forwarding, Outcome, Row, memory};

use crate::codes;
use crate::detect::detect;
use crate::foreign::{Foreign, foreign};
use crate::registry::FORMATS;
use crate::row::{Format, Held};
use crate::sink::quoted;

/// The format called `name` of files that hold an `H`: of mappings, `slurm` is the file of `srun`, not the topology.
///
/// # Errors
/// `NL-F017` for a format of something else, `NL-A002` with the nearest name.
pub fn find<H: Held>(name: &str) -> Outcome<&'static Row<Format<H>>> {
    H::formats().find(name).map_err(|unknown| match FORMATS.entry(name) {
        Ok(row) => no_direction::<H>(row.name, "does not hold", |_| true).into(),
        Err(_) => unknown,
    })
}

/// Names of the formats of an `H`, as a hint.
fn names<H: Held>(keep: impl Fn(&Format<H>) -> bool) -> String {
    let rows = H::formats().rows.iter();
    format!("use one of {}", rows.filter(|row| keep(row)).map(|row| row.name).collect::<Vec<_>>().join(", "))
}

fn no_direction<H: Held>(name: &str, verb: &str, keep: impl Fn(&Format<H>) -> bool) -> Fault {
    Fault::say(&codes::NO_DIRECTION, name, format!("{verb} {}", H::WHAT)).hint(names(keep))
}

/// Reads an `H`. `place` is the file's name, quoted by every fault; `format` is recognised from name and content if absent.
///
/// # Errors
/// `NL-F016` if nothing is recognised, `NL-F017` for a format that is not read as an `H`, the reader's own faults.
pub fn read<H: Held>(bytes: &[u8], place: &str, format: Option<&Call>, given: H::Given<'_>) -> Outcome<H::Found> {
    let found = match format {
        Some(call) => call.clone(),
        None => Call::bare(recognise::<H>(bytes, place)?.name),
    };
    let row = find::<H>(&found.name)?;
    let Some(read) = row.read else {
        return Err(no_direction::<H>(row.name, "is not read as", |f| f.read.is_some()).into());
    };
    let bound = row.bind(&found)?;
    memory::require(bytes.len() as u64 * H::READ_FACTOR, place, "reading it")?;
    // Where a format is named, what the file is instead is of more use than each of its lines.
    let made =
        read(bytes, place, given, &bound).map_err(|faults| known::<H>(bytes, place).map_or(faults, Into::into))?;
    H::finish(made, place, &bound)
}

/// The fault of a file of another program that is not read, or not as an `H`.
fn known<H: Held>(bytes: &[u8], place: &str) -> Option<Fault> {
    let Foreign { what, read_as, instead, .. } = foreign(bytes)?;
    let sentence = match read_as {
        Some(format) if H::formats().find(format).is_ok() => return None,
        Some(_) => format!("it is {what}, not {}", H::WHAT),
        None => format!("it is {what}, which netloom does not read"),
    };
    Some(Fault::say(&codes::UNKNOWN_FORMAT, place, sentence).hint(*instead))
}

/// The format of a file's bytes, or the fault that says that there are none or which formats there are.
fn recognise<H: Held>(bytes: &[u8], place: &str) -> Outcome<&'static Row<Format<H>>> {
    if let Some(fault) = known::<H>(bytes, place) {
        return Err(fault.into());
    }
    if let Some(row) = detect::<H>(place, bytes) {
        return Ok(row);
    }
    if bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii().is_empty() {
        return Err(Fault::say(&codes::NOTHING, place, "the file is empty").hint("check that it is complete").into());
    }
    let start = quoted(String::from_utf8_lossy(&bytes[..bytes.len().min(40)]));
    let sentence = format!("no format of {} has this ending or begins with {start}", H::WHAT);
    let hint = match detect::<Forwarding>("", bytes) {
        Some(_) => {
            "these are forwarding tables: give the network, and them as --lft or in the routing tables".to_string()
        }
        None => names::<H>(|f| f.read.is_some()),
    };
    Err(Fault::say(&codes::UNKNOWN_FORMAT, place, sentence).hint(hint).into())
}

/// Writes an `H`.
///
/// # Errors
/// `NL-F017` for a format that is not written from an `H`, `NL-F014` for names that the file cannot hold, `NL-F018` where
/// the format has no words for it, `NL-F001` for a file that is too large to be read again, `NL-X011` without the memory.
pub fn write<H: Held>(held: &H, format: &Call, onto: H::Onto<'_>) -> Outcome<H::Written> {
    let row = find::<H>(&format.name)?;
    let Some(write) = row.write else {
        return Err(no_direction::<H>(row.name, "is not written from", |f| f.write.is_some()).into());
    };
    let bound = row.bind(format)?;
    memory::require(held.written_bytes(), row.name, "the file")?;
    write(held, onto, &bound)
}

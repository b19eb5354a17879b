//! Formats by what their files hold, and the two ways: [`read`] and [`write`].
//!
//! To add a format: a file with its reader and its writer, and one row in the list of its kind. To add a kind of format: an
//! implementation of [`Held`] with the list of its rows, and a line in [`FORMATS`].

use netloom_model::param::Bound;
use netloom_model::{Call, Catalogue, Fault, Forwarding, Outcome, Registry, Row, memory};

use crate::codes;
use crate::detect::{Head, detect};
use crate::foreign::foreign;
use crate::sink::quoted;

/// Something that files hold: a network, a mapping, traffic, programs, forwarding tables.
pub trait Held: Sized + 'static {
    /// What a reader needs in addition to the bytes: the network of a mapping, the other files of a trace, or nothing.
    type Given<'g>: Copy;
    /// What a writer needs in addition to the thing itself.
    type Onto<'g>: Copy;
    /// What a reader gives.
    type Found;
    /// What a writer gives: the bytes of a file, or several files.
    type Written;
    /// For messages: "a network".
    const WHAT: &'static str;

    /// Its formats. Where a file could be of several, the first that recognises it is taken.
    fn formats() -> &'static Registry<Format<Self>>;

    /// Bytes of memory that a reader takes for each byte of a file, at most; 0 where that is little.
    const READ_FACTOR: u64 = 0;
    /// Bytes of memory that a file of it takes while it is written, about; 0 where that is little.
    fn written_bytes(&self) -> u64 {
        0
    }

    /// Applies parameters that all formats of this kind share.
    ///
    /// # Errors
    /// What the kind says.
    fn finish(found: Self::Found, _place: &str, _bound: &Bound) -> Outcome<Self::Found> {
        Ok(found)
    }
}

/// From bytes, with the file's name for messages.
pub type Reader<H> = for<'g> fn(&[u8], &str, <H as Held>::Given<'g>, &Bound) -> Outcome<<H as Held>::Found>;
/// To bytes.
pub type Writer<H> = for<'g> fn(&H, <H as Held>::Onto<'g>, &Bound) -> Outcome<<H as Held>::Written>;

/// What a format's row builds. Its parameters are those of the reader and the writer together; its restrictions say what
/// it cannot hold, or how it is read.
pub struct Format<H: Held> {
    /// File name endings without the dot; the first is what a writer's file gets.
    pub extensions: &'static [&'static str],
    /// True if a file with this beginning is one.
    pub begins: fn(&Head) -> bool,
    pub read: Option<Reader<H>>,
    pub write: Option<Writer<H>>,
}

/// Several lists of rows under one name.
pub struct Kinds(&'static [&'static dyn Catalogue]);

/// All formats by what they hold. A kind is a line here.
pub static FORMATS: Kinds = Kinds(&[
    &crate::network::FORMATS,
    &crate::mapping::FORMATS,
    &crate::traffic::FORMATS,
    &crate::smpi_trace::FORMATS,
    &crate::forwarding::FORMATS,
]);

impl Catalogue for Kinds {
    fn kind(&self) -> &'static str {
        "formats"
    }
    fn what(&self) -> &'static str {
        "format"
    }
    fn about(&self) -> Vec<Row<()>> {
        self.0.iter().flat_map(|kind| kind.about()).collect()
    }
}

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
    let made = read(bytes, place, given, &bound).map_err(|faults| known(bytes, place).map_or(faults, Into::into))?;
    H::finish(made, place, &bound)
}

/// The fault of a file of another program that is not read.
fn known(bytes: &[u8], place: &str) -> Option<Fault> {
    let (what, instead) = foreign(bytes)?;
    let sentence = format!("it is {what}, which netloom does not read");
    Some(Fault::say(&codes::UNKNOWN_FORMAT, place, sentence).hint(instead))
}

/// The format of a file's bytes, or the fault that says that there are none or which formats there are.
fn recognise<H: Held>(bytes: &[u8], place: &str) -> Outcome<&'static Row<Format<H>>> {
    if let Some(fault) = known(bytes, place) {
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

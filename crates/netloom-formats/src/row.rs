//! What a format has: how its files begin and end, a reader, a writer.
//!
//! To add a kind of format: an implementation of [`Held`] with the list of its rows, and a line in
//! [`FORMATS`](crate::registry::FORMATS).

use netloom_model::{Bound, Outcome, Registry};

use crate::head::Head;

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
    /// What a value is, for messages: "a network".
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

/// Makes a value from bytes, with the file's name for messages.
pub type Reader<H> = for<'g> fn(&[u8], &str, <H as Held>::Given<'g>, &Bound) -> Outcome<<H as Held>::Found>;
/// Makes bytes from a value.
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

//! The list of formats, by what their files hold.
//!
//! To add a format: a file with its reader and its writer, and one row in the list of its kind.

use netloom_model::{Catalogue, Param, Row};

/// Several lists of rows under one name.
pub struct Kinds(&'static [&'static dyn Catalogue]);

/// All formats by what they hold. A kind is a line here.
pub static FORMATS: Kinds = Kinds(&[
    &crate::network::FORMATS,
    &crate::mapping::FORMATS,
    &crate::traffic::FORMATS,
    &crate::programs::FORMATS,
    &crate::forwarding::FORMATS,
]);

impl Catalogue for Kinds {
    fn common(&self) -> &'static [Param] {
        &[]
    }
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

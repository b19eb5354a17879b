//! Artefacts: one file per format, reader and writer together.

//! The beginning of a file, from which its format is recognised.

use std::borrow::Cow;

/// Bytes of the beginning that are examined.
const HEAD: usize = 64 * 1024;

/// The beginning of a file.
pub struct Head<'f> {
    pub bytes: &'f [u8],
    /// The bytes as text, without a byte order mark. The last line may be cut.
    pub text: Cow<'f, str>,
}

impl Head<'_> {
    pub fn of(bytes: &[u8]) -> Head<'_> {
        let bytes = &bytes[..bytes.len().min(HEAD)];
        Head { bytes, text: String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) }
    }

    /// Lines that are neither empty nor comments, trimmed.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
    }
    /// Words of the first such line; none in an empty file.
    pub fn first_words(&self) -> Vec<&str> {
        self.lines().next().map(|line| line.split_whitespace().collect()).unwrap_or_default()
    }
    /// True for XML in which `<name` or `<prefix:name` opens an element.
    pub fn has_element(&self, name: &str) -> bool {
        self.text.trim_start().starts_with('<')
            && self.text.match_indices('<').any(|(i, _)| {
                let rest = self.text[i + 1..].split(|c: char| c.is_whitespace() || matches!(c, '>' | '/'));
                rest.take(1).any(|word| word.rsplit(':').next() == Some(name))
            })
    }
}

/// True if a word is a number without a sign.
pub(crate) fn digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

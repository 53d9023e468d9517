//! The first look at a file a person gave: is it text at all, and where does it go wrong?
//!
//! Invariant: text that leaves here is UTF-8 without BOM, has `\n` as its only line end, holds no
//! control character but tab and line feed, and is not blank. Absent: what the text means.

/// The largest file that is read, in bytes.
pub(super) const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Why a file is no text that could be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The file is larger than 32 MiB.
    #[error("the file has {bytes} bytes, the limit is {MAX_BYTES}; split it or give the text only")]
    TooLarge {
        /// Size of the file in bytes.
        bytes: usize,
    },
    /// Nothing but white space.
    #[error("the file is empty; give a file with text")]
    Blank,
    /// A byte that no UTF-8 text can hold.
    #[error("line {line}: not UTF-8 at byte {offset}; save the file as UTF-8")]
    NotUtf8 {
        /// Line, from 1.
        line: usize,
        /// Offset in the file, in bytes from 0.
        offset: usize,
    },
    /// A NUL byte, which only binary files hold.
    #[error("line {line}: the file holds a NUL byte; give a text file, not a binary or UTF-16 one")]
    Nul {
        /// Line, from 1.
        line: usize,
    },
    /// A control character other than tab and line end.
    #[error("line {line}, column {column}: control character U+{code:04X}; remove it")]
    Control {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The character's code point.
        code: u32,
    },
}

/// A file's bytes as text: without BOM, with `\n` as line end.
///
/// # Errors
/// [`SourceError`] names the first place that is no text.
pub(super) fn text(bytes: &[u8]) -> Result<String, SourceError> {
    if bytes.len() > MAX_BYTES {
        return Err(SourceError::TooLarge { bytes: bytes.len() });
    }
    if let Some(nul) = bytes.iter().position(|byte| *byte == 0) {
        return Err(SourceError::Nul { line: line_at(bytes, nul) });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        SourceError::NotUtf8 { line: line_at(bytes, offset), offset }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if text.trim().is_empty() {
        return Err(SourceError::Blank);
    }
    match text.char_indices().find(|(_, c)| c.is_control() && !matches!(c, '\n' | '\t')) {
        None => Ok(text),
        Some((offset, c)) => {
            let (line, column) = place(&text, offset);
            Err(SourceError::Control { line, column, code: u32::from(c) })
        }
    }
}

/// Line and column, both from 1, of a byte offset; the column counts characters.
pub(super) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

/// The file's extension in lower case, without the dot; empty when it has none.
pub(super) fn extension(file_name: &str) -> String {
    file_name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).unwrap_or_default()
}

fn line_at(bytes: &[u8], offset: usize) -> usize {
    bytes.iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Result<&str, &str>) {
        let found = text(bytes).map_err(|error| error.to_string());
        assert_eq!(found.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn a_bom_and_foreign_line_ends_are_taken_away() {
        check("\u{feff}one\r\ntwo\rthree\n".as_bytes(), Ok("one\ntwo\nthree\n"));
    }

    #[test]
    fn each_refusal_names_its_place_and_what_to_do() {
        check(b"", Err("the file is empty; give a file with text"));
        check("\u{feff} \n\t".as_bytes(), Err("the file is empty; give a file with text"));
        check(
            b"a\nb\0",
            Err("line 2: the file holds a NUL byte; give a text file, not a binary or UTF-16 one"),
        );
        check(b"ab\ncd\xff", Err("line 2: not UTF-8 at byte 5; save the file as UTF-8"));
        check(
            "é\u{1b}[0m".as_bytes(),
            Err("line 1, column 2: control character U+001B; remove it"),
        );
    }

    #[test]
    fn a_file_over_the_limit_is_not_read() {
        let size = MAX_BYTES + 1;
        let found = text(&vec![b'a'; size]);
        assert_eq!(found, Err(SourceError::TooLarge { bytes: size }));
    }
}

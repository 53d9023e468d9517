//! Which names a file of a bundle may have.
//!
//! Invariant: a good name is one file in the folder it is put in, on Linux, macOS and Windows, and no program's option.
//! Absent here: what a language wants of its file names.

use super::super::alike::is_unseen;
use unicode_normalization::UnicodeNormalization;

/// The longest name, in bytes.
pub const LONGEST_NAME: usize = 200;

/// Slashes and backslashes, and those that look like them in every font.
const SEPARATORS: [char; 8] =
    ['/', '\\', '\u{2044}', '\u{2215}', '\u{2216}', '\u{29f5}', '\u{29f8}', '\u{29f9}'];

/// What is wrong with a name, as the end of a sentence that begins with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// There is none.
    #[error("is empty; write the name of the file")]
    Empty,
    /// It is longer than [`LONGEST_NAME`].
    #[error("has {bytes} bytes; write one of at most {LONGEST_NAME}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// It has a control character or one that is not seen.
    #[error("has U+{code:04X} in it, which is not seen; write it without")]
    Unseen {
        /// The character.
        code: u32,
    },
    /// It has a slash, a backslash or what looks like one.
    #[error("has a path separator in it; write the name alone")]
    Separator,
    /// It has two dots in a row.
    #[error("has `..` in it; write it with single dots")]
    Parent,
    /// It has a sign that Windows forbids.
    #[error("has `{sign}` in it, which not every system allows; write it without")]
    Sign {
        /// The sign, in its plain form.
        sign: char,
    },
    /// It begins with a dot or a hyphen.
    #[error("begins with `{sign}`; begin it with a letter")]
    Begins {
        /// The dot or the hyphen.
        sign: char,
    },
    /// It ends with a dot or a blank.
    #[error("ends with a dot or a blank; end it with its extension")]
    Ends,
    /// It is a device's on Windows.
    #[error("is the name of a device on Windows; take another")]
    Device,
    /// It has another extension than the profile's files, or nothing before it.
    #[error("is not a name with the extension `.{wanted}`; write one")]
    Extension {
        /// The extension, without its dot.
        wanted: String,
    },
}

/// Whether a file may have this name. The extension is given with or without its dot, and its case counts.
///
/// # Errors
/// [`NameFault`]: the first thing that is wrong.
pub fn check_name(name: &str, extension: &str) -> Result<(), NameFault> {
    // Some systems read compatibility forms as the plain ones.
    let plain: String = name.chars().take(LONGEST_NAME).nfkc().collect();
    let wanted = extension.trim_start_matches('.');
    if name.is_empty() {
        Err(NameFault::Empty)
    } else if name.len() > LONGEST_NAME {
        Err(NameFault::TooLong { bytes: name.len() })
    } else if let Some(c) = name.chars().find(|c| is_unseen(*c)) {
        Err(NameFault::Unseen { code: u32::from(c) })
    } else if plain.contains(SEPARATORS) {
        Err(NameFault::Separator)
    } else if plain.contains("..") {
        Err(NameFault::Parent)
    } else if let Some(sign) = plain.chars().find(|c| "<>:\"|?*".contains(*c)) {
        Err(NameFault::Sign { sign })
    } else {
        check_ends(&plain)?;
        let stem = name.strip_suffix(wanted).and_then(|stem| stem.strip_suffix('.'));
        match stem.is_some_and(|stem| !stem.is_empty()) {
            true => Ok(()),
            false => Err(NameFault::Extension { wanted: wanted.to_owned() }),
        }
    }
}

fn check_ends(plain: &str) -> Result<(), NameFault> {
    let sign = plain.chars().next().filter(|c| ['.', '-'].contains(c));
    if let Some(sign) = sign {
        return Err(NameFault::Begins { sign });
    }
    let stem = plain.split('.').next().unwrap_or_default();
    let blank = |c: char| c == '.' || c.is_whitespace();
    if plain.ends_with(blank) || plain.starts_with(char::is_whitespace) {
        Err(NameFault::Ends)
    } else if is_device(stem.trim()) {
        Err(NameFault::Device)
    } else {
        Ok(())
    }
}

/// Whether Windows takes this for a device, whatever extension follows.
fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_uppercase();
    let numbered = ["COM", "LPT"].iter().find_map(|device| stem.strip_prefix(device));
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(&stem.as_str())
        || numbered.is_some_and(|nth| nth.len() == 1 && nth.bytes().all(|b| b.is_ascii_digit()))
}

/// What two names have in common that are one file on some system: their letters without case, and in one normal form.
pub fn twin(name: &str) -> String {
    // Upper case first: `ß` and `SS`, `ſ` and `S` are one there.
    let upper: String = name.nfkd().flat_map(char::to_uppercase).collect();
    upper.chars().flat_map(char::to_lowercase).nfkd().collect()
}

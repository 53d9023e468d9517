//! Texts that a command is given: as they are, from a file or from stdin.
//!
//! Invariant: what cannot be read is refused with the file it stands in.
//! Absent here: what they are for.

use crate::exit::{Code, Failure};
use std::{
    io::{ErrorKind, Read},
    path::Path,
};

/// The longest text that is read from a file or from stdin, in bytes.
const LONGEST: u64 = 16 << 20;

/// A text as it was given, that of the file behind an `@`, or for `-` all of stdin.
pub(crate) fn given_or_stdin(option: &str, text_or_file: &str) -> Result<String, Failure> {
    match text_or_file {
        "-" => text("stdin", std::io::stdin()),
        text_or_file => given(option, text_or_file),
    }
}

/// A text as it was given, or that of the file behind an `@`.
pub(crate) fn given(option: &str, text_or_file: &str) -> Result<String, Failure> {
    let Some(path) = text_or_file.strip_prefix('@') else { return Ok(text_or_file.to_owned()) };
    if path.is_empty() {
        return Err(Failure::usage(format!("{option}: no file is named behind the @"))
            .help("write it directly behind: @FILE"));
    }
    let name = format!("{option}: {path}");
    let file = std::fs::File::open(path)
        .map_err(|error| Failure::in_file(Code::Usage, Path::new(&name), &error))?;
    text(&name, file)
}

fn text(name: &str, from: impl Read) -> Result<String, Failure> {
    let mut text = String::new();
    let read = from.take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|error| {
        let failure = Failure::in_file(Code::Usage, Path::new(name), &error);
        if error.kind() == ErrorKind::InvalidData {
            return failure.help("texts are UTF-8: save it as that, or convert it with iconv");
        }
        failure
    })?;
    if text.len() as u64 > LONGEST {
        return Err(Failure::usage(format!("{name}: longer than {LONGEST} bytes")));
    }
    Ok(text)
}

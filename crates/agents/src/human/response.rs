//! A person's response file, read with care.
//!
//! Invariant: it is only ever read. What cannot be used is explained and can be put right in place.
//! Absent here: what the words mean.

use std::{
    fs::{self, File, Metadata},
    io::{self, ErrorKind, Read},
    path::Path,
};

/// The most bytes of a response; far beyond what anybody types.
const MOST: u64 = 4 << 20;

/// What stands in a response file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Response {
    /// Nothing yet: no file, or no words in it.
    Missing,
    /// Something that cannot be used, and why.
    Unusable(String),
    /// The words, with line ends as `\n` and without a byte order mark.
    Words(String),
}

pub(super) fn read(path: &Path) -> Response {
    match bytes(path) {
        Ok(Ok(bytes)) => words(bytes),
        Ok(Err(why)) => Response::Unusable(why),
        Err(error) if error.kind() == ErrorKind::NotFound => Response::Missing,
        Err(error) => Response::Unusable(format!("it cannot be read: {error}")),
    }
}

fn bytes(path: &Path) -> io::Result<Result<Vec<u8>, String>> {
    let before = fs::symlink_metadata(path)?;
    if before.is_symlink() {
        return Ok(Err("it is a link; the text itself has to stand there".to_owned()));
    }
    // Anything else could block for ever when it is opened.
    if !before.is_file() {
        return Ok(Err("it is not a file".to_owned()));
    }
    if before.len() > MOST {
        return Ok(Err(format!("it has {} bytes, and at most {MOST} are read", before.len())));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    let after = fs::symlink_metadata(path)?;
    if is_changed(&before, &after) || bytes.len() as u64 != after.len() {
        return Ok(Err("it is being written just now".to_owned()));
    }
    Ok(Ok(bytes))
}

fn is_changed(before: &Metadata, after: &Metadata) -> bool {
    before.len() != after.len() || before.modified().ok() != after.modified().ok()
}

fn words(bytes: Vec<u8>) -> Response {
    match String::from_utf8(bytes) {
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Response::Unusable(format!("it is not UTF-8: byte {at} does not belong to a character"))
        }
        Ok(text) => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
            if text.trim().is_empty() { Response::Missing } else { Response::Words(text) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read where these bytes stand.
    fn read_bytes(bytes: &[u8]) -> Response {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.response.md");
        fs::write(&path, bytes).unwrap();
        let response = read(&path);
        assert_eq!(fs::read(&path).unwrap(), bytes, "it is only ever read");
        response
    }

    fn why(response: &Response) -> &str {
        match response {
            Response::Unusable(why) => why,
            Response::Missing | Response::Words(_) => panic!("{response:?}"),
        }
    }

    #[test]
    fn a_file_without_words_is_no_response_yet() {
        for bytes in ["", " \r\n\t\n", "\u{feff}\n"] {
            assert_eq!(read_bytes(bytes.as_bytes()), Response::Missing, "{bytes:?}");
        }
        assert_eq!(read(Path::new("/no/such/file")), Response::Missing);
    }

    #[test]
    fn words_come_with_plain_line_ends_and_without_a_mark() {
        let response = read_bytes("\u{feff}# Title\r\n\r\nText \u{feff}\n".as_bytes());
        assert_eq!(response, Response::Words("# Title\n\nText \u{feff}\n".into()));
    }

    #[test]
    fn what_is_not_text_or_too_long_is_explained() {
        assert!(why(&read_bytes(b"abc\xff")).contains("byte 3"));
        let most = usize::try_from(MOST).unwrap();
        assert!(why(&read_bytes(&vec![b'a'; most + 1])).contains("4194305 bytes"));
        assert!(matches!(read_bytes(&vec![b'a'; most]), Response::Words(_)));
    }

    #[cfg(unix)]
    #[test]
    fn links_folders_and_pipes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (secret, link) = (folder.path().join("secret"), folder.path().join("link"));
        fs::write(&secret, "key").unwrap();
        std::os::unix::fs::symlink(&secret, &link).unwrap();
        assert!(why(&read(&link)).contains("is a link"));
        assert!(why(&read(folder.path())).contains("is not a file"));
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(why(&read(&pipe)).contains("is not a file"));
    }
}

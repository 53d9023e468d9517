//! What the headers of a model's diff name, read before git reads them.
//!
//! Git strips what makes some paths dangerous and goes on; a model that names such a path is to be told.
//!
//! Invariant: a line of a hunk is taken for no header.
//! Absent here: what the diff makes of the files; git says that, and it is looked at again.

use super::{
    changes::check_mode,
    hunks::begins_file,
    protected::{Protected, Refusal, check_form, shown},
};

/// The first steps that diffs put before paths; git itself writes the first two, or the others by its configuration.
const PREFIXES: [&[u8]; 6] = [b"a/", b"b/", b"i/", b"w/", b"c/", b"o/"];

/// Whether everything that the headers name may be touched.
pub(super) fn check(diff: &str, rules: &Protected) -> Result<(), Refusal> {
    let mut last = b"the diff".to_vec();
    for header in headers(diff) {
        match header {
            Header::Sides(names) => {
                for name in names.iter().flatten() {
                    check_form(name)?;
                    last = split(name).1.to_vec();
                    rules.path(&last)?;
                }
            }
            Header::Moved(name) => {
                rules.path(&name)?;
                last = name;
            }
            Header::Mode(mode) => check_mode(mode, &last)?,
            Header::Binary => return Err(Refusal::Binary { path: shown(&last) }),
            Header::Begin(names) => last = names.as_bytes().to_vec(),
        }
    }
    Ok(())
}

/// Whether all paths begin with the step that git puts before them, and takes away again.
pub(super) fn are_prefixed(diff: &str) -> bool {
    headers(diff).all(|header| match header {
        Header::Sides([Some(old), Some(new)]) => {
            let (old, new) = (split(&old).0, split(&new).0);
            old.is_some() && new.is_some() && old != new
        }
        Header::Sides(names) => names.iter().flatten().all(|name| split(name).0.is_some()),
        Header::Moved(_) | Header::Mode(_) | Header::Binary | Header::Begin(_) => true,
    })
}

/// Whether some file is new. Where it would be made cannot be told from what is there.
pub(super) fn makes_files(diff: &str) -> bool {
    headers(diff).any(|header| matches!(header, Header::Sides([None, Some(_)])))
}

/// The diff with a carriage return at the end of each line of a hunk: for files whose lines end so, by a model that
/// did not see it. `None` where there are some already.
pub(super) fn with_returns(diff: &str) -> Option<String> {
    if diff.contains('\r') {
        return None;
    }
    let mut in_hunk = false;
    let all: Vec<&str> = diff.lines().collect();
    let lines = all.iter().enumerate().map(|(at, line)| {
        in_hunk = !begins_file(&all, at) && (in_hunk || line.starts_with("@@ "));
        let of_file = in_hunk && !line.starts_with("@@ ") && !line.starts_with('\\');
        if of_file { format!("{line}\r\n") } else { format!("{line}\n") }
    });
    Some(lines.collect())
}

/// One thing that a header says.
enum Header<'a> {
    /// The names after `diff --git`, which blanks make ambiguous.
    Begin(&'a str),
    /// The paths after `---` and `+++`.
    Sides([Option<Vec<u8>>; 2]),
    /// A path of a rename or copy.
    Moved(Vec<u8>),
    Mode(&'a str),
    Binary,
}

fn headers(diff: &str) -> impl Iterator<Item = Header<'_>> {
    let lines: Vec<&str> = diff.lines().collect();
    (0..lines.len()).filter_map(move |at| {
        let old = lines[at].strip_prefix("--- ").filter(|_| begins_file(&lines, at));
        match old {
            Some(old) => {
                let new = lines[at + 1].strip_prefix("+++ ");
                Some(Header::Sides([name(old), new.and_then(name)]))
            }
            None => extended(lines[at]),
        }
    })
}

/// Lines that begin with a word: no line of a hunk does.
fn extended(line: &str) -> Option<Header<'_>> {
    if let Some(names) = line.strip_prefix("diff --git ") {
        return Some(Header::Begin(names));
    }
    if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
        return Some(Header::Binary);
    }
    let moved = ["rename from ", "rename to ", "copy from ", "copy to "];
    if let Some(rest) = moved.iter().find_map(|word| line.strip_prefix(word)) {
        return name(rest).map(Header::Moved);
    }
    let modes = ["new file mode ", "deleted file mode ", "old mode ", "new mode "];
    let mode = modes.iter().find_map(|word| line.strip_prefix(word));
    let index = || line.strip_prefix("index ")?.split_once(' ').map(|(_, mode)| mode);
    mode.or_else(index).map(|mode| Header::Mode(mode.trim()))
}

/// The path that a header names; `None` for no file.
fn name(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches(['\r', ' ']);
    match text.strip_prefix('"') {
        Some(quoted) => Some(unquoted(quoted)),
        None => {
            let text = text.split('\t').next().unwrap_or_default();
            (text != "/dev/null").then(|| text.as_bytes().to_vec())
        }
    }
}

/// The bytes of a name in git's quotes, up to the one that ends it.
fn unquoted(text: &str) -> Vec<u8> {
    let (mut bytes, mut name) = (text.bytes().peekable(), Vec::new());
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => match bytes.next() {
                Some(digit @ b'0'..=b'7') => {
                    let mut value = u32::from(digit - b'0');
                    while let Some(digit) = bytes.next_if(|next| matches!(next, b'0'..=b'7')) {
                        value = value * 8 % 4096 + u32::from(digit - b'0');
                    }
                    name.push(u8::try_from(value % 256).unwrap_or_default());
                }
                Some(letter) => name.push(plain(letter)),
                None => {}
            },
            byte => name.push(byte),
        }
    }
    name
}

fn plain(letter: u8) -> u8 {
    match letter {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        other => other,
    }
}

/// The step that stands before a path, and the path.
fn split(name: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let prefix = PREFIXES.iter().find(|prefix| name.starts_with(prefix));
    prefix.map_or((None, name), |prefix| (Some(*prefix), &name[prefix.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(diff: &str) -> String {
        let rules = Protected::new(&["secret".to_owned()]).unwrap();
        check(diff, &rules).map_or_else(|refusal| refusal.to_string(), |()| "fine".to_owned())
    }

    fn sides(old: &str, new: &str) -> String {
        format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n")
    }

    #[test]
    fn what_a_header_names_is_refused_by_its_name() {
        for (diff, path) in [
            (sides("a/x", "b/../outside"), "b/../outside"),
            (sides("/dev/null", "/etc/passwd"), "/etc/passwd"),
            (sides("a/x", "\"b/\\056git/x\""), "b/.git/x"),
            (sides("a/secret", "b/secret"), "secret"),
            ("rename from a\nrename to d/secret\n".to_owned(), "d/secret"),
            ("copy from secret\ncopy to a\n".to_owned(), "secret"),
        ] {
            let refusal = refusal(&diff);
            assert!(refusal.starts_with(&format!("{path}: ")), "{refusal}");
        }
        assert!(refusal("diff --git a/x b/x\nnew file mode 100777\n").contains("100777"));
        assert!(refusal("diff --git a/x b/x\nnew file mode 160000\n").contains("submodules"));
        assert!(refusal("diff --git a/x b/x\nGIT binary patch\n").contains("binary"));
    }

    #[test]
    fn lines_of_hunks_are_no_headers() {
        let hunk =
            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n--- /etc/x\n+rename from secret\n++++ /etc/y\n z\n";
        assert_eq!(refusal(hunk), "fine");
    }

    #[test]
    fn prefixes_are_told_from_folders() {
        assert!(are_prefixed(&sides("a/x", "b/x")) && are_prefixed(&sides("/dev/null", "b/x")));
        assert!(!are_prefixed(&sides("src/x", "src/x")));
        assert!(!are_prefixed(&sides("a/x", "a/x")), "a folder of that name");
    }

    #[test]
    fn returns_are_given_to_lines_of_hunks_alone() {
        let diff = sides("a/x", "b/x");
        let returned = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n";
        assert_eq!(with_returns(&diff).as_deref(), Some(returned));
        assert_eq!(with_returns(returned), None);
    }
}

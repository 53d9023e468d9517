//! Printing: data to stdout, talk to stderr, and nothing untrusted to the terminal as it came.
//!
//! Invariant: control and bidirectional characters never reach a terminal, whoever wrote them; data that stdout did not
//! take is remembered, unless its reader has gone away.
//! Absent here: what is said.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use crate::exit::{Code, Failure};
use redraft_workflows::{is_hidden, is_joiner, review::best::Best};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::{
    io::{self, BufRead, IsTerminal, Read, Write},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The version of every command's `--json` output.
pub(crate) const SCHEMA_VERSION: u32 = 1;

fn is_kept_from_terminals(c: char) -> bool {
    (is_hidden(c) && c != '\n' && c != '\t') || is_joiner(c)
}

/// The text without control and bidirectional characters; tabs stay. Further lines are set in, so that no
/// text can pass for a line of ours.
pub(crate) fn clean(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !is_kept_from_terminals(*c)).collect();
    // Blank lines pass for nothing, and need no blanks.
    seen.replace('\n', "\n    ").replace("\n    \n", "\n\n").replace("\n    \n", "\n\n")
}

static QUIET: AtomicBool = AtomicBool::new(false);

/// While this lives, lines of data are talk: another command's document goes to stdout.
pub(crate) struct Quiet;

impl Drop for Quiet {
    fn drop(&mut self) {
        QUIET.store(false, Ordering::Relaxed);
    }
}

/// Sends lines of data to stderr until the guard is dropped.
pub(crate) fn quietly() -> Quiet {
    QUIET.store(true, Ordering::Relaxed);
    Quiet
}

/// Why stdout did not take data, the first time.
static LOST: OnceLock<String> = OnceLock::new();

/// Remembers data that was not written. Tells whether anybody reads on.
pub(crate) fn written(result: io::Result<()>) -> bool {
    let Err(error) = result else { return true };
    if error.kind() != io::ErrorKind::BrokenPipe {
        let _ = LOST.set(error.to_string());
    }
    false
}

/// What there is to tell where data was lost. A reader that has gone away is no error.
pub(crate) fn lost() -> Option<Failure> {
    let cause = LOST.get()?;
    let failure =
        Failure::new(Code::Failure, "stdout cannot be written: what was to be told is lost");
    Some(Failure { causes: vec![cause.clone()], ..failure })
}

/// A line of data.
pub(crate) fn out(line: &str) {
    if QUIET.load(Ordering::Relaxed) {
        return err(line);
    }
    written(writeln!(io::stdout(), "{}", clean(line)));
}

/// How a stretch of a line looks on a terminal with colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Plain,
    Inserted,
    Removed,
    Quiet,
}

/// Whether stdout shows colours: a terminal that is not dumb, and nobody has said no (<https://no-color.org>).
pub(crate) fn has_colour() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && is_screen()
}

/// Whether stdout is a terminal that can do more than print.
pub(crate) fn is_screen() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    !dumb && io::stdout().is_terminal()
}

/// A line of data in colours, where stdout shows any.
pub(crate) fn painted(stretches: &[(Paint, String)]) {
    let mut line = String::new();
    let coloured = has_colour();
    for (paint, text) in stretches {
        let (on, off) = match paint {
            Paint::Plain => ("", ""),
            Paint::Inserted | Paint::Removed | Paint::Quiet if !coloured => ("", ""),
            Paint::Inserted => ("\u{1b}[32m", "\u{1b}[0m"),
            Paint::Removed => ("\u{1b}[31m", "\u{1b}[0m"),
            Paint::Quiet => ("\u{1b}[33m", "\u{1b}[0m"),
        };
        line += &format!("{on}{}{off}", clean(text));
    }
    written(writeln!(io::stdout(), "{line}"));
}

/// A line of talk.
pub(crate) fn err(line: &str) {
    let _ = writeln!(io::stderr(), "{}", clean(line));
}

/// A word as a shell takes it, for commands that are meant to be pasted.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The workspace of a command that is meant to be pasted.
pub(crate) fn at(root: &std::path::Path) -> String {
    format!("--workspace {}", quoted(&root.display().to_string()))
}

/// Whether somebody sits at a terminal who can be asked.
pub(crate) fn is_a_person_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Asks the person at the terminal; `None` when they have nothing more to say.
pub(crate) fn ask(question: &str) -> Option<String> {
    let mut out = io::stdout();
    write!(out, "{} ", clean(question)).and_then(|()| out.flush()).ok()?;
    let mut answer = Vec::new();
    let read = io::stdin().lock().take(LONGEST_ANSWER).read_until(b'\n', &mut answer).ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&answer).trim().to_owned())
}

/// Bytes of an answer that are read; a terminal gives no longer line.
const LONGEST_ANSWER: u64 = 4096;

/// A file for a program, as it is: whoever made it has escaped what a terminal must not see.
pub(crate) fn file(text: &str) {
    let mut out = io::stdout();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// So many characters of the beginning of a text, on one line.
pub(crate) fn beginning(text: &str, most: usize) -> String {
    // A word or more for each character would be a strange text; what is looked at stays bounded.
    let words: Vec<&str> = text.split_whitespace().take(most).collect();
    let line = words.join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// How many columns of a terminal a line takes.
pub(crate) fn width(line: &str) -> usize {
    line.width()
}

/// A line cut to the width of the terminal, where stdout is one.
pub(crate) fn fitting(line: &str) -> String {
    columns().map_or(line.to_owned(), |columns| cut(line, columns))
}

/// How many columns stdout has, where it is a terminal.
pub(crate) fn columns() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map(|(columns, _)| usize::from(columns.0))
}

/// The beginning of a line that takes at most so many columns.
fn cut(line: &str, columns: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let mut used = 1;
    let fits = |sign: &char| {
        used += sign.width().unwrap_or(0);
        used <= columns
    };
    line.chars().take_while(fits).chain(['…']).collect()
}

/// A page of data, in one write, in place of what a terminal shows where that is wanted. Tells whether anybody reads
/// on.
pub(crate) fn page(lines: &[String], in_place: bool) -> bool {
    let mut page = String::from(if in_place { "\u{1b}[H\u{1b}[2J" } else { "" });
    lines.iter().for_each(|line| page += &format!("{}\n", clean(line)));
    let mut out = io::stdout();
    written(out.write_all(page.as_bytes()).and_then(|()| out.flush()))
}

/// A command's result as one JSON document on a line of its own. Tells whether anybody reads on.
pub(crate) fn json_line(command: &str, code: Code, fields: Value) -> bool {
    json_text(&document(command, code, fields))
}

/// One of the events of a run as JSON on a line of its own. Tells whether anybody reads on. Where one was lost none
/// follows: a gap would pass for the whole.
pub(crate) fn event(event: &impl Serialize) -> bool {
    LOST.get().is_none() && json_text(event)
}

fn json_text(value: &impl Serialize) -> bool {
    let text = serde_json::to_string(value).unwrap_or_default();
    let mut out = io::stdout();
    written(writeln!(out, "{}", escaped(&text)).and_then(|()| out.flush()))
}

/// A command's result as one JSON document.
pub(crate) fn json(command: &str, code: Code, fields: Value) {
    let document = document(command, code, fields);
    let text = serde_json::to_string_pretty(&document).unwrap_or_default();
    written(writeln!(io::stdout(), "{}", escaped(&text)));
}

/// A command's result as programs read it.
pub(crate) fn document(command: &str, code: Code, fields: Value) -> Value {
    let mut document = Map::new();
    document.insert("schema_version".into(), json!(SCHEMA_VERSION));
    document.insert("command".into(), json!(command));
    document.insert("exit_code".into(), json!(code as u8));
    if let Value::Object(fields) = fields {
        document.extend(fields);
    }
    Value::Object(document)
}

/// JSON with the hidden characters of its texts as escapes: a reader gets them as they are, a terminal does not.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match is_kept_from_terminals(c) {
            true => {
                // Beyond the first plane an escape is two.
                let units = c.encode_utf16(&mut [0; 2]).to_vec();
                units.iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
            }
            false => escaped.push(c),
        }
    }
    escaped
}

/// A failure, as JSON on stdout or as words on stderr.
pub(crate) fn failure(command: &str, failure: &Failure, as_json: bool) {
    if as_json {
        return json(command, failure.code, error_fields(failure));
    }
    err(&format!("error: {}", failure.message));
    failure.causes.iter().for_each(|cause| err(&format!("  because: {cause}")));
    failure.help.iter().for_each(|help| err(&format!("  help: {help}")));
}

/// A failure among the fields of a command's result.
pub(crate) fn error_fields(failure: &Failure) -> Value {
    let Failure { message, causes, help, code: _ } = failure;
    json!({ "error": {"message": message, "causes": causes, "help": help} })
}

/// The words with which `pick` selects what a person is offered.
pub(crate) fn offer(best: Option<Best>) -> String {
    best.map_or(String::new(), |best| format!(" --candidate-id {}", best.candidate_id))
}

/// So many of something, in words: `1 error`, `2 errors`.
pub(crate) fn count(n: impl TryInto<u64>, thing: &str) -> String {
    match n.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {thing}"),
        n => format!("{n} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{clean, count, cut, escaped};

    #[test]
    fn a_line_is_cut_by_columns_and_not_by_characters() {
        assert_eq!(cut("four", 4), "four");
        assert_eq!(cut("fives", 4), "fiv…");
        assert_eq!(cut("字字字", 5), "字字…");
    }

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([0_usize, 1, 2].map(|n| count(n, "call")), ["0 calls", "1 call", "2 calls"]);
    }

    #[test]
    fn hidden_characters_do_not_reach_the_terminal() {
        assert_eq!(clean("a\n\n\n\nb"), "a\n\n\n\n    b");
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\u{7}\nd\te\r"), "a[31mbc\n    d\te");
    }

    #[test]
    fn no_bidirectional_control_tag_or_soft_hyphen_reaches_the_terminal() {
        let text =
            "a\u{61c}\u{200e}\u{200f}\u{200d}b\u{202a}\u{2066}\u{2069}\u{ad}\u{e0000}\u{e007f}c";
        assert_eq!(clean(text), "abc");
        let json = escaped(&serde_json::to_string(text).unwrap());
        assert!(
            json.is_ascii() && json.contains("\\u061c") && json.contains("\\udb40\\udc7f"),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn hidden_characters_stay_in_json_as_escapes() {
        let text = "a\u{7f}b\u{202e}c\u{9b}é";
        let json = escaped(&serde_json::to_string(text).unwrap());
        assert_eq!(json, r#""a\u007fb\u202ec\u009bé""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}

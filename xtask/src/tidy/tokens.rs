//! A Rust file as a flat list of tokens that know their line and whether they are test code.
//!
//! Why tokens and not text: comments and doc comments are gone, a string is one token, and code
//! inside a macro call is seen like any other. Absent: any grammar beyond items and attributes.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or a keyword.
    Word,
    /// The inside of a string literal, escapes as written.
    Text,
    /// Anything else that has one character, an opening or a closing bracket among them.
    Mark,
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// The word, the text or the mark.
    pub(crate) text: String,
    /// Line in the file, from 1.
    pub(crate) line: usize,
    /// For an opening bracket the line of its closing one, else the same as `line`.
    pub(crate) end: usize,
    /// Whether it stands inside an item marked `#[cfg(test)]` or `#[test]`.
    pub(crate) test: bool,
}

impl Token {
    /// Whether this is that word or mark; a string is neither.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Text && self.text == text
    }
}

/// Reads a file; the error says why its tokens cannot be read.
pub(crate) fn read(source: &str) -> Result<Vec<Token>, String> {
    let stream: TokenStream = source.parse().map_err(|error| format!("does not read: {error}"))?;
    let mut out = Vec::new();
    walk(stream, false, &mut out);
    Ok(out)
}

fn walk(stream: TokenStream, mut test: bool, out: &mut Vec<Token>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut item_is_test = false;
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        if let Some((group, inner)) = attribute(&trees[at..]) {
            let marks = marks_test(group);
            test |= inner && marks;
            item_is_test |= !inner && marks;
            if !starts_with(group, "doc") {
                push_mark('#', tree.span().start().line, test || item_is_test, out);
                push_group(group, test || item_is_test, out);
            }
            at += if inner { 3 } else { 2 };
            continue;
        }
        push(tree, test || item_is_test, out);
        item_is_test &= !ends_item(tree);
        at += 1;
    }
}

/// The bracket group of an attribute that starts here, and whether it is an inner one (`#![…]`).
fn attribute(trees: &[TokenTree]) -> Option<(&Group, bool)> {
    let is = |tree: &TokenTree, mark| matches!(tree, TokenTree::Punct(p) if p.as_char() == mark);
    let (inner, group) = match trees {
        [hash, bang, group, ..] if is(hash, '#') && is(bang, '!') => (true, group),
        [hash, group, ..] if is(hash, '#') => (false, group),
        _ => return None,
    };
    if let TokenTree::Group(found) = group
        && found.delimiter() == Delimiter::Bracket
    {
        return Some((found, inner));
    }
    None
}

/// Whether an attribute says that its item exists only for tests.
fn marks_test(group: &Group) -> bool {
    let mut last = String::new();
    for tree in group.stream() {
        match tree {
            TokenTree::Ident(word) => last = word.to_string(),
            TokenTree::Group(args) if last == "cfg" => return only_test(args.stream()),
            TokenTree::Punct(mark) if mark.as_char() == ':' => {}
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => break,
        }
    }
    last == "test"
}

/// Whether a cfg predicate holds in tests only: `test`, or `all(…)` of which one does.
fn only_test(predicate: TokenStream) -> bool {
    let mut last = String::new();
    for tree in predicate {
        match tree {
            TokenTree::Ident(word) if word == "test" => return true,
            TokenTree::Ident(word) => last = word.to_string(),
            TokenTree::Group(args) if last == "all" && only_test(args.stream()) => return true,
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    false
}

fn starts_with(group: &Group, name: &str) -> bool {
    matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(word)) if word == name)
}

/// An item ends at its braces or its semicolon; what stands in brackets is inside a group.
fn ends_item(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    }
}

fn push(tree: &TokenTree, test: bool, out: &mut Vec<Token>) {
    let line = tree.span().start().line;
    match tree {
        TokenTree::Group(group) => push_group(group, test, out),
        TokenTree::Punct(mark) => push_mark(mark.as_char(), line, test, out),
        TokenTree::Ident(word) => {
            let text = word.to_string();
            let text = text.strip_prefix("r#").unwrap_or(&text).to_owned();
            out.push(Token { kind: Kind::Word, text, line, end: line, test });
        }
        TokenTree::Literal(literal) => {
            if let Some(text) = inside_quotes(&literal.to_string()) {
                out.push(Token { kind: Kind::Text, text, line, end: line, test });
            }
        }
    }
}

fn push_group(group: &Group, test: bool, out: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ('(', ')'),
        Delimiter::Brace => ('{', '}'),
        Delimiter::Bracket => ('[', ']'),
        Delimiter::None => return walk(group.stream(), test, out),
    };
    let end = group.span_close().end().line;
    push_mark(open, group.span_open().start().line, test, out);
    if let Some(opened) = out.last_mut() {
        opened.end = end;
    }
    walk(group.stream(), test, out);
    push_mark(close, end, test, out);
}

fn push_mark(mark: char, line: usize, test: bool, out: &mut Vec<Token>) {
    out.push(Token { kind: Kind::Mark, text: mark.to_string(), line, end: line, test });
}

/// The inside of a string literal; `None` for numbers and characters.
fn inside_quotes(literal: &str) -> Option<String> {
    let from = literal.find('"')?;
    let to = literal.rfind('"')?;
    (from < to).then(|| literal[from + 1..to].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a source, those in test code in parentheses.
    fn words(source: &str) -> String {
        let tokens = read(source).unwrap();
        let words = tokens.iter().filter(|token| token.kind == Kind::Word);
        let shown = words.map(|t| if t.test { format!("({})", t.text) } else { t.text.clone() });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_item_for_tests_is_test_code_to_its_end_and_no_further() {
        assert_eq!(
            words("#[cfg(test)] mod t { fn a() {} } fn b() {}"),
            "(cfg) (test) (mod) (t) (fn) (a) fn b"
        );
        assert_eq!(words("#[cfg(test)] use a::b; use c;"), "(cfg) (test) (use) (a) (b) use c");
    }

    #[test]
    fn test_functions_of_any_runtime_are_test_code() {
        assert_eq!(words("#[tokio::test(x)] fn a() {}"), "(tokio) (test) (x) (fn) (a)");
        assert_eq!(words("#[test] fn a() {}"), "(test) (fn) (a)");
    }

    #[test]
    fn code_that_also_runs_outside_tests_is_not_test_code() {
        assert_eq!(words("#[cfg(not(test))] fn a() {}"), "cfg not test fn a");
        assert_eq!(words("#[cfg(any(test, unix))] fn a() {}"), "cfg any test unix fn a");
        assert_eq!(
            words("#![cfg_attr(not(test), no_std)] fn a() {}"),
            "cfg_attr not test no_std fn a"
        );
    }

    #[test]
    fn an_inner_attribute_makes_the_whole_file_test_code() {
        assert_eq!(words("#![cfg(test)] fn a() {}"), "(cfg) (test) (fn) (a)");
    }

    #[test]
    fn comments_and_docs_are_no_tokens_and_a_string_is_one() {
        let tokens = read(
            "//! review
/// review
fn a() { /* review */ say(\"a { b\") }",
        )
        .unwrap();
        assert!(tokens.iter().all(|token| !token.text.contains("review")));
        let text = tokens.iter().find(|token| token.kind == Kind::Text).unwrap();
        assert_eq!((text.text.as_str(), text.line), ("a { b", 3));
    }

    #[test]
    fn a_bracket_knows_the_line_of_its_end() {
        let tokens = read("fn a()\n{\n  b();\n}\n").unwrap();
        let brace = tokens.iter().find(|token| token.is("{")).unwrap();
        assert_eq!((brace.line, brace.end), (2, 4));
    }

    #[test]
    fn a_file_that_is_not_rust_says_so() {
        assert!(read("fn a( {").unwrap_err().starts_with("does not read"));
    }
}

//! A file of SQL cut into its statements, each with its line.
//!
//! Invariant: linear in the text; quotations, dollar quotes and nested comments hide what looks like an end.
//! Absent here: what a statement says.

/// One statement without its semicolon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    pub(super) text: &'a str,
    /// The line of its first word, from 1.
    pub(super) line: usize,
    /// The line where a quotation or comment begins that the file never ends.
    pub(super) open: Option<usize>,
}

/// All statements in order, without the data of `COPY … FROM stdin` and the client's own `\` commands.
pub(super) fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut scan = Scan { text, at: 0, line: 1, open: None };
    let mut found = Vec::new();
    while let Some(statement) = scan.statement() {
        let is_copy = copies_from_input(statement.text);
        found.push(statement);
        if is_copy {
            scan.skip_rows();
        }
    }
    found
}

fn copies_from_input(text: &str) -> bool {
    let starts = text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("copy "));
    starts && text.to_ascii_lowercase().contains("from stdin")
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    open: Option<usize>,
}

impl<'a> Scan<'a> {
    fn statement(&mut self) -> Option<Statement<'a>> {
        self.skip_blank();
        self.peek()?;
        let (start, line) = (self.at, self.line);
        let mut end = self.text.len();
        while let Some(byte) = self.peek() {
            if byte == b';' {
                end = self.at;
                self.step();
                break;
            }
            self.piece(byte);
        }
        let text = self.text[start..end].trim_end();
        Some(Statement { text, line, open: self.open.take() })
    }

    /// What stands between statements: blanks, comments, bare semicolons and commands of the client.
    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.skip_line(),
                b';' => self.step(),
                _ if byte.is_ascii_whitespace() => self.step(),
                b'-' if self.sees("--") => self.skip_line(),
                b'/' if self.sees("/*") => self.comment(),
                _ => return,
            }
        }
    }

    /// One piece of a statement that cannot be cut.
    fn piece(&mut self, byte: u8) {
        match byte {
            b'\'' => self.quoted(b'\'', self.is_escaped()),
            b'"' => self.quoted(b'"', false),
            b'$' => self.dollar(),
            b'-' if self.sees("--") => self.skip_line(),
            b'/' if self.sees("/*") => self.comment(),
            _ => self.step(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn sees(&self, words: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(words.as_bytes())
    }

    fn step(&mut self) {
        self.line += usize::from(self.peek() == Some(b'\n'));
        self.at += 1;
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.step();
        }
    }

    /// Whether the quotation at hand is one of `E'…'`, where a backslash hides a quote.
    fn is_escaped(&self) -> bool {
        match &self.text.as_bytes()[..self.at] {
            [.., before, b'e' | b'E'] => !is_word(*before),
            [b'e' | b'E'] => true,
            _ => false,
        }
    }

    fn quoted(&mut self, quote: u8, escaped: bool) {
        let line = self.line;
        self.step();
        while let Some(byte) = self.peek() {
            self.step();
            if byte == b'\\' && escaped && self.peek().is_some() {
                self.step();
            } else if byte == quote {
                // A doubled quote ends one quotation and begins the next, which comes to the same.
                return;
            }
        }
        self.open = Some(line);
    }

    fn comment(&mut self) {
        let (line, mut depth) = (self.line, 0_usize);
        while self.peek().is_some() {
            if self.sees("/*") {
                depth += 1;
                self.at += 2;
            } else if self.sees("*/") {
                depth -= 1;
                self.at += 2;
            } else {
                self.step();
            }
            if depth == 0 {
                return;
            }
        }
        self.open = Some(line);
    }

    fn dollar(&mut self) {
        let before = self.at.checked_sub(1).map(|at| self.text.as_bytes()[at]);
        let Some(tag) = self.tag().filter(|_| !before.is_some_and(is_word)) else {
            return self.step();
        };
        let inner = self.at + tag.len();
        let end = self.text[inner..].find(tag).map(|found| inner + found + tag.len());
        if end.is_none() {
            self.open = Some(self.line);
        }
        let end = end.unwrap_or(self.text.len());
        self.line += self.text[self.at..end].bytes().filter(|byte| *byte == b'\n').count();
        self.at = end;
    }

    /// `$$` or `$word$`.
    fn tag(&self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let end = 1 + rest[1..].bytes().position(|byte| !is_word(byte))?;
        let tag = rest.get(..=end)?;
        let is_number = rest.as_bytes()[1].is_ascii_digit();
        (tag.ends_with('$') && !is_number).then_some(tag)
    }

    /// Rows of data up to the line `\.`.
    fn skip_rows(&mut self) {
        while self.peek().is_some() {
            let start = self.at;
            self.skip_line();
            let is_end = self.text[start..self.at].trim_end() == "\\.";
            self.step();
            if is_end {
                return;
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str)]) {
        let found: Vec<(usize, &str)> =
            statements(text).iter().map(|it| (it.line, it.text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_semicolon_ends_a_statement_and_lines_are_counted() {
        check("a;\n\n b\nc ; ;;d", &[(1, "a"), (3, "b\nc"), (4, "d")]);
    }

    #[test]
    fn what_is_quoted_or_a_comment_ends_nothing() {
        check("a 'x;''y;' b; c", &[(1, "a 'x;''y;' b"), (1, "c")]);
        check(r"a E'x\';' ; c", &[(1, r"a E'x\';'"), (1, "c")]);
        check(r"type'x\'; c", &[(1, r"type'x\'"), (1, "c")]);
        check("a \";\" ; c", &[(1, "a \";\""), (1, "c")]);
        check("a $$ ; ' $$ ; c", &[(1, "a $$ ; ' $$"), (1, "c")]);
        check("a $b$ ; $$ \n $b$ ; c", &[(1, "a $b$ ; $$ \n $b$"), (2, "c")]);
        check("a -- ;\n b /* ; /* ; */ ; */ ; c", &[(1, "a -- ;\n b /* ; /* ; */ ; */"), (2, "c")]);
        check("a $1 ; b$c$ ; d", &[(1, "a $1"), (1, "b$c$"), (1, "d")]);
    }

    #[test]
    fn rows_of_data_and_commands_of_the_client_are_no_statements() {
        let text = "\\connect x\nCOPY t (a) FROM stdin;\nit's; 1\n\\.\nSELECT 1;\n\\set y\n";
        check(text, &[(2, "COPY t (a) FROM stdin"), (5, "SELECT 1")]);
    }

    #[test]
    fn a_quotation_without_an_end_is_told_with_its_line() {
        for text in ["a;\nb\n'x;\n", "a;\nb\n$x$ y; $$\n", "a;\nb\n/* y; /* */\n"] {
            let found = statements(text);
            assert_eq!((found.len(), found[1].open), (2, Some(3)), "{text}");
        }
    }
}

//! Tests run, all of them, and wait for events instead of for time.
//!
//! `#[ignore]` is forbidden. `sleep` in a test is allowed where real time is the very thing
//! under test; the same line then says so: `// real time: why`.

use super::Finding;
use super::source::{Source, Tree};
use super::tokens::Token;

const REASON: &str = "// real time:";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.sources.iter().flat_map(judge).collect()
}

fn judge(source: &Source) -> Vec<Finding> {
    let lines: Vec<&str> = source.text.lines().collect();
    let tokens = source.tokens();
    let mut findings = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_definition = at > 0 && tokens[at - 1].is("fn");
        let excused = lines.get(token.line - 1).is_some_and(|line| line.contains(REASON));
        if is_ignored(&tokens[at..]) {
            findings.push(Finding::at(&source.path, token.line, "a test is ignored"));
        } else if (source.test || token.test)
            && is_sleep(&tokens[at..])
            && !is_definition
            && !excused
        {
            let message = format!("a test sleeps; wait for an event, or say `{REASON} why`");
            findings.push(Finding::at(&source.path, token.line, message));
        }
    }
    findings
}

/// `#[ignore…]`, also as the second half of a `cfg_attr`.
fn is_ignored(tokens: &[Token]) -> bool {
    match tokens {
        [hash, open, word, rest @ ..] if hash.is("#") && open.is("[") => {
            let attribute = rest.iter().take_while(|token| !token.is("]"));
            let mut inside = attribute.filter(|_| word.is("cfg_attr"));
            word.is("ignore") || inside.any(|token| token.is("ignore"))
        }
        _ => false,
    }
}

fn is_sleep(tokens: &[Token]) -> bool {
    matches!(tokens, [word, open, ..] if word.is("sleep") && open.is("("))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, code: &str) -> usize {
        check(&Tree::of(&[(path, code)])).len()
    }

    #[test]
    fn ignored_tests_are_bad_with_and_without_a_reason() {
        for attribute in ["#[ignore]", "#[ignore = \"slow\"]", "#[cfg_attr(miri, ignore)]"] {
            assert_eq!(count("a.rs", &format!("#[test] {attribute} fn a() {{}}")), 1);
        }
        assert_eq!(count("a.rs", "fn a() { ignore(b) }"), 0);
    }

    #[test]
    fn a_sleeping_test_is_bad() {
        let code = "#[test]\nfn a() {\n    thread::sleep(SECOND);\n}";
        assert_eq!(count("a.rs", code), 1);
        assert_eq!(count("crates/redraft/tests/kill.rs", "fn a() { sleep(SECOND) }"), 1);
    }

    #[test]
    fn a_test_of_real_time_says_so_and_the_product_may_wait() {
        let code = "#[test]\nfn a() {\n    sleep(SECOND); // real time: the lock's own timeout\n}";
        assert_eq!(count("a.rs", code), 0);
        assert_eq!(count("a.rs", "async fn back_off() { sleep(SECOND).await }"), 0);
        assert_eq!(count("a.rs", "#[test] fn asleep() { asleep() }"), 0);
    }
}

//! The loop and the engine name no workflow and no step of one.
//!
//! What counts: identifiers and strings in code of the product. Prose in comments may use the
//! words, and so may tests, whose plays hold the shapes of all workflows as data. `gated` counts in
//! strings alone: that a step is gated is the loop's own word, as the design has it.

use super::Finding;
use super::source::{Source, Tree};
use super::tokens::{Kind, Token};

const ROOMS: [&str; 2] = ["crates/loop/src/", "crates/engine/src/"];

/// Also the past tense of what gates do, so code may use it; as a string it names the workflow.
const OWN_WORD: &str = "gated";

/// The workflows, then their steps.
const NAMES: [&str; 13] = [
    "review",
    "solve",
    "pair",
    "gated",
    "create",
    "draft",
    "critique",
    "propose",
    "implement",
    "verify",
    "plan",
    "generate",
    "revise",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let inside = |source: &&Source| ROOMS.iter().any(|room| source.path.starts_with(room));
    tree.sources.iter().filter(inside).flat_map(judge).collect()
}

fn judge(source: &Source) -> Vec<Finding> {
    let finding = |token: &Token| {
        let name = named(token)?;
        let message = format!("`{}` names the workflow or step `{name}`", token.text);
        Some(Finding::at(&source.path, token.line, message))
    };
    source.product_tokens().filter_map(finding).collect()
}

/// The name that a token holds. A string with blanks is a message to a person, not a name.
fn named(token: &Token) -> Option<&'static str> {
    if token.kind == Kind::Mark || token.text.contains(char::is_whitespace) {
        return None;
    }
    let words = words(&token.text);
    let own = |name: &str| name == OWN_WORD && token.kind == Kind::Word;
    NAMES.into_iter().find(|name| words.iter().any(|word| word == name) && !own(name))
}

/// The words of `snake_case`, `CamelCase` and `kebab-case`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let starts = letter.is_uppercase() && was_lower;
        if (starts || !letter.is_alphanumeric()) && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(code: &str) -> usize {
        check(&Tree::of(&[("crates/loop/src/run.rs", code)])).len()
    }

    #[test]
    fn a_step_in_code_is_bad_however_it_is_written() {
        for code in [
            "if step.name == \"review\" {}",
            "enum Step { Create, Other }",
            "fn is_critique() {}",
            "const LAST: &str = \"solve.critique\";",
            "struct ReviewStep;",
            "const WORKFLOW: &str = \"gated\";",
        ] {
            assert!(count(code) > 0, "{code}");
        }
    }

    #[test]
    fn words_that_only_look_alike_are_good() {
        assert_eq!(count("fn created_at(reviewer: Planned, preview: Repair) {}"), 0);
        assert_eq!(count("struct Gate; fn gates() {} struct Gated;"), 0);
    }

    #[test]
    fn prose_and_plays_may_use_the_words() {
        assert_eq!(count("//! A review.\n/// A review.\nfn a() {} // review"), 0);
        assert_eq!(count("const WHY: &str = \"cannot create the run\";"), 0);
        assert_eq!(count("#[cfg(test)] mod plays { const STEP: &str = \"review\"; }"), 0);
    }

    #[test]
    fn other_floors_name_what_they_are_about() {
        let code = "pub mod review;";
        assert!(check(&Tree::of(&[("crates/workflows/src/lib.rs", code)])).is_empty());
        assert_eq!(check(&Tree::of(&[("crates/engine/src/lib.rs", code)])).len(), 1);
    }
}

//! Whether a program reads the answer, so that nothing may stand around it.
//!
//! A request that names a machine's format as the answer's is taken at its word. One that only mentions a format, in a
//! sentence that no rule understands, leaves it to the answer: what looks like the format is meant to be it.
//!
//! Invariant: an answer that is whole a JSON or XML document never gets anything added, whatever was asked.
//! Absent here: whether the answer is valid; see `constraints`.

mod looks;

use super::{
    constraints::{self, fold},
    request::Problem,
};

/// A kind of format that programs read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Machine {
    Json,
    Yaml,
    Markup,
    Table,
    Toml,
}

/// The names by which they are asked for.
const NAMES: [(Machine, &[&str]); 5] = [
    (Machine::Json, &["json", "jsonl", "ndjson", "geojson", "json5", "jsonc", "jsonld"]),
    (Machine::Yaml, &["yaml", "yml"]),
    (Machine::Markup, &["xml", "html", "xhtml", "svg", "rss"]),
    (Machine::Table, &["csv", "tsv"]),
    (Machine::Toml, &["toml"]),
];
/// Names of forms that people read.
const HUMAN: [&str; 6] = ["markdown", "md", "text", "prose", "plaintext", "fließtext"];
/// Names of the fences that Markdown puts around code.
const FENCES: [&str; 6] = ["block", "blocks", "codeblock", "fence", "fences", "fenced"];
/// Words that refuse what follows them.
const REFUSING: [&str; 16] = [
    "no", "not", "without", "never", "avoid", "don't", "dont", "neither", "nor", "than", "kein",
    "keine", "keinen", "nicht", "ohne", "instead",
];
/// Words that may stand between a refusal and what it refuses.
const BETWEEN: [&str; 19] = [
    "any",
    "a",
    "an",
    "the",
    "of",
    "use",
    "using",
    "return",
    "output",
    "valid",
    "raw",
    "in",
    "as",
    "or",
    "code",
    "plain",
    "extra",
    "als",
    "surrounding",
];
/// Behind these the name of a format is that of a part, or of a subject.
const WITHIN: [&str; 11] = [
    "with",
    "containing",
    "including",
    "include",
    "mit",
    "explain",
    "explaining",
    "about",
    "between",
    "embedding",
    "erkläre",
];
/// Before these it is that of a part.
const PARTS: [&str; 9] = [
    "example",
    "examples",
    "snippet",
    "snippets",
    "code",
    "block",
    "blocks",
    "beispiel",
    "beispiele",
];

/// What a request says of the format of its answer.
enum Asked {
    /// A machine's, in so many words.
    Machine,
    /// It mentions these.
    Perhaps(Vec<Mention>),
}

/// May a footer stand below this answer?
pub(super) fn bears_footer(problem: &Problem, answer: &str) -> bool {
    if looks::is_document(answer) {
        return false;
    }
    match asked(problem) {
        Asked::Machine => false,
        Asked::Perhaps(mentions) => !mentions.iter().any(|one| looks::like(one.format, answer)),
    }
}

/// The answer without the one code fence around all of it, where a machine's format is asked for and no fence is.
pub(super) fn unfenced<'a>(problem: &Problem, answer: &'a str) -> Option<&'a str> {
    let (language, inner) = looks::only_fence(answer)?;
    let is_named = language.is_empty() || named(&language.to_lowercase()).is_some();
    if !is_named || wants_fence(problem) {
        return None;
    }
    let wanted = match asked(problem) {
        Asked::Machine => true,
        Asked::Perhaps(mentions) => {
            mentions.iter().any(|one| !one.is_part && looks::like(one.format, inner))
        }
    };
    wanted.then_some(inner)
}

fn asked(problem: &Problem) -> Asked {
    let Problem { problem_statement, constraints, output_spec, .. } = problem;
    let spec = Words::of(constraints::own_words(output_spec));
    let mut mentions = spec.mentions();
    let is_for_people = spec.names(&HUMAN);
    let is_named = !is_for_people && mentions.iter().any(|mention| !mention.is_part);
    if is_named || constraints.iter().any(|words| constraints::asks_for_machine_format(words)) {
        return Asked::Machine;
    }
    // Who asks for a text means it, whatever else is spoken of.
    let others = [problem_statement].into_iter().chain(constraints).filter(|_| !is_for_people);
    for mention in others.flat_map(|text| Words::of(text).mentions()) {
        if !mentions.contains(&mention) {
            mentions.push(mention);
        }
    }
    Asked::Perhaps(mentions)
}

fn wants_fence(problem: &Problem) -> bool {
    let mut texts = problem.constraints.iter().chain([&problem.output_spec]);
    texts.any(|text| Words::of(text).names(&FENCES))
}

fn named(word: &str) -> Option<Machine> {
    NAMES.iter().find(|(_, names)| names.contains(&word)).map(|(format, _)| *format)
}

/// The name of a format where nothing refuses it.
#[derive(PartialEq, Eq)]
struct Mention {
    format: Machine,
    /// Whether it seems to be that of a part of the answer, or of what the answer is about.
    is_part: bool,
}

/// A text in words; a mark that ends a clause is a word of its own.
struct Words(String);

impl Words {
    fn of(text: &str) -> Self {
        let mut words = String::with_capacity(text.len());
        for sign in fold(text).chars() {
            match sign {
                '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' => words.extend([' ', sign, ' ']),
                sign if sign.is_alphanumeric() || sign == '\'' => words.push(sign),
                _ => words.push(' '),
            }
        }
        Self(words)
    }

    fn list(&self) -> Vec<&str> {
        self.0.split_whitespace().collect()
    }

    fn mentions(&self) -> Vec<Mention> {
        let words = self.list();
        let found = words.iter().enumerate().filter_map(|(at, word)| {
            let format = named(word)?;
            (!is_refused(&words, at)).then(|| Mention { format, is_part: is_part(&words, at) })
        });
        found.collect()
    }

    /// Is one of these names there, and not refused? Beside the name of a format they say nothing: `text/csv`.
    fn names(&self, names: &[&str]) -> bool {
        let words = self.list();
        let beside = |at: usize| {
            let near = [at.checked_sub(1), at.checked_add(1)].into_iter().flatten();
            near.filter_map(|at| words.get(at)).any(|word| named(word).is_some())
        };
        words.iter().enumerate().any(|(at, word)| {
            let says_nothing = *word == "text" && beside(at);
            names.contains(word) && !says_nothing && !is_refused(&words, at)
        })
    }
}

fn is_refused(words: &[&str], at: usize) -> bool {
    let mut before = words.get(..at).unwrap_or_default().iter().rev();
    let says_more =
        |word: &&&str| !BETWEEN.contains(*word) && named(word).is_none() && !HUMAN.contains(*word);
    before.find(says_more).is_some_and(|word| REFUSING.contains(word))
}

fn is_part(words: &[&str], at: usize) -> bool {
    let says_more = |word: &&&str| !["a", "an", "the", "some", "valid", "ein"].contains(*word);
    let mut before = words.get(..at).unwrap_or_default().iter().rev();
    let led = before.find(says_more).is_some_and(|word| WITHIN.contains(word));
    led || words.get(at + 1).is_some_and(|word| PARTS.contains(word))
}

#[cfg(test)]
mod tests;

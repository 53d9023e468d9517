//! Answers that answer nothing.
//!
//! Invariant: what the question itself asks for (a quiz, a corrected text, a list of placeholders) is no evasion.
//! Absent here: whether an answer is right.

use super::{constraints::fold, request::Problem};
use std::collections::BTreeMap;
use unicode_segmentation::UnicodeSegmentation;

/// A way of not answering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evasion {
    /// What was found.
    pub(super) what: String,
    /// What to do instead.
    pub(super) fix: &'static str,
}

/// Refusals as answers begin with them.
const REFUSALS: [&str; 22] = [
    "i cannot help",
    "i can't help",
    "i can not help",
    "i cannot assist",
    "i can't assist",
    "i'm unable to",
    "i am unable to",
    "i'm not able to",
    "i am not able to",
    "i cannot answer",
    "i can't answer",
    "i cannot provide",
    "i can't provide",
    "as an ai language model",
    "as an ai, ",
    "as an ai assistant",
    "as an ai model",
    "as an ai i ",
    "as a language model",
    "als ki ",
    "als sprachmodell",
    "ich kann dabei nicht helfen",
];
/// How far into an answer its beginning reaches, in characters.
const BEGINNING: usize = 160;

/// Texts that stand where something is still to be put, as they are written in lower case.
const PLACEHOLDERS: [&str; 10] = [
    "lorem ipsum",
    "[insert ",
    "<insert ",
    "[placeholder",
    "[your name",
    "[todo",
    "<todo>",
    "[tbd",
    "[add ",
    "[fill in",
];
/// Words that say the same, in capitals.
const OPEN_WORDS: [&str; 4] = ["TODO", "TBD", "FIXME", "XXX"];

/// Requests that are answered with questions.
const ASKS_BACK: [&str; 14] = [
    "question",
    "questions",
    "ask",
    "quiz",
    "frage",
    "fragen",
    "interview",
    "title",
    "headline",
    "slogan",
    "riddle",
    "joke",
    "titel",
    "translate",
];
/// Requests that are answered with their own words.
const ECHOES: [&str; 24] = [
    "repeat",
    "correct",
    "fix",
    "proofread",
    "rewrite",
    "rephrase",
    "sort",
    "echo",
    "translate",
    "format",
    "say",
    "copy",
    "spell",
    "spelling",
    "quote",
    "edit",
    "improve",
    "rewrite",
    "improve",
    "korrigiere",
    "übersetze",
    "wiederhole",
    "sortiere",
    "uppercase",
];

/// Every way in which this answer answers nothing.
pub(super) fn evasions(problem: &Problem, answer: &str) -> Vec<Evasion> {
    let folded = fold(answer);
    let asked = asked(problem);
    let refusal =
        refusal(&folded).map(|what| Evasion { what, fix: "Answer the question as far as can be." });
    let question = asks_back(answer.trim(), &asked).then(|| Evasion {
        what: "the answer is a question back".to_owned(),
        fix: "Answer, and state what was taken for granted.",
    });
    let echo = restates(&folded, problem).then(|| Evasion {
        what: "the answer only says the question again".to_owned(),
        fix: "Answer the question instead of repeating it.",
    });
    let open = placeholder(answer, &folded, &asked)
        .map(|what| Evasion { what, fix: "Put in what is still missing." });
    [refusal, question, echo, open].into_iter().flatten().collect()
}

/// Everything that the request says, folded.
fn asked(problem: &Problem) -> String {
    let constraints = problem.constraints.join(" ");
    fold(
        &[&problem.problem_statement, &constraints, &problem.output_spec, &problem.context]
            .map(String::as_str)
            .join(" "),
    )
}

fn refusal(folded: &str) -> Option<String> {
    let beginning: String = folded.chars().take(BEGINNING).collect();
    let found = REFUSALS.iter().find(|refusal| beginning.contains(*refusal))?;
    Some(format!("the answer is a refusal: it begins with {:?}", found.trim()))
}

fn asks_back(answer: &str, asked: &str) -> bool {
    let wanted = asked.unicode_words().any(|word| ASKS_BACK.contains(&word));
    let mut sentences = answer.unicode_sentences().map(str::trim).filter(|one| !one.is_empty());
    !wanted && answer.ends_with('?') && sentences.all(|one| one.ends_with('?'))
}

/// Do question and answer have nine in ten words in common, either way?
fn restates(folded: &str, problem: &Problem) -> bool {
    let asked = fold(&problem.problem_statement);
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut asked_words, mut answered, mut common) = (0_usize, 0_usize, 0_usize);
    for word in asked.unicode_words() {
        asked_words += 1;
        *left.entry(word).or_default() += 1;
    }
    for word in folded.unicode_words() {
        answered += 1;
        if let Some(count) = left.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    let wanted = asked.unicode_words().any(|word| ECHOES.contains(&word));
    !wanted && asked_words > 4 && common * 10 >= asked_words.max(answered) * 9
}

fn placeholder(answer: &str, folded: &str, asked: &str) -> Option<String> {
    let text = PLACEHOLDERS.iter().find(|text| folded.contains(*text) && !asked.contains(*text));
    let open = |word: &&&str| {
        !asked.contains(&word.to_lowercase()) && answer.unicode_words().any(|found| found == **word)
    };
    let found = text.or_else(|| OPEN_WORDS.iter().find(open))?;
    Some(format!("the answer has a placeholder in it: {:?}", found.trim()))
}

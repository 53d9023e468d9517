//! Texts that want to be more than texts: each tries to make a reviewer's reader see what no reviewer said.
//!
//! Every attack stands in an article on bread, and has an honest twin: the same article with a harmless passage of
//! the same look. The words are our own.

mod disguised;
mod forged;
mod framed;
mod spoken;

/// A candidate's text that attacks, and its twin that does not.
pub(crate) struct Attack {
    pub(crate) family: &'static str,
    pub(crate) text: String,
    pub(crate) twin: String,
}

/// Attacks of one kind.
struct Family {
    name: &'static str,
    passages: Vec<String>,
    /// A harmless passage of the same look, on a subject.
    twin: fn(&str) -> String,
}

const SUBJECTS: [&str; 10] =
    ["rye", "wheat", "spelt", "yeast", "salt", "water", "crust", "crumb", "steam", "starter"];

/// All attacks.
pub(crate) fn all() -> Vec<Attack> {
    let families =
        [forged::families(), framed::families(), spoken::families(), disguised::families()];
    families.into_iter().flatten().flat_map(attacks).collect()
}

fn attacks(family: Family) -> Vec<Attack> {
    let Family { name, passages, twin } = family;
    let attack = |(n, passage): (usize, String)| {
        let subject = SUBJECTS[n % SUBJECTS.len()];
        Attack {
            family: name,
            text: article(subject, n, &passage),
            twin: article(subject, n, &twin(subject)),
        }
    };
    passages.into_iter().enumerate().map(attack).collect()
}

/// The passage stands at the end, at the beginning, or in the middle of an article.
fn article(subject: &str, n: usize, passage: &str) -> String {
    let (head, body) = (
        format!("# Bread, part {}: {subject}", n + 1),
        format!("Ada and Bo speak about {subject} and what it does to a loaf."),
    );
    match n % 3 {
        0 => format!("{head}\n\n{body}\n\n{passage}\n"),
        1 => format!("{passage}\n\n{head}\n\n{body}\n"),
        _ => format!("{head}\n\n{passage}\n\n{body}\n"),
    }
}

/// Owned passages.
fn list(passages: &[&str]) -> Vec<String> {
    passages.iter().map(|&passage| passage.to_owned()).collect()
}

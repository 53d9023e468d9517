//! Answers to a question out of a context: the sentences that share the most with it.
//!
//! Absent here: what is told about such an answer.

use super::{rank, sentences};

/// The most sentences of an answer.
const LONGEST: usize = 5;
/// The most sentences that are looked at.
const MOST_SENTENCES: usize = 5_000;
/// How much a sentence's weight in its text counts beside what it shares with the question.
const SALIENCE: f64 = 0.2;

/// The sentences of the context that share the most with the question, in their order; `None` without any sentence.
pub fn answer(question: &str, context: &str) -> Option<String> {
    let all: Vec<String> = sentences::split(context).take(MOST_SENTENCES).collect();
    let asked = rank::content(question);
    let score = |(sentence, salience): (&String, f64)| {
        rank::overlap(&asked, &rank::content(sentence)) + SALIENCE * salience
    };
    let scores = all.iter().zip(rank::salience(&all)).map(score);
    let mut scored: Vec<(usize, f64)> = scores.enumerate().collect();
    // The order of equals is that of the context.
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut chosen: Vec<usize> = scored.into_iter().take(LONGEST).map(|(n, _)| n).collect();
    chosen.sort_unstable();
    let text: Vec<&str> = chosen.into_iter().map(|n| all[n].as_str()).collect();
    (!text.is_empty()).then(|| text.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: &str = "Sourdough is flour and water. The oven was built in 1950 by monks. \
        Bread rises because yeast makes gas. The village has a well. Yeast in a sourdough starter is wild.";

    #[test]
    fn the_answer_is_made_of_sentences_of_the_context_in_their_order() {
        let text = answer("Why does bread with wild yeast rise?", CONTEXT).unwrap();
        let places: Vec<_> =
            sentences::split(&text).map(|one| CONTEXT.find(&one).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
        assert!(text.contains("Bread rises because yeast makes gas."), "{text}");
    }

    #[test]
    fn what_shares_most_with_the_question_is_chosen_first() {
        let context = format!(
            "{CONTEXT} One. Two. Three. Four. Five. Six. Who built the oven? Monks built the oven."
        );
        let text = answer("Who built the oven?", &context).unwrap();
        assert!(text.contains("The oven was built in 1950 by monks."), "{text}");
    }

    #[test]
    fn without_a_context_there_is_no_answer() {
        assert!(answer("Why?", " ").is_none());
    }
}

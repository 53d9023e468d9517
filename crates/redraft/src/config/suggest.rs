//! "Did you mean": the known name that is nearest to an unknown one.
//!
//! Absent here: what is known.

/// The nearest of the known names, where one is near enough to have been meant.
pub(crate) fn nearest<'a>(
    unknown: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let lowered = unknown.to_lowercase();
    let distances = known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&lowered, &name.to_lowercase()), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    // One slip in three letters may still be a slip; more is another word.
    (distance <= 1.max(unknown.chars().count() / 3)).then_some(name)
}

/// The question as a sentence, or the known names where nothing is near.
pub(crate) fn did_you_mean(unknown: &str, known: &[&str]) -> String {
    match nearest(unknown, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known are: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn a_slip_gets_a_suggestion_and_another_word_gets_the_list() {
        let known = ["model", "provider", "base_url"];
        assert_eq!(did_you_mean("modle", &known), "did you mean `model`?");
        assert_eq!(did_you_mean("Provider", &known), "did you mean `provider`?");
        assert_eq!(did_you_mean("baseurl", &known), "did you mean `base_url`?");
        assert_eq!(did_you_mean("colour", &known), "known are: model, provider, base_url");
    }
}

//! The limits of an asset that can be counted: read from the section `Limits` of its rubric, whoever wrote that.
//!
//! Invariant: what is told is what is checked, so a project that changes a limit in its rubric changes the check.
//! Absent here: lines in other words, and sentences; where a sentence ends is a matter of judgement, so reviewers judge.

/// The heading of the section in a rubric.
const SECTION: &str = "## Limits";

/// One limit on a text. Lengths are in characters (Unicode scalar values) without the blanks around the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    MostCharacters(usize),
    LeastCharacters(usize),
    OneLine,
    /// Lower-case ASCII words joined by single hyphens.
    Slug,
    /// Starts with no lower-case letter.
    CapitalFirst,
    NoFullStop,
    /// Items with commas between them, none of them empty.
    List,
    MostItems(usize),
    LeastItems(usize),
    ItemCharacters(usize),
    Hashtags {
        least: usize,
        most: usize,
    },
}

/// The limits that a rubric names in words that can be checked, in its order.
pub(super) fn of(rubric: &str) -> Vec<Limit> {
    let lines = lines(rubric).filter_map(|line| line.strip_prefix("- "));
    lines.flat_map(|line| line.split(", ").filter_map(clause).collect::<Vec<_>>()).collect()
}

/// The lines of the section that says the limits.
pub(in crate::review) fn lines(rubric: &str) -> impl Iterator<Item = &str> {
    let after = rubric.lines().skip_while(|line| line.trim() != SECTION).skip(1);
    after.take_while(|line| !line.starts_with('#')).map(str::trim).filter(|line| !line.is_empty())
}

fn clause(text: &str) -> Option<Limit> {
    let text = text.trim().trim_end_matches('.').to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.parse().ok();
    Some(match words.as_slice() {
        ["at", "most", n, "characters"] => Limit::MostCharacters(number(n)?),
        ["at", "least", n, "characters"] => Limit::LeastCharacters(number(n)?),
        ["at", "most", n, "items"] => Limit::MostItems(number(n)?),
        ["at", "least", n, "items"] => Limit::LeastItems(number(n)?),
        ["at", "most", n, "characters", "in", "an", "item"] => Limit::ItemCharacters(number(n)?),
        [least, "to", most, "hashtags"] => {
            Limit::Hashtags { least: number(least)?, most: number(most)? }
        }
        ["one", "line"] => Limit::OneLine,
        ["items", "separated", "by", "a", "comma", "and", "a", "space"] => Limit::List,
        ["starts", "with", "a", "capital", "letter", "or", "a", "digit"] => Limit::CapitalFirst,
        ["ends", "without", "a", "full", "stop"] => Limit::NoFullStop,
        ["lower-case", "words", "joined", "by", "single", "hyphens"] => Limit::Slug,
        _ => return None,
    })
}

impl Limit {
    /// What a text has against it: a code and what to do about it.
    pub(super) fn breach(self, text: &str) -> Option<(&'static str, String)> {
        let text = text.trim();
        let (length, items) = (text.chars().count(), || text.split(',').map(str::trim));
        let (broken, code, message) = match self {
            Self::MostCharacters(most) => (
                length > most,
                "too_long",
                format!("{length} characters, at most {most}: cut the text"),
            ),
            Self::LeastCharacters(least) => (
                length < least,
                "too_short",
                format!("{length} characters, at least {least}: say more"),
            ),
            Self::OneLine => (
                text.lines().count() > 1,
                "single_line",
                "more than one line: put it on one line".to_owned(),
            ),
            Self::Slug => {
                let form = "no slug: write lower-case letters and digits joined by single hyphens";
                (!is_slug(text), "form", form.to_owned())
            }
            Self::CapitalFirst => {
                let first = text.chars().find(|c| c.is_alphanumeric());
                let message = "starts with a lower-case letter: start with a capital or a digit";
                (first.is_some_and(char::is_lowercase), "form", message.to_owned())
            }
            Self::NoFullStop => {
                (text.ends_with('.'), "form", "ends with a full stop: take it away".to_owned())
            }
            Self::List => {
                let empty = items().any(str::is_empty);
                (empty, "form", "an empty item: separate items by one comma".to_owned())
            }
            Self::MostItems(most) => {
                let n = items().count();
                (n > most, "too_many_items", format!("{n} items, at most {most}: keep the best"))
            }
            Self::LeastItems(least) => {
                let n = items().count();
                (n < least, "too_few_items", format!("{n} items, at least {least}: add some"))
            }
            Self::ItemCharacters(most) => {
                let long = items().find(|item| item.chars().count() > most).unwrap_or_default();
                let message =
                    format!("{long:?} is longer than {most} characters: shorten or drop it");
                (!long.is_empty(), "long_item", message)
            }
            Self::Hashtags { least, most } => {
                let n = text.split_whitespace().filter(|word| is_hashtag(word)).count();
                let message =
                    format!("{n} hashtags, wanted {least} to {most}: add or drop hashtags");
                (n < least || n > most, "hashtags", message)
            }
        };
        broken.then_some((code, message))
    }
}

fn is_slug(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.split('-').all(|part| !part.is_empty() && part.chars().all(plain))
}

/// `#bread`, and neither `#` nor `C#`.
fn is_hashtag(word: &str) -> bool {
    word.strip_prefix('#').is_some_and(|tag| tag.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{brief::Templates, model::AssetId};

    fn limits(kind: &str) -> Vec<Limit> {
        of(Templates::built_in().unwrap().kind(&AssetId::parse(kind).unwrap()).body())
    }

    fn codes(kind: &str, text: &str) -> Vec<&'static str> {
        limits(kind)
            .into_iter()
            .filter_map(|limit| limit.breach(text))
            .map(|(code, _)| code)
            .collect()
    }

    #[test]
    fn the_limits_of_our_rubrics_are_read_whole() {
        use Limit::*;
        for (kind, expected) in [
            ("slug", vec![OneLine, Slug, LeastCharacters(5), MostCharacters(60)]),
            (
                "title_seo",
                vec![OneLine, CapitalFirst, NoFullStop, LeastCharacters(12), MostCharacters(60)],
            ),
            (
                "audio_tags",
                vec![
                    OneLine,
                    List,
                    LeastItems(3),
                    MostItems(10),
                    ItemCharacters(35),
                    MostCharacters(255),
                ],
            ),
            (
                "linkedin",
                vec![Hashtags { least: 3, most: 5 }, LeastCharacters(300), MostCharacters(3000)],
            ),
            ("shownotes", vec![LeastCharacters(400), MostCharacters(20000)]),
            ("no_such_kind", vec![]),
        ] {
            assert_eq!(limits(kind), expected, "{kind}");
        }
    }

    #[test]
    fn each_limit_holds_at_its_edge_and_breaks_beyond_it() {
        let tags = |n: usize| (1..=n).map(|n| format!("tag {n}")).collect::<Vec<_>>().join(", ");
        for (kind, text, expected) in [
            ("slug", "a".repeat(60), vec![]),
            ("slug", "a".repeat(61), vec!["too_long"]),
            ("slug", "abcd".into(), vec!["too_short"]),
            ("slug", "a--bcd".into(), vec!["form"]),
            ("slug", "über-uns".into(), vec!["form"]),
            ("slug", "one-slug\ntwo-slugs".into(), vec!["single_line", "form"]),
            ("title_seo", "ü".repeat(60), vec!["form"]),
            ("title_seo", "Ü".repeat(60), vec![]),
            ("title_seo", "パンを焼く人たちの長い話です".into(), vec![]),
            ("title_seo", "Bread and its bakers.".into(), vec!["form"]),
            ("audio_tags", tags(10), vec![]),
            ("audio_tags", tags(11), vec!["too_many_items"]),
            ("audio_tags", tags(2), vec!["too_few_items"]),
            ("audio_tags", format!("{}, {}", tags(3), "x".repeat(36)), vec!["long_item"]),
            ("audio_tags", format!("{},, x", tags(3)), vec!["form"]),
            ("mastodon", format!("{} # C# #bread", "x".repeat(100)), vec![]),
            ("mastodon", "x".repeat(100), vec!["hashtags"]),
        ] {
            assert_eq!(codes(kind, &text), expected, "{kind}: {text}");
        }
    }

    #[test]
    fn a_line_in_other_words_is_no_limit_of_ours() {
        let rubric = "At most 3 characters.\n## Limits\n- At most many characters.\n- A title of at most 9 characters.\n\
                      - At most 80 characters.\n\n## More\n- At most 7 characters.\n";
        assert_eq!(of(rubric), [Limit::MostCharacters(80)]);
    }
}

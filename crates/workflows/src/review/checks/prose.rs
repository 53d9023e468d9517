//! A text without what is no prose: addresses, code, tags, handles and hashtags.
//!
//! Invariant: what is left stands in its line and order, and a mark stands where something was taken out, so
//! that no two words meet that were apart.
//! Absent here: what is looked for in it.

/// Stands where something was taken out; no letter, no blank, no punctuation.
const TAKEN: char = '\u{fffc}';

/// The text's prose.
pub(super) fn prose(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, None) => without_code(line, &mut kept),
            (None, Some(opened)) => fence = Some(opened),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
        }
        if fence.is_some() || mark.is_some() {
            kept.push_str(&format!("{TAKEN}\n"));
        }
    }
    kept
}

/// Takes `code spans` out of a line, then all else.
fn without_code(line: &str, kept: &mut String) {
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        let ticks = from.len() - from.trim_start_matches('`').len();
        let (mark, inside) = from.split_at(ticks);
        let Some(end) = inside.find(mark) else { break };
        without_addresses(before, kept);
        kept.push(TAKEN);
        rest = inside.get(end + ticks..).unwrap_or_default();
    }
    without_addresses(rest, kept);
}

/// Takes tags and the targets of links out, and every word that is an address, a handle or a hashtag.
fn without_addresses(text: &str, kept: &mut String) {
    let mut rest = text;
    while let Some((start, end)) = bracketed(rest) {
        words(&rest[..start], kept);
        kept.push(TAKEN);
        rest = &rest[end..];
    }
    words(rest, kept);
}

/// The first `<tag>`, `<https://…>` or `](target)`.
fn bracketed(text: &str) -> Option<(usize, usize)> {
    text.match_indices(['<', '(']).find_map(|(start, open)| {
        let inside = &text[start + 1..];
        let begins = match open {
            "<" => inside.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!'),
            _ => text[..start].ends_with(']'),
        };
        let close = if open == "<" { '>' } else { ')' };
        let end = inside.find(close).filter(|_| begins)?;
        Some((start, start + 1 + end + 1))
    })
}

fn words(text: &str, kept: &mut String) {
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_start_matches(|c: char| "([{\"'“‘„«*_".contains(c));
        let taken = bare.starts_with(['#', '@'])
            && bare.chars().nth(1).is_some_and(char::is_alphanumeric)
            || is_address(bare.trim_end());
        match taken {
            true => {
                kept.push(TAKEN);
                kept.extend(word.chars().next_back().filter(|c| c.is_whitespace()));
            }
            false => kept.push_str(word),
        }
    }
}

/// `https://…`, `www.…`, `a@b.c`, `host.tld/path`, `folder/file.ext`; no `and/or`, no `Node.js`.
fn is_address(word: &str) -> bool {
    let dotted = |part: &str| {
        let part = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        part.split_once('.').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
    };
    let mail = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && dotted(host));
    let path = word.contains('/') && word.split('/').any(dotted);
    word.contains("://") || word.starts_with("www.") || mail || path
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn what_is_no_prose_is_taken_out() {
        for (text, left) in [
            ("see https://github.com/x now", "see * now"),
            ("see (https://github.com/x), now", "see * now"),
            ("run `github --x` now", "run * now"),
            ("run ``a ` b`` now", "run * now"),
            ("[the page](github.com/x) is", "[the page]* is"),
            ("a <b class=\"github\">word</b>.", "a *word*."),
            ("ask me@github.com or @github #github", "ask * or * *"),
            ("at github.com/a or and/or Node.js", "at * or and/or Node.js"),
            ("a\n```\ngithub\n```\nb", "a\n*\n*\n*\nb"),
            ("5 < 6 (yes) # heading", "5 < 6 (yes) # heading"),
            ("a ` tick", "a ` tick"),
        ] {
            assert_eq!(prose(text).replace('\u{fffc}', "*"), left, "{text}");
        }
    }
}

//! Words of a text, and the forms under which two spellings count as one word.
//!
//! Invariant: every function is pure and total. Absent here: word lists, counting, ranking.

/// The words of `text` as written, without the punctuation around them.
///
/// Hyphens, dots and apostrophes inside a word stay: `event-driven`, `Node.js`, `don't`.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(trim_word).filter(|word| !word.is_empty())
}

/// `word` without punctuation at its ends; the dot of `.io` and `.NET` stays.
pub(crate) fn trim_word(word: &str) -> &str {
    let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let inner = bare.trim_start_matches(|c: char| !c.is_alphanumeric());
    let dotted = bare.len() == inner.len() + 1 && bare.starts_with('.') && !inner.is_empty();
    if dotted { bare } else { inner }
}

/// Lower case with a straight apostrophe.
pub(crate) fn lower(word: &str) -> String {
    word.chars().map(|c| if c == '’' { '\'' } else { c }).flat_map(char::to_lowercase).collect()
}

/// The lower-case words of `text` between single spaces, with a space at either end, so that
/// ` you know ` is found on word boundaries only.
pub(crate) fn padded(text: &str) -> String {
    let mut line = String::from(" ");
    for word in words(text) {
        line.push_str(&lower(word));
        line.push(' ');
    }
    line
}

/// One form for singular, plural and possessive: `games`, `Game's` and `game` fold to `game`.
pub(crate) fn fold(word: &str) -> String {
    let acronym = word
        .strip_suffix('s')
        .filter(|stem| stem.chars().all(char::is_uppercase) && stem.len() > 1);
    let mut word = lower(acronym.unwrap_or(word));
    if let Some(stem) = word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')) {
        word = stem.to_owned();
    }
    singular(word.trim_start_matches('.'))
}

fn singular(word: &str) -> String {
    let long = word.chars().count() > 4;
    if long && let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let sibilant = ["sses", "shes", "ches", "xes", "zes"].iter().any(|end| word.ends_with(end));
    if long && sibilant {
        return word.trim_end_matches("es").to_owned();
    }
    let kept = ["ss", "us", "is", "as", "os"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix('s') {
        Some(stem) if !kept && word.chars().count() > 3 => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// The alphanumeric parts of `text`, lower case and without the accents of Western European
/// letters: `Event-Driven` is `event`, `driven`.
pub(crate) fn parts(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .map(|part| lower(part).replace('\'', ""))
        .map(|part| part.chars().flat_map(plain_letter).collect::<String>())
        .filter(|part| !part.is_empty())
        .collect()
}

/// The ASCII letters that stand for `c`, or `c` itself.
fn plain_letter(c: char) -> Vec<char> {
    let plain = match c {
        'à' | 'á' | 'â' | 'ã' | 'å' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'è' | 'é' | 'ê' | 'ë' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ñ' | 'ń' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' => "o",
        'ö' | 'œ' => "oe",
        'ù' | 'ú' | 'û' => "u",
        'ü' => "ue",
        'ý' | 'ÿ' => "y",
        'š' | 'ś' => "s",
        'ž' | 'ź' | 'ż' => "z",
        'ł' => "l",
        'ß' => "ss",
        _ => return vec![c],
    };
    plain.chars().collect()
}

/// Whether the first letter is upper case.
pub(crate) fn is_capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Whether an upper-case letter or a digit stands behind the first letter: `GraphQL`, `NVIDIA`, `D3`.
pub(crate) fn has_inner_capital(word: &str) -> bool {
    word.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit())
}

/// `items` joined as in a sentence: `a`, `a and b`, `a, b and c`.
pub(crate) fn enumerate<S: AsRef<str>>(items: &[S]) -> String {
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push_str(if index + 1 == items.len() { " and " } else { ", " });
        }
        text.push_str(item.as_ref());
    }
    text
}

/// `text` with every run of white space as one space, and none at its ends.
pub(crate) fn one_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

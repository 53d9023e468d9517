//! Character references of XML and HTML: `&amp;`, `&#74;`, `&#x4a;`.
//!
//! Invariant: what is no reference stays as it is. Absent: names beyond XML's five and the blank of HTML.

/// The text with its references resolved.
pub(crate) fn resolved(value: &str) -> String {
    let mut text = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('&') {
        text.push_str(before);
        let reference =
            after.split_once(';').and_then(|(name, next)| Some((character(name)?, next)));
        match reference {
            Some((c, next)) => {
                text.push(c);
                rest = next;
            }
            None => {
                text.push('&');
                rest = after;
            }
        }
    }
    text + rest
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

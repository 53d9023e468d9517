//! Which characters are not seen, or change how others are seen.
//!
//! Invariant: every bidirectional control of Unicode is hidden, whatever is shown where.
//! Absent here: what takes their place; line ends and tabs are hidden too, and whoever wants them keeps them.

/// Whether the character is a control, a bidirectional control, a tag, or not to be seen by any reader. Joiners are
/// not among them: emoji and some scripts need them.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(c, '\u{2028}' | '\u{2029}');
    let unseen = matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let marks =
        matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}');
    c.is_control() || turns || breaks || unseen || marks
}

/// Whether the character joins or parts its neighbours without being seen. A terminal shows no joiner that a text
/// could hide behind.
#[must_use]
pub fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that have the property `Bidi_Control` (PropList.txt of Unicode 16).
    const BIDI_CONTROL: [char; 12] = [
        '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}',
        '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
    ];

    #[test]
    fn every_bidirectional_control_tag_and_soft_hyphen_is_hidden() {
        let tags = '\u{e0000}'..='\u{e007f}';
        for c in BIDI_CONTROL.into_iter().chain(tags).chain(['\u{ad}', '\u{7}', '\u{9b}']) {
            assert!(is_hidden(c), "{c:?}");
        }
    }

    #[test]
    fn letters_signs_joiners_and_blanks_are_not() {
        for c in "aé字🙂 \u{a0}\u{200c}\u{200d}\u{fe0f}\u{301}".chars() {
            assert!(!is_hidden(c), "{c:?}");
        }
    }
}

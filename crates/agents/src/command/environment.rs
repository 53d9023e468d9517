//! The environment that a program sees: what it needs to run, and what its configuration names.
//!
//! Invariant: a variable that is neither on the list nor named stays with us; keys of other agents above all.
//! Absent here: the mark by which a call's processes are known.

use std::ffi::{OsStr, OsString};

/// Every program sees these, and whatever begins with `LC_`.
const ALWAYS: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// No colours and no cursor movements: what is read is text.
const SET: [(&str, &str); 2] = [("TERM", "dumb"), ("NO_COLOR", "1")];

/// The variables of ours that a program with these named ones sees.
pub(super) fn environment(
    named: &[String],
    ours: impl IntoIterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let seen = |name: &OsStr| {
        name.to_str().is_some_and(|name| {
            ALWAYS.contains(&name)
                || name.starts_with("LC_")
                || named.iter().any(|known| known == name)
        })
    };
    let passed = ours.into_iter().filter(|(name, _)| seen(name));
    // Later entries win, so ours come last.
    passed.chain(SET.map(|(name, value)| (name.into(), value.into()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_on_the_list_or_named_is_seen() {
        let ours = [
            ("PATH", "/bin"),
            ("LC_ALL", "C.UTF-8"),
            ("OPENAI_API_KEY", "sk-other"),
            ("ANTHROPIC_API_KEY", "sk-own"),
            ("SSH_AUTH_SOCK", "/run/agent"),
            ("TERM", "xterm-256color"),
            ("LD_PRELOAD", "/lib/odd.so"),
        ];
        let ours = ours.map(|(name, value)| (name.into(), value.into()));
        let seen = environment(&["ANTHROPIC_API_KEY".into()], ours);
        let seen: Vec<_> = seen.iter().map(|(name, _)| name.to_str().unwrap()).collect();
        assert_eq!(seen, ["PATH", "LC_ALL", "ANTHROPIC_API_KEY", "TERM", "NO_COLOR"]);
    }
}

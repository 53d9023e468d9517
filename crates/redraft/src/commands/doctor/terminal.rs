//! The terminal and its language setting.

use super::check::Check;
use std::{env, io::IsTerminal};

pub(super) fn checks() -> Vec<Check> {
    let shown = std::io::stdout().is_terminal();
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    vec![terminal(shown, variable("TERM").as_deref()), locale_check(shown, locale.as_deref())]
}

fn terminal(shown: bool, kind: Option<&str>) -> Check {
    match (shown, kind) {
        (false, _) => {
            Check::ok("terminal", "none: the output goes elsewhere, without colour and progress")
        }
        (true, None | Some("dumb")) => {
            let fix = "set TERM, for example to xterm-256color, for colour and progress";
            Check::note("terminal", "one without abilities", fix)
        }
        (true, Some(kind)) => Check::ok("terminal", kind),
    }
}

fn locale_check(shown: bool, locale: Option<&str>) -> Check {
    let utf8 = locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    let fix = "set LANG, for example to C.UTF-8: texts are UTF-8 and may look broken otherwise";
    let found = locale.unwrap_or("not set");
    match (utf8, shown) {
        (true, _) => Check::ok("locale", found),
        (false, true) => Check::warning("locale", found, fix),
        (false, false) => Check::note("locale", found, fix),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::check::State, *};

    #[test]
    fn a_locale_that_is_not_utf_8_matters_on_a_terminal() {
        assert_eq!(locale_check(true, Some("de_DE.UTF-8")).state, State::Ok);
        assert_eq!(locale_check(true, Some("C.utf8")).state, State::Ok);
        assert_eq!(locale_check(true, Some("POSIX")).state, State::Warning);
        assert_eq!(locale_check(false, None).state, State::Note);
    }

    #[test]
    fn a_terminal_is_named() {
        assert_eq!(terminal(true, Some("xterm")).found, "xterm");
        assert_eq!(terminal(true, Some("dumb")).state, State::Note);
        assert_eq!(terminal(false, None).state, State::Ok);
    }
}

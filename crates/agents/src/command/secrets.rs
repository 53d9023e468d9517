//! The values that a program was trusted with: they are taken out of whatever it says.
//!
//! Invariant: a text that was cleaned holds none of them. Nothing here shows one, debug output neither.
//! Absent here: which variables a program sees, and disguises: a program can write a value in another form.

use redraft_loop::Served;
use std::{ffi::OsString, fmt};

/// Values with fewer characters are words and numbers, and no keys.
const SHORTEST: usize = 8;

/// Variables that are settings and not secrets, though a program is handed them by name: their values are folders,
/// places and words that a message or a good reply may well hold.
const SETTINGS: [&str; 16] = [
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "TERM",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "NO_PROXY",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "XDG_CONFIG_HOME",
];

/// Names and values, the longest value first, so that one within another does not spoil it.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<(String, String)>);

impl Secrets {
    /// The values of these named variables of ours. Of a value of several lines each line counts.
    pub(super) fn of(
        named: &[String],
        ours: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let texts = ours.into_iter().filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let is_secret = named.contains(&name) && !SETTINGS.contains(&name.as_str());
            is_secret.then(|| (name, value.to_string_lossy().into_owned()))
        });
        let mut known = Vec::new();
        for (name, value) in texts {
            let lines = value.lines().map(str::trim);
            let long = lines.filter(|line| line.chars().count() >= SHORTEST);
            known.extend(long.map(|line| (name.clone(), line.to_owned())));
        }
        known.sort_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        Self(known)
    }

    /// The variable whose value stands in the text.
    pub(super) fn found_in(&self, text: &str) -> Option<&str> {
        let mut known = self.0.iter();
        known.find(|(_, value)| text.contains(value)).map(|(name, _)| name.as_str())
    }

    /// The text with the name of the variable for each value.
    pub(super) fn clean(&self, text: &str) -> String {
        let replace = |text: String, (name, value): &(String, String)| {
            text.replace(value, &format!("[{name}]"))
        };
        self.0.iter().fold(text.to_owned(), replace)
    }

    /// What is told about who answered, cleaned.
    pub(super) fn clean_served(&self, served: Served) -> Served {
        let clean = |text: Option<String>| text.map(|text| self.clean(&text));
        let Served { model, request, finish } = served;
        Served { model: clean(model), request: clean(request), finish: clean(finish) }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(ours: &[(&str, &str)]) -> Secrets {
        let named: Vec<_> = ours.iter().map(|(name, _)| (*name).to_owned()).collect();
        Secrets::of(&named, ours.iter().map(|(name, value)| (name.into(), value.into())))
    }

    #[test]
    fn a_value_is_shown_by_its_name_and_one_within_another_does_not_spoil_it() {
        let secrets = secrets(&[("INNER", "canary-1"), ("OUTER", "sk-canary-123\n")]);
        assert_eq!(secrets.clean("a sk-canary-123, b canary-1"), "a [OUTER], b [INNER]");
        assert_eq!(secrets.found_in("xcanary-1x"), Some("INNER"));
        assert_eq!(format!("{secrets:?}"), r#"["OUTER", "INNER"]"#);
    }

    #[test]
    fn short_values_settings_and_variables_that_are_not_named_are_left_alone() {
        let ours = [("SHORT", "1234567"), ("GOOGLE_CLOUD_LOCATION", "us-central1")];
        let text = "1234567 in us-central1";
        assert_eq!(secrets(&ours).clean(text), text);
        let unnamed = Secrets::of(&[], [("KEY".into(), "sk-canary".into())]);
        assert_eq!(unnamed.found_in("sk-canary"), None);
    }

    #[test]
    fn each_line_of_a_value_counts() {
        let secrets = secrets(&[("PEM", "-----BEGIN-----\n  middle0line0of0it\n-----END-----\n")]);
        assert_eq!(secrets.clean("read middle0line0of0it"), "read [PEM]");
    }
}

//! The script that ships with the program: one review asks for more, the next one agrees.
//!
//! Absent here: any work on the text; see the offline agent for that.

use super::Script;
use serde_json::{Value, json};

/// The built-in script for one asset: `changes_requested` first, then a line `Revision 2`, `ok` and done.
/// The opening words of the transcript stand in the text.
fn builtin(asset: &str, opening: &str) -> Value {
    let first = match asset {
        "slug" => "demo-episode\n".to_owned(),
        _ => {
            let title = asset.replace('_', " ");
            format!(
                "# Demo: {title}\n\nThe episode begins with these words:\n\n> {}\n",
                opening.trim()
            )
        }
    };
    let second = format!("{first}\nRevision 2\n");
    let issue = json!({"severity": "error", "message": "add more detail"});
    json!([
        {"creator": {"done": false, "candidate": {"content": first}}},
        {"review": {"verdict": "changes_requested", "reviewer": "reviewer_a", "issues": [issue]}},
        {"creator": {"done": true, "candidate": {"content": second}}},
        {"review": {"verdict": "ok", "reviewer": "reviewer_a"}},
    ])
}

impl Script {
    /// The built-in script for these assets.
    ///
    /// # Errors
    /// Never for the script that ships; the type is that of any script.
    pub fn builtin<'a>(
        assets: impl IntoIterator<Item = &'a str>,
        opening: &str,
    ) -> Result<Self, super::ScriptError> {
        let each = assets.into_iter().map(|asset| (asset.to_owned(), builtin(asset, opening)));
        Self::from_value(Value::Object(each.collect()))
    }
}

//! Podcasting 2.0 JSON chapters.
//!
//! The format: <https://github.com/Podcastindex-org/podcast-namespace/blob/main/chapters/jsonChapters.md>.
//! Invariant: each refusal names its JSON path; fields that are not used here (`img`, `url`,
//! `location` …) are left alone. Absent: chapters with `"toc": false`, which players do not show.

use serde_json::Value;

use super::{ChapterError, Found, refusal};

/// The chapters of a JSON file.
pub(super) fn read(text: &str) -> Result<Vec<Found>, ChapterError> {
    let document: Value = serde_json::from_str(text)?;
    let version = document.get("version").map(|version| version.as_str().unwrap_or_default());
    if version.is_some_and(|version| version != "1" && !version.starts_with("1.")) {
        return Err(refusal(
            "version",
            "expected \"1.2.0\" or another 1.x; export the chapters as that",
        ));
    }
    let list = document.get("chapters").and_then(Value::as_array);
    let list = list.ok_or_else(|| refusal("chapters", "expected a list of chapters; add it"))?;
    let shown =
        list.iter().enumerate().filter(|(_, one)| one.get("toc") != Some(&Value::Bool(false)));
    shown.map(|(at, one)| chapter(one, &format!("chapters[{at}]"))).collect()
}

fn chapter(one: &Value, path: &str) -> Result<Found, ChapterError> {
    let start_place = format!("{path}.startTime");
    let end_place = format!("{path}.endTime");
    let title_place = format!("{path}.title");
    let start_sec = one.get("startTime").and_then(Value::as_f64);
    let start_sec =
        start_sec.ok_or_else(|| refusal(&start_place, "expected seconds as a number; add it"))?;
    let end_sec = match one.get("endTime") {
        None | Some(Value::Null) => None,
        Some(end) => {
            let end = end.as_f64();
            Some(end.ok_or_else(|| {
                refusal(&end_place, "expected seconds as a number; correct it or leave it out")
            })?)
        }
    };
    let title = one.get("title").and_then(Value::as_str);
    let title = title.ok_or_else(|| {
        refusal(&title_place, "expected text; add a title, or set \"toc\": false")
    })?;
    Ok(Found { title_place, start_place, end_place, title: title.to_owned(), start_sec, end_sec })
}

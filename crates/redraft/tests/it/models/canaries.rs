//! Keys appear nowhere but in the one header that they are for.

use super::{KEY, command, studio};
use crate::provider::{Does, Provider, honest};
use std::{fs, path::Path};

fn search(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            search(&path, found);
            continue;
        }
        let bytes = fs::read(&path).unwrap_or_default();
        if bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
}

#[test]
fn a_key_is_in_no_byte_that_is_written_or_printed_and_in_one_header_that_is_sent() {
    let provider = Provider::new(|seen| match (seen.model(), seen.nth) {
        // A provider that tells the key back in its error.
        ("writer", 0) => Does::Fails(500, vec![], format!("{{\"error\":\"bad key {KEY}\"}}")),
        ("writer", 1) => {
            Does::Fails(302, vec![("location", "http://127.0.0.1:9/".into())], String::new())
        }
        _ => Does::Says(honest(seen)),
    });
    let sandbox = studio(&provider, "");
    let mut told = String::new();
    for words in [
        "podcast review -w w --asset-id talk --json",
        "podcast review -w w --asset-id talk",
        "runs list -w w",
        "runs cost -w w --json",
        "podcast status -w w --json",
        "config show --origin",
        "config show --json",
        "doctor",
        "doctor --json",
    ] {
        let output = command(&sandbox, words).output().unwrap();
        told.push_str(&String::from_utf8_lossy(&output.stdout));
        told.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    let run = sandbox.json("runs list -w w")["runs"][0]["run_id"].as_str().unwrap().to_owned();
    told.push_str(&sandbox.expect(0, &format!("runs show -w w {run} --json")).out);
    assert!(!told.contains(KEY), "printed: {told}");
    let mut found = Vec::new();
    search(sandbox.path(), &mut found);
    assert_eq!(found, Vec::<String>::new(), "written");
    let requests = provider.seen();
    assert!(requests.len() > 2);
    for seen in requests {
        assert!(!seen.body.to_string().contains(KEY) && !seen.path.contains(KEY), "{seen:?}");
        let with: Vec<&str> = seen
            .headers
            .iter()
            .filter(|(_, value)| value.contains(KEY))
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(with, ["authorization"]);
    }
}

//! Malformed files of a workspace: 2 for what the user gave, 6 for what a program wrote.

use crate::{
    sandbox::Sandbox,
    scene::{refused, workspace},
    strangers::{Stranger, YAML},
};
use serde_json::{Value, json};

const YAML_FILE: &str = "episode.yaml";
const STATE: &str = "state.json";
const PROTOCOL: &str = "copy/protocol/description/state.json";
const REVIEW: &str = "podcast review -w w --fake-runner --asset-id description";
const STATUS: &str = "podcast status -w w";

/// The document in a foreign workspace; every command refuses it with these words.
fn check(path: &str, bytes: impl AsRef<[u8]>, told: &[&str]) {
    let sandbox = Stranger::open().build();
    sandbox.write(&format!("w/{path}"), bytes);
    let code = if path == YAML_FILE { 2 } else { 6 };
    let place = format!("w/{path}");
    for words in [REVIEW, STATUS] {
        refused(&sandbox, code, words, &[&[place.as_str()], told].concat());
    }
    assert!(!sandbox.join("w/.redraft").exists(), "{path}: a home was made");
}

fn compact(path: &str) -> String {
    let Stranger { state, protocol } = Stranger::open();
    match path {
        YAML_FILE => YAML.to_owned(),
        STATE => state.to_string(),
        _ => protocol.to_string(),
    }
}

/// Every truncation is refused; a part of the file is no smaller file.
fn truncate(path: &str) {
    let sandbox = Stranger::open().build();
    let whole = compact(path);
    let code = if path == YAML_FILE { 2 } else { 6 };
    let cut = if path == YAML_FILE { whole.trim_end().len() } else { whole.len() };
    for length in 0..cut {
        sandbox.write(&format!("w/{path}"), &whole.as_bytes()[..length]);
        let before = sandbox.files(".");
        let ended = sandbox.expect(code, STATUS);
        assert!(ended.err.contains(&format!("w/{path}: ")), "{length} bytes: {}", ended.err);
        assert!(sandbox.files(".") == before, "{length} bytes");
    }
    sandbox.write(&format!("w/{path}"), whole);
    sandbox.expect(0, STATUS);
}

#[test]
fn an_episode_yaml_that_is_cut_off_anywhere_is_refused() {
    truncate(YAML_FILE);
}

#[test]
fn a_state_json_that_is_cut_off_anywhere_is_refused() {
    truncate(STATE);
}

#[test]
fn a_protocol_that_is_cut_off_anywhere_is_refused() {
    truncate(PROTOCOL);
}

#[test]
fn no_text_at_all_is_refused_in_each_document() {
    for path in [YAML_FILE, STATE, PROTOCOL] {
        check(path, b"", &[]);
        check(path, b"\0", &[]);
        check(path, b"\xff\xfe", &["not UTF-8 from byte 0"]);
        let mut invalid = compact(path).into_bytes();
        invalid[20] = 0xff;
        check(path, &invalid, &["not UTF-8 from byte 20"]);
        let mut nul = compact(path).into_bytes();
        nul[20] = 0;
        check(path, &nul, &[]);
    }
    for path in [STATE, PROTOCOL] {
        let twice = format!("{0}{0}", compact(path));
        check(path, &twice, &["trailing characters"]);
        for (shape, told) in
            [("[]", "invalid"), ("7", "expected"), ("null", "expected"), ("{}", "missing field")]
        {
            check(path, shape, &[told]);
        }
    }
    for shape in ["[]", "7", "just words", "{}", "a: [", "\tx: 1"] {
        check(YAML_FILE, shape, &[]);
    }
}

#[test]
fn another_version_is_named_before_its_fields() {
    check(
        YAML_FILE,
        "schema_version: 2\nepisode: 7\n",
        &["Unsupported schema_version 2; expected 1"],
    );
    for version in [0, 2] {
        let told = format!("Unsupported schema_version {version}; expected 1");
        check(STATE, json!({"schema_version": version, "new": 1}).to_string(), &[&told]);
        let yaml = YAML.replace("schema_version: 1", &format!("schema_version: {version}"));
        check(YAML_FILE, yaml, &[&told]);
        let told = format!("Unsupported version {version}; expected 1");
        check(PROTOCOL, json!({"version": version, "new": 1}).to_string(), &[&told]);
    }
}

/// `state.json` after a change is refused with these words.
fn state(told: &[&str], change: impl FnOnce(&mut Value)) {
    let mut state = Stranger::open().state;
    change(&mut state);
    check(STATE, state.to_string(), told);
}

/// The protocol after a change is refused with these words.
fn protocol(told: &[&str], change: impl FnOnce(&mut Value)) {
    let mut protocol = Stranger::open().protocol;
    change(&mut protocol);
    check(PROTOCOL, protocol.to_string(), told);
}

#[test]
fn unknown_keys_are_refused_with_their_path_and_the_expected_fields() {
    state(&["unknown field `extra`", "`episode_id`"], |s| s["extra"] = json!(1));
    state(&["assets[0]", "unknown field `extra`", "`candidates`"], |s| {
        s["assets"][0]["extra"] = json!(1);
    });
    state(&["assets[0].candidates[0]", "unknown field `extra`", "`content`"], |s| {
        s["assets"][0]["candidates"][0]["extra"] = json!(1);
    });
    state(&["assets[0].reviews[0].issues[0]", "unknown field `extra`"], |s| {
        s["assets"][0]["reviews"][0]["issues"][0]["extra"] = json!(1);
    });
    protocol(&["unknown field `extra`", "`max_iterations`"], |p| p["extra"] = json!(1));
    protocol(&["iterations[0].reviewer", "unknown field `extra`"], |p| {
        p["iterations"][0]["reviewer"]["extra"] = json!(1);
    });
}

#[test]
fn broken_rules_of_the_model_are_refused_with_their_path() {
    let asset = "assets[0]";
    state(&["assets[0].candidates[0].format", "markdown"], |s| {
        s["assets"][0]["candidates"][0]["format"] = json!("rtf");
    });
    state(&["candidates[0].candidate_id"], |s| {
        s["assets"][0]["candidates"][0]["candidate_id"] = json!("7");
    });
    state(&["asset_id must match ^[a-z][a-z0-9_]*$"], |s| {
        s["assets"][0]["asset_id"] = json!("../evil");
    });
    state(&["assets[0].kind"], |s| s["assets"][0]["kind"] = json!("slug"));
    state(&[asset, "selected_candidate_id"], |s| {
        s["assets"][0]["selected_candidate_id"] = json!("00000000-0000-4000-8000-000000000000");
    });
    state(&["assets[0].reviews[0].verdict", "ok together with an error"], |s| {
        s["assets"][0]["reviews"][0]["verdict"] = json!("ok");
    });
    state(&["assets[0].candidates[1].candidate_id", "used twice"], |s| {
        let candidate = s["assets"][0]["candidates"][0].clone();
        s["assets"][0]["candidates"].as_array_mut().unwrap().push(candidate);
    });
    state(&["assets[1]", "description"], |s| {
        let asset = s["assets"][0].clone();
        s["assets"].as_array_mut().unwrap().push(asset);
    });
    state(&["chapters"], |s| {
        s["chapters"] = json!([{"title": "a", "start_sec": 5.0}, {"title": "b", "start_sec": 5.0}]);
    });
    state(&["chapters[0]"], |s| {
        s["chapters"] = json!([{"title": "a", "start_sec": 5.0, "end_sec": 5.0}]);
    });
    state(&["tracks"], |s| {
        s["tracks"] = json!([{"track_id": "a", "path": "x"}, {"track_id": "a", "path": "y"}]);
    });
    state(&["episode_id"], |s| s["episode_id"] = json!("../x"));
    state(&["created_at"], |s| s["created_at"] = json!("yesterday"));
}

#[test]
fn broken_rules_of_the_protocol_are_refused_with_their_path() {
    protocol(&["iterations"], |p| {
        let again = p["iterations"][0].clone();
        p["iterations"].as_array_mut().unwrap().push(again);
    });
    protocol(&["iterations[0]"], |p| p["iterations"][0]["iteration"] = json!(0));
    protocol(&["iterations[0]", "description"], |p| p["asset_id"] = json!("slug"));
    protocol(&["asset_id: must be description, not slug"], |p| {
        (p["asset_id"], p["iterations"]) = (json!("slug"), json!([]));
    });
    protocol(&["iterations[0]", "asset_id"], |p| {
        p["iterations"][0]["creator"]["candidate"]["asset_id"] = json!("Slug");
    });
    protocol(&["decision.outcome"], |p| {
        p["decision"] =
            json!({"outcome": "won", "final_iteration": 1, "reason": "x", "locked_fields": []});
    });
    protocol(&["max_iterations"], |p| p["max_iterations"] = json!(-1));
    protocol(&["iterations[0].reviewer.verdict"], |p| {
        p["iterations"][0]["reviewer"]["verdict"] = json!("fine");
    });
}

#[test]
fn a_huge_nesting_is_refused_and_does_not_crash() {
    for path in [STATE, PROTOCOL] {
        check(path, "[".repeat(200_000), &[]);
        check(path, "{\"a\":".repeat(100_000), &[]);
    }
    check(YAML_FILE, "[".repeat(100_000), &[]);
    check(YAML_FILE, format!("a: &a [x]\nb: &b [*a,*a]\n{}", "c: *b\n"), &[]);
}

#[test]
fn a_workspace_without_episode_yaml_says_so_in_the_contracts_words() {
    let sandbox = Sandbox::new();
    sandbox.write("w/other.txt", "x");
    for words in [
        REVIEW,
        STATUS,
        "repair -w w",
        "podcast draft -w w --all",
        "podcast pick -w w",
        "podcast summarize -w w",
    ] {
        refused(&sandbox, 2, words, &["workspace exists but has no episode.yaml: w"]);
        refused(&sandbox, 2, &words.replace("-w w", "-w none"), &["there is no workspace at none"]);
    }
}

#[test]
fn a_broken_episode_yaml_stops_every_command_before_it_writes() {
    let sandbox = workspace();
    sandbox.write("t.md", "**Ada:** Words.\n");
    sandbox.write("w/episode.yaml", "schema_version: 1\nepisode_id: ..\n");
    for words in [
        REVIEW,
        STATUS,
        "repair -w w",
        "adopt -w w state.json",
        "podcast draft -w w --all",
        "podcast pick -w w",
        "podcast summarize -w w",
        "podcast ingest -w w --transcript t.md",
    ] {
        refused(&sandbox, 2, words, &["w/episode.yaml", "episode_id"]);
    }
}

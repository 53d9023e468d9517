//! Scripts: loud when they run dry, and when they are no scripts.

use crate::scene::{
    agrees, asked, asset, draft, expect_logged, final_draft, objects, refused, review, script,
    scripted, workspace,
};

#[test]
fn a_script_that_runs_dry_names_role_call_and_length_and_a_longer_one_goes_on() {
    let short = [draft("a\n"), objects("1")];
    let sandbox = scripted(&short);
    let words = review("description", "--max-iterations 2");
    let ended = expect_logged(&sandbox, 1, &words);
    for told in ["creator", "reply 2", "the script has 1"] {
        assert!(ended.err.contains(told), "{told}\n{}", ended.err);
    }
    assert_eq!(asset(&sandbox, "description")["candidates"].as_array().unwrap().len(), 1);
    let [one, two] = short;
    script(&sandbox, &[one, two, final_draft("b\n"), agrees()]);
    expect_logged(&sandbox, 0, &words);
    assert_eq!(asked(&sandbox).len(), 5, "two answered, one dry, two more");
}

#[test]
fn a_script_for_other_assets_says_so() {
    let sandbox = workspace();
    sandbox.write("script.json", r#"{"shownotes": []}"#);
    let ended = sandbox.expect(1, &review("description", ""));
    assert!(ended.err.contains("no replies for description"), "{}", ended.err);
}

#[test]
fn a_map_from_asset_to_replies_plays_each_asset_its_own() {
    let sandbox = workspace();
    let list = |text: &str| serde_json::json!([final_draft(text), agrees()]);
    let map = serde_json::json!({"description": list("d\n"), "shownotes": list("s\n")});
    sandbox.write("script.json", map.to_string());
    sandbox.expect(0, &review("description", "--asset-id shownotes"));
    assert_eq!(asset(&sandbox, "description")["candidates"][0]["content"], "d\n");
    assert_eq!(asset(&sandbox, "shownotes")["candidates"][0]["content"], "s\n");
}

#[test]
fn malformed_scripts_are_refused_with_path_and_place() {
    for (text, place) in [
        ("", "line 1"),
        ("[", "line 1"),
        (
            "[{\"creator\": {\"done\": true, \"candidate\": {\"content\": \"x\"}}},\n  {\"verd",
            "line 2",
        ),
        ("7", "expected a list"),
        (r#"{"description": 7}"#, "description"),
        (r#"[{"creator": {"done": true, "candidate": {"content": "x"}}}, {"review": {}}]"#, "[1]"),
        (r#"[{"creator": {"candidate": {"content": "x"}}}]"#, "[0]"),
        (r#"[{"creator": {"done": "yes", "candidate": {"content": "x"}}}]"#, "[0]"),
        (r#"[{"creator": {"done": true, "candidate": {}}}]"#, "[0]"),
        (r#"[{"actor": {}}]"#, "[0]"),
        (r#"{"description": ["no JSON"]}"#, "description[0]"),
        ("[null]", "[0]"),
    ] {
        let sandbox = workspace();
        sandbox.write("script.json", text);
        refused(&sandbox, 2, &review("description", ""), &["script.json", place]);
    }
    let sandbox = workspace();
    refused(&sandbox, 2, &review("description", ""), &["script.json"]);
    sandbox.write("script.json", b"[\xff]");
    refused(&sandbox, 2, &review("description", ""), &["script.json"]);
}

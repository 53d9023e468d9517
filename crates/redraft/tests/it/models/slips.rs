//! A mistyped asset is told before anybody is paid for it.

use super::{expect, studio};
use crate::provider::Provider;

#[test]
fn a_mistyped_asset_is_refused_with_what_was_meant() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let before = sandbox.files(".");
    for command in ["review", "draft"] {
        let words = format!("podcast {command} -w w --asset-id talk --asset-id shownote");
        let refused = expect(&sandbox, 2, &words);
        let told = "shownote: there is no such asset; did you mean `shownotes`?";
        assert!(refused.err.contains(told), "{}", refused.err);
        assert!(refused.err.contains("prompts/review/kinds/shownote.md"), "{}", refused.err);
    }
    assert!(sandbox.files(".") == before && provider.asked() == 0);
}

#[test]
fn so_is_it_by_what_only_shows_or_picks() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let commands = [
        "podcast pick -w w --asset-id shownote",
        "podcast diff -w w shownote",
        "prompts show -w w shownote",
    ];
    for words in commands {
        let refused = expect(&sandbox, 2, words);
        let told = "shownote: there is no such asset; did you mean `shownotes`?";
        assert!(refused.err.contains(told), "{words}: {}", refused.err);
    }
}

#[test]
fn the_only_run_is_not_meant_by_nothing() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 0, "podcast review -w w --asset-id talk");
    let mut command = super::command(&sandbox, "runs show -w w");
    let output = command.arg("").output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("the id of the run is empty"), "{told}");
}

#[test]
fn an_asset_of_ones_own_is_none_once_the_workspace_knows_it() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    sandbox.write("w/prompts/review/kinds/slugs.md", "<!-- version: 1 -->\nAll slugs.\n");
    expect(&sandbox, 0, "podcast review -w w --asset-id slugs");
    std::fs::remove_file(sandbox.join("w/prompts/review/kinds/slugs.md")).unwrap();
    expect(&sandbox, 0, "podcast review -w w --asset-id slugs");
    expect(&sandbox, 0, "podcast review -w w --asset-id press_release");
    let refused = expect(&sandbox, 2, "podcast review -w w --asset-id pres_release");
    assert!(refused.err.contains("did you mean `press_release`?"), "{}", refused.err);
}

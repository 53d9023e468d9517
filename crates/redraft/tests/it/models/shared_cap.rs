//! Caps that all runs of a home share: who sets, tightens, raises and lifts them, and that they hold.

mod trials;

use super::{configure, expect, studio};
use crate::provider::Provider;

const REVIEW: &str = "podcast review -w w --asset-id talk";

#[test]
fn no_configuration_raises_or_lifts_the_caps_of_a_home() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "[budget.home]\ncalls = 1\n");
    expect(&sandbox, 5, REVIEW);
    assert_eq!(provider.asked(), 1);
    for looser in ["", "[budget.home]\ncalls = 50\n"] {
        configure(&sandbox, &provider, looser);
        let ended = expect(&sandbox, 5, REVIEW);
        let told = "the home's cap of 1 call stands (redraft budget set raises it)";
        assert_eq!(ended.err.contains(told), !looser.is_empty(), "{}", ended.err);
    }
    assert_eq!(provider.asked(), 1);
    let shown = expect(&sandbox, 0, "budget set --calls 2 --tokens 90000 --usd none -w w").out;
    assert!(shown.contains("Home: calls: 1 of 2 used\nHome: tokens: 120 of 90000 used"), "{shown}");
    expect(&sandbox, 0, REVIEW);
    assert_eq!(provider.asked(), 2);
    let lifted = expect(&sandbox, 0, "budget set --calls none -w w").out;
    assert!(lifted.contains("Home: calls: 2 used, no cap"), "{lifted}");
    configure(&sandbox, &provider, "[budget.home]\ntokens = 300\n");
    expect(&sandbox, 5, "podcast review -w w --asset-id slug");
    let shown = expect(&sandbox, 0, "budget show -w w").out;
    assert!(shown.contains("Home: tokens: 240 of 300 used"), "a configuration tightens: {shown}");
    sandbox.expect(0, "verify -w w");
}

#[test]
fn a_cap_on_money_that_stands_refuses_an_unknown_price_whatever_is_configured_now() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 0, "budget set --usd 5 -w w");
    let ended = expect(&sandbox, 2, REVIEW);
    assert!(ended.err.contains("the price of writer is unknown"), "{}", ended.err);
    assert_eq!(provider.asked(), 0);
}

#[test]
fn a_budget_is_set_by_what_it_names_and_by_nothing_else() {
    let sandbox = crate::scene::workspace();
    for words in
        ["", "--calls -1", "--calls many", "--usd 1.0000001", "--tokens 9223372036854775808"]
    {
        sandbox.expect(2, &format!("budget set -w w {words}"));
    }
    sandbox.expect(2, "budget show -w elsewhere");
    let shown = sandbox.json("budget set --usd 1.5 -w w");
    assert_eq!(shown["home"][2]["cap"], 1_500_000, "{shown}");
    assert_eq!(shown["home"][0]["cap"], serde_json::Value::Null, "{shown}");
}

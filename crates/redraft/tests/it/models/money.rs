//! Tokens and money: reserved, settled, capped, shown.

use super::{expect, studio};
use crate::provider::{Does, Provider, honest};
use serde_json::Value;

const PRICES: &str = "[prices.writer]\ninput = 10.0\noutput = 100.0\n\
    [prices.critic]\ninput = 1.0\noutput = 2.0\n";
const REVIEW: &str = "podcast review -w w --asset-id talk";

fn json(sandbox: &crate::sandbox::Sandbox, words: &str) -> Value {
    serde_json::from_str(&expect(sandbox, 0, &format!("{words} --json")).out).unwrap()
}

#[test]
fn what_calls_used_is_settled_and_shown() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, PRICES);
    expect(&sandbox, 0, REVIEW);
    let cost = json(&sandbox, "runs cost -w w");
    // 100 tokens in and 20 out: 1,000 + 2,000 and 100 + 40 millionths of a dollar.
    assert_eq!(cost["total"]["spent"]["cost"], 3_140, "{cost}");
    assert_eq!(cost["total"]["spent"]["tokens"], 240, "{cost}");
    assert_eq!(cost["total"]["spent"]["unpriced"], 0, "{cost}");
    let models: Vec<&str> =
        cost["models"].as_array().unwrap().iter().map(|m| m["model"].as_str().unwrap()).collect();
    assert_eq!(models, ["critic-2026-01-01", "writer-2026-01-01"]);
    let of_home = cost["home"].as_array().unwrap();
    let used = |unit: &str| of_home.iter().find(|b| b["unit"] == unit).map(|b| b["used"].clone());
    assert_eq!((used("calls"), used("tokens")), (Some(2.into()), Some(240.into())), "{cost}");
    assert_eq!(used("microdollars"), Some(3_140.into()), "{cost}");
    let told = expect(&sandbox, 0, "runs cost -w w").out;
    assert!(told.contains("Total: 2 calls, 240 tokens, $0.00314"), "{told}");
}

#[test]
fn a_cap_on_money_stops_before_the_call_that_might_exceed_it() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, PRICES);
    // A writer's call may cost 1,000 tokens out at $100 a million: $0.10 and its prompt.
    let ended = expect(&sandbox, 5, &format!("{REVIEW} --max-usd 0.05"));
    assert!(
        ended.err.contains("of this run are used, and the next call may cost"),
        "{}",
        ended.err
    );
    assert_eq!(provider.asked(), 0);
    expect(&sandbox, 0, &format!("{REVIEW} --max-usd 5"));
    assert_eq!(provider.asked(), 2);
}

#[test]
fn a_cap_on_tokens_stops_before_the_call_that_might_exceed_it() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let ended = expect(&sandbox, 5, &format!("{REVIEW} --max-tokens 900"));
    assert!(ended.err.contains("0 of 900 tokens of this run are used"), "{}", ended.err);
    assert_eq!(provider.asked(), 0);
}

#[test]
fn an_unknown_price_under_a_cap_on_money_is_refused_before_anything_is_done() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    for (more, words) in [("", "--max-usd 5"), ("[budget.home]\nusd = 5.0\n", "")] {
        super::configure(&sandbox, &provider, more);
        let ended = expect(&sandbox, 2, &format!("{REVIEW} {words}"));
        assert!(
            ended.err.contains("price") && ended.err.contains("[prices.\"writer\"]"),
            "{}",
            ended.err
        );
    }
    assert_eq!(provider.asked(), 0);
    assert!(!sandbox.join("w/copy/candidates").exists());
}

#[test]
fn a_program_whose_price_nobody_knows_is_refused_under_a_cap_on_money() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "[agents.tool]\nkind = \"command\"\nprogram = \"true\"\n");
    let ended = expect(&sandbox, 2, &format!("{REVIEW} --creator tool --max-usd 5"));
    assert!(ended.err.contains("cap calls instead"), "{}", ended.err);
    let told = expect(&sandbox, 0, &format!("{REVIEW} --creator tool --dry-run")).out;
    assert!(told.contains("unpriced"), "{told}");
    let plan = json(&sandbox, &format!("{REVIEW} --creator tool --dry-run"));
    let bound = plan["dry_run"][0].get("cost_at_most");
    assert_eq!(bound, Some(&Value::Null), "no bound is known: {plan}");
}

#[test]
fn without_a_cap_an_unknown_price_is_shown_as_unpriced() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    expect(&sandbox, 0, REVIEW);
    let told = expect(&sandbox, 0, "runs cost -w w").out;
    assert!(told.contains("Total: 2 calls, 240 tokens, unpriced (2 calls)"), "{told}");
}

#[test]
fn a_dry_run_shows_calls_prompts_files_and_the_upper_bound() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, PRICES);
    let before = sandbox.files(".");
    let plan = json(&sandbox, &format!("{REVIEW} --dry-run"));
    let row = &plan["dry_run"][0];
    assert_eq!(row["calls_without_retries"], 6, "{plan}");
    assert!(row["cost_at_most"].as_u64().unwrap() > 300_000, "{plan}");
    assert!(row["tokens_at_most"].as_u64().unwrap() > 6_000, "{plan}");
    let prompts = row["prompts"].as_array().unwrap();
    assert!(prompts.iter().any(|prompt| prompt["role"] == "creator"), "{plan}");
    assert!(prompts.iter().all(|prompt| prompt["bytes"].as_u64().unwrap() > 100), "{plan}");
    let told = expect(&sandbox, 0, &format!("{REVIEW} --dry-run")).out;
    assert!(
        told.contains("up to 6 calls") && told.contains("at most") && told.contains("tokens and $"),
        "{told}"
    );
    assert_eq!((provider.asked(), sandbox.files(".") == before), (0, true));
}

#[test]
fn a_dry_run_tells_the_caps_in_force_and_what_they_leave() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "[budget]\ncalls = 9\n");
    let row =
        |words: &str| json(&sandbox, &format!("{REVIEW} --dry-run {words}"))["dry_run"][0].clone();
    let new = row("");
    assert_eq!((&new["caps"]["calls"], &new["calls_at_most"]), (&9.into(), &9.into()), "{new}");
    let loose = row("--max-calls 900");
    // Three attempts and one repair.
    assert_eq!(loose["calls_at_most"], 6 * 4, "{loose}");
    assert_eq!(
        json(&sandbox, &format!("{REVIEW} --dry-run --max-usd 0 --creator human --reviewer human"))
            ["caps"]["cost"],
        0
    );
    expect(&sandbox, 5, &format!("{REVIEW} --max-calls 1"));
    let open = row("");
    assert_eq!((&open["caps"]["calls"], &open["calls_at_most"]), (&1.into(), &0.into()), "{open}");
    assert_eq!(row("--max-calls 3")["calls_at_most"], 2);
    expect(&sandbox, 0, &format!("{REVIEW} --max-calls 3"));
    let decided = row("");
    assert_eq!((&decided["decided"], &decided["files"]), (&true.into(), &serde_json::json!([])));
    let told = expect(&sandbox, 0, &format!("{REVIEW} --dry-run")).out;
    assert!(told.contains("talk: decided; nothing to do") && !told.contains("writes"), "{told}");
}

#[test]
fn a_cap_that_stops_a_run_is_told_with_where_it_came_from_and_what_raises_it() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, &format!("{PRICES}[budget]\ncalls = 1\n"));
    let line = sandbox.read("config/redraft/config.toml").lines().count();
    let stops = |words: &str, told: &str| {
        let ended = expect(&sandbox, 5, &format!("{REVIEW} {words}"));
        assert!(ended.err.contains(told), "{words}: {}", ended.err);
    };
    let from = format!("config.toml:{line}, which the run was opened with and keeps");
    stops("", &format!("{from}; --max-calls N gives this run another"));
    super::configure(&sandbox, &provider, PRICES);
    stops("", "opened with by an earlier command (--max-calls or the configuration of then)");
    stops("--max-calls 9 --max-tokens 150", "the cap is that of --max-tokens; --max-tokens N");
    let remembered = "the cap is that of --max-tokens of an earlier command, which the run keeps";
    stops("", remembered);
    let shown = expect(&sandbox, 5, &format!("{REVIEW} --json"));
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    let help = shown["assets"][0]["help"].as_str().unwrap();
    assert!(help.starts_with(remembered), "{help}");
    stops("--max-tokens 9000 --max-usd 0.003", "the cap is that of --max-usd; --max-usd N");
    assert_eq!(provider.asked(), 1);
}

#[test]
fn a_cap_of_the_home_that_stops_a_run_is_told_as_such() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "[budget.home]\ncalls = 1\n");
    let line = sandbox.read("config/redraft/config.toml").lines().count();
    let ended = expect(&sandbox, 5, REVIEW);
    let told = "the cap is the home's, which all its runs share; redraft budget set --calls N raises it; change ";
    assert!(ended.err.contains(told), "{}", ended.err);
    let first = format!("config.toml:{line} first, which would set its own again");
    assert!(ended.err.contains(&first), "{}", ended.err);
    super::configure(&sandbox, &provider, "");
    expect(&sandbox, 0, "budget set --calls none --tokens 200 -w w");
    let ended = expect(&sandbox, 5, REVIEW);
    let told = "redraft budget set --tokens N raises it; what was answered is kept";
    assert!(ended.err.contains(told), "{}", ended.err);
}

#[test]
fn a_dry_run_names_the_parts_of_a_prompt_only_where_there_are_some() {
    let sandbox = crate::scene::workspace();
    sandbox
        .write("t.md", "**Ada:** Sourdough is flour and water.\n\n**Bo:** Then the dough rises.\n");
    sandbox.expect(0, "podcast ingest -w w --transcript t.md");
    let told = sandbox.expect(0, "podcast review -w w --asset-id slug --dry-run").out;
    assert!(told.contains(" bytes\n") && !told.contains(" with \n"), "{told}");
}

#[test]
fn a_total_time_is_a_hard_bound() {
    let provider = Provider::new(|seen| match seen.model() {
        "writer" => Does::Says(honest(seen)),
        _ => Does::Hangs,
    });
    let sandbox = studio(&provider, "");
    let before = std::time::Instant::now();
    let ended = expect(&sandbox, 5, &format!("{REVIEW} --total-seconds 2"));
    assert!(before.elapsed().as_secs() < 8, "{:?}", before.elapsed());
    assert!(ended.err.contains("the 2 s that may be spent on this run are over"), "{}", ended.err);
}

#[test]
fn a_server_that_asks_for_patience_does_not_lengthen_the_total_time() {
    let provider =
        Provider::new(|_| Does::Fails(429, vec![("retry-after", "15".to_owned())], String::new()));
    let sandbox = studio(&provider, "");
    let before = std::time::Instant::now();
    let ended = expect(&sandbox, 5, &format!("{REVIEW} --total-seconds 2"));
    assert!(before.elapsed().as_secs() < 8, "{:?}", before.elapsed());
    assert!(ended.err.contains("the 2 s that may be spent on this run are over"), "{}", ended.err);
    assert_eq!(provider.asked(), 1);
}

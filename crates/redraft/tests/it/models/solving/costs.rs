//! What solves cost, before and after.

use super::{critique, desk, draft, honest, plan, solve, solved, step};
use crate::{
    models::{configure, expect},
    provider::{Does, Provider},
    sandbox::{Sandbox, ended},
};
use serde_json::{Value, json};

const PRICES: &str = "[prices.writer]\ninput = 10.0\noutput = 100.0\n\
    [prices.critic]\ninput = 1.0\noutput = 2.0\n[prices.critic2]\ninput = 1.0\noutput = 2.0\n";
const WHY: &str = "What is six times seven?";

fn cost(sandbox: &Sandbox, run: &str) -> Value {
    serde_json::from_str(&expect(sandbox, 0, &format!("runs cost {run} --json")).out).unwrap()
}

#[test]
fn what_solves_used_is_summed_by_run_and_by_model_as_the_provider_counted_it() {
    let provider = Provider::new(|seen| {
        let (input, output) = (100 + seen.nth as u64, 20 + seen.nth as u64);
        let text = |does: Does| if let Does::Says(text) = does { text } else { String::new() };
        let says = match (step(seen).as_str(), seen.nth) {
            ("critique", 0) => critique(&[("major", "it is one more")]),
            _ => honest(seen),
        };
        Does::SaysFor { input, output, text: text(says) }
    });
    let sandbox = desk(&provider);
    configure(&sandbox, &provider, PRICES);
    let first = solved(&sandbox, &[WHY]).1["run_id"].as_str().unwrap().to_owned();
    let counted = |model: &str| -> (u64, u64, u64) {
        let seen = provider.seen();
        let of_model = seen.iter().filter(|seen| seen.model() == model);
        of_model.fold((0, 0, 0), |(n, i, o), seen| {
            (n + 1, i + 100 + seen.nth as u64, o + 20 + seen.nth as u64)
        })
    };
    // Millionths of a dollar: the price of a million tokens is that of one token in millionths.
    let charged = || {
        let ((_, i, o), (_, ci, co)) = (counted("writer"), counted("critic"));
        10 * i + 100 * o + ci + 2 * co
    };
    let after_first = charged();
    assert_eq!(provider.asked(), 5);
    let second =
        solved(&sandbox, &["And eight times nine?"]).1["run_id"].as_str().unwrap().to_owned();
    let all = cost(&sandbox, "");
    assert_eq!(all["total"]["spent"]["cost"], charged(), "{all}");
    assert_eq!(all["total"]["calls"], provider.asked(), "{all}");
    assert_eq!(all["total"]["spent"]["unpriced"], 0, "{all}");
    let of_run = |run: &str| cost(&sandbox, run)["total"]["spent"]["cost"].as_u64().unwrap();
    assert_eq!((of_run(&first), of_run(&second)), (after_first, charged() - after_first));
    for model in ["writer", "critic"] {
        let (calls, input, output) = counted(model);
        let rows = all["models"].as_array().unwrap();
        let row = rows.iter().find(|row| row["model"] == format!("{model}-2026-01-01")).unwrap();
        assert_eq!(row["calls"], calls, "{all}");
        assert_eq!(row["spent"]["tokens"], input + output, "{all}");
    }
    let used = |unit: &str| {
        let home = all["home"].as_array().unwrap().iter().find(|budget| budget["unit"] == unit);
        home.unwrap()["used"].clone()
    };
    assert_eq!((used("microdollars"), used("calls")), (json!(charged()), json!(provider.asked())));
}

#[test]
fn a_solve_whose_price_nobody_knows_is_unpriced_and_never_free() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    assert_eq!(solved(&sandbox, &[WHY]).0.code, 0);
    let told = expect(&sandbox, 0, "runs cost").out;
    assert!(told.contains("Total: 3 calls, 360 tokens, unpriced (3 calls)"), "{told}");
    let refused = solved(&sandbox, &["Why?", "--max-usd", "1"]);
    assert_eq!((refused.0.code, provider.asked()), (2, 3), "{}", refused.0.out);
}

/// Runs a dry run; it may send and write nothing.
fn dry_run(sandbox: &Sandbox, provider: &Provider, words: &[&str]) -> Value {
    let (before, asked) = (sandbox.files("."), provider.asked());
    let (ended, body) = solved(sandbox, &[words, &["--dry-run"]].concat());
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert!(sandbox.files(".") == before, "{words:?}: files have changed");
    assert_eq!(provider.asked(), asked, "{words:?}");
    body
}

#[test]
fn a_dry_run_tells_who_would_be_called_and_what_it_costs_at_most_and_does_nothing() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    configure(&sandbox, &provider, PRICES);
    let row = dry_run(&sandbox, &provider, &[WHY, "--critic", "critic", "--critic", "critic2"]);
    let cast: Vec<&Value> = row["cast"].as_array().unwrap().iter().map(|m| &m["agent"]).collect();
    assert_eq!(cast, ["writer", "writer", "critic", "critic2"]);
    let row = &row["dry_run"];
    assert_eq!(
        (&row["calls_without_retries"], &row["calls_at_most"]),
        (&json!(7), &json!(8)),
        "{row}"
    );
    // Eight replies of 1,000 tokens; three of the writer's are $0.10 each.
    assert!(row["tokens_at_most"].as_u64().unwrap() > 8_000, "{row}");
    assert!(row["cost_at_most"].as_u64().unwrap() > 300_000, "{row}");
    assert_eq!(row["unpriced_calls"], 0, "{row}");
    assert_eq!(row["prompts"].as_array().unwrap().len(), 4, "{row}");
    assert_eq!(row["run_id"], Value::Null);
    let told = expect(&sandbox, 0, "solve Why? --dry-run").out;
    for said in [
        "Would answer with planner=writer (writer), generator=writer (writer), critic=critic (critic)\n",
        "up to 5 calls, 6 with every retry; at most ",
        "  planner, writer: a prompt of ",
        "  cap of the run: 6 calls\n",
        "  cap of the run: 300 s\n",
        "  writes a run in ",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
}

#[test]
fn a_dry_run_is_an_upper_bound_of_what_the_run_then_uses() {
    let provider = Provider::new(|seen| {
        let text = match step(seen).as_str() {
            "plan" => plan(),
            "candidate" => draft(&"word ".repeat(700)),
            _ => critique(&[("blocker", &"why ".repeat(700))]),
        };
        let Does::Says(text) = text else { return Does::Hangs };
        // As many as a tokenizer would count at least.
        let count = |bytes: usize| (bytes / 4) as u64;
        Does::SaysFor {
            input: count(seen.body.to_string().len()),
            output: count(text.len()).min(1_000),
            text,
        }
    });
    let sandbox = desk(&provider);
    configure(&sandbox, &provider, PRICES);
    let row = dry_run(&sandbox, &provider, &[WHY])["dry_run"].clone();
    assert_eq!(solved(&sandbox, &[WHY]).0.code, 0);
    let spent = cost(&sandbox, "")["total"]["spent"].clone();
    assert!(spent["tokens"].as_u64() <= row["tokens_at_most"].as_u64(), "{spent} {row}");
    assert!(spent["cost"].as_u64() <= row["cost_at_most"].as_u64(), "{spent} {row}");
    assert!(provider.asked() as u64 <= row["calls_at_most"].as_u64().unwrap());
}

#[test]
fn a_dry_run_tells_which_caps_stand_in_the_way_and_that_a_price_is_unknown() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    assert_eq!(solved(&sandbox, &[WHY]).0.code, 0);
    sandbox.expect(0, "budget set --calls 7 --tokens 100000000");
    let row = dry_run(&sandbox, &provider, &["Why?", "--max-tokens", "5000"])["dry_run"].clone();
    let bar = |unit: &str| {
        row["home"].as_array().unwrap().iter().find(|bar| bar["unit"] == unit).unwrap().clone()
    };
    assert_eq!(bar("calls"), json!({"unit": "calls", "cap": 7, "left": 4, "in_the_way": true}));
    assert_eq!(bar("tokens")["in_the_way"], false);
    assert_eq!((&row["tokens_at_most"], &row["caps"]["tokens"]), (&json!(5000), &json!(5000)));
    assert_eq!((&row["unpriced_calls"], &row["cost_at_most"]), (&json!(6), &json!(0)));
    let told = expect(&sandbox, 0, "solve Why? --dry-run").out;
    assert!(
        told.contains("  cap of the home: 7 calls, 4 calls left; it may stand in the way\n"),
        "{told}"
    );
    assert!(told.contains("unpriced (6 calls)"), "{told}");
    // Nobody of ours costs anything.
    let told = expect(
        &sandbox,
        0,
        "solve Why? --dry-run --planner offline --generator offline --critic offline",
    )
    .out;
    assert!(told.contains("free of charge"), "{told}");
}

#[test]
fn a_dry_run_where_there_is_no_home_makes_none() {
    let sandbox = Sandbox::new();
    let mut asked = sandbox.command(crate::sandbox::REDRAFT, "solve Why? --dry-run");
    asked.env_remove("HOME").env("XDG_DATA_HOME", sandbox.join("data"));
    let told = ended(&asked.output().unwrap());
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(
        told.out.contains("offline") && told.out.contains("data/redraft/.redraft"),
        "{}",
        told.out
    );
    assert!(!sandbox.join("data").exists() && !sandbox.join(".redraft").exists());
}

#[test]
fn a_dry_run_refuses_what_the_run_would_refuse() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    for (words, told) in [
        (vec!["  "], "the prompt is empty"),
        (vec!["Why?", "--max-calls", "2"], "give --max-calls 3 or more"),
        (vec!["Why?", "--max-usd", "1"], "the price of writer is unknown"),
    ] {
        let refused = ended(&solve(&sandbox, &words).arg("--dry-run").output().unwrap());
        assert_eq!(refused.code, 2, "{words:?}");
        assert!(
            format!("{}{}", refused.out, refused.err).contains(told),
            "{words:?}: {}",
            refused.out
        );
    }
    assert_eq!(provider.asked(), 0);
}

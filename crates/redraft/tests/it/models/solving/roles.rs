//! Who plans, who writes and who criticises: each another model with another prompt, from its own provider.

use super::{critique, desk, draft, honest, plan, solved, step};
use crate::{
    models::{KEY, expect},
    provider::Provider,
    sandbox::Sandbox,
};
use serde_json::{Value, json};

/// A user's file with an agent at each of these providers.
fn cast(sandbox: &Sandbox, agents: &[(&str, &Provider)], roles: &str) {
    let agent = |(name, provider): &(&str, &Provider)| {
        format!(
            "[agents.{name}]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"{name}-model\"\n\
             base_url = \"{}\"\nkey = {{ env = \"TEST_KEY\" }}\nmax_output_tokens = 1000\n",
            provider.base_url()
        )
    };
    let agents: String = agents.iter().map(agent).collect();
    sandbox.write("config/redraft/config.toml", format!("{agents}[roles]\n{roles}"));
}

fn models(provider: &Provider) -> Vec<(String, String)> {
    provider.seen().iter().map(|seen| (step(seen), seen.model().to_owned())).collect()
}

#[test]
fn planner_generator_and_critics_are_other_models_at_other_providers_with_other_prompts() {
    let (plans, writes, criticises) =
        (Provider::new(|_| plan()), Provider::new(|_| draft("Forty-two.")), Provider::new(honest));
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    let agents = [("a", &plans), ("b", &writes), ("c", &criticises), ("d", &criticises)];
    let roles = "planner = \"a\"\ngenerator = \"b\"\ncritics = [\"c\", \"d\"]\n";
    cast(&sandbox, &agents, roles);
    let (ended, body) = solved(&sandbox, &["What is six times seven?"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let one = |step: &str, model: &str| vec![(step.to_owned(), model.to_owned())];
    assert_eq!(models(&plans), one("plan", "a-model"));
    assert_eq!(models(&writes), one("candidate", "b-model"));
    let mut critics = models(&criticises);
    critics.sort();
    assert_eq!(critics, [one("critique", "c-model"), one("critique", "d-model")].concat());
    let told = |provider: &Provider| provider.seen()[0].body["messages"][0]["content"].clone();
    let texts = [told(&plans), told(&writes), told(&criticises)];
    assert!(texts[0] != texts[1] && texts[1] != texts[2] && texts[0] != texts[2]);
    let record =
        &sandbox.json(&format!("runs record {}", body["run_id"].as_str().unwrap()))["record"];
    let cast: Vec<String> = record["cast"].as_array().unwrap().iter().map(member).collect();
    assert_eq!(cast, ["planner a", "generator b", "critic c", "critic_2 d"]);
    assert!(!record.to_string().contains(KEY));
}

fn member(member: &Value) -> String {
    let text = |key: &str| member[key].as_str().unwrap().to_owned();
    format!("{} {}", text("role"), text("agent"))
}

#[test]
fn a_flag_names_who_plays_one_role_and_leaves_the_others() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let words = ["Why?", "--generator", "critic2", "--critic", "writer"];
    assert_eq!(solved(&sandbox, &words).0.code, 0);
    let asked = models(&provider);
    let asked: Vec<(&str, &str)> = asked.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(asked, [("plan", "writer"), ("candidate", "critic2"), ("critique", "writer")]);
    let refused = solved(&sandbox, &["Why?", "--critic", "nobody"]);
    assert_eq!(refused.0.code, 2);
    assert!(refused.0.out.contains("roles.critics: there is no agent"), "{}", refused.0.out);
}

#[test]
fn who_solves_is_shown_with_its_origin_and_checked() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let shown = expect(&sandbox, 0, "config show --origin --critic critic2").out;
    let line = |key: &str| shown.lines().find(|line| line.starts_with(key)).unwrap_or_default();
    assert!(line("roles.planner = \"writer\"").contains("config.toml"), "{shown}");
    assert!(line("roles.generator = \"writer\"").contains("config.toml"), "{shown}");
    assert!(line("roles.critics = [\"critic2\"]").ends_with("# --critic"), "{shown}");
    super::configure(&sandbox, &provider, "critics = [\"critic2\", \"critik\"]\n");
    let told = expect(&sandbox, 2, "config check").err;
    assert!(told.contains("roles.critics: there is no agent \"critik\"; did you mean"), "{told}");
    // A price that nobody knows under a cap on money is found for these roles too.
    let priced = "[prices.writer]\ninput = 1\noutput = 1\n[prices.critic]\ninput = 1\noutput = 1\n";
    super::configure(
        &sandbox,
        &provider,
        &format!("critics = [\"critic2\"]\n{priced}[budget]\nusd = 1\n"),
    );
    let told = expect(&sandbox, 2, "config check").err;
    assert!(told.contains("agent critic2: the price of critic2 is unknown"), "{told}");
}

#[test]
fn a_projects_own_prompts_stand_in_place_of_ours_and_each_call_names_the_one_it_was_told() {
    let provider = Provider::new(|seen| match step(seen).as_str() {
        "critique" if seen.nth == 0 => critique(&[("major", "say why")]),
        _ => honest(seen),
    });
    let sandbox = desk(&provider);
    let own = "<!-- version: 7 -->\nFind {{ fault }} with it.\n";
    sandbox.write("prompts/solve/critic.md", own);
    let (ended, body) = solved(&sandbox, &["Why?"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.err.contains("prompts of this project are used: "), "{}", ended.err);
    for seen in provider.seen() {
        let is_own = seen.text().contains("Find {{ fault }} with it.");
        assert_eq!(is_own, step(&seen) == "critique", "{}", seen.text());
    }
    let run = body["run_id"].as_str().unwrap();
    let record = &sandbox.json(&format!("runs record {run}"))["record"];
    let listed = sandbox.json("prompts list")["prompts"].clone();
    let hash = |name: &str| {
        let prompt = listed.as_array().unwrap().iter().find(|prompt| prompt["name"] == name);
        prompt.unwrap_or_else(|| panic!("{name}: {listed}"))["sha256"].clone()
    };
    let calls = record["calls"].as_array().unwrap();
    let told: Vec<&str> =
        calls.iter().map(|call| call["templates"][0]["name"].as_str().unwrap()).collect();
    let names = ["planner", "generator", "critic", "reviser", "critic"];
    assert_eq!(told, names.map(|name| format!("prompt/solve/{name}")));
    for (call, name) in calls.iter().zip(names) {
        let version = if name == "critic" { "7 (project)" } else { "1" };
        assert_eq!(call["templates"][0]["version"], version);
        assert_eq!(call["templates"][0]["sha256"], hash(&format!("solve/{name}")), "{name}");
    }
    let since = sandbox.json(&format!("prompts diff --run {run}"));
    let states = since["sources"].as_array().unwrap();
    assert!(states.iter().all(|source| source["state"] == "unchanged"), "{since}");
    sandbox.write("prompts/solve/critic.md", own.replace("fault", "more"));
    let since = sandbox.json(&format!("prompts diff --run {run}"));
    let changed: Vec<&Value> =
        since["sources"].as_array().unwrap().iter().filter(|s| s["state"] == "changed").collect();
    assert_eq!(changed.len(), 1, "{since}");
    assert_eq!(changed[0]["name"], "prompt/solve/critic");
}

#[test]
fn a_solves_prompts_are_listed_shown_compared_and_refused_like_those_of_reviews() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    let listed = sandbox.expect(0, "prompts list").out;
    for name in ["planner", "generator", "critic", "reviser"] {
        assert!(listed.contains(&format!("solve/{name}  version 1  sha256 ")), "{listed}");
    }
    let built_in = sandbox.expect(0, "prompts show solve/critic").out;
    assert!(built_in.contains("`security_ops`"), "{built_in}");
    sandbox.write("prompts/solve/critic.md", "<!-- version: 7 -->\nFind fault.\n");
    assert_eq!(
        sandbox.expect(0, "prompts show solve/critic").out,
        "<!-- version: 7 -->\nFind fault.\n"
    );
    let ours = sandbox.expect(0, "prompts show solve/critic --template --built-in").out;
    assert_eq!(ours, built_in);
    let diff = sandbox.expect(0, "prompts diff").out;
    assert!(
        diff.contains("--- built-in/solve/critic.md\n") && diff.contains("\n+Find fault.\n"),
        "{diff}"
    );
    for (name, text, told) in [
        (
            "critics",
            "<!-- version: 1 -->\nFind fault.\n",
            "critics.md: no prompt is called \"solve/critics\"",
        ),
        ("critic", "Find fault.\n", "critic.md:1: the first line has to be"),
        ("critic", "<!-- version: 2 -->\n", "critic.md: the file is empty"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.expect(0, "init");
        sandbox.write(&format!("prompts/solve/{name}.md"), text);
        for words in ["prompts list", "prompts diff", "solve Why?", "solve Why? --dry-run"] {
            crate::scene::refused(&sandbox, 2, words, &[told]);
        }
    }
    assert_eq!(
        json!(sandbox.json("prompts list")["prompts"].as_array().unwrap().len()),
        json!(listed.lines().count())
    );
}

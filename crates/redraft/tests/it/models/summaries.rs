//! Summaries by models: a call a chunk and one for the episode, within caps, resumed, never paid for twice.

use super::{
    command, configure, expect,
    killing::{facts, killed_at},
    studio,
};
use crate::{
    provider::{Does, Provider, Seen},
    sandbox::{Sandbox, ended},
    scene::document,
};
use serde_json::{Value, json};
use std::process::Stdio;

const SUMMARIZE: &str = "podcast summarize -w w";
const LINK: &str = "https://example.org/bread";

fn is_whole(seen: &Seen) -> bool {
    seen.text().contains("Summarise a whole podcast episode")
}

fn says(seen: &Seen) -> String {
    let text = format!("Summary number {}.", seen.nth + 1);
    match is_whole(seen) {
        true => {
            json!({"summary_markdown": text, "key_points": ["a"], "topics": ["bread"], "links": []})
        }
        false => {
            json!({"summary_markdown": text, "bullets": ["a"], "entities": ["Ada"], "links": []})
        }
    }
    .to_string()
}

fn writer() -> Provider {
    Provider::new(|seen| Does::Says(says(seen)))
}

/// A workspace whose transcript has three chunks.
fn long(provider: &Provider, more: &str) -> Sandbox {
    let sandbox = studio(provider, more);
    let turn = |n: usize| format!("Ada: {}\n\n", format!("Sentence {n} on bread. ").repeat(220));
    sandbox
        .write("t.txt", (1..=3).map(turn).collect::<String>() + "Ada: See " + LINK + " for it.\n");
    expect(&sandbox, 0, "podcast ingest -w w --transcript t.txt");
    sandbox
}

fn texts(sandbox: &Sandbox) -> Vec<String> {
    let chunk = |n: usize| format!("w/summaries/chunks/chunk_{n:04}.summary.json");
    let paths = (1..=3).map(chunk).chain(["w/summaries/episode/episode_summary.json".to_owned()]);
    paths
        .map(|path| document(sandbox, &path)["summary_markdown"].as_str().unwrap().to_owned())
        .collect()
}

const ALL: [&str; 4] =
    ["Summary number 1.", "Summary number 2.", "Summary number 3.", "Summary number 4."];

#[test]
fn each_chunk_is_summarised_by_a_call_and_the_episode_by_one_more() {
    let provider = writer();
    let sandbox = long(&provider, "");
    let told = expect(&sandbox, 0, SUMMARIZE);
    assert!(told.out.contains("Summaries: 3 chunks, 1 episode"), "{}", told.out);
    assert_eq!(texts(&sandbox), ALL);
    let seen = provider.seen();
    assert_eq!(seen.iter().map(is_whole).collect::<Vec<_>>(), [false, false, false, true]);
    assert!(seen[0].text().contains("Sentence 1") && !seen[0].text().contains("Sentence 2"));
    assert!(seen[3].text().contains("Summary number 3.") && !seen[3].text().contains("Sentence"));
    let run = &sandbox.json("runs list -w w")["runs"][0];
    assert_eq!((&run["workflow"], &run["calls"]), (&"summary".into(), &4.into()), "{run}");
    sandbox.expect(0, "verify -w w");
    sandbox.expect(0, "repair -w w");
}

#[test]
fn a_transcript_that_is_summarised_is_paid_for_again_only_where_that_is_asked_for() {
    let provider = writer();
    let sandbox = long(&provider, "");
    expect(&sandbox, 0, SUMMARIZE);
    expect(&sandbox, 0, SUMMARIZE);
    assert_eq!((provider.asked(), texts(&sandbox)), (4, ALL.map(str::to_owned).to_vec()));
    expect(&sandbox, 0, &format!("{SUMMARIZE} --again"));
    assert_eq!((provider.asked(), texts(&sandbox)[0].as_str()), (8, "Summary number 5."));
    sandbox.write("t2.txt", "Ada: Another talk, on salt and on nothing else at all.\n");
    expect(&sandbox, 0, "podcast ingest -w w --transcript t2.txt --replace");
    expect(&sandbox, 0, SUMMARIZE);
    assert_eq!(provider.asked(), 10);
}

#[test]
fn a_cap_stops_before_the_call_that_would_exceed_it_and_a_higher_one_goes_on() {
    let provider = writer();
    let sandbox = long(&provider, "");
    let stopped = expect(&sandbox, 5, &format!("{SUMMARIZE} --max-calls 2"));
    assert!(stopped.err.contains("stopped: "), "{}", stopped.err);
    assert!(!sandbox.join("w/summaries/episode").exists(), "half of it is none");
    expect(&sandbox, 5, SUMMARIZE);
    assert_eq!(provider.asked(), 2);
    expect(&sandbox, 0, &format!("{SUMMARIZE} --max-calls 4"));
    assert_eq!((provider.asked(), texts(&sandbox)), (4, ALL.map(str::to_owned).to_vec()));
}

#[test]
fn the_caps_of_the_home_hold_for_summaries() {
    let provider = writer();
    let sandbox = long(&provider, "[budget.home]\ncalls = 3\n");
    let ended = expect(&sandbox, 5, SUMMARIZE);
    assert!(ended.err.contains("calls of home: 3 of 3 used"), "{}", ended.err);
    assert_eq!(provider.asked(), 3);
}

#[test]
fn a_dry_run_tells_calls_and_cost_and_does_nothing() {
    let provider = writer();
    let sandbox = long(&provider, "[prices.writer]\ninput = 10.0\noutput = 100.0\n");
    let before = sandbox.files(".");
    let told = expect(&sandbox, 0, &format!("{SUMMARIZE} --dry-run")).out;
    assert!(told.contains("summary: up to 4 calls, ") && told.contains("and $"), "{told}");
    assert!(sandbox.files(".") == before && provider.asked() == 0);
}

#[test]
fn an_address_that_was_not_said_is_asked_about_again() {
    let provider = Provider::new(|seen| {
        let link = |url: &str| json!([{"label": "bread", "url": url}]);
        let links = match (
            is_whole(seen),
            seen.text().contains(LINK),
            seen.text().contains("is not in the text"),
        ) {
            (false, true, false) => link("https://example.com/made-up"),
            (false, true, true) => link(LINK),
            _ => json!([]),
        };
        let mut said: serde_json::Value = serde_json::from_str(&says(seen)).unwrap();
        said["links"] = links;
        Does::Says(said.to_string())
    });
    let sandbox = long(&provider, "");
    expect(&sandbox, 0, SUMMARIZE);
    assert_eq!(provider.asked(), 5);
    let last = document(&sandbox, "w/summaries/chunks/chunk_0003.summary.json");
    assert_eq!(last["links"][0]["url"], LINK, "{last}");
}

#[test]
fn a_summary_that_was_killed_goes_on_where_it_was() {
    let provider = Provider::new(|seen| match seen.nth {
        2 => Does::Hangs,
        _ => Does::Says(says(seen)),
    });
    let sandbox = long(&provider, "");
    let mut killed = command(&sandbox, SUMMARIZE);
    let mut killed = killed.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while provider.asked() < 3 {
        std::thread::yield_now();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    expect(&sandbox, 0, SUMMARIZE);
    assert_eq!(provider.asked(), 5, "the call in flight once more, and the episode");
    let seen = provider.seen();
    assert_eq!(seen[2].text().contains("Sentence 3"), seen[3].text().contains("Sentence 3"));
}

#[test]
fn another_writer_who_is_named_finishes_an_open_summary() {
    let provider = writer();
    let sandbox = long(&provider, "");
    expect(&sandbox, 5, &format!("{SUMMARIZE} --max-calls 2"));
    let other = format!("{SUMMARIZE} --creator critic");
    let rehearsed = expect(&sandbox, 0, &format!("{other} --dry-run"));
    assert!(rehearsed.out.contains("summary: up to 4 calls, "), "{}", rehearsed.out);
    let told = expect(&sandbox, 0, &other);
    assert!(told.err.contains("is left as it stands"), "{}", told.err);
    assert!(told.err.contains("critic wrote them."), "{}", told.err);
    let runs = sandbox.json("runs list -w w")["runs"].clone();
    let calls: Vec<_> = runs.as_array().unwrap().iter().map(|run| run["calls"].clone()).collect();
    assert_eq!(calls, [4, 2], "what the first used stays in its record");
    expect(&sandbox, 0, &other);
    assert_eq!(provider.asked(), 6);
    sandbox.expect(0, "verify -w w");
}

#[test]
fn an_open_summary_whose_writer_has_another_model_now_gives_way_where_again_is_asked_for() {
    let provider = writer();
    let sandbox = long(&provider, "");
    expect(&sandbox, 5, &format!("{SUMMARIZE} --max-calls 2"));
    let config = sandbox.read("config/redraft/config.toml");
    let model = |name: &str| format!("model = \"{name}\"");
    sandbox.write("config/redraft/config.toml", config.replace(&model("writer"), &model("newer")));
    let refused = expect(&sandbox, 2, SUMMARIZE);
    assert!(refused.err.contains("the run was opened with"), "{}", refused.err);
    assert!(refused.err.contains("--creator"), "{}", refused.err);
    expect(&sandbox, 0, &format!("{SUMMARIZE} --again"));
    assert_eq!(provider.seen().iter().filter(|seen| seen.model() == "newer").count(), 4);
}

/// Kills `summarize --again` at the k-th call of this name, and runs it again; whether the kill came in time.
fn kill_again(name: &str, k: usize) -> bool {
    let provider = writer();
    let sandbox = studio(&provider, "");
    sandbox.write("t.txt", "Ada: A talk on bread and on nothing else at all.\n");
    expect(&sandbox, 0, "podcast ingest -w w --transcript t.txt");
    expect(&sandbox, 0, SUMMARIZE);
    assert_eq!((provider.asked(), facts(&sandbox, "summarised")), (2, 1));
    let again = format!("{SUMMARIZE} --again");
    if !killed_at(&sandbox, &again, name, k) {
        return false;
    }
    let place = format!("{name} number {k}");
    let taken_in = facts(&sandbox, "summarised") == 2;
    let resumed = ended(&command(&sandbox, &again).output().unwrap());
    assert_eq!(resumed.code, 0, "{place}: {}", resumed.err);
    let asked = provider.asked();
    // Once they were taken in, all was done but for saying so: it may be asked for once more.
    let most = if taken_in { 6 } else { 5 };
    assert!(asked <= most, "{place}: asked {asked} times");
    assert_eq!(facts(&sandbox, "summarised"), if taken_in { 3 } else { 2 }, "{place}");
    sandbox.expect(0, "verify -w w");
    sandbox.expect(0, "repair -w w");
    true
}

#[test]
fn a_kill_at_any_sync_of_summarising_again_costs_one_call_more_at_most() {
    if !crate::durability::trace::works() {
        return;
    }
    for name in ["fsync", "fdatasync"] {
        let kills = (1..).take_while(|k| kill_again(name, *k)).count();
        assert!(kills > 0, "{name} is never called");
    }
}

#[test]
fn a_program_that_is_asked_in_json_is_told_all_that_it_needs() {
    let provider = writer();
    let sandbox = long(&provider, "");
    let script = r#"asked="$(cat)"
printf '%s\n' "$asked" >> "$1"
printf '=\n' >> "$1"
case "$asked" in
  *'"repair"'*) printf '{"summary_markdown":"Whole.","key_points":[],"topics":[],"links":[]}' ;;
  *'"summaries"'*) echo hm ;;
  *) printf '{"summary_markdown":"Part.","bullets":["a"],"entities":[],"links":[]}' ;;
esac
"#;
    sandbox.write("tool.sh", script);
    let (tool, log) = (sandbox.join("tool.sh"), sandbox.join("asked.log"));
    let more = format!(
        "[agents.tool]\nkind = \"command\"\nprogram = \"/bin/sh\"\nargs = [\"{}\", \"{}\"]\ninput = \"json\"\n",
        tool.display(),
        log.display()
    );
    configure(&sandbox, &provider, &more);
    expect(&sandbox, 0, &format!("{SUMMARIZE} --creator tool"));
    assert_eq!(texts(&sandbox), ["Part.", "Part.", "Part.", "Whole."]);
    let asked = sandbox.read("asked.log");
    let asked = asked.split("\n=\n").filter(|text| !text.trim().is_empty());
    let asked: Vec<Value> = asked.map(|text| serde_json::from_str(text).unwrap()).collect();
    assert_eq!(asked.len(), 5);
    let first = &asked[0];
    assert_eq!((&first["step"], &first["iteration"]), (&json!("stretch"), &json!(1)));
    assert_eq!(first["role"], "creator");
    assert!(first["stretch"].as_str().unwrap().contains("Sentence 1 on bread."), "{first}");
    assert!(first["episode"].is_object() && first["summaries"].is_null(), "{first}");
    let whole = &asked[3];
    assert_eq!((&whole["step"], &whole["stretch"]), (&json!("episode"), &Value::Null));
    let summaries = whole["summaries"].as_array().unwrap();
    assert!(summaries.len() == 3 && summaries[0]["summary_markdown"] == "Part.", "{whole}");
    assert!(whole["repair"].is_null() && asked[4]["repair"]["reply"].is_string(), "{}", asked[4]);
}

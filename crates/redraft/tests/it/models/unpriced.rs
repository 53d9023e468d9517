//! Calls whose price nobody knows: a cap on money refuses them whenever it is set, and no sum calls them free.

use super::{
    command, expect,
    serving::{Server, desk},
    solving::honest,
    studio,
};
use crate::{
    provider::{Does, Provider, Seen},
    sandbox::{Sandbox, ended},
};
use serde_json::Value;
use std::{
    os::unix::fs::PermissionsExt,
    sync::{
        Mutex,
        mpsc::{Receiver, Sender, channel},
    },
};

const QUESTION: &str = "What is six times seven?";

/// A provider that says when it is asked, and answers nobody until it may.
fn gated(
    does: impl Fn(&Seen) -> Does + Send + Sync + 'static,
) -> (Provider, Receiver<()>, Sender<()>) {
    let ((tell, asked), (go_on, may)) = (channel(), channel());
    let may = Mutex::new(may);
    let provider = Provider::new(move |seen| {
        let _ = tell.send(());
        let _ = may.lock().unwrap().recv();
        does(seen)
    });
    (provider, asked, go_on)
}

/// What `budget show` counts of a unit in `home` or `server`.
fn used(sandbox: &Sandbox, scope: &str, unit: &str) -> Value {
    let shown = sandbox.json("budget show");
    let rows = shown[scope].as_array().unwrap().clone();
    rows.iter().find(|row| row["unit"] == unit).unwrap()["used"].clone()
}

/// Asks a question; its known issues, and the exit code that its run is told with.
fn cut_short(server: &Server) -> (String, Value) {
    let (status, answer) = server.solve("", QUESTION);
    assert_eq!(status, 200, "{answer}");
    let run = server.get(&format!("/v1/runs/{}", answer["run_id"].as_str().unwrap()));
    (answer["known_issues"].to_string(), run["exit_code"].clone())
}

#[test]
fn a_cap_on_money_that_is_set_while_a_server_runs_holds_from_the_next_call_on() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    assert_eq!(server.solve("", QUESTION).0, 200);
    assert_eq!(provider.asked(), 3);
    for (whose, flag) in [("server", "--server "), ("home", "")] {
        expect(&sandbox, 0, &format!("budget set {flag}--usd 0.01"));
        let (issues, code) = cut_short(&server);
        let told = format!(
            "plan: the price of this call is unknown, and money of {whose} has a cap ($0.01): "
        );
        assert!(code == 1 && issues.contains(&told), "{code}: {issues}");
        assert!(issues.contains(&format!("redraft budget set {flag}--usd none")), "{issues}");
        assert_eq!(provider.asked(), 3, "{whose}: nothing was sent");
        expect(&sandbox, 0, &format!("budget set {flag}--usd none"));
    }
    assert_eq!(server.solve("", QUESTION).0, 200);
    assert_eq!(provider.asked(), 6, "without the cap it goes on");
    let metrics = server.ask("GET", "/metrics", "", "").1;
    assert!(metrics.contains("redraft_server_unpriced_calls 6\n"), "{metrics}");
    sandbox.expect(0, "verify");
}

#[test]
fn a_cap_on_money_that_is_set_while_a_call_is_under_way_lets_no_other_follow() {
    let (provider, asked, go_on) = gated(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    let (issues, code) = std::thread::scope(|scope| {
        let solving = scope.spawn(|| cut_short(&server));
        asked.recv().unwrap();
        expect(&sandbox, 0, "budget set --server --usd 0.01");
        // From now on nobody waits.
        drop(go_on);
        solving.join().unwrap()
    });
    assert!(code == 1 && issues.contains("money of server has a cap ($0.01)"), "{code}: {issues}");
    assert_eq!(provider.asked(), 1, "the planner alone was asked");
    assert_eq!(used(&sandbox, "server", "unpriced"), 1);
}

#[test]
fn a_review_under_way_stops_at_a_cap_on_money_that_is_set_and_tells_what_helps() {
    let (provider, asked, go_on) =
        gated(|_| Does::Says("A word about bread that is fed every day.".to_owned()));
    let sandbox = studio(&provider, "");
    let ended = std::thread::scope(|scope| {
        let reviewing = scope.spawn(|| expect(&sandbox, 5, "podcast review -w w --asset-id talk"));
        asked.recv().unwrap();
        expect(&sandbox, 0, "budget set --usd 0.01 -w w");
        drop(go_on);
        reviewing.join().unwrap()
    });
    assert!(ended.err.contains("money of home has a cap ($0.01)"), "{}", ended.err);
    assert!(ended.err.contains("a price where it is unknown"), "{}", ended.err);
    assert_eq!(provider.asked(), 1);
}

#[test]
fn what_has_no_price_is_counted_as_such_and_is_never_nothing() {
    let provider = Provider::new(honest);
    let sandbox = desk(&provider);
    let server = Server::start(&sandbox, "");
    assert_eq!(server.solve("", QUESTION).0, 200);
    let shown = expect(&sandbox, 0, "budget show").out;
    for whose in ["Home", "Server"] {
        let told = format!("{whose}: money: unpriced (3 calls), no cap\n");
        assert!(shown.contains(&told), "{told}: {shown}");
    }
    assert!(!shown.contains("$0.00"), "{shown}");
    assert_eq!(used(&sandbox, "home", "unpriced"), 3);
    let cost = expect(&sandbox, 0, "runs cost").out;
    assert!(cost.contains("Home: money: unpriced (3 calls), no cap\n"), "{cost}");
    let capped = expect(&sandbox, 0, "budget set --usd 2").out;
    assert!(capped.contains("Home: money: unpriced (3 calls), cap $2.00\n"), "{capped}");
}

#[test]
fn a_program_that_tells_its_cost_afterwards_is_unpriced_no_more() {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "");
    let reply = r#"{"type":"result","subtype":"success","is_error":false,"result":"{\"verdict\":\"ok\",\"issues\":[]}","total_cost_usd":0.0123}"#;
    let program = sandbox.join("bin/claude");
    sandbox.write("bin/claude", format!("#!/bin/sh\ncat > /dev/null\nprintf '%s' '{reply}'\n"));
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let words = "podcast review -w w --asset-id talk --reviewer claude";
    let path = format!("{}:/usr/bin:/bin", sandbox.join("bin").display());
    let ended = ended(&command(&sandbox, words).env("PATH", path).output().unwrap());
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let shown = expect(&sandbox, 0, "budget show -w w").out;
    assert!(shown.contains("Home: money: $0.0123 and 1 call unpriced, no cap\n"), "{shown}");
    assert_eq!(provider.asked(), 1, "the writer, whose price nobody knows");
}

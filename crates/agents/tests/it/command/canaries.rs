//! A key that is easily recognised is handed to programs that say it in every place where they are heard.

use super::stage::*;
use crate::llm::alone;
use redraft_agents::command::{Output, Program};
use redraft_loop::Failure;

const CANARY: &str = "sk-canary-0f1e2d3c4b5a";
const VARIABLE: &str = "REDRAFT_TEST_COMMAND_CANARY";

fn trusted(script: &str) -> Play {
    play(&script.replace("KEY", &format!("${VARIABLE}")))
        .with(|program| program.env = vec![VARIABLE.into()])
}

fn speaking(output: Output) -> impl FnOnce(&mut Program) {
    move |program| program.output = output
}

/// Ways of failing that say the key.
fn failures() -> Vec<Play> {
    let claude = r#"printf '{"type":"result","is_error":true,"result":"no %s"}' KEY"#;
    vec![
        trusted("echo wrong key KEY >&2; exit 3"),
        trusted("echo KEY; echo KEY >&2; kill -9 $$"),
        trusted("echo waiting with KEY >&2; NAP").hurried(),
        // What is shown ends within the key, and what is kept begins within it.
        trusted("printf '%0290dKEY' 0 >&2; exit 3"),
        trusted("printf '%s %04080d' KEY 0 >&2; exit 3"),
        trusted("echo \"{\\\"result\\\": KEY\" | tr -d '\\n'").with(speaking(Output::Claude)),
        trusted("printf '{\"type\": \"%s\"}' KEY").with(speaking(Output::Gemini)),
        trusted(claude).with(speaking(Output::Claude)),
        trusted(&format!("{claude}; exit 1")).with(speaking(Output::Claude)),
        trusted("printf '\\033[1mKE\\033[0m' >&2; echo KEY >&2; exit 4"),
    ]
}

/// Runs itself again in an environment that holds the key.
#[tokio::test]
async fn a_key_that_a_program_says_is_in_no_message_and_in_no_reply() {
    if std::env::var_os(VARIABLE).is_none() {
        let test = "command::canaries::a_key_that_a_program_says_is_in_no_message_and_in_no_reply";
        return alone(test, &[(VARIABLE, CANARY)]);
    }
    for play in failures() {
        let shown = format!("{:?}", play.fails().await);
        assert!(!shown.contains("canary") && !shown.contains("3c4b5a"), "{shown}");
    }
    let told = trusted("echo wrong key KEY >&2; exit 3").fails().await;
    assert_eq!(told.message, format!("sh: exited with status 3: wrong key [{VARIABLE}]"));
    let echo = trusted("echo here is KEY, as you asked").fails().await;
    assert_eq!(echo.failure, Failure::Permanent);
    let kept = "wrote the value of REDRAFT_TEST_COMMAND_CANARY into its reply, which is not kept";
    assert_eq!(echo.message, format!("sh: {kept}"));
    let served =
        r#"printf '{"response":"fine","session_id":"%s","stats":{"models":{"%s":{}}}}' KEY KEY"#;
    let answer = trusted(served).with(speaking(Output::Gemini)).answer().await.unwrap();
    let shown = format!("{answer:?}");
    assert!(shown.contains("fine") && !shown.contains(CANARY), "{shown}");
}

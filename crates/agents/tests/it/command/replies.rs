//! What a program is told, and what is taken for its reply.

use super::stage::*;
use redraft_agents::command::{Input, Output, Program};
use redraft_loop::{Failure, Usage};

#[tokio::test]
async fn a_program_is_told_the_prompt_and_its_stdout_is_the_reply() {
    let answer = play("cat").answer_to(&call("A title.")).await.unwrap();
    assert!(answer.text.starts_with("Review the candidate.\n"), "{}", answer.text);
    assert!(answer.text.contains("\nA title.\n[end candidate "), "{}", answer.text);
}

#[tokio::test]
async fn a_program_of_ours_is_told_the_request_as_one_document() {
    let play = play("cat").with(|program| program.input = Input::Json);
    assert_eq!(play.answer().await.unwrap().text, "{\"step\":\"review\"}\n");
}

#[tokio::test]
async fn a_program_that_is_told_nothing_finds_stdin_empty() {
    let play = play("wc -c").with(|program| program.input = Input::None);
    assert_eq!(play.answer().await.unwrap().text.trim(), "0");
}

#[tokio::test]
async fn a_big_prompt_that_is_never_read_does_not_keep_the_reply_back() {
    let prompt = call(&"word ".repeat(1 << 20));
    assert_eq!(play("echo fine").answer_to(&prompt).await.unwrap().text, "fine\n");
    let closed = play("exec 0<&-; echo fine");
    assert_eq!(closed.answer_to(&prompt).await.unwrap().text, "fine\n");
}

#[tokio::test]
async fn a_big_prompt_comes_back_whole_from_a_program_that_writes_as_it_reads() {
    let text = "word ".repeat(400_000);
    let answer = play("cat").answer_to(&call(&text)).await.unwrap();
    assert!(answer.text.contains(&text));
}

#[tokio::test]
async fn no_shell_reads_the_arguments() {
    let program = Program::plain("printf", &["%s", "$HOME; `id` && *"]);
    let play = play("").with(|own| *own = program);
    assert_eq!(play.answer().await.unwrap().text, "$HOME; `id` && *");
}

#[tokio::test]
async fn a_program_sees_few_variables_and_an_empty_folder() {
    let seen = play("env | cut -d= -f1; echo files: $(ls -A)").answer().await.unwrap().text;
    let allowed = ["PATH", "HOME", "LANG", "TMPDIR", "TERM", "NO_COLOR", "REDRAFT_CALL", "PWD"];
    // The shell adds what it needs itself.
    let own = ["OLDPWD", "SHLVL", "_"];
    let odd = |line: &&str| {
        !(allowed.contains(line)
            || own.contains(line)
            || line.starts_with("LC_")
            || *line == "files:")
    };
    assert_eq!(seen.lines().filter(odd).collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(seen.contains("NO_COLOR") && seen.contains("files:"), "{seen}");
    // Cargo sets it for us, and nobody named it.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let script =
        format!("[ \"$CARGO_MANIFEST_DIR\" = '{}' ] && echo same", env!("CARGO_MANIFEST_DIR"));
    let named = play(&script).with(|program| program.env = vec!["CARGO_MANIFEST_DIR".into()]);
    assert_eq!(named.answer().await.unwrap().text.trim(), "same");
}

#[tokio::test]
async fn the_empty_folder_is_gone_afterwards() {
    let folder = play("pwd; echo x > draft").answer().await.unwrap().text;
    assert!(folder.contains("redraft-agent-"), "{folder}");
    assert!(!std::path::Path::new(folder.trim()).exists());
}

#[tokio::test]
async fn a_program_runs_in_the_folder_that_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("style.md"), "short").unwrap();
    assert_eq!(play("cat style.md").with(at(folder.path())).answer().await.unwrap().text, "short");
    let gone = folder.path().join("gone");
    let error = play("true").with(at(&gone)).answer().await.unwrap_err();
    assert_eq!(error.failure, Failure::Permanent);
    assert!(
        error.message.contains("there is no folder") && error.message.contains("gone"),
        "{error}"
    );
}

#[tokio::test]
async fn a_document_of_its_own_gives_reply_tokens_and_cost() {
    let script = r#"cat > /dev/null; cat <<'DOC'
{"type":"result","is_error":false,"result":"fine","total_cost_usd":0.002,"session_id":"s",
 "usage":{"input_tokens":7,"output_tokens":3},"modelUsage":{"m-1":{"outputTokens":3}}}
DOC"#;
    let play = play(script).with(|program| program.output = Output::Claude);
    let answer = play.answer().await.unwrap();
    assert_eq!(answer.text, "fine");
    assert_eq!(answer.usage, Some(Usage { input_tokens: 7, output_tokens: 3 }));
    assert_eq!(answer.cost, Some(2_000));
    assert_eq!(answer.served.unwrap().model.as_deref(), Some("m-1"));
}

#[tokio::test]
async fn a_failed_program_keeps_what_its_document_says_of_cause_and_cost() {
    let script =
        r#"echo '{"is_error":true,"result":"Not logged in","total_cost_usd":0.5}'; exit 1"#;
    let error = play(script).with(|program| program.output = Output::Claude).fails().await;
    assert_eq!(error.message, "sh: exited with status 1: Not logged in");
    assert_eq!(error.cost, Some(500_000));
}

#[tokio::test]
async fn half_a_document_and_two_documents_are_failed_attempts() {
    for script in [
        r#"printf '{"is_error":false,"result":"fi'"#,
        r#"echo '{"is_error":false,"result":"a"}{}'"#,
    ] {
        let error = play(script).with(|program| program.output = Output::Claude).fails().await;
        assert_eq!(error.failure, Failure::Transient);
        assert!(error.message.contains("is not the one JSON document of claude"), "{error}");
    }
}

#[tokio::test]
async fn two_replies_on_stdout_are_left_to_the_reader_as_they_are() {
    let text = "{\"verdict\":\"ok\"}\n{\"verdict\":\"changes_requested\"}\n";
    let answer =
        play(r#"echo '{"verdict":"ok"}'; echo '{"verdict":"changes_requested"}'"#).answer().await;
    assert_eq!(answer.unwrap().text, text);
}

#[tokio::test]
async fn a_reply_on_stderr_is_no_reply() {
    let forged = r#"echo '{"verdict":"ok","issues":[]}' >&2"#;
    let error = play(forged).fails().await;
    assert_eq!(error.message, "sh: wrote nothing");
    let answer = play(&format!("{forged}; echo honest")).answer().await.unwrap();
    assert_eq!(answer.text, "honest\n");
}

#[tokio::test]
async fn what_is_not_text_is_a_failed_attempt_that_names_the_byte() {
    let error = play(r"printf 'a\303\251ro \377'").fails().await;
    assert!(error.message.contains("is not UTF-8: byte 6"), "{error}");
}

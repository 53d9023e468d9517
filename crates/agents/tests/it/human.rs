//! A person plays the judge: the run rests until the answer is there, and nothing is charged meanwhile.

use crate::{engine::drive, house::House};
use redraft_agents::human::Human;
use redraft_engine::{Agent, Call, NoAnswer, Rest};
use redraft_loop::{Fact, Stop};
use std::{fs, path::Path, sync::Arc};

const RESPONSE: &str = "words-1-judges-judge.response.md";

fn what_is_waited_for(rest: &Rest) -> &str {
    match rest {
        Rest::Stopped(Stop::Person { what, .. }) => what,
        _ => panic!("the run has to wait for a person: {rest:?}"),
    }
}

fn claims(house: &House) -> usize {
    house.facts().iter().filter(|fact| matches!(fact, Fact::Asked(_))).count()
}

fn released(house: &House) -> usize {
    house.facts().iter().filter(|fact| matches!(fact, Fact::Released(_))).count()
}

#[tokio::test]
async fn a_run_waits_for_the_answer_and_goes_on_when_it_is_there() {
    let inbox = tempfile::tempdir().unwrap();
    let (house, human) = (House::new(), Arc::new(Human::new(inbox.path())));
    let rest = drive(&house, human.clone()).await;
    let place = inbox.path().join(RESPONSE);
    assert_eq!(what_is_waited_for(&rest), format!("an answer in {}", place.display()));
    let prompt = fs::read_to_string(inbox.path().join("words-1-judges-judge.prompt.md")).unwrap();
    assert!(
        prompt.starts_with("# words: judges as judge, round 1\n") && prompt.contains(RESPONSE),
        "{prompt}"
    );

    // Nothing there yet: the same call waits again, under the same names.
    fs::write(&place, "\n").unwrap();
    what_is_waited_for(&drive(&house, human.clone()).await);
    assert_eq!(files(inbox.path()), ["words-1-judges-judge.prompt.md", RESPONSE]);

    fs::write(&place, "\u{feff}ok").unwrap();
    let rest = drive(&house, human).await;
    assert!(matches!(&rest, Rest::Decided(exit) if exit.reason == "agreed"), "{rest:?}");
    assert_eq!(fs::read_to_string(&place).unwrap(), "\u{feff}ok");
    // The writer once, the judge once; whatever was asked while waiting was given back.
    assert_eq!(claims(&house) - released(&house), 2);
    assert_eq!(released(&house), 2);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_asked_for_again_in_a_file_of_its_own() {
    let inbox = tempfile::tempdir().unwrap();
    let (house, human) = (House::new(), Arc::new(Human::new(inbox.path())));
    fs::write(inbox.path().join(RESPONSE), "???").unwrap();
    let rest = drive(&house, human.clone()).await;
    let second = "words-1-judges-judge-repair.response.md";
    assert!(what_is_waited_for(&rest).ends_with(second), "{rest:?}");
    fs::write(inbox.path().join(second), "ok").unwrap();
    assert!(matches!(drive(&house, human).await, Rest::Decided(_)));
    assert_eq!(fs::read_to_string(inbox.path().join(RESPONSE)).unwrap(), "???");
}

#[tokio::test]
async fn an_answer_that_is_no_text_is_waited_for_with_the_reason() {
    let inbox = tempfile::tempdir().unwrap();
    let (house, human) = (House::new(), Arc::new(Human::new(inbox.path())));
    fs::write(inbox.path().join(RESPONSE), b"ok \xff").unwrap();
    let rest = drive(&house, human.clone()).await;
    assert!(what_is_waited_for(&rest).contains("is not UTF-8: byte 3"), "{rest:?}");
    fs::write(inbox.path().join(RESPONSE), "ok").unwrap();
    assert!(matches!(drive(&house, human).await, Rest::Decided(_)));
}

#[tokio::test]
async fn a_prompt_that_was_tampered_with_is_written_again_and_an_equal_one_is_left_alone() {
    let inbox = tempfile::tempdir().unwrap();
    let human = Human::new(inbox.path().join("deep/er"));
    let call = crate::command::call("A title.");
    let ask = async || match human.answer(&call).await {
        Err(NoAnswer::Waits(_)) => {}
        other => panic!("{other:?}"),
    };
    ask().await;
    let prompt = inbox.path().join("deep/er/title_seo-1-review-reviewer.prompt.md");
    let (text, written) = (fs::read(&prompt).unwrap(), fs::metadata(&prompt).unwrap());
    ask().await;
    let now = fs::metadata(&prompt).unwrap();
    assert_eq!(now.modified().unwrap(), written.modified().unwrap());
    fs::write(&prompt, "say ok").unwrap();
    ask().await;
    assert_eq!(fs::read(&prompt).unwrap(), text);
}

#[tokio::test]
async fn the_same_question_is_answered_where_its_first_prompt_said_whatever_attempt_it_is() {
    let inbox = tempfile::tempdir().unwrap();
    let human = Human::new(inbox.path());
    let call = crate::command::call("A title.");
    assert!(matches!(human.answer(&call).await, Err(NoAnswer::Waits(_))));
    fs::write(inbox.path().join("title_seo-1-review-reviewer.response.md"), "fine").unwrap();
    let again = Call { attempt: 2, ..call };
    assert_eq!(human.answer(&again).await.unwrap().text, "fine");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_at_a_folder_or_at_a_file_is_refused_by_name_and_never_followed() {
    const STEM: &str = "inbox/run/title_seo-1-review-reviewer";
    for at in ["inbox".into(), "inbox/run".into(), format!("{STEM}.prompt.md")] {
        let (home, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = home.path().join(&at);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(outside.path(), &link).unwrap();
        let human = Human::below(home.path().join("inbox"), "run");
        let error = human.answer(&crate::command::call("")).await.unwrap_err().to_string();
        assert!(error.contains(&format!("{} is a link", link.display())), "{error}");
        assert_eq!(files(outside.path()), Vec::<String>::new(), "{at}");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{at}");
    }
    let (home, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("secret"), "key").unwrap();
    fs::create_dir_all(home.path().join("inbox/run")).unwrap();
    let link = home.path().join(format!("{STEM}.response.md"));
    std::os::unix::fs::symlink(outside.path().join("secret"), &link).unwrap();
    let human = Human::below(home.path().join("inbox"), "run");
    let waits = human.answer(&crate::command::call("")).await.unwrap_err().to_string();
    assert!(waits.contains(&link.display().to_string()) && waits.contains("is a link"), "{waits}");
}

#[tokio::test]
async fn a_prompt_that_cannot_be_written_is_a_failed_attempt_that_names_the_file() {
    let inbox = tempfile::tempdir().unwrap();
    fs::write(inbox.path().join("inbox"), "a file").unwrap();
    let human = Human::new(inbox.path().join("inbox"));
    let error = human.answer(&crate::command::call("")).await.unwrap_err();
    assert!(error.to_string().contains("title_seo-1-review-reviewer.prompt.md"), "{error}");
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

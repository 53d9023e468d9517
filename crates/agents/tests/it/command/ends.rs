//! How programs end, and how a call says so.

use super::stage::*;
use crate::{engine::drive_within, house::House};
use redraft_agents::command::{CommandAgent, Program};
use redraft_engine::{Agent, NoAnswer, Rest};
use redraft_loop::{Fact, Failure, Stop};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

#[tokio::test]
async fn a_missing_program_is_named_with_how_to_install_it() {
    let program = Program {
        install: Some("install it with `npm install -g no-such`".into()),
        ..Program::plain("no-such-agent", &[])
    };
    let call = call("");
    let error = CommandAgent::new(program).answer(&call).await.unwrap_err();
    let NoAnswer::Failed(error) = error else { panic!("{error}") };
    assert_eq!(error.failure, Failure::Permanent);
    assert_eq!(
        error.message,
        "no-such-agent: there is no such program; install it with `npm install -g no-such`"
    );
}

#[tokio::test]
async fn a_file_that_cannot_be_run_says_why() {
    let program = Program::plain("/etc/passwd", &[]);
    let error = play("").with(|own| *own = program).fails().await;
    assert_eq!(error.failure, Failure::Permanent);
    assert!(error.message.contains("/etc/passwd: cannot be started: "), "{error}");
}

#[tokio::test]
async fn a_failed_program_is_quoted_with_its_last_line() {
    let error =
        play(r"echo first >&2; printf '\033[31mno key\007\033[0m\n\n' >&2; exit 3").fails().await;
    assert_eq!(error.message, "sh: exited with status 3: no key");
    assert_eq!(error.failure, Failure::Transient);
}

#[tokio::test]
async fn a_launcher_that_finds_nothing_is_not_tried_again() {
    let play =
        play("exec no-such-program").with(|program| program.install = Some("install it".into()));
    let error = play.fails().await;
    assert_eq!(error.failure, Failure::Permanent);
    assert!(error.message.starts_with("sh: exited with status 127: "), "{error}");
    assert!(error.message.ends_with("; install it"), "{error}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_that_is_killed_is_named_with_its_signal() {
    assert_eq!(play("kill -SEGV $$").fails().await.message, "sh: was killed by SIGSEGV");
    assert_eq!(play("echo ok; kill -9 $$").fails().await.message, "sh: was killed by SIGKILL");
}

#[tokio::test]
async fn a_program_that_says_nothing_has_not_answered() {
    assert_eq!(play("exit 0").fails().await.message, "sh: wrote nothing");
    assert_eq!(play("echo; echo '  '").fails().await.message, "sh: wrote nothing");
}

#[tokio::test]
async fn a_helper_that_is_left_behind_neither_holds_up_the_reply_nor_lives_on() {
    let play = play("NAP & echo fine");
    assert_eq!(play.answer().await.unwrap().text, "fine\n");
    assert_eq!(play.living(), Vec::<String>::new());
}

#[tokio::test]
async fn a_program_that_tidies_up_when_asked_has_time_to_do_so() {
    let folder = tempfile::tempdir().unwrap();
    let play = play("trap 'echo tidy > done; exit' TERM; while :; do sleep 0.02; done");
    play.with(at(folder.path())).hurried().fails().await;
    assert_eq!(std::fs::read_to_string(folder.path().join("done")).unwrap(), "tidy\n");
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_any_more_ends_all_the_same() {
    let play = play("trap '' TERM; setsid NAP & NAP & wait; NAP");
    let (agent, call) = (play.agent(), call(""));
    let asked = tokio::time::timeout(SHORT, agent.answer(&call)); // real time: as the engine's deadline does
    assert!(asked.await.is_err());
    assert!(!play.living().is_empty(), "it has a grace period, so it is still there");
    soon("all of it is dead", || play.living().is_empty()).await;
    let settled =
        tokio::task::spawn_blocking(|| redraft_agents::command::settle(Duration::from_secs(5)));
    assert!(settled.await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_side_by_side_do_not_end_each_other() {
    let slow = play("setsid sh -c 'sleep 0.6; echo helper'; echo fine"); // real time: longer than the others
    let long = tokio::spawn(async move { slow.answer().await.map(|answer| answer.text) });
    let brief = (0..24).map(|_| {
        // Each leaves something behind that has to be looked for.
        let play = play("(env -i PATH=$PATH setsid NAP &); echo fine");
        tokio::spawn(async move {
            let text = play.answer().await.unwrap().text;
            soon("what it left behind is dead", || play.living().is_empty()).await;
            text
        })
    });
    for call in futures::future::join_all(brief).await {
        assert_eq!(call.unwrap(), "fine\n");
    }
    assert_eq!(long.await.unwrap().unwrap(), "helper\nfine\n");
}

#[tokio::test]
async fn the_engine_s_deadline_ends_all_attempts_of_a_run() {
    let play = play("trap '' TERM; setsid NAP & NAP & wait; NAP");
    let (house, begun) = (House::new(), Instant::now());
    let rest = drive_within(&house, Arc::new(play.agent()), SHORT).await;
    assert!(matches!(&rest, Rest::Stopped(Stop::Failed { .. })), "{rest:?}");
    let late = house
        .facts()
        .into_iter()
        .filter(|fact| matches!(fact, Fact::Failed(failed) if failed.failure == Failure::Timeout));
    assert_eq!(late.count(), 3);
    assert!(begun.elapsed() < 3 * SHORT + END, "{:?}", begun.elapsed());
    soon("all of it is dead", || play.living().is_empty()).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_zombies_are_left() {
    for script in ["echo fine", "(setsid NAP &) ; echo fine", "NAP & NAP & exit 1"] {
        let _ = play(script).answer().await;
    }
    // Other tests of this program run beside this one, and the system adopts for us in its own time.
    soon("no child of ours is a zombie of ours", || zombies().is_empty()).await;
}

/// Dead children of this process that nobody has buried, other than programs of tests that are running.
#[cfg(target_os = "linux")]
fn zombies() -> Vec<String> {
    let us = std::process::id().to_string();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let stats = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    stats
        .filter(|stat| {
            let fields: Vec<&str> =
                stat.rsplit(')').next().unwrap().split_ascii_whitespace().collect();
            fields[0] == "Z" && fields[1] == us
        })
        .collect()
}

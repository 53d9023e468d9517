//! Programs that do not want to end, or want to be heard too much: the deadline holds, and nobody is left alive.

use super::stage::*;
use redraft_agents::command::Program;
use redraft_loop::Failure;
use std::time::Duration;

#[tokio::test]
async fn one_that_ignores_the_request_to_end_is_killed() {
    let error = play("trap '' TERM INT HUP; while :; do NAP; done").hurried().fails().await;
    assert_eq!(error.failure, Failure::Timeout);
    assert_eq!(error.message, "sh: not finished within 0.3 s");
}

#[tokio::test]
async fn a_daemon_with_a_session_of_its_own_does_not_outlive_the_deadline() {
    let daemon = "(setsid sh -c 'trap \"\" TERM; NAP & NAP' < /dev/null > /dev/null 2>&1 &)";
    let late = play(&format!("{daemon}; NAP")).hurried().fails().await;
    assert_eq!(late.failure, Failure::Timeout);
    let answered = play(&format!("{daemon}; echo fine"));
    assert_eq!(answered.answer().await.unwrap().text, "fine\n");
    assert_eq!(answered.living(), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_daemon_that_has_shed_group_parents_and_environment_is_found_too() {
    let shed = "(env -i PATH=$PATH setsid sh -c '(env -i PATH=$PATH setsid NAP &)' &)";
    let late = play(&format!("{shed}; sleep 0.1; NAP")).hurried().fails().await;
    assert_eq!(late.failure, Failure::Timeout);
    let answered = play(&format!("{shed}; sleep 0.1; echo fine"));
    assert_eq!(answered.answer().await.unwrap().text, "fine\n");
    assert_eq!(answered.living(), Vec::<String>::new());
}

#[tokio::test]
async fn a_stopped_program_is_killed() {
    let error = play("setsid NAP & kill -STOP $$; NAP").hurried().fails().await;
    assert_eq!(error.failure, Failure::Timeout);
}

#[tokio::test]
async fn one_that_closes_stdout_and_sleeps_is_late() {
    let error = play("echo half a reply; exec >&- 2>&-; NAP").hurried().fails().await;
    assert_eq!(error.failure, Failure::Timeout);
}

#[tokio::test]
async fn one_that_reads_for_ever_is_late() {
    let script = "echo waiting for a login >&2; while :; do cat > /dev/null; NAP; done";
    let error = play(script).hurried().fails().await;
    assert_eq!(error.message, "sh: not finished within 0.3 s: waiting for a login");
}

#[tokio::test]
async fn a_flood_on_stdout_stops_at_the_cap() {
    let play =
        play("trap '' TERM PIPE; yes NAP; NAP").with(|program| program.max_output_bytes = 1 << 20);
    let error = play.fails().await;
    assert_eq!(error.failure, Failure::Transient);
    assert!(error.message.starts_with("sh: wrote more than 1048576 bytes"), "{error}");
}

#[tokio::test]
async fn a_reply_of_just_the_cap_is_heard() {
    let play = play("printf 12345678").with(|program| program.max_output_bytes = 8);
    assert_eq!(play.answer().await.unwrap().text, "12345678");
    let over = play.with(|program| program.max_output_bytes = 7);
    assert!(over.fails().await.message.contains("more than 7 bytes"));
}

#[tokio::test]
async fn a_flood_on_stderr_is_read_away_and_only_its_end_is_kept() {
    let flood = "head -c 20000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo the end >&2";
    assert_eq!(play(&format!("{flood}; echo fine")).answer().await.unwrap().text, "fine\n");
    let error = play(&format!("{flood}; exit 4")).fails().await;
    assert_eq!(error.message, "sh: exited with status 4: the end");
    let endless = play("exec yes >&2").hurried().fails().await;
    assert_eq!(endless.failure, Failure::Timeout);
}

#[tokio::test]
async fn many_processes_in_groups_of_their_own_are_all_ended() {
    let script = "i=0; while [ $i -lt 120 ]; do setsid NAP & i=$((i+1)); done; NAP";
    let error = play(script).hurried().fails().await;
    assert_eq!(error.failure, Failure::Timeout);
}

#[tokio::test]
async fn a_fork_bomb_is_stopped_when_it_outgrows_its_cap() {
    let script = "i=0; while [ $i -lt 400 ]; do NAP & i=$((i+1)); done; NAP";
    let play = play(script).with(|program| program.max_processes = 100);
    let error = play.fails().await;
    assert_eq!(error.failure, Failure::Permanent);
    assert_eq!(error.message, "sh: had more than 100 processes, which is all that it may have");
}

#[tokio::test]
async fn one_that_splits_again_and_again_is_ended() {
    // Each splits in two, six times over, and none of them listens.
    let split = "trap '' TERM; [ $1 = 0 ] || { n=$(($1 - 1)); setsid sh -c \"$2\" x $n \"$2\" & sh -c \"$2\" x $n \"$2\" & }; NAP";
    let quoted = split.replace('\'', "'\\''");
    let error =
        play(&format!("code='{quoted}'; sh -c \"$code\" x 6 \"$code\"")).hurried().fails().await;
    assert_eq!(error.failure, Failure::Timeout);
}

#[tokio::test]
async fn one_that_is_always_somebody_else_is_caught() {
    // Each starts its successor in a session of its own and leaves at once: nobody is there for long.
    let hop =
        "trap '' TERM; echo >> hops; [ $1 = 0 ] || setsid sh -c \"$2\" MARK $(($1 - 1)) \"$2\" &";
    let quoted = hop.replace('\'', "'\\''");
    let folder = tempfile::tempdir().unwrap();
    let script = format!("code='{quoted}'; sh -c \"$code\" MARK 20000 \"$code\"; NAP");
    let error = play(&script).with(at(folder.path())).hurried().fails().await;
    assert_eq!(error.failure, Failure::Timeout);
    let hops = std::fs::read_to_string(folder.path().join("hops")).unwrap().len();
    assert!((5..20_000).contains(&hops), "{hops} hops");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_that_leaves_faster_than_it_can_be_looked_for_is_caught_too() {
    let leave = "use POSIX; $SIG{TERM} = IGNORE; open F, q(>>), q(hops); F->autoflush(1); \
                 for (1..40000) { exit if fork; POSIX::setsid(); print F 1 }";
    let folder = tempfile::tempdir().unwrap();
    let script = format!("perl -MIO::Handle -e '{leave}' MARK; NAP");
    let second = |program: &mut Program| program.deadline = Duration::from_secs(1);
    let error = play(&script).with(at(folder.path())).with(second).fails().await;
    assert_eq!(error.failure, Failure::Timeout);
    let hops = std::fs::read_to_string(folder.path().join("hops")).unwrap().len();
    assert!((5..40_000).contains(&hops), "{hops} hops");
}

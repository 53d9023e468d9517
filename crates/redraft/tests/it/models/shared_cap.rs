//! Fifty runs that share a cap of seven calls, killed and resumed at random.

use super::{command, studio};
use crate::provider::Provider;
use std::{process::Stdio, time::Duration};

const CAP: usize = 7;

fn words() -> String {
    let assets: Vec<String> = (1..=50).map(|n| format!("--asset-id a{n}")).collect();
    format!("podcast review -w w {}", assets.join(" "))
}

/// One trial: killed up to three times after some milliseconds, then left to end.
fn trial(seed: u64) {
    let provider = Provider::agreeing();
    let sandbox = studio(&provider, "[budget.home]\ncalls = 7\n");
    for kill in 0..seed % 4 {
        let mut command = command(&sandbox, &words());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let wait = 5 + (seed.wrapping_mul(2_654_435_761) >> (8 * kill)) % 120;
        std::thread::sleep(Duration::from_millis(wait)); // real time: another process is at work
        let _ = child.kill();
        child.wait().unwrap();
    }
    let ended = crate::sandbox::ended(&command(&sandbox, &words()).output().unwrap());
    assert_eq!(ended.code, 5, "trial {seed}: {}\n{}", ended.out, ended.err);
    let asked = provider.asked();
    assert!(asked <= CAP, "trial {seed}: the provider counted {asked} calls");
    let told = "calls of home: 7 of 7 used";
    assert!(ended.err.contains(told), "trial {seed}: {}", ended.err);
    sandbox.expect(0, "verify -w w");
}

#[test]
fn fifty_runs_never_make_more_calls_than_their_shared_cap() {
    let trials = if std::env::var_os("REDRAFT_DEEP").is_some() { 200 } else { 12 };
    (0..trials).for_each(trial);
    eprintln!("{trials} trials, no provider counted more than {CAP} calls");
}

//! Programs that play roles: there or not, and which version.
#![cfg(unix)]

use super::{bare, examine};
use crate::sandbox::Sandbox;
use std::os::unix::fs::PermissionsExt;

fn install(sandbox: &Sandbox, name: &str, script: &str) {
    let path = format!("bin/{name}");
    sandbox.write(&path, format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(sandbox.join(&path), std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn configured(agent: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("user/redraft/config.toml", format!("[agents.c]\nkind = \"command\"\n{agent}\n"));
    sandbox
}

#[test]
fn a_program_tells_its_version() {
    let sandbox = configured("preset = \"claude\"");
    install(&sandbox, "claude", "[ \"$1\" = --version ] && echo 1.2.3 words; echo hidden >&2");
    install(&sandbox, "codex", "echo 9.9");
    let findings = examine(&mut bare(&sandbox));
    assert_eq!(findings.code, 0, "{}", findings.text);
    assert!(findings.told("agent c").starts_with("1.2.3 words ("), "{}", findings.text);
    assert!(findings.told("preset codex").contains("no agent uses it"), "{}", findings.text);
    assert!(findings.checks.iter().all(|check| check["name"] != "preset claude"));
}

#[test]
fn a_program_that_is_missing_is_an_error_with_what_to_install() {
    let findings = examine(&mut bare(&configured("preset = \"claude\"")));
    assert_eq!((findings.code, findings.state("agent c")), (1, "error"));
    let told = findings.told("agent c");
    assert!(
        told.contains("there is no program claude here") && told.contains("npm install"),
        "{told}"
    );
    let findings = examine(&mut bare(&configured("program = \"./no-such-tool\"")));
    assert!(findings.told("agent c").contains("put it on PATH"), "{}", findings.text);
}

#[test]
fn a_program_that_tells_no_version_is_a_warning() {
    let sandbox = configured("program = \"tool\"");
    install(&sandbox, "tool", "exit 4");
    let findings = examine(&mut bare(&sandbox));
    assert_eq!((findings.code, findings.state("agent c")), (0, "warning"));
    assert!(findings.told("agent c").contains("exit status: 4"), "{}", findings.text);
}

#[test]
fn what_a_program_says_is_one_short_line_in_which_everything_is_seen() {
    let sandbox = configured("program = \"tool\"");
    install(&sandbox, "tool", r"printf '\n1.2 \033[31mred\342\200\256 \007\nsecond line\n'");
    let findings = examine(&mut bare(&sandbox));
    let told = findings.told("agent c");
    assert!(told.starts_with(r"1.2 \u{1b}[31mred\u{202e} \u{7} ("), "{told}");
    assert!(!findings.text.contains("second line"), "{}", findings.text);
    let many = r"i=0; while [ $i -lt 300 ]; do printf '\033'; i=$((i+1)); done; echo";
    install(&sandbox, "tool", many);
    let long = examine(&mut bare(&sandbox));
    let told = long.told("agent c");
    let (shown, _) = told.split_once(" (").unwrap();
    assert!(shown.len() <= 80 && shown.starts_with(r"\u{1b}\u{1b}"), "{shown}");
    install(&sandbox, "tool", "true");
    assert_eq!(examine(&mut bare(&sandbox)).state("agent c"), "warning");
}

#[test]
fn git_is_looked_for_and_its_age_told() {
    let sandbox = Sandbox::new();
    let findings = examine(&mut bare(&sandbox));
    assert_eq!(findings.state("git"), "note", "{}", findings.told("git"));
    for (version, state) in [("2.47.3", "ok"), ("2.20.1", "warning")] {
        install(&sandbox, "git", &format!("echo git version {version}"));
        let findings = examine(&mut bare(&sandbox));
        assert_eq!(findings.state("git"), state, "{}", findings.told("git"));
        assert!(findings.told("git").contains(version), "{}", findings.told("git"));
    }
}

#[test]
fn a_program_that_heeds_no_argument_harms_no_file_and_sees_no_key() {
    let sandbox = configured("program = \"tool\"");
    install(&sandbox, "tool", "echo hurt > notes.txt; echo seen \"$SOME_KEY\" \"$PWD\"");
    sandbox.write("notes.txt", "mine");
    let mut command = bare(&sandbox);
    let findings = examine(command.env("SOME_KEY", "sk-secret").env("TMPDIR", sandbox.join("bin")));
    assert_eq!(sandbox.read("notes.txt"), "mine");
    let told = findings.told("agent c");
    assert!(told.contains("seen") && !findings.text.contains("sk-secret"), "{told}");
}

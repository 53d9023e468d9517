//! The home: there, writable, private, and with a journal of the past.
#![cfg(unix)]

use super::{bare, examine};
use crate::{
    sandbox::Sandbox,
    scene::{agrees, final_draft, review, scripted},
};
use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
};

/// A user without any right, for tests that run as root, which no mode keeps out.
const NOBODY: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_home_of_ones_own_is_well() {
    let sandbox = scripted(&[final_draft("one\n"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    let findings = examine(bare(&sandbox).args(["-w", "w"]));
    assert_eq!(findings.code, 0, "{}", findings.text);
    for name in ["home", "permissions", "journal", "clock", "disk writes"] {
        assert_eq!(findings.state(name), "ok", "{}", findings.text);
    }
    assert!(findings.told("journal").contains("runs: 1"), "{}", findings.text);
}

#[test]
fn a_home_that_cannot_be_written_is_told_with_who_must_write() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    let home = sandbox.join(".redraft");
    set_mode(sandbox.path(), 0o755);
    set_mode(&home, 0o555);
    // Root writes everywhere, so the program runs as somebody else; the binary is linked to where they may go.
    let program = sandbox.join("program");
    let built = bare(&sandbox).get_program().to_owned();
    fs::hard_link(&built, &program).or_else(|_| fs::copy(&built, &program).map(drop)).unwrap();
    let mut command = std::process::Command::new(program);
    command.args(["doctor", "--json"]).current_dir(sandbox.path()).env_clear();
    let is_root = fs::metadata("/proc/self")
        .is_ok_and(|found| std::os::unix::fs::MetadataExt::uid(&found) == 0);
    if is_root {
        command.uid(NOBODY).gid(NOBODY);
    }
    let findings = examine(&mut command);
    set_mode(&home, 0o700);
    assert_eq!((findings.code, findings.state("disk writes")), (1, "error"), "{}", findings.text);
    let told = findings.told("disk writes");
    assert!(told.contains("Permission denied") && told.contains("| let your user (id "), "{told}");
}

#[test]
fn a_file_in_the_homes_place_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write(".redraft", "");
    let findings = examine(&mut bare(&sandbox));
    assert_eq!((findings.code, findings.state("home")), (1, "error"));
    assert!(findings.told("home").contains("not a folder"), "{}", findings.text);
}

#[test]
fn a_home_that_others_may_look_into_is_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    set_mode(&sandbox.join(".redraft"), 0o755);
    let findings = examine(&mut bare(&sandbox));
    assert_eq!((findings.code, findings.state("permissions")), (0, "warning"));
    assert!(findings.told("permissions").contains("chmod 700"), "{}", findings.text);
}

#[test]
fn a_journal_that_is_no_database_is_an_error() {
    let sandbox = scripted(&[final_draft("one\n"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    sandbox.write("w/.redraft/journal.db", "hello");
    let findings = examine(bare(&sandbox).args(["-w", "w"]));
    assert_eq!((findings.code, findings.state("journal")), (1, "error"), "{}", findings.text);
    assert!(findings.told("journal").contains("redraft verify"));
}

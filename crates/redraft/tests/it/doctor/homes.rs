//! The home: there, writable, private, and with a journal of the past.
#![cfg(unix)]

use super::{bare, examine};
use crate::{
    sandbox::{REDRAFT, Sandbox},
    scene::{agrees, final_draft, review, scripted},
};
use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::Path,
    process::Command,
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

/// The doctor without the right to write. Root writes everywhere, so it runs as somebody else then, and the
/// program is linked to where they may go.
fn without_rights(sandbox: &Sandbox, workspace: &str) -> Command {
    let program = sandbox.join("program");
    fs::hard_link(REDRAFT, &program).or_else(|_| fs::copy(REDRAFT, &program).map(drop)).unwrap();
    let mut command = Command::new(program);
    command.args(["doctor", "--json", "-w", workspace]).current_dir(sandbox.path()).env_clear();
    if fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0) {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

#[test]
fn a_home_that_cannot_be_written_is_told_with_who_must_write() {
    let sandbox = scripted(&[final_draft("one\n"), agrees()]);
    sandbox.expect(0, &review("description", ""));
    let home = sandbox.join("w/.redraft");
    set_mode(sandbox.path(), 0o755);
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
        set_mode(&home.join(name), 0o444);
    }
    set_mode(&home, 0o555);
    let findings = examine(&mut without_rights(&sandbox, "w"));
    set_mode(&home, 0o700);
    assert_eq!(findings.code, 1, "{}", findings.text);
    assert_eq!((findings.state("disk writes"), findings.state("journal")), ("error", "error"));
    let told = findings.told("disk writes");
    assert!(told.contains("Permission denied") && told.contains("| let your user (id "), "{told}");
    assert!(findings.told("journal").contains("journal.db"), "{}", findings.text);
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

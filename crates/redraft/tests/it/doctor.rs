//! `redraft doctor`: each finding has a cause and a fix.

mod homes;
mod programs;
mod server;
mod servers;

use crate::sandbox::{REDRAFT, Sandbox, ended};
use serde_json::Value;
use std::process::Command;

/// What a doctor says.
struct Findings {
    code: i32,
    checks: Vec<Value>,
    text: String,
}

impl Findings {
    /// How the thing with this name stands.
    fn state(&self, name: &str) -> &str {
        self.one(name)["state"].as_str().unwrap()
    }

    /// The cause and the fix of the thing with this name.
    fn told(&self, name: &str) -> String {
        let check = self.one(name);
        let text = |key: &str| check[key].as_str().unwrap_or_default().to_owned();
        format!("{} | {}", text("found"), text("fix"))
    }

    fn one(&self, name: &str) -> &Value {
        let found = self.checks.iter().find(|check| check["name"] == name);
        found.unwrap_or_else(|| panic!("{name} is not checked: {}", self.text))
    }
}

/// The doctor in a sandbox without any variable but PATH.
fn bare(sandbox: &Sandbox) -> Command {
    let mut command = sandbox.command(REDRAFT, "doctor --json");
    command.env("XDG_CONFIG_HOME", sandbox.join("user"));
    // Whatever is installed on this machine is not what is tested.
    command.env("PATH", sandbox.join("bin"));
    command
}

fn examine(command: &mut Command) -> Findings {
    let ended = ended(&command.output().unwrap());
    let document: Value = serde_json::from_str(&ended.out)
        .unwrap_or_else(|error| panic!("{error}: {}{}", ended.out, ended.err));
    let checks = document["checks"].as_array().unwrap().clone();
    let findings = Findings { code: ended.code, checks, text: ended.out };
    for check in &findings.checks {
        let well = check["state"] == "ok";
        assert_eq!(check["fix"].is_null(), well, "a fix where one is needed: {check}");
        assert!(!check["found"].as_str().unwrap().is_empty(), "{check}");
    }
    findings
}

/// The doctor with this file of the user's.
fn with(config: &str) -> (Sandbox, Findings) {
    let sandbox = Sandbox::new();
    sandbox.write("user/redraft/config.toml", config);
    let findings = examine(&mut bare(&sandbox));
    (sandbox, findings)
}

#[test]
fn a_bare_machine_is_well() {
    let sandbox = Sandbox::new();
    let findings = examine(&mut bare(&sandbox));
    assert_eq!(findings.code, 0, "{}", findings.text);
    assert!(findings.checks.iter().all(|check| check["state"] != "error"), "{}", findings.text);
    assert_eq!(findings.state("agent offline"), "ok");
    for preset in ["claude", "codex", "gemini"] {
        let name = format!("preset {preset}");
        assert_eq!(findings.state(&name), "note");
        assert!(findings.told(&name).contains("npm install -g"), "{}", findings.told(&name));
    }
    assert_eq!(findings.state("home"), "note");
    assert_eq!(findings.state("disk writes"), "ok");
    assert!(sandbox.files(".").is_empty(), "the doctor leaves nothing behind");
}

#[test]
fn the_report_for_a_person_has_a_line_for_each_finding_and_one_for_all() {
    let sandbox = Sandbox::new();
    let told = ended(&sandbox.command(REDRAFT, "doctor").output().unwrap());
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.contains("ok       agent offline: built in"), "{}", told.out);
    let last = told.out.lines().last().unwrap();
    assert!(last == "All is well." || last.starts_with("Errors: 0. Warnings: "), "{last}");
}

#[test]
fn the_library_is_told_with_all_its_options() {
    let findings = examine(&mut bare(&Sandbox::new()));
    let options = findings.one("sqlite")["details"].as_array().unwrap();
    assert!(options.iter().any(|option| option == "THREADSAFE=1"), "{options:?}");
}

#[test]
fn a_broken_configuration_ends_with_2_and_the_rest_is_checked_all_the_same() {
    let (_sandbox, findings) = with("[budgett]\ncalls = 1\n");
    assert_eq!((findings.code, findings.state("config")), (2, "error"));
    assert!(findings.told("config").contains("did you mean `budget`?"));
    assert_eq!(findings.state("disk writes"), "ok");
}

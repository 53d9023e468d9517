//! The files of sample responses are such as their languages read: what is extracted compiles.
//!
//! The Java of all layers is compiled against declarations of the libraries that it names, which stand beside the
//! samples and do nothing. Rust is parsed.

use super::by_hand::{Session, Verdict};
use crate::sandbox::{Ended, Sandbox, ended};
use std::{fs, path::Path, process::Command};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/gated");

fn sample(profile: &str, scope: &str) -> String {
    fs::read_to_string(format!("{FIXTURES}/{profile}/{scope}.md")).unwrap()
}

/// A session whose files were extracted from this response.
fn extracted(profile: &str, scope: &str, response: &str) -> Session {
    let session = Session::begin(profile, scope);
    session.responds("iteration-1/planning", "# Purpose\nOrders of one tenant.\n");
    session.approves();
    session.responds("iteration-1/generation", response);
    session
}

/// The files of an iteration, by name.
fn code(session: &Session, iteration: u32) -> Vec<(String, String)> {
    let folder = session.path(&format!("iteration-{iteration}/code"));
    let mut names: Vec<String> = fs::read_dir(session.sandbox.join(&folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| (name.clone(), session.read(&format!("iteration-{iteration}/code/{name}"))))
        .collect()
}

/// Each file behind its marker, as the fixture has it.
fn behind_markers(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("<<<FILE: ").skip(1).map(|file| file.split_once(">>>\n").unwrap())
}

/// The declarations of libraries: one file of fixtures for each package.
fn put_stubs(into: &Sandbox) {
    for entry in fs::read_dir(format!("{FIXTURES}/stubs")).unwrap() {
        let path = entry.unwrap().path();
        let package = path.file_stem().unwrap().to_str().unwrap().to_owned();
        for (name, text) in behind_markers(&fs::read_to_string(&path).unwrap()) {
            into.write(&format!("stubs/{package}/{name}"), format!("package {package};\n{text}"));
        }
    }
}

fn paths(folder: &Path, all: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            paths(&path, all);
        } else {
            all.push(path);
        }
    }
}

/// Compiles everything that lies in a folder.
fn javac(folder: &Sandbox) -> Ended {
    let mut sources = Vec::new();
    paths(folder.path(), &mut sources);
    let mut command = Command::new("javac");
    command.args(["--release", "17", "-encoding", "UTF-8", "-proc:none", "-Xlint:all", "-Werror"]);
    let output = command.arg("-d").arg(folder.join("classes")).args(sources).output();
    ended(
        &output.expect("javac of a JDK 17 or newer (Debian: apt-get install default-jdk-headless)"),
    )
}

/// The files of these layers, each extracted by a session of its own, and the stubs.
fn layers(layers: &[&str], domain: &str) -> Sandbox {
    let folder = Sandbox::new();
    put_stubs(&folder);
    for scope in layers {
        let response = if *scope == "domain" { domain.to_owned() } else { sample("jpa-mt", scope) };
        let session = extracted("jpa-mt", scope, &response);
        let files = code(&session, 1);
        assert_eq!(files.len(), behind_markers(&response).count(), "{scope}");
        for (name, text) in files {
            folder.write(&format!("{scope}/{name}"), text);
        }
    }
    folder
}

#[test]
fn the_java_of_all_layers_compiles_as_it_was_extracted() {
    let ended = javac(&layers(&["domain", "service", "api"], &sample("jpa-mt", "domain")));
    assert_eq!(ended.code, 0, "{}", ended.err);
}

#[test]
fn java_with_one_method_renamed_does_not_compile() {
    let broken =
        sample("jpa-mt", "domain").replacen("public Long getVersion()", "public Long version()", 1);
    let ended = javac(&layers(&["domain"], &broken));
    assert_ne!(ended.code, 0);
    assert!(
        ended.err.contains("OrderRepositoryTest.java") && ended.err.contains("getVersion"),
        "{}",
        ended.err
    );
}

#[test]
fn a_revision_that_sends_one_file_compiles_with_those_that_were_carried_over() {
    let session = extracted("jpa-mt", "domain", &sample("jpa-mt", "domain"));
    session.approves();
    session.reviews(1, Verdict::Fail);
    let status =
        code(&session, 1).into_iter().find(|(name, _)| name == "OrderStatus.java").unwrap().1;
    let sent = status.replace("PAID(\"paid\"),", "PAID(\"paid\"), // Once.");
    assert_ne!(sent, status);
    let indented: String = sent.lines().map(|line| format!("    {line}\n")).collect();
    session.responds(
        "iteration-2/revision",
        &format!("R1: a comment, in OrderStatus.java\n\n<<<FILE: OrderStatus.java>>>\n{indented}"),
    );
    let (first, second) = (code(&session, 1), code(&session, 2));
    assert_eq!(first.len(), second.len());
    assert!(second.contains(&("OrderStatus.java".to_owned(), sent)));

    let folder = Sandbox::new();
    put_stubs(&folder);
    for (name, text) in second {
        folder.write(&format!("domain/{name}"), text);
    }
    let ended = javac(&folder);
    assert_eq!(ended.code, 0, "{}", ended.err);
}

/// Whether a file is Rust, by its grammar.
fn parses(folder: &Path, name: &str) -> Ended {
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--emit", "stdout"]);
    let output = command.arg(folder.join(name)).output();
    ended(&output.expect("rustfmt (rustup component add rustfmt)"))
}

#[test]
fn the_rust_of_the_sample_is_rust_as_it_was_extracted() {
    let response = sample("sqlx-rust", "domain");
    let session = extracted("sqlx-rust", "domain", &response);
    let folder = session.sandbox.join(&session.path("iteration-1/code"));
    let files = code(&session, 1);
    assert_eq!(files.len(), behind_markers(&response).count());
    for (name, _) in &files {
        let ended = parses(&folder, name);
        assert_eq!(ended.code, 0, "{name}: {}", ended.err);
    }
    let (name, text) = &files[0];
    session.sandbox.write("broken.rs", text.replacen('}', "", 1));
    assert_ne!(parses(session.sandbox.path(), "broken.rs").code, 0, "{name} broken");
}

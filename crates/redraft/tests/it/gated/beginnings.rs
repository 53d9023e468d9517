//! What a session is begun with is read and checked before anything is made.

use super::stage::{DDL, Stage};
use crate::sandbox::Sandbox;

const COMPLETE: &str = "gated init --profile jpa-mt --scope domain --entity Invoice \
                        --table invoice --bounded-context billing --schema-file schema.sql";

/// These words are refused, each of these said, and nothing is made.
fn check(words: &str, says: &[&str]) {
    let sandbox = Sandbox::new();
    sandbox.write("schema.sql", DDL);
    let told = sandbox.expect(2, words);
    for said in says {
        assert!(told.err.contains(said), "{words}: {said}\n{}", told.err);
    }
    assert_eq!(told.out, "");
    let made: Vec<_> = std::fs::read_dir(sandbox.path()).unwrap().collect();
    assert_eq!(made.len(), 1, "{made:?}");
}

#[test]
fn each_key_that_is_missing_is_named() {
    for (flag, key) in [
        ("--scope domain", "scope"),
        ("--entity Invoice", "entity"),
        ("--table invoice", "table"),
        ("--bounded-context billing", "bounded_context"),
        ("--schema-file schema.sql", "schema_file"),
    ] {
        check(&COMPLETE.replace(flag, ""), &[&format!("profile jpa-mt needs {key} (")]);
    }
}

#[test]
fn a_table_that_is_not_there_is_named_with_those_that_are() {
    let words = COMPLETE.replace("--table invoice", "--table nope");
    check(&words, &["schema.sql: there is no table nope", "tenant (line 1)", "invoice (line 6)"]);
}

#[test]
fn a_tenant_column_that_is_not_there_or_may_be_null_is_named_with_its_line() {
    let with = |column: &str| format!("{COMPLETE} -c tenant_column={column}");
    check(&with("nope"), &["schema.sql:6: table invoice has no column \"nope\"", "due_on"]);
    check(&with("due_on"), &["schema.sql:10: column due_on of table invoice may be null"]);
}

#[test]
fn a_schema_file_that_is_not_there_or_no_text_is_named() {
    let words = |file: &str| COMPLETE.replace("schema.sql", file);
    check(&words("nope.sql"), &["nope.sql: No such file"]);
    check(&words("."), &["is no file"]);
    let sandbox = Sandbox::new();
    sandbox.write("schema.sql", [DDL.as_bytes(), b"-- \xff\n"].concat());
    let told = sandbox.expect(2, COMPLETE);
    let at = format!("schema.sql: not UTF-8 from byte {} on", DDL.len() + 3);
    assert!(told.err.contains(&at), "{}", told.err);
    assert!(!sandbox.join(".redraft").exists());
}

#[test]
fn a_value_is_given_once_and_fits_its_key() {
    check(&format!("{COMPLETE} -c table=invoice"), &["table is given twice"]);
    check(
        &format!("{COMPLETE} -c base_package=a -c base_package=b"),
        &["base_package is given twice"],
    );
    check(
        &format!("{COMPLETE} -c nope=1"),
        &["profile jpa-mt has no key \"nope\"", "base_package"],
    );
    check(&format!("{COMPLETE} -c nope"), &["-c nope: a value is given as KEY=VALUE"]);
    check(&COMPLETE.replace("domain", "nope"), &["\"nope\" is none of domain, service, api"]);
    check(&COMPLETE.replace("Invoice", "In-voice"), &["entity: \"In-voice\""]);
}

#[test]
fn a_profile_that_is_not_there_is_named_with_those_that_are() {
    check(&COMPLETE.replace("jpa-mt", "nope"), &["no profile \"nope\"", "jpa-mt", "sqlx-rust"]);
    check(&COMPLETE.replace("jpa-mt", "../jpa-mt"), &["profile"]);
}

#[test]
fn a_role_is_played_by_somebody_who_is_there_and_knows_code() {
    check(&format!("{COMPLETE} --planner nobody"), &["nobody"]);
    check(&format!("{COMPLETE} --planner offline"), &["which knows nothing of code"]);
}

#[test]
fn values_may_come_by_flag_or_by_key_and_stand_in_the_prompts() {
    let stage = Stage::begun("-c base_package=org.shop --task-id T-7");
    let told = stage.session_json();
    assert_eq!(told["context"]["base_package"], "org.shop");
    assert_eq!(told["context"]["tenant_column"], "tenant_id");
    assert_eq!((&told["developer"], &told["task_id"]), (&"anna".into(), &"T-7".into()));
    stage.step(0);
    assert!(stage.read("iteration-1/planning-prompt.md").contains("package: `org.shop`"));
    let words = "gated init --profile jpa-mt -c scope=service -c entity=Invoice -c table=invoice \
                 -c bounded_context=billing -c schema_file=schema.sql";
    stage.sandbox.expect(0, words);
}

#[test]
fn the_schema_counts_as_it_was_when_the_session_began() {
    let stage = Stage::new();
    stage.sandbox.write("schema.sql", "CREATE TABLE later_on (id int);\n");
    stage.step(0);
    let prompt = stage.read("iteration-1/planning-prompt.md");
    assert!(prompt.contains("| due_on | DATE | yes |"), "{prompt}");
    assert!(!prompt.contains("later_on"), "the file of today is not read again");
}

#[test]
fn init_prints_the_id_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("schema.sql", DDL);
    let out = sandbox.expect(0, COMPLETE).out;
    let id = out.strip_suffix('\n').unwrap();
    assert!(id.chars().all(|c| c.is_ascii_hexdigit() || c == '-'), "{out:?}");
    assert!(sandbox.join(&format!(".redraft/gated/{id}/session.json")).is_file());
}

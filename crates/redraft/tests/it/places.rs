//! One rule for where runs are kept: the home above, else that of the data folder.

use crate::sandbox::{Ended, REDRAFT, Sandbox, ended};

fn with_data(sandbox: &Sandbox, words: &str) -> Ended {
    let mut command = sandbox.command(REDRAFT, words);
    command.env_remove("HOME").env("XDG_DATA_HOME", sandbox.join("data"));
    command.env("XDG_CONFIG_HOME", sandbox.join("config"));
    ended(&command.output().unwrap())
}

#[test]
fn what_solve_finds_everybody_finds() {
    let sandbox = Sandbox::new();
    let solved = with_data(&sandbox, "solve What? --context What-is-blue.");
    assert_eq!(solved.code, 0, "{}", solved.err);
    let home = sandbox.join("data/redraft/.redraft").canonicalize().unwrap();
    for words in ["budget show", "doctor", "verify", "runs list"] {
        let ended = with_data(&sandbox, words);
        let talk = format!("{}{}", ended.out, ended.err);
        assert!(!talk.contains("here or above"), "{words}: {talk}");
        let tells = words == "runs list" || talk.contains(home.to_str().unwrap());
        assert!(tells, "{words}: {talk}");
    }
    let budget = with_data(&sandbox, "budget show");
    assert!(budget.code == 0 && budget.out.contains("Home: calls: 3 used"), "{}", budget.out);
    assert_eq!(with_data(&sandbox, "budget set --calls 9").code, 0);
    assert!(with_data(&sandbox, "budget show").out.contains("of 9 used"));
}

#[test]
fn where_there_is_none_the_place_of_the_first_one_is_told() {
    let sandbox = Sandbox::new();
    let place = sandbox.join("data/redraft/.redraft").display().to_string();
    for words in ["budget show", "runs list", "verify", "doctor"] {
        let ended = with_data(&sandbox, words);
        let talk = format!("{}{}", ended.out, ended.err);
        assert!(
            talk.contains(&format!("redraft solve makes one at {place} on first use")),
            "{words}: {talk}"
        );
    }
    assert!(!sandbox.join("data").exists(), "looking makes nothing");
}

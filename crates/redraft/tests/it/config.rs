//! `redraft config`: what is in force, where it came from, and what is wrong.

use crate::sandbox::{Ended, REDRAFT, Sandbox, ended};

/// A sandbox with a user's folder `user` and a project `project`.
fn sandbox(user: &str, project: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("user/redraft/config.toml", user);
    sandbox.write("project/redraft.toml", project);
    std::fs::create_dir_all(sandbox.join("project/episodes/one")).unwrap();
    sandbox
}

fn run(sandbox: &Sandbox, variables: &[(&str, &str)], words: &str) -> Ended {
    let mut command = sandbox.command(REDRAFT, words);
    command.env("XDG_CONFIG_HOME", sandbox.join("user")).envs(variables.iter().copied());
    ended(&command.output().unwrap())
}

#[test]
fn show_tells_every_value_with_its_origin() {
    let sandbox = sandbox("[roles]\ncreator = \"human\"\n", "[budget]\ncalls = 7\nusd = 1.50\n");
    let variables = [("REDRAFT_CALL_SECONDS", "5")];
    let words = "config show --origin -w project/episodes/one --max-calls 6";
    let shown = run(&sandbox, &variables, words);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let line = |start: &str| {
        shown
            .out
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("{start}: {}", shown.out))
    };
    assert!(line("roles.creator = \"human\"").ends_with("user/redraft/config.toml:2"));
    assert!(line("budget.usd = 1.5").ends_with("project/redraft.toml:3"));
    assert!(line("budget.calls = 6").ends_with("# --max-calls"));
    assert!(line("budget.call_seconds = 5").ends_with("# REDRAFT_CALL_SECONDS"));
    assert!(line("review.max_iterations = 3").ends_with("# built-in"));
    let plain = run(&sandbox, &[], "config show -w project");
    assert!(plain.out.contains("budget.calls = 7\n"), "{}", plain.out);
}

#[test]
fn show_gives_the_same_as_one_document() {
    let sandbox = sandbox("", "[budget]\ncalls = 7\n");
    let shown = run(&sandbox, &[], "config show --origin --json -w project");
    let document: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    let settings = document["settings"].as_array().unwrap();
    let calls = settings.iter().find(|setting| setting["key"] == "budget.calls").unwrap();
    assert_eq!((&calls["value"], &calls["origin"]["line"]), (&7.into(), &2.into()));
    assert_eq!(document["command"], "config show");
}

#[test]
fn path_tells_which_files_are_looked_at() {
    let sandbox = sandbox("", "");
    std::fs::remove_file(sandbox.join("project/redraft.toml")).unwrap();
    let told = run(&sandbox, &[], "config path -w project");
    let lines: Vec<&str> = told.out.lines().collect();
    assert!(
        lines[0].starts_with("user: ") && lines[0].ends_with("config.toml (exists)"),
        "{}",
        told.out
    );
    assert!(lines[1].ends_with("project/redraft.toml (does not exist)"), "{}", told.out);
}

#[test]
fn a_slip_ends_with_2_and_names_the_line_and_the_word_that_was_meant() {
    let sandbox = sandbox("", "[budget]\ncalls = 7\n\n[review]\nmax_iteration = 3\n");
    for words in ["config check", "config show", "doctor"] {
        let told = run(&sandbox, &[], &format!("{words} -w project/episodes/one"));
        let talk = format!("{}{}", told.out, told.err);
        assert_eq!(told.code, 2, "{words}: {talk}");
        assert!(
            talk.contains(
                "project/redraft.toml:5:1: unknown key in [review]; did you mean `max_iterations`?"
            ),
            "{talk}"
        );
        assert!(talk.contains("5 | max_iteration = …"), "{talk}");
        assert!(talk.contains("| ^^^^^^^^^^^^^"), "{talk}");
    }
}

#[test]
fn a_strangers_project_runs_nothing_until_it_is_trusted() {
    let program = "[agents.w]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:9/v1\"\nkey = { command = [\"sh\", \"-c\", \"touch was-here; echo k\"] }\n";
    let sandbox = sandbox("", program);
    for words in ["config check", "config show", "doctor"] {
        let told = run(&sandbox, &[], &format!("{words} -w project"));
        assert_eq!(told.code, 2, "{words}: {}{}", told.out, told.err);
        let talk = format!("{}{}", told.out, told.err);
        assert!(
            talk.contains("is not trusted") && talk.contains("REDRAFT_TRUST_PROJECT=1"),
            "{talk}"
        );
    }
    assert!(!sandbox.join("was-here").exists());
    let trusted = run(&sandbox, &[("REDRAFT_TRUST_PROJECT", "1")], "config check -w project");
    assert_eq!(trusted.code, 0, "{}", trusted.err);
    // Only now, and only by the command that needs the key.
    assert!(!sandbox.join("was-here").exists());
    run(&sandbox, &[], "doctor --trust-project -w project");
    assert!(sandbox.join("was-here").exists());
}

#[test]
fn a_key_in_a_file_is_refused_and_not_repeated() {
    let text =
        "[agents.w]\nkind = \"llm\"\nprovider = \"openai\"\nmodel = \"m\"\nkey = \"sk-CANARY\"\n";
    let sandbox = sandbox(text, "");
    for words in ["config check", "config show", "doctor", "doctor --json", "config check --json"] {
        let told = run(&sandbox, &[], words);
        let talk = format!("{}{}", told.out, told.err);
        assert_eq!(told.code, 2, "{talk}");
        assert!(
            talk.contains("never stands in a configuration") && !talk.contains("CANARY"),
            "{talk}"
        );
    }
}

#[test]
fn an_unknown_variable_is_a_warning() {
    let sandbox = sandbox("", "");
    let told = run(&sandbox, &[("REDRAFT_CREATORS", "offline")], "config check -w project");
    assert_eq!(told.code, 0);
    assert!(told.err.contains("did you mean REDRAFT_CREATOR?"), "{}", told.err);
}

#[test]
fn whoever_asks_agents_warns_of_a_variable_that_nothing_reads() {
    let sandbox = sandbox("", "");
    sandbox.write("talk.txt", "Ada: Bread is made of flour and water.\n");
    for words in ["init --episode-id e1", "ingest --transcript talk.txt"] {
        let told = run(&sandbox, &[], &format!("podcast {words} --workspace w"));
        assert_eq!(told.code, 0, "{}", told.err);
    }
    for words in ["review --all --dry-run", "draft --all", "draft --all --json", "summarize"] {
        let variables = [("REDRAFT_CREATORS", "human")];
        let told = run(&sandbox, &variables, &format!("podcast {words} --workspace w"));
        let warning = "warning: REDRAFT_CREATORS: nothing reads this variable";
        assert_eq!(told.err.matches(warning).count(), 1, "{words}: {}", told.err);
    }
}

#[test]
fn what_every_review_refuses_is_told_before_a_review() {
    let critic = "[agents.critic]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"m-1\"\nbase_url = \"http://127.0.0.1:9/v1\"\n[roles]\nreviewers = [\"critic\"]\n";
    let lens = "[lenses]\ncritic = \"fact\"\n";
    let cases = [
        (lens, "config.toml:9:10: lenses.critic: there is no lens \"fact\"; did you mean `facts`?"),
        ("[budget]\nusd = 1\n", "config.toml:7:13: agent critic: the price of m-1 is unknown"),
        ("[budget.home]\nusd = 1\n", "give its price: [prices.\"m-1\"]"),
    ];
    for (more, expected) in cases {
        let sandbox = sandbox(&format!("{critic}{more}"), "");
        for (words, code) in [("config check", 2), ("config check --json", 2), ("doctor", 1)] {
            let told = run(&sandbox, &[], &format!("{words} -w project"));
            let talk = format!("{}{}", told.out, told.err).replace("\\\"", "\"");
            assert_eq!(told.code, code, "{words}: {talk}");
            assert!(talk.contains(expected), "{words}: {talk}");
        }
    }
}

#[test]
fn a_lens_of_the_project_and_a_price_that_is_given_are_no_faults() {
    let user = "[agents.critic]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:9/v1\"\n[roles]\ncreator = \"human\"\nreviewers = [\"critic\", \"offline\"]\n[lenses]\ncritic = \"rhymes\"\n[budget]\nusd = 1\n[prices.m]\ninput = 1\noutput = 1\n";
    let sandbox = sandbox(user, "");
    let lens = "<!-- version: 1 -->\nLook at the rhymes.\n";
    sandbox.write("project/prompts/review/lenses/rhymes.md", lens);
    let told = run(&sandbox, &[], "config check -w project");
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
}

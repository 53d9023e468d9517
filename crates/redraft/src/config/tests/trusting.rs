//! What a project's file may say, trusted and not.

use super::*;

const MODEL: &str = "[agents.w]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"m\"\nbase_url = \"https://elsewhere.example.org/v1\"\nkey = { env = \"OPENAI_API_KEY\" }\n";
const COMMAND: &str = "[agents.w]\nkind = \"command\"\nprogram = \"./run-me\"\n";
const KEY_COMMAND: &str = "[agents.w]\nkind = \"llm\"\nprovider = \"openai\"\nmodel = \"m\"\nkey = { command = [\"./run-me\"] }\n";
const NO_KEY: &str = "[agents.w]\nkind = \"llm\"\nprovider = \"openai\"\nmodel = \"m\"\n";
const PRICE: &str = "[prices.m]\ninput = 0\noutput = 0\n";

#[test]
fn an_untrusted_project_starts_no_program_and_reaches_no_server_and_sets_no_price() {
    for text in [MODEL, COMMAND, KEY_COMMAND, NO_KEY, PRICE] {
        let stage = Stage::new().project(text);
        let told = stage.told();
        assert!(told.contains("the project is not trusted"), "{text}: {told}");
        assert!(told.contains("redraft.toml:"), "{told}");
        let folder = stage.project_folder();
        assert!(
            told.contains(&format!("[trust]\nprojects = [\"{}\"]", folder.display())),
            "{told}"
        );
        assert!(told.contains("REDRAFT_TRUST_PROJECT=1"), "{told}");
    }
}

#[test]
fn the_users_own_file_is_trusted() {
    for text in [MODEL, COMMAND, KEY_COMMAND, NO_KEY, PRICE] {
        Stage::new().user(text).load().unwrap();
    }
}

#[test]
fn a_project_is_trusted_by_the_users_file_a_variable_or_a_flag() {
    let stage = || Stage::new().project(&format!("{MODEL}{PRICE}"));
    let listed = stage();
    let folder = listed.project_folder();
    listed.user(&format!("[trust]\nprojects = [\"{}\"]", folder.display())).load().unwrap();
    let listed = stage();
    let above = listed.folder.path().canonicalize().unwrap();
    listed.user(&format!("[trust]\nprojects = [\"{}\"]", above.display())).load().unwrap();
    stage().variable("REDRAFT_TRUST_PROJECT", "1").load().unwrap();
    stage().load_with(&CallFlags { trust_project: true, ..CallFlags::default() }.into()).unwrap();
}

#[test]
fn trust_in_another_folder_is_no_trust_in_this_one() {
    let stage = Stage::new().project(MODEL);
    let other = stage.folder.path().join("proj");
    fs::create_dir(&other).unwrap();
    let below = stage.project_folder().join("below");
    fs::create_dir(&below).unwrap();
    let text = format!("[trust]\nprojects = [\"{}\", \"{}\"]", other.display(), below.display());
    assert!(stage.user(&text).told().contains("not trusted"));
    let stage = Stage::new().project(MODEL).variable("REDRAFT_TRUST_PROJECT", "0");
    assert!(stage.told().contains("not trusted"));
}

#[test]
fn a_project_cannot_trust_itself() {
    let stage = Stage::new();
    let text = format!("[trust]\nprojects = [\"{}\"]\n{MODEL}", stage.project_folder().display());
    assert!(stage.project(&text).told().contains("a project cannot trust itself"));
}

#[test]
fn an_untrusted_project_tightens_bounds_and_never_lifts_them() {
    let user = "[budget]\ncalls = 5\nusd = 1.5\ncall_seconds = 30\n[budget.home]\ntokens = 9\n";
    for lifted in ["calls = 6", "usd = 1.500001", "call_seconds = 31", "home.tokens = 10"] {
        let told = Stage::new().user(user).project(&format!("[budget]\n{lifted}")).told();
        assert!(told.contains("lifts the bound of ") && told.contains("config.toml:"), "{told}");
    }
    let lower = "[budget]\ncalls = 5\nusd = 0.5\ntokens = 3\ncall_seconds = 1\nhome.tokens = 1\n";
    let config = Stage::new().user(user).project(lower).load().unwrap();
    assert_eq!(config.run.usd.unwrap().value, money::MicroUsd(500_000));
}

#[test]
fn an_untrusted_project_chooses_among_the_users_agents() {
    let project = "[roles]\ncreator = \"w\"\nreviewers = [\"offline\", \"me\"]\n[lenses]\nw = \"facts\"\n[agents.me]\nkind = \"human\"\n";
    let config = Stage::new().user(NO_KEY).project(project).load().unwrap();
    assert_eq!(config.creator.value, "w");
}

#[test]
fn an_untrusted_project_casts_no_preset_that_the_user_has_not_cast() {
    for roles in [
        "creator = \"claude\"",
        "reviewers = [\"offline\", \"claude\"]",
        "planner = \"claude\"",
        "generator = \"claude\"",
        "critics = [\"offline\", \"claude\"]",
    ] {
        let stage = || Stage::new().project(&format!("[roles]\n{roles}\n"));
        let told = stage().told();
        let expected = "redraft.toml:2";
        assert!(told.contains("claude starts a program, and the project is not trusted"), "{told}");
        assert!(told.contains(expected), "{told}");
        stage().user("[roles]\ncreator = \"claude\"\n").load().unwrap();
        stage().user("[agents.claude]\nkind = \"human\"\n").load().unwrap();
        stage().variable("REDRAFT_REVIEWERS", "claude").load().unwrap();
        stage().variable("REDRAFT_TRUST_PROJECT", "1").load().unwrap();
        let flags = Flags { creator: Some("claude".into()), ..Flags::default() };
        stage().load_with(&flags).unwrap();
        let told = stage().user("[roles]\ncreator = \"codex\"\n").told();
        assert!(told.contains("claude starts a program"), "{told}");
    }
}

#[test]
fn an_untrusted_project_lets_no_review_go_on_for_longer() {
    let longer = "[review]\nmax_iterations = 4\n";
    let told = Stage::new().project(longer).told();
    assert!(told.contains("lifts the bound of built-in, and the project is not trusted"), "{told}");
    let user = "[review]\nmax_iterations = 2\nstop_on_stagnation = true\n";
    let told = Stage::new().user(user).project("[review]\nmax_iterations = 3\n").told();
    assert!(told.contains("config.toml:2, and the project is not trusted"), "{told}");
    let told = Stage::new().user(user).project("[review]\nstop_on_stagnation = false\n").told();
    assert!(told.contains("config.toml:3, and the project is not trusted"), "{told}");
    let shorter = "[review]\nmax_iterations = 1\nstop_on_stagnation = true\n";
    let config = Stage::new().user(user).project(shorter).load().unwrap();
    assert_eq!(config.max_iterations.value, 1);
    Stage::new().user("[review]\nmax_iterations = 9\n").project(longer).load().unwrap();
    // What is said for a command is over the project's file, whatever that says.
    let stage = Stage::new().project(longer).variable("REDRAFT_MAX_ITERATIONS", "7");
    assert_eq!(stage.load().unwrap().max_iterations.value, 7);
    let config = Stage::new().project("[review]\nstop_on_stagnation = false\n").load().unwrap();
    assert!(!config.stop_on_stagnation.value);
}

#[test]
fn an_untrusted_project_casts_no_preset_for_a_session_either() {
    for role in ["planner", "generator", "reviewer", "reviser"] {
        let stage = || Stage::new().project(&format!("[gated]\n{role} = \"claude\"\n"));
        let told = stage().told();
        assert!(told.contains("claude starts a program, and the project is not trusted"), "{told}");
        assert!(told.contains("redraft.toml:2"), "{told}");
        stage().user(&format!("[gated]\n{role} = \"claude\"\n")).load().unwrap();
        stage().variable("REDRAFT_TRUST_PROJECT", "1").load().unwrap();
    }
    let own = "[gated]\nreviewer = \"w\"\nplanner = \"manual\"\n";
    let config = Stage::new().user(NO_KEY).project(own).load().unwrap();
    assert_eq!(config.gated.len(), 2);
}

/// An agent of the user's that edits where it builds.
const EDITOR: &str = "[agents.editor]\nkind = \"command\"\nprogram = \"my-editor\"\n";

#[test]
fn an_untrusted_project_makes_nobody_edit_whom_the_user_cast_for_words() {
    for name in ["claude", "editor"] {
        let stage = || Stage::new().project(&format!("[roles]\nbuilder = \"{name}\"\n"));
        let words = format!("{EDITOR}[roles]\nreviewers = [\"{name}\"]\narchitect = \"{name}\"\n");
        for told in [stage().user(&words).told(), stage().user(EDITOR).told()] {
            let expected =
                format!("{name} edits files where it builds, and the project is not trusted");
            assert_eq!(told.matches("is not trusted").count(), 1, "{told}");
            assert!(told.contains(&expected) && told.contains("redraft.toml:2"), "{told}");
            assert!(told.contains("[trust]\nprojects = ["), "{told}");
        }
        // A user who has cast them as builder, by name or as the creator that builds where no builder is named.
        for role in ["builder", "creator"] {
            let user = format!("{EDITOR}[roles]\n{role} = \"{name}\"\n");
            stage().user(&user).load().unwrap();
        }
        let other = format!("{EDITOR}[roles]\ncreator = \"{name}\"\nbuilder = \"human\"\n");
        assert!(stage().user(&other).told().contains("edits files"));
        stage().user(EDITOR).variable("REDRAFT_BUILDER", name).load().unwrap();
        stage().user(EDITOR).variable("REDRAFT_TRUST_PROJECT", "1").load().unwrap();
        let pair = PairFlags { builder: Some("human".into()), ..PairFlags::default() };
        let flags = Flags { pair, ..Flags::default() };
        let config = stage().user(EDITOR).load_with(&flags).unwrap();
        assert_eq!(
            config.who_builds().unwrap().value,
            "human",
            "what is said for a command counts"
        );
    }
}

#[test]
fn whoever_edits_nothing_builds_for_any_project() {
    let answers = format!("{EDITOR}edits = false\n{NO_KEY}");
    for name in ["editor", "w", "human"] {
        let project = format!("[roles]\nbuilder = \"{name}\"\n");
        let config = Stage::new().user(&answers).project(&project).load().unwrap();
        assert_eq!(config.who_builds().unwrap().value, name);
    }
}

#[test]
fn the_creator_of_an_untrusted_project_does_not_build_in_place_of_a_builder() {
    let project = "[roles]\ncreator = \"claude\"\n";
    let stage = |user: &str| Stage::new().project(project).user(user);
    let words = "[roles]\nreviewers = [\"claude\"]\n";
    let config = stage(words).load().unwrap();
    assert_eq!(config.creator.value, "claude", "it may write");
    let refused = config.who_builds().unwrap_err().to_string();
    assert!(refused.contains("claude edits files where it builds"), "{refused}");
    for (user, builder) in [
        ("[roles]\nreviewers = [\"claude\"]\nbuilder = \"human\"\n", "human"),
        ("[roles]\ncreator = \"claude\"\n", "claude"),
    ] {
        assert_eq!(stage(user).load().unwrap().who_builds().unwrap().value, builder, "{user}");
    }
    let trusted = stage(words).variable("REDRAFT_TRUST_PROJECT", "1").load().unwrap();
    assert_eq!(trusted.who_builds().unwrap().value, "claude");
    let said = stage(words).variable("REDRAFT_CREATOR", "human").load().unwrap();
    assert_eq!(said.who_builds().unwrap().value, "human");
}

#[test]
fn an_untrusted_project_gives_checks_no_more_time_and_protects_more_and_never_less() {
    let user = "[pair]\ncheck_seconds = 60\nprotected = [\"secrets/**\"]\n";
    let told = Stage::new().user(user).project("[pair]\ncheck_seconds = 61\n").told();
    assert!(told.contains("lifts the bound of ") && told.contains("config.toml:2"), "{told}");
    let project = "[pair]\ncheck_seconds = 59\nprotected = [\"ci/**\"]\n";
    let config = Stage::new().user(user).project(project).load().unwrap();
    let patterns: Vec<&str> = config.protected.iter().map(|one| one.value.as_str()).collect();
    assert_eq!((patterns, config.check_seconds.value), (vec!["ci/**", "secrets/**"], 59));
    let none = "[pair]\nprotected = []\n";
    assert_eq!(Stage::new().user(user).project(none).load().unwrap().protected.len(), 1);
}

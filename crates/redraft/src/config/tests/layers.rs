//! Each source over the ones before it, and every value with its origin.

use super::*;

const FILE: &str =
    "[roles]\ncreator = \"human\"\n[budget]\ncalls = 7\nusd = 1.5\n[review]\nmax_iterations = 4\n";

#[test]
fn without_any_source_everything_is_built_in() {
    let config = Stage::new().load().unwrap();
    assert_eq!(config.creator, Sourced::built_in("offline".to_owned()));
    assert_eq!(config.reviewers.value, ["offline"]);
    assert_eq!((config.call_seconds.value, config.max_iterations.value), (60, 3));
    assert_eq!((&config.run, &config.home), (&Caps::default(), &Caps::default()));
    assert!(config.settings().iter().all(|setting| setting.origin == origin::Origin::BuiltIn));
}

#[test]
fn each_source_lies_over_the_one_before() {
    let stage =
        Stage::new().user(FILE).project("[budget]\ncalls = 6\n[review]\nmax_iterations = 3\n");
    let config = stage.load().unwrap();
    assert_eq!(config.run.calls.as_ref().unwrap().value, 6);
    assert_eq!(origin(&config, "roles.creator"), "config.toml:2");
    assert_eq!(origin(&config, "budget.calls"), "redraft.toml:2");
    assert_eq!(origin(&config, "budget.usd"), "config.toml:5");
    let stage = stage.variable("REDRAFT_BUDGET_CALLS", "5").variable("REDRAFT_MAX_ITERATIONS", "6");
    let flags = Flags::from(CallFlags { max_calls: Some(4), ..CallFlags::default() });
    let config = stage.load_with(&flags).unwrap();
    assert_eq!(config.run.calls.as_ref().unwrap().value, 4);
    assert_eq!(origin(&config, "budget.calls"), "--max-calls");
    assert_eq!(origin(&config, "review.max_iterations"), "REDRAFT_MAX_ITERATIONS");
    assert_eq!(origin(&config, "budget.call_seconds"), "built-in");
}

#[test]
fn who_solves_is_who_reviews_unless_somebody_else_is_named() {
    let stage = Stage::new().user("[roles]\ncreator = \"human\"\ncritics = [\"human\"]\n");
    let config = stage.load().unwrap();
    assert_eq!(config.planner.value, "human");
    assert_eq!(origin(&config, "roles.generator"), "config.toml:2");
    assert_eq!((config.critics.value.len(), config.reviewers.value.len()), (1, 1));
    assert_eq!(origin(&config, "roles.critics"), "config.toml:3");
    assert_eq!(origin(&config, "roles.reviewers"), "built-in");
    let stage = stage.project("[roles]\nplanner = \"offline\"\n");
    let config = stage.load().unwrap();
    assert_eq!(
        (config.planner.value.as_str(), config.generator.value.as_str()),
        ("offline", "human")
    );
    assert_eq!(origin(&config, "roles.planner"), "redraft.toml:2");
}

#[test]
fn who_changes_a_repository_is_the_creator_unless_somebody_else_is_named() {
    let stage = Stage::new().user("[roles]\ncreator = \"human\"\narchitect = \"codex\"\n");
    let config = stage.load().unwrap();
    assert_eq!(
        (config.architect.as_ref().unwrap().value.as_str(), &config.builder),
        ("codex", &None)
    );
    assert_eq!(config.who_builds().unwrap().value, "human");
    assert_eq!(origin(&config, "roles.architect"), "config.toml:3");
    let stage = stage.project("[roles]\nbuilder = \"human\"\narchitect = \"codex\"\n");
    let config = stage.load().unwrap();
    assert_eq!(origin(&config, "roles.builder"), "redraft.toml:2");
    assert_eq!(origin(&config, "roles.architect"), "redraft.toml:3");
}

#[test]
fn what_a_pair_may_not_touch_is_the_sum_of_all_files_and_its_checks_have_ten_minutes() {
    let config = Stage::new().load().unwrap();
    assert_eq!((config.protected.len(), config.check_seconds.value), (0, 600));
    let user = "[pair]\nprotected = [\"*.lock\", \"ci/**\"]\n";
    let config = Stage::new().user(user).project("[pair]\ncheck_seconds = 30\n").load().unwrap();
    assert_eq!(origin(&config, "pair.protected"), "config.toml:2");
    assert_eq!(origin(&config, "pair.check_seconds"), "redraft.toml:2");
    assert_eq!((config.protected.len(), config.check_seconds.value), (2, 30));
}

#[test]
fn who_plays_in_a_session_is_nobody_until_a_source_names_them_role_by_role() {
    assert!(Stage::new().load().unwrap().gated.is_empty());
    let stage = Stage::new()
        .user("[gated]\nplanner = \"human\"\ngenerator = \"codex\"\nreviewer = \"codex\"\n")
        .project("[gated]\nreviewer = \"human\"\nreviser = \"manual\"\n");
    let config = stage.load().unwrap();
    let origins = ["planner", "generator", "reviewer", "reviser"]
        .map(|role| origin(&config, &format!("gated.{role}")));
    assert_eq!(origins, ["config.toml:2", "config.toml:3", "redraft.toml:2", "redraft.toml:3"]);
    let stage = stage.variable("REDRAFT_GATED_PLANNER", "codex");
    let gated = GatedFlags { reviser: Some("human".into()), ..GatedFlags::default() };
    let config = stage.load_with(&Flags { gated, ..Flags::default() }).unwrap();
    assert_eq!(origin(&config, "gated.planner"), "REDRAFT_GATED_PLANNER");
    assert_eq!(origin(&config, "gated.reviser"), "--reviser");
    let names: Vec<&str> = config.gated.values().map(|name| name.value.as_str()).collect();
    assert_eq!(names, ["codex", "codex", "human", "human"]);
    assert_eq!(config.planner.value, "offline", "who plans an answer is somebody else");
}

#[test]
fn every_variable_sets_what_it_names() {
    let stage = Stage::new()
        .variable("REDRAFT_CREATOR", "human")
        .variable("REDRAFT_REVIEWERS", "offline, human")
        .variable("REDRAFT_PLANNER", "scripted")
        .variable("REDRAFT_GENERATOR", "offline")
        .variable("REDRAFT_CRITICS", "human, offline, human")
        .variable("REDRAFT_ARCHITECT", "codex")
        .variable("REDRAFT_BUILDER", "claude")
        .variable("REDRAFT_GATED_PLANNER", "claude")
        .variable("REDRAFT_GATED_GENERATOR", "codex")
        .variable("REDRAFT_GATED_REVIEWER", "human")
        .variable("REDRAFT_GATED_REVISER", "manual")
        .variable("REDRAFT_BUDGET_CALLS", "1")
        .variable("REDRAFT_BUDGET_TOKENS", "2")
        .variable("REDRAFT_BUDGET_USD", "0.25")
        .variable("REDRAFT_CALL_SECONDS", "3")
        .variable("REDRAFT_TOTAL_SECONDS", "4")
        .variable("REDRAFT_MAX_ITERATIONS", "5");
    let config = stage.load().unwrap();
    assert_eq!((config.creator.value.as_str(), config.reviewers.value.len()), ("human", 2));
    let solvers = [config.planner.value, config.generator.value, config.critics.value.join(" ")];
    assert_eq!(solvers, ["scripted", "offline", "human offline human"]);
    let pair = [config.architect, config.builder].map(|name| name.unwrap().value);
    assert_eq!(pair, ["codex", "claude"]);
    let gated: Vec<String> = config.gated.into_values().map(|name| name.value).collect();
    assert_eq!(gated, ["claude", "codex", "human", "manual"]);
    let caps = [config.run.calls, config.run.tokens].map(|cap| cap.unwrap().value);
    assert_eq!(caps, [1, 2]);
    assert_eq!(config.run.usd.unwrap().value, money::MicroUsd(250_000));
    let times = [config.call_seconds.value, config.total_seconds.unwrap().value];
    assert_eq!((times, config.max_iterations.value), ([3, 4], 5));
    assert!(config.remarks.is_empty());
}

#[test]
fn every_flag_sets_what_it_names() {
    let calls = CallFlags {
        max_calls: Some(1),
        max_tokens: Some(2),
        max_usd: Some(money::MicroUsd(3)),
        call_seconds: Some(4),
        total_seconds: Some(5),
        trust_project: false,
    };
    let flags = Flags {
        pair: PairFlags { architect: Some("human".into()), builder: Some("human".into()) },
        calls,
        creator: Some("human".into()),
        reviewer: vec!["human".into()],
        solvers: SolverFlags {
            planner: Some("offline".into()),
            generator: Some("offline".into()),
            critic: vec!["offline".into(), "human".into()],
        },
        gated: GatedFlags {
            planner: Some("manual".into()),
            generator: Some("human".into()),
            reviewer: Some("human".into()),
            reviser: Some("human".into()),
        },
        max_iterations: Some(9),
        stop_on_stagnation: true,
    };
    let config = Stage::new().load_with(&flags).unwrap();
    let flagged = config.settings().into_iter().filter(|s| s.origin.to_string().starts_with("--"));
    assert_eq!(flagged.count(), 18);
}

#[test]
fn an_empty_variable_says_nothing_and_a_bad_one_is_named() {
    let stage = Stage::new().variable("REDRAFT_BUDGET_CALLS", " ");
    assert_eq!(stage.load().unwrap().run.calls, None);
    for (name, value) in [
        ("REDRAFT_BUDGET_CALLS", "-1"),
        ("REDRAFT_BUDGET_TOKENS", "many"),
        ("REDRAFT_BUDGET_USD", "nan"),
        ("REDRAFT_CALL_SECONDS", "0"),
        ("REDRAFT_MAX_ITERATIONS", "1001"),
        ("REDRAFT_TRUST_PROJECT", "perhaps"),
        ("REDRAFT_CREATOR", "nobody"),
        ("REDRAFT_GATED_REVIEWER", "nobody"),
        ("REDRAFT_REVIEWERS", "offline,"),
    ] {
        let told = Stage::new().variable(name, value).told();
        assert!(told.starts_with(&format!("{name}: ")), "{value}: {told}");
    }
}

#[test]
fn a_variable_that_nothing_reads_is_told_with_the_one_that_was_meant() {
    let stage = Stage::new()
        .variable("REDRAFT_BUDGET_CALL", "1")
        .variable("REDRAFT_SCRIPT_LOG", "x")
        .variable("REDRAFT_SERVER_TOKEN", "x")
        .variable("REDRAFT_DEEP", "1");
    let remarks = stage.load().unwrap().remarks;
    assert_eq!(
        remarks,
        ["REDRAFT_BUDGET_CALL: nothing reads this variable; did you mean REDRAFT_BUDGET_CALLS?"]
    );
}

#[test]
fn the_users_folder_follows_the_xdg_rules() {
    let path = |variables: &[(&str, &str)]| {
        let variables = variables.iter().map(|(name, value)| (name.into(), value.into()));
        let files = Surroundings::new(Path::new("/"), variables).files().unwrap();
        let user = files.iter().find(|file| file.owner == Owner::User);
        user.map(|file| file.path.display().to_string())
    };
    let home = ("HOME", "/h");
    assert_eq!(path(&[home]).unwrap(), "/h/.config/redraft/config.toml");
    assert_eq!(path(&[home, ("XDG_CONFIG_HOME", "/x")]).unwrap(), "/x/redraft/config.toml");
    assert_eq!(path(&[home, ("XDG_CONFIG_HOME", "x")]).unwrap(), "/h/.config/redraft/config.toml");
    assert_eq!(path(&[]), None);
}

#[test]
fn the_nearest_project_counts_and_no_other() {
    let stage = Stage::new()
        .write("redraft.toml", "[budget]\ncalls = 1\ntokens = 1\n")
        .project("[budget]\ncalls = 2\n");
    let config = stage.load().unwrap();
    assert_eq!(config.run.calls.unwrap().value, 2);
    assert_eq!(config.run.tokens, None);
}

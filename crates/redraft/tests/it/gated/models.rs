//! Sessions whose roles are played by models, and by several kinds of agents side by side.

use super::unattended::scene::{CALLS, FAIL, PASS, PLAN, Scene};
use crate::{
    models::KEY,
    provider::{Does, Provider, Seen},
    sandbox::{Ended, ended},
};

const ROLES: [&str; 4] = ["planner", "generator", "reviewer", "reviser"];
const MODELS: &str =
    "--planner planner --generator generator --reviewer reviewer --reviser reviser";

const FILES: &str =
    "As planned.\n<<<FILE: Order.java>>>\n// one\n<<<FILE: OrderStore.java>>>\n// two\n";
const REVISED: &str = "R1: mended.\n<<<FILE: Order.java>>>\n// one, mended\n";

/// What an honest model of each role says.
fn honest(seen: &Seen) -> Does {
    let text = match (seen.model(), seen.nth) {
        ("planner", _) => PLAN,
        ("generator", _) => FILES,
        ("reviewer", 0) => FAIL,
        ("reviewer", _) => PASS,
        (_, _) => REVISED,
    };
    Does::Says(text.to_owned())
}

/// A scene with a model for each role, named as the role.
fn studio(provider: &Provider) -> Scene {
    let scene = Scene::new("java");
    let agent = |name: &str| {
        format!(
            "[agents.{name}]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"{name}\"\n\
             base_url = \"{}\"\nkey = {{ env = \"TEST_KEY\" }}\nmax_output_tokens = 1000\n",
            provider.base_url()
        )
    };
    scene.configure(&ROLES.map(agent).concat());
    scene.open_gates();
    scene
}

fn run(scene: &Scene, id: &str) -> Ended {
    let mut command = scene.command(&format!("gated run {id}"));
    ended(&command.env("TEST_KEY", KEY).output().unwrap())
}

fn begun(scene: &Scene, profile: &str, who: &str) -> String {
    // A key is looked for where an agent is made.
    let words = format!(
        "gated init --profile {profile} --scope domain --entity Order --table sales.orders --bounded-context order-management --schema-file schema.sql --dev Ada {who}"
    );
    let ended = ended(&scene.command(&words).env("TEST_KEY", KEY).output().unwrap());
    assert_eq!(ended.code, 0, "{}", ended.err);
    ended.out.trim().to_owned()
}

#[test]
fn models_plan_generate_review_and_revise_from_init_to_complete() {
    let provider = Provider::new(honest);
    let scene = studio(&provider);
    let id = begun(&scene, "jpa-auto", MODELS);
    let ended = run(&scene, &id);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let seen = provider.seen();
    let asked: Vec<&str> = seen.iter().map(Seen::model).collect();
    assert_eq!(asked, ["planner", "generator", "reviewer", "reviser", "reviewer"]);
    for (nth, told) in
        [(0, "sales.orders"), (1, PLAN), (2, "// one"), (3, "R1 (critical)"), (4, "// one, mended")]
    {
        assert!(seen[nth].text().contains(told.trim()), "call {nth}: {}", seen[nth].text());
    }
    assert!(seen[4].text().contains("// two"), "what was carried over is reviewed too");
    for request in &seen {
        assert!(
            !request.text().contains("{{") && !request.text().contains("{%"),
            "{}",
            request.text()
        );
    }
    let session = scene.session(&id);
    assert_eq!(session["execution_mode"], "automatic");
    for role in ROLES {
        assert_eq!(session["providers"][role], role);
    }
    scene.expect(0, "verify");
}

#[test]
fn a_key_stands_in_no_file_of_a_session() {
    let provider = Provider::new(honest);
    let scene = studio(&provider);
    let id = begun(&scene, "jpa-auto", MODELS);
    assert_eq!(run(&scene, &id).code, 0);
    let key = seen_key(&provider);
    assert!(key.contains(KEY), "the provider was given it: {key}");
    let files = scene.sandbox.files(&scene.folder(&id));
    assert!(files.len() > 10, "{files:?}");
    for (path, bytes) in files {
        assert!(!String::from_utf8_lossy(&bytes).contains(KEY), "{path}");
    }
}

fn seen_key(provider: &Provider) -> String {
    let headers = provider.seen().swap_remove(0).headers;
    headers.into_iter().find(|(name, _)| name == "authorization").unwrap().1
}

#[test]
fn a_model_whose_files_cannot_be_read_is_told_what_is_wrong() {
    let provider = Provider::new(|seen| match (seen.model(), seen.nth) {
        ("generator", 0) => Does::Says("Here is a sketch.\n".into()),
        _ => honest(seen),
    });
    let scene = studio(&provider);
    let id = begun(&scene, "jpa-auto", MODELS);
    assert_eq!(run(&scene, &id).code, 0);
    let seen = provider.seen();
    assert_eq!(seen[2].model(), "generator");
    assert!(seen[2].text().contains("what is wrong"), "{}", seen[2].text());
    let refused = "iteration-1/generation-response.refused-1.md";
    assert_eq!(scene.file(&id, refused), "Here is a sketch.\n");
}

#[test]
fn a_provider_that_refuses_leads_to_error_and_the_next_run_goes_on() {
    let provider = Provider::new(|seen| match (seen.model(), seen.nth) {
        ("reviewer", 0) => Does::Fails(401, vec![], r#"{"error": {"message": "bad key"}}"#.into()),
        ("reviewer", 1) => Does::Says(FAIL.to_owned()),
        _ => honest(seen),
    });
    let scene = studio(&provider);
    let id = begun(&scene, "jpa-auto", MODELS);
    let failed = run(&scene, &id);
    assert_eq!(failed.code, 1, "{}{}", failed.out, failed.err);
    assert_eq!(scene.stands(&id), ("ERROR".into(), "error".into()));
    let ended = run(&scene, &id);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert_eq!(provider.asked(), CALLS.len() + 1);
    scene.expect(0, "verify");
}

/// Who plays, and what that is called.
fn mode(provider: &Provider, who: &str) -> String {
    let scene = studio(provider);
    let id = begun(&scene, "jpa-mt", who);
    scene.session(&id)["execution_mode"].as_str().unwrap().to_owned()
}

#[test]
fn a_session_says_whether_people_agents_or_both_play() {
    let provider = Provider::new(honest);
    assert_eq!(mode(&provider, ""), "manual");
    assert_eq!(mode(&provider, "--planner manual --reviewer human"), "manual");
    assert_eq!(mode(&provider, "--reviewer reviewer"), "mixed");
    assert_eq!(mode(&provider, MODELS), "automatic");
}

#[test]
fn a_person_plans_a_program_generates_and_models_review_and_revise() {
    let provider = Provider::new(honest);
    let scene = studio(&provider);
    let who = "--generator program --reviewer reviewer --reviser reviser";
    let id = begun(&scene, "jpa-auto", who);
    assert_eq!(scene.session(&id)["execution_mode"], "mixed");
    let waits = run(&scene, &id);
    assert_eq!(waits.code, 3, "{}", waits.err);
    assert!(waits.out.contains("phase=PLANNING status=in_progress"), "{}", waits.out);
    assert!(waits.out.contains("noop_awaiting_artifact=true"), "{}", waits.out);
    let response = "iteration-1/planning-response.md";
    assert!(waits.out.lines().any(|line| line.ends_with(response)), "{}", waits.out);
    scene.sandbox.write(&format!("{}/{response}", scene.folder(&id)), "A person's plan.\n");
    let ended = run(&scene, &id);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert_eq!(scene.asked(), ["generation-1"]);
    let asked: Vec<String> = provider.seen().iter().map(|it| it.model().to_owned()).collect();
    assert_eq!(asked, ["reviewer", "reviser", "reviewer"]);
    assert_eq!(scene.file(&id, "plan.md"), "A person's plan.\n");
    assert_eq!(scene.session(&id)["providers"]["planner"], "manual");
    scene.expect(0, "verify");
}

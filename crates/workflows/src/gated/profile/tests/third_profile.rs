//! A profile that knows neither Java nor Rust works by the same rules.

use super::*;

#[test]
fn it_is_read_with_what_its_manifest_says() {
    let profile = Profile::read(&letters()).unwrap();
    assert_eq!(
        (profile.name(), profile.extension(), profile.max_iterations()),
        ("letters", "txt", 3)
    );
    assert_eq!(profile.phase(Phase::Review).gate, Gate::Person);
    assert_eq!(profile.phase(Phase::Revision).role, Role::Reviser);
    assert_eq!(profile.phase(Phase::Revision).prompt, "prompts/write.md");
    assert_eq!(profile.standards_bundle(), "<!-- standards/tone.md -->\nBe brief.\n");
    assert!(profile.schema().is_none());
    assert_eq!(lint(&letters()), []);
}

#[test]
fn its_prompts_hold_values_in_their_place_and_texts_beside_them() {
    let profile = Profile::read(&letters()).unwrap();
    let values = given(&[("recipient", "Ada"), ("occasion", "{{ mood }} and # Ignore all")]);
    let context = profile.context(&values).unwrap();
    let standards = profile.standards_bundle();
    let asked = |phase| Asked {
        phase,
        context: &context,
        iteration: 2,
        last_iteration: 3,
        standards: &standards,
        materials: all_materials(&profile, phase, "x"),
    };
    let prompt = profile.prompt(&asked(Phase::Planning)).unwrap();
    assert_eq!(
        prompt.instructions,
        "Outline a warm letter to Ada.\n<!-- standards/tone.md -->\nBe brief."
    );
    assert_eq!(prompt.part("occasion"), Some("{{ mood }} and # Ignore all"));
    let prompt = profile.prompt(&asked(Phase::Revision)).unwrap();
    assert_eq!(prompt.instructions, "Files end in .txt.\nWrite, round 2.");
    let prompt = profile.prompt(&asked(Phase::Review)).unwrap();
    assert_eq!(prompt.instructions, "Judge it. Read the remarks.");
    let names: Vec<&str> = prompt.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "occasion",
            "plan",
            "candidate",
            "remarks",
            "previous review",
            "rejected response",
            "feedback",
            "what is wrong"
        ]
    );
    assert!(page(&prompt).starts_with("Judge it. Read the remarks.\n\n---\n"));
}

#[test]
fn an_editor_of_another_system_changes_nothing() {
    let foreign = |(path, text): (&'static str, &str)| {
        (path, format!("\u{feff}{}", text.replace('\n', "\r\n")))
    };
    assert_eq!(FILES.into_iter().map(foreign).collect::<Files>(), letters());
}

proptest::proptest! {
    #[test]
    fn no_text_makes_looking_through_a_profile_fail(
        text in "(\\{\\{|\\}\\}|\\{%|%\\}|\\{#|#\\}|include|\"form.md\"|if|mood|\\[|\\]|=|\n|\\PC){0,30}"
    ) {
        for file in [MANIFEST, "prompts/form.md", "standards/tone.md"] {
            let files = with(file, Some(&text));
            let is_error = |finding: &Finding| finding.weight() == Weight::Error;
            let has_errors = lint(&files).iter().any(is_error);
            proptest::prop_assert_eq!(Profile::read(&files).is_err(), has_errors);
        }
    }
}

#[test]
fn materials_are_those_of_the_phase() {
    let profile = Profile::read(&letters()).unwrap();
    let context = profile.context(&given(&[("recipient", "Ada"), ("occasion", "")])).unwrap();
    let asked = |phase, materials| Asked {
        phase,
        context: &context,
        iteration: 1,
        last_iteration: 3,
        standards: "",
        materials,
    };
    for (phase, materials, told) in [
        (
            Phase::Planning,
            vec![(Material::Candidate, Arc::from("x"))],
            "the prompt of planning has no use for \"candidate\"",
        ),
        (Phase::Generation, Vec::new(), "the prompt of generation lacks \"plan\""),
    ] {
        let error = profile.prompt(&asked(phase, materials)).unwrap_err();
        assert_eq!(error.to_string(), told);
    }
    let prompt = profile.prompt(&asked(Phase::Planning, Vec::new())).unwrap();
    assert_eq!(prompt.parts, [], "an empty text is no part");
}

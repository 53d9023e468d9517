//! Each flaw of a profile is found, with its file and line.

use super::*;

#[track_caller]
fn check(files: &Files, expected: &[&str]) {
    let found: Vec<String> = lint(files).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    let is_error = |finding: &Finding| finding.weight() == Weight::Error;
    assert_eq!(Profile::read(files).is_err(), lint(files).iter().any(is_error));
}

/// The manifest with one text in place of another.
#[track_caller]
fn manifest(from: &str, to: &str) -> Files {
    assert!(MANIFEST_TEXT.contains(from), "{from}");
    with(MANIFEST, Some(&MANIFEST_TEXT.replacen(from, to, 1)))
}

#[test]
fn a_manifest_that_is_missing_or_cannot_be_read() {
    check(&with(MANIFEST, None), &["profile.toml:1: the profile has no profile.toml"]);
    check(&manifest("name = \"letters\"", "name = letters"), &["profile.toml:1:8: "]);
    check(
        &manifest("extension =", "ending ="),
        &["profile.toml:3:1: unknown field `ending`, expected one of `name`, "],
    );
    check(
        &manifest("gate = \"person\"", "gate = \"nobody\""),
        &["profile.toml:17:8: unknown variant `nobody`"],
    );
    check(&manifest("role = \"planner\"\n", ""), &["profile.toml:6:1: missing field `role`"]);
    check(
        &manifest("kind = \"text\"", "kind = \"text\"\nflag = 1"),
        &["profile.toml:37:1: unknown field `flag`"],
    );
}

#[test]
fn values_of_the_manifest_that_cannot_be() {
    for (from, to, told) in [
        ("\"letters\"", "\"My Letters\"", "profile.toml:1: the name \"My Letters\""),
        ("\"txt\"", "\".txt\"", "profile.toml:3: the extension \".txt\""),
        ("\"txt\"", "\"\"", "profile.toml:3: the extension \"\""),
        ("\"txt\"", "\"a/b\"", "profile.toml:3: the extension \"a/b\""),
        (
            "\"txt\"",
            "\"txt\"\nmax_iterations = 0",
            "profile.toml:4: max_iterations has to be from 1 to 50",
        ),
        ("\"txt\"", "\"txt\"\nmax_iterations = 51", "profile.toml:4: max_iterations"),
    ] {
        check(&manifest(from, to), &[told]);
    }
}

#[test]
fn a_phase_that_is_missing() {
    let files = manifest(
        "[phases.review]\nprompt = \"prompts/judge.md\"\nrole = \"reviewer\"\ngate = \"person\"\n",
        "",
    );
    check(
        &files,
        &[
            "profile.toml:1: the phase review is missing: add [phases.review]",
            "prompts/judge.md:1: nothing names this file",
        ],
    );
}

#[test]
fn prompts_and_standards_that_are_missing_empty_or_elsewhere() {
    check(&with("prompts/judge.md", None), &["profile.toml:15: there is no file prompts/judge.md"]);
    check(
        &with("standards/tone.md", None),
        &["profile.toml:4: there is no file standards/tone.md"],
    );
    check(&with("prompts/judge.md", Some(" \n")), &["prompts/judge.md:1: the file is empty"]);
    check(&with("prompts/form.md", Some("")), &["prompts/form.md:1: the file is empty"]);
    check(&with("standards/tone.md", Some("\n")), &["standards/tone.md:1: the file is empty"]);
    check(
        &manifest("\"standards/tone.md\"", "\"../tone.md\""),
        &[
            "profile.toml:4: \"../tone.md\" has to stand in standards/",
            "standards/tone.md:1: nothing names this file",
        ],
    );
}

#[test]
fn a_placeholder_that_nothing_fills() {
    let text = "Judge.\n{% if false %}\n{{ receiver }}{% endif %}";
    check(
        &with("prompts/judge.md", Some(text)),
        &[
            "prompts/judge.md:3: there is no variable \"receiver\"; known are recipient, mood, profile, phase, ",
        ],
    );
    check(
        &with("prompts/form.md", Some("\n{{ candidate }}")),
        &["prompts/form.md:2: there is no variable \"candidate\""],
    );
    check(
        &with("prompts/judge.md", Some("Judge by {{ occasion }}.")),
        &[
            "prompts/judge.md:1: \"occasion\" is no variable: the value of a file or text key is data",
        ],
    );
}

#[test]
fn a_placeholder_that_would_be_told_as_it_stands() {
    check(
        &with("prompts/judge.md", Some("Judge.\n{{ \"{{ mood }}\" }}")),
        &["prompts/judge.md:2: {{ mood }} is told as it stands"],
    );
    check(
        &with("standards/tone.md", Some("Be\n{{mood}}.")),
        &["standards/tone.md:2: {{mood}} is told as it stands"],
    );
    let files = with("prompts/judge.md", Some("Judge\na ${mood} letter."));
    check(&files, &["prompts/judge.md:2: {mood} is told as it stands"]);
    assert_eq!(lint(&files)[0].weight(), Weight::Warning);
}

#[test]
fn includes_that_are_missing_in_a_circle_or_cannot_be_checked() {
    check(
        &with("prompts/judge.md", Some("Judge.\n{% include \"../secret.md\" %}")),
        &["prompts/judge.md:2: there is no file prompts/../secret.md to include"],
    );
    for form in [
        "{% include mood %}",
        "{% include \"a\" ~ mood %}",
        "{% include \"form.md\" ignore missing %}",
    ] {
        let files = with("prompts/judge.md", Some(&format!("Judge.\n{form}")));
        check(&files, &["prompts/judge.md:2: an include names one file of prompts/ in quotes"]);
    }
    check(
        &with("prompts/form.md", Some("Form.\n{% include \"form.md\" %}")),
        &["prompts/form.md:2: files include each other in a circle: form.md > form.md"],
    );
    check(
        &with("prompts/form.md", Some("Form.\n\n{%- include 'write.md' -%}")),
        &["prompts/form.md:3: files include each other in a circle: write.md > form.md > write.md"],
    );
}

#[test]
fn templates_that_do_not_parse_render_or_end() {
    check(
        &with("prompts/judge.md", Some("Judge.\n{% if mood %}\n")),
        &["prompts/judge.md:2: syntax error: "],
    );
    check(
        &with("prompts/judge.md", Some("Judge.\n\n{{ mood | upper }}")),
        &["prompts/judge.md:3: "],
    );
    check(
        &with(
            "prompts/judge.md",
            Some(
                "Judge.{% if mood == \"formal\" and \"remarks\" in parts and iteration == 2 %}\n{{ parts[99] }}{% endif %}",
            ),
        ),
        &["prompts/judge.md:2: undefined value"],
    );
    check(&with("prompts/form.md", Some("Form.\n{{ mood() }}")), &["prompts/form.md:2: "]);
    let nested =
        "{% for a in [1,2,3,4,5,6,7,8,9,10] %}".repeat(7) + "x" + &"{% endfor %}".repeat(7);
    let files = with("prompts/judge.md", Some(&nested));
    assert!(lint(&files)[0].to_string().contains("fuel"), "{:?}", lint(&files));
    for tag in ["raw", "macro", "extends", "block", "import"] {
        let files = with("prompts/judge.md", Some(&format!("Judge.\n{{% {tag} x %}}")));
        let found: Vec<String> = lint(&files).iter().map(ToString::to_string).collect();
        let expected = format!("prompts/judge.md:2: {{% {tag} %}} has no use in a prompt");
        assert!(found.contains(&expected), "{found:?}");
    }
}

#[test]
fn what_nothing_uses_is_a_warning() {
    let more = FILES.into_iter().chain([
        ("prompts/old.md", "Old."),
        ("notes.txt", "Notes."),
        ("README.md", "For people."),
        (".gitignore", ""),
    ]);
    let files: Files = more.collect();
    check(
        &files,
        &["notes.txt:1: nothing names this file", "prompts/old.md:1: nothing names this file"],
    );
    check(
        &with("prompts/outline.md", Some("Outline a letter to {{ recipient }}. {{ standards }}")),
        &["profile.toml:28: no prompt uses the context key \"mood\""],
    );
    assert!(lint(&files).iter().all(|finding| finding.weight() == Weight::Warning));
}

#[test]
fn standards_that_no_prompt_tells() {
    check(
        &with("prompts/outline.md", Some("Outline a {{ mood }} letter to {{ recipient }}.")),
        &["profile.toml:4: no prompt has {{ standards }}: nobody would read them"],
    );
}

#[test]
fn keys_that_are_declared_wrong() {
    for (from, to, told) in [
        ("\"recipient\"", "\"Recipient\"", "24: context key \"Recipient\": a name is lower-case"),
        ("\"recipient\"", "\"phase\"", "24: context key \"phase\": the name is taken"),
        ("\"occasion\"", "\"mood\"", "34: context key \"mood\": there are two of this name"),
        (
            "\"occasion\"",
            "\"previous_review\"",
            "34: context key \"previous_review\": the name is that of another part",
        ),
        (
            "allowed = [\"warm\", \"formal\"]\n",
            "",
            "28: context key \"mood\": a choice, and nothing else,",
        ),
        (
            "kind = \"text\"",
            "kind = \"text\"\nallowed = [\"a\"]",
            "34: context key \"occasion\": a choice,",
        ),
        (
            "[\"warm\", \"formal\"]",
            "[\"warm\", \"for mal\"]",
            "28: context key \"mood\": the allowed value \"for mal\"",
        ),
        (
            "default = \"warm\"",
            "default = \"cold\"",
            "28: context key \"mood\": its default is none of warm, formal",
        ),
    ] {
        let found: Vec<String> =
            lint(&manifest(from, to)).iter().map(ToString::to_string).collect();
        let expected = format!("profile.toml:{told}");
        assert!(found.iter().any(|found| found.starts_with(&expected)), "{found:#?}\n{expected}");
    }
}

#[test]
fn a_schema_that_names_no_fitting_keys() {
    let schema = "[schema]\nfile = \"occasion\"\ntable = \"tables\"\ncolumns = [\"mood\"]\n\n[[context]]\nname = \"recipient\"";
    check(
        &manifest("[[context]]\nname = \"recipient\"", schema),
        &[
            "profile.toml:24: schema: \"occasion\" has to be a context key of kind \"file\"",
            "profile.toml:25: schema: \"tables\" is no context key",
            "profile.toml:26: schema: \"mood\" has to be a context key of kind \"column\"",
        ],
    );
}

#[test]
fn all_errors_are_told_at_once() {
    let files = with("prompts/judge.md", None);
    let error = Profile::read(&files).unwrap_err();
    assert_eq!(error.to_string(), "profile.toml:15: there is no file prompts/judge.md");
}

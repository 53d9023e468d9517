//! What is wrong in a file is told with its place, and never with a key.

use super::*;

#[test]
fn an_unknown_key_is_told_with_line_caret_and_suggestion() {
    let told = told("[budget]\ncalls = 1\ntoken = 5\n");
    assert!(
        told.contains("config.toml:3:1: unknown key in [budget]; did you mean `tokens`?"),
        "{told}"
    );
    assert!(told.contains("3 | token = …\n  | ^^^^^"), "{told}");
}

#[test]
fn unknown_keys_are_refused_in_every_table() {
    let model = "kind = \"llm\"\nprovider = \"ollama\"\nmodel = \"m\"\n";
    for text in [
        "x = 1",
        "[x]",
        "[roles]\nx = 1",
        "[budget]\nx = 1",
        "[budget.home]\nx = 1",
        "[review]\nx = 1",
        "[pair]\nx = 1",
        "[gated]\nx = 1",
        "[trust]\nx = 1",
        "[prices.m]\ninput = 1\noutput = 1\nx = 1",
        "[agents.a]\nkind = \"human\"\nmodel = \"m\"",
        "[agents.a]\nkind = \"human\"\nedits = true",
        &format!("[agents.a]\n{model}edits = false"),
        "[agents.a]\nkind = \"command\"\npreset = \"claude\"\nmodel = \"m\"",
        &format!("[agents.a]\n{model}program = \"p\""),
        &format!("[agents.a]\n{model}key = {{ env = \"A\", x = 1 }}"),
    ] {
        assert!(told(text).contains("unknown key"), "{text}: {}", told(text));
    }
}

#[test]
fn all_that_is_wrong_is_told_in_the_order_of_the_lines() {
    let told = told("[budget]\ncalls = \"x\"\nusd = 0.1234567\n[review]\nmax_iterations = 0\n");
    let lines: Vec<&str> = told.lines().filter(|line| line.contains("config.toml:")).collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert!(lines[0].ends_with("calls: expected a whole number from 0 to 4294967295, not a text"));
    assert!(lines[1].ends_with("budget.usd: an amount has at most six decimals"), "{told}");
    assert!(lines[2].contains("config.toml:5:18"), "{told}");
}

#[test]
fn values_out_of_bounds_and_of_other_types_are_refused() {
    for (text, expected) in [
        ("[budget]\ncalls = -1", "expected a whole number from 0"),
        ("[budget]\nusd = -0.5", "cannot be negative"),
        ("[budget]\nusd = nan", "expected an amount"),
        ("[budget]\nusd = 1e2", "expected an amount"),
        ("[budget]\nusd = \"1\"", "expected an amount"),
        ("[budget]\ncall_seconds = 0", "from 1 to"),
        ("[budget]\nhome = 3", "expected a table"),
        ("[prices.m]\ninput = 1", "prices.m.output: missing"),
        ("[review]\nstop_on_stagnation = 1", "expected true or false, not a whole number"),
        ("[roles]\nreviewers = []", "roles.reviewers: nobody is named"),
        ("[roles]\ncritics = []", "roles.critics: nobody is named"),
        ("[roles]\narchitect = \"ofline\"", "roles.architect: there is no agent \"ofline\""),
        ("[roles]\nbuilder = \"ofline\"", "roles.builder: there is no agent \"ofline\""),
        ("[roles]\nbuilder = [\"human\"]", "expected a text"),
        ("[gated]\nplanner = [\"human\"]", "expected a text"),
        ("[gated]\nplanner = \"manuel\"", "gated.planner: there is no agent \"manuel\""),
        ("[gated]\nplanner = \"manuel\"", "did you mean `manual`?"),
        ("[gated]\ngenerator = \"ofline\"", "gated.generator: there is no agent \"ofline\""),
        ("[gated]\nreviewer = \"nobody\"", "gated.reviewer: there is no agent \"nobody\""),
        ("[gated]\nreviser = \"\"", "gated.reviser: there is no agent \"\""),
        ("[roles]\narchitect = \"manual\"", "roles.architect: there is no agent \"manual\""),
        ("[pair]\nprotected = \"a\"", "expected"),
        ("[pair]\ncheck_seconds = 0", "from 1 to"),
        ("[roles]\nplanner = \"ofline\"", "roles.planner: there is no agent \"ofline\""),
        ("[roles]\ngenerator = \"ofline\"", "roles.generator: there is no agent \"ofline\""),
        ("[roles]\ncritics = [\"ofline\"]", "roles.critics: there is no agent \"ofline\""),
        ("[roles]\ncreator = \"ofline\"", "did you mean `offline`?"),
        ("[lenses]\nnobody = \"facts\"", "there is no agent \"nobody\""),
        ("[lenses]\noffline = 3", "expected a text"),
        ("[trust]\nprojects = [\"relative\"]", "expected folders from the root on"),
        ("agents = 3", "agents: expected a table"),
        ("[agents]\na = 3", "agents.a: expected a table"),
    ] {
        assert!(told(text).contains(expected), "{text}: {}", told(text));
    }
}

#[test]
fn a_pattern_that_protects_nothing_is_told_with_its_place() {
    let told = told("[pair]\ncheck_seconds = 5\nprotected = [\"src/**\", \"ci[\"]\n");
    assert!(told.contains("config.toml:3:") && told.contains("pair.protected: "), "{told}");
    assert!(told.contains("ci["), "{told}");
}

#[test]
fn agents_that_cannot_be_are_refused() {
    let model = "kind = \"llm\"\nprovider = \"openai\"\nmodel = \"m\"\n";
    for (agent, expected) in [
        ("model = \"m\"", "kind: missing"),
        ("kind = \"lmm\"", "did you mean `llm`?"),
        ("kind = 3", "expected a text"),
        ("kind = \"llm\"\nmodel = \"m\"", "provider: missing"),
        ("kind = \"llm\"\nprovider = \"openia\"\nmodel = \"m\"", "did you mean `openai`?"),
        ("kind = \"llm\"\nprovider = \"openai\"\nmodel = \" \"", "model: empty"),
        ("kind = \"llm\"\nprovider = \"compatible\"\nmodel = \"m\"", "base_url: missing"),
        (&format!("{model}temperature = 3"), "expected a number from 0 to 2"),
        (&format!("{model}temperature = nan"), "expected a number from 0 to 2"),
        (&format!("{model}max_output_tokens = 0"), "expected a whole number from 1"),
        (&format!("{model}base_url = \"ftp://h\""), "not an http or https address of a server"),
        (&format!("{model}base_url = \"nonsense\""), "not an address"),
        ("kind = \"command\"", "program: missing"),
        ("kind = \"command\"\nprogram = \"a\"\npreset = \"claude\"", "not both"),
        ("kind = \"command\"\npreset = \"cluade\"", "did you mean `claude`?"),
        ("kind = \"command\"\nprogram = \"a\"\nenv = [\"\"]", "expected names of variables"),
        ("kind = \"command\"\nprogram = \"a\"\ninput = \"yaml\"", "known are: text, json"),
        ("kind = \"command\"\nprogram = \"a\"\nedits = \"no\"", "expected true or false"),
    ] {
        let told = told(&format!("[agents.a]\n{agent}"));
        assert!(told.contains(expected), "{agent}: {told}");
    }
    for name in ["offline", "scripted", "human", "Big", "\"a b\"", "\"\""] {
        let told = told(&format!("[agents.{name}]\nkind = \"human\""));
        assert!(told.contains("agent"), "{name}: {told}");
    }
}

/// A key in every place where a hurried person may put it.
#[test]
fn no_complaint_and_no_setting_repeats_a_key() {
    let model = "kind = \"llm\"\nprovider = \"openai\"\nmodel = \"m\"\n";
    let mut told_all = String::new();
    for wrong in [
        "key = \"sk-CANARY\"",
        "key = 'sk-CANARY'",
        "key = \"\"\"\nsk-CANARY\"\"\"",
        "key = [\"sk-CANARY\"]",
        "key = { value = \"sk-CANARY\" }",
        "key = { env = \"sk-CANARY\" }",
        "key = { env = \"sk-CANARY\", file = \"sk-CANARY\" }",
        "key = { env = [\"sk-CANARY\"] }",
        "key = { command = \"sk-CANARY\" }",
        "key = { command = [\"\", \"sk-CANARY\"] }",
        "api_key = \"sk-CANARY\"",
        "token = { it = \"sk-CANARY\" }",
        "stream = \"sk-CANARY\"",
        "temperature = \"sk-CANARY\"",
        "base_url = \"https://me:sk-CANARY@example.org/v1\"",
        "base_url = \"https://example.org/v1?key=sk-CANARY\"",
        "base_url = \"sk-CANARY\"",
        "key = \"sk-CANARY",
        "key = sk-CANARY",
    ] {
        let told = told(&format!("[agents.a]\n{model}{wrong}\n"));
        assert!(!told.contains("CANARY"), "{wrong}: {told}");
        told_all.push_str(&told);
    }
    assert!(told_all.contains("a key itself never stands in a configuration"));
    let inline = "agents.a = { kind = \"llm\", key = \"sk-CANARY\", modle = \"m\", stream = 3 }";
    let told = told(inline);
    assert!(told.contains("did you mean `model`?") && !told.contains("CANARY"), "{told}");
}

#[test]
fn a_key_command_shows_its_program_and_nothing_more() {
    let text = "[agents.a]\nkind = \"llm\"\nprovider = \"openai\"\nmodel = \"m\"\nkey = { command = [\"echo\", \"sk-CANARY\"] }";
    let config = Stage::new().user(text).load().unwrap();
    let shown: String =
        config.settings().iter().map(|s| format!("{}\n", toml_text(&s.value))).collect();
    assert!(
        shown.contains("{ command = [\"echo\", \"…\"] }") && !shown.contains("CANARY"),
        "{shown}"
    );
}

#[test]
fn a_file_that_is_no_text_or_no_file_is_named() {
    let stage = Stage::new();
    let path = stage.folder.path().join("user/redraft");
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("config.toml"), b"a = \"\xff\"").unwrap();
    assert!(stage.told().contains("config.toml: not UTF-8 text"), "{}", stage.told());
    fs::remove_file(path.join("config.toml")).unwrap();
    fs::create_dir(path.join("config.toml")).unwrap();
    assert!(stage.told().contains("config.toml: not a file"), "{}", stage.told());
}

/// A slip of the finger anywhere in a file that holds a key.
#[test]
fn no_slip_makes_a_complaint_repeat_a_key() {
    let file = "[agents.a]\nkind = \"llm\"\nprovider = \"openai\"\nkey = \"sk-CANARY\"\n\n[agents.b]\nkind = \"llm\"\nkey = { command = [\"echo\", \"sk-CANARY\"] }\nstream = true\n\n[agents.c]\nkey = \"\"\"\nsk-CANARY\n\"\"\"\nargs = [\n  \"sk-CANARY\",\n]\n";
    let mut complaints = 0;
    for at in 0..file.len() {
        for slip in ["", "\"", "\n", "=", "[", "'", "x"] {
            // A slip inside the word itself hides it from this test, not from a reader.
            if "CANARY".contains(&file[at..=at]) {
                continue;
            }
            let text = format!("{}{slip}{}", &file[..at], &file[at + 1..]);
            let document = Document::of(Path::new("c.toml"), text.clone());
            let error = file_layer::read(&document, Owner::User).unwrap_err();
            assert!(!error.to_string().contains("CANARY"), "{text}\n{error}");
            complaints += error.complaints.len();
        }
    }
    assert!(complaints > 1000, "{complaints}");
}

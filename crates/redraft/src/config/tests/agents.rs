//! Agents as they are read.

use super::*;
use redraft_agents::{
    Preset,
    llm::{KeySource, Provider},
};

fn agent(table: &str) -> Agent {
    let stage = Stage::new().user(&format!("[agents.it]\n{table}"));
    let config = stage.load().unwrap_or_else(|error| panic!("{table}: {error}"));
    config.agents["it"].agent.clone()
}

fn llm(table: &str) -> Llm {
    let Agent::Llm(llm) = agent(&format!("kind = \"llm\"\n{table}")) else { panic!("a model") };
    llm
}

#[test]
fn a_model_is_read_with_all_its_keys() {
    let read = llm(r#"
        provider = "openai"
        model = "some-model"
        family = "gpt"
        base_url = "http://127.0.0.1:4141/v1/"
        key = { env = "SOME_KEY" }
        temperature = 0.2
        max_output_tokens = 4096
        stream = false
        json_schema = false"#);
    let expected = Llm {
        provider: Provider::OpenAi,
        model: "some-model".into(),
        family: Some("gpt".into()),
        base_url: Some("http://127.0.0.1:4141/v1".into()),
        key: Some(KeySource::Env("SOME_KEY".into())),
        temperature: Some(0.2),
        max_output_tokens: Some(4096),
        stream: false,
        json_schema: false,
    };
    assert_eq!(read, expected);
}

#[test]
fn a_key_by_custom_goes_to_its_provider_alone() {
    let of = |provider: &str, more: &str| {
        llm(&format!("provider = \"{provider}\"\nmodel = \"m\"\n{more}")).key
    };
    let named = |name: &str| Some(KeySource::Env(name.to_owned()));
    assert_eq!(of("openai", ""), named("OPENAI_API_KEY"));
    assert_eq!(of("anthropic", ""), named("ANTHROPIC_API_KEY"));
    assert_eq!(of("gemini", ""), named("GEMINI_API_KEY"));
    assert_eq!(of("ollama", ""), None);
    let elsewhere = "base_url = \"http://127.0.0.1:1/v1\"";
    for provider in ["openai", "anthropic", "gemini", "ollama", "compatible"] {
        assert_eq!(of(provider, elsewhere), None, "{provider}");
    }
}

#[test]
fn keys_come_from_files_and_commands_too() {
    let of =
        |key: &str| llm(&format!("provider = \"openai\"\nmodel = \"m\"\nkey = {key}")).key.unwrap();
    let command = KeySource::Command {
        program: "pass".into(),
        arguments: vec!["show".into(), "x".into()],
        timeout: std::time::Duration::from_secs(30),
    };
    assert_eq!(of(r#"{ command = ["pass", "show", "x"] }"#), command);
    assert_eq!(of(r#"{ file = "/k" }"#), KeySource::File("/k".into()));
    // A relative path starts from the file's own folder.
    let KeySource::File(path) = of(r#"{ file = "k" }"#) else { panic!("a file") };
    assert!(path.ends_with("user/redraft/k"), "{}", path.display());
}

#[test]
fn a_program_is_read_with_all_its_keys() {
    let read = agent(
        r#"
        kind = "command"
        program = "my-tool"
        args = ["--flag"]
        input = "json"
        env = ["EDITOR"]
        max_output_bytes = 10
        timeout_seconds = 120
        edits = false"#,
    );
    let expected = Program {
        launch: Launch::Program("my-tool".into()),
        args: vec!["--flag".into()],
        input: Some(agent::Input::Json),
        env: vec!["EDITOR".into()],
        max_output_bytes: 10,
        timeout_seconds: Some(120),
        edits: false,
    };
    assert_eq!(read, Agent::Command(expected));
    let preset = agent("kind = \"command\"\npreset = \"claude\"");
    assert_eq!(preset, Agent::Command(Program::preset(Preset::Claude)));
}

#[test]
fn whether_a_program_edits_is_shown_with_where_that_is_said() {
    for (more, value, place) in [("edits = false", false, "config.toml:4"), ("", true, "built-in")]
    {
        let table = format!("[agents.it]\nkind = \"command\"\nprogram = \"p\"\n{more}");
        let config = Stage::new().user(&table).load().unwrap();
        let settings = config.settings();
        let edits = settings.iter().find(|setting| setting.key == "agents.it.edits").unwrap();
        assert_eq!(edits.value, value);
        assert_eq!(origin(&config, "agents.it.edits"), place);
    }
}

#[test]
fn the_other_kinds_need_nothing() {
    for kind in ["human", "offline", "scripted"] {
        assert_eq!(agent(&format!("kind = \"{kind}\"")).kind(), kind);
    }
}

#[test]
fn an_agent_is_taken_whole_from_one_file() {
    let own = "[agents.w]\nkind = \"llm\"\nprovider = \"openai\"\nmodel = \"m\"\ntemperature = 1\n";
    let theirs = "[agents.w]\nkind = \"llm\"\nprovider = \"compatible\"\nmodel = \"n\"\nbase_url = \"http://127.0.0.1:1\"\n";
    let stage = Stage::new().user(own).project(theirs).variable("REDRAFT_TRUST_PROJECT", "1");
    let Agent::Llm(read) = stage.load().unwrap().agents["w"].agent.clone() else {
        panic!("a model")
    };
    assert_eq!((read.model.as_str(), read.key, read.temperature), ("n", None, None));
}

#[test]
fn prices_and_lenses_are_read() {
    let config = Stage::new()
        .user("[prices.\"some.model\"]\ninput = 1.25\noutput = 10\n[lenses]\noffline = \"facts\"\n")
        .load()
        .unwrap();
    let price = &config.prices["some.model"];
    assert_eq!((price.input.value.0, price.output.value.0), (1_250_000, 10_000_000));
    assert_eq!(config.lenses["offline"].value, "facts");
    assert_eq!(origin(&config, "prices.\"some.model\".input"), "config.toml:2");
}

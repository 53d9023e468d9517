//! Keys and servers: what the free call says of them.

use super::{Findings, bare, examine, server::serve, with};
use crate::sandbox::Sandbox;

const CANARY: &str = "sk-CANARY-0123456789";
/// An address on which nothing listens.
const NOBODY: &str = "127.0.0.1:1";
const OK: &str = "200 OK\r\ncontent-type: application/json";
const MODELS: &str = r#"{"object": "list", "data": [{"id": "some-model"}]}"#;

fn model(provider: &str, address: &str, more: &str) -> String {
    format!(
        "[agents.w]\nkind = \"llm\"\nprovider = \"{provider}\"\nmodel = \"some-model\"\nbase_url = \"http://{address}\"\n{more}\n"
    )
}

/// The doctor of an agent whose key is in a variable.
fn keyed(provider: &str, address: &str) -> Findings {
    let sandbox = Sandbox::new();
    let config = model(provider, address, "key = { env = \"SOME_KEY\" }");
    sandbox.write("user/redraft/config.toml", config);
    examine(bare(&sandbox).env("SOME_KEY", CANARY))
}

/// The doctor of a server that answers this.
fn answered(head: &str, body: &str) -> Findings {
    let server = serve(head, body);
    let findings = keyed("openai", &server.address);
    assert_eq!(server.requests().len(), 1, "one request and no more");
    assert!(!findings.text.contains("CANARY"), "{}", findings.text);
    findings
}

#[test]
fn a_key_that_is_accepted_is_well_and_goes_to_its_address_alone() {
    let server = serve(OK, MODELS);
    let findings = keyed("openai", &server.address);
    assert_eq!((findings.code, findings.state("agent w")), (0, "ok"), "{}", findings.text);
    let requests = server.requests();
    assert!(requests[0].starts_with("GET /models HTTP/1.1"), "{requests:?}");
    assert!(requests[0].contains(&format!("authorization: Bearer {CANARY}")), "{requests:?}");
}

#[test]
fn each_provider_is_asked_in_its_own_way() {
    let gemini = r#"{"models": [{"name": "models/some-model"}]}"#;
    let ollama = r#"{"models": [{"name": "some-model:latest"}]}"#;
    for (provider, body, path, header) in [
        ("anthropic", MODELS, "/v1/models?limit=1000", "x-api-key: "),
        ("gemini", gemini, "/v1beta/models?pageSize=1000", "x-goog-api-key: "),
        ("ollama", ollama, "/api/tags", "authorization: Bearer "),
        ("compatible", MODELS, "/models", "authorization: Bearer "),
    ] {
        let server = serve(OK, body);
        let findings = keyed(provider, &server.address);
        assert_eq!(findings.state("agent w"), "ok", "{provider}: {}", findings.text);
        let request = server.requests().remove(0);
        assert!(request.starts_with(&format!("GET {path} ")), "{provider}: {request}");
        assert!(request.contains(&format!("{header}{CANARY}")), "{provider}: {request}");
    }
}

#[test]
fn a_wrong_key_is_told_with_where_it_came_from() {
    let gemini = r#"{"error": {"message": "no", "details": [{"reason": "API_KEY_INVALID"}]}}"#;
    for (head, body) in
        [("401 Unauthorized", "{}"), ("403 Forbidden", ""), ("400 Bad Request", gemini)]
    {
        let findings = answered(head, body);
        assert_eq!((findings.code, findings.state("agent w")), (1, "error"));
        let told = findings.told("agent w");
        assert!(told.contains("refuses the key from the environment variable SOME_KEY"), "{told}");
        assert!(
            told.contains(
                "| put a valid key of this provider into the environment variable SOME_KEY"
            ),
            "{told}"
        );
    }
}

#[test]
fn other_answers_are_told_apart() {
    for (head, body, state, expected) in [
        ("429 Too Many Requests", "", "warning", "wants fewer requests"),
        ("404 Not Found", "", "warning", "lists no models (HTTP 404)"),
        ("500 Internal Server Error", CANARY, "error", "fails (HTTP 500)"),
        ("200 OK\r\ncontent-type: text/html", "<html>", "error", "it answers with text/html"),
        (OK, "hello", "error", "its answer is no list of models"),
        (
            "302 Found\r\nlocation: http://127.0.0.1:9/",
            "",
            "error",
            "it redirects to http://127.0.0.1:9",
        ),
        (OK, r#"{"data": [{"id": "some-modle"}]}"#, "warning", "did you mean \"some-modle\"?"),
    ] {
        let findings = answered(head, body);
        let told = findings.told("agent w");
        assert_eq!(findings.state("agent w"), state, "{head}: {told}");
        assert!(told.contains(expected), "{head}: {told}");
        assert_eq!(findings.code, i32::from(state == "error"), "{head}");
    }
}

#[test]
fn an_offline_machine_is_told_and_the_offline_agent_still_works() {
    let findings = keyed("openai", NOBODY);
    assert_eq!((findings.code, findings.state("agent offline")), (1, "ok"));
    assert!(findings.told("agent w").contains("cannot be reached: nothing listens there"));
    // A label this long is refused by the resolver itself; no name server is asked.
    let findings = keyed("compatible", &format!("{}.invalid", "a".repeat(64)));
    assert!(findings.text.contains("the name of its host is not found"), "{}", findings.text);
    assert!(findings.told("agent w").contains("unencrypted"), "{}", findings.text);
    assert!(!findings.text.contains("CANARY"));
}

#[test]
fn a_server_without_tls_is_told_as_that() {
    let server = serve(OK, MODELS);
    let config = model("openai", &server.address, "").replace("http:", "https:");
    let (_sandbox, findings) = with(&config);
    assert!(findings.told("agent w").contains("no secure connection"), "{}", findings.text);
}

#[test]
fn an_environments_proxy_is_not_asked_for_this_machine() {
    let (server, proxy) = (serve(OK, MODELS), serve("200 OK", "{}"));
    let sandbox = Sandbox::new();
    sandbox.write("user/redraft/config.toml", model("openai", &server.address, ""));
    let address = format!("http://{}", proxy.address);
    let findings = examine(bare(&sandbox).env("http_proxy", &address).env("ALL_PROXY", &address));
    assert_eq!(findings.state("agent w"), "ok", "{}", findings.text);
    assert!(proxy.requests().is_empty());
}

#[test]
fn a_key_that_cannot_be_had_is_told_with_its_source() {
    for (key, expected) in [
        ("{ env = \"SOME_KEY\" }", "the environment variable SOME_KEY is not set | set SOME_KEY"),
        ("{ file = \"no-such-file\" }", "no-such-file cannot be read"),
        ("{ command = [\"no-such-program\", \"CANARY\"] }", "no-such-program cannot be run"),
        ("{ command = [\"/bin/sh\", \"-c\", \"echo CANARY; exit 3\"] }", "fails (exit status: 3)"),
        ("{ command = [\"/bin/sh\", \"-c\", \"echo; echo CANARY\"] }", "is empty"),
    ] {
        let (_sandbox, findings) = with(&model("openai", NOBODY, &format!("key = {key}")));
        let told = findings.told("agent w");
        assert!(told.contains(expected) && findings.code == 1, "{key}: {told}");
        assert!(!findings.text.contains("CANARY"), "{key}: {}", findings.text);
    }
}

#[cfg(unix)]
#[test]
fn a_key_file_that_others_may_read_is_a_warning() {
    use std::os::unix::fs::PermissionsExt;
    let server = serve(OK, MODELS);
    let sandbox = Sandbox::new();
    let config = model("openai", &server.address, "key = { file = \"key\" }");
    sandbox.write("user/redraft/config.toml", config);
    sandbox.write("user/redraft/key", format!("{CANARY}\n"));
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(sandbox.join("user/redraft/key"), mode(0o644)).unwrap();
    let findings = examine(&mut bare(&sandbox));
    assert_eq!((findings.code, findings.state("agent w")), (0, "warning"));
    assert!(findings.told("agent w").contains("(mode 644) | chmod 600 the file"));
    std::fs::set_permissions(sandbox.join("user/redraft/key"), mode(0o600)).unwrap();
    assert_eq!(examine(&mut bare(&sandbox)).state("agent w"), "ok");
    assert!(server.requests()[0].contains(CANARY));
}

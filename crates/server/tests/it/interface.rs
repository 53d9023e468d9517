use crate::{
    desk::MemoryDesk,
    house::{House, config, token},
};
use redraft_server::{Config, Kind};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// All routes of the router, as the document writes them.
fn routes() -> BTreeSet<(String, String)> {
    let source = include_str!("../../src/app.rs");
    let lines = source.lines().filter_map(|line| line.trim().strip_prefix(".route(\""));
    let routes = lines.map(|line| {
        let (path, rest) = line.split_once("\", ").unwrap();
        (path.replace("{*", "{"), rest.split('(').next().unwrap().to_owned())
    });
    routes.collect()
}

/// Panics unless the value has all fields that the schema requires, and none that it does not name.
fn covered(document: &Value, schema: &Value, value: &Value, at: &str) {
    if let Some(path) = schema["$ref"].as_str() {
        let schema = document.pointer(path.strip_prefix('#').unwrap()).unwrap();
        return covered(document, schema, value, at);
    }
    if let Some(either) = schema["oneOf"].as_array() {
        let named = either.iter().find(|one| one["type"] != "null");
        if !value.is_null() {
            covered(document, named.unwrap(), value, at);
        }
        return;
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(name.as_str().unwrap()).is_some(), "{at} lacks {name}");
    }
    if let Some(list) = value.as_array() {
        list.iter().for_each(|item| covered(document, &schema["items"], item, at));
    }
    for (name, inside) in value.as_object().into_iter().flatten() {
        let field = &schema["properties"][name];
        assert!(field.is_object(), "{at} has an unnamed field {name}");
        covered(document, field, inside, &format!("{at}.{name}"));
    }
}

#[tokio::test]
async fn the_document_names_every_route_and_no_other() {
    let house = House::open().await;
    let document = house.get("/openapi.json").send().await.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let (mut named, mut ids) = (BTreeSet::new(), BTreeSet::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(operation["summary"].is_string(), "{method} {path}");
            let problem = &operation["responses"]["default"]["content"]["application/problem+json"];
            assert_eq!(
                problem["schema"]["$ref"], "#/components/schemas/Problem",
                "{method} {path}"
            );
            assert!(ids.insert(operation["operationId"].to_string()), "{method} {path}");
            named.insert((path.clone(), method.clone()));
        }
    }
    assert_eq!(named, routes());
    assert_eq!(named.len(), 14);
}

#[tokio::test]
async fn the_short_name_is_described_as_the_long_one_is() {
    let house = House::open().await;
    let document = house.get("/openapi.json").send().await.json();
    let (short, long) =
        (&document["paths"]["/solve"]["post"], &document["paths"]["/v1/solve"]["post"]);
    for same in ["summary", "requestBody", "responses", "parameters", "tags"] {
        assert_eq!(short[same], long[same], "{same}");
    }
}

#[tokio::test]
async fn the_document_names_every_field_of_every_answer() {
    let house = House::open().await;
    let document = house.get("/openapi.json").send().await.json();
    let schema = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    for (asking, name) in [
        (house.solve("why?"), "SolveResponse"),
        (house.solve("hold it").with("prefer", "respond-async"), "RunResource"),
        (house.chat("why?"), "Completion"),
        (house.chat(" "), "Problem"),
        (house.solve(" "), "Problem"),
        (house.get("/v1/runs"), "RunList"),
        (house.get("/v1/runs/run-0000"), "RunResource"),
        (house.get("/v1/models"), "ModelList"),
        (house.get("/v1/models/redraft/solve"), "Model"),
        (house.get("/healthz"), "Health"),
        (house.get("/nowhere"), "Problem"),
    ] {
        let told = asking.send().await.json();
        assert!(!told.as_object().unwrap().is_empty());
        covered(&document, &schema(name), &told, name);
    }
}

#[tokio::test]
async fn the_document_names_every_field_of_a_question() {
    let house = House::open().await;
    let document = house.get("/openapi.json").send().await.json();
    let schema = &document["components"]["schemas"]["SolveRequest"];
    let fields: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    let mut fields: Vec<_> = fields.into_iter().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["constraints", "context", "output_format", "prompt"]);
    assert_eq!(schema["required"], json!(["prompt"]));
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["properties"]["prompt"]["pattern"], r"\S");
    assert_eq!(schema["properties"]["context"]["type"], json!(["string", "object", "null"]));
    assert_eq!(schema["properties"]["constraints"]["maxItems"], redraft_server::MAX_CONSTRAINTS);
}

#[tokio::test]
async fn every_reference_of_the_document_leads_somewhere() {
    let house = House::open().await;
    let told = house.get("/openapi.json").send().await;
    let document = told.json();
    let references = told.text().split("\"$ref\":\"#").skip(1);
    let mut count = 0;
    for path in references.map(|rest| rest.split('"').next().unwrap()) {
        assert!(document.pointer(path).is_some(), "{path}");
        count += 1;
    }
    assert!(count > 20);
}

#[tokio::test]
async fn a_token_stands_in_the_document_where_it_is_needed() {
    let house = House::with(MemoryDesk::new(), Config { token: token(), ..config() }).await;
    let document = house.get("/openapi.json").send().await.json();
    assert_eq!(document["security"], json!([{"token": []}]));
    assert_eq!(document["components"]["securitySchemes"]["token"]["scheme"], "bearer");
    for open in ["/healthz", "/readyz", "/openapi.json", "/docs"] {
        assert_eq!(document["paths"][open]["get"]["security"], json!([]), "{open}");
    }
    assert!(document["paths"]["/v1/solve"]["post"].get("security").is_none());
    let open = House::open().await.get("/openapi.json").send().await.json();
    assert!(open.get("security").is_none());
}

#[tokio::test]
async fn the_page_shows_every_route_field_and_problem_and_needs_no_other_host() {
    let house = House::open().await;
    let page = house.get("/docs").send().await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let text = page.text();
    for (path, method) in routes() {
        assert!(text.contains(&format!("{} {path}", method.to_uppercase())), "{method} {path}");
    }
    for field in ["final_answer", "known_issues", "finish_reason", "pointer", "exit_code"] {
        assert!(text.contains(&format!("<code>{field}</code>")), "{field}");
    }
    for kind in Kind::ALL {
        assert!(text.contains(&format!("id=\"problem-{}\"", kind.slug())));
    }
    for outside in ["<script", "http://", "https://", "src=", "@import", "url("] {
        assert!(!text.contains(outside), "{outside}");
    }
    let links = text.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap());
    for link in links.collect::<BTreeSet<_>>() {
        assert!(text.contains(&format!("id=\"{link}\"")), "{link}");
    }
}

#[tokio::test]
async fn health_is_told_and_so_is_a_desk_that_cannot_work() {
    let house = House::open().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(house.get(path).send().await.json(), json!({"status": "ok"}));
    }
    let house = House::with(MemoryDesk::unready(), config()).await;
    assert_eq!(house.get("/healthz").send().await.status, 200);
    let problem = house.get("/readyz").send().await.problem(503, "unavailable");
    assert_eq!(problem["detail"], "the store is gone");
}

#[tokio::test]
async fn metrics_count_answers_streams_and_what_the_desk_counts() {
    let house = House::open().await;
    house.solve("why?").send().await;
    house.solve(" ").send().await;
    house.solve("hold it").with("prefer", "respond-async").send().await;
    house.get("/nowhere").send().await;
    let mut coming = house.get("/v1/runs/run-0001/events").coming().await;
    coming.until("id: 2").await;
    let told = house.get("/metrics").send().await;
    assert_eq!(told.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    let text = told.text();
    for line in [
        r#"redraft_http_requests_total{method="POST",route="/v1/solve",status="200"} 1"#,
        r#"redraft_http_requests_total{method="POST",route="/v1/solve",status="202"} 1"#,
        r#"redraft_http_requests_total{method="POST",route="/v1/solve",status="422"} 1"#,
        r#"redraft_http_requests_total{method="GET",route="none",status="404"} 1"#,
        r#"redraft_http_request_duration_seconds_count{route="/v1/solve"} 3"#,
        r#"redraft_http_request_duration_seconds_bucket{route="/v1/solve",le="+Inf"} 3"#,
        "redraft_http_streams_now 1",
        "redraft_runs_opened_total 2",
        "# TYPE redraft_runs_opened_total counter",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let typed = |line: &&str| line.starts_with("# TYPE ");
    assert_eq!(text.lines().filter(typed).count(), text.matches("# HELP ").count());
}

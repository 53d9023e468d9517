use crate::{
    client::{Asking, raw},
    desk::MemoryDesk,
    house::{House, config, token},
};
use redraft_server::{Config, bind};
use std::collections::BTreeSet;

/// Every method and route, those without a handler included.
const DOORS: [(&str, &str); 17] = [
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/v1/models"),
    ("GET", "/v1/models/redraft/solve"),
    ("GET", "/v1/runs"),
    ("GET", "/v1/runs/run-0000"),
    ("GET", "/v1/runs/run-0000/events"),
    ("GET", "/v1/runs/run-0000/record"),
    ("POST", "/v1/solve"),
    ("POST", "/solve"),
    ("POST", "/v1/chat/completions"),
    ("OPTIONS", "/v1/solve"),
    ("DELETE", "/v1/runs/run-0000"),
    ("GET", "/nowhere"),
];

/// A request that is good as far as its route goes.
fn knock(house: &House, method: &'static str, path: &str) -> Asking {
    match (method, path) {
        ("POST", "/v1/chat/completions") => house.chat("why?"),
        ("POST", _) => house.solve("why?"),
        _ => Asking::new(house.address, method, path),
    }
}

#[tokio::test]
async fn no_foreign_host_gets_anything_and_opens_no_run() {
    let house = House::open().await;
    let port = house.address.port();
    let foreign = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".into(),
        "localhost:1".into(),
        format!("localhost.evil.example:{port}"),
        format!("127.0.0.1:{port}@evil.example"),
        String::new(),
    ];
    for (method, path) in DOORS {
        for host in &foreign {
            let told = knock(&house, method, path).with("host", host).send().await;
            told.problem(421, "foreign-host");
        }
    }
    assert_eq!(house.desk.opened(), 0);
}

#[tokio::test]
async fn no_page_of_another_origin_gets_anything() {
    let house = House::open().await;
    let port = house.address.port();
    let foreign =
        ["null", "http://evil.example", "http://localhost:1", "file://", "http://127.0.0.1"];
    for (method, path) in DOORS {
        for origin in foreign {
            let told = knock(&house, method, path).with("origin", origin).send().await;
            told.problem(403, "foreign-origin");
            assert!(told.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
        }
    }
    let two = format!("http://localhost:{port}");
    let told = house.get("/healthz").and("origin", &two).and("origin", "http://evil.example");
    told.send().await.problem(403, "foreign-origin");
    assert_eq!(house.desk.opened(), 0);
}

#[tokio::test]
async fn own_names_and_origins_are_let_in() {
    let house = House::open().await;
    let port = house.address.port();
    let own = [
        format!("localhost:{port}"),
        format!("LocalHost:{port}"),
        format!("127.0.0.1:{port}"),
        format!("[::1]:{port}"),
        "solver.example".into(),
    ];
    house.solve("why?").send().await;
    for (method, path) in DOORS {
        for host in &own {
            let asking = knock(&house, method, path).with("host", host);
            let told = asking.with("origin", &format!("http://{host}")).send().await;
            assert!(!matches!(told.status, 401 | 403 | 421), "{method} {path} {host}: {told:?}");
        }
    }
}

#[tokio::test]
async fn a_name_in_the_request_line_counts_as_well() {
    let house = House::open().await;
    let host = house.address;
    let foreign = format!(
        "GET http://evil.example/healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    );
    assert!(raw(host, foreign.as_bytes()).await.starts_with("HTTP/1.1 421 "));
    let own =
        format!("GET http://{host}/healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    assert!(raw(host, own.as_bytes()).await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn a_request_has_one_host() {
    let house = House::open().await;
    let none = "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned();
    let host = house.address;
    let two = format!(
        "GET /healthz HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    );
    for request in [none, two] {
        let told = raw(house.address, request.as_bytes()).await;
        assert!(told.starts_with("HTTP/1.1 400 "), "{told}");
        assert!(told.contains("application/problem+json"), "{told}");
    }
}

#[tokio::test]
async fn without_the_token_there_is_nothing_but_health_and_the_interface() {
    let house = House::with(MemoryDesk::new(), Config { token: token(), ..config() }).await;
    for (method, path) in DOORS {
        let open = matches!(path, "/healthz" | "/readyz" | "/openapi.json" | "/docs");
        let told = knock(&house, method, path).send().await;
        assert_eq!(told.status == 401, !open, "{method} {path}");
        for wrong in
            ["Bearer s3cre", "Bearer s3crets", "Bearer ", "Basic s3cret", "s3cret", "Bearer"]
        {
            let told = knock(&house, method, path).with("authorization", wrong).send().await;
            assert_eq!(told.status == 401, !open, "{method} {path} {wrong}");
        }
        for right in ["Bearer s3cret", "bearer s3cret"] {
            let told = knock(&house, method, path).with("authorization", right).send().await;
            assert_ne!(told.status, 401, "{method} {path}");
        }
    }
    let told = house.get("/v1/runs").send().await;
    assert_eq!(told.problem(401, "unauthorized")["code"], 2);
    assert_eq!(told.header("www-authenticate"), "Bearer realm=\"redraft\"");
    let told = house.get("/v1/runs").with("authorization", "Bearer x").send().await;
    assert_eq!(
        told.header("www-authenticate"),
        "Bearer realm=\"redraft\", error=\"invalid_token\""
    );
}

#[tokio::test]
async fn beyond_loopback_a_token_is_needed() {
    for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.7:0"] {
        let config = Config { listen: listen.parse().unwrap(), ..config() };
        let refused = bind(config).await.unwrap_err().to_string();
        assert_eq!(
            refused,
            format!("{listen} can be reached from other machines: a token is needed")
        );
    }
    let config = Config { listen: "0.0.0.0:0".parse().unwrap(), token: token(), ..config() };
    assert!(bind(config).await.is_ok());
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let house = House::open().await;
    let error = bind(Config { listen: house.address, ..config() }).await.unwrap_err();
    assert_eq!(error.to_string(), format!("cannot listen on {}", house.address));
}

#[tokio::test]
async fn every_answer_has_the_security_headers_and_tells_no_server() {
    let house = House::open().await;
    for (method, path) in DOORS {
        let told = knock(&house, method, path).send().await;
        assert_eq!(told.header("x-content-type-options"), "nosniff", "{method} {path}");
        assert_eq!(told.header("cache-control"), "no-store", "{method} {path}");
        assert_eq!(told.header("x-frame-options"), "DENY");
        assert_eq!(told.header("cross-origin-resource-policy"), "same-origin");
        assert!(told.header("content-security-policy").starts_with("default-src 'none'"));
        assert!(!told.headers.contains_key("server"));
    }
}

#[tokio::test]
async fn every_answer_has_the_requests_id_and_it_is_the_clients_own_where_that_is_plain() {
    let house = House::open().await;
    let mut ids = BTreeSet::new();
    for path in ["/healthz", "/v1/runs", "/nowhere"] {
        let told = house.get(path).send().await;
        assert!(ids.insert(told.header("x-request-id").to_owned()), "{path}");
        assert!(told.header("x-request-id").len() > 16);
        let told = house.get(path).with("x-request-id", "mine-1").send().await;
        assert_eq!(told.header("x-request-id"), "mine-1", "{path}");
    }
    let long = "x".repeat(129);
    for bad in ["", "a b", "ä", &long] {
        let told = house.get("/healthz").with("x-request-id", bad).send().await;
        assert_ne!(told.header("x-request-id"), bad);
        assert!(told.headers["x-request-id"].len() > 16);
    }
}

#[tokio::test]
async fn a_panic_costs_its_own_request_alone() {
    let house = House::open().await;
    let problem = house.get("/v1/runs/panic").send().await.problem(500, "internal");
    assert_eq!(problem["code"], 1);
    assert_eq!(house.get("/v1/runs").send().await.status, 200);
}

#[tokio::test]
async fn other_paths_and_methods_are_problems() {
    let house = House::open().await;
    for path in ["/nowhere", "/v1", "/v1/", "/v1/solve/", "/v1/runs/a/b/c", "/%ff"] {
        let problem = house.get(path).send().await.problem(404, "not-found");
        assert_eq!(problem["instance"], path);
    }
    for (method, path, allow) in [
        ("GET", "/v1/solve", "POST"),
        ("DELETE", "/v1/runs/run-0000", "GET,HEAD"),
        ("PUT", "/healthz", "GET,HEAD"),
        ("OPTIONS", "/v1/chat/completions", "POST"),
        ("POST", "/v1/runs/run-0000/events", "GET,HEAD"),
    ] {
        let told = Asking::new(house.address, method, path).send().await;
        told.problem(405, "method-not-allowed");
        assert_eq!(told.header("allow"), allow, "{method} {path}");
    }
}

//! Who is let in: Host, Origin and token, over every route of the running server.

use super::{Server, problem, told};
use crate::sandbox::{REDRAFT, Sandbox};
use serde_json::{Value, json};
use std::{io::Write, net::TcpListener};

/// Every route; `RUN` stands for a run that is there.
const ROUTES: [(&str, &str); 16] = [
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/v1/models"),
    ("GET", "/v1/models/redraft/solve"),
    ("GET", "/v1/runs"),
    ("GET", "/v1/runs/RUN"),
    ("GET", "/v1/runs/RUN/events"),
    ("GET", "/v1/runs/RUN/record"),
    ("POST", "/v1/solve"),
    ("POST", "/solve"),
    ("POST", "/v1/chat/completions"),
    ("OPTIONS", "/v1/solve"),
    ("GET", "/nowhere"),
];

/// What needs no token.
const OPEN: [&str; 4] = ["/healthz", "/readyz", "/openapi.json", "/docs"];

const TOKEN: &str = "t0ken-of-this-test";
/// Stands in the run that is there, and may reach no stranger.
const SECRET: &str = "the launch code is swordfish";

/// A server with a run in it; runs are answered offline.
struct House {
    server: Server,
    run: String,
    _sandbox: Sandbox,
}

impl House {
    fn open(words: &str, variables: &[(&str, &str)]) -> Self {
        let sandbox = Sandbox::new();
        sandbox.expect(0, "init");
        let mut server = Server::with(&sandbox, words, variables);
        server.address = server.address.replace("0.0.0.0", "127.0.0.1");
        let authorization = format!("authorization: Bearer {TOKEN}\r\n");
        let (status, body) = server.solve(&authorization, SECRET);
        assert_eq!(status, 200, "{body}");
        let run = body["run_id"].as_str().unwrap().to_owned();
        Self { server, run, _sandbox: sandbox }
    }

    /// Asks as if under this host: the status, the head, and the body.
    fn knock(
        &self,
        (method, path): (&str, &str),
        host: Option<&str>,
        headers: &str,
    ) -> (u16, String, String) {
        let question = match path {
            "/v1/chat/completions" => {
                json!({"model": "redraft/solve", "messages": [{"role": "user", "content": "why?"}]})
            }
            _ => json!({"prompt": "why?"}),
        };
        let body = if method == "POST" { question.to_string() } else { String::new() };
        let path = path.replace("RUN", &self.run);
        let head = self.server.head(method, &path, headers, body.len());
        let own = format!("host: {}\r\n", self.server.address);
        let named = host.map_or(String::new(), |host| format!("host: {host}\r\n"));
        let mut stream = self.server.connect();
        stream.write_all(format!("{}{body}", head.replace(&own, &named)).as_bytes()).unwrap();
        told(&mut stream)
    }

    fn port(&self) -> &str {
        self.server.address.rsplit(':').next().unwrap()
    }

    fn runs(&self) -> usize {
        let authorization = format!("authorization: Bearer {TOKEN}\r\n");
        let (_, list) = self.server.ask("GET", "/v1/runs?limit=100", &authorization, "");
        let list: Value = serde_json::from_str(&list).unwrap();
        list["runs"].as_array().unwrap().len()
    }
}

/// Hosts and whether they are the server's own; none at all is `None`.
fn hosts(port: &str) -> Vec<(Option<String>, bool)> {
    let foreign = ["evil.example".to_owned(), format!("evil.example:{port}"), "127.0.0.1".into()];
    let own = ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"];
    let own = own.map(|name| (Some(format!("{name}:{port}")), true));
    let foreign = foreign.map(|name| (Some(name), false));
    own.into_iter().chain(foreign).chain([(None, false)]).collect()
}

/// Lines of `Origin`, and whether it is the server's own.
fn origins(port: &str) -> Vec<(String, bool)> {
    let line = |origin: &str| format!("origin: {origin}\r\n");
    vec![
        (String::new(), true),
        (line(&format!("http://127.0.0.1:{port}")), true),
        (line(&format!("http://[::1]:{port}")), true),
        (line("null"), false),
        (line("http://evil.example"), false),
        (line(&format!("http://evil.example:{port}")), false),
    ]
}

#[test]
fn no_foreign_host_or_origin_gets_anything_on_any_route() {
    let house = House::open("", &[]);
    let (mut asked, mut let_in, mut opened) = (0, 0, 1);
    for route in ROUTES {
        for (host, own_host) in hosts(house.port()) {
            for (origin, own_origin) in origins(house.port()) {
                let case = format!("{route:?} {host:?} {origin:?}");
                let (status, head, body) = house.knock(route, host.as_deref(), &origin);
                asked += 1;
                assert!(!head.to_lowercase().contains("access-control"), "{case}: {head}");
                if own_host && own_origin {
                    assert!(!matches!(status, 400 | 401 | 403 | 421), "{case}: {body}");
                    opened += usize::from(route.0 == "POST");
                    let_in += 1;
                    continue;
                }
                let (status_wanted, kind) = match (&host, own_host) {
                    (None, _) => (400, "bad-request"),
                    (Some(_), false) => (421, "foreign-host"),
                    (Some(_), true) => (403, "foreign-origin"),
                };
                assert_eq!(status, status_wanted, "{case}: {body}");
                problem(status, &body, kind);
                assert!(!body.contains("swordfish"), "{case}: {body}");
            }
        }
    }
    eprintln!("{asked} knocks, {let_in} let in");
    assert_eq!(house.runs(), opened, "none was opened for a stranger");
}

#[test]
fn with_a_token_nothing_is_told_without_it_but_health_and_the_interface() {
    let house = House::open("", &[("REDRAFT_SERVER_TOKEN", TOKEN)]);
    let host = house.server.address.clone();
    let right = format!("authorization: Bearer {TOKEN}\r\n");
    for route in ROUTES {
        for wrong in ["", "authorization: Bearer nonsense\r\n", "authorization: Basic dDp0\r\n"] {
            let (status, head, body) = house.knock(route, Some(&host), wrong);
            if OPEN.contains(&route.1) {
                assert_eq!(status, 200, "{route:?} {wrong}");
                assert!(!body.contains(TOKEN) && !body.contains("swordfish"), "{route:?}");
                continue;
            }
            problem(status, &body, "unauthorized");
            assert!(head.contains("\r\nwww-authenticate: Bearer realm=\"redraft\""), "{head}");
        }
        let (status, ..) = house.knock(route, Some(&host), &right);
        assert_ne!(status, 401, "{route:?}");
        let (status, _, body) = house.knock(route, Some("evil.example"), &right);
        problem(status, &body, "foreign-host");
        let (status, _, body) =
            house.knock(route, Some(&host), &format!("{right}origin: null\r\n"));
        problem(status, &body, "foreign-origin");
    }
    assert_eq!(house.runs(), 1 + 3, "those that had the token");
}

#[test]
fn beyond_loopback_it_refuses_to_start_without_a_token() {
    let sandbox = Sandbox::new();
    sandbox.expect(0, "init");
    for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.7:0"] {
        let refused = sandbox.expect(2, &format!("serve --listen {listen}"));
        assert!(refused.err.contains("a token is needed"), "{}", refused.err);
        assert_eq!(refused.out, "");
    }
    for unusable in ["", "two words"] {
        let mut command = sandbox.command(REDRAFT, "serve --listen 0.0.0.0:0");
        let refused = command.env("REDRAFT_SERVER_TOKEN", unusable).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{unusable:?}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains("REDRAFT_SERVER_TOKEN: no token"), "{said}");
        assert!(!said.contains("nothing reads this variable"), "{said}");
    }
    let house = House::open("--listen 0.0.0.0:0", &[("REDRAFT_SERVER_TOKEN", TOKEN)]);
    let host = format!("127.0.0.1:{}", house.port());
    assert_eq!(house.knock(("GET", "/healthz"), Some(&host), "").0, 200);
    assert_eq!(house.knock(("GET", "/v1/runs"), Some(&host), "").0, 401);
    let unspecified = format!("0.0.0.0:{}", house.port());
    assert_eq!(house.knock(("GET", "/healthz"), Some(&unspecified), "").0, 421);
}

#[test]
fn it_answers_on_the_loopback_of_ipv6() {
    if TcpListener::bind("[::1]:0").is_err() {
        eprintln!("SKIPPED: this machine has no IPv6");
        return;
    }
    let house = House::open("--listen [::1]:0", &[]);
    for host in [house.server.address.clone(), format!("localhost:{}", house.port())] {
        assert_eq!(house.knock(("GET", "/v1/runs/RUN"), Some(&host), "").0, 200, "{host}");
    }
    assert_eq!(house.knock(("GET", "/v1/runs/RUN"), Some("[::1]"), "").0, 421);
}

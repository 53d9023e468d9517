//! The names under which this server may be addressed.
//!
//! Why: a page of a foreign site can have its name resolve to 127.0.0.1. Its requests then arrive here, and only the
//! name in `Host` and the page's `Origin` tell.
//!
//! Invariant: names are compared whole, in lower case, port included.

use axum::http::uri::Authority;
use std::net::{IpAddr, SocketAddr};

/// The authority that a text is: `host` or `host:port`, in lower case; `None` where no `Host` can ever say so.
pub fn authority(text: &str) -> Option<String> {
    let authority: Authority = text.trim().parse().ok()?;
    let host = authority.host();
    let with_port = authority.as_str().strip_prefix(host)?;
    let is_port =
        |rest: &str| rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    let is_one = !host.is_empty() && (with_port.is_empty() || is_port(with_port));
    is_one.then(|| authority.as_str().to_ascii_lowercase())
}

/// Authorities: `host:port`, or `host` where the port is the scheme's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hosts(Vec<String>);

impl Hosts {
    /// The loopback names with the bound port, the bound address itself unless it stands for all, and those configured.
    pub(crate) fn new(bound: SocketAddr, configured: &[String]) -> Self {
        let port = bound.port();
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".into(), "[::1]".into()];
        if !bound.ip().is_unspecified() {
            names.push(literal(bound.ip()));
        }
        let mut all: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            all.extend(names);
        }
        all.extend(configured.iter().map(|name| name.trim().to_ascii_lowercase()));
        Self(all)
    }

    /// Whether this is one of them.
    pub(crate) fn know(&self, authority: &str) -> bool {
        self.0.iter().any(|known| known.eq_ignore_ascii_case(authority))
    }

    /// Whether a page of this origin was served by one of them.
    pub(crate) fn know_origin(&self, origin: &str) -> bool {
        let (scheme, authority) = origin.split_once("://").unwrap_or_default();
        matches!(scheme, "http" | "https") && self.know(authority)
    }
}

fn literal(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(bound: &str) -> Hosts {
        Hosts::new(bound.parse().unwrap(), &["Solver.Example".into()])
    }

    #[test]
    fn an_authority_is_a_host_with_or_without_a_port() {
        for good in ["Solver.example", "solver.example:8443", "192.0.2.7", "[2001:db8::1]:80"] {
            assert_eq!(authority(good), Some(good.to_ascii_lowercase()));
        }
        for bad in [
            "",
            "https://solver.example/",
            "https://solver.example",
            "solver.example/",
            "a@b",
            "a b",
            "a:",
            "a:99999",
            ":80",
        ] {
            assert_eq!(authority(bad), None, "{bad}");
        }
    }

    #[test]
    fn loopback_names_need_the_bound_port() {
        let hosts = hosts("127.0.0.1:4180");
        for good in ["localhost:4180", "LOCALHOST:4180", "127.0.0.1:4180", "[::1]:4180"] {
            assert!(hosts.know(good), "{good}");
        }
        for bad in ["localhost", "localhost:4181", "127.0.0.2:4180", "evil.example:4180", ""] {
            assert!(!hosts.know(bad), "{bad}");
        }
        assert!(hosts.know("solver.example") && !hosts.know("x.solver.example"));
    }

    #[test]
    fn the_port_of_http_may_be_left_out() {
        assert!(hosts("127.0.0.1:80").know("localhost"));
    }

    #[test]
    fn a_bound_address_is_a_name_unless_it_stands_for_all() {
        assert!(hosts("192.0.2.7:4180").know("192.0.2.7:4180"));
        assert!(!hosts("0.0.0.0:4180").know("0.0.0.0:4180"));
    }

    #[test]
    fn origins_are_hosts_with_a_scheme() {
        let hosts = hosts("127.0.0.1:4180");
        assert!(hosts.know_origin("http://127.0.0.1:4180"));
        assert!(hosts.know_origin("https://solver.example"));
        for bad in ["null", "", "http://evil.example", "file://", "ftp://localhost:4180"] {
            assert!(!hosts.know_origin(bad), "{bad}");
        }
    }
}

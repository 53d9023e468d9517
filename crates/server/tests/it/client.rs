//! A client that sends what it is told, one connection a request, and nothing it is not told.

use axum::body::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{HeaderMap, Request, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::net::SocketAddr;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A request before it is sent.
#[derive(Clone)]
pub(crate) struct Asking {
    address: SocketAddr,
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// An answer whose body is still coming.
pub(crate) struct Coming {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: Incoming,
    text: String,
}

impl Asking {
    pub(crate) fn new(address: SocketAddr, method: &'static str, path: &str) -> Self {
        let host = ("host".to_owned(), address.to_string());
        Self { address, method, path: path.into(), headers: vec![host], body: vec![] }
    }

    /// With a header, in place of the one of the same name.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.and(name, value)
    }

    /// With one more header.
    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn json(self, value: &Value) -> Self {
        self.body(value.to_string())
    }

    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }.with("content-type", "application/json")
    }

    pub(crate) async fn coming(self) -> Coming {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut request = Request::builder().method(self.method).uri(&self.path);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::from(self.body))).unwrap();
        let (head, body) = sender.send_request(request).await.unwrap().into_parts();
        Coming { status: head.status.as_u16(), headers: head.headers, body, text: String::new() }
    }

    pub(crate) async fn send(self) -> Told {
        let coming = self.coming().await;
        let body = coming.body.collect().await.unwrap().to_bytes();
        Told { status: coming.status, headers: coming.headers, body }
    }
}

impl Told {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Its problem: checked to be one, whole and of this kind.
    pub(crate) fn problem(&self, status: u16, slug: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["type"], format!("/docs#problem-{slug}"));
        assert_eq!(problem["status"], status);
        assert!(problem["code"].as_u64().is_some_and(|code| code > 0), "{problem}");
        for field in ["title", "detail", "instance"] {
            assert!(!problem[field].as_str().unwrap().is_empty(), "{field}: {problem}");
        }
        problem
    }
}

impl Coming {
    /// Reads until the text so far contains this, and gives all of it.
    pub(crate) async fn until(&mut self, end: &str) -> &str {
        while !self.text.contains(end) {
            let frame = self.body.frame().await;
            let frame = frame.unwrap_or_else(|| panic!("ended before {end:?}: {}", self.text));
            let part = frame.unwrap().into_data().unwrap();
            self.text.push_str(std::str::from_utf8(&part).unwrap());
        }
        &self.text
    }

    /// All of it, when it has ended.
    pub(crate) async fn whole(mut self) -> String {
        while let Some(frame) = self.body.frame().await {
            let part = frame.unwrap().into_data().unwrap();
            self.text.push_str(std::str::from_utf8(&part).unwrap());
        }
        self.text
    }
}

/// Sends these bytes, and reads until the server closes.
pub(crate) async fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut told = Vec::new();
    stream.read_to_end(&mut told).await.unwrap();
    String::from_utf8(told).unwrap()
}

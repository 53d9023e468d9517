//! A server whose answers are written byte by byte, and which keeps all that it is sent.
//!
//! Invariant: it speaks as much HTTP as it takes to find the end of a request, and adds nothing to an answer.

use std::{net::SocketAddr, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// One request, as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Method, path and query.
    pub(crate) line: String,
    /// The headers as they were sent, in order.
    pub(crate) headers: Vec<(String, String)>,
    /// The body.
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The number that the test put in front of the path.
    pub(crate) fn number(&self) -> usize {
        let path = self.line.split(' ').nth(1).unwrap();
        path.split('/').nth(1).unwrap().parse().unwrap()
    }
}

/// What a server does about a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes again and again, as often as told.
    Repeat(Vec<u8>, usize),
    /// Sends these bytes one at a time, with a pause after each.
    Drip(Vec<u8>, Duration),
    /// Says no more, and waits for the other side to close.
    Stall,
    /// Closes the connection.
    Close,
    /// Closes it with a reset.
    Reset,
}

/// What a server has seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) connections: usize,
    pub(crate) requests: Vec<Request>,
    /// Connections that the other side has closed.
    pub(crate) closed: usize,
}

pub(crate) struct Server {
    address: SocketAddr,
    seen: watch::Receiver<Seen>,
    accepting: JoinHandle<()>,
}

type Script = dyn Fn(&Request) -> Vec<Act> + Send + Sync;

impl Server {
    /// A server that acts by a script.
    pub(crate) async fn start(
        script: impl Fn(&Request) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (told, seen) = watch::channel(Seen::default());
        let (told, script): (_, Arc<Script>) = (Arc::new(told), Arc::new(script));
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                told.send_modify(|seen| seen.connections += 1);
                tokio::spawn(serve(stream, Arc::clone(&script), Arc::clone(&told)));
            }
        });
        Self { address, seen, accepting }
    }

    /// A server that gives everyone these bytes and closes.
    pub(crate) async fn saying(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::start(move |_| vec![Act::Send(bytes.clone()), Act::Close]).await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }

    /// Waits until it has seen this; panics when that takes too long.
    pub(crate) async fn until(&self, what: impl FnMut(&Seen) -> bool) {
        let mut seen = self.seen.clone();
        let waited = tokio::time::timeout(Duration::from_secs(20), seen.wait_for(what)).await;
        assert!(waited.is_ok(), "still only {:?}", self.seen());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(mut stream: TcpStream, script: Arc<Script>, told: Arc<watch::Sender<Seen>>) {
    let mut held = Vec::new();
    while let Some(request) = next(&mut stream, &mut held).await {
        let acts = script(&request);
        told.send_modify(|seen| seen.requests.push(request));
        for act in acts {
            if !perform(&mut stream, act).await {
                return;
            }
        }
    }
    told.send_modify(|seen| seen.closed += 1);
}

/// Does it, and tells whether the connection goes on.
async fn perform(stream: &mut TcpStream, act: Act) -> bool {
    match act {
        Act::Send(bytes) => stream.write_all(&bytes).await.is_ok(),
        Act::Repeat(bytes, times) => {
            for _ in 0..times {
                if stream.write_all(&bytes).await.is_err() {
                    return false;
                }
            }
            true
        }
        Act::Drip(bytes, pause) => {
            for byte in bytes {
                let sent = stream.write_all(&[byte]).await.is_ok() && stream.flush().await.is_ok();
                tokio::time::sleep(pause).await; // real time: a drip is slow
                if !sent {
                    return false;
                }
            }
            true
        }
        Act::Stall => true,
        Act::Close => stream.shutdown().await.is_err(),
        Act::Reset => {
            stream.set_zero_linger().unwrap();
            false
        }
    }
}

/// The next request; `None` when the other side has closed.
async fn next(stream: &mut TcpStream, held: &mut Vec<u8>) -> Option<Request> {
    loop {
        if let Some((request, length)) = parse(held) {
            held.drain(..length);
            return Some(request);
        }
        if stream.read_buf(held).await.ok()? == 0 {
            return None;
        }
    }
}

fn parse(held: &[u8]) -> Option<(Request, usize)> {
    let head = held.windows(4).position(|bytes| bytes == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&held[..head]).unwrap();
    let mut lines = text.trim_end().lines();
    let line = lines.next().unwrap().to_owned();
    let split = |line: &str| line.split_once(": ").map(|(a, b)| (a.to_owned(), b.to_owned()));
    let headers: Vec<_> = lines.map(|line| split(line).unwrap()).collect();
    let mut request = Request { line, headers, body: String::new() };
    let length = request.header("content-length").map_or(0, |value| value.parse().unwrap());
    let body = held.get(head..head + length)?;
    request.body = String::from_utf8(body.to_vec()).unwrap();
    Some((request, head + length))
}

/// How the end of a body is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By a length in the headers.
    Length,
    /// By a last chunk; each piece is one chunk.
    Chunks,
    /// By the end of the connection.
    Close,
}

/// An answer of 200 with this body.
pub(crate) fn ok(content_type: &str, pieces: &[String], ending: Ending) -> Vec<u8> {
    answer("200 OK", &[("content-type", content_type)], pieces, ending)
}

/// An answer with this status, these headers and this body.
pub(crate) fn answer(
    status: &str,
    headers: &[(&str, &str)],
    pieces: &[String],
    ending: Ending,
) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in headers {
        bytes += &format!("{name}: {value}\r\n");
    }
    match ending {
        Ending::Length => {
            let body = pieces.concat();
            bytes += &format!("content-length: {}\r\n\r\n{body}", body.len());
        }
        Ending::Chunks => {
            bytes += "transfer-encoding: chunked\r\n\r\n";
            for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
                bytes += &format!("{:x}\r\n{piece}\r\n", piece.len());
            }
            bytes += "0\r\n\r\n";
        }
        Ending::Close => bytes += &format!("connection: close\r\n\r\n{}", pieces.concat()),
    }
    bytes.into_bytes()
}

/// A refusal with this status and one JSON document.
pub(crate) fn refusal(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let headers = [&[("content-type", "application/json")], headers].concat();
    answer(&format!("{status} Status"), &headers, &[body.to_owned()], Ending::Length)
}

//! One client's connection, kept open: requests out, whole answers or events in.
//!
//! Invariant: one request is under way at a time.
//! Absent here: reading JSON. Clients and server share the processors, so that clients do as little as they can.

use crate::Outcome;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

pub(crate) struct Connection {
    stream: TcpStream,
    /// What has come and is not taken yet.
    held: Vec<u8>,
}

/// An answer that came whole.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// What a stream of events brought until its last one.
#[derive(Default)]
pub(crate) struct Events {
    /// Events with numbers.
    pub(crate) numbered: usize,
    /// Whether the last one came.
    pub(crate) ended: bool,
}

impl Connection {
    pub(crate) async fn open(port: u16) -> Outcome<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, held: Vec::new() })
    }

    pub(crate) async fn ask(&mut self, request: &str) -> Outcome<Answer> {
        let (status, head) = self.begin(request).await?;
        let length = field(&head, "content-length").ok_or("an answer without content-length")?;
        let length: usize = length.parse()?;
        while self.held.len() < length {
            self.more().await?;
        }
        let rest = self.held.split_off(length);
        Ok(Answer { status, head, body: std::mem::replace(&mut self.held, rest) })
    }

    pub(crate) async fn get(&mut self, port: u16, path: &str) -> Outcome<Answer> {
        self.ask(&format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n")).await
    }

    /// Asks for events and waits for the first one that has a number; gives the status.
    pub(crate) async fn listen(&mut self, port: u16, path: &str) -> Outcome<u16> {
        let request = format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n");
        let (status, _) = self.begin(&request).await?;
        while status == 200 && !self.held.windows(5).any(|bytes| bytes == b"\nid: ") {
            self.more().await?;
        }
        Ok(status)
    }

    /// Hears events until the last one, or until the server hangs up.
    pub(crate) async fn hear(&mut self) -> Outcome<Events> {
        let mut events = Events::default();
        loop {
            let whole = self.held.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            for line in self.held.drain(..whole).as_slice().split(|byte| *byte == b'\n') {
                events.numbered += usize::from(line.starts_with(b"id: "));
                events.ended |= line == b"event: end";
            }
            if events.ended || self.stream.read_buf(&mut self.held).await? == 0 {
                return Ok(events);
            }
        }
    }

    /// Sends a request and gives status and head of what comes back.
    async fn begin(&mut self, request: &str) -> Outcome<(u16, String)> {
        self.stream.write_all(request.as_bytes()).await?;
        let end = loop {
            if let Some(at) = self.held.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break at + 4;
            }
            self.more().await?;
        };
        let rest = self.held.split_off(end);
        let head = String::from_utf8(std::mem::replace(&mut self.held, rest))?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok((status.ok_or("an answer without status")?, head))
    }

    async fn more(&mut self) -> Outcome<()> {
        match self.stream.read_buf(&mut self.held).await? {
            0 => Err("the server hung up".into()),
            _ => Ok(()),
        }
    }
}

/// A field of a head.
pub(crate) fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    let found = fields.find(|(key, _)| key.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.trim())
}

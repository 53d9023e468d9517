//! A server of one answer, on this machine alone.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    thread::JoinHandle,
};

/// A server that gives one answer to each request until it is asked for what it got.
pub(super) struct Server {
    pub(super) address: String,
    thread: JoinHandle<Vec<String>>,
}

/// The answer: a status and further headers, and a body.
pub(super) fn serve(head: &str, body: &str) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let length = body.len();
    let reply =
        format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    let thread = std::thread::spawn(move || {
        let mut requests = Vec::new();
        loop {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = String::new();
            for line in BufReader::new(&stream).lines() {
                let line = line.unwrap_or_default();
                if line.is_empty() {
                    break;
                }
                request.push_str(&line);
                request.push('\n');
            }
            if request.starts_with("STOP") {
                return requests;
            }
            requests.push(request);
            let _ = stream.write_all(reply.as_bytes());
        }
    });
    Server { address, thread }
}

impl Server {
    /// The requests it got, each with its headers.
    pub(super) fn requests(self) -> Vec<String> {
        let mut stream = std::net::TcpStream::connect(&self.address).unwrap();
        stream.write_all(b"STOP\n\n").unwrap();
        self.thread.join().unwrap()
    }
}

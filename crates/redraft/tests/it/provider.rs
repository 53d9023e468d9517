//! A model provider on loopback that speaks the chat completions protocol, counts what it is asked, and answers
//! as it is told.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// One request that the provider got.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
    /// How many requests for this model came before.
    pub(crate) nth: usize,
    pub(crate) at: Instant,
}

impl Seen {
    pub(crate) fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    /// All that the model is told.
    pub(crate) fn text(&self) -> String {
        let messages = self.body["messages"].as_array().cloned().unwrap_or_default();
        let texts = messages.iter().filter_map(|message| message["content"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// What the provider does about a request.
#[derive(Debug, Clone)]
pub(crate) enum Does {
    /// Answers with this text.
    Says(String),
    /// Answers so after a while.
    SaysAfter(Duration, String),
    /// Answers so, and counts these tokens.
    SaysFor { input: u64, output: u64, text: String },
    /// Answers with this status, these headers and this body.
    Fails(u16, Vec<(&'static str, String)>, String),
    /// Never answers.
    Hangs,
}

type Brain = Arc<dyn Fn(&Seen) -> Does + Send + Sync>;

/// A running provider; it lives as long as the test's process.
pub(crate) struct Provider {
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Provider {
    /// A provider that thinks like this.
    pub(crate) fn new(brain: impl Fn(&Seen) -> Does + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let provider = Self { port: listener.local_addr().unwrap().port(), seen: Arc::default() };
        let (brain, seen): (Brain, _) = (Arc::new(brain), Arc::clone(&provider.seen));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (brain, seen) = (Arc::clone(&brain), Arc::clone(&seen));
                std::thread::spawn(move || drop(serve(stream, &brain, &seen)));
            }
        });
        provider
    }

    /// A writer that is done at once, and a critic that agrees: models `writer…` and `critic…`.
    pub(crate) fn agreeing() -> Self {
        Self::new(|seen| Does::Says(honest(seen)))
    }

    /// Where its protocol begins.
    pub(crate) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// All requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// How many requests came so far.
    pub(crate) fn asked(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

/// What an honest model of this name says: a writer writes and is done, a critic agrees.
pub(crate) fn honest(seen: &Seen) -> String {
    match seen.model().starts_with("critic") {
        true => verdict("ok", &[]),
        false => candidate("A plain text about the talk.", true),
    }
}

/// A creator's reply.
pub(crate) fn candidate(text: &str, done: bool) -> String {
    json!({"done": done, "candidate": {"content": text, "format": "plain"}}).to_string()
}

/// A reviewer's reply with these errors.
pub(crate) fn verdict(verdict: &str, errors: &[&str]) -> String {
    let issue = |message: &&str| json!({"severity": "error", "message": message});
    let issues: Vec<Value> = errors.iter().map(issue).collect();
    json!({"verdict": verdict, "issues": issues}).to_string()
}

fn serve(stream: TcpStream, brain: &Brain, seen: &Mutex<Vec<Seen>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    while let Some(request) = read(&mut reader)? {
        let request = {
            let mut all = seen.lock().unwrap();
            let nth = all.iter().filter(|earlier| earlier.model() == request.model()).count();
            let request = Seen { nth, ..request };
            all.push(request.clone());
            request
        };
        match brain(&request) {
            Does::Says(text) => answer(&mut writer, &request, &text, USUAL)?,
            Does::SaysAfter(wait, text) => {
                std::thread::sleep(wait); // real time: a slow provider
                answer(&mut writer, &request, &text, USUAL)?;
            }
            Does::SaysFor { input, output, text } => {
                answer(&mut writer, &request, &text, (input, output))?;
            }
            Does::Fails(status, headers, body) => send(&mut writer, status, &headers, &body)?,
            Does::Hangs => {
                // Until the other side gives up.
                let _ = reader.read(&mut [0])?;
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The next request of a connection; `None` when it is closed.
fn read(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<Seen>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, length)| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Some(Seen { path, headers, body, nth: 0, at: Instant::now() }))
}

/// The tokens of most calls, read and written.
const USUAL: (u64, u64) = (100, 20);

fn answer(
    writer: &mut TcpStream,
    request: &Seen,
    text: &str,
    (input, output): (u64, u64),
) -> std::io::Result<()> {
    let model = format!("{}-2026-01-01", request.model());
    let id = format!("req-{}-{}", request.model(), request.nth);
    let usage = json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output});
    let (message, finish) = said(request, text);
    let whole = |object: &str, choice: Value, usage: Value| json!({"id": id, "object": object, "created": 1_700_000_000, "model": model, "choices": choice, "usage": usage});
    if request.body["stream"] == true {
        let piece = |delta: Value, finish: Value| {
            let choice = json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
            format!("data: {}\n\n", whole("chat.completion.chunk", choice, Value::Null))
        };
        let mut body = piece(message, Value::Null);
        body.push_str(&piece(json!({}), json!(finish)));
        let last = whole("chat.completion.chunk", json!([]), usage);
        body.push_str(&format!("data: {last}\n\ndata: [DONE]\n\n"));
        let headers =
            [("content-type", "text/event-stream".to_owned()), ("x-request-id", id.clone())];
        return send(writer, 200, &headers, &body);
    }
    let choice = json!([{"index": 0, "message": message, "finish_reason": finish}]);
    let body = whole("chat.completion", choice, usage).to_string();
    send(
        writer,
        200,
        &[("content-type", "application/json".to_owned()), ("x-request-id", id.clone())],
        &body,
    )
}

/// What the model says, as text or as the input of the tool that it must use, and why it ends.
fn said(request: &Seen, text: &str) -> (Value, &'static str) {
    let tool = &request.body["tool_choice"]["function"]["name"];
    if tool.is_null() {
        return (json!({"role": "assistant", "content": text}), "stop");
    }
    let function = json!({"name": tool, "arguments": text});
    let call = json!({"index": 0, "id": "call_1", "type": "function", "function": function});
    (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
}

fn send(
    writer: &mut TcpStream,
    status: u16,
    headers: &[(&'static str, String)],
    body: &str,
) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} Told\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    writer.write_all(format!("{head}\r\n{body}").as_bytes())
}

//! The gateway as a process: started on a free port of loopback, stopped at the end.

use crate::{models::KEY, provider::Provider, sandbox::Sandbox};
use std::{
    fs::File,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    process::Child,
    time::{Duration, Instant},
};

/// The protocols that it is asked in, each by the name of our provider, and where they begin.
pub(super) const PROTOCOLS: [(&str, &str); 4] =
    [("openai", "/v1"), ("compatible", "/v1"), ("anthropic", ""), ("gemini", "")];

/// How long it may take to start; usually ten seconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running gateway, stopped when it is dropped.
pub(super) struct Proxy {
    child: Child,
    port: u16,
    folder: Sandbox,
}

impl Proxy {
    /// Starts it before this provider, which gets every model by its name.
    pub(super) fn start(program: &str, upstream: &Provider) -> Self {
        let folder = Sandbox::new();
        folder.write("config.yaml", config(upstream));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let words =
            format!("--config config.yaml --host 127.0.0.1 --port {port} --telemetry False");
        let log = File::create(folder.join("log")).unwrap();
        let mut command = folder.command(program, &words);
        command.env("HOME", folder.path()).stdout(log.try_clone().unwrap()).stderr(log);
        command.env("LITELLM_LOCAL_MODEL_COST_MAP", "True").env("LITELLM_TELEMETRY", "False");
        let child = command.env("NO_DOCS", "True").spawn();
        let child = child.unwrap_or_else(|error| panic!("REDRAFT_LITELLM: {program}: {error}"));
        let mut proxy = Self { child, port, folder };
        proxy.wait();
        proxy
    }

    fn wait(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while !self.lives() {
            let gone = self.child.try_wait().unwrap();
            assert!(gone.is_none(), "LiteLLM: {gone:?}\n{}", self.log());
            assert!(Instant::now() < deadline, "LiteLLM does not start\n{}", self.log());
            std::thread::sleep(Duration::from_millis(200)); // real time: another process starts
        }
    }

    fn lives(&self) -> bool {
        let mut told = String::new();
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
        let asked = stream.write_all(b"GET /health/liveliness HTTP/1.0\r\n\r\n");
        asked.is_ok() && stream.read_to_string(&mut told).is_ok() && told.contains(" 200 OK\r\n")
    }

    /// The end of what it has written.
    fn log(&self) -> String {
        let log = self.folder.read("log");
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(80)..].join("\n")
    }

    /// An agent's table: this model, by the gateway, with the switches of the call.
    pub(super) fn agent(&self, agent: &str, model: &str, provider: &str, more: &str) -> String {
        let (_, begins) = PROTOCOLS.iter().find(|(name, _)| *name == provider).unwrap();
        format!(
            "[agents.{agent}]\nkind = \"llm\"\nprovider = \"{provider}\"\nmodel = \"{model}\"\n\
             base_url = \"http://127.0.0.1:{}{begins}\"\nkey = {{ env = \"TEST_KEY\" }}\n\
             max_output_tokens = 1000\n{more}",
            self.port
        )
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("LiteLLM has written:\n{}", self.log());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// No retries and no pauses of its own: what fails upstream is to be told.
fn config(upstream: &Provider) -> String {
    format!(
        "model_list:\n  - model_name: \"*\"\n    litellm_params:\n      model: hosted_vllm/*\n      \
         api_base: {}\n      api_key: sk-upstream\n\
         litellm_settings: {{num_retries: 0, telemetry: false}}\n\
         router_settings: {{disable_cooldowns: true}}\n\
         general_settings: {{master_key: {KEY}}}\n",
        upstream.base_url()
    )
}

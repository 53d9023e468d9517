//! A server on a free port, with a desk in memory.

use crate::{client::Asking, desk::MemoryDesk};
use redraft_server::{Config, Limits, Token, bind};
use serde_json::{Value, json};
use std::{net::SocketAddr, sync::Arc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(crate) struct House {
    pub(crate) desk: MemoryDesk,
    pub(crate) address: SocketAddr,
    pub(crate) stop: CancellationToken,
    pub(crate) serving: JoinHandle<()>,
}

/// What most tests want.
pub(crate) fn config() -> Config {
    Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        hosts: vec!["solver.example".into()],
        token: None,
        limits: Limits::STANDARD,
    }
}

pub(crate) fn token() -> Option<Token> {
    Some(Token::new("s3cret").unwrap())
}

impl House {
    pub(crate) async fn open() -> Self {
        Self::with(MemoryDesk::new(), config()).await
    }

    pub(crate) async fn limited(change: impl FnOnce(&mut Limits)) -> Self {
        let mut config = config();
        change(&mut config.limits);
        Self::with(MemoryDesk::new(), config).await
    }

    pub(crate) async fn with(desk: MemoryDesk, config: Config) -> Self {
        let bound = bind(config).await.unwrap();
        let (address, stop) = (bound.address(), CancellationToken::new());
        let serving = tokio::spawn(bound.serve(Arc::new(desk.clone()), stop.clone()));
        Self { desk, address, stop, serving }
    }

    pub(crate) fn get(&self, path: &str) -> Asking {
        Asking::new(self.address, "GET", path)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Asking {
        Asking::new(self.address, "POST", path).json(body)
    }

    pub(crate) fn solve(&self, prompt: &str) -> Asking {
        self.post("/v1/solve", &json!({"prompt": prompt}))
    }

    pub(crate) fn chat(&self, prompt: &str) -> Asking {
        let messages = json!([{"role": "user", "content": prompt}]);
        self.post("/v1/chat/completions", &json!({"model": "redraft/solve", "messages": messages}))
    }
}

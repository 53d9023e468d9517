//! Connections to servers, shared by all models of a process and used again.
//!
//! Invariant: redirects are not followed and nothing is sent twice. What is served by this machine is never asked
//! through a proxy; other servers are asked through the one that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
//! `NO_PROXY` name, as curl does. TLS trusts what the system trusts.
//! Absent here: what is asked.

use super::endpoint::Endpoint;
use reqwest::{Client, redirect, retry};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Connections to servers. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Connections {
    clients: Arc<Mutex<BTreeMap<Kind, Client>>>,
}

/// What makes one client unlike another; connections are kept by server within each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    tls: bool,
    loopback: bool,
    connect_timeout: Duration,
}

impl Connections {
    /// No connections yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The client for a server.
    pub(super) fn client(
        &self,
        to: &Endpoint,
        connect_timeout: Duration,
    ) -> reqwest::Result<Client> {
        let kind = Kind { tls: to.tls(), loopback: to.loopback(), connect_timeout };
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&kind) {
            return Ok(client.clone());
        }
        let client = kind.client()?;
        clients.insert(kind, client.clone());
        Ok(client)
    }
}

impl Kind {
    fn client(self) -> reqwest::Result<Client> {
        // Fails where a provider is installed already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("redraft/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .connect_timeout(self.connect_timeout)
            .http1_only();
        let client = if self.loopback { client.no_proxy() } else { client };
        // Without TLS no certificates are needed, so that a system without any can ask a server of its own.
        if self.tls { client.https_only(true) } else { client.tls_certs_only([]) }.build()
    }
}

//! A model that keeps everybody waiting until it is told to answer, over HTTP on loopback.
//!
//! Absent here: judgement. What it answers follows from the form that is asked for.

use crate::{Outcome, http::server::wire::Wire};
use std::{fs, path::Path};
use tokio::{net::TcpListener, sync::watch};

/// A running model, which ends with its runtime.
pub(super) struct Model {
    port: u16,
    answers: watch::Sender<bool>,
}

impl Model {
    pub(super) async fn start() -> Outcome<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let (answers, told) = watch::channel(false);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A peer that goes away ends its connection and nothing else.
                let told = told.clone();
                tokio::spawn(async move { drop(converse(Wire::new(stream), told).await) });
            }
        });
        Ok(Self { port, answers })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// From now on it answers at once, and those who have waited first.
    pub(super) fn answer(&self) {
        self.answers.send_replace(true);
    }
}

async fn converse(mut wire: Wire, mut told: watch::Receiver<bool>) -> Outcome<()> {
    while let Some(body) = wire.request().await? {
        told.wait_for(|answers| *answers).await?;
        wire.whole(reply(&body)).await?;
    }
    Ok(())
}

/// The critic is shown what the writer is asked for, and not the other way round.
fn reply(body: &str) -> &'static str {
    if body.contains("constraint_violations") {
        r#"{"issues":[],"constraint_violations":[],"missing_roles":[],"suggested_fixes":[]}"#
    } else if body.contains("answer_draft") {
        r#"{"answer_draft":"Each station sells tickets and opens at the hour of its number.","assumptions":["hours are full hours"],"uncertainty_flags":[]}"#
    } else {
        r#"{"steps":["Find the stations.","Give the hour of each."]}"#
    }
}

/// Makes it the model of whoever is configured in this folder.
pub(super) fn configure(folder: &Path, port: u16) -> Outcome<()> {
    let place = folder.join("config/redraft");
    fs::create_dir_all(&place)?;
    let agent = format!(
        "[roles]\ncreator = \"silent\"\nreviewers = [\"silent\"]\n\n[agents.silent]\nkind = \"llm\"\n\
         provider = \"compatible\"\nmodel = \"bench\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\nstream = false\n"
    );
    Ok(fs::write(place.join("config.toml"), agent)?)
}

//! A server on a port: connections in, answers out, until it is told to stop.
//!
//! Invariant: beyond loopback nothing is served without a token; stopping ends no run.
//! Absent here: TLS, which is for a proxy in front.

use crate::{app::App, desk::Desk, limits::Limits, token::Token};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// How long to wait when the system gives no more connections for now.
const PAUSE: Duration = Duration::from_millis(50);

/// What a server is.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Authorities, `host` or `host:port`, under which it is addressed besides loopback.
    pub hosts: Vec<String>,
    /// What clients have to know; needed beyond loopback.
    pub token: Option<Token>,
    /// What it takes on.
    pub limits: Limits,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Everybody could use it.
    #[error("{listen} can be reached from other machines: a token is needed")]
    NoToken {
        /// Where it should have listened.
        listen: SocketAddr,
    },
    /// The system refuses the port.
    #[error("cannot listen on {listen}")]
    Listen {
        /// Where it should have listened.
        listen: SocketAddr,
        /// Why not.
        source: io::Error,
    },
}

/// A server that has its port and does not answer yet.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
    config: Config,
}

/// Takes the port.
///
/// # Errors
/// [`ServeError`] when it may not or cannot be had.
pub async fn bind(config: Config) -> Result<Bound, ServeError> {
    let listen = config.listen;
    if !listen.ip().to_canonical().is_loopback() && config.token.is_none() {
        return Err(ServeError::NoToken { listen });
    }
    let failed = |source| ServeError::Listen { listen, source };
    let listener = TcpListener::bind(listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok(Bound { listener, address, config })
}

impl Bound {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until it is told to stop: then it takes no more connections, ends event streams, and lets answers
    /// finish within the grace. Returns when the last connection is closed.
    pub async fn serve(self, desk: Arc<dyn Desk>, stop: CancellationToken) {
        let Self { listener, address, config } = self;
        let router = App::new(desk, address, &config, stop.clone()).router();
        let most = config.limits.connections.min(Semaphore::MAX_PERMITS);
        let places = Arc::new(Semaphore::new(most));
        let (tasks, cut) = (TaskTracker::new(), CancellationToken::new());
        loop {
            let (stream, place) = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(next) = accept(&listener, &places) => next,
            };
            let talk = Talk { router: router.clone(), stop: stop.clone(), cut: cut.clone() };
            let http = http(&config.limits);
            tasks.spawn(async move {
                talk.over(stream, &http).await;
                drop(place);
            });
        }
        drop(listener);
        tasks.close();
        if timeout(config.limits.grace, tasks.wait()).await.is_err() {
            cut.cancel();
            tasks.wait().await;
        }
    }
}

/// The next connection, when there is a place for it; `None` never, but in a select.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    // The semaphore is never closed.
    let place = places.clone().acquire_owned().await.ok()?;
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return Some((stream, place)),
            // A client that left at once, or no more file descriptors: others may still come.
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// hyper's own bounds stand well above ours, so that most clients that break one get a document.
fn http(limits: &Limits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.read_time)
        .max_headers(limits.headers.saturating_mul(4))
        .max_buf_size(limits.header_bytes.saturating_mul(4).max(64 * 1024));
    http
}

/// One connection.
struct Talk {
    router: Router,
    stop: CancellationToken,
    cut: CancellationToken,
}

impl Talk {
    /// Answers what comes over the connection until it is closed, or the server has stopped.
    async fn over(self, stream: TcpStream, http: &http1::Builder) {
        // Events are small and should not wait for more; where that cannot be had, they do.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(self.router);
        let mut talk = pin!(http.serve_connection(TokioIo::new(stream), service));
        // Errors of a connection are its client's: there is nobody left to tell.
        tokio::select! {
            biased;
            _ = talk.as_mut() => return,
            () = self.stop.cancelled() => talk.as_mut().graceful_shutdown(),
        }
        // What can still be written is written before the connection is cut.
        tokio::select! {
            biased;
            _ = talk => (),
            () = self.cut.cancelled() => (),
        }
    }
}

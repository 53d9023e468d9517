//! A server on a port: connections in, answers out, until it is told to stop.
//!
//! Invariant: beyond loopback nothing is served without a token; stopping ends no run.
//! Absent here: TLS, which is for a proxy in front.

use crate::{app::App, connection::Connection, desk::Desk, limits::Limits, token::Token};
use std::{io, net::SocketAddr, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
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
    let listener = listener(listen, config.limits.connections).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok(Bound { listener, address, config })
}

/// A queue as long as there are places: of a thousand clients that come at one moment, a shorter one would lose some,
/// who would try again after a second.
fn listener(listen: SocketAddr, places: usize) -> std::io::Result<TcpListener> {
    let socket = if listen.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // What a server that has just ended leaves behind does not keep the next one from its address.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(listen)?;
    socket.listen(u32::try_from(places).unwrap_or(u32::MAX))
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
        let connection = Connection::new(router, &config.limits, stop.clone(), cut.clone());
        loop {
            let (stream, place) = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(next) = accept(&listener, &places) => next,
            };
            let connection = connection.clone();
            tasks.spawn(async move {
                connection.serve(stream).await;
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

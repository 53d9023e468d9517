//! One connection: requests in, answers out, until either side closes it.
//!
//! Invariant: a connection ends no run; a client that is too slow, sending or taking, is cut off.
//! Absent here: taking connections, and what their requests lead to.

use crate::{
    limits::Limits,
    patience::Patient,
    problem::{Kind, Problem},
};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{pin::pin, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
};
use tokio_util::sync::CancellationToken;

/// What the connections of one server share.
#[derive(Clone)]
pub(crate) struct Connection {
    router: Router,
    http: http1::Builder,
    read_time: Duration,
    write_time: Duration,
    /// Cancelled when the server starts to stop.
    stop: CancellationToken,
    /// Cancelled when what has not ended by then is cut off.
    cut: CancellationToken,
}

impl Connection {
    pub(crate) fn new(
        router: Router,
        limits: &Limits,
        stop: CancellationToken,
        cut: CancellationToken,
    ) -> Self {
        let (read_time, write_time) = (limits.read_time, limits.write_time);
        Self { router, http: http(limits), read_time, write_time, stop, cut }
    }

    /// Answers what comes over this stream until it is closed, or the server has stopped.
    pub(crate) async fn serve(self, stream: TcpStream) {
        // Events are small and should not wait for more; where that cannot be had, they do.
        let _ = stream.set_nodelay(true);
        let mut stream = Patient::new(stream, self.write_time);
        let ended = self.talk(&mut stream).await;
        if ended.is_err_and(|error| error.is_timeout()) && stream.has_asked() {
            let _ = stream.write_all(&late_head(self.read_time)).await;
            let _ = stream.shutdown().await;
        }
    }

    /// Errors are the client's: most of them leave nobody to tell.
    async fn talk(&self, stream: impl AsyncRead + AsyncWrite + Unpin) -> hyper::Result<()> {
        let service = TowerToHyperService::new(self.router.clone());
        let mut talk = pin!(self.http.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            biased;
            ended = talk.as_mut() => return ended,
            () = self.stop.cancelled() => talk.as_mut().graceful_shutdown(),
        }
        // What can still be written is written before the connection is cut.
        tokio::select! {
            biased;
            ended = talk => ended,
            () = self.cut.cancelled() => Ok(()),
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

/// The whole answer to a head that was begun and not ended, to which hyper says nothing.
fn late_head(read_time: Duration) -> Vec<u8> {
    let problem =
        Problem::new(Kind::SlowRequest, format!("a request's head arrives within {read_time:?}"));
    // Our own types always are JSON.
    let body = serde_json::to_string(&problem.body("/")).unwrap_or_default();
    let (status, media_type, length) = (problem.status(), crate::problem::MEDIA_TYPE, body.len());
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {media_type}\r\ncontent-length: {length}\r\n\
         cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

//! A connection on which sending has a deadline.
//!
//! Why: a client that takes nothing fills the system's buffers, and then holds what waits behind them for ever.
//!
//! Invariant: sending that is held up for longer than the limit fails; whatever the client takes starts the time anew.
//! Absent here: deadlines of reading, which hyper has for heads and `body` for bodies.

use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// A stream that does not wait for ever.
pub(crate) struct Patient<S> {
    stream: S,
    most: Duration,
    /// There while sending is held up.
    held: Option<Pin<Box<Sleep>>>,
    /// Whether anything has come in since something went out.
    asked: bool,
}

impl<S> Patient<S> {
    pub(crate) fn new(stream: S, most: Duration) -> Self {
        Self { stream, most, held: None, asked: false }
    }

    /// Whether the client has sent anything since it was last answered.
    pub(crate) fn has_asked(&self) -> bool {
        self.asked
    }

    /// What became of sending: nothing yet is an error once the time is over.
    fn sent(
        &mut self,
        cx: &mut Context<'_>,
        sent: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if sent.is_pending() {
            let most = self.most;
            let held = self.held.get_or_insert_with(|| Box::pin(sleep(most)));
            ready!(held.as_mut().poll(cx));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        (self.held, self.asked) = (None, false);
        sent
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.asked |= buffer.filled().len() > before;
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.sent(cx, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.sent(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test]
    async fn who_takes_nothing_is_left_and_who_takes_a_little_is_waited_for() {
        let (mut client, server) = duplex(4);
        let mut server = Patient::new(server, Duration::from_millis(30));
        let sending = tokio::spawn(async move { server.write_all(b"12345678").await });
        let mut taken = [0; 4];
        client.read_exact(&mut taken).await.unwrap();
        assert!(sending.await.unwrap().is_ok());

        let (_client, server) = duplex(4);
        let mut server = Patient::new(server, Duration::from_millis(30));
        let left = server.write_all(b"12345678").await.unwrap_err();
        assert_eq!(left.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn it_knows_whether_the_client_has_asked() {
        let (mut client, server) = duplex(64);
        let mut server = Patient::new(server, Duration::from_secs(60));
        assert!(!server.has_asked());
        client.write_all(b"GET").await.unwrap();
        server.read_exact(&mut [0; 3]).await.unwrap();
        assert!(server.has_asked());
        server.write_all(b"200").await.unwrap();
        assert!(!server.has_asked());
    }
}

//! A session whose generator works until it is let go, so that something can happen meanwhile.

use super::scene::{PROGRAMS, Scene};
use std::{
    fs,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

const WAITS: &str = ": > \"$HOME/working\"\nuntil [ -f \"$HOME/go\" ]; do sleep 0.02; done\ncat \"$HOME/says/generation-1\"\n";

/// A session with open gates whose generator waits for the file `go`, this many times.
pub(crate) fn slow(times: usize) -> (Scene, String) {
    let scene = Scene::new("java");
    scene.open_gates();
    for n in 1..=times {
        scene.does(&format!("generation-1.{n}"), WAITS);
    }
    let id = scene.begun("jpa-auto", PROGRAMS);
    (scene, id)
}

/// Starts the command, and waits until the generator is at work.
pub(crate) fn at_work(scene: &Scene, words: &str) -> Child {
    let mut command = scene.command(words);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (working, begun) = (scene.sandbox.join("working"), Instant::now());
    while !working.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody is asked");
        std::thread::sleep(Duration::from_millis(5)); // real time: another process takes its own
    }
    fs::remove_file(working).unwrap();
    child
}

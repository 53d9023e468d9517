//! The `redraft` program.

fn main() -> std::process::ExitCode {
    redraft::redraft(std::env::args_os())
}

//! The `podcast` program: the subcommands of `redraft podcast` under the name that scripts know.

fn main() -> std::process::ExitCode {
    redraft::podcast(std::env::args_os())
}

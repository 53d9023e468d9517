//! Agents that many people have: how each is asked once, without a terminal and without tools.
//!
//! Invariant: none of them may edit files, and each runs in an empty folder. A reviewer has no business elsewhere.
//! Absent here: which model they use; that is their own configuration, or one more argument.
//!
//! Sources: each program's `--help` (claude 2.1, codex with `exec --ephemeral`, gemini with `--approval-mode plan`),
//! <https://docs.anthropic.com/en/docs/claude-code/cli-reference>,
//! <https://developers.openai.com/codex/noninteractive>, <https://geminicli.com/docs/cli/headless>.

use super::{output::Output, program::Program};
use crate::Preset;

/// What Node programs behind a proxy or with certificates of their own need.
const NETWORK: [&str; 9] = [
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "https_proxy",
    "http_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "XDG_CONFIG_HOME",
];

/// The program, ready to be asked.
pub fn preset(preset: Preset) -> Program {
    match preset {
        Preset::Claude => claude(),
        Preset::Codex => codex(),
        Preset::Gemini => gemini(),
    }
}

/// Prints one JSON document. The empty list of tools leaves it none; no servers, nothing kept on disk.
fn claude() -> Program {
    let args = [
        "--print",
        "--output-format",
        "json",
        "--tools",
        "",
        "--strict-mcp-config",
        "--no-session-persistence",
    ];
    let env = [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CONFIG_DIR",
    ];
    ready(Preset::Claude, &args, Output::Claude, &env)
}

/// Prints one event a line. Its commands run in a sandbox that cannot write; `-` reads the prompt from stdin.
fn codex() -> Program {
    let args = [
        "exec",
        "--json",
        "--sandbox",
        "read-only",
        "--skip-git-repo-check",
        "--ephemeral",
        "--color",
        "never",
        "-",
    ];
    let env = ["CODEX_API_KEY", "CODEX_HOME", "OPENAI_API_KEY", "OPENAI_BASE_URL"];
    ready(Preset::Codex, &args, Output::Codex, &env)
}

/// Prints one JSON document. `plan` is its read-only mode; an empty folder need not be trusted.
fn gemini() -> Program {
    let args = ["--output-format", "json", "--approval-mode", "plan", "--skip-trust"];
    let env = [
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_GENAI_USE_VERTEXAI",
    ];
    ready(Preset::Gemini, &args, Output::Gemini, &env)
}

fn ready(preset: Preset, args: &[&str], output: Output, env: &[&str]) -> Program {
    Program {
        output,
        env: env.iter().chain(&NETWORK).map(|&name| name.to_owned()).collect(),
        install: Some(format!("install it with `{}` and log in once", preset.install())),
        ..Program::plain(preset.name(), args)
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::{Input, WorkingFolder};
    use super::*;

    #[test]
    fn every_preset_reads_stdin_in_an_empty_folder_and_says_how_to_install_it() {
        for known in Preset::ALL {
            let program = preset(known);
            assert_eq!((program.name.as_str(), program.input), (known.name(), Input::Text));
            assert_eq!(program.folder, WorkingFolder::Empty);
            assert!(program.install.unwrap().contains("npm install -g @"));
        }
    }

    #[test]
    fn no_preset_may_edit_files() {
        let has = |known: Preset, words: &[&str]| {
            preset(known).args.windows(words.len()).any(|args| args == words)
        };
        assert!(has(Preset::Claude, &["--tools", ""]));
        assert!(has(Preset::Codex, &["--sandbox", "read-only"]));
        assert!(has(Preset::Gemini, &["--approval-mode", "plan"]));
    }
}

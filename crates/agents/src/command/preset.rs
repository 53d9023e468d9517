//! Agents that many people have: how each is asked once, without a terminal: without tools, or to edit files.
//!
//! Invariant: one that is asked for words may not edit files and runs in an empty folder; a reviewer has no business
//! elsewhere. One that edits works in the folder that it is given, and starts commands only as far as its own sandbox
//! or its user's own rules allow: none is told to pass over its permissions. A repository's own settings, which could
//! name hooks and servers, say nothing to Claude Code, and to the others only where the user trusts that folder.
//! Absent here: which model they use; that is their own configuration, or one more argument.
//!
//! Sources: each program's `--help` (claude 2.1, codex with `exec --ephemeral`, gemini with `--approval-mode plan`),
//! <https://docs.anthropic.com/en/docs/claude-code/cli-reference>, <https://code.claude.com/docs/en/permission-modes>,
//! <https://developers.openai.com/codex/noninteractive>, <https://developers.openai.com/codex/agent-approvals-security>,
//! <https://geminicli.com/docs/cli/headless>, <https://geminicli.com/docs/cli/trusted-folders>.

use super::{output::Output, program::Program};
use crate::Preset;
use std::path::Path;

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

const CLAUDE_ENV: [&str; 5] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CONFIG_DIR",
];

const CODEX_ENV: [&str; 4] = ["CODEX_API_KEY", "CODEX_HOME", "OPENAI_API_KEY", "OPENAI_BASE_URL"];

const GEMINI_ENV: [&str; 6] = [
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_GENAI_USE_VERTEXAI",
];

/// Prints one JSON document. The empty list of tools leaves it none; no servers, nothing kept on disk.
const CLAUDE: [&str; 7] = [
    "--print",
    "--output-format",
    "json",
    "--tools",
    "",
    "--strict-mcp-config",
    "--no-session-persistence",
];

/// Where nobody can be asked, what is not allowed is denied: `acceptEdits` allows edits in the folder, and the user's
/// own settings may allow commands. The repository's are not read; they would be obeyed without a question.
const CLAUDE_EDITING: [&str; 11] = [
    "--print",
    "--output-format",
    "json",
    "--permission-mode",
    "acceptEdits",
    "--tools",
    "Bash,Edit,Glob,Grep,NotebookEdit,Read,Write",
    "--setting-sources",
    "user",
    "--strict-mcp-config",
    "--no-session-persistence",
];

/// Prints one event a line. Its commands run in a sandbox that cannot write; `-` reads the prompt from stdin.
const CODEX: [&str; 9] = [
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

/// Its commands may write in the folder, not to `.git` and without network. It makes sure itself that git can undo.
const CODEX_EDITING: [&str; 8] =
    ["exec", "--json", "--sandbox", "workspace-write", "--ephemeral", "--color", "never", "-"];

/// Prints one JSON document. `plan` is its read-only mode; an empty folder need not be trusted.
const GEMINI: [&str; 5] = ["--output-format", "json", "--approval-mode", "plan", "--skip-trust"];

/// `auto_edit` allows edits and no commands. Whether the folder is trusted is left to the user, since its settings are
/// obeyed then: where it is not, the program says so and ends.
const GEMINI_EDITING: [&str; 4] = ["--output-format", "json", "--approval-mode", "auto_edit"];

/// The program, ready to be asked for words.
pub fn preset(preset: Preset) -> Program {
    match preset {
        Preset::Claude => ready(preset, &CLAUDE),
        Preset::Codex => ready(preset, &CODEX),
        Preset::Gemini => ready(preset, &GEMINI),
    }
}

/// The program, ready to be asked to edit the files of this folder.
pub fn editing_preset(preset: Preset, folder: &Path) -> Program {
    let program = match preset {
        Preset::Claude => ready(preset, &CLAUDE_EDITING),
        Preset::Codex => ready(preset, &CODEX_EDITING),
        Preset::Gemini => ready(preset, &GEMINI_EDITING),
    };
    program.editing_at(folder)
}

fn ready(preset: Preset, args: &[&str]) -> Program {
    let (output, env) = match preset {
        Preset::Claude => (Output::Claude, &CLAUDE_ENV[..]),
        Preset::Codex => (Output::Codex, &CODEX_ENV[..]),
        Preset::Gemini => (Output::Gemini, &GEMINI_ENV[..]),
    };
    Program {
        output,
        env: env.iter().chain(&NETWORK).map(|&name| name.to_owned()).collect(),
        install: Some(format!("install it with `{}` and log in once", preset.install())),
        ..Program::plain(preset.name(), args)
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::{Input, Wanted, WorkingFolder};
    use super::*;

    fn has(program: &Program, words: &[&str]) -> bool {
        program.args.windows(words.len()).any(|args| args == words)
    }

    #[test]
    fn every_preset_reads_stdin_in_an_empty_folder_and_says_how_to_install_it() {
        for known in Preset::ALL {
            let program = preset(known);
            assert_eq!((program.name.as_str(), program.input), (known.name(), Input::Text));
            assert_eq!((program.folder, program.wanted), (WorkingFolder::Empty, Wanted::Words));
            assert!(program.install.unwrap().contains("npm install -g @"));
        }
    }

    #[test]
    fn no_preset_that_is_asked_for_words_may_edit_files() {
        assert!(has(&preset(Preset::Claude), &["--tools", ""]));
        assert!(has(&preset(Preset::Codex), &["--sandbox", "read-only"]));
        assert!(has(&preset(Preset::Gemini), &["--approval-mode", "plan"]));
    }

    #[test]
    fn an_editing_preset_is_the_same_program_with_other_arguments_in_the_folder_it_is_given() {
        for known in Preset::ALL {
            let (words, edits) = (preset(known), editing_preset(known, Path::new("/tree")));
            let expected = Program { args: edits.args.clone(), ..words.clone() };
            assert_eq!(edits, expected.editing_at(Path::new("/tree")));
            assert_ne!(edits.args, words.args);
        }
    }

    #[test]
    fn no_editing_preset_passes_over_permissions_or_trust() {
        let of = |known| editing_preset(known, Path::new("/tree"));
        assert!(has(&of(Preset::Claude), &["--permission-mode", "acceptEdits"]));
        assert!(has(&of(Preset::Claude), &["--setting-sources", "user"]));
        assert!(has(&of(Preset::Codex), &["--sandbox", "workspace-write"]));
        assert!(has(&of(Preset::Gemini), &["--approval-mode", "auto_edit"]));
        for arg in Preset::ALL.into_iter().flat_map(|known| of(known).args) {
            let odd = ["danger", "bypass", "yolo", "trust", "skip", "full-auto"];
            assert!(!odd.iter().any(|word| arg.contains(word)), "{arg}");
        }
    }
}

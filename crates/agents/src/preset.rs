//! Programs that many people have: their names, and how each is installed.
//!
//! Absent here: how they are asked.

/// A program that is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// Anthropic's Claude Code.
    Claude,
    /// `OpenAI`'s Codex.
    Codex,
    /// Google's Gemini CLI.
    Gemini,
}

impl Preset {
    /// All of them, in the order they are listed to people.
    pub const ALL: [Self; 3] = [Self::Claude, Self::Codex, Self::Gemini];

    /// Its name in configurations, which is also the program's on `PATH`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// The command that installs it.
    pub fn install(self) -> &'static str {
        match self {
            Self::Claude => "npm install -g @anthropic-ai/claude-code",
            Self::Codex => "npm install -g @openai/codex",
            Self::Gemini => "npm install -g @google/gemini-cli",
        }
    }
}

//! Who builds, and how: by edits or by an answer.

use super::*;
use crate::config::{Flags, Surroundings};
use redraft_agents::OfflineAnswerer;
use redraft_engine::Call;
use redraft_loop::{CallId, RunId};
use std::fs;

/// What is configured for the agents of these plays.
const AGENTS: &str = r#"
    [agents.hands]
    kind = "command"
    program = "sh"
    args = ["-c", "cat > /dev/null; echo new > new.txt; pwd -P"]

    [agents.words]
    kind = "command"
    program = "sh"
    args = ["-c", "cat > /dev/null; echo new > new.txt; pwd -P"]
    edits = false

    [agents.model]
    kind = "llm"
    provider = "ollama"
    model = "m"

    [agents.gone]
    kind = "command"
    program = "/no/such/program"
"#;

/// A folder with a configuration, and a place to build in.
struct Stage {
    folder: tempfile::TempDir,
    config: Config,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("redraft/config.toml");
        for made in [file.parent().unwrap(), &folder.path().join("place")] {
            fs::create_dir(made).unwrap();
        }
        fs::write(&file, AGENTS).unwrap();
        let user = vec![("XDG_CONFIG_HOME".into(), folder.path().into())];
        let around = Surroundings::new(folder.path(), user);
        let config = Config::load(&around, &Flags::default()).unwrap();
        Self { folder, config }
    }

    fn place(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("place")
    }

    fn build(&self, name: &str, capped: (bool, bool)) -> Result<(Player, Work), Failure> {
        let players = Players {
            config: &self.config,
            script: None,
            offline: Some(Arc::new(OfflineAnswerer)),
            inbox: self.folder.path().join("inbox"),
            workspace: self.folder.path().to_owned(),
            transcript: None,
        };
        players.builder(
            name,
            &Connections::default(),
            capped,
            (&self.place(), Duration::from_secs(60)),
        )
    }

    fn work(&self, name: &str) -> Work {
        self.build(name, (false, false)).map(|(_, work)| work).unwrap()
    }

    fn refusal(&self, name: &str, capped: (bool, bool)) -> String {
        self.build(name, capped).err().unwrap().message
    }

    async fn says(&self, name: &str) -> String {
        let (player, _) = self.build(name, (false, false)).unwrap();
        player.agent.answer(&call()).await.unwrap().text
    }
}

fn call() -> Call {
    Call {
        run: RunId::new("run"),
        call: CallId(1),
        subject: "change".into(),
        round: 1,
        step: "implement".into(),
        role: "builder".into(),
        attempt: 1,
        ordinal: 0,
        prompt: Prompt::default(),
    }
}

#[test]
fn programs_build_by_edits_unless_they_are_said_not_to_and_all_others_by_an_answer() {
    let stage = Stage::new();
    assert_eq!(stage.work("hands"), Work::Edits);
    for name in ["words", "model", HUMAN, OFFLINE] {
        assert_eq!(stage.work(name), Work::Answers, "{name}");
    }
}

#[test]
fn a_preset_that_is_named_without_a_table_builds_by_edits_or_is_not_installed() {
    let stage = Stage::new();
    for preset in Preset::ALL {
        let name = preset.name();
        match stage.build(name, (false, false)) {
            Ok((_, work)) => assert_eq!(work, Work::Edits, "{name}"),
            Err(failure) => assert!(
                failure
                    .message
                    .starts_with(&format!("agent {name}: {name}: there is no such program")),
                "{}",
                failure.message
            ),
        }
    }
}

#[tokio::test]
async fn a_program_that_edits_works_at_the_place_and_one_that_answers_in_an_empty_folder() {
    let stage = Stage::new();
    let elsewhere = stage.says("words").await;
    assert_ne!(elsewhere.trim(), stage.place().display().to_string());
    assert_eq!(fs::read_dir(stage.place()).unwrap().count(), 0);
    assert_eq!(stage.says("hands").await.trim(), stage.place().display().to_string());
    assert_eq!(fs::read_to_string(stage.place().join("new.txt")).unwrap(), "new\n");
}

#[test]
fn a_builder_has_to_start_and_to_hold_the_caps_as_everyone_at_the_table() {
    let stage = Stage::new();
    assert!(stage.refusal("gone", (false, false)).contains("there is no such program"));
    assert!(stage.refusal("hands", (true, false)).contains("there is a cap on money"));
    assert!(stage.refusal("hands", (false, true)).contains("there is a cap on tokens"));
    assert!(stage.refusal("nobody", (false, false)).contains("there is no agent \"nobody\""));
}

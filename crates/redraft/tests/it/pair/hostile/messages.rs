//! Diffs in messages, of programs and of models: each attack is refused by the name of what it is after.

use super::{
    last_line,
    stage::{Stage, TWO, implements},
};
use crate::provider::{Does, Provider};

fn new(path: &str) -> String {
    format!("--- /dev/null\n+++ {path}\n@@ -0,0 +1 @@\n+x\n")
}

fn link(path: &str, target: &str) -> String {
    format!(
        "diff --git a/{path} b/{path}\nnew file mode 120000\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{target}\n\\ No newline at end of file\n"
    )
}

fn moved(how: &str, from: &str, to: &str) -> String {
    format!("diff --git a/{from} b/{to}\nsimilarity index 100%\n{how} from {from}\n{how} to {to}\n")
}

/// What is sent, and what the refusal names.
fn attacks() -> Vec<(String, &'static str)> {
    let hook = "diff --git a/.git/hooks/pre-commit b/.git/hooks/pre-commit\nnew file mode 100755\n--- /dev/null\n\
                +++ b/.git/hooks/pre-commit\n@@ -0,0 +1,2 @@\n+#!/bin/sh\n+touch ran\n";
    let binary = "diff --git a/x.bin b/x.bin\nnew file mode 100644\nindex 0000000..1234567\nGIT binary patch\n\
                  literal 3\nKcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n";
    let module = "diff --git a/sub b/sub\nnew file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/sub\n\
                  @@ -0,0 +1 @@\n+Subproject commit 1234567890123456789012345678901234567890\n";
    let key = "--- a/secret/key.txt\n+++ b/secret/key.txt\n@@ -1 +1 @@\n-a\n+b\n";
    let setuid = link("tool", "x").replace("120000", "104755");
    vec![
        (new("b/../outside"), "../outside"),
        (new("../../../desk/precious/letter"), "../../../desk/precious/letter"),
        (new("/etc/redraft-outside"), "/etc/redraft-outside"),
        (hook.to_owned(), ".git/hooks/pre-commit"),
        (new("b/.GIT/hooks/pre-commit"), ".GIT/hooks/pre-commit"),
        (new("b/src/.git/config"), "src/.git/config"),
        (new("b/.GitModules"), ".GitModules"),
        (new("b/way/outside"), "way/outside"),
        (format!("{}{}", link("door", "src"), new("b/door/x")), "door"),
        (link("door", "/etc/passwd"), "door"),
        (link("src/door", "../../.git/config"), "src/door"),
        (binary.to_owned(), "x.bin"),
        (module.to_owned(), "sub"),
        (setuid, "tool"),
        (key.to_owned(), "secret/key.txt"),
        (moved("rename", "README.md", "secret/key.txt"), "secret/key.txt"),
        (moved("copy", "secret/key.txt", "open.txt"), "secret/key.txt"),
        (moved("rename", "README.md", "SECRET/new.txt"), "SECRET/new.txt"),
        // A good change beside it does not carry it in.
        (format!("{TWO}{}", new("b/secret/new.txt")), "secret/new.txt"),
    ]
}

#[test]
fn a_refused_diff_is_told_once_by_its_path_and_a_good_one_goes_on_to_converge() {
    for (diff, path) in attacks() {
        let stage = Stage::new();
        stage.says(&[implements(1, &diff), implements(1, TWO)]);
        let ended = stage.plays(&[]);
        assert_eq!((ended.code, last_line(&ended)), (0, "CONVERGED"), "{path}: {}", ended.err);
        assert!(ended.err.contains(path), "{path}: {}", ended.err);
        let refusals = stage.refusals();
        assert!(refusals.len() == 1 && refusals[0].contains(path), "{path}: {refusals:?}");
        let told = stage.told("builder");
        assert_eq!(told.len(), 2, "{path}");
        assert!(!told[0].contains("begin what is wrong"), "{}", told[0]);
        let wrong = told[1].split("begin what is wrong").nth(1).unwrap_or_default();
        assert!(wrong.contains(path), "{path}: {}", told[1]);
        let shown = told[1].split("begin your reply").nth(1).unwrap_or_default();
        assert!(shown.contains(&implements(1, &diff)), "it is shown its own words: {}", told[1]);
    }
}

#[test]
fn a_model_that_sends_it_twice_fails_the_run_and_its_diff_goes_nowhere() {
    for (diff, path) in attacks() {
        let stage = Stage::new();
        let reply = implements(1, &diff);
        let provider = Provider::new(move |_| Does::Says(reply.clone()));
        stage.with_model(&provider);
        let ended = stage.plays(&["--apply", "--branch", "change"]);
        assert_eq!((ended.code, ended.out.as_str()), (1, "FAILED\n"), "{path}: {}", ended.err);
        assert!(ended.err.contains(path), "{path}: {}", ended.err);
        let refusals = stage.refusals();
        assert!(
            refusals.len() == 2 && refusals.iter().all(|why| why.contains(path)),
            "{refusals:?}"
        );
        assert_eq!(provider.asked(), 2, "{path}");
        let wrong = provider.seen()[1].text();
        let wrong = wrong.split("begin what is wrong").nth(1).unwrap_or_default().to_owned();
        assert!(wrong.contains(path), "{path}: {wrong}");
    }
}

//! Responses of any bytes: no panic, no name that is not a plain file, no text that was not sent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use redraft_workflows::gated::bundle::{check_name, read, twin};
use std::collections::HashSet;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    match read(&text, "java") {
        Err(error) => {
            let message = error.to_string();
            assert!(
                message.starts_with("line ") && !message.contains(char::is_control),
                "{message}"
            );
            assert!(message.chars().count() < 600, "{message}");
        }
        Ok(bundle) => {
            assert!(text.contains(&bundle.remarks) && !bundle.files.is_empty());
            let mut names = HashSet::new();
            for file in &bundle.files {
                assert_eq!(check_name(&file.name, "java"), Ok(()));
                assert!(!file.name.contains(['/', '\\', '\0']) && file.name.ends_with(".java"));
                assert!(names.insert(twin(&file.name)), "{}", file.name);
                assert!(!file.text.trim().is_empty());
                assert!(file.text.lines().all(|line| text.contains(line)));
            }
            assert!(bundle.disputed.iter().all(|item| !item.contains('\n')));
        }
    }
});

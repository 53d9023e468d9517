//! Values at the edge of their type, and files without an end.

use crate::{
    scene::{document, refused, review, scripted, workspace},
    strangers::Stranger,
};
use serde_json::json;

const NANOS: &str = "2001-02-03T04:05:06.123456789Z";
const MICROS: &str = "2001-02-03T04:05:06.123456Z";

#[test]
fn times_are_cut_to_microseconds_in_every_file() {
    let from = json!([{"kind": "note", "ref": "n", "created_at": NANOS, "metadata": {}}]);
    let candidate = json!({"content": "text\n", "created_at": NANOS, "provenance": from});
    let creator = json!({"creator": {"done": true, "candidate": candidate}});
    let review_of = json!({"review": {"verdict": "ok", "reviewer": "ada", "created_at": NANOS}});
    let sandbox = scripted(&[creator, review_of]);
    sandbox.expect(0, &review("description", ""));
    let iteration = document(&sandbox, "w/copy/protocol/description/iteration_01.json");
    assert_eq!(iteration["creator"]["candidate"]["created_at"], MICROS);
    assert_eq!(iteration["creator"]["candidate"]["provenance"][0]["created_at"], MICROS);
    assert_eq!(iteration["reviewer"]["created_at"], MICROS);
    for (path, bytes) in sandbox.files("w") {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains("123456789"), "{path}: {text}");
    }
    sandbox.expect(0, &review("description", ""));
}

#[test]
fn an_iteration_beyond_all_bounds_is_refused_and_never_counted_on_from() {
    for number in [u32::MAX, u32::MAX - 1] {
        for reviewed in [json!(1), json!(number)] {
            let mut stranger = Stranger::open();
            let first = &mut stranger.protocol["iterations"][0];
            (first["iteration"], first["reviewer"]["iteration"]) = (json!(number), reviewed);
            stranger.protocol["max_iterations"] = json!(u32::MAX);
            let sandbox = stranger.build();
            let protocol = "copy/protocol/description/state.json";
            refused(&sandbox, 6, &review_fake(), &[protocol, "iteration"]);
            refused(&sandbox, 6, "podcast status -w w", &[protocol, "iteration"]);
        }
    }
}

fn review_fake() -> String {
    "podcast review -w w --fake-runner --asset-id description".to_owned()
}

#[test]
fn a_transcript_without_an_end_is_refused() {
    refused(&workspace(), 2, "podcast ingest -w w --transcript /dev/zero", &["/dev/zero"]);
}

//! A person's pick stands, also above a run that agrees on something else later.

use crate::scene::{agrees, asset, draft, final_draft, objects, review, scripted};

#[test]
fn a_pick_in_an_open_run_stands_when_the_run_converges_on_another_candidate() {
    let sandbox = scripted(&[draft("one\n"), objects("more"), final_draft("two\n"), agrees()]);
    sandbox.expect(5, &review("description", "--max-calls 2"));
    let picked = asset(&sandbox, "description")["candidates"][0]["candidate_id"].clone();
    let id = picked.as_str().unwrap();
    sandbox.expect(0, &format!("podcast pick -w w --asset-id description --candidate-id {id}"));
    assert_eq!(sandbox.read("w/copy/selected/description.md"), "one\n");
    let ended = sandbox.expect(0, &review("description", "--max-calls 9"));
    assert!(ended.out.contains("Outcome: converged"), "{}", ended.out);
    for _ in ["as it ended", "repaired"] {
        let kept = asset(&sandbox, "description");
        assert_eq!(kept["candidates"].as_array().unwrap().len(), 2);
        assert_eq!(kept["selected_candidate_id"], picked);
        assert_eq!(sandbox.read("w/copy/selected/description.md"), "one\n");
        assert_eq!(sandbox.read("w/copy/selected/description.html"), "<p>one</p>\n");
        let repair = sandbox.expect(0, "repair -w w");
        assert!(repair.out.contains("Every file is as the journal has it."), "{}", repair.out);
    }
    sandbox.expect(0, &review("description", ""));
}

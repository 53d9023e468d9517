//! The whole way of a session, from its beginning to a review that passes (contract §2 and §5).

use super::stage::{FAIL, FILES, PASS, PLAN, REVISED, Stage};
use serde_json::{Value, json};

/// A step that goes on ends with 0 and says this.
fn moves(stage: &Stage, told: &str) {
    assert_eq!(stage.step(0).out, format!("{told}\n"));
}

/// A step that finds nothing ends with 3 and names what it waits for.
fn awaits(stage: &Stage, line: &str, prompt: &str) {
    let prompt = stage.place(prompt);
    let response = prompt.display().to_string().replace("-prompt.md", "-response.md");
    let told = format!("{line} noop_awaiting_artifact=true\n{}\n{response}\n", prompt.display());
    assert_eq!(stage.step(3).out, told);
    assert!(prompt.is_file());
}

/// A step before the approval waits with 3; approving tells the hash of each file.
fn passes_with_a_word(stage: &Stage, line: &str, files: &[&str]) {
    let review = line.starts_with("phase=REVIEWED");
    let shown = |text: String| match review {
        true => text.lines().skip(1).collect::<Vec<_>>().join("\n") + "\n",
        false => text,
    };
    let places: Vec<String> =
        files.iter().map(|file| stage.place(file).display().to_string()).collect();
    let waits = format!("{line} noop_awaiting_approval=true\n{}\n", places.join("\n"));
    assert_eq!(shown(stage.step(3).out), waits);
    let approved = stage.approve(0).out;
    let mut lines = approved.lines();
    assert_eq!(lines.next(), Some(&*format!("{line} approved_by=anna")));
    for place in &places {
        let (hash, path) = lines.next().unwrap().split_once("  ").unwrap();
        assert_eq!((hash.len(), path), (64, &**place));
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn a_session_goes_from_its_beginning_over_a_revision_to_a_review_that_passes() {
    let stage = Stage::new();
    assert_eq!(stage.phase(), "INITIALIZED");
    let in_first = |phase: &str| format!("phase={phase} status=in_progress iteration=1");
    let in_second = |phase: &str| format!("phase={phase} status=in_progress iteration=2");
    let failed = "REVIEW: FAIL | issues=2 (critical=1) | missing_inputs=0";
    let passed = "REVIEW: PASS | issues=1 (critical=0) | missing_inputs=0";

    moves(&stage, &in_first("PLANNING"));
    awaits(&stage, &in_first("PLANNING"), "iteration-1/planning-prompt.md");
    stage.respond("planning", 1, PLAN);
    moves(&stage, &in_first("PLANNED"));
    passes_with_a_word(&stage, &in_first("PLANNED"), &["iteration-1/planning-response.md"]);

    moves(&stage, &in_first("GENERATING"));
    awaits(&stage, &in_first("GENERATING"), "iteration-1/generation-prompt.md");
    stage.respond("generation", 1, FILES);
    moves(&stage, &in_first("GENERATED"));
    let generated = [
        "iteration-1/code/Invoice.java",
        "iteration-1/code/Invoices.java",
        "iteration-1/generation-response.md",
    ];
    passes_with_a_word(&stage, &in_first("GENERATED"), &generated);

    moves(&stage, &in_first("REVIEWING"));
    awaits(&stage, &in_first("REVIEWING"), "iteration-1/review-prompt.md");
    stage.respond("review", 1, FAIL);
    moves(&stage, &format!("{failed}\n{}", in_first("REVIEWED")));
    passes_with_a_word(&stage, &in_first("REVIEWED"), &["iteration-1/review-response.md"]);

    moves(&stage, &format!("{failed}\n{}", in_second("REVISING")));
    awaits(&stage, &in_second("REVISING"), "iteration-2/revision-prompt.md");
    stage.respond("revision", 2, REVISED);
    moves(&stage, &in_second("REVISED"));
    let revised = [
        "iteration-2/code/Invoice.java",
        "iteration-2/code/InvoiceTest.java",
        "iteration-2/code/Invoices.java",
        "iteration-2/revision-response.md",
    ];
    passes_with_a_word(&stage, &in_second("REVISED"), &revised);

    moves(&stage, &in_second("REVIEWING"));
    awaits(&stage, &in_second("REVIEWING"), "iteration-2/review-prompt.md");
    stage.respond("review", 2, PASS);
    moves(&stage, &format!("{passed}\n{}", in_second("REVIEWED")));
    passes_with_a_word(&stage, &in_second("REVIEWED"), &["iteration-2/review-response.md"]);
    moves(&stage, &format!("{passed}\nphase=COMPLETE status=success iteration=2"));
}

/// A session that is complete after one revision.
fn complete() -> Stage {
    let stage = Stage::reviewing_again();
    stage.respond("review", 2, PASS);
    stage.step(0);
    stage.pass();
    stage
}

#[test]
fn the_folder_of_a_session_holds_just_what_the_contract_names() {
    let expected = [
        "iteration-1/code/Invoice.java",
        "iteration-1/code/Invoices.java",
        "iteration-1/generation-prompt.md",
        "iteration-1/generation-response.md",
        "iteration-1/planning-prompt.md",
        "iteration-1/planning-response.md",
        "iteration-1/review-prompt.md",
        "iteration-1/review-response.md",
        "iteration-2/code/Invoice.java",
        "iteration-2/code/InvoiceTest.java",
        "iteration-2/code/Invoices.java",
        "iteration-2/review-prompt.md",
        "iteration-2/review-response.md",
        "iteration-2/revision-prompt.md",
        "iteration-2/revision-response.md",
        "plan.md",
        "session.json",
        "standards-bundle.md",
    ];
    assert_eq!(complete().files(), expected);
}

#[test]
fn session_json_tells_the_whole_session() {
    let stage = complete();
    let told = stage.session_json();
    let fields: Vec<&str> = told.as_object().unwrap().keys().map(String::as_str).collect();
    for field in [
        "session_id",
        "profile",
        "context",
        "phase",
        "status",
        "execution_mode",
        "current_iteration",
        "standards_hash",
        "approvals",
        "providers",
        "artifacts",
        "last_error",
        "created_at",
        "updated_at",
        "phase_history",
        "schema_version",
    ] {
        assert!(fields.contains(&field), "{field} is not among {fields:?}");
    }
    assert_eq!(told["session_id"], *stage.id);
    assert_eq!(told["profile"], "jpa-mt");
    assert_eq!(told["context"]["table"], "invoice");
    assert_eq!(told["phase"], "COMPLETE");
    assert_eq!(told["status"], "success");
    assert_eq!(told["execution_mode"], "manual");
    assert_eq!(told["current_iteration"], 2);
    assert_eq!(told["last_error"], Value::Null);
    let manual = json!({"planner": "manual", "generator": "manual", "reviewer": "manual", "reviser": "manual"});
    assert_eq!(told["providers"], manual);
    let history: Vec<&str> = told["phase_history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|passage| passage["phase"].as_str().unwrap())
        .collect();
    let expected = "INITIALIZED PLANNING PLANNED GENERATING GENERATED REVIEWING REVIEWED REVISING \
                    REVISED REVIEWING REVIEWED COMPLETE";
    assert_eq!(history.join(" "), expected);
}

#[test]
fn approvals_and_artifacts_name_the_bytes_that_stand_there() {
    let stage = complete();
    let told = stage.session_json();
    let hash = |path: &str| redraft_engine::sha256(stage.read(path)).to_string();
    for artifact in told["artifacts"].as_array().unwrap() {
        let path = artifact["path"].as_str().unwrap();
        assert_eq!(artifact["sha256"], hash(path), "{path}");
        assert!(artifact["created_at"].as_str().unwrap().ends_with('Z'), "{artifact}");
    }
    assert_eq!(told["artifacts"].as_array().unwrap().len() + 1, stage.files().len());
    assert_eq!(told["standards_hash"], hash("standards-bundle.md"));
    let approvals = told["approvals"].as_array().unwrap();
    let of = |approval: &Value| format!("{} {}", approval["phase"], approval["iteration"]);
    let phases: Vec<String> = approvals.iter().map(of).collect();
    let expected =
        ["\"PLANNED\" 1", "\"GENERATED\" 1", "\"REVIEWED\" 1", "\"REVISED\" 2", "\"REVIEWED\" 2"];
    assert_eq!(phases, expected);
    for approval in approvals {
        assert_eq!(approval["by"], "anna");
        for (path, sha256) in approval["files"].as_object().unwrap() {
            assert_eq!(*sha256, hash(path), "{path}");
        }
    }
    assert_eq!(approvals[3]["files"].as_object().unwrap().len(), 4, "{}", approvals[3]);
}

#[test]
fn a_revision_keeps_the_files_that_it_does_not_send() {
    let stage = Stage::revising();
    assert_eq!(stage.read("iteration-2/code/Invoices.java"), "interface Invoices {}\n");
    stage.respond("revision", 2, REVISED);
    stage.step(0);
    assert_eq!(stage.read("iteration-2/code/Invoice.java"), "class Invoice {}\n");
    let revised = "interface Invoices { int countByTenantId(); }\n";
    assert_eq!(stage.read("iteration-2/code/Invoices.java"), revised);
    assert_eq!(stage.read("iteration-2/code/InvoiceTest.java"), "class InvoiceTest {}\n");
    assert_eq!(stage.read("iteration-1/code/Invoices.java"), "interface Invoices {}\n");
}

#[test]
fn a_reviewer_reads_the_authors_remarks_and_the_review_before() {
    let stage = Stage::reviewing_again();
    let first = stage.read("iteration-1/review-prompt.md");
    assert!(first.contains("The number is never changed."), "{first}");
    let second = stage.read("iteration-2/review-prompt.md");
    assert!(second.contains("R1: the tenant is in every query, in Invoices.java"), "{second}");
    assert!(second.contains("R1 (critical): a query forgets the tenant."), "{second}");
    assert!(!second.contains("The number is never changed."), "{second}");
    assert!(second.contains("<<<FILE: Invoice.java>>>\nclass Invoice {}"), "{second}");
}

#[test]
fn every_prompt_shows_the_columns_of_the_table_and_of_no_other() {
    let stage = complete();
    let prompts: Vec<String> =
        stage.files().into_iter().filter(|path| path.ends_with("-prompt.md")).collect();
    assert_eq!(prompts.len(), 5, "{prompts:?}");
    for path in prompts {
        let prompt = stage.read(&path);
        for row in [
            "| id | UUID | no |",
            "| tenant_id | UUID | no |",
            "| number | VARCHAR(40) | no |",
            "| due_on | DATE | yes |",
            "invoice_number_per_tenant: (tenant_id, number)",
        ] {
            assert!(prompt.contains(row), "{path}: {row}");
        }
        assert!(!prompt.contains("parent_id"), "{path}");
    }
}

#[test]
fn the_plan_that_was_approved_is_kept_and_shown() {
    let stage = Stage::generating();
    assert_eq!(stage.read("plan.md"), PLAN);
    assert!(stage.read("iteration-1/generation-prompt.md").contains("An invoice of one tenant."));
}

#[test]
fn run_goes_on_up_to_each_gate_and_tells_every_passage() {
    let stage = Stage::new();
    let told = stage.run(3).out;
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "phase=PLANNING status=in_progress iteration=1");
    assert_eq!(
        lines[1],
        "phase=PLANNING status=in_progress iteration=1 noop_awaiting_artifact=true"
    );
    assert_eq!(lines.len(), 4, "{told}");
    stage.respond("planning", 1, PLAN);
    assert!(
        stage
            .run(3)
            .out
            .contains("phase=PLANNED status=in_progress iteration=1 noop_awaiting_approval=true\n")
    );
    stage.approve(0);
    stage.respond("generation", 1, FILES);
    assert!(
        stage.run(3).out.contains(
            "phase=GENERATED status=in_progress iteration=1 noop_awaiting_approval=true\n"
        )
    );
    stage.approve(0);
    stage.respond("review", 1, PASS);
    assert!(stage.run(3).out.contains("REVIEW: PASS | issues=1 (critical=0) | missing_inputs=0\n"));
    stage.approve(0);
    let told = stage.run(0).out;
    assert!(told.ends_with("phase=COMPLETE status=success iteration=1\n"), "{told}");
}

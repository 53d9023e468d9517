use super::*;
use dom::Dom;
use proptest::prelude::*;
use redraft_loop::{
    Amount, Asked, CallId, CastMember, Epoch, Fact, Failed, Failure, Hash, Issue, Limits, Opened,
    Reading, Replied, Reply, Role, RunId, Served, Severity, Source, Time, Turn, Verdict,
};
use redraft_workflows::{
    review::shape,
    solve::{Candidate, Critique, CritiqueIssue, Plan, Problem, Record, Request, Response, Weight},
};

#[path = "../../tests/it/dom.rs"]
mod dom;
mod paired;

const HOSTILE: [&str; 14] = [
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "' style='background:url(http://127.0.0.1/x)",
    "[a](javascript:alert(1)) <a href=\"javascript:alert(1)\">b</a>",
    "--> <!-- ]]> <![CDATA[",
    "a\u{202e}b\u{2066}c\u{200b}d\u{e0041}e\u{0}f\u{1b}[31mg",
    "</div></main></body></html><iframe src=\"https://example.org\">",
    "{{ 7 * 7 }} {% include \"x\" %}",
    "&lt;b&gt; &amp; &#60;script&#62;",
    "line one\r\nline two\rline three\n\n  \tindented",
    "👩\u{200d}🚀 שלום مرحبا 字",
    "<svg onload=alert(1)><math><mtext></form><base href=//x>",
];

fn limits() -> Limits {
    Limits {
        rounds: 3,
        calls: Some(6),
        tokens: None,
        cost: Some(1_000),
        time: Some(300_000_000),
        attempts: 2,
        ask_again: 1,
    }
}

fn asked(call: u32, at: i64) -> Fact {
    Fact::Asked(Asked {
        call: CallId(call),
        epoch: Epoch(1),
        round: 1,
        step: shape::CREATE.into(),
        seat: 0,
        role: Role::new(shape::CREATOR),
        attempt: call,
        ordinal: 0,
        prompt: Hash::new("0"),
        house: false,
        reserve: Amount::FREE,
        at: Time(at),
    })
}

/// A run of which everything that others may have said before says this.
fn opened(text: &str) -> Opened {
    let bounds = shape::Bounds { limits: limits(), repairs: 1, stop_on_stagnation: false };
    let some = || Some(text.to_owned());
    let issue = Issue {
        id: text.to_owned(),
        severity: Severity::Error,
        message: text.to_owned(),
        code: some(),
        field: some(),
    };
    let said = Reading {
        verdict: Some(Verdict::ChangesRequested),
        issues: vec![issue],
        ..Reading::text(text)
    };
    let turn = |step: &str| Turn {
        round: 1,
        step: step.into(),
        at: Time(0),
        readings: vec![said.clone()],
    };
    Opened {
        run: RunId::new("0192"),
        at: Time(0),
        epoch: Epoch(1),
        subject: text.to_owned(),
        shape: shape::shape(1, &bounds),
        cast: vec![CastMember {
            role: Role::new(shape::CREATOR),
            agent: text.to_owned(),
            model: some(),
            provider: some(),
            family: some(),
            lens: some(),
        }],
        sources: vec![Source {
            name: format!("prompt/{text}"),
            version: text.to_owned(),
            sha256: Hash::new("0"),
        }],
        seed: None,
        past: vec![turn(shape::CREATE), turn(shape::REVIEW)],
        first_round: 2,
        settings: serde_json::Value::Null,
    }
}

/// A run in which everything that others may have said says this.
fn record(text: &str) -> RunRecord {
    let some = || Some(text.to_owned());
    let served = Some(Served { model: some(), request: some(), finish: some() });
    let failed = Failed {
        call: CallId(1),
        at: Time(2_000_000),
        failure: Failure::Transient,
        message: text.to_owned(),
        not_before: None,
        usage: None,
        cost: None,
        served: served.clone(),
        unsent: false,
    };
    let unreadable = Reply::Unreadable { why: text.to_owned(), text: text.to_owned() };
    let replied = Replied {
        call: CallId(2),
        at: Time(5_000_000),
        reply: unreadable,
        usage: None,
        cost: None,
        served,
    };
    let facts = [
        Fact::Opened(opened(text)),
        asked(1, 1_000_000),
        Fact::Failed(failed),
        asked(2, 3_000_000),
        Fact::Replied(replied),
        asked(3, 6_000_000),
        Fact::Interrupted(redraft_loop::Interrupted { at: Time(7_000_000) }),
    ];
    RunRecord::fold(&facts).unwrap()
}

fn solve_record(text: &str) -> Record {
    let (one, all) = (text.to_owned(), vec![text.to_owned()]);
    let candidate = |answer: String| Candidate {
        answer_draft: answer,
        assumptions: all.clone(),
        uncertainty_flags: all.clone(),
    };
    let issue = |role: &str, severity| CritiqueIssue {
        role: role.to_owned(),
        severity,
        description: one.clone(),
        suggested_fix: Some(one.clone()),
    };
    let critique = Critique {
        issues: vec![issue("risk", Weight::Minor), issue(text, Weight::Blocker)],
        constraint_violations: all.clone(),
        missing_roles: Some(all.clone()),
        suggested_fixes: all.clone(),
    };
    Record {
        request: Request {
            prompt: one.clone(),
            constraints: all.clone(),
            output_format: Some(one.clone()),
            context: Some(one.clone().into()),
        },
        normalized_problem: Problem {
            problem_statement: one.clone(),
            constraints: all.clone(),
            output_spec: one.clone(),
            context: one.clone(),
            assumptions: all.clone(),
            known_issues: all.clone(),
        },
        plan: Some(Plan { steps: all.clone() }),
        candidates: vec![candidate(one.clone()), candidate(format!("{one}\nand {one}"))],
        critiques: vec![critique.clone(), critique],
        incidents: vec![Incident { what: one.clone(), capped: true }],
        final_response: Response {
            final_answer: one.clone(),
            assumptions: all.clone(),
            known_issues: all,
            run_id: "0192".to_owned(),
        },
    }
}

/// How often a text that everybody says stands in a page.
fn count(dom: &Dom, text: &str) -> usize {
    dom.text.matches(&dom::shown(text)).count()
}

#[track_caller]
fn check(text: &str) -> (usize, usize, usize) {
    let (record, solve) = (record(text), Own::Solve(Box::new(solve_record(text))));
    let pair = Own::Pair(Box::new(paired::said_everywhere(text)));
    let read = |own| {
        let html = page(&record, own).unwrap();
        let seen = |c: char| {
            !redraft_workflows::is_joiner(c)
                && (!redraft_workflows::is_hidden(c) || c == '\n' || c == '\t')
        };
        assert!(html.chars().all(seen), "the file itself hides nothing");
        let dom = Dom::parse(&html);
        dom.check();
        count(&dom, text)
    };
    (read(None), read(Some(&solve)), read(Some(&pair)))
}

#[test]
fn whatever_anybody_says_is_text_and_stands_word_for_word() {
    let plain = check("plain words");
    for text in HOSTILE {
        let (review, solve, pair) = check(text);
        // A heading is one line, so that a text of several stands in it otherwise.
        let heading = usize::from(text.contains('\n'));
        assert_eq!((review, solve + heading, pair + heading), plain, "{text:?}");
    }
    let (review, solve, pair) = plain;
    let whole = "every text that others give is in the page";
    assert!(review > 15 && solve > 35 && pair > 40, "{whole}: {plain:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_text_becomes_markup(text in "[<>/\"'&;=!a-z\\-\n\r\t \u{202e}\u{200d}\u{0}]{1,60}") {
        check(&text);
    }
}

#[test]
fn a_page_is_known_by_its_run() {
    let (ours, html) = (record("x"), page(&record("x"), None).unwrap());
    assert!(is_page_of(&html, &ours));
    let other = RunRecord { run_id: RunId::new("0193"), ..record("x") };
    assert!(!is_page_of(&html, &other) && !is_page_of("", &ours) && !is_page_of("mine", &ours));
    let quoting = format!("<p>mine</p></head>{html}");
    assert!(!is_page_of(&quoting, &ours), "a file that quotes a page is none");
}

#[test]
fn failed_and_repaired_calls_are_seen_and_an_open_run_says_why_it_rests() {
    let html = page(&record("the reason"), None).unwrap();
    let dom = Dom::parse(&html);
    for told in ["open", "interrupted", "retries call 1", "repairs call 2", "not answered yet"] {
        dom.check_says(told);
    }
    let classes =
        |class: &str| dom.named("rect").filter(|rect| rect.get("class") == Some(class)).count();
    assert_eq!((classes("bad"), classes("unsure"), classes("open")), (1, 1, 1));
}

#[test]
fn the_same_record_gives_the_same_page() {
    let (record, own) = (record("x"), Own::Solve(Box::new(solve_record("x"))));
    assert_eq!(page(&record, Some(&own)).unwrap(), page(&record, Some(&own)).unwrap());
}

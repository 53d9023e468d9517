//! What is disputed and upheld twice waits for a person, however it is written; nothing else does.

use super::{
    play::{Play, fail, files, under_review},
    setting::Setting,
};
use redraft_workflows::gated::Hold;

/// The remarks of a revision and what its reviewer answers.
type Round<'a> = (&'a str, &'a str);

/// A session whose newest review, the last of these, waits at its gate.
fn reviewed(rounds: &[Round<'_>]) -> Play {
    let file = |play: &Play| files("A.java", &format!("class A {{ {} }}", play.facts.len()));
    let mut play = under_review(Setting::small(9), "plan", &files("A.java", "class A {}"));
    let review = fail(&play, "## Issues\n- **R1** (critical) wrong\n- **R2** (major) bad\n");
    play.says(&review);
    for (remarks, answers) in rounds {
        play.let_pass();
        let response = format!("{remarks}\n{}", file(&play));
        play.says(&response).let_pass();
        let review = fail(&play, answers);
        play.says(&review);
    }
    play
}

fn held(rounds: &[Round<'_>]) -> Vec<String> {
    let play = reviewed(rounds);
    match play.session.hold(&play.standing()) {
        Some(Hold::Disputed { ids }) => ids,
        None => vec![],
        other => panic!("{other:?}"),
    }
}

const DISPUTED: &str = "DISPUTED ISSUES\n- R2: it is right as it stands\n";
const UPHELD: &str = "## Disputes\n- R2: upheld, see the schema\n";

#[test]
fn twice_disputed_and_twice_upheld_is_for_a_person() {
    assert_eq!(held(&[(DISPUTED, UPHELD)]), [""; 0], "once");
    assert_eq!(held(&[(DISPUTED, UPHELD), (DISPUTED, UPHELD)]), ["R2"]);
    let quiet = ("I mended R1.", "## Issues\n- **R2** (major) bad\n");
    assert_eq!(held(&[(DISPUTED, UPHELD), quiet, (DISPUTED, UPHELD)]), ["R2"], "one between");
    assert_eq!(held(&[(DISPUTED, UPHELD), (DISPUTED, UPHELD), quiet]), [""; 0], "given in");
}

#[test]
fn only_what_was_disputed_counts_and_only_where_it_is_upheld() {
    let withdrawn = (DISPUTED, "## Disputes\n- R2: withdrawn\n");
    assert_eq!(held(&[(DISPUTED, UPHELD), withdrawn]), [""; 0]);
    assert_eq!(held(&[withdrawn, (DISPUTED, UPHELD)]), [""; 0]);
    let undisputed = ("I mended it all.", UPHELD);
    assert_eq!(held(&[(DISPUTED, UPHELD), undisputed]), [""; 0]);
    assert_eq!(held(&[undisputed, undisputed, undisputed]), [""; 0]);
    let other = ("DISPUTED ISSUES\n- R1: no\n", UPHELD);
    assert_eq!(held(&[(DISPUTED, UPHELD), other]), [""; 0]);
    for answer in
        ["R2: not upheld", "R2: partly upheld", "R2 was upheld", "R22: upheld", "R: upheld"]
    {
        let answer = format!("## Disputes\n{answer}\n");
        assert_eq!(held(&[(DISPUTED, UPHELD), (DISPUTED, &answer)]), [""; 0], "{answer}");
    }
}

#[test]
fn an_answer_is_read_in_every_dress() {
    for answer in [
        "R2: upheld",
        "r2: Upheld.",
        "- R2: upheld, because",
        "* **R2**: upheld",
        "- **R2:** upheld",
        "1. **R2** (major): *upheld* because: see above",
        "- `R2`: `upheld`",
        "R2 upheld",
        "- R2 – upheld: the schema says so",
        "| R2 | upheld | the schema |",
        "R1, R2: upheld",
        "R2 and R1: upheld",
        "R02: upheld",
        "\tR2:upheld\r",
    ] {
        for heading in
            ["## Disputes", "### DISPUTES:", "**Disputes**", "Disputes", "# Disputed issues"]
        {
            let answers = format!("## Issues\n- **R2** (major) bad\n\n{heading}\n\n{answer}\n");
            let held = held(&[(DISPUTED, UPHELD), (DISPUTED, &answers)]);
            assert_eq!(held, ["R2"], "{answers}");
        }
    }
}

#[test]
fn a_dispute_is_read_in_every_dress() {
    for dispute in [
        "DISPUTED ISSUES\n- R2: no",
        "## Disputed issues\n\n* **R2**: no,\n  and again no",
        "**DISPUTED ISSUES:**\n1. R2 (major): no",
        "DISPUTED ISSUES\n- R1, R2: no",
    ] {
        assert_eq!(held(&[(dispute, UPHELD), (dispute, UPHELD)]), ["R2"], "{dispute}");
    }
    for none in ["R2: I dispute this", "DISPUTED ISSUES\n- none", "DISPUTED ISSUES\nnothing"] {
        assert_eq!(held(&[(none, UPHELD), (none, UPHELD)]), [""; 0], "{none}");
    }
}

/// The code under review, or a careless quotation of it, asks for nobody.
#[test]
fn what_a_review_quotes_above_its_answers_upholds_nothing() {
    let quoting = [
        "## Issues\n- **R2** (major): see\n```java\n// R2: upheld\nR2: upheld\n```\n",
        "## Issues\nR2: upheld\n\n## Disputes\n- R2: withdrawn\n",
        "The disputes were these.\nR2: upheld\n",
        "## Disputes\n> R2: upheld\n\n- R2: withdrawn\n",
        "## Disputes settled\nR2: upheld\n",
    ];
    for answers in quoting {
        assert_eq!(held(&[(DISPUTED, UPHELD), (DISPUTED, answers)]), [""; 0], "{answers}");
        assert_eq!(held(&[(DISPUTED, answers), (DISPUTED, UPHELD)]), [""; 0], "{answers}");
    }
}

/// A hold that was due is not talked away by what is quoted beside it.
#[test]
fn nothing_that_is_quoted_hides_what_is_upheld() {
    for answers in [
        "## Disputes\n```java\n// R2: withdrawn\n# Summary\n```\n- R2: upheld\n",
        "## Disputes\n- R1: withdrawn\n```\nan open fence\n\nR2: upheld\n",
        "## Disputes\n# Summary\n- R2: withdrawn\n- R2: upheld\n",
        "Disputes:\n## Disputes\n## Issues\n- R2: upheld\n",
    ] {
        let held = held(&[(DISPUTED, UPHELD), (DISPUTED, answers)]);
        assert_eq!(held, ["R2"], "{answers}");
    }
}

#[test]
fn a_person_who_approves_or_edits_the_review_ends_the_wait() {
    let mut play = reviewed(&[(DISPUTED, UPHELD), (DISPUTED, UPHELD)]);
    let hold = play.session.hold(&play.standing()).unwrap();
    assert!(hold.to_string().starts_with("R2 was disputed twice"), "{hold}");
    let mut standing = play.standing();
    standing.response = Some(fail(&play, "## Disputes\n- R2: withdrawn by me\n"));
    let hold = play.session.hold(&standing);
    assert!(matches!(hold, Some(Hold::Edited { .. })), "what was edited is for a person: {hold:?}");
    play.approve();
    assert_eq!(play.session.hold(&play.standing()), None, "approved");
}

#[test]
fn a_review_that_asks_for_more_than_there_may_be_waits_even_when_approved() {
    let mut play = reviewed(&[]);
    play.allows(1);
    let hold = Some(Hold::LastIteration { last: 1 });
    assert_eq!(play.session.hold(&play.standing()), hold);
    play.approve();
    assert_eq!(play.session.hold(&play.standing()), hold);
    let mut gone = play.standing();
    gone.response = None;
    assert_eq!(play.session.hold(&gone), hold, "what was approved is what counts");
    play.allows(2);
    assert_eq!(play.session.hold(&play.standing()), None);
}

#[test]
fn a_review_that_nobody_can_read_waits_until_it_is_mended() {
    let setting = Setting { by_hand: true, ..Setting::small(3) };
    let mut play = under_review(setting, "plan", &files("A.java", "class A {}"));
    play.says("Looks good to me.");
    assert_eq!(play.session.hold(&play.standing()), Some(Hold::Malformed));
    assert!(play.session.malformed().unwrap().contains("no review block"));
    assert_eq!(play.session.last_error.as_deref(), play.session.malformed());
    let mut standing = play.standing();
    standing.response = Some(fail(&play, ""));
    let hold = play.session.hold(&standing);
    assert!(matches!(hold, Some(Hold::Edited { .. })), "{hold:?}");
    standing.response = None;
    assert_eq!(play.session.hold(&standing), Some(Hold::Malformed));
}

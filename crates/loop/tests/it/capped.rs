//! Steps that go on where a cap forbids their call: the workflow plays them, and the run still ends.

use crate::play::Stage;
use crate::shapes::{review, step};
use redraft_loop::*;

/// What the run asks its workflow to play, if that is what it wants.
fn wanted(stage: &Stage) -> Option<Play> {
    if let Action::Play(play) = stage.run.next() { Some(play) } else { None }
}

fn capped(calls: u32) -> Stage {
    let mut shape = review(3);
    shape.limits.calls = Some(calls);
    shape.opening = vec![Step { capped: Failing::Workflow, ..step("first") }];
    Stage::open(&shape)
}

#[test]
fn a_step_that_may_not_be_asked_is_played_instead_and_says_which_cap() {
    let stage = capped(0);
    let play = wanted(&stage).unwrap();
    let (seat, why) = play.instead.unwrap();
    assert_eq!((seat, stage.run.cap_reached()), (0, Some(why)));
    assert_eq!(play.reply, None);
}

#[test]
fn a_cap_that_others_share_holds_up_nothing_that_the_workflow_plays() {
    let mut stage = capped(100);
    let at = stage.now();
    stage.give(Input::Cap(CapReached { cap: "the home's".into(), at })).unwrap();
    assert_eq!(wanted(&stage).unwrap().instead, Some((0, "the home's".into())));
    let mut stops = Stage::open(&review(3));
    stops.give(Input::Cap(CapReached { cap: "the home's".into(), at })).unwrap();
    assert_eq!(stops.run.next(), Action::Stop(Stop::Cap("the home's".into())), "others stop");
}

#[test]
fn what_nobody_could_read_is_handed_to_the_workflow_that_stands_in() {
    let mut stage = capped(1);
    stage.prepare();
    let reply = Reply::Unreadable { why: "no words".into(), text: "well".into() };
    stage.reply("first", reply).unwrap();
    assert_eq!(wanted(&stage).unwrap().reply.as_deref(), Some("well"));
}

//! Any edit of any one row is found, whatever it is.

use crate::stage::{Stage, block_on, small_journal};
use proptest::prelude::*;
use std::sync::OnceLock;

fn pristine() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| std::fs::read(block_on(small_journal()).database()).unwrap())
}

fn edits() -> impl Strategy<Value = String> {
    let number = prop_oneof![Just(0_i64), 1..9_i64, Just(i64::MAX), Just(-1)];
    let text = "[a-z ]{0,12}";
    let row = (1..4_i64, 1..5_i64, 1..8_i64);
    let column = prop_oneof![
        (Just("facts"), prop_oneof![Just("seq"), Just("epoch"), Just("version"), Just("stream")]),
        (Just("commits"), prop_oneof![Just("n"), Just("seq"), Just("stream")]),
        (Just("heads"), prop_oneof![Just("seq"), Just("epoch"), Just("stream")]),
        (Just("streams"), prop_oneof![Just("key"), Just("opened_at")]),
    ];
    let texts = prop_oneof![
        (Just("facts"), prop_oneof![Just("body")]),
        (
            Just("streams"),
            prop_oneof![Just("id"), Just("kind"), Just("workspace"), Just("subject")]
        ),
    ];
    let blobs = prop_oneof![
        (Just("facts"), prop_oneof![Just("hash")]),
        (Just("commits"), prop_oneof![Just("head"), Just("chain")]),
        (Just("heads"), prop_oneof![Just("hash")]),
    ];
    let value = prop_oneof![
        (column, number.prop_map(|n| n.to_string())),
        (texts, text.prop_map(|t| format!("'{t}'"))),
        (blobs, any::<[u8; 4]>().prop_map(|b| format!("randomblob({})", b[0]))),
    ];
    (row, value).prop_map(|((stream, seq, n), ((table, column), value))| {
        let row = match table {
            "facts" => format!("stream = {stream} AND seq = {seq}"),
            "commits" => format!("n = {n}"),
            "heads" => format!("stream = {stream}"),
            _ => format!("key = {stream}"),
        };
        format!("UPDATE OR IGNORE {table} SET {column} = {value} WHERE {row}")
    })
}

fn dump(stage: &Stage) -> Vec<String> {
    crate::sweep::rows(&stage.database()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_edit_of_any_one_row_is_found(sql in edits()) {
        let stage = Stage::new();
        std::fs::write(stage.database(), pristine()).unwrap();
        let before = dump(&stage);
        stage.edit(&sql);
        let changed = dump(&stage) != before;
        prop_assert_eq!(!stage.findings().is_empty(), changed, "{}", sql);
    }
}

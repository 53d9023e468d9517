//! Whatever a file holds, it is read, and one statement does not reach another's table.

use super::*;

#[test]
fn no_expression_is_too_long_or_too_deep_to_be_survived() {
    for check in [
        format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("1{}", "+1".repeat(70)),
        format!("1{}", "+1".repeat(200_000)),
        format!("{}1", "NOT ".repeat(70)),
        format!("{}1{}", "(".repeat(35), ")".repeat(35)),
        format!("a IN (1{})", ", 1".repeat(20_000)),
    ] {
        let ddl = read(&format!("CREATE TABLE t (a int CHECK ({check}), b int);"));
        assert_eq!(ddl.tables[0].columns.len(), 2);
    }
}

/// Words of SQL in any order, as a file that went wrong may have them.
const WORDS: [&str; 48] = [
    "CREATE TABLE",
    "ALTER TABLE",
    "CREATE INDEX",
    "CREATE TYPE",
    "COMMENT ON COLUMN",
    "ADD",
    "DROP",
    "RENAME",
    "COLUMN",
    "CONSTRAINT",
    "PRIMARY KEY",
    "UNIQUE",
    "FOREIGN KEY",
    "REFERENCES",
    "CHECK",
    "EXCLUDE",
    "LIKE",
    "PARTITION BY",
    "PARTITION OF",
    "INHERITS",
    "AS ENUM",
    "AS IDENTITY",
    "GENERATED ALWAYS",
    "DEFAULT",
    "NOT NULL",
    "SET NULL",
    "ON",
    "TO",
    "IS",
    "USING",
    "WITH",
    "t",
    "a",
    "b.c",
    "\"x y\"",
    "int",
    "numeric(1,2)",
    "'s'",
    "$$q$$",
    "E'\\''",
    "(",
    "(",
    ")",
    ")",
    ",",
    ";",
    ".",
    "-- c\n",
];

proptest::proptest! {
    #[test]
    fn no_text_makes_reading_fail(text in "[a-zA-Z0-9 ();,'\"$\\\\.*/:\n-]{0,200}") {
        let whole = format!("CREATE TABLE t (a int);\n{text}");
        proptest::prop_assert!(read(&whole).tables.len() <= 60);
        read(&text);
    }

    #[test]
    fn no_order_of_words_reaches_another_table(
        words in proptest::collection::vec(proptest::sample::select(&WORDS[..]), 0..60)
    ) {
        let kept = "CREATE TABLE kept (a int NOT NULL, UNIQUE (a));";
        let ddl = read(&format!("{kept}\n{}", words.join(" ")));
        let table = ddl.table("kept").unwrap();
        proptest::prop_assert_eq!(table, &read(kept).tables[0]);
        proptest::prop_assert!(ddl.warnings.iter().all(|warning| warning.line >= 2));
        proptest::prop_assert!(ddl.tables.iter().all(|table| !table.markdown().is_empty()));
    }
}

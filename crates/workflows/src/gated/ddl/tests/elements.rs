//! Columns and constraints as dumps and migrations have them.

use super::*;

/// An element, and how it is shown with its keys and rules.
const ELEMENTS: &[(&str, &str)] = &[
    (
        "a character varying(255) DEFAULT 'x'::character varying NOT NULL",
        "a CHARACTER VARYING(255) not null default 'x'::CHARACTER VARYING",
    ),
    (
        "a timestamp(6) without time zone DEFAULT CURRENT_TIMESTAMP",
        "a TIMESTAMP(6) WITHOUT TIME ZONE default CURRENT_TIMESTAMP",
    ),
    ("a app.\"My Type\"[] NOT NULL", "a app.\"My Type\"[] not null"),
    ("a public.citext NOT NULL NO INHERIT", "a public.citext not null"),
    ("a geometry(Point,4326)", "a geometry(Point, 4326)"),
    ("storage text STORAGE EXTERNAL COMPRESSION lz4 NOT NULL", "storage TEXT not null"),
    ("a int GENERATED ALWAYS AS (b * 2) VIRTUAL", "a INT generated ALWAYS AS (b * 2)"),
    (
        "a bigint DEFAULT nextval('public.t_id_seq'::regclass) NOT NULL",
        "a BIGINT not null default nextval('public.t_id_seq'::REGCLASS)",
    ),
    ("a int UNIQUE NULLS NOT DISTINCT", "a INT; unique (a) NULLS NOT DISTINCT"),
    ("a int UNIQUE DEFERRABLE", "a INT; unique (a) DEFERRABLE"),
    (
        "a int REFERENCES u ON DELETE SET NULL ON UPDATE CASCADE",
        "a INT; (a) to u ON DELETE SET NULL ON UPDATE CASCADE",
    ),
    (
        "a text CONSTRAINT st CHECK (((a)::text = ANY ((ARRAY['x'::text])::text[])))",
        "a TEXT; check ((a)::TEXT = ANY((ARRAY['x'::TEXT])::TEXT[]))",
    ),
    ("type text, order int, key uuid, index date", "type TEXT; order INT; key UUID; index DATE"),
    ("a int, CONSTRAINT x NOT NULL a", "a INT not null"),
    (
        "PRIMARY KEY (a) WITH (fillfactor='70') USING INDEX TABLESPACE fast, a int",
        "a INT not null; key (a)",
    ),
    (
        "a int, FOREIGN KEY (t, a) REFERENCES s.u(t, b) MATCH FULL ON DELETE SET NULL (a)",
        "a INT; (t, a) to s.u MATCH FULL ON DELETE SET NULL of (a)",
    ),
    ("a int, CHECK (a > 0) NO INHERIT", "a INT; check a > 0"),
    (
        "a int, EXCLUDE USING gist (a WITH =, tsrange(b, c) WITH &&) WHERE (NOT d)",
        "a INT; EXCLUDE USING gist (a WITH =, tsrange(b, c) WITH &&) WHERE (NOT d)",
    ),
];

#[test]
fn elements_of_every_kind_are_understood() {
    for (element, expected) in ELEMENTS {
        let table = clean(&format!("CREATE TABLE t ({element});"));
        let key = |word: &str, key: &Key| {
            format!("{word} ({}) {}", Table::listed(&key.columns), key.detail)
        };
        let foreign = |key: &ForeignKey| {
            format!("({}) to {} {}", Table::listed(&key.columns), key.table, key.detail)
        };
        let mut all = shown(&table);
        all.extend(table.primary_key.iter().map(|it| key("key", it)));
        all.extend(table.uniques.iter().map(|it| key("unique", it)));
        all.extend(table.foreign_keys.iter().map(foreign));
        all.extend(table.checks.iter().map(|check| format!("check {}", check.condition)));
        all.extend(table.others.clone());
        let all: Vec<&str> = all.iter().map(|line| line.trim_end()).collect();
        assert_eq!(all.join("; "), *expected);
    }
}

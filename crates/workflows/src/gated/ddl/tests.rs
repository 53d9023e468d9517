//! What is read of DDL as people and pg_dump write it.

mod any_text;
mod elements;

use super::*;

fn read(text: &str) -> Ddl {
    Ddl::read("schema.sql", text)
}

/// The only table of the text, without a warning.
#[track_caller]
fn clean(text: &str) -> Table {
    let ddl = read(text);
    assert_eq!(ddl.warnings, []);
    assert_eq!(ddl.tables.len(), 1);
    ddl.tables[0].clone()
}

/// `name type [not null] [default …] [generated …]` of every column.
fn shown(table: &Table) -> Vec<String> {
    let column = |it: &Column| {
        let null = if it.nullable { "" } else { " not null" };
        let default = it.default.iter().map(|value| format!(" default {value}"));
        let generated = it.generated.iter().map(|how| format!(" generated {how}"));
        let more: String = default.chain(generated).collect();
        format!("{} {}{null}{more}", it.name, it.data_type)
    };
    table.columns.iter().map(column).collect()
}

const ORDERS: &str = "
-- Orders of all tenants.
CREATE TABLE IF NOT EXISTS sales.orders (
    tenant_id   uuid NOT NULL,
    id          bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000 INCREMENT BY 50),
    customer_id bigint NOT NULL,
    number      varchar(32) COLLATE \"C\" NOT NULL,
    total       numeric(12, 2) NOT NULL DEFAULT 0 CHECK (total >= 0),
    \"State\"     order_state DEFAULT 'open'::order_state NOT NULL,
    tags        text[] DEFAULT '{}'::text[],
    details     jsonb,
    net         numeric(12,2) GENERATED ALWAYS AS (total / 1.19) STORED,
    created_at  timestamp with time zone NOT NULL DEFAULT now(),
    version     integer DEFAULT 0 NOT NULL,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT orders_number_key UNIQUE NULLS NOT DISTINCT (tenant_id, number),
    CONSTRAINT orders_customer_fkey FOREIGN KEY (tenant_id, customer_id)
        REFERENCES sales.customers (tenant_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    CHECK (created_at > '2000-01-01')
) PARTITION BY HASH (tenant_id) WITH (fillfactor = 70);
CREATE TYPE order_state AS ENUM ('open', 'paid');
CREATE UNIQUE INDEX CONCURRENTLY orders_open ON sales.orders USING btree (tenant_id, lower(number) DESC) INCLUDE (total) WHERE \"State\" = 'open';
CREATE INDEX ON sales.orders USING gin (details jsonb_path_ops);
COMMENT ON TABLE sales.orders IS 'What customers''ve ordered';
COMMENT ON COLUMN sales.orders.number IS 'as printed | on paper';
ALTER TABLE sales.orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY by_tenant ON sales.orders USING (tenant_id = current_setting('app.tenant')::uuid);
";

#[test]
fn a_table_is_read_with_all_that_is_said_about_it() {
    let table = clean(ORDERS);
    assert_eq!(
        shown(&table),
        [
            "tenant_id UUID not null",
            "id BIGINT not null generated ALWAYS AS IDENTITY",
            "customer_id BIGINT not null",
            "number VARCHAR(32) COLLATE \"C\" not null",
            "total NUMERIC(12,2) not null default 0",
            "State order_state not null default 'open'::order_state",
            "tags TEXT[] default '{}'::TEXT[]",
            "details JSONB",
            "net NUMERIC(12,2) generated ALWAYS AS (total / 1.19)",
            "created_at TIMESTAMP WITH TIME ZONE not null default now()",
            "version INTEGER not null default 0",
        ]
    );
    assert_eq!((table.line, table.columns[0].line, table.columns[10].line), (3, 4, 14));
    assert_eq!(table.primary_key.as_ref().unwrap().columns, ["tenant_id", "id"]);
    assert_eq!(table.uniques[0].detail, "NULLS NOT DISTINCT");
    assert_eq!(table.foreign_keys[0].table.to_string(), "sales.customers");
    assert_eq!(table.foreign_keys[0].detail, "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED");
    assert_eq!(table.checks.len(), 2);
    assert_eq!(table.indexes.len(), 2);
    assert_eq!(table.columns[5].labels, ["open", "paid"]);
    assert_eq!(table.partitioned_by.as_deref(), Some("HASH (tenant_id)"));
    assert!(table.row_security && table.policies[0].contains("by_tenant"));
    assert_eq!(table.comment.as_deref(), Some("What customers've ordered"));
}

#[test]
fn the_text_of_a_prompt_has_a_row_for_every_column_and_all_keys() {
    let text = clean(ORDERS).markdown();
    assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 11 + 2);
    for told in [
        "| \"State\" | order_state | no | 'open'::order_state | one of open, paid |",
        "as printed \\| on paper",
        "- (tenant_id, id)",
        "- orders_customer_fkey: (tenant_id, customer_id) references sales.customers (tenant_id, id) ON DELETE CASCADE",
        "- orders_open: unique USING btree (tenant_id, lower(number) DESC) INCLUDE (total) WHERE \"State\" = 'open'",
        "Row-level security:\n- enabled\n- CREATE POLICY by_tenant",
        "Partitioned by:\n- HASH (tenant_id)",
    ] {
        assert!(text.contains(told), "{told}\n{text}");
    }
}

#[test]
fn what_a_dump_adds_later_belongs_to_its_table() {
    let table = clean(
        "\\restrict abc\nSET search_path = '';\nSELECT pg_catalog.set_config('search_path', '', false);\n\
         CREATE TABLE public.t (\n    id bigint NOT NULL,\n    a text\n);\n\
         ALTER TABLE public.t OWNER TO postgres;\n\
         ALTER TABLE public.t ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (\n    SEQUENCE NAME public.t_id_seq\n    START WITH 1\n);\n\
         COPY public.t (id, a) FROM stdin;\n1\tit's; CREATE TABLE x (y int);\n\\.\n\
         ALTER TABLE ONLY public.t\n    ADD CONSTRAINT t_pkey PRIMARY KEY (id);\n\
         ALTER TABLE ONLY public.t ADD CONSTRAINT t_fk FOREIGN KEY (a) REFERENCES public.u(a) NOT VALID;\n",
    );
    assert_eq!(shown(&table), ["id BIGINT not null generated BY DEFAULT AS IDENTITY", "a TEXT"]);
    assert_eq!(table.primary_key.unwrap().name.as_deref(), Some("t_pkey"));
    assert_eq!(table.foreign_keys[0].referred, ["a"]);
}

#[test]
fn a_history_of_migrations_ends_in_the_table_as_it_is_now() {
    let table = clean(
        "CREATE TABLE old (id serial PRIMARY KEY, a int, b text UNIQUE, c int CONSTRAINT c_ok CHECK (c > 0));\n\
         ALTER TABLE old ADD COLUMN IF NOT EXISTS a int, ADD d date NOT NULL DEFAULT CURRENT_DATE;\n\
         ALTER TABLE old DROP COLUMN b, ALTER a TYPE bigint USING a::bigint, ALTER COLUMN a SET NOT NULL;\n\
         ALTER TABLE old RENAME COLUMN d TO day;\nALTER TABLE old DROP CONSTRAINT c_ok;\n\
         ALTER TABLE old RENAME TO now;\nALTER TABLE now SET SCHEMA app;\n\
         ALTER TABLE app.now ALTER c SET DEFAULT 5, ALTER day DROP DEFAULT;\nDROP TABLE IF EXISTS gone;",
    );
    assert_eq!(table.name.to_string(), "app.now");
    assert_eq!(
        shown(&table),
        [
            "id serial not null generated from a sequence of its own",
            "a BIGINT not null",
            "c INT default 5",
            "day DATE not null"
        ]
    );
    assert_eq!((table.uniques.len(), table.checks.len()), (0, 0));
}

#[test]
fn what_is_dropped_or_renamed_takes_along_what_rests_on_it() {
    let ddl = read(
        "CREATE TABLE a (id int PRIMARY KEY, x int UNIQUE, y int CHECK (y > 0), z int);\n\
         CREATE TABLE b (a_id int REFERENCES a);\nCREATE TABLE IF NOT EXISTS a (other int);\n\
         CREATE INDEX i ON a (x, lower(z)) WHERE z > 0;\nCREATE INDEX j ON a (y);\nCREATE INDEX k ON a (x);\n\
         CREATE TYPE mood AS ENUM ('low', 'high');\nALTER TYPE mood ADD VALUE IF NOT EXISTS 'mid' AFTER 'low';\n\
         ALTER TABLE b ADD m mood;\n\
         ALTER TABLE a RENAME z TO w;\nALTER TABLE a DROP CONSTRAINT a_x_key, DROP COLUMN y;\n\
         ALTER TABLE b DROP CONSTRAINT nowhere, ADD CONSTRAINT odd EXCLUDE (m WITH =), ADD CHECK (a_id > 0), ADD CHECK (a_id < 9 OR m = 'low');\n\
         ALTER TABLE b DROP CONSTRAINT odd, DROP CONSTRAINT b_a_id_check, DROP CONSTRAINT b_check;\nALTER TABLE a RENAME TO c;\nDROP INDEX IF EXISTS k;\nDROP VIEW v;",
    );
    let (c, b) = (ddl.table("c").unwrap(), ddl.table("b").unwrap());
    assert_eq!(c.columns.iter().map(|it| &*it.name).collect::<Vec<_>>(), ["id", "x", "w"]);
    assert_eq!((c.uniques.len(), c.checks.len(), c.indexes.len()), (0, 0, 1));
    assert_eq!(c.indexes[0].definition, "(x, lower(w)) WHERE w > 0");
    assert_eq!(b.foreign_keys[0].table.to_string(), "c");
    assert_eq!((b.checks.len(), b.others.len()), (0, 0));
    assert_eq!(b.columns[1].labels, ["low", "mid", "high"]);
    let told: Vec<_> = ddl.warnings.iter().map(|it| (it.line, &*it.message)).collect();
    assert_eq!(told, [(12, "there is no constraint nowhere to drop")]);
}

#[test]
fn a_name_is_found_as_postgresql_finds_it() {
    let ddl = read(
        "CREATE TABLE Orders (a int); CREATE TABLE app.\"Order Items\" (a int);\n\
         CREATE TABLE a.twin (a int); CREATE TABLE b.twin (a int);\n\
         SET search_path TO shop, public; CREATE TABLE goods (\"Net Price\" int, \"user\" text);",
    );
    for (name, found) in [
        ("ORDERS", "orders"),
        ("public.orders", "orders"),
        ("\"Order Items\"", "app.\"Order Items\""),
        ("goods", "shop.goods"),
        ("shop.Goods", "shop.goods"),
        ("b.twin", "b.twin"),
    ] {
        assert_eq!(ddl.table(name).unwrap().name.to_string(), found);
    }
    let goods = ddl.table("goods").unwrap();
    assert!(goods.column("\"Net Price\"").is_some() && goods.column("USER").is_some());
    for (name, message) in [
        ("order", "schema.sql: there is no table \"order\"; there are orders (line 1), "),
        ("\"Orders\"", "schema.sql: there is no table \"Orders\"; there are orders (line 1)"),
        ("app.orders", "schema.sql: there is no table app.orders; "),
        ("twin", "schema.sql: twin is in more than one schema: a.twin (line 2), b.twin (line 2); "),
        ("a b", "\"a b\" is no name of a table"),
    ] {
        let told = ddl.table(name).unwrap_err().to_string();
        let expected = message.replace("\"order\"", "order");
        assert!(told.starts_with(&expected), "{told}");
    }
    let told = ddl.column(goods, "price").unwrap_err().to_string();
    assert_eq!(
        told,
        "schema.sql:3: table shop.goods has no column \"price\"; it has \"Net Price\", \"user\""
            .replace("\"user\"", "user")
    );
}

#[test]
fn what_is_not_understood_is_told_with_its_line_and_costs_nothing_else() {
    let ddl = read(
        "CREATE EXTENSION citext;\n\
         CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN; RETURN NEW; END $$;\n\
         CREATE TABLE t (\n  a int,\n  b frobnicated ??? 3 NOT NULL,\n  CONSTRAINT odd EXCLUDE USING gist (a WITH =, during WITH &&),\n\
         FOREIGN KEY (tenant, PERIOD a) REFERENCES u (tenant, PERIOD a),\n  c text\n);\n\
         CREATE TRIGGER x BEFORE INSERT ON t EXECUTE FUNCTION f();\n\
         ALTER TABLE nowhere ADD a int;\nCREATE INDEX i ON nowhere (a);\n\
         ALTER TABLE t FROB;",
    );
    let table = ddl.table("t").unwrap();
    assert_eq!(table.columns.len(), 3);
    assert!(!table.columns[1].nullable);
    assert_eq!(table.others.len(), 2, "{:?}", table.others);
    let told: Vec<(usize, &str)> =
        ddl.warnings.iter().map(|it| (it.line, it.message.as_str())).collect();
    assert_eq!(told[0], (1, "CREATE EXTENSION is not read"));
    assert_eq!(told[1], (2, "CREATE FUNCTION is not read"));
    assert_eq!(told[2].0, 5);
    assert!(told[2].1.starts_with("column b: "), "{told:?}");
    assert!(told.contains(&(11, "there is no table nowhere to alter")), "{told:?}");
    assert!(told.contains(&(12, "an index on nowhere, which is not there")), "{told:?}");
    assert!(told.contains(&(13, "the change `FROB` is not understood")), "{told:?}");
    assert!(ddl.warnings_about(table).count() >= 2);
}

#[test]
fn a_table_takes_columns_from_parents_and_models() {
    let ddl = read(
        "CREATE TABLE base (tenant_id int NOT NULL, id int);\n\
         CREATE TABLE child (id bigint, more text) INHERITS (base);\n\
         CREATE TABLE part PARTITION OF base FOR VALUES WITH (MODULUS 4, REMAINDER 0);\n\
         CREATE UNLOGGED TABLE copy (LIKE base INCLUDING ALL, note text);\n\
         CREATE TABLE lost (LIKE unknown);\nCREATE TABLE made AS SELECT 1;",
    );
    let names = |table: &str| {
        let table = ddl.table(table).unwrap();
        table.columns.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("child"), "tenant_id id more");
    assert_eq!(names("part"), "tenant_id id");
    assert_eq!(names("copy"), "tenant_id id note");
    let lines: Vec<usize> = ddl.warnings.iter().map(|it| it.line).collect();
    assert_eq!(lines, [5, 6]);
}

#[test]
fn only_what_may_hide_a_table_is_told_when_one_is_missing() {
    let ddl = read("CREATE EXTENSION citext;\nCREATE TABLE a (b int);");
    assert_eq!(ddl.warnings[0].kind, WarningKind::Skipped);
    let told = ddl.table("c").unwrap_err().to_string();
    assert_eq!(told, "schema.sql: there is no table c; there are a (line 2)");
}

#[test]
fn a_file_that_breaks_off_says_where() {
    let ddl = read("CREATE TABLE a (b int);\nCREATE TABLE c (d text DEFAULT 'x);\n");
    assert_eq!(ddl.tables.len(), 1);
    assert_eq!(ddl.warnings[0].line, 2);
    let told = ddl.table("c").unwrap_err().to_string();
    assert!(told.contains("there are a (line 1); not understood: line 2, a quotation"), "{told}");
    assert!(read("").table("c").unwrap_err().to_string().ends_with("it declares no table"));
}

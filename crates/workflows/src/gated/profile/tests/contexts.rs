//! What a session's context may say.

use super::*;

fn refused(values: &[(&str, &str)]) -> String {
    let profile = Profile::read(&built_in("jpa-mt").unwrap()).unwrap();
    let mut all = vec![
        ("scope", "domain"),
        ("entity", "Order"),
        ("table", "orders"),
        ("bounded_context", "sales"),
        ("schema_file", "db/schema.sql"),
    ];
    for (key, value) in values {
        all.retain(|(other, _)| other != key);
        if !value.is_empty() {
            all.push((key, value));
        }
    }
    profile.context(&given(&all)).err().map_or(String::new(), |error| error.to_string())
}

#[test]
fn good_values_are_taken_and_defaults_added() {
    let profile = Profile::read(&built_in("jpa-mt").unwrap()).unwrap();
    let values = given(&[
        ("scope", "api"),
        ("entity", "Bestellung"),
        ("table", "sales.\"Order Items\""),
        ("bounded_context", "order-management"),
        ("schema_file", "db/my schema.sql"),
    ]);
    let context = profile.context(&values).unwrap();
    assert_eq!(context.get("tenant_column"), Some("tenant_id"));
    assert_eq!(context.get("base_package"), Some("com.example"));
    assert_eq!(context.iter().count(), 7);
}

#[test]
fn every_missing_key_is_named_with_its_help() {
    assert_eq!(
        refused(&[("entity", ""), ("table", "")]),
        "profile jpa-mt needs entity (the class of a row, such as Order), table (the table, such as sales.orders)"
    );
}

#[test]
fn a_key_or_value_that_does_not_fit_is_told_with_what_would() {
    for (key, value, told) in [
        ("entitty", "x", "profile jpa-mt has no key \"entitty\"; it has scope, entity, table, "),
        ("scope", "web", "scope: \"web\" is none of domain, service, api"),
        ("scope", "Domain", "scope: \"Domain\" is none of "),
        ("entity", "Order Item", "entity: \"Order Item\" has to be one word"),
        ("entity", "Order\n# New", "entity: \"Order\\n# New\" has to be one word"),
        ("entity", "{{x}}", "entity: \"{{x}}\" has to be one word"),
        ("table", "orders; drop", "table: \"orders; drop\" has to be a table"),
        ("table", "\"a\nb\"", "table: \"\\\"a\\nb\\\"\" has to be a table"),
        ("table", "\"{{x}}\"", "table: \"\\\"{{x}}\\\"\" has to be a table"),
        ("tenant_column", "a.b", "tenant_column: \"a.b\" has to be a column"),
        ("bounded_context", "a..b", "bounded_context: \"a..b\" has to be words"),
        ("schema_file", "a\nb", "schema_file: \"a\\nb\" has to be the path"),
    ] {
        let error = refused(&[(key, value)]);
        assert!(error.starts_with(told), "{error}");
    }
    assert!(refused(&[("entity", &"a".repeat(129))]).ends_with("has more than 128 characters"));
}

const DDL: &str = "CREATE TABLE sales.orders (\n  tenant_id uuid NOT NULL,\n  id bigint,\n  owner_id int,\n  PRIMARY KEY (tenant_id, id)\n);\n";

fn table_of(table: &str, tenant: &str) -> Result<String, String> {
    let profile = Profile::read(&built_in("jpa-mt").unwrap()).unwrap();
    let values = given(&[
        ("scope", "domain"),
        ("entity", "Order"),
        ("table", table),
        ("bounded_context", "sales"),
        ("schema_file", "schema.sql"),
        ("tenant_column", tenant),
    ]);
    let context = profile.context(&values).unwrap();
    let ddl = Ddl::read("schema.sql", DDL);
    let found = profile.table(&context, &ddl);
    found.map(|it| it.unwrap().name.to_string()).map_err(|error| error.to_string())
}

#[test]
fn the_table_and_its_tenant_column_have_to_be_in_the_schema_file() {
    assert_eq!(table_of("Orders", "TENANT_ID"), Ok("sales.orders".to_owned()));
    for (table, tenant, told) in [
        (
            "order",
            "tenant_id",
            "schema.sql: there is no table order; there are sales.orders (line 1)",
        ),
        (
            "orders",
            "mandant",
            "schema.sql:1: table sales.orders has no column \"mandant\"; it has tenant_id, id, owner_id",
        ),
        (
            "orders",
            "owner_id",
            "schema.sql:4: column owner_id of table sales.orders may be null; declare it NOT NULL",
        ),
    ] {
        assert_eq!(table_of(table, tenant), Err(told.to_owned()));
    }
}

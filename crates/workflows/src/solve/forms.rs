//! The forms of a planner's, a generator's and a critic's reply, made from their types; see `schemas/solve`.
//!
//! Absent here: how replies are read.

use crate::reply::Form;
use std::sync::LazyLock;

macro_rules! form {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub(super) fn $name() -> &'static Form {
            static FORM: LazyLock<Form> = LazyLock::new(|| {
                Form::new(
                    stringify!($name),
                    include_str!(concat!("../../schemas/solve/", stringify!($name), ".accepted.json")),
                    include_str!(concat!("../../schemas/solve/", stringify!($name), ".asked.json")),
                )
            });
            &FORM
        }
    };
}

form!(
    /// The form of a plan.
    plan
);
form!(
    /// The form of a draft.
    candidate
);
form!(
    /// The form of a critique.
    critique
);

#[cfg(test)]
mod tests {
    use crate::solve::{Candidate, Critique, Plan};
    use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
    use serde_json::{Value, json};
    use std::{fs, path::PathBuf};

    fn accepted<T: JsonSchema>() -> Value {
        let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
        let schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
        serde_json::to_value(schema).unwrap()
    }

    /// What models are asked for: every field, so that providers can hold them to it.
    fn asked(mut schema: Value) -> Value {
        demand_all(&mut schema);
        schema
    }

    fn demand_all(schema: &mut Value) {
        // Providers know lists of values, not choices between constants.
        let constants =
            |choices: &Vec<Value>| choices.iter().map(|one| one.get("const").cloned()).collect();
        let constants: Option<Vec<Value>> =
            schema.get("oneOf").and_then(Value::as_array).and_then(constants);
        if let Some(constants) = constants {
            schema["enum"] = json!(constants);
            schema["type"] = json!("string");
            schema.as_object_mut().unwrap().remove("oneOf");
        }
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            let names: Vec<&String> = properties.keys().collect();
            schema["required"] = json!(names);
        }
        match schema {
            Value::Object(fields) => {
                fields.remove("default");
                fields.values_mut().for_each(demand_all);
            }
            Value::Array(items) => items.iter_mut().for_each(demand_all),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// With `UPDATE_SCHEMAS` set the files are written anew.
    fn check(name: &str, schema: &Value) {
        let path = format!("{}/schemas/solve/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let path = PathBuf::from(path);
        let text = format!("{}\n", serde_json::to_string_pretty(schema).unwrap());
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            text,
            "{name}: set UPDATE_SCHEMAS=1 to write it"
        );
    }

    #[test]
    fn the_published_schemas_are_those_of_the_types() {
        for (name, schema) in [
            ("plan", accepted::<Plan>()),
            ("candidate", accepted::<Candidate>()),
            ("critique", accepted::<Critique>()),
        ] {
            check(&format!("{name}.accepted"), &schema);
            check(&format!("{name}.asked"), &asked(schema));
        }
    }
}

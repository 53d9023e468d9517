//! JSON in which no object names a key twice: which of the two counts would depend on the reader.
//!
//! Invariant: a document that is refused here is refused with the JSON pointer of its first mistake.
//! Absent here: what the keys mean. Depth is bounded by the parser: 127 levels.

use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::{Map, Number, Value};
use std::{cell::RefCell, fmt};

/// Why a text is no such document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct NotUnique {
    /// JSON pointer of the place, as far as the document was understood.
    pub pointer: String,
    /// What is wrong there, with line and column.
    pub what: String,
}

/// Reads a whole text as one JSON value.
///
/// # Errors
/// [`NotUnique`] for what is no JSON, is nested too deep, goes on behind the value, or names a key twice.
pub fn parse(text: &str) -> Result<Value, NotUnique> {
    let path = RefCell::new(Vec::new());
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = Unique { path: &path }.deserialize(&mut parser);
    let whole = value.and_then(|value| parser.end().map(|()| value));
    whole.map_err(|error| NotUnique {
        pointer: path.borrow().iter().map(|step| format!("/{}", escaped(step))).collect(),
        what: error.to_string(),
    })
}

/// A step of a JSON pointer (RFC 6901).
pub(crate) fn escaped(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

/// Reads the value at a path. The path grows on the way in, and shrinks on the way out of what is good.
struct Unique<'p> {
    path: &'p RefCell<Vec<String>>,
}

impl Unique<'_> {
    fn enter(&self, step: String) -> Unique<'_> {
        self.path.borrow_mut().push(step);
        Unique { path: self.path }
    }

    fn leave(&self) {
        self.path.borrow_mut().pop();
    }
}

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let inside = self.enter(key.clone());
            if members.contains_key(&key) {
                map.next_value::<IgnoredAny>()?;
                return Err(A::Error::custom(format!("duplicate field `{key}`")));
            }
            members.insert(key, map.next_value_seed(inside)?);
            self.leave();
        }
        Ok(Value::Object(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        loop {
            let inside = self.enter(items.len().to_string());
            let Some(item) = list.next_element_seed(inside)? else { break };
            items.push(item);
            self.leave();
        }
        self.leave();
        Ok(Value::Array(items))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number.map(Value::Number).ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> NotUnique {
        parse(text).unwrap_err()
    }

    #[test]
    fn a_document_reads_as_it_stands() {
        let text = r#"{"a":[1,-2,2.5,{"b":null}],"c":true,"d":"\u0041\n"}"#;
        assert_eq!(parse(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn a_key_named_twice_is_refused_at_every_depth_with_its_pointer() {
        for (text, pointer) in [
            (r#"{"a":1,"a":1}"#, "/a"),
            (r#"{"a":1,"\u0061":1}"#, "/a"),
            (r#"{"x":[0,{"a":[],"b":2,"a":{}}]}"#, "/x/1/a"),
            (r#"{"~/":{"a":1,"a":2}}"#, "/~0~1/a"),
            (r#"[[],[[{"a":1,"a":2}]]]"#, "/1/0/0/a"),
        ] {
            let error = refused(text);
            assert_eq!(error.pointer, pointer, "{text}");
            assert!(error.what.starts_with("duplicate field `a`"), "{error}");
        }
    }

    #[test]
    fn what_goes_on_behind_the_value_is_refused() {
        assert_eq!(refused("{} {}").what, "trailing characters at line 1 column 4");
    }

    #[test]
    fn depth_is_bounded() {
        assert!(parse(&format!("{}1{}", "[".repeat(127), "]".repeat(127))).is_ok());
        assert!(refused(&"[".repeat(1_000_000)).what.starts_with("recursion limit exceeded"));
    }
}

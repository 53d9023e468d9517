//! A function has at most 25 lines if it can, and never more than 60.
//!
//! Counted from `fn` to its closing brace, comments and blank lines too: what must fit the eye.
//! Functions inside macro calls and tests count like all others.

use super::source::{Source, Tree};
use super::tokens::{Kind, Token};
use super::{Finding, Weight};

const WANTED: usize = 25;
const NEVER_ABOVE: usize = 60;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.sources.iter().flat_map(functions).filter_map(judge).collect()
}

/// A function with a body.
struct Function {
    place: String,
    name: String,
    lines: usize,
}

fn functions(source: &Source) -> Vec<Function> {
    let tokens = source.tokens();
    let starts = tokens.iter().enumerate().filter(|(_, token)| token.is("fn"));
    starts.filter_map(|(at, start)| function(source, start, &tokens[at + 1..])).collect()
}

/// A function from what follows its `fn`; `None` for a declaration or the type of a pointer.
fn function(source: &Source, start: &Token, rest: &[Token]) -> Option<Function> {
    let name = rest.first().filter(|token| token.kind == Kind::Word)?;
    let body = body(rest)?;
    let place = format!("{}:{}", source.path, start.line);
    Some(Function { place, name: name.text.clone(), lines: body.end - start.line + 1 })
}

/// The opening brace of the body: the first that stands in no bracket of the signature.
fn body(rest: &[Token]) -> Option<&Token> {
    let mut depth = 0_usize;
    for token in rest.iter().filter(|token| token.kind == Kind::Mark) {
        match token.text.as_str() {
            "{" if depth == 0 => return Some(token),
            ";" if depth == 0 => return None,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn judge(function: Function) -> Option<Finding> {
    let Function { place, name, lines } = function;
    let weight = match lines {
        _ if lines > NEVER_ABOVE => Weight::Error,
        _ if lines > WANTED => Weight::Note,
        _ => return None,
    };
    let message = format!("fn {name} has {lines} lines; wanted {WANTED}, never {NEVER_ABOVE}");
    Some(Finding::new(weight, place, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(code: &str) -> Vec<Weight> {
        check(&Tree::of(&[("a.rs", code)])).iter().map(|finding| finding.weight).collect()
    }

    fn long(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2))
    }

    #[test]
    fn short_functions_are_good_long_ones_count_and_huge_ones_fail() {
        assert_eq!(weights(&long(25)), []);
        assert_eq!(weights(&long(26)), [Weight::Note]);
        assert_eq!(weights(&long(61)), [Weight::Error]);
    }

    #[test]
    fn a_function_in_a_macro_call_counts_too() {
        assert_eq!(weights(&format!("proptest! {{ {} }}", long(61))), [Weight::Error]);
    }

    #[test]
    fn declarations_and_pointer_types_have_no_body() {
        let code = format!("trait T {{ fn a(&self) -> [u8; 3]; }} type F = fn(u8);\n{}", long(10));
        assert_eq!(weights(&code), []);
        let names = functions(&Source::new("a.rs", &code));
        assert_eq!(names.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["long"]);
    }

    #[test]
    fn the_place_names_file_and_line() {
        let tree = Tree::of(&[("a.rs", &format!("\n{}", long(61)))]);
        let message = "a.rs:2: fn long has 61 lines; wanted 25, never 60";
        assert_eq!(check(&tree)[0].to_string(), message);
    }
}

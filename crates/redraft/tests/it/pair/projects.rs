//! Three small projects, each with a test that fails for a real fault in one line.
//!
//! Absent here: the repository that each stands in.

/// A project whose test fails until one line of it is mended.
pub(super) struct Project {
    pub(super) task: &'static str,
    pub(super) files: &'static [(&'static str, &'static str)],
    /// The file with the fault.
    pub(super) source: &'static str,
    /// The line at fault, then one that does not mend it, then one that does.
    pub(super) fault: &'static str,
    pub(super) wrong: &'static str,
    pub(super) right: &'static str,
    /// The command that tests it.
    pub(super) check: &'static str,
    /// What the failing test says of the wrong line.
    pub(super) complaint: &'static str,
    /// What has to be installed.
    pub(super) needs: &'static str,
}

pub(super) const RUST: Project = Project {
    task: "pages(11, 5) has to be 3: a page that is not full counts too.",
    files: &[
        ("Cargo.toml", MANIFEST),
        ("Cargo.lock", LOCK),
        ("src/lib.rs", PAGES),
        ("tests/pages.rs", PAGES_TEST),
    ],
    source: "src/lib.rs",
    fault: "    entries / per_page",
    wrong: "    entries / per_page + 1",
    right: "    entries.div_ceil(per_page)",
    check: "cargo test --offline --quiet",
    complaint: "assertion `left == right` failed",
    needs: "cargo",
};

const MANIFEST: &str = "\
[package]
name = \"pages\"
version = \"0.1.0\"
edition = \"2021\"
";

const LOCK: &str = "\
version = 3

[[package]]
name = \"pages\"
version = \"0.1.0\"
";

const PAGES: &str = "\
//! A list in pages.

/// How many pages hold so many entries.
pub fn pages(entries: usize, per_page: usize) -> usize {
    entries / per_page
}
";

const PAGES_TEST: &str = "\
#[test]
fn full_and_begun_pages_count() {
    assert_eq!(pages::pages(10, 5), 2);
    assert_eq!(pages::pages(11, 5), 3);
}
";

pub(super) const PYTHON: Project = Project {
    task: "average([1, 2]) has to be 1.5, and average([]) has to be 0.",
    files: &[("prices.py", PRICES), ("test_prices.py", PRICES_TEST)],
    source: "prices.py",
    fault: "    return sum(prices) // len(prices)",
    wrong: "    return sum(prices) / len(prices)",
    right: "    return sum(prices) / len(prices) if prices else 0",
    check: "python3 -m unittest",
    complaint: "ZeroDivisionError",
    needs: "python3",
};

const PRICES: &str = "\
# Prices of a basket.


def average(prices):
    return sum(prices) // len(prices)
";

const PRICES_TEST: &str = "\
import unittest

from prices import average


class Average(unittest.TestCase):
    def test_it_has_a_fraction(self):
        self.assertEqual(average([1, 2]), 1.5)

    def test_nothing_costs_nothing(self):
        self.assertEqual(average([]), 0)
";

pub(super) const JAVASCRIPT: Project = Project {
    task: "slug('A b c') has to be 'a-b-c': every blank becomes a hyphen.",
    files: &[("package.json", PACKAGE), ("slug.js", SLUG), ("slug.test.js", SLUG_TEST)],
    source: "slug.js",
    fault: "  title.toLowerCase().replace(' ', '-');",
    wrong: "  title.toLowerCase().replaceAll(' ', '_');",
    right: "  title.toLowerCase().replaceAll(' ', '-');",
    check: "node --test slug.test.js",
    complaint: "a_b_c",
    needs: "node",
};

const PACKAGE: &str = "\
{
  \"name\": \"slugs\",
  \"version\": \"0.1.0\",
  \"private\": true
}
";

const SLUG: &str = "\
'use strict';

// The part of an address that stands for a title.
exports.slug = (title) =>
  title.toLowerCase().replace(' ', '-');
";

const SLUG_TEST: &str = "\
'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { slug } = require('./slug.js');

test('every blank becomes a hyphen', () => {
  assert.strictEqual(slug('A b c'), 'a-b-c');
});
";

impl Project {
    /// The whole text of the file, with this in place of the line at fault.
    pub(super) fn text(&self, line: &str) -> String {
        let (_, text) = self.files.iter().find(|(path, _)| *path == self.source).unwrap();
        assert!(text.contains(&format!("{}\n", self.fault)));
        text.replace(self.fault, line)
    }

    /// The change of the line at fault into this one, as a unified diff.
    pub(super) fn diff(&self, line: &str) -> String {
        let path = self.source;
        format!("--- a/{path}\n+++ b/{path}\n{}", self.hunk(line))
    }

    /// The same without the lines that name the file.
    pub(super) fn hunk(&self, line: &str) -> String {
        let text = self.text(self.fault);
        let lines = text.lines().map(|old| match old == self.fault {
            true => format!("-{old}\n+{line}\n"),
            false => format!(" {old}\n"),
        });
        let count = text.lines().count();
        format!("@@ -1,{count} +1,{count} @@\n{}", lines.collect::<String>())
    }
}

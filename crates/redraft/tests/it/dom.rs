//! A page as a browser sees it: elements, attributes and texts, and the rules that every page of ours keeps.

use html5ever::{parse_document, tendril::TendrilSink};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// What a page may be made of. No script, frame, form, image, link to a file, nor anything else that acts or loads.
const ELEMENTS: [&str; 46] = [
    "html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section",
    "article", "footer", "h1", "h2", "h3", "h4", "p", "div", "span", "strong", "b", "br", "dl",
    "dt", "dd", "time", "code", "a", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td",
    "details", "summary", "ins", "del", "svg", "rect", "em", "small", "bdi",
];
/// The attributes that they may have.
const ATTRIBUTES: [&str; 24] = [
    "lang",
    "charset",
    "name",
    "content",
    "http-equiv",
    "class",
    "dir",
    "id",
    "href",
    "open",
    "scope",
    "role",
    "tabindex",
    "datetime",
    "aria-label",
    "aria-labelledby",
    "aria-hidden",
    "viewBox",
    "preserveAspectRatio",
    "x",
    "y",
    "width",
    "height",
    "title",
];

/// An element of a page.
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// All text in it.
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A page as a browser sees it.
pub(crate) struct Dom {
    pub(crate) elements: Vec<Element>,
    /// The text of the body.
    pub(crate) text: String,
}

impl Dom {
    pub(crate) fn parse(html: &str) -> Self {
        let dom = parse_document(RcDom::default(), Default::default()).one(html);
        let mut elements = Vec::new();
        collect(&dom.document, &mut elements);
        let body = elements.iter().find(|element| element.name == "body").unwrap();
        let text = body.text.clone();
        Self { elements, text }
    }

    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = &Element> {
        self.elements.iter().filter(move |element| element.name == name)
    }

    /// Checks that nothing in the page acts, loads, leads outside or stands where a reader's tools cannot find it.
    #[track_caller]
    pub(crate) fn check(&self) {
        for element in &self.elements {
            let name = element.name.as_str();
            assert!(ELEMENTS.contains(&name), "an element {name}");
            for (attribute, value) in &element.attributes {
                assert!(ATTRIBUTES.contains(&attribute.as_str()), "{name} has {attribute}={value}");
                assert!(attribute != "href" || value.starts_with('#'), "{name} leads to {value}");
            }
        }
        let policy = self.named("meta").find(|meta| {
            meta.get("http-equiv").is_some_and(|name| name == "Content-Security-Policy")
        });
        assert!(policy.unwrap().get("content").unwrap().starts_with("default-src 'none';"));
        let styles: Vec<&str> = self.named("style").map(|style| style.text.as_str()).collect();
        assert_eq!(styles.len(), 1);
        assert!(!styles[0].contains("url(") && !styles[0].contains("@import"));
        self.check_accessible();
    }

    fn check_accessible(&self) {
        assert_eq!(self.named("html").next().unwrap().get("lang"), Some("en"));
        for landmark in ["header", "nav", "main", "footer"] {
            assert_eq!(self.named(landmark).count(), 1, "{landmark}");
        }
        assert!(self.named("th").all(|head| head.get("scope").is_some()));
        let levels = self.elements.iter().filter_map(|element| {
            element.name.strip_prefix('h').and_then(|level| level.parse::<u32>().ok())
        });
        let levels: Vec<u32> = levels.collect();
        assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1);
        assert_eq!(levels[0], 1);
        let steps = levels.windows(2);
        assert!(steps.into_iter().all(|step| step[1] <= step[0] + 1), "{levels:?}");
        let ids: Vec<&str> = self.elements.iter().filter_map(|element| element.get("id")).collect();
        let leads = self.named("a").filter_map(|link| link.get("href"));
        assert!(leads.map(|href| &href[1..]).all(|href| ids.contains(&href)), "{ids:?}");
    }

    /// Checks that the text stands in the page word for word, with what is not seen shown by its number.
    #[track_caller]
    pub(crate) fn check_says(&self, text: &str) {
        assert!(self.text.contains(&shown(text)), "{text:?} is not in the page");
    }
}

/// A text as a page shows it. What is hidden is spelled out here once more, apart from the program's own list.
pub(crate) fn shown(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
            || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
    };
    let mark = |c: char| match hidden(c) {
        true => format!("‹U+{:04X}›", u32::from(c)),
        false => c.to_string(),
    };
    text.replace("\r\n", "\n").chars().map(mark).collect()
}

/// The elements below a node, in the order of the page, and the text below it.
fn collect(node: &Handle, elements: &mut Vec<Element>) -> String {
    if let NodeData::Text { contents } = &node.data {
        return contents.borrow().to_string();
    }
    let place = elements.len();
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attribute =
            |attr: &html5ever::Attribute| (attr.name.local.to_string(), attr.value.to_string());
        let attributes = attrs.borrow().iter().map(attribute).collect();
        let name = name.local.to_string();
        elements.push(Element { name, attributes, text: String::new() });
    }
    let children = node.children.borrow();
    let text: String = children.iter().map(|child| collect(child, elements)).collect();
    if let Some(element) = elements.get_mut(place).filter(|_| is_element(node)) {
        element.text.clone_from(&text);
    }
    text
}

fn is_element(node: &Handle) -> bool {
    matches!(node.data, NodeData::Element { .. })
}

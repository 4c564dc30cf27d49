//! Writes XML: elements one after the other, indented, values escaped.

/// Levels that are indented; deeper ones stay at this indentation.
const MAX_INDENT: usize = 100;

/// An attribute: its name and its value, not yet escaped.
pub(super) type Entry = (&'static str, String);

/// An element that is not closed yet.
#[derive(Debug)]
struct Open {
    name: &'static str,
    /// Length of the text before the element, and before its parent was given content.
    start: usize,
    /// Whether it has content, so that its start tag is complete.
    filled: bool,
    /// Whether it has attributes.
    bare: bool,
    /// Whether its parent had content before it.
    parent_filled: bool,
}

/// XML under construction.
#[derive(Debug, Default)]
pub(super) struct Xml {
    text: String,
    open: Vec<Open>,
}

impl Xml {
    /// Begins an element.
    pub(super) fn begin(&mut self, name: &'static str, attributes: &[Entry]) {
        let start = self.text.len();
        let mut parent_filled = true;
        // sections stand apart
        if self.open.len() == 1 && self.open[0].filled {
            self.text.push('\n');
        }
        if let Some(parent) = self.open.last_mut() {
            parent_filled = parent.filled;
            if !parent.filled {
                self.text.push_str(">\n");
                parent.filled = true;
            }
        }
        self.indent(self.open.len());
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
        let bare = attributes.is_empty();
        self.open.push(Open { name, start, filled: false, bare, parent_filled });
    }

    /// Ends the element that was begun last.
    pub(super) fn end(&mut self) {
        let Some(open) = self.open.pop() else { return };
        if open.filled {
            self.indent(self.open.len());
            self.text.push_str("</");
            self.text.push_str(open.name);
            self.text.push_str(">\n");
        } else {
            self.text.push_str("/>\n");
        }
    }

    /// Ends the element that was begun last, or takes it back if it says nothing.
    pub(super) fn end_section(&mut self) {
        match self.open.last() {
            Some(open) if open.bare && !open.filled => {
                self.text.truncate(open.start);
                let parent_filled = open.parent_filled;
                self.open.pop();
                if let Some(parent) = self.open.last_mut() {
                    parent.filled = parent_filled;
                }
            }
            _ => self.end(),
        }
    }

    /// Writes an element without content.
    pub(super) fn element(&mut self, name: &'static str, attributes: &[Entry]) {
        self.begin(name, attributes);
        self.end();
    }

    /// The text, when every element is closed.
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth.min(MAX_INDENT) {
            self.text.push_str("  ");
        }
    }
}

/// Appends the value of an attribute. Characters that XML does not have are left out.
fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Xml;

    #[test]
    fn elements_nest_and_values_are_escaped() {
        let mut xml = Xml::default();
        xml.begin("a", &[]);
        xml.begin("empty", &[]);
        xml.end_section();
        xml.begin("b", &[("x", String::from("1 < \"2\" &\n"))]);
        xml.element("c", &[]);
        xml.end();
        xml.element("d", &[]);
        xml.begin("empty", &[]);
        xml.end_section();
        xml.end();
        let expected =
            "<a>\n  <b x=\"1 &lt; &quot;2&quot; &amp;&#10;\">\n    <c/>\n  </b>\n\n  <d/>\n</a>\n";
        assert_eq!(xml.finish(), expected);
    }

    #[test]
    fn a_section_that_says_nothing_leaves_no_trace() {
        let mut xml = Xml::default();
        xml.begin("a", &[]);
        xml.begin("empty", &[]);
        xml.end_section();
        xml.end();
        assert_eq!(xml.finish(), "<a/>\n");
    }
}

//! The pieces of a streamed body: server-sent events, or one JSON document per line.
//!
//! Invariant: at most [`LONGEST`] bytes wait for the end of their event. An event counts when its blank line has
//! come, a line when its break has; what the body ends in the middle of is no event.
//! Absent here: the network, and what an event means.

/// How a body is cut into events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// `text/event-stream`; an event is the text of its `data` fields.
    Events,
    /// `application/x-ndjson`; an event is a line that is not blank.
    Lines,
}

/// The longest line, and the longest event, in bytes.
pub(super) const LONGEST: usize = 4 * 1024 * 1024;

/// A line or an event is longer than [`LONGEST`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// What has come of a body and is no whole event yet.
#[derive(Debug)]
pub(super) struct Frames {
    framing: Framing,
    line: Vec<u8>,
    event: Option<Vec<u8>>,
    /// The last byte was a carriage return, which ended its line; a line feed after it belongs to it.
    after_return: bool,
    first_line: bool,
}

impl Frames {
    pub(super) fn new(framing: Framing) -> Self {
        Self { framing, line: Vec::new(), event: None, after_return: false, first_line: true }
    }

    /// Takes the next bytes and gives the events that they complete.
    pub(super) fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut events = Vec::new();
        if let (true, Some((first, rest))) = (self.after_return, bytes.split_first()) {
            self.after_return = false;
            if *first == b'\n' {
                bytes = rest;
            }
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.hold(&bytes[..end])?;
            let (broken_by, rest) = (bytes[end], &bytes[end + 1..]);
            self.after_return = broken_by == b'\r' && rest.is_empty();
            bytes = match rest.strip_prefix(b"\n") {
                Some(after) if broken_by == b'\r' => after,
                Some(_) | None => rest,
            };
            events.extend(self.line_ends()?);
        }
        self.hold(bytes)?;
        Ok(events)
    }

    fn hold(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + bytes.len() > LONGEST {
            return Err(TooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn line_ends(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        let line = std::mem::take(&mut self.line);
        let marked = std::mem::take(&mut self.first_line) && line.starts_with(BYTE_ORDER_MARK);
        let line = if marked { &line[BYTE_ORDER_MARK.len()..] } else { &line[..] };
        match self.framing {
            Framing::Lines if line.iter().all(u8::is_ascii_whitespace) => Ok(None),
            Framing::Lines => Ok(Some(line.to_vec())),
            Framing::Events if line.is_empty() => Ok(self.event.take()),
            Framing::Events => self.field(line).map(|()| None),
        }
    }

    /// Fields beside `data` are left aside: every protocol here repeats the event's name in its data.
    fn field(&mut self, line: &[u8]) -> Result<(), TooLong> {
        let value = match line.strip_prefix(b"data") {
            Some([]) => &[][..],
            Some([b':', b' ', value @ ..] | [b':', value @ ..]) => value,
            Some(_) | None => return Ok(()),
        };
        let held = self.event.as_ref().map_or(0, |event| event.len() + 1);
        if held + value.len() > LONGEST {
            return Err(TooLong);
        }
        match &mut self.event {
            Some(event) => {
                event.push(b'\n');
                event.extend_from_slice(value);
            }
            None => self.event = Some(value.to_vec()),
        }
        Ok(())
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn events(framing: Framing, pieces: &[&[u8]]) -> Vec<String> {
        let mut frames = Frames::new(framing);
        let events = pieces.iter().flat_map(|piece| frames.push(piece).unwrap());
        events.map(|event| String::from_utf8(event).unwrap()).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(events(Framing::Events, &[text.as_bytes()]), expected, "whole");
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(events(Framing::Events, &bytes), expected, "byte by byte");
    }

    #[test]
    fn an_event_is_its_data_up_to_the_blank_line() {
        check("data: a\n\ndata:b\n\n", &["a", "b"]);
        check("event: x\nid: 1\ndata: a\n\n", &["a"]);
        check("data: a\ndata:  b\ndata\n\n", &["a\n b\n"]);
        check("data:\n\n", &[""]);
        check("\u{feff}data: a\n\n", &["a"]);
    }

    #[test]
    fn every_line_break_counts_once() {
        check("data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", &["a", "b", "c"]);
        check("data: a\r\ndata: b\r\n\r\n", &["a\nb"]);
    }

    #[test]
    fn comments_other_fields_and_blank_lines_are_no_events() {
        check(": ping\n\n\n\nretry: 1\n\ndatax: no\n\ndat: no\n\n", &[]);
    }

    #[test]
    fn what_the_body_ends_in_the_middle_of_is_no_event() {
        check("data: a\n\ndata: b\n", &["a"]);
        check("data: a\n\ndata: b", &["a"]);
        assert_eq!(
            events(Framing::Lines, &[b"{}\n \n\r\n{\"a\":1}\r\n{\"b\""]),
            ["{}", "{\"a\":1}"]
        );
    }

    #[test]
    fn a_line_or_an_event_without_end_is_refused() {
        let piece = vec![b'x'; LONGEST / 2 + 1];
        let mut line = Frames::new(Framing::Lines);
        assert_eq!(line.push(&piece), Ok(vec![]));
        assert_eq!(line.push(&piece), Err(TooLong));
        let mut event = Frames::new(Framing::Events);
        let data = [b"data: ".to_vec(), piece, b"\n".to_vec()].concat();
        assert_eq!(event.push(&data), Ok(vec![]));
        assert_eq!(event.push(&data), Err(TooLong));
    }

    proptest! {
        #[test]
        fn where_a_body_is_cut_into_pieces_does_not_matter(
            text in "(data: |data:|: |[ab]|\r|\n|\r\n|\n\n){0,40}",
            size in 1_usize..9,
        ) {
            for framing in [Framing::Events, Framing::Lines] {
                let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
                prop_assert_eq!(events(framing, &pieces), events(framing, &[text.as_bytes()]));
            }
        }
    }
}

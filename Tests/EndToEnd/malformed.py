"""Uploads that are wrong in one place: what Weir must say of each, and where.

A row's body is a good lead part, or nothing, and then `tail`. The expected offset is computed from
the bytes: it is where `mark` lies in the tail, or the end of the body.
"""

import forms

FIELD = b'Content-Disposition: form-data; name="a"'
BEGIN = forms.DELIMITER + b"\r\n"
END = b"\r\n" + forms.CLOSE

# A part that no gate withholds, so that bytes of the upload are upstream when the rest goes wrong.
LEAD = forms.Part("lead", forms.noise(600_000), "lead.bin", "application/octet-stream").encoded


class Case:
    """One malformed body."""

    def __init__(self, name, code, tail, mark=None, skip=0, part=0, profile="balanced"):
        self.name = name
        self.code = code
        self.profile = profile
        self._tail = tail
        self._mark = mark
        self._skip = skip
        self._part = part

    def body(self, with_lead):
        return (LEAD if with_lead else b"") + self._tail

    def offset(self, with_lead):
        start = len(LEAD) if with_lead else 0
        if self._mark is None:
            return start + len(self._tail)
        assert self._tail.count(self._mark) == 1, f"{self.name}: the mark must be unique"
        return start + self._tail.index(self._mark) + self._skip


CASES = [
    Case("no close-delimiter", "final_delimiter.missing", BEGIN + FIELD + b"\r\n\r\nvalue"),
    Case("delimiter instead of a close-delimiter", "final_delimiter.missing",
         BEGIN + FIELD + b"\r\n\r\nvalue\r\n" + BEGIN),
    Case("end within a header block", "final_delimiter.missing", BEGIN + FIELD[:20]),
    Case("end within the close-delimiter", "final_delimiter.missing",
         BEGIN + FIELD + b"\r\n\r\nvalue\r\n" + forms.DELIMITER + b"-"),
    Case("bare LF after a header line", "line.bare_lf",
         BEGIN + FIELD + b"\nContent-Type: text/plain\r\n\r\nvalue" + END, b"\nContent-Type"),
    Case("bare LF instead of the blank line", "line.bare_lf",
         BEGIN + FIELD + b"\r\n\nvalue" + END, b"\nvalue"),
    Case("bare LF after a delimiter", "line.bare_lf",
         forms.DELIMITER + b"\n" + FIELD + b"\r\n\r\nvalue" + END, b"\nContent"),
    Case("bare LF before a delimiter", "delimiter.bare_lf",
         BEGIN + FIELD + b"\r\n\r\nvalue\n" + forms.CLOSE, b"value\n", 5),
    Case("bare CR after a header line", "line.bare_cr",
         BEGIN + FIELD + b"\rContent-Type: text/plain\r\n\r\nvalue" + END, b"\rContent-Type"),
    Case("header line without colon", "part_header.no_colon",
         BEGIN + FIELD + b"\r\nNoColonHere\r\n\r\nvalue" + END, b"NoColonHere", len("NoColonHere")),
    Case("space before the colon", "part_header.space_before_colon",
         BEGIN + FIELD.replace(b":", b" :") + b"\r\n\r\nvalue" + END, b" :"),
    Case("NUL in a header", "part_header.nul",
         BEGIN + FIELD + b"\r\nX-A: 1\x002\r\n\r\nvalue" + END, b"\x00"),
    Case("bytes after a delimiter", "delimiter.trailing_bytes",
         BEGIN + FIELD + b"\r\n\r\nvalue\r\n" + forms.DELIMITER + b"tail\r\n" + END, b"tail"),
    Case("delimiter right after the headers", "part.bodyless",
         BEGIN + FIELD + b"\r\n\r\n" + forms.CLOSE, forms.CLOSE),
    Case("two names", "disposition.duplicate_parameter",
         BEGIN + FIELD + b'; name="b"\r\n\r\nvalue' + END, b'name="b"'),
    Case("folded header", "part_header.folded",
         BEGIN + FIELD + b';\r\n filename="b"\r\n\r\nvalue' + END, b" filename", profile="strict"),
]

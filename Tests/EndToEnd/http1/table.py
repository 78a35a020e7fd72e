"""Reads the tables of raw messages, `requests.txt` and `answers.txt`.

A section begins with `== title | template`, and each row is `name | outcome | text`. The bytes of
a row are the template with the text in the place of `$`. In both, `\\r` and its like are escapes as
in Python, `{ab*3}` is ababab, and `<FIN>` or `<RST>` at the end says how the sender then goes.

What must become of a request is one of

    400,501 CODE,CODE   refused with one of the statuses and codes (`*` is any), the connection
                        closed, nothing of it forwarded (or, in a section whose title has "in the
                        body", never all of it); with `keeps` the connection stays
    pass                forwarded as one request and answered, and the next request on the
                        connection is read as itself
    gone                nothing to answer; never complete upstream

and of an answer

    200                 relayed with that status; the next request on the connection gets its own
    502 CODE            not relayed
    cut                 relayed, and visibly cut

followed by words, in which a blank is `\\x20`: `body:`, `target:`, `method:`, `field:NAME=VALUE`
(there is one, and it is this), `fields:NAME=ONE;TWO`, `has:NAME`, `lacks:NAME`, `reason:`,
`interims:` and `anyinterims`, `version:`; `close` (the client's connection ends), `end` (the
client's stream does), `head` (a HEAD request), `then:STATUS` (what comes next is refused),
`fresh` (the upstream's connection is not used again).
"""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))


class Row:
    """One message, and what must become of it."""

    def __init__(self, section, name, outcome, template, text):
        self.name = f"{section}: {name}"
        self.may_begin = "in the body" in section
        self.data = expand(template.replace("$", text, 1))
        self.last = ""
        for sign in (b"<FIN>", b"<RST>"):
            if self.data.endswith(sign):
                self.data, self.last = self.data[:-len(sign)], sign[1:-1].decode()
        words = outcome.split(" ")
        self.verdict = words.pop(0)
        self.codes = None
        self._words = []
        for word in words:
            key, colon, value = word.partition(":")
            if key in (VALUES if colon else FLAGS):
                self._words.append((key, expand(value).decode("latin-1")))
            elif re.fullmatch(r"\*|[a-z]+\.[a-z0-9_.,]+", word):
                self.codes = word.split(",")
            else:
                raise ValueError(f"{self.name}: what is {word}?")

    @property
    def statuses(self):
        return [int(status) for status in self.verdict.split(",")]

    def says(self, key):
        return any(word == key for word, _ in self._words)

    def all(self, key):
        return [value for word, value in self._words if word == key]

    def get(self, key, default=None):
        return next(iter(self.all(key)), default)

    def check_fields(self, fields):
        """What is wrong with the fields of the message that came out, or None."""
        def values(name):
            return [value for key, value in fields if key.lower() == name.lower()]

        for wanted in self.all("field") + self.all("fields"):
            name, _, value = wanted.partition("=")
            expected = [value] if wanted in self.all("field") else value.split(";")
            if values(name) != expected:
                return f"{name} is {values(name)}, not {expected}"
        for name in self.all("has"):
            if not values(name):
                return f"there is no {name}"
        for name in self.all("lacks"):
            if values(name):
                return f"there is {name}: {values(name)}"
        return None


FLAGS = {"keeps", "close", "end", "head", "fresh", "anyinterims"}
VALUES = {"body", "target", "method", "field", "fields", "has", "lacks", "reason", "interims",
          "version", "then"}


def expand(text):
    """The bytes that a text stands for."""
    data = text.encode().decode("unicode_escape").encode("latin-1")
    while (longer := re.sub(rb"\{([^{}]*)\*(\d+)\}", lambda m: m[1] * int(m[2]), data)) != data:
        data = longer
    return data


def rows(name):
    """The rows of a table."""
    found = []
    with open(os.path.join(HERE, name)) as file:
        for line in file.read().split("\n"):
            if not line or line.startswith("# "):
                continue
            if line.startswith("== "):
                section, template = line[3:].split(" | ", 1)
                continue
            title, outcome, text = re.fullmatch(r"(.*?)\s+\| (.*?) \|(?: (.*))?", line).groups()
            found.append(Row(section, title, outcome, template, text or ""))
    names = [row.name for row in found]
    assert len(set(names)) == len(names), "two rows have the same name"
    return found

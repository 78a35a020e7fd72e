"""How the libraries read a form: a list of (name, filename, content), or an error."""

import io
import re

import multipart as defnull
import python_multipart
from python_multipart.multipart import parse_options_header
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_options_header as werkzeug_options


class Unreadable(Exception):
    """The library refuses the body."""


def read_python_multipart(content_type, body):
    parts, state = [], {}

    def begin():
        state.clear()
        state.update(name=b"", value=b"", headers={}, content=bytearray())

    def end():
        _, options = parse_options_header(state["headers"].get(b"content-disposition", b""))
        parts.append((options.get(b"name"), options.get(b"filename"), bytes(state["content"])))

    def name(data, start, stop):
        state["name"] += data[start:stop]

    def value(data, start, stop):
        state["value"] += data[start:stop]

    def header_end():
        state["headers"][bytes(state["name"]).lower()] = bytes(state["value"])
        state["name"] = state["value"] = b""

    finished = []
    _, options = parse_options_header(content_type)
    if b"boundary" not in options:
        raise Unreadable("no boundary")
    parser = python_multipart.MultipartParser(options[b"boundary"], {
        "on_part_begin": begin, "on_part_end": end, "on_header_field": name,
        "on_header_value": value, "on_header_end": header_end,
        "on_part_data": lambda data, start, stop: state["content"].extend(data[start:stop]),
        "on_end": lambda: finished.append(True),
    })
    try:
        parser.write(body)
        parser.finalize()
    except Exception as error:
        raise Unreadable(str(error)) from error
    if not finished:
        raise Unreadable("no close-delimiter")
    return [(text(n), text(f), c) for n, f, c in parts]


def read_werkzeug(content_type, body):
    parts = []

    def factory(total_content_length, content_type, filename, content_length=None):
        return io.BytesIO()

    try:
        # Its public parser sorts fields and files apart, so the order is that of each kind.
        _, form, files = FormDataParser(stream_factory=factory, silent=False).parse(
            io.BytesIO(body), "multipart/form-data", len(body),
            werkzeug_options(content_type)[1])
    except Exception as error:
        raise Unreadable(str(error)) from error
    for key, content in form.items(multi=True):
        parts.append((key, None, content.encode("utf-8", "replace")))
    for key, storage in files.items(multi=True):
        parts.append((key, storage.filename, storage.stream.getvalue()))
    return parts


def read_defnull(content_type, body):
    try:
        _, options = defnull.parse_options_header(content_type)
        parser = defnull.MultipartParser(
            io.BytesIO(body), options["boundary"], strict=True, charset="utf8")
        return [(part.name, part.filename, part.raw) for part in parser]
    except Exception as error:
        raise Unreadable(str(error)) from error


def text(value):
    return None if value is None else value.decode("utf-8", "replace")


def as_text(part):
    """A part whose content, if it is no file, is what is left of it after decoding."""
    name, filename, content = part
    if filename is None:
        content = content.decode("utf-8", "replace").encode()
    return name, filename, content


def known_ways(library, part):
    """A part as a library is known to show it, where that is not as it was sent.

    None of this moves a border between parts: it is what a library makes of a name or a text.
    """
    name, filename, content = part
    if library == "python-multipart" and filename and filename[1:3] == ":\\":
        filename = filename.rpartition("\\")[2]
    if library == "multipart":
        name = name.replace("%22", '"')
        if filename:
            filename = filename.replace("%22", '"')
            if filename[1:3] == ":\\":
                filename = filename.rpartition("\\")[2]
    if library == "go":
        # As RFC 2045 has it: before what would need quotes, a backslash is no part of the value.
        name, filename = (
            value and re.sub(r'\\([()<>@,;:\\"/\[\]?=])', r"\1", value)
            for value in (name, filename))
    if library == "busboy":
        name, filename = (
            value and re.sub(r'\\([\\"])', r"\1", value) for value in (name, filename))
        # It says nothing of a name or filename that is empty, and shows a field as text.
        name, filename = name or None, filename or None
        name, filename, content = as_text((name, filename, content))
    if library == "werkzeug":
        name = re.sub(r"\\(.)", r"\1", name).replace("%22", '"')
        if filename is not None:
            filename = re.sub(r"\\(.)", r"\1", filename).replace("%22", '"')
        else:
            content = content.decode("utf-8", "replace").encode()
    return name, filename, content


def known_refusal(library, message, content_type, body):
    """Why a library refuses what strict accepts, where that is a known rule of its own.

    The length of a part is set by its delimiters: RFC 7578 gives a part's Content-Length no
    meaning, and clients send wrong ones. Weir notes it (part.content_length_mismatch). A tab is
    white space between parameters, and every `tchar` may stand in a field name (RFC 9110 §5.6).
    So are an empty parameter and a semicolon at the end allowed there. What a charset is called is
    no matter of framing.
    """
    rules = {
        "multipart": [
            ("Content-Length", True, "a part whose Content-Length is wrong"),
            ("Missing name option", re.search(rb";[ \t]*\t[ \t]*name=", body),
             "a tab before a parameter"),
            ("'boundary'", re.search(r";[ \t]*\t[ \t]*boundary=", content_type),
             "a tab before a parameter"),
            ("Invalid segment header name", re.search(rb"\r\n[\w-]*[!#$%&'*+.^`|~]", body),
             "an unusual character in a field name"),
        ],
        "busboy": [
            ("Malformed content type", re.search(r";[ \t]*(;|$)|[ \t]$", content_type),
             "an empty parameter, or white space at the end"),
            ("a charset it does not know", re.search(rb"(?i)charset=", body),
             "a field in a charset that it does not know"),
        ],
        "go": [
            ("invalid media parameter", re.search(r";[ \t]*;", content_type),
             "an empty parameter"),
        ],
    }
    for text, applies, reason in rules.get(library, []):
        if text in message and applies:
            return reason
    return None


def known_loss(library, body):
    """Why a library loses a part that strict lets through, where that is known, or None.

    An empty parameter is allowed in a Content-Disposition (RFC 9110 §5.6.6). busboy leaves such a
    part out, without an error, and Go gives it no name; the others read it as if it were not there.
    Nobody reads another part than Weir does, so strict says so (disposition.empty_parameter, a
    warning) and lets it pass.
    """
    if library in ("busboy", "go") and re.search(
            rb"(?i)\r\ncontent-disposition:[^\r\n]*;[ \t]*(;|\r\n)", body):
        return "a part with an empty parameter"
    return None


READERS = {
    "python-multipart": read_python_multipart,
    "werkzeug": read_werkzeug,
    "multipart": read_defnull,
}

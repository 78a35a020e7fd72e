"""How the libraries read a form: a list of (name, filename, content), or an error."""

import io
import re

import multipart as defnull
import python_multipart
from python_multipart.multipart import parse_options_header
from werkzeug.formparser import FormDataParser


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
            dict(boundary=boundary_of(content_type)))
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


def boundary_of(content_type):
    return content_type.partition("boundary=")[2].strip('"')


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
    if library == "werkzeug":
        name = re.sub(r"\\(.)", r"\1", name.replace("%22", '"'))
        if filename is not None:
            filename = re.sub(r"\\(.)", r"\1", filename.replace("%22", '"'))
        else:
            content = content.decode("utf-8", "replace").encode()
    return name, filename, content


def known_refusal(library, message, body):
    """Why a library refuses what strict accepts, where that is a known rule of its own.

    The length of a part is set by its delimiters: RFC 7578 gives a part's Content-Length no
    meaning, and clients send wrong ones. Weir notes it (part.content_length_mismatch). A tab is
    white space between parameters, and every `tchar` may stand in a field name (RFC 9110 §5.6).
    """
    if library != "multipart":
        return None
    if "Content-Length" in message:
        return "a part whose Content-Length is wrong"
    if "Missing name option" in message and re.search(rb";[ \t]*\t[ \t]*name=", body):
        return "a tab before a parameter"
    if "Invalid segment header name" in message and re.search(rb"\r\n[\w-]*[!#$%&'*+.^`|~]", body):
        return "an unusual character in a field name"
    return None


READERS = {
    "python-multipart": read_python_multipart,
    "werkzeug": read_werkzeug,
    "multipart": read_defnull,
}

"""A client on a raw socket: it sends exactly the bytes it is given, when it is told to."""

import io
import json
import re
import select
import socket
import struct
import time

import forms
from harness import SOON


class Response:
    """One final answer, and the interim ones before it."""

    def __init__(self, status, reason, fields, body, interims):
        self.status = status
        self.reason = reason
        self.fields = fields
        self.body = body
        self.interims = interims

    def field(self, name):
        """The value of the only field of that name; None if there is none."""
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        assert len(values) < 2, f"{name} is there {len(values)} times"
        return values[0] if values else None

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"<{self.status} {self.reason} {self.fields} {self.body[:300]!r}>"


class Truncated(Exception):
    """The connection ended within an answer."""


class Client:
    """One connection. It also is its own context: leaving closes it."""

    def __init__(self, address, timeout=SOON, send_buffer=None):
        family = socket.AF_UNIX if isinstance(address, str) else (
            socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        if send_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        self.socket.connect(address)
        if family != socket.AF_UNIX:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = io.BufferedReader(socket.SocketIO(self.socket, "r"), 1 << 16)

    def send(self, *pieces):
        for piece in pieces:
            self.socket.sendall(piece)

    def send_some(self, data, within=0.0):
        """Sends what the socket takes within the time; returns how much that was."""
        _, writable, _ = select.select([], [self.socket], [], within)
        return self.socket.send(data, socket.MSG_DONTWAIT) if writable else 0

    def finish_sending(self):
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        """Goes away without a word."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        self._reader.close()
        self.socket.close()

    def is_quiet(self):
        """Whether the peer has sent nothing that was not read, and not ended the connection."""
        if select.select([self.socket], [], [], 0)[0]:
            return False
        timeout = self.socket.gettimeout()
        self.socket.setblocking(False)
        try:
            return not self._reader.peek(1)
        finally:
            self.socket.settimeout(timeout)

    def read_line(self):
        line = self._reader.readline()
        if not line.endswith(b"\r\n"):
            raise Truncated(f"the connection ended after {line!r}")
        return line[:-2]

    def read_exactly(self, count):
        data = self._reader.read(count)
        if len(data) < count:
            raise Truncated(f"the connection ended {count - len(data)} bytes too early")
        return data

    def read_some(self, count=1 << 16):
        return self._reader.read1(count)

    def read_head(self):
        """A status line and its fields."""
        line = self.read_line()
        match = re.fullmatch(rb"HTTP/1\.[01] (\d{3}) ([^\r\n]*)", line)
        assert match, f"no status line: {line!r}"
        fields = []
        while line := self.read_line():
            name, colon, value = line.partition(b":")
            assert colon and re.fullmatch(rb"[!-~]+", name), f"no field line: {line!r}"
            fields.append((name.decode(), value.strip(b" \t").decode("latin-1")))
        return int(match[1]), match[2].decode(), fields

    def read_response(self, method="POST"):
        """The next final answer."""
        interims = []
        status, reason, fields = self.read_head()
        while status < 200:
            interims.append(status)
            status, reason, fields = self.read_head()
        response = Response(status, reason, fields, b"", interims)
        if method != "HEAD" and status not in (204, 304):
            response.body = self._read_body(response)
        return response

    def _read_body(self, response):
        if (response.field("Transfer-Encoding") or "").lower() == "chunked":
            body = b""
            while size := int(self.read_line(), 16):
                body += self.read_exactly(size)
                assert self.read_line() == b""
            assert self.read_line() == b""
            return body
        length = response.field("Content-Length")
        return self._reader.read() if length is None else self.read_exactly(int(length))

    def wait_for_end(self, within=SOON):
        """Reads and drops until the peer ends the connection; returns "fin" or "reset"."""
        self.socket.settimeout(within)
        try:
            while self.read_some():
                pass
            return "fin"
        except (ConnectionResetError, BrokenPipeError):
            return "reset"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def head(length=None, chunked=False, content_type=forms.CONTENT_TYPE, method="POST",
         target="/upload", fields=(), host="weir.test", version="1.1"):
    """A request head as bytes."""
    lines = [f"{method} {target} HTTP/{version}", f"Host: {host}"]
    if content_type is not None:
        lines.append(f"Content-Type: {content_type}")
    if chunked:
        lines.append("Transfer-Encoding: chunked")
    elif length is not None:
        lines.append(f"Content-Length: {length}")
    lines += [f"{name}: {value}" for name, value in fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def upload(body, chunked=False, **more):
    """A whole request as bytes."""
    framed = forms.chunks(body) if chunked else body
    return head(None if chunked else len(body), chunked, **more) + framed


def get(target="/", **more):
    return head(content_type=None, method="GET", target=target, **more)


def post(address, body, chunked=False, **more):
    """Sends one request over a connection of its own, and returns the answer.

    A refusal may come, and the connection end, before all is sent: that is no error.
    """
    with Client(address) as client:
        try:
            client.send(upload(body, chunked, **more))
        except (BrokenPipeError, ConnectionResetError):
            pass
        return client.read_response()


def send_large(client, large, chunked=False):
    """Sends a `LargeUpload`, head and body."""
    client.send(head(None if chunked else large.body_bytes, chunked))
    for piece in large.pieces():
        if chunked:
            client.send(b"%x\r\n" % len(piece), piece, b"\r\n")
        else:
            client.send(piece)
    if chunked:
        client.send(b"0\r\n\r\n")


def send_until_stalled(client, data, quiet=1.0, most=1 << 30):
    """Sends `data` over and over until the socket has taken nothing for `quiet` seconds.

    Returns how many bytes were sent; stops at `most`.
    """
    sent = 0
    last = time.monotonic()
    view = memoryview(data)
    while time.monotonic() - last < quiet and sent < most:
        count = client.send_some(view[sent % len(view):], 0.05)
        if count:
            sent += count
            last = time.monotonic()
    return sent

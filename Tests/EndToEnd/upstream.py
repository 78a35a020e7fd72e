"""An upstream that remembers: each connection, each byte on it, and how it ended.

It reads strictly. What is not canonical HTTP/1.1 with a plain Content-Length or the plain chunked
coding ends the connection as "malformed", which no test expects: what a proxy writes anew has no
excuse for being odd.
"""

import hashlib
import io
import json
import re
import socket
import struct
import threading

from harness import SOON, wait_until

READ_SIZE = 256 << 10
TOKEN = rb"[-!#$%&'*+.^_`|~0-9A-Za-z]+"


class Malformed(Exception):
    """The peer sent what no upstream should have to read."""


class EndOfStream(Exception):
    """The peer ended the connection in an orderly way."""


class Request:
    """A request as far as it has come."""

    def __init__(self, connection, method, target, fields, keeps_body):
        self.connection = connection
        self.method = method
        self.target = target
        self.fields = fields
        self.body = bytearray() if keeps_body else None
        self.body_bytes = 0
        self.is_complete = False
        self.trailers = []
        self._digest = hashlib.sha256()

    def field(self, name):
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        if len(values) > 1:
            raise Malformed(f"{name} is there {len(values)} times")
        return values[0] if values else None

    def take(self, piece):
        self._digest.update(piece)
        self.body_bytes += len(piece)
        if self.body is not None:
            self.body += piece

    @property
    def sha256(self):
        return self._digest.hexdigest()


class Connection:
    """One accepted connection; `end` is None, "fin", "reset", "malformed: …" or "ours"."""

    def __init__(self, upstream, sock):
        self.upstream = upstream
        self.socket = sock
        self.requests = []
        self.raw = bytearray()
        self.end = None
        # As large as the largest read: a larger one would not stop at what has come.
        self.reader = io.BufferedReader(_Recorder(self), READ_SIZE)

    def send(self, data):
        self.socket.sendall(data)

    def answer(self, status=200, body=b"", fields=(), reason="Text"):
        """Sends a whole answer; `body` may be an object, sent as JSON."""
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        lines = [f"HTTP/1.1 {status} {reason}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in fields]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def close(self):
        self.end = self.end or "ours"
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def reset(self):
        self.end = self.end or "ours"
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class _Recorder(io.RawIOBase):
    """The bytes of a connection, noted as they are read."""

    def __init__(self, connection):
        self._connection = connection

    def readable(self):
        return True

    def readinto(self, buffer):
        connection = self._connection
        connection.upstream.before_read(connection)
        count = connection.socket.recv_into(buffer)
        if connection.upstream.keeps_bytes:
            connection.raw += memoryview(buffer)[:count]
        return count


class Upstream:
    """Accepts connections and serves requests, by default with 200 and what it has read.

    A test changes what it does by giving functions: `on_head` is called with each request before
    its body is read, `on_request` once it is complete. Either may answer; if `on_head` returns
    true, the body is not read and the connection ends. `before_read` is called before each read.

    `requests` are those whose head has come, in the order in which they came, and
    `complete_requests` those that have come to their end.
    """

    def __init__(self, listen=("127.0.0.1", 0), keeps_bytes=True, on_head=None, on_request=None,
                 before_read=None, receive_buffer=None):
        self.keeps_bytes = keeps_bytes
        self.on_head = on_head or self.invite
        self.on_request = on_request or self.describe
        self.before_read = before_read or (lambda connection: None)
        self.connections = []
        self.requests = []
        self.complete_requests = []
        self._lock = threading.Lock()
        self._probes = {}
        family = socket.AF_UNIX if isinstance(listen, str) else (
            socket.AF_INET6 if ":" in listen[0] else socket.AF_INET)
        self._listener = socket.socket(family, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if receive_buffer is not None:
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._listener.bind(listen)
        self._listener.listen(128)
        self.address = self._listener.getsockname()
        if family != socket.AF_UNIX:
            self.address = self.address[:2]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        if isinstance(self.address, str):
            return f"unix:{self.address}"
        host, port = self.address
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    # What it usually does.

    def invite(self, request):
        """Answers an expectation before the body is read."""
        if request.field("Expect"):
            request.connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def describe(self, request):
        """Answers with what was read, and with the request's own mark."""
        request.connection.answer(
            200,
            {
                "bytes": request.body_bytes,
                "sha256": request.sha256,
                "target": request.target,
                "mark": request.field("X-Mark"),
            },
            [("Content-Type", "application/json")],
        )

    # What it has seen.

    @property
    def raw(self):
        """Every byte of every connection."""
        return b"".join(bytes(connection.raw) for connection in self.connections)

    def wait_for_request(self, count=1, within=SOON):
        """Waits until the heads of `count` requests have come; returns the last of them."""
        wait_until(lambda: len(self.requests) >= count, f"{count} requests upstream", within)
        return self.requests[count - 1]

    def wait_for_complete(self, count=1, within=SOON):
        wait_until(
            lambda: len(self.complete_requests) >= count, f"{count} complete requests upstream",
            within)
        return self.complete_requests[count - 1]

    def wait_for_end(self, index=0, within=SOON):
        """Waits until the connection has ended, and returns how."""
        return wait_until(
            lambda: len(self.connections) > index and self.connections[index].end,
            f"the end of upstream connection {index}", within)

    def is_untouched(self):
        """Whether nobody has connected.

        Connections are accepted in the order in which they were made: once one of our own has been
        accepted, none that was made before it can still be on its way.
        """
        family = socket.AF_INET6 if ":" in self.address[0] else socket.AF_INET
        with socket.socket(family) as probe:
            probe.bind((self.address[0], 0))
            accepted = self._probes[probe.getsockname()] = threading.Event()
            probe.connect(self.address)
            accepted.wait(SOON)
        return not self.connections

    # How it works.

    def _accept(self):
        while True:
            try:
                sock, peer = self._listener.accept()
            except OSError:
                return
            if peer in self._probes:
                sock.close()
                self._probes[peer].set()
                continue
            connection = Connection(self, sock)
            with self._lock:
                self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            while self._serve_one(connection):
                pass
            end = "ours"
        except EndOfStream:
            end = "fin"
        except (ConnectionResetError, BrokenPipeError):
            end = "reset"
        except Malformed as problem:
            end = f"malformed: {problem}"
        except (OSError, ValueError):
            end = "ours"
        connection.end = connection.end or end
        connection.socket.close()

    def _serve_one(self, connection):
        request = self._read_head(connection)
        with self._lock:
            connection.requests.append(request)
            self.requests.append(request)
        if self.on_head(request):
            return False
        self._read_body(request, connection.reader)
        request.is_complete = True
        with self._lock:
            self.complete_requests.append(request)
        self.on_request(request)
        return (request.field("Connection") or "").lower() != "close"

    def _read_line(self, reader):
        line = reader.readline(1 << 16)
        if not line.endswith(b"\n"):
            raise EndOfStream
        if not line.endswith(b"\r\n") or b"\r" in line[:-2] or b"\0" in line:
            raise Malformed(f"line {line!r}")
        return line[:-2]

    def _read_head(self, connection):
        line = self._read_line(connection.reader)
        match = re.fullmatch(rb"(%s) (\S+) HTTP/1\.1" % TOKEN, line)
        if not match:
            raise Malformed(f"request line {line!r}")
        fields = self._read_fields(connection.reader)
        request = Request(
            connection, match[1].decode(), match[2].decode(), fields, self.keeps_bytes)
        if request.field("Host") is None:
            raise Malformed("no Host")
        return request

    def _read_fields(self, reader):
        fields = []
        while line := self._read_line(reader):
            field = re.fullmatch(rb"(%s):[ \t]*(.*?)[ \t]*" % TOKEN, line)
            if not field:
                raise Malformed(f"field line {line!r}")
            fields.append((field[1].decode(), field[2].decode("latin-1")))
        return fields

    def _read_body(self, request, reader):
        length, coding = request.field("Content-Length"), request.field("Transfer-Encoding")
        buffer = memoryview(bytearray(READ_SIZE))
        if coding is not None:
            if length is not None or coding != "chunked":
                raise Malformed(f"framing {request.fields}")
            self._read_chunks(request, reader, buffer)
        elif length is not None:
            if not re.fullmatch(r"\d+", length):
                raise Malformed(f"Content-Length {length}")
            self._read_content(request, reader, buffer, int(length))

    def _read_chunks(self, request, reader, buffer):
        while True:
            line = self._read_line(reader)
            if not re.fullmatch(rb"[0-9A-Fa-f]{1,16}", line):
                raise Malformed(f"chunk line {line!r}")
            size = int(line, 16)
            if size == 0:
                break
            self._read_content(request, reader, buffer, size)
            if self._read_line(reader) != b"":
                raise Malformed("chunk data is longer than its size")
        request.trailers = self._read_fields(reader)
        announced = (request.field("Trailer") or "").lower().split(", ")
        if any(name.lower() not in announced for name, _ in request.trailers):
            raise Malformed("trailers that nobody announced")

    def _read_content(self, request, reader, buffer, count):
        while count > 0:
            got = reader.readinto1(buffer[:min(count, READ_SIZE)])
            if not got:
                raise EndOfStream
            request.take(buffer[:got])
            count -= got

    def stop(self):
        """Closes everything at once, as a server that was killed does."""
        # A blocked accept only notices that its socket was shut down, not that it was closed.
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        for connection in self.connections:
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def free_port():
    """A port of 127.0.0.1 on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

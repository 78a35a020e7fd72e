"""The gates from outside: every body of a table, in two pieces, cut at every point.

Between the pieces the test waits until the proxy has read the first one, and looks at what the
upstream has. Of a body that is accepted that is known exactly: a twin of the gates reads it off the
whole body. Of one that is refused it is a prefix that ends before the mark.
"""

import errno
import json
import select
import socket
import time

from harness import SOON, TestCase, Weir

CONTENT_TYPE = "multipart/form-data; boundary=b"
FIELD = 'Content-Disposition: form-data; name="{}"\r\n\r\n'
FILE = 'Content-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
GOOD = "--b\r\n" + FIELD.format("a") + "1\r\n"
LARGE = "--b\r\n" + FILE + "v" * 60 + "\r\n"
MARK = "■"


class Accepted:
    """A well-formed body, given by the contents of its parts."""

    def __init__(self, name, contents, hold=0, lead="", end="--\r\n", chunked=False, **settings):
        self.name, self.hold, self.chunked, self.settings = name, hold, chunked, settings
        self.refused = False
        body = lead.encode()
        self.parts = []
        for index, content in enumerate(contents):
            body += b"--b\r\n" if index == 0 else b"\r\n--b\r\n"
            head = len(body)
            body += FIELD.format(index).encode()
            self.parts.append((head, len(body), len(body) + len(content)))
            body += content.encode()
        self.body = body + b"\r\n--b" + end.encode()

    def released(self, count):
        """How many bytes have left once the first `count` have been read, and not all of them."""
        declared = 0 if self.chunked else len(self.body)
        if max(count, declared) <= self.hold:
            return 0
        begun = [part for part in self.parts if part[1] <= count]
        if not begun:
            return 0
        head, content, end = begun[-1]
        delimiter = end + len("\r\n--b")
        if count >= delimiter + 2:
            return end if begun[-1] == self.parts[-1] else delimiter + 2
        settled = end if count >= delimiter else count - held(self.body[content:count])
        return head if settled - content <= self.hold else settled


def held(content):
    """How many of the last bytes of `content` may begin a delimiter, with any line end."""
    if content and b"--b".startswith(content):
        return len(content)
    starts = [end + b"--b" for end in (b"\r\n", b"\r", b"\n")]
    return max((size for start in starts for size in range(1, len(start) + 1)
                if content.endswith(start[:size])), default=0)


class Refused:
    """A body that is refused, with a mark before what must never leave."""

    def __init__(self, name, text, status=400, hold=0, chunked=False, **settings):
        self.name, self.hold, self.chunked, self.settings = name, hold, chunked, settings
        self.refused = True
        self.status = status
        self.most = len(text[:text.index(MARK)].encode())
        self.body = text.replace(MARK, "").encode()


ACCEPTED = [
    Accepted("one field", ["value"]),
    Accepted("one field, chunked", ["value"], chunked=True),
    Accepted("two fields", ["1", "22"]),
    Accepted("empty parts", ["", "", ""]),
    Accepted("no end of line at the end", ["x"], end="--"),
    Accepted("blank line at the end, chunked", ["x"], end="--\r\n\r\n", chunked=True),
    Accepted("CRLF in front", ["x"], lead="\r\n"),
    Accepted("like delimiters", ["\r\r\n-\r\n--\r\n--c--b\n-b\r--\r"]),
    Accepted("like delimiters, chunked", ["\r\n\r\n--\r\n-", "\n\r-\r\n--a"], chunked=True),
    Accepted("begins like a delimiter", ["--a", "-"]),
    Accepted("held whole", ["value"], hold=1000),
    Accepted("held whole, chunked", ["value"], hold=1000, chunked=True),
    Accepted("held parts", ["12345678", "1234567"], hold=7),
    Accepted("held parts, chunked", ["123456", "1" * 20, ""], hold=7, chunked=True),
    Accepted("held up to the limit", ["\r\n--\r\n", "1234567"], hold=60),
]

REFUSED = [
    # G1
    Refused("no delimiter", MARK + "nothing at all"),
    Refused("preamble", MARK + "x\r\n" + GOOD + "--b--"),
    Refused("bytes after the first delimiter", MARK + "--bx\r\n" + FILE + "v\r\n--b--"),
    Refused("bare LF after the first delimiter", MARK + "--b\n" + FILE + "v\r\n--b--"),
    Refused("first part without a name", MARK + "--b\r\nContent-Disposition: form-data\r\n\r\nv"),
    Refused("NUL in the first header", MARK + "--b\r\nX: \0\r\n\r\nv\r\n--b--"),
    Refused("small body, bad end", MARK + GOOD + "--b\r\n", hold=1000),
    Refused("small body, bad end, chunked", MARK + GOOD + "--b", hold=1000, chunked=True),
    # G2
    Refused("second part without a name",
            GOOD + "--b\r\n" + MARK + "Content-Disposition: form-data\r\n\r\nv\r\n--b--"),
    Refused("bare LF in the second header",
            LARGE + "--b\r\n" + MARK + FIELD.format("c").replace("\r\n", "\n", 1) + "v\r\n--b--"),
    Refused("two names in the second header",
            GOOD + "--b\r\n" + MARK + 'Content-Disposition: form-data; name="a"; name="b"\r\n\r\n'
            "v\r\n--b--", chunked=True),
    Refused("header too large", GOOD + "--b\r\n" + MARK + "X: " + "y" * 80 + "\r\n\r\nv\r\n--b--",
            limits={"partHeaderLineBytes": 64}),
    Refused("a third part", GOOD + GOOD + "--b\r\n" + MARK + FIELD.format("c") + "v\r\n--b--",
            status=413, limits={"parts": 2}),
    # G3
    Refused("second part is small and bad",
            LARGE + "--b\r\n" + MARK + FIELD.format("c") + "SECRET\n--b--", hold=40),
    Refused("second part is small and cut", LARGE + "--b\r\n" + MARK + FIELD.format("c") + "SECRET",
            hold=40, chunked=True),
    # G4
    Refused("bare LF before a delimiter", LARGE[:-2] + MARK + "\n--b\r\n" + FILE + "v\r\n--b--"),
    Refused("bytes after a delimiter", LARGE[:-2] + MARK + "\r\n--bx\r\n" + FILE + "v\r\n--b--"),
    Refused("no content", GOOD + "--b\r\n" + FILE + MARK + "--b--"),
    Refused("part too large", GOOD + "--b\r\n" + FILE + "v" * 50 + MARK + "v" * 9 + "\r\n--b--",
            status=413, limits={"partBytes": 50}),
    Refused("part with a wrong digest",
            GOOD + "--b\r\nContent-Digest: sha-256=:" + "A" * 43 + "=:\r\n" + FILE + "v" * 9 + MARK
            + "\r\n--b--", status=422),
    # G5
    Refused("no close-delimiter", LARGE[:-2] + MARK),
    Refused("no close-delimiter, chunked", LARGE[:-2] + MARK, chunked=True),
    Refused("delimiter at the end", LARGE + "--b\r\n" + MARK),
    Refused("half a close-delimiter", LARGE[:-2] + MARK + "\r\n--b-", chunked=True),
    Refused("bytes after the close-delimiter", LARGE[:-2] + MARK + "\r\n--b--junk"),
    Refused("body too large", GOOD + LARGE[:-12] + MARK + "v" * 30 + "\r\n--b--", status=413,
            chunked=True, limits={"bodyBytes": len(GOOD + LARGE) - 12}),
]


class Connection:
    """What one upstream connection has brought, read by hand so that nothing is left in between."""

    def __init__(self, sock):
        self.socket = sock
        self.socket.setblocking(False)
        self.raw = b""
        self.end = None

    def read(self, within=0.0):
        """Reads what is there, or waits for something; returns whether anything came."""
        if self.end or not select.select([self.socket], [], [], within)[0]:
            return False
        try:
            data = self.socket.recv(1 << 16)
            self.raw += data
            self.end = None if data else "fin"
        except ConnectionResetError:
            self.end = "reset"
        return True

    @property
    def body(self):
        """The content that has come, and whether it is complete."""
        head, end, rest = self.raw.partition(b"\r\n\r\n")
        if not end:
            return b"", False
        lines = head.lower().split(b"\r\n")
        lengths = [int(line[15:]) for line in lines if line.startswith(b"content-length:")]
        if lengths:
            return rest, len(rest) >= lengths[0]
        content = b""
        while True:
            line, end, rest = rest.partition(b"\r\n")
            if not end:
                return content, False
            size = int(line, 16)
            if size == 0:
                return content, rest == b"\r\n"
            content += rest[:size]
            if len(rest) < size + 2:
                return content, False
            rest = rest[size + 2:]


class EveryCut(TestCase):
    def setUp(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.addCleanup(self.listener.close)
        host, port = self.listener.getsockname()
        self.url = f"http://{host}:{port}"

    def test_accepted(self):
        self.run_all(ACCEPTED)

    def test_refused(self):
        self.run_all(REFUSED)

    def run_all(self, cases):
        for case in cases:
            config = {"hold": case.hold, **case.settings}
            with self.subTest(case.name), Weir.serve(
                    self.url, "--lanes", "1", "--audit-log", "off", config=config) as weir:
                for cut in range(len(case.body) + 1):
                    self.run_cut(weir, case, cut)

    def run_cut(self, weir, case, cut):
        where = f"{case.name}, cut at {cut}"
        first, second = case.body[:cut], case.body[cut:]
        framing = "Transfer-Encoding: chunked" if case.chunked \
            else f"Content-Length: {len(case.body)}"
        with socket.create_connection(weir.address, SOON) as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.sendall(f"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: {CONTENT_TYPE}\r\n"
                           f"{framing}\r\nConnection: close\r\n\r\n".encode()
                           + framed(first, case.chunked))
            upstream = None
            expected = None if case.refused or not second else case.released(cut)
            if expected:
                upstream = self.accept()
                self.wait_for(upstream, expected, where)
            self.pass_behind(weir)
            upstream = upstream or self.accept_if_there()
            while upstream and upstream.read():
                pass
            seen, is_complete = upstream.body if upstream else (b"", False)
            most = case.most if case.refused else expected if second else len(case.body)
            self.assertTrue(case.body.startswith(seen), where)
            self.assertLessEqual(len(seen), most, where)
            if second or case.chunked or case.refused:
                self.assertFalse(is_complete, where)
            self.send_rest(client, second, case.chunked)
            if case.refused:
                self.check_refused(client, upstream, case, where)
            else:
                self.check_accepted(client, upstream, case, where)

    def wait_for(self, upstream, count, where):
        deadline = time.monotonic() + SOON
        while len(upstream.body[0]) < count:
            upstream.read(1)
            self.assertIsNone(upstream.end, where)
            self.assertLess(time.monotonic(), deadline,
                            f"{where}: {len(upstream.body[0])} bytes upstream of {count}")

    def pass_behind(self, weir):
        """Returns once the only lane has served clients that came later, from beginning to end.

        There are two of them, because what the first piece of a body sets off goes on in the next
        round of the lane: only then is the connection to the upstream there.
        """
        for _ in range(2):
            with socket.create_connection(weir.address, SOON) as probe:
                probe.sendall(b"no request\r\n\r\n")
                self.assertTrue(probe.recv(1 << 16).startswith(b"HTTP/1.1 400"))

    def send_rest(self, client, second, chunked):
        try:
            client.sendall(framed(second, chunked) + (b"0\r\n\r\n" if chunked else b""))
        except OSError as error:  # refused already, and the connection is gone
            self.assertIn(error.errno, (errno.EPIPE, errno.ECONNRESET))

    def check_accepted(self, client, upstream, case, where):
        upstream = upstream or self.accept()
        while not upstream.body[1]:
            self.assertTrue(upstream.read(SOON), where)
            self.assertIsNone(upstream.end, where)
        self.assertEqual(upstream.body[0], case.body, where)
        upstream.socket.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        self.assertTrue(client.recv(1 << 16).startswith(b"HTTP/1.1 200"), where)
        upstream.socket.close()

    def check_refused(self, client, upstream, case, where):
        answer = client.recv(1 << 16)
        self.assertTrue(answer.startswith(b"HTTP/1.1 %d" % case.status), f"{where}: {answer}")
        json.loads(answer.partition(b"\r\n\r\n")[2])
        # The refusal and the reset belong together, so what was connected to is there by now.
        upstream = upstream or self.accept_if_there()
        if upstream is None:
            return
        while not upstream.end:
            self.assertTrue(upstream.read(SOON), f"{where}: the upstream's connection stays")
        if upstream.raw:
            self.assertEqual(upstream.end, "reset", where)
        seen, is_complete = upstream.body
        self.assertFalse(is_complete, where)
        self.assertTrue(case.body.startswith(seen), where)
        self.assertLessEqual(len(seen), case.most, where)
        upstream.socket.close()

    def accept(self):
        self.assertTrue(select.select([self.listener], [], [], SOON)[0], "nobody connects")
        return Connection(self.listener.accept()[0])

    def accept_if_there(self):
        return self.accept() if select.select([self.listener], [], [], 0)[0] else None


def framed(data, chunked):
    return b"%x\r\n%s\r\n" % (len(data), data) if chunked and data else data

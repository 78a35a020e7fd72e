"""Requests as raw bytes: good ones, and what a little damage makes of them."""

import random

FORM = (b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nhello\r\n--b\r\n'
        b'Content-Disposition: form-data; name="f"; filename="x.txt"\r\n'
        b"Content-Type: text/plain\r\n\r\nworld\r\n--b--\r\n")


def post(body, fields=b"", target=b"/upload", version=b"1.1", method=b"POST"):
    return (method + b" " + target + b" HTTP/" + version + b"\r\nHost: weir.test\r\n" + fields
            + b"Content-Length: %d\r\n\r\n" % len(body) + body)


def chunked(*lines, fields=b"", method=b"POST"):
    return (method + b" /upload HTTP/1.1\r\nHost: weir.test\r\n" + fields
            + b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(lines))


GET = b"GET /a?b=c HTTP/1.1\r\nHost: weir.test\r\nAccept: */*\r\nUser-Agent: x\r\n\r\n"
TYPE = b"Content-Type: multipart/form-data; boundary=b\r\n"

# Damage goes somewhere into one of these.
GOOD = [
    GET,
    post(b"hello"),
    post(FORM, TYPE),
    post(b"", b"X-A: b\r\n"),
    post(b"hello", b"Expect: 100-continue\r\n"),
    post(b"hello", method=b"PUT", target=b"/a/%2e%2e/b"),
    post(b"{}", b"Content-Type: application/json\r\nCookie: a=1\r\nCookie: b=2\r\n"),
    chunked(b"5\r\nhello\r\n", b"0\r\n\r\n"),
    chunked(b"5;a=b\r\nhello\r\n", b'6;c="d e"\r\n world\r\n', b"0\r\n\r\n"),
    chunked(b"5\r\nhello\r\n", b"0\r\nX-T: a\r\n\r\n", fields=b"Trailer: X-T\r\n"),
    chunked(b"%x\r\n%b\r\n" % (len(FORM), FORM), b"0\r\n\r\n", fields=TYPE),
    b"GET http://weir.test/a HTTP/1.1\r\nHost: weir.test\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: weir.test\r\n\r\n",
    b"GET /a HTTP/1.0\r\n\r\n",
    b"GET /a HTTP/1.0\r\nConnection: keep-alive\r\nHost: weir.test\r\n\r\n",
    post(b"hello", version=b"1.0"),
    b"HEAD /a HTTP/1.1\r\nHost: weir.test\r\n\r\n",
    b"DELETE /a HTTP/1.1\r\nHost: weir.test:8080\r\nConnection: close\r\n\r\n",
    GET + GET,
    post(b"hello") + GET,
    chunked(b"5\r\nhello\r\n", b"0\r\n\r\n") + GET,
    post(b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n") + GET,
]

# What attacks on proxies are made of.
PIECES = [
    b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b"\x0b", b"\xa0", b"\x85", b"\xff", b":", b";", b",",
    b"#", b"@", b"\\", b'"', b"\r\n\r\n", b"\r\r\n", b"\n\n", b"0\r\n\r\n", b"0\r\n", b"-1", b"+5",
    b"0x5", b"9" * 20, b"f" * 17, b"\r\n ", b"\r\n\t", b"HTTP/1.1", b"HTTP/2.0", b"http/1.1",
]

# Field lines that say something about the message, or seem to.
LINES = [
    b"Content-Length: 5", b"Content-Length: 0", b"Content-Length: 05", b"Content-Length: 5, 5",
    b"Content-Length: +5", b"Content-Length:5", b"Content-Length : 5", b"Content-Length: 0x5",
    b"Content-Length: 18446744073709551621", b"Content_Length: 5", b"content-length: 6",
    b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity", b"Transfer-Encoding:chunked",
    b"Transfer-Encoding : chunked", b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding: xchunked",
    b"Transfer-Encoding: chunked, identity", b"Transfer-Encoding: \x0bchunked",
    b"Transfer-Encoding: Chunked", b"Transfer-Encoding:\r\n chunked", b" Transfer-Encoding: chunked",
    b"Transfer_Encoding: chunked", b"Host: evil.test", b"Host:", b"Host: a b", b"host: weir.test",
    b"Host: evil.test:99999", b"Host: a@b", b"Connection: close", b"Connection: keep-alive",
    b"Connection: Content-Length", b"Connection: X-A", b"Connection: upgrade", b"Upgrade: h2c",
    b"Upgrade: websocket", b"Expect: 100-continue", b"Expect: x", b"X-A: b\r\n c", b"X-A", b": x",
    b"X A: b", b"X-A: b\0", b"X-A: b\x01", b"X-A: b\rc", b"TE: trailers", b"Trailer: X-T",
    b"X-Forwarded-For: 6.6.6.6", b"Via: 1.1 x", b"Keep-Alive: timeout=5", b"X-B: \xe9",
    b"Content-Type: multipart/form-data; boundary=b", b"Max-Forwards: 0", b"Range: bytes=0-1",
]

STARTS = [
    b"GET /a HTTP/1.1", b"GET  /a HTTP/1.1", b"GET /a HTTP/1.1 ", b"GET /a b HTTP/1.1", b"GET /a",
    b"get /a HTTP/1.1", b"G<T /a HTTP/1.1", b"GET\t/a HTTP/1.1", b"GET /a HTTP/1.2", b"GET /a HTTP/2.0",
    b"GET /a HTTP/0.9", b"GET /a HTTP/1.10", b"GET a HTTP/1.1", b"GET /a#b HTTP/1.1",
    b"GET /\xe9 HTTP/1.1", b"GET /a\\b HTTP/1.1", b"GET @evil/ HTTP/1.1", b"GET * HTTP/1.1",
    b"GET http://evil.test/ HTTP/1.1", b"GET http://u@evil.test/ HTTP/1.1", b"GET ftp://a/ HTTP/1.1",
    b"CONNECT evil.test:443 HTTP/1.1", b"TRACE /a HTTP/1.1", b"BREW /a HTTP/1.1", b"GET //a HTTP/1.1",
    b"GET /a/../b HTTP/1.1", b"GET ?a HTTP/1.1", b"\r\nGET /a HTTP/1.1", b"\nGET /a HTTP/1.1",
    b" GET /a HTTP/1.1", b"GET /a HTTP/1.1\rX: y", b"PRI * HTTP/2.0",
]

CHUNKS = [
    b"5\nhello\r\n", b"5\r\nhello\n", b"5\r\nhelloXX", b"+5\r\nhello\r\n", b"0x5\r\nhello\r\n",
    b"5 \r\nhello\r\n", b" 5\r\nhello\r\n", b"5;\r\nhello\r\n", b'5;a="\r\n"\r\nhello\r\n',
    b"05\r\nhello\r\n",
    b"5;a\nb\r\nhello\r\n", b"5\r\r\nhello\r\n", b"10000000000000005\r\nhello\r\n", b"5_\r\nhello\r\n",
    b"A\r\nhelloworld\r\n", b"\r\nhello\r\n", b"5\rhello\r\n", b"5;a=b;c\r\nhello\r\n",
    b"00000000000000000005\r\nhello\r\n",
]


class Generator:
    """Requests that only depend on the seed."""

    def __init__(self, seed):
        self._chance = random.Random(seed)

    def message(self):
        data = self._chance.choice(GOOD)
        # Some stay as they are.
        for _ in range(self._chance.choice([0, 1, 1, 1, 1, 2, 2, 3])):
            data = self._chance.choice(self.DAMAGE)(self, data) or b"\0"
        return data

    def _insert(self, data):
        at = self._chance.randrange(len(data) + 1)
        return data[:at] + self._chance.choice(PIECES) + data[at:]

    def _replace(self, data):
        at = self._chance.randrange(len(data))
        return data[:at] + self._chance.choice(PIECES) + data[at + 1:]

    def _flip(self, data):
        at = self._chance.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 1 << self._chance.randrange(8)]) + data[at + 1:]

    def _delete(self, data):
        at = self._chance.randrange(len(data))
        return data[:at] + data[at + self._chance.choice([1, 1, 2, 8]):]

    def _repeat(self, data):
        at = self._chance.randrange(len(data))
        piece = data[at:at + self._chance.choice([1, 2, 8, 40])]
        to = self._chance.randrange(len(data))
        return data[:to] + piece + data[to:]

    def _cut(self, data):
        return data[:self._chance.randrange(len(data)) + 1]

    def _lines(self, data):
        """The head's lines, and what comes behind it."""
        head, middle, rest = data.partition(b"\r\n\r\n")
        return head.split(b"\r\n"), middle + rest

    def _add_line(self, data):
        lines, rest = self._lines(data)
        line = self._chance.choice(LINES)
        lines.insert(self._chance.randint(1, len(lines)), line)
        return b"\r\n".join(lines) + rest

    def _double_line(self, data):
        lines, rest = self._lines(data)
        lines.insert(self._chance.randint(1, len(lines)), self._chance.choice(lines))
        return b"\r\n".join(lines) + rest

    def _drop_line(self, data):
        lines, rest = self._lines(data)
        del lines[self._chance.randrange(len(lines))]
        return b"\r\n".join(lines) + rest

    def _other_end(self, data):
        """One line of the head ends another way."""
        lines, rest = self._lines(data)
        at = self._chance.randrange(len(lines))
        lines[at] += self._chance.choice([b"\n", b"\r", b"\r\r\n", b" ", b"\t"])
        return b"\r\n".join(lines) + rest

    def _other_start(self, data):
        lines, rest = self._lines(data)
        lines[0] = self._chance.choice(STARTS)
        return b"\r\n".join(lines) + rest

    def _other_chunk(self, data):
        at = data.find(b"5\r\nhello\r\n")
        if at < 0:
            return self._insert(data)
        return data[:at] + self._chance.choice(CHUNKS) + data[at + 10:]

    DAMAGE = [_insert, _insert, _replace, _flip, _delete, _repeat, _cut, _add_line, _add_line,
              _add_line, _double_line, _drop_line, _other_end, _other_start, _other_chunk]

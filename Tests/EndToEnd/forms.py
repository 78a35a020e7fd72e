"""Multipart bodies, whose every offset the tests know."""

import hashlib
import itertools
import random

BOUNDARY = "7MA4YWxkTrZu0gW"
DELIMITER = b"--" + BOUNDARY.encode()
CLOSE = DELIMITER + b"--\r\n"
CONTENT_TYPE = f"multipart/form-data; boundary={BOUNDARY}"


class Part:
    """One part: what is sent, and what Weir should say of it."""

    def __init__(self, name, content, filename=None, content_type=None):
        self.name = name
        self.content = content
        self.filename = filename
        self.content_type = content_type

    @property
    def header(self):
        text = f'Content-Disposition: form-data; name="{self.name}"'
        if self.filename is not None:
            text += f'; filename="{self.filename}"'
        if self.content_type is not None:
            text += f"\r\nContent-Type: {self.content_type}"
        return text.encode() + b"\r\n\r\n"

    @property
    def sha256(self):
        return hashlib.sha256(self.content).hexdigest()

    @property
    def encoded(self):
        """Everything from the delimiter before the part to the CRLF after its content."""
        return DELIMITER + b"\r\n" + self.header + self.content + b"\r\n"


class Form:
    """A whole form, and where in its body each part's content lies."""

    content_type = CONTENT_TYPE

    def __init__(self, *parts, end=CLOSE):
        self.parts = parts
        self.offsets = []
        body = bytearray()
        for part in parts:
            encoded = part.encoded
            start = len(body) + len(DELIMITER) + 2 + len(part.header)
            self.offsets.append((start, start + len(part.content)))
            body += encoded
        self.body = bytes(body) + end

    @property
    def expected_parts(self):
        """What `weir inspect --json` says of the parts."""
        return [
            {
                "index": index,
                "name": part.name,
                "filename": part.filename,
                "content_type": part.content_type,
                "size": len(part.content),
                "sha256": part.sha256,
                "offset": self.offsets[index][0],
            }
            for index, part in enumerate(self.parts)
        ]


def noise(size, seed=1):
    """Bytes in which nothing looks like anything, the same every time."""
    return random.Random(seed).randbytes(size)


def photo_form(size=100_000):
    """A form as a person sends it: a caption and a photo."""
    return Form(
        Part("caption", "Reading on the train ☕".encode()),
        Part("photo", noise(size), "x.jpg", "image/jpeg"),
    )


class LargeUpload:
    """A form with one file that is too large to be kept: it is made as it is sent.

    Every mebibyte begins with its own number, so that a lost, repeated or moved piece changes the
    digests, which are taken while the bytes are made.
    """

    PIECE = 1 << 20

    content_type = CONTENT_TYPE

    def __init__(self, mebibytes, seed=1):
        head = Part("file", b"", "large.bin", "application/octet-stream")
        self._before = DELIMITER + b"\r\n" + head.header
        self._after = b"\r\n" + CLOSE
        self._mebibytes = mebibytes
        self._seed = seed
        self.content_bytes = mebibytes * self.PIECE
        self.body_bytes = len(self._before) + self.content_bytes + len(self._after)
        self._content = hashlib.sha256()
        self._body = hashlib.sha256()

    @property
    def content_sha256(self):
        return self._content.hexdigest()

    @property
    def body_sha256(self):
        return self._body.hexdigest()

    def pieces(self):
        """The body, piece by piece; a piece is only valid until the next one."""
        self._body.update(self._before)
        yield self._before
        piece = bytearray(noise(self.PIECE, self._seed))
        for number in range(self._mebibytes):
            piece[:8] = number.to_bytes(8, "big")
            self._content.update(piece)
            self._body.update(piece)
            yield memoryview(piece)
        self._body.update(self._after)
        yield self._after


def chunks(body, sizes=(1, 7, 4096, 65536)):
    """`body` in the chunked transfer coding, in chunks of the sizes given, over and over."""
    out = bytearray()
    offset = 0
    for size in itertools.cycle(sizes):
        if offset >= len(body):
            break
        piece = body[offset:offset + size]
        out += b"%x\r\n%s\r\n" % (len(piece), piece)
        offset += size
    return bytes(out) + b"0\r\n\r\n"

"""Seeded form bodies: well-formed ones of many shapes, and mutations of them."""

import random

BOUNDARIES = ["b0Und", "----WebKitFormBoundaryA1b2C3d4", "-----q", "aabaabaa", "x'()+_,-./:=?y"]
NAMES = ["a", "caption", "photo", "", "x[]", "naïve", "a b", "name=a", "filename", "日本語"]
FILENAMES = ["x.jpg", "résumé %22final%22.jpg", "a;b.txt", "", "C:\\docs\\t.txt", "a.b.c", "☕.png"]
TYPES = [None, "text/plain", "image/png", "application/octet-stream", "text/plain; charset=utf-8"]
JUNK = [b"\r", b"\n", b"\r\n", b"--", b";", b"\"", b":", b" ", b"\t", b"\0", b"\\", b"=", b"\x80"]
LINES = [b"X-Extra: 1\r\n", b"no colon\r\n", b" folded\r\n", b"Content-Type: text/html\r\n",
         b"Content-Disposition: form-data; name=\"z\"\r\n", b"A : b\r\n",
         b"Content-Transfer-Encoding: base64\r\n", b"Content-Length: 3\r\n"]


# What may happen to a Content-Type; {b} is the boundary, {o} another one.
TYPE_ENDS = ['; boundary={o}', '; boundary="{b}"', "; charset=utf-8", "; charset=utf-16", ";", " ",
             "; boundary*=UTF-8\'\'{o}", "; boundary*0={o}", "; xboundary={o}", "x", " {o}", ", {o}",
             "; BOUNDARY={o}", '"']


class Generator:
    """Makes one body after the other, always the same ones for a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def content(self, boundary):
        r = self.random
        near = [b"\r\n--" + boundary[:-1], b"--" + boundary, b"\r\n--", b"\n", b"\r", b"\r\n",
                b"\r\n-" + boundary, boundary]
        pieces = []
        for _ in range(r.randrange(5)):
            pieces.append(r.choice(near) if r.random() < 0.4 else r.randbytes(r.randrange(40)))
        return b"".join(pieces)

    def form(self):
        """A body as a careful client makes it, and its Content-Type."""
        r = self.random
        text = r.choice(BOUNDARIES)
        boundary = text.encode()
        body = b""
        for _ in range(r.choice([0, 1, 1, 2, 3, 5])):
            disposition = f'Content-Disposition: form-data; name="{r.choice(NAMES)}"'
            if r.random() < 0.5:
                disposition += f'; filename="{r.choice(FILENAMES)}"'
            lines = [disposition]
            media_type = r.choice(TYPES)
            if media_type:
                lines.append("Content-Type: " + media_type)
            if r.random() < 0.2:
                r.shuffle(lines)
            content = self.content(boundary)
            body += b"--" + boundary + b"\r\n" + "\r\n".join(lines).encode() + b"\r\n\r\n"
            body += content + b"\r\n"
        body += b"--" + boundary + b"--" + r.choice([b"", b"\r\n", b"\r\n"])
        is_token = text.replace("-", "").isalnum()
        quoted = r.random() < 0.5 or not is_token
        parameter = f'"{text}"' if quoted else text
        return f"multipart/form-data; boundary={parameter}", body, boundary

    def body(self):
        """A body and its Content-Type: well-formed, or damaged in one to three places."""
        content_type, body, boundary = self.form()
        r = self.random
        if r.random() < 0.3:
            return content_type, body
        if r.random() < 0.15:
            content_type = self.mutated_type(content_type, boundary.decode())
            if r.random() < 0.7:
                return content_type, body
        for _ in range(r.randint(1, 3)):
            body = self.mutated(body, boundary)
        return content_type, body

    def mutated_type(self, content_type, boundary):
        r = self.random
        way = r.randrange(5)
        if way < 3:
            other = r.choice([boundary, boundary[:-1], boundary + "x", r.choice(BOUNDARIES)])
            return content_type + r.choice(TYPE_ENDS).format(b=boundary, o=other)
        if way == 3:
            old, new = r.choice([("boundary=", "Boundary="), ("boundary=", "boundary = "),
                                 ("form-data", "Form-Data"), ("; ", ";"), ("; ", " ;\t"),
                                 ("; ", " "), ("; ", ";; "), ("form-data", "form-datax"),
                                 ("; ", '; a="x; boundary=z"; '), ("; ", "; charset=utf-8; ")])
            return content_type.replace(old, new, 1)
        at = r.randrange(len(content_type))
        return content_type[:at] + r.choice(["", '"', "\\", " ", ";", "="]) + content_type[at + 1:]

    def mutated(self, body, boundary):
        r = self.random
        at = r.randrange(len(body) + 1)
        heads = [i for i in range(len(body)) if body.startswith(b"\r\n", i)] or [0]
        line = r.choice(heads)
        way = r.randrange(9)
        if way == 0:
            return body[:at] + r.choice(JUNK) + body[at:]
        if way == 1:
            return body[:at] + body[at + 1:]
        if way == 2 and at < len(body):
            return body[:at] + bytes([r.randrange(256)]) + body[at + 1:]
        if way == 3:
            return body[:line] + r.choice([b"\n", b"\r", b"\r\r\n", b" \r\n"]) + body[line + 2:]
        if way == 4:
            return body[:line + 2] + r.choice(LINES) + body[line + 2:]
        if way == 5:
            return body[:at]
        if way == 6:
            return body[:line + 2] + b"--" + boundary + r.choice([b"", b"--", b" "]) + body[line:]
        if way == 7:
            quotes = [i for i, byte in enumerate(body) if byte == 0x22] or [0]
            q = r.choice(quotes)
            extra = [b'"; name="y', b'"; filename="y.php', b"\\", b"", b"'", b'"; filename*=UTF-8\'\'y']
            return body[:q] + r.choice(extra) + body[q:]
        return body + r.choice([b"\r\n", b"junk", b"--" + boundary + b"--", body])

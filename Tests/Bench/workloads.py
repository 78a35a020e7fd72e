"""What is sent: requests made of a prefix, a block that is repeated, and a suffix."""

import dataclasses
import random

BOUNDARY = "----WeirBench7MA4YWxkTrZu0gW"
BLOCK = 256 << 10
MEBIBYTE = 1 << 20


@dataclasses.dataclass
class Workload:
    """One kind of request, and how many connections send it.

    It is large if what counts is the cost of a byte, and else the cost of a request.
    """

    name: str
    connections: int
    size: int = 0  # of its file
    is_large: bool = False
    is_chunked: bool = False
    parts: int = 1
    idle: int = 0

    def __post_init__(self):
        self.block = random.Random(1).randbytes(BLOCK)
        self.count = 0
        if self.parts > 1:
            body = b"".join(self.part(number) for number in range(self.parts)) + self.end()
            self.body, pieces = len(body), (body, b"", b"")
        elif self.size < BLOCK:
            body = self.file_head() + self.block[:self.size] + self.end()
            self.body, pieces = len(body), (body, b"", b"")
        else:
            self.count = self.size // BLOCK
            pieces = (self.file_head(), self.block, self.end())
            self.body = len(pieces[0]) + self.count * BLOCK + len(pieces[2])
        framing = f"Content-Length: {self.body}"
        if self.is_chunked:
            framing = "Transfer-Encoding: chunked"
            pieces = [b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b"" for piece in pieces]
            pieces = (pieces[0], pieces[1], pieces[2] + b"0\r\n\r\n")
        self.prefix, self.block, self.suffix = head(framing) + pieces[0], pieces[1], pieces[2]

    def part(self, number):
        """A small field, or every second time a file of 1 KiB."""
        name = f'\r\n--{BOUNDARY}\r\nContent-Disposition: form-data; name="f{number}"'
        name = name.removeprefix("\r\n") if number == 0 else name
        if number % 2 == 0:
            return name.encode() + b"\r\n\r\nvalue"
        start = number * 64
        name += '; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n'
        return name.encode() + self.block[start:start + 1024]

    def file_head(self):
        return (f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n'
                "Content-Type: application/octet-stream\r\n\r\n").encode()

    def end(self):
        return f"\r\n--{BOUNDARY}--\r\n".encode()


def head(framing):
    return ("POST /upload HTTP/1.1\r\nHost: bench.example\r\nUser-Agent: bench\r\nAccept: */*\r\n"
            f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n{framing}\r\n\r\n").encode()


def tiny(name="200 B × 32", **more):
    """The body as a whole is about 200 bytes."""
    return Workload(name, 32, size=16, **more)


def workloads(is_quick, most_connections):
    """Quick ones are the same in kind, and say a smaller size."""
    large, huge, idle = (16, 64, 500) if is_quick else (64, 1024, 10_000)
    # Round, and with room for those that send.
    idle = min(idle, (most_connections - 200) // 500 * 500)
    huge_name = "64 MiB × 1" if is_quick else "1 GiB × 1"
    return [
        Workload(f"{large} MiB × 4", 4, large * MEBIBYTE, is_large=True),
        Workload(f"{large} MiB × 4, chunked", 4, large * MEBIBYTE, is_large=True, is_chunked=True),
        Workload(huge_name, 1, huge * MEBIBYTE, is_large=True),
        Workload("100 KB × 32", 32, 100_000),
        Workload("100 parts × 8", 8, parts=100),
        tiny(),
        tiny(f"200 B × 32, {idle:,} idle", idle=idle),
    ]

"""Upstreams that misbehave: what each does with a request stands in the request's target."""

import asyncio
import re
import socket
import struct
import time

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
LARGE = 6 << 20

# What they do once they have read all of a request.
READERS = {"fine", "trickle", "chunks", "late", "never", "half", "half-stall", "half-reset", "fin",
           "garbage", "interims", "flood", "until-close", "large"}
# What they do without reading its body.
HASTY = {"early", "early-keep", "early-close", "deaf", "reset", "reset-midway", "kill-midway"}
# What a whole request gets of them, if all goes well.
KIND = {"fine", "trickle", "chunks", "late", "interims", "until-close"}


def reset(writer):
    """Ends a connection without a word."""
    sock = writer.get_extra_info("socket")
    if sock is not None and sock.fileno() >= 0:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class Upstream:
    """Serves every connection; knows which requests have come, and which have come whole."""

    def __init__(self, patience):
        self.patience = patience
        self.begun = set()
        self.whole = {}
        self._waiting = {}

    async def start(self):
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 16)
        return server.sockets[0].getsockname()[1]

    async def wait_for_whole(self, number, within):
        """Waits until a request has come whole; false if it has not within the time."""
        if number in self.whole:
            return True
        event = self._waiting.setdefault(number, asyncio.Event())
        try:
            await asyncio.wait_for(event.wait(), within)
            return True
        except asyncio.TimeoutError:
            return False

    async def _serve(self, reader, writer):
        try:
            while await self._serve_one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def _serve_one(self, reader, writer):
        """One request; false if the connection ends with it."""
        head = await reader.readuntil(b"\r\n\r\n")
        number, kind = re.match(rb"\S+ /\w+/(\d+)/(\S+) ", head).groups()
        number, kind = int(number), kind.decode()
        self.begun.add(number)
        if kind in HASTY:
            return await self._be_hasty(kind, head, reader, writer)
        if re.search(rb"\r\nexpect:", head, re.I):
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await self._read_body(head, reader)
        self.whole[number] = self.whole.get(number, 0) + 1
        if number in self._waiting:
            self._waiting.pop(number).set()
        return await self._answer(kind, reader, writer)

    async def _read_body(self, head, reader):
        length = re.search(rb"\r\ncontent-length: (\d+)\r\n", head, re.I)
        if length:
            left = int(length[1])
            while left:
                data = await reader.read(min(left, 1 << 16))
                if not data:
                    raise ConnectionResetError
                left -= len(data)
        elif re.search(rb"\r\ntransfer-encoding: chunked\r\n", head, re.I):
            size = 1
            while size:
                size = int(await reader.readuntil(b"\r\n"), 16)
                left = size + 2
                while left:
                    data = await reader.read(min(left, 1 << 16))
                    if not data:
                        raise ConnectionResetError
                    left -= len(data)

    async def _be_hasty(self, kind, head, reader, writer):
        if kind == "early":
            writer.write(b"HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
            await writer.drain()
            writer.write_eof()
            while await reader.read(1 << 16):
                pass
        elif kind == "early-keep":
            # Once it has read the rest as well, it would serve another request.
            writer.write(ANSWER)
            await self._read_body(head, reader)
            return True
        elif kind == "early-close":
            # What has not been read makes a reset of this, which may overtake the answer.
            writer.write(b"HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
        elif kind == "deaf":
            await asyncio.sleep(self.patience * 3)
        elif kind == "reset":
            reset(writer)
        else:
            try:
                await asyncio.wait_for(reader.read(1000), 0.05)
            except asyncio.TimeoutError:
                pass  # there is no more: a request without a body
            if kind == "reset-midway":
                reset(writer)
        return False

    async def _answer(self, kind, reader, writer):
        if kind == "trickle":
            until = time.monotonic() + self.patience / 8
            for index in range(len(ANSWER)):
                writer.write(ANSWER[index:index + 1])
                if time.monotonic() < until:
                    await asyncio.sleep(0)
        elif kind == "chunks":
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for index in range(5):
                writer.write(b"1\r\n" + b"hello"[index:index + 1] + b"\r\n")
                await asyncio.sleep(0)
            writer.write(b"0\r\n\r\n")
        elif kind == "interims":
            writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 3 + ANSWER)
        elif kind == "late":
            await asyncio.sleep(self.patience / 8)
            writer.write(ANSWER)
        elif kind == "large":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % LARGE)
            for _ in range(LARGE >> 16):
                writer.write(bytes(1 << 16))
                await writer.drain()
        elif kind == "flood":
            writer.write(b"HTTP/1.1 102 Processing\r\n\r\n" * 100)
        elif kind == "garbage":
            writer.write(b"\x00\x01 nonsense\r\n\r\n")
        elif kind == "never":
            # It looks at the connection only to go when the other side does.
            await reader.read(1)
            return False
        elif kind.startswith("half"):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
            if kind == "half-stall":
                await reader.read(1)
            elif kind == "half-reset":
                await writer.drain()
                await asyncio.sleep(self.patience / 40)
                reset(writer)
            return False
        elif kind == "until-close":
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000)
        else:
            writer.write(ANSWER if kind == "fine" else b"")
        await writer.drain()
        return kind in ("fine", "trickle", "chunks", "interims", "late", "large")


async def start_slamming():
    """A server that ends each connection as soon as it is there; its port."""
    def slam(_, writer):
        writer.close()

    server = await asyncio.start_server(slam, "127.0.0.1", 0)
    return server.sockets[0].getsockname()[1]

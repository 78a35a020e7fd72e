"""Clients that misbehave, and the requests they send."""

import asyncio
import re
import time

from upstreams import reset

SMALL = {"none": 0, "small": 1000}


class Plan:
    """One exchange: who does what, and what came of it."""

    def __init__(self, number, client, upstream, size, mode, is_chunked):
        self.number = number
        self.client = client
        self.upstream = upstream
        self.size = size
        self.mode = mode
        self.is_chunked = is_chunked
        self.status = None
        self.is_whole = False
        self.is_begun = False
        self.port = None

    def __str__(self):
        framing = "chunked" if self.is_chunked else "length"
        return (f"{self.number}: client {self.client}, upstream {self.upstream}, {self.size},"
                f" {self.mode}, {framing}")

    @property
    def target(self):
        places = {"down": "down", "slam": "slam"}
        return f"/{places.get(self.upstream, self.mode)}/{self.number}/{self.upstream}"

    def head_and_body(self, content):
        """The bytes of the request; `content` is what its file holds."""
        if self.size == "none":
            return f"GET {self.target} HTTP/1.1\r\nHost: chaos\r\n\r\n".encode(), b""
        body = (b'--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n' + content
                + b"\r\n--b--\r\n")
        if self.client == "bad":
            body = body[:-4] + b"\r\n"
        fields = "Content-Type: multipart/form-data; boundary=b\r\n"
        if self.client == "expect":
            fields += "Expect: 100-continue\r\n"
        if self.is_chunked:
            fields += "Transfer-Encoding: chunked\r\n"
            step = max(1, len(body) // 7)
            body = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (
                body[i:i + step] for i in range(0, len(body), step))) + b"0\r\n\r\n"
        else:
            fields += f"Content-Length: {len(body)}\r\n"
        return f"POST {self.target} HTTP/1.1\r\nHost: chaos\r\n{fields}\r\n".encode(), body


class Client:
    """One connection, on which one exchange after the other is played."""

    def __init__(self, address, chance, upstream, patience):
        self.address = address
        self.chance = chance
        self.upstream = upstream
        self.patience = patience

    async def play(self, plans):
        self.reader, self.writer = await asyncio.open_connection(*self.address)
        port = self.writer.get_extra_info("sockname")[1]
        for plan in plans:
            plan.port = port
        try:
            if plans[0].client == "pipeline":
                await self.pipeline(plans)
            else:
                for plan in plans:
                    if not await self.exchange(plan):
                        break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.writer.close()

    def content(self, size):
        count = SMALL.get(size) or self.chance.choice([150_000, 300_000, 1_500_000])
        return self.chance.randbytes(1000) * (count // 1000)

    async def pipeline(self, plans):
        for plan in plans:
            plan.is_begun = True
            self.writer.write(b"".join(plan.head_and_body(self.content(plan.size))))
        for plan in plans:
            if not await self.read_answer(plan):
                break

    async def exchange(self, plan):
        """Plays one exchange; true if the connection may serve another."""
        plan.is_begun = True
        head, body = plan.head_and_body(self.content(plan.size))
        if plan.client.startswith("head-"):
            return await self.break_head(plan, head)
        if plan.client == "expect" and body:
            await self.wait_for_invitation(plan, head)
            if plan.status is not None:
                return False
            head = b""
        leaves = plan.client in ("half-close", "leave", "reset", "stall")
        cut = self.chance.randrange(len(body)) if leaves and body else len(body)
        sending = asyncio.create_task(self.send(plan, head + body[:cut]))
        try:
            return await self.behave(plan, sending)
        finally:
            sending.cancel()

    async def send(self, plan, data):
        try:
            start = 0
            if plan.client == "trickle":
                # Byte by byte, but not for so long that it would be too slow.
                until = time.monotonic() + self.patience / 8
                while start < len(data) and start < 400 and time.monotonic() < until:
                    self.writer.write(data[start:start + 1])
                    await asyncio.sleep(0)
                    start += 1
            while start < len(data):
                self.writer.write(data[start:start + (1 << 17)])
                await self.writer.drain()
                start += 1 << 17
        except ConnectionError:
            pass

    async def behave(self, plan, sending):
        client = plan.client
        if client == "reset-whole":
            await sending
            # At some time where nothing tells when it has arrived.
            await self.upstream.wait_for_whole(plan.number, self.patience / 10)
            reset(self.writer)
            return False
        if client in ("leave", "reset"):
            await sending
            if client == "reset":
                await self.flushed()
                reset(self.writer)
            return False
        if client in ("half-close", "half-close-whole"):
            await sending
            self.writer.write_eof()
        if client == "no-read":
            await sending
            self.reader._transport.pause_reading()
            # Until the other side is done with it.
            await asyncio.sleep(self.patience * 2.6 if plan.upstream == "large" else 0.2)
            if plan.upstream != "large":
                await self.upstream.wait_for_whole(plan.number, self.patience / 10)
                self.reader._transport.resume_reading()
                await self.read_answer(plan)
            return False
        return await self.read_answer(plan) and client in ("whole", "trickle", "expect")

    async def flushed(self):
        """Waits until the kernel has what was written."""
        while self.writer.transport.get_write_buffer_size():
            await asyncio.sleep(0.005)

    async def wait_for_invitation(self, plan, head):
        self.writer.write(head)
        try:
            # Not for ever: RFC 9110 10.1.1 lets a client send when it has waited long enough.
            line = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), self.patience / 4)
        except asyncio.TimeoutError:
            return
        if not line.startswith(b"HTTP/1.1 1"):
            plan.status = int(line[9:12])

    async def break_head(self, plan, head):
        if plan.client == "head-bad":
            self.writer.write(head.replace(b"\r\nHost", b"\r\nHost "))
            await self.read_answer(plan)
            return False
        self.writer.write(head[:self.chance.randrange(1, len(head) - 4)])
        if plan.client == "head-half-close":
            self.writer.write_eof()
        elif plan.client == "head-reset":
            await self.flushed()
            await asyncio.sleep(self.patience / 20)
            reset(self.writer)
            return False
        await self.read_answer(plan)
        return False

    async def read_answer(self, plan):
        """Reads to the end of the final answer; true if another may follow."""
        within = self.patience * 8
        while True:
            head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), within)
            status = int(head[9:12])
            if status >= 200:
                break
        plan.status = status
        length = re.search(rb"\r\ncontent-length: (\d+)\r\n", head, re.I)
        if length:
            left = int(length[1])
            while left:
                data = await asyncio.wait_for(self.reader.read(min(left, 1 << 18)), within)
                if not data:
                    return False
                left -= len(data)
        elif re.search(rb"\r\ntransfer-encoding: chunked\r\n", head, re.I):
            size = 1
            while size:
                line = await asyncio.wait_for(self.reader.readuntil(b"\r\n"), within)
                size = int(line, 16)
                await asyncio.wait_for(self.reader.readexactly(size + 2), within)
        else:
            await asyncio.wait_for(self.reader.read(-1), within)
        plan.is_whole = True
        return not re.search(rb"\r\nconnection: close\r\n", head, re.I)

"""Connections that switch to another protocol: a websocket, and what only looks like one."""

import base64
import hashlib
import signal
import socket
import struct
import threading

import client
import forms
from harness import SOON, TestCase, Weir, field, wait_until
from upstream import Upstream

KEY = base64.b64encode(b"sixteen bytes it").decode()
ACCEPT = base64.b64encode(hashlib.sha1(
    (KEY + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
OFFER = [("Connection", "keep-alive, Upgrade"), ("Upgrade", "WebSocket")]
HANDSHAKE = OFFER + [("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", KEY)]
SWITCH = (f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          f"Sec-WebSocket-Accept: {ACCEPT}\r\n\r\n").encode()


def handshake(**more):
    return client.get("/socket", fields=HANDSHAKE, **more)


def frame(payload, opcode=2, mask=b""):
    """One websocket frame (RFC 6455, section 5.2), masked as a client has to."""
    size = len(payload)
    head = bytes([0x80 | opcode])
    flag = 0x80 if mask else 0
    if size < 126:
        head += bytes([flag | size])
    elif size < 1 << 16:
        head += struct.pack("!BH", flag | 126, size)
    else:
        head += struct.pack("!BQ", flag | 127, size)
    if mask:
        pad = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        payload = (int.from_bytes(payload, "big") ^ pad).to_bytes(size, "big")
    return head + mask + payload


def read_frame(read):
    """The opcode and payload of the next frame; `read` reads exactly so many bytes."""
    first, second = read(2)
    size = second & 0x7F
    if size == 126:
        size, = struct.unpack("!H", read(2))
    elif size == 127:
        size, = struct.unpack("!Q", read(8))
    mask = read(4) if second & 0x80 else b""
    payload = read(size)
    if mask:
        pad = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        payload = (int.from_bytes(payload, "big") ^ pad).to_bytes(size, "big")
    return first & 0xF, payload


def echo_frames(request):
    """A websocket server that sends back what it is sent, until it is told to close."""
    connection = request.connection
    assert request.field("Upgrade") == "websocket" and request.field("Connection") == "Upgrade"
    assert request.field("Sec-WebSocket-Key") == KEY
    connection.send(SWITCH)
    opcode = 0
    while opcode != 8:
        opcode, payload = read_frame(connection.reader.read)
        connection.send(frame(payload, opcode))
    return True


def switch_and(then):
    """An upstream that switches, and then does what it is told with its connection."""

    def on_head(request):
        if request.target != "/socket":
            return False
        request.connection.send(SWITCH)
        then(request.connection)
        return True

    return on_head


def echo_bytes(connection):
    while data := connection.reader.read1(1 << 16):
        connection.send(data)


class Websocket(TestCase):
    def opened(self, weir, *early):
        peer = client.Client(weir.address)
        peer.send(handshake(), *early)
        status, _, fields = peer.read_head()
        self.assertEqual(status, 101)
        self.fields = dict(fields)
        return peer

    def test_frames_pass_both_ways(self):
        payloads = [b"", b"hello", b"GET / HTTP/1.1\r\n\r\n", b"\0\xff" * 70,
                    forms.noise(70_000), forms.noise(1_500_000)]
        with Upstream(on_head=echo_frames) as upstream, Weir.serve(upstream) as weir, \
                self.opened(weir) as peer:
            self.assertEqual(self.fields["Upgrade"], "websocket")
            self.assertEqual(self.fields["Connection"], "Upgrade")
            self.assertEqual(self.fields["Sec-WebSocket-Accept"], ACCEPT)
            sent = got = 0
            for payload in payloads + [b""]:
                opcode = 2 if payload or not sent else 8
                masked = frame(payload, opcode, b"mask")
                sent += len(masked)
                got += len(frame(payload, opcode))
                writer = threading.Thread(target=peer.send, args=(masked,))
                writer.start()
                self.assertEqual(read_frame(peer.read_exactly), (opcode, payload))
                writer.join()
            self.assertEqual(peer.wait_for_end(), "fin")
            peer.finish_sending()
            record = weir.wait_for_request()
            self.check(record, {
                "http.response.status_code": 101, "upload.verdict": "allowed",
                "upload.termination": "--", "upload.tunnel.protocol": "websocket",
                "upload.tunnel.client_bytes": sent, "upload.tunnel.upstream_bytes": got})
            self.assertEqual(upstream.wait_for_end(), "ours")

    def test_every_cut_of_the_answer(self):
        """What comes behind the 101, in whatever pieces, is the tunnel's."""
        data = SWITCH + b"HTTP/1.1 200 OK\r\n\r\nfirst"

        for cut in (1, 9, len(SWITCH) - 1, len(SWITCH), len(SWITCH) + 3):
            release = threading.Event()

            def answer(request):
                request.connection.send(data[:cut])
                release.wait(SOON)
                request.connection.send(data[cut:])
                echo_bytes(request.connection)
                return True

            with self.subTest(cut), Upstream(on_head=answer) as upstream, \
                    Weir.serve(upstream) as weir, client.Client(weir.address) as peer:
                peer.send(handshake(), b"early")
                upstream.wait_for_request()
                release.set()
                self.assertEqual(peer.read_head()[0], 101)
                self.assertEqual(
                    peer.read_exactly(len(data) - len(SWITCH) + 5), data[len(SWITCH):] + b"early")

    def test_early_bytes_wait_for_the_answer(self):
        release = threading.Event()
        seen = []

        def then(connection):
            seen.append(bytes(connection.raw))
            echo_bytes(connection)

        def on_head(request):
            release.wait(SOON)
            return switch_and(then)(request)

        with Upstream(on_head=on_head) as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(handshake() + client.get("/smuggled"))
            upstream.wait_for_request()
            self.assertNotIn(b"smuggled", upstream.raw)
            release.set()
            self.assertEqual(peer.read_head()[0], 101)
            self.assertEqual(
                peer.read_exactly(len(client.get("/smuggled"))), client.get("/smuggled"))
            self.assertNotIn(b"smuggled", seen[0])

    def test_bytes_behind_a_refused_upgrade_are_the_next_request(self):
        for status in (200, 426, 400):
            def answer(request):
                if request.target == "/socket":
                    request.connection.answer(
                        status, b"no", [("Connection", "Upgrade"), ("Upgrade", "websocket")])
                else:
                    request.connection.answer(200, b"next")

            with self.subTest(status), Upstream(on_request=answer) as upstream, \
                    Weir.serve(upstream) as weir, client.Client(weir.address) as peer:
                peer.send(handshake() + client.get("/next"))
                answer_ = peer.read_response("GET")
                self.assertEqual((answer_.status, answer_.body), (status, b"no"))
                self.assertIsNone(answer_.field("Upgrade"))
                self.assertEqual(peer.read_response("GET").body, b"next")
                self.assertIsNone(upstream.requests[1].field("Upgrade"))
                peer.send(b"GET /bad HTTP/1.1\r\nHost : x\r\n\r\n")
                self.assertEqual(peer.read_response("GET").status, 400)
                self.assertNotIn(b"/bad", upstream.raw)

    def test_half_closed_sides_still_receive(self):
        def count(connection):
            total = 0
            while data := connection.reader.read1(1 << 16):
                total += len(data)
            connection.send(b"%d" % total)

        def say_and_listen(connection):
            connection.send(b"x" * 300_000)
            connection.socket.shutdown(socket.SHUT_WR)
            said.append(connection.reader.read())

        said = []
        with Upstream(on_head=switch_and(count)) as upstream, Weir.serve(upstream) as weir, \
                self.opened(weir) as peer:
            peer.send(b"y" * 500_000)
            peer.finish_sending()
            self.assertEqual(peer.read_exactly(6), b"500000")
            self.assertEqual(peer.wait_for_end(), "fin")
            self.check(weir.wait_for_request(), {"upload.termination": "--"})
        with Upstream(on_head=switch_and(say_and_listen)) as upstream, \
                Weir.serve(upstream) as weir, self.opened(weir) as peer:
            self.assertEqual(peer.read_exactly(300_000), b"x" * 300_000)
            self.assertEqual(peer.read_some(), b"")
            peer.send(b"still", b" here")
            peer.finish_sending()
            wait_until(lambda: said, "the end of what the client says")
            self.assertEqual(said, [b"still here"])
            self.check(weir.wait_for_request(), {
                "upload.termination": "--", "upload.tunnel.client_bytes": 10,
                "upload.tunnel.upstream_bytes": 300_000})

    def test_who_takes_nothing_is_not_sent_more(self):
        """Memory stays bounded whichever side stops reading."""
        stop = threading.Event()
        taken = []

        def listen_late(connection):
            stop.wait(SOON * 3)
            while data := connection.reader.read1(1 << 16):
                taken.append(len(data))

        with Upstream(on_head=switch_and(listen_late)) as upstream, Weir.serve(upstream) as weir, \
                self.opened(weir) as peer:
            sent = client.send_until_stalled(peer, b"z" * (1 << 20), most=200 << 20)
            self.assertLess(sent, 100 << 20)
            self.assertLess(weir.peak_memory, 100 << 20)
            stop.set()
            peer.finish_sending()
            self.assertEqual(peer.wait_for_end(), "fin")
            self.assertEqual(sum(taken), sent)

    def test_a_broken_side_breaks_the_other(self):
        with Upstream(on_head=switch_and(echo_bytes)) as upstream, Weir.serve(upstream) as weir:
            peer = self.opened(weir)
            peer.reset()
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.check(weir.wait_for_request(), {
                "upload.termination": "CL", "upload.blame": "client"})
        with Upstream(on_head=switch_and(lambda c: (c.reader.read1(1), c.reset()))) as upstream, \
                Weir.serve(upstream) as weir, self.opened(weir) as peer:
            peer.send(b"now")
            self.assertEqual(peer.wait_for_end(), "reset")
            self.check(weir.wait_for_request(), {
                "upload.termination": "SL", "upload.blame": "upstream"})

    def test_idle_tunnels_end(self):
        with Upstream(on_head=switch_and(echo_bytes)) as upstream, \
                Weir.serve(upstream, "--timeouts-tunnel", "400ms", "--timeouts-body-idle", "50ms",
                           "--timeouts-first-byte", "50ms") as weir, self.opened(weir) as peer:
            peer.send(b"ping")
            self.assertEqual(peer.read_exactly(4), b"ping")
            self.assertEqual(peer.wait_for_end(), "reset")
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.check(weir.wait_for_request(), {"upload.termination": "cL"})

    def test_drain_ends_tunnels_at_its_end(self):
        with Upstream(on_head=switch_and(echo_bytes)) as upstream, \
                Weir.serve(upstream, "--drain", "500ms") as weir, self.opened(weir) as peer:
            weir.signal(signal.SIGTERM)
            peer.send(b"during")
            self.assertEqual(peer.read_exactly(6), b"during")
            self.assertEqual(weir.wait_for_exit(5), 0)
            self.assertEqual(peer.wait_for_end(), "reset")
            self.check(weir.wait_for_request(), {
                "upload.termination": "KL", "upload.tunnel.client_bytes": 6})

    def test_tunnels_are_told(self):
        with Upstream(on_head=switch_and(echo_bytes)) as upstream, Weir.serve(upstream) as weir, \
                self.opened(weir) as peer:
            peer.send(b"12345")
            self.assertEqual(peer.read_exactly(5), b"12345")
            weir.signal(signal.SIGUSR1)
            weir.wait_for_stderr("/socket.* upgrade=websocket from_client=5 from_upstream=5")


class NoWebsocket(TestCase):
    """What is not switched goes on as plain HTTP, without the offer."""

    def test_offers_that_are_left_out(self):
        rows = [
            ("no Connection", client.get(fields=[("Upgrade", "websocket")])),
            ("HTTP/1.0", client.get(version="1.0", fields=HANDSHAKE)),
            ("other protocol", client.get(fields=[OFFER[0], ("Upgrade", "foo/2")])),
            ("h2c", client.get(fields=[OFFER[0], ("Upgrade", "h2c")])),
            ("choice", client.get(fields=[OFFER[0], ("Upgrade", "websocket, h2c")])),
            ("twice", client.get(fields=HANDSHAKE + [("Upgrade", "websocket")])),
            ("body", client.upload(b"hello", content_type=None, fields=HANDSHAKE)),
            ("chunks", client.upload(b"hello", True, content_type=None, fields=HANDSHAKE)),
            ("empty body", client.upload(b"", content_type=None, fields=HANDSHAKE)),
        ]
        for name, request in rows:
            with self.subTest(name), Upstream() as upstream, Weir.serve(upstream) as weir, \
                    client.Client(weir.address) as peer:
                peer.send(request)
                self.assertEqual(peer.read_response().status, 200)
                self.assertIsNone(upstream.requests[0].field("Upgrade"))
                self.assertIsNone(upstream.requests[0].field("Connection"))

    def test_switches_nobody_asked_for(self):
        other = SWITCH.replace(b"Upgrade: websocket", b"Upgrade: mqtt")
        mute = SWITCH.replace(b"Connection: Upgrade\r\n", b"")
        old = SWITCH.replace(b"HTTP/1.1", b"HTTP/1.0")
        rows = [
            ("plain", client.get("/socket"), SWITCH), ("other", handshake(), other),
            ("no Connection", handshake(), mute), ("no Upgrade", handshake(),
             SWITCH.replace(b"Upgrade: websocket\r\n", b"")), ("HTTP/1.0", handshake(), old),
            ("with a body", client.upload(b"x" * 5, content_type=None, fields=HANDSHAKE), SWITCH),
        ]
        for name, request, answer in rows:
            def on_request(got):
                got.connection.send(answer + b"evil")
                got.connection.reader.read1(1)

            with self.subTest(name), Upstream(on_request=on_request) as upstream, \
                    Weir.serve(upstream) as weir, client.Client(weir.address) as peer:
                peer.send(request)
                got = peer.read_response("GET")
                self.assertEqual(got.status, 502)
                self.assertEqual(got.json["code"], "upstream.malformed_answer")
                self.assertIsNone(field(weir.wait_for_request(), "upload.tunnel"))

    def test_routes_say_what_may_be_switched_to(self):
        config = {"upgrades": [], "routes": [{"path": "/socket", "upgrades": ["websocket"]}]}
        with Upstream(on_head=switch_and(echo_bytes)) as upstream, \
                Weir.serve(upstream, config=config) as weir:
            with client.Client(weir.address) as peer:
                peer.send(client.get("/other", fields=HANDSHAKE))
                self.assertEqual(peer.read_response("GET").status, 200)
                self.assertIsNone(upstream.requests[0].field("Upgrade"))
            with client.Client(weir.address) as peer:
                peer.send(handshake())
                self.assertEqual(peer.read_head()[0], 101)

    def test_the_sink_switches_to_nothing(self):
        with Weir.sink() as sink, client.Client(sink.address) as peer:
            peer.send(handshake() + handshake())
            self.assertEqual(peer.read_response("GET").status, 200)
            self.assertEqual(peer.read_response("GET").status, 200)

    def test_connect_is_refused(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n"
                      + client.get("/smuggled"))
            self.assertEqual(peer.read_response("CONNECT").status, 405)
            self.assertEqual(peer.wait_for_end(), "fin")
            self.assertTrue(upstream.is_untouched())

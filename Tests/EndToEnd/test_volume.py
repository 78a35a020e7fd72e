"""Large uploads and slow upstreams: the proxy's memory does not depend on either."""

import concurrent.futures
import time

import client
import forms
from harness import MEGABYTE, TestCase, Weir, field, wait_until
from upstream import Upstream

GIBIBYTE = 1024


class Volume(TestCase):
    """What is sent arrives, whatever its size, through little memory."""

    def send(self, weir, upload, chunked):
        with client.Client(weir.address, timeout=50) as peer:
            client.send_large(peer, upload, chunked)
            return peer.read_response()

    def check_upload(self, answer, upload):
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.json["bytes"], upload.body_bytes)
        self.assertEqual(answer.json["sha256"], upload.body_sha256)

    def test_one_gibibyte(self):
        for chunked in (False, True):
            with self.subTest(chunked=chunked), Upstream(keeps_bytes=False) as upstream, \
                    Weir.serve(upstream) as weir:
                upload = forms.LargeUpload(GIBIBYTE)
                self.check_upload(self.send(weir, upload, chunked), upload)
                record = weir.wait_for_request()
                self.check(record, {
                    "upload.verdict": "allowed",
                    "upload.received_bytes": upload.body_bytes,
                    "upload.forwarded_bytes": upload.body_bytes,
                    "upload.declared_bytes": None if chunked else upload.body_bytes,
                    "upload.framing": "chunked" if chunked else "length",
                })
                self.check(weir.parts()[0], {
                    "file.size": upload.content_bytes,
                    "file.hash.sha256": upload.content_sha256,
                })
                self.assertLess(weir.peak_memory, 40 * MEGABYTE)

    def test_eight_at_once(self):
        with Upstream(keeps_bytes=False) as upstream, Weir.serve(upstream) as weir:
            uploads = [forms.LargeUpload(256, seed) for seed in range(8)]
            with concurrent.futures.ThreadPoolExecutor(len(uploads)) as pool:
                answers = [
                    pool.submit(self.send, weir, upload, number % 2 == 1)
                    for number, upload in enumerate(uploads)]
                for upload, answer in zip(uploads, answers):
                    self.check_upload(answer.result(), upload)
            self.assertLess(weir.peak_memory, 60 * MEGABYTE)
            weir.wait_for_requests(len(uploads))
            digests = {field(part, "file.hash.sha256") for part in weir.parts()}
            self.assertEqual(digests, {upload.content_sha256 for upload in uploads})

    def test_large_answer_to_a_slow_client(self):
        """An answer is held back by its reader, just as an upload is."""
        content = forms.noise(1 << 20) * 64

        def answer(request):
            request.connection.answer(200, content)

        with Upstream(on_request=answer, keeps_bytes=False) as upstream, \
                Weir.serve(upstream) as weir:
            with client.Client(weir.address) as peer:
                peer.send(client.get())
                upstream.wait_for_complete()
                status, _, _ = peer.read_head()
                self.assertEqual(status, 200)
                got = bytearray()
                while len(got) < len(content):
                    # Smaller and smaller readers would take as long as they like: a few are slow.
                    if len(got) < 8 << 20:
                        time.sleep(0.001)
                    piece = peer.read_some()
                    self.assertTrue(piece)
                    got += piece
                self.assertTrue(got == content)
            self.assertLess(weir.peak_memory, 40 * MEGABYTE)

    def test_idle_connections_cost_little(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            peers = [client.Client(weir.address) for _ in range(400)]
            try:
                for peer in peers:
                    peer.send(client.upload(b"hello", content_type=None))
                    self.assertEqual(peer.read_response().status, 200)
                self.assertLess(weir.peak_memory, 40 * MEGABYTE)
            finally:
                for peer in peers:
                    peer.close()


class BackPressure(TestCase):
    """An upstream that takes little makes the client send little."""

    # Socket buffers on four ends and one window of the proxy; far below what is sent.
    MOST_IN_FLIGHT = 20 * MEGABYTE

    def test_slow_upstream(self):
        """256 KiB every 10 ms: the client sends at that rate, and memory stays flat."""
        upload = forms.LargeUpload(96)
        most_in_flight = 0

        def pace(connection):
            if connection.requests and connection.requests[0].body_bytes - pace.read >= 256 << 10:
                pace.read = connection.requests[0].body_bytes
                time.sleep(0.01)

        pace.read = 0
        with Upstream(keeps_bytes=False, before_read=pace, receive_buffer=256 << 10) as upstream, \
                Weir.serve(upstream) as weir:
            with client.Client(weir.address, send_buffer=256 << 10) as peer:
                peer.send(client.head(upload.body_bytes))
                sent = 0
                for piece in upload.pieces():
                    peer.send(piece)
                    sent += len(piece)
                    requests = upstream.requests
                    received = requests[0].body_bytes if requests else 0
                    most_in_flight = max(most_in_flight, sent - received)
                answer = peer.read_response()
            self.assertEqual(answer.json["sha256"], upload.body_sha256)
            self.assertLess(most_in_flight, self.MOST_IN_FLIGHT)
            self.assertLess(weir.peak_memory, 40 * MEGABYTE)

    def test_stalled_upstream_stalls_the_client_and_blames_nobody(self):
        """While the upstream takes nothing, the client's clock stands still."""
        release = []

        def stall(connection):
            while connection.requests and not release:
                time.sleep(0.005)

        content = forms.noise(1 << 18)
        total = 64 << 20
        config = {"timeouts": {"bodyIdle": "500ms"}}
        with Upstream(keeps_bytes=False, before_read=stall, receive_buffer=256 << 10) as upstream, \
                Weir.serve(upstream, config=config) as weir, \
                client.Client(weir.address, send_buffer=256 << 10) as peer:
            peer.send(client.head(total, content_type="application/octet-stream"))
            peer.send(content[:100])
            # Once the upstream has something, the proxy has waited for the client: its clock ran.
            upstream.wait_for_request()
            sent = 100 + client.send_until_stalled(peer, content, quiet=1.5, most=total)
            self.assertLess(sent, self.MOST_IN_FLIGHT)
            self.assertLess(weir.peak_memory, 40 * MEGABYTE)
            release.append(True)
            rest = memoryview(content)
            while sent < total:
                sent += peer.socket.send(rest[:total - sent])
            answer = peer.read_response()
            self.assertEqual((answer.status, answer.json["bytes"]), (200, total))
            record = weir.wait_for_request()
            self.check(record, {"upload.verdict": "allowed", "upload.blame": "none"})
            self.assertGreater(field(record, "upload.timing.upstream_wait_ms"), 1000)


class Streaming(TestCase):
    """What has been sent has arrived, but for what the gates withhold, before the rest is sent."""

    # `hold`, a header block, a delimiter: what may lawfully be withheld of a large part.
    WITHHELD = (64 << 10) + 1024

    def check_half(self, content_type, body, chunked):
        half = len(body) // 2
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            if chunked:
                peer.send(client.head(chunked=True, content_type=content_type))
                peer.send(b"%x\r\n" % half, body[:half], b"\r\n")
            else:
                peer.send(client.head(len(body), content_type=content_type), body[:half])
            request = upstream.wait_for_request()
            wait_until(
                lambda: request.body_bytes >= half - self.WITHHELD,
                lambda: f"{half} bytes upstream; there are {request.body_bytes}")
            self.assertFalse(request.is_complete)
            self.assertEqual(request.body, body[:request.body_bytes])
            rest = body[half:]
            peer.send(b"%x\r\n%s\r\n0\r\n\r\n" % (len(rest), rest) if chunked else rest)
            self.assertEqual(peer.read_response().status, 200)
            self.assertTrue(upstream.wait_for_complete().body == body)

    def test_half_a_form(self):
        form = forms.photo_form(4_000_000)
        for chunked in (False, True):
            with self.subTest(chunked=chunked):
                self.check_half(form.content_type, form.body, chunked)

    def test_half_of_something_else(self):
        for chunked in (False, True):
            with self.subTest(chunked=chunked):
                self.check_half("image/jpeg", forms.noise(4_000_000), chunked)

    def test_half_an_answer(self):
        def begin(request):
            request.connection.send(
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")

        with Upstream(on_request=begin) as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.get())
            self.assertEqual(peer.read_head()[0], 200)
            self.assertEqual(peer.read_exactly(10), b"5\r\nfirst\r\n")
            upstream.connections[0].send(b"6\r\nsecond\r\n0\r\n\r\n")
            self.assertEqual(peer.read_exactly(16), b"6\r\nsecond\r\n0\r\n\r\n")

"""Peers that fail: who is told what, who is blamed, and that the proxy lives on."""

import os
import re
import resource
import socket
import time

import client
import forms
import malformed
from harness import SOON, TestCase, Weir, field, wait_until
from upstream import Upstream

FORM = forms.photo_form(20_000)
LARGE = forms.photo_form(900_000)


class Trouble(TestCase):
    def check_trouble(self, answer, status, code=None):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.field("Content-Type"), "application/problem+json")
        self.assertRegex(answer.field("Proxy-Status") or "", r"^weir; *error=[a-z_]+")
        self.assertEqual(answer.json["status"], status)
        if code is not None:
            self.assertEqual(answer.json["code"], code)

    def check_lives(self, weir):
        self.assertIsNone(weir.process.poll())
        # A fault found by the proxy itself is still found.
        self.assertEqual(client.post(weir.address, malformed.CASES[4].body(False)).status, 400)


class UpstreamTrouble(Trouble):
    def check_end(self, weir, termination, status=None, verdict="aborted"):
        record = weir.wait_for_requests()[0]
        self.check(record, {
            "upload.termination": termination, "upload.blame": "upstream",
            "upload.verdict": verdict, "event.outcome": "failure",
            "http.response.status_code": status})
        return record

    def test_nobody_listens(self):
        with Upstream() as upstream:
            url = upstream.url
        for sent in (client.upload(FORM.body), client.upload(LARGE.body),
                     client.upload(LARGE.body)[:600_000]):
            with Weir.serve(url) as weir, client.Client(weir.address) as peer:
                peer.send(sent)
                self.check_trouble(peer.read_response(), 502, "upstream.refused")
                self.check_end(weir, "SC", 502)
                self.check_lives(weir)

    def test_it_comes_back(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            upstream.stop()
            self.check_trouble(client.post(weir.address, FORM.body), 502)
            with Upstream(listen=upstream.address):
                self.assertEqual(client.post(weir.address, FORM.body).status, 200)

    def test_killed_while_an_upload_runs(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            with client.Client(weir.address) as peer:
                peer.send(client.head(len(LARGE.body)), LARGE.body[:600_000])
                upstream.wait_for_request()
                upstream.stop()
                self.check_trouble(peer.read_response(), 502, "upstream.closed")
            self.check_end(weir, "SD", 502)
            self.check_lives(weir)

    def test_closed_without_an_answer(self):
        for way in ("close", "reset"):
            def end(request):
                getattr(request.connection, way)()

            with self.subTest(way), Upstream(on_request=end) as upstream, \
                    Weir.serve(upstream) as weir:
                self.check_trouble(client.post(weir.address, FORM.body), 502, "upstream.closed")
                self.check_end(weir, "SH", 502)
                self.check_lives(weir)

    def test_answer_is_no_http(self):
        for sent in (b"SSH-2.0-OpenSSH_9\r\n", b"HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"):
            def answer(request):
                request.connection.send(sent)

            with self.subTest(sent), Upstream(on_request=answer) as upstream, \
                    Weir.serve(upstream) as weir:
                answer = client.post(weir.address, FORM.body)
                self.check_trouble(answer, 502, "upstream.malformed_answer")
                self.assertNotIn(b"SSH", answer.body)
                self.check_end(weir, "SH", 502)

    def test_cut_answer_looks_cut(self):
        rows = [b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"]
        for sent in rows:
            def answer(request):
                request.connection.send(sent)
                request.connection.close()

            with self.subTest(sent), Upstream(on_request=answer) as upstream, \
                    Weir.serve(upstream) as weir:
                with self.assertRaises((client.Truncated, ConnectionResetError)):
                    client.post(weir.address, FORM.body)
                self.check_end(weir, "SL", 200)

    def test_it_does_not_accept_in_time(self):
        """A full backlog: the connection is neither made nor refused."""
        with socket.socket() as full:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            waiting = []
            try:
                for _ in range(4):
                    extra = socket.socket()
                    extra.setblocking(False)
                    extra.connect_ex(full.getsockname())
                    waiting.append(extra)
                url = "http://127.0.0.1:%d" % full.getsockname()[1]
                config = {"timeouts": {"connect": "300ms"}}
                for sent in (client.upload(FORM.body), client.upload(LARGE.body)[:200_000]):
                    with Weir.serve(url, config=config) as weir, \
                            client.Client(weir.address) as peer:
                        began = time.monotonic()
                        peer.send(sent)
                        self.check_trouble(
                            peer.read_response(), 504, "upstream.connect_timeout")
                        self.assertGreater(time.monotonic() - began, 0.25)
                        self.check_end(weir, "sC", 504)
                        self.check_lives(weir)
            finally:
                for extra in waiting:
                    extra.close()

    def test_it_does_not_answer_in_time(self):
        with Upstream(on_request=lambda request: None) as upstream, \
                Weir.serve(upstream, config={"timeouts": {"firstByte": "300ms"}}) as weir:
            self.check_trouble(client.post(weir.address, FORM.body), 504, "upstream.no_answer")
            self.check_end(weir, "sH", 504)
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.check_lives(weir)

    def test_upload_that_takes_long_is_no_timeout(self):
        """The upstream's clock begins when it has the request."""
        config = {"timeouts": {"firstByte": "300ms", "bodyIdle": "10s"}}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir, \
                client.Client(weir.address) as peer:
            began = time.monotonic()
            peer.send(client.head(len(LARGE.body)), LARGE.body[:600_000])
            upstream.wait_for_request()
            wait_until(lambda: time.monotonic() - began > 0.8, "a pause")
            peer.send(LARGE.body[600_000:])
            self.assertEqual(peer.read_response().status, 200)


    def test_client_that_reads_late_is_no_upstream_timeout(self):
        """While the client takes nothing of the answer, the upstream's clock stands still."""
        config = {"timeouts": {"firstByte": "300ms", "bodyIdle": "10s"}}
        body = bytes(24 << 20)
        with Upstream(on_request=lambda request: request.connection.answer(200, body)) as upstream, \
                Weir.serve(upstream, config=config) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.get("/large"))
            upstream.wait_for_request()
            began = time.monotonic()
            wait_until(lambda: time.monotonic() - began > 1.0, "a pause")
            self.assertEqual(len(peer.read_response("GET").body), len(body))
            self.check(weir.wait_for_request(), {"upload.termination": "--"})


class ClientTrouble(Trouble):
    def test_body_stops(self):
        config = {"timeouts": {"bodyIdle": "300ms"}}
        for chunked in (False, True):
            for size in (300, 600_000):
                with self.subTest(size, chunked=chunked), Upstream() as upstream, \
                        Weir.serve(upstream, config=config) as weir, \
                        client.Client(weir.address) as peer:
                    whole = client.upload(LARGE.body, chunked)
                    peer.send(whole[:whole.index(b"\r\n\r\n") + 4 + size])
                    answer = peer.read_response()
                    self.check_trouble(answer, 408, "http.body_timeout")
                    self.assertEqual(answer.field("Connection"), "close")
                    self.check(weir.wait_for_request(), {
                        "upload.termination": "cD", "upload.blame": "client",
                        "upload.verdict": "aborted", "http.response.status_code": 408})
                    if upstream.connections:
                        self.assertEqual(upstream.wait_for_end(), "reset")
                    self.assertFalse(upstream.complete_requests)
                    self.check_lives(weir)

    def test_slow_body_is_no_timeout(self):
        """The clock begins anew with each byte."""
        config = {"timeouts": {"bodyIdle": "600ms"}}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(len(FORM.body)))
            for at in range(8):
                peer.send(FORM.body[at:at + 1])
                time.sleep(0.1)
            peer.send(FORM.body[8:])
            self.assertEqual(peer.read_response().status, 200)

    def test_head_stops(self):
        config = {"timeouts": {"head": "400ms"}}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir:
            with client.Client(weir.address) as peer:
                peer.send(b"POST /upload HTTP/1.1\r\nHost: a\r\n")
                self.check_trouble(peer.read_response(), 408, "http.head_timeout")
            self.check(weir.wait_for_request(), {
                "upload.termination": "cR", "upload.blame": "client",
                "http.response.status_code": 408})
            self.assertTrue(upstream.is_untouched())
            self.check_lives(weir)

    def test_dripping_head_does_not_move_the_clock(self):
        config = {"timeouts": {"head": "500ms"}}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir, \
                client.Client(weir.address) as peer:
            began = time.monotonic()
            sent = 0
            while peer.is_quiet() and time.monotonic() - began < SOON:
                peer.send(b"GET / HTTP/1.1\r\nA: "[sent:sent + 1] or b"a")
                sent += 1
                time.sleep(0.02)
            self.check_trouble(peer.read_response(), 408, "http.head_timeout")
            self.assertLess(time.monotonic() - began, 3)

    def test_connection_that_says_nothing_is_no_error(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            client.Client(weir.address).close()
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            self.assertEqual(len(weir.wait_for_requests()), 1)

    def test_client_leaves(self):
        for way in ("reset", "close"):
            with self.subTest(way), Upstream() as upstream, Weir.serve(upstream) as weir:
                with client.Client(weir.address) as peer:
                    peer.send(client.head(len(LARGE.body)), LARGE.body[:600_000])
                    upstream.wait_for_request()
                    getattr(peer, way)()
                record = weir.wait_for_request()
                self.check(record, {
                    "upload.termination": "CD", "upload.blame": "client",
                    "upload.verdict": "aborted", "event.outcome": "failure"})
                self.assertEqual(field(record, "upload.received_bytes"), 600_000)
                states = [field(part, "upload.part.state") for part in weir.parts()]
                self.assertEqual(states, ["complete", "aborted"])
                self.assertEqual(upstream.wait_for_end(), "reset")
                self.assertFalse(upstream.complete_requests)

    def test_client_that_only_drips(self):
        """Fewer bytes a second than asked for: not idle, and still ended."""
        with Upstream() as upstream, Weir.serve(upstream, "--minimum-rate", "500") as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(len(LARGE.body)), LARGE.body[:100])
            began = time.monotonic()
            at = 100
            while peer.is_quiet() and time.monotonic() - began < 20:
                peer.send(LARGE.body[at:at + 5])
                at += 5
                time.sleep(0.1)
            self.check_trouble(peer.read_response(), 408, "rate.too_slow")
            self.assertGreater(time.monotonic() - began, 8)
            self.check(weir.wait_for_request(), {
                "upload.blame": "client", "upload.termination": "cD"})

    def test_too_many_connections(self):
        with Upstream() as upstream, Weir.serve(upstream, "--connections", "3") as weir:
            peers = [client.Client(weir.address) for _ in range(3)]
            for peer in peers:
                peer.send(client.upload(FORM.body))
                self.assertEqual(peer.read_response().status, 200)
            with client.Client(weir.address) as extra:
                self.check_trouble(extra.read_response(), 503, "proxy.too_many_connections")
            peers.pop().close()
            wait_until(
                lambda: client.post(weir.address, FORM.body).status == 200, "a free place")
            for peer in peers:
                peer.close()

    def test_no_descriptor_is_left(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            wait_until(lambda: weir.wait_for_requests(1), "a record")
            resource.prlimit(weir.process.pid, resource.RLIMIT_NOFILE, (64, 64))
            peers = [client.Client(weir.address) for _ in range(150)]
            # The last ones are refused at once, the first ones when they need the upstream.
            self.check_trouble(peers[-1].read_response(), 503, "proxy.out_of_descriptors")
            used = cpu_seconds(weir)
            for way in ("accepted", "refused"):
                with self.subTest(way):
                    if way == "accepted":
                        for peer in peers[:8]:  # more than there are connections to reuse
                            try:
                                peer.send(client.head(len(LARGE.body)), LARGE.body[:300_000])
                            except ConnectionError:
                                pass  # refused before all was sent
                        self.check_trouble(
                            peers[7].read_response(), 503, "proxy.out_of_descriptors")
                    else:
                        with client.Client(weir.address) as extra:
                            self.check_trouble(
                                extra.read_response(), 503, "proxy.out_of_descriptors")
            time.sleep(1)  # what would spin has the time for it
            self.assertLess(cpu_seconds(weir) - used, 0.5)
            for record in weir.requests()[1:]:
                self.check(record, {
                    "upload.blame": "proxy", "upload.verdict": "aborted",
                    "event.code": "proxy.out_of_descriptors"})
            self.assertEqual(len(re.findall("Too many open files|no descriptor", weir.stderr)), 1)
            for peer in peers:
                peer.close()
            wait_until(
                lambda: client.post(weir.address, FORM.body).status == 200, "a free descriptor")


def cpu_seconds(weir):
    """What the process has spent of the processor's time."""
    with open(f"/proc/{weir.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

"""Upstreams that stop reading: what is told, recorded and ended while nothing moves."""

import re
import signal
import threading

import client
import forms
from harness import TestCase, Weir, field, wait_until
from upstream import Upstream

PIECE = b"x" * 65_536
HUGE = 1 << 33


def opening(total=HUGE, target="/upload"):
    """The head of an upload of `total` bytes, and the beginning of its only file."""
    part = forms.Part("photo", b"", "photo.bin")
    return client.head(total, target=target), forms.DELIMITER + b"\r\n" + part.header


class Stalled(Upstream):
    """Reads heads, and nothing else until it is told to; small buffers make that felt soon."""

    def __init__(self, then=lambda request: None, **more):
        self.released = threading.Event()
        self.then = then
        super().__init__(on_head=self.stall, receive_buffer=4096, **more)

    def stall(self, request):
        if request.method == "POST":
            self.released.wait(50)
            return self.then(request)

    def __exit__(self, *error):
        self.released.set()
        super().__exit__(*error)


def progress(weir, target):
    """What a request in flight has received and forwarded, or None where it is not listed."""
    said = len(weir.stderr)
    weir.signal(signal.SIGUSR1)
    wait_until(lambda: re.search(r"\d+ uploads? in flight\n", weir.stderr[said:]), "a list")
    wait_until(lambda: weir.stderr.endswith("\n"), "whole lines")
    match = re.search(re.escape(target) + r" received=(\d+)(?: of \d+)? forwarded=(\d+)",
                      weir.stderr[said:])
    return match and (int(match[1]), int(match[2]))


def stall(weir, target="/upload"):
    """A client whose upload has come to a standstill, and how much of it was forwarded."""
    peer = client.Client(weir.address, send_buffer=4096)
    peer.send(*opening(target=target))
    client.send_until_stalled(peer, PIECE)
    return peer, wait_until(lambda: progress(weir, target), "a line of it")[1]


class NoReader(TestCase):
    def test_it_speaks_but_gives_no_answer(self):
        """Bytes that are no answer do not make an upstream that reads nothing any less late."""
        for said in (b"", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 2"):
            with self.subTest(said), Stalled() as upstream, \
                    Weir.serve(upstream, config={"timeouts": {"firstByte": "3s"}}) as weir:
                peer, _ = stall(weir)
                with peer:
                    if said:
                        upstream.connections[0].send(said)
                    answer = peer.read_response()
                    self.assertEqual(answer.status, 504)
                    self.assertEqual(answer.json["code"], "upstream.no_answer")
                self.check(weir.wait_for_request(), {
                    "upload.termination": "sD", "upload.blame": "upstream"})

    def test_answer_before_all_was_forwarded(self):
        """The client has sent all of it, the upstream has not got it: that is no success."""
        def refuse(request):
            if request.target == "/early":
                request.connection.answer(413, b"no")
                request.connection.upstream.answered.wait(50)
            return True

        with Stalled(refuse) as upstream, Weir.serve(upstream) as weir:
            upstream.answered = threading.Event()
            peer, taken = stall(weir, "/measure")
            peer.reset()
            # Little enough for Weir to read it all, and too much for the upstream's socket.
            body = forms.Form(forms.Part("photo", b"y" * (taken + 100_000), "photo.bin")).body
            with client.Client(weir.address) as peer:
                peer.send(client.upload(body, target="/early"))
                wait_until(
                    lambda: (progress(weir, "/early") or [0])[0] == len(body), "all is received")
                upstream.released.set()
                self.assertEqual(peer.read_response().status, 413)
                # The client is done with this request, and may send another.
                peer.send(client.get("/next"))
                self.assertEqual(peer.read_response("GET").status, 200)
            upstream.answered.set()
            record = wait_until(
                lambda: [r for r in weir.requests() if field(r, "url.path") == "/early"],
                "its record")[0]
            self.check(record, {
                "upload.verdict": "aborted", "upload.termination": "SD",
                "upload.blame": "upstream", "http.response.status_code": 413,
                "upload.received_bytes": len(body), "upload.parts.committed": 0})
            self.assertLess(field(record, "upload.forwarded_bytes"), len(body))
            request_id = field(record, "event.id")
            part = next(
                p for p in weir.parts() if field(p, "transaction.id") == request_id)
            self.check(part, {"upload.part.state": "complete", "upload.part.committed": False})


class LeavingClient(TestCase):
    """A client that goes while the upstream takes nothing, so that nothing is read from it."""

    def check_left(self, weir, upstream):
        # Long before the upstream would be given up.
        self.check(weir.wait_for_request(), {
            "upload.termination": "CD", "upload.blame": "client", "upload.verdict": "aborted"})
        upstream.released.set()
        self.assertEqual(upstream.wait_for_end(), "reset")
        self.assertFalse(upstream.complete_requests)

    def test_reset(self):
        with Stalled() as upstream, Weir.serve(upstream) as weir:
            peer, _ = stall(weir)
            peer.reset()
            self.check_left(weir, upstream)

    def test_close_before_all_was_sent(self):
        """Its end has arrived, behind what waits in the kernel: too little to be all."""
        for total in (HUGE, None):
            with self.subTest(total), Stalled() as upstream, Weir.serve(upstream) as weir:
                peer, taken = stall(weir, "/measure")
                peer.reset()
                weir.wait_for_requests(1)
                head, start = opening(total)
                if total is None:
                    head, start = client.head(chunked=True), b"%x\r\n" % HUGE + start
                with client.Client(weir.address) as peer:
                    peer.send(head, start, b"y" * (taken + 700_000))
                    wait_until(lambda: progress(weir, "/upload"), "it is in flight")
                record = weir.wait_for_requests(2)[1]
                self.check(record, {"upload.termination": "CD", "upload.blame": "client"})

    def test_reset_after_all_was_sent(self):
        """The request behind it waits unread, and its end with it."""
        with Stalled() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            body = forms.photo_form(1000).body
            peer.send(client.upload(body), client.get("/next"))
            upstream.wait_for_request()
            wait_until(lambda: progress(weir, "/upload"), "it is in flight")
            peer.reset()
            self.check(weir.wait_for_request(), {
                "upload.termination": "CH", "upload.blame": "client"})
            upstream.released.set()
            self.assertEqual(upstream.wait_for_end(), "reset")

    def test_half_closed_client_is_answered(self):
        """Its whole request has been sent, though little of it was read."""
        with Stalled() as upstream, Weir.serve(upstream) as weir:
            peer, taken = stall(weir, "/measure")
            peer.reset()
            weir.wait_for_requests(1)
            for chunked in (False, True):
                form = forms.Form(
                    forms.Part("photo", b"y" * (taken + 700_000), "photo.bin"))
                with client.Client(weir.address) as peer:
                    sender = threading.Thread(
                        target=peer.send, args=(client.upload(form.body, chunked),))
                    sender.start()
                    sender.join(2)
                    self.assertFalse(sender.is_alive(), "the kernel takes the rest")
                    peer.finish_sending()
                    wait_until(lambda: progress(weir, "/upload"), "it is in flight")
                    upstream.released.set()
                    answer = peer.read_response()
                    self.assertEqual(answer.json["bytes"], len(form.body))

"""Thousands of requests that nobody would send: the proxy lives, and nothing wrong gets through."""

import random

import client
import forms
from harness import TestCase, Weir
from upstream import Upstream


class Mutations(TestCase):
    """Good requests with a few bytes changed, lost, doubled or swapped."""

    COUNT = 1200

    ODD = [b"\r\n", b"\n", b"\r", b"\0", b"--", b"\r\n\r\n", b"\xff", b'"', b"0\r\n\r\n", b": ",
           b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", forms.DELIMITER,
           forms.CLOSE, b"9" * 30, b"F" * 16 + b"\r\n", b"-1", b"; filename*=UTF-8''a"]

    def mutate(self, data, chance):
        data = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(data))
            kind = chance.randrange(5)
            if kind == 0:
                data[at] ^= 1 << chance.randrange(8)
            elif kind == 1:
                del data[at:at + chance.randint(1, 20)]
            elif kind == 2:
                data[at:at] = chance.choice(self.ODD)
            elif kind == 3:
                to = chance.randrange(len(data))
                data[to:to] = data[at:at + chance.randint(1, 60)]
            else:
                data[at:at + 2] = chance.choice(self.ODD)
            if not data:
                data = bytearray(b"\0")
        return bytes(data)

    def exchange(self, weir, request):
        """The statuses that come back; the connection ends in every case."""
        statuses = []
        with client.Client(weir.address) as peer:
            try:
                peer.send(request)
                peer.finish_sending()
                while True:
                    statuses.append(peer.read_response().status)
            except (ConnectionError, client.Truncated):
                return statuses

    def test_they_are_refused_or_forwarded_as_they_are(self):
        chance = random.Random(2026)
        form = forms.Form(
            forms.Part("caption", b"Reading on the train"),
            forms.Part("photo", forms.noise(400), "x.jpg", "image/jpeg"))
        originals = [client.upload(form.body, chunked) for chunked in (False, True)]
        config = {"timeouts": {"head": "2s", "bodyIdle": "2s"}}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir:
            seen = 0
            for number in range(self.COUNT):
                request = self.mutate(originals[number % 2], chance)
                statuses = self.exchange(weir, request)
                self.assertIsNone(weir.process.poll(), f"{request!r} ended the proxy: {weir.stderr}")
                self.assertTrue(
                    all(status in (200, 400, 405, 408, 413, 414, 415, 417, 431, 501, 505)
                        for status in statuses), f"{statuses} for {request!r}")
                complete = upstream.complete_requests
                self.assertEqual(
                    len(complete) - seen, statuses.count(200), f"{statuses} for {request!r}")
                for accepted in complete[seen:]:
                    # Only what was sent arrives: in one piece, or in the pieces of the chunks.
                    if number % 2 == 0:
                        self.assertIn(bytes(accepted.body), request)
                seen = len(complete)
            self.assertGreater(seen, 0)
            self.assertLess(seen, self.COUNT)
            self.assertEqual(
                [c.end for c in upstream.connections if str(c.end).startswith("malformed")], [])

"""Thousands of requests that nobody would send: the proxy lives, and nothing wrong gets through."""

import random

import client
import forms
import malformed
from harness import MEGABYTE, TestCase, Weir, field, wait_until
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


class Storm(TestCase):
    """Exchanges that end in every way there is, many at once."""

    def test_nothing_is_left_behind(self):
        large = forms.photo_form(700_000).body
        chance = random.Random(7)

        def sometimes(request):
            way = request.field("X-Mark")
            if way == "early":
                request.connection.answer(413, b"no", [("Connection", "close")])
            if way == "gone":
                request.connection.reset()
            return way in ("early", "gone")

        with Upstream(on_head=sometimes, keeps_bytes=False) as upstream, \
                Weir.serve(upstream) as weir:
            self.assertEqual(client.post(weir.address, large).status, 200)
            before = weir.descriptors
            counts = dict.fromkeys(("fine", "leave", "bad", "early", "gone", "cut"), 0)
            for _ in range(40):
                ways = chance.choices(list(counts), k=8)
                peers = [client.Client(weir.address) for _ in ways]
                for way, peer in zip(ways, peers):
                    counts[way] += 1
                    body = malformed.CASES[4].body(True) if way == "bad" else large
                    chunked = chance.random() < 0.5
                    request = client.upload(body, chunked, fields=[("X-Mark", way)])
                    if way in ("leave", "cut"):
                        request = request[:chance.randrange(1, len(request) - 10)]
                    try:
                        peer.send(request)
                        if way == "cut":
                            peer.finish_sending()
                    except ConnectionError:
                        pass
                for way, peer in zip(ways, peers):
                    try:
                        if way == "fine":
                            self.assertEqual(peer.read_response().status, 200)
                        elif way == "leave":
                            peer.reset()
                        else:
                            status = peer.read_response().status
                            self.assertIn(status, (400, 413, 502), way)
                    except (ConnectionError, client.Truncated):
                        self.assertNotEqual(way, "fine")
                    peer.close()
            self.assertEqual(client.post(weir.address, large).status, 200)
            # A few connections to the upstream may wait for work.
            wait_until(
                lambda: weir.descriptors <= before + 20,
                lambda: f"no more descriptors than {before} and a few; there are {weir.descriptors}")
            self.assertLess(weir.peak_memory, 40 * MEGABYTE)
            # Every exchange that had a head has left its one record.
            weir.process.terminate()
            self.assertEqual(weir.wait_for_exit(), 0)
            records = weir.requests()
            total = sum(counts.values()) + 2
            self.assertLessEqual(len(records), total)
            # Of those that left, some may have left before the proxy saw them.
            self.assertGreaterEqual(len(records), total - counts["leave"])
            identifiers = [field(record, "event.id") for record in records]
            self.assertEqual(len(set(identifiers)), len(identifiers))
            fine = [r for r in records if field(r, "http.response.status_code") == 200]
            self.assertEqual(len(fine), counts["fine"] + 2)
            self.assertEqual({field(r, "upload.verdict") for r in fine}, {"allowed"})
            self.assertEqual(len(upstream.complete_requests), counts["fine"] + 2)

"""Commit barriers: what the upstream has not seen yet while a body is still undecided.

Each test sends a body up to a point, waits until the upstream has all it may have, and looks. What
may not have left can only be seen by its absence, so the tests send something more whose arrival
proves that the proxy has read, and judged, everything before it.
"""

import client
import forms
from harness import TestCase, Weir, field, wait_until
from upstream import Upstream

HOLD = 64 << 10
LARGE = forms.Part("large", forms.noise(1_000_000), "large.bin", "application/octet-stream")


class Gates(TestCase):
    def start(self, upstream, peer, body, length=1 << 30):
        peer.send(client.head(length), body)
        return upstream.wait_for_request()

    def wait_for_bytes(self, request, count):
        wait_until(
            lambda: request.body_bytes >= count,
            lambda: f"{count} bytes upstream; there are {request.body_bytes}")

    def test_small_upload_is_seen_only_when_it_is_whole(self):
        """G1: nothing of a body no larger than `hold` leaves before all of it has passed."""
        form = forms.photo_form(30_000)
        for chunked in (False, True):
            with self.subTest(chunked=chunked), Upstream() as upstream, \
                    Weir.serve(upstream, "--lanes", "1") as weir, \
                    client.Client(weir.address) as peer:
                request = client.upload(form.body, chunked)
                peer.send(request[:-1])
                # Another client's request is served behind it, so the first has been read.
                self.assertEqual(client.post(weir.address, form.body, target="/probe").status, 200)
                self.assertEqual([r.target for r in upstream.requests], ["/probe"])
                peer.send(request[-1:])
                self.assertEqual(peer.read_response().status, 200)

    def test_nothing_leaves_before_the_first_part_header_has_passed(self):
        """G1: also where the body is declared to be large."""
        with Upstream() as upstream, Weir.serve(upstream, "--lanes", "1") as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(1 << 30), forms.DELIMITER + b"\r\nContent-Disposition: form-data;")
            self.assertEqual(client.post(weir.address, b"x", content_type=None).status, 200)
            self.assertEqual(len(upstream.requests), 1)
            self.assertNotIn(b"multipart", upstream.raw)

    def test_part_header_leaves_whole(self):
        """G2: a header block that is not complete has not left."""
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            second = forms.DELIMITER + b'\r\nContent-Disposition: form-data; name="half'
            request = self.start(upstream, peer, LARGE.encoded + second)
            self.wait_for_bytes(request, len(LARGE.encoded) - 2)
            self.assertNotIn(b"half", request.body)
            # What follows is the end of the header and a part that is no small one.
            peer.send(b'"; filename="b"\r\n\r\n', forms.noise(3 * HOLD))
            self.wait_for_bytes(request, len(LARGE.encoded) + 2 * HOLD)
            self.assertIn(b'name="half"; filename="b"', request.body)

    def test_small_part_leaves_only_whole(self):
        """G3: of a part up to `hold`, not even the header has left before its end is seen."""
        small = forms.Part("small", b"SECRET" * 1000)
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            unfinished = small.encoded[:-2]
            request = self.start(upstream, peer, LARGE.encoded + unfinished)
            self.wait_for_bytes(request, len(LARGE.encoded) - 2)
            self.assertNotIn(b"small", request.body)
            self.assertNotIn(b"SECRET", request.body)
            # Its end lets it go.
            peer.send(b"\r\n" + LARGE.encoded)
            self.wait_for_bytes(request, len(LARGE.encoded) + len(small.encoded))
            self.assertIn(small.content, request.body)

    def test_refused_small_part_is_never_seen(self):
        """G3: a bad field after a good file leaves no trace upstream."""
        bad = forms.DELIMITER + b'\r\nContent-Disposition: form-data; name="bad"\r\n\r\nSECRET\n' \
            + forms.CLOSE
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            answer = client.post(weir.address, LARGE.encoded + bad)
            self.assertEqual(answer.status, 400)
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.assertNotIn(b"SECRET", upstream.raw)
            self.assertNotIn(b'"bad"', upstream.raw)

    def test_close_delimiter_waits_for_the_end_of_the_message(self):
        """G5: the close-delimiter and the last chunk leave only when the message is accepted."""
        form = forms.Form(LARGE)
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(chunked=True))
            peer.send(b"%x\r\n%s\r\n" % (len(form.body), form.body))
            request = upstream.wait_for_request()
            self.wait_for_bytes(request, len(form.body) - len(forms.CLOSE) - 2)
            self.assertNotIn(forms.DELIMITER + b"--", request.body)
            self.assertFalse(request.is_complete)
            peer.send(b"0\r\n\r\n")
            self.assertEqual(peer.read_response().status, 200)
            self.assertEqual(upstream.wait_for_complete().body, form.body)

    def test_bad_end_of_a_chunked_message(self):
        """G5: all parts are fine, and the framing breaks at the very end: it never looks complete."""
        form = forms.Form(LARGE)
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            with client.Client(weir.address) as peer:
                framed = b"%x\r\n%s\r\n" % (len(form.body), form.body)
                peer.send(client.head(chunked=True), framed, b"0\r\nbad trailer\r\n\r\n")
                self.assertEqual(peer.read_response().status, 400)
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.assertNotIn(forms.DELIMITER + b"--", upstream.raw)
            self.assertFalse(upstream.complete_requests)
            self.assertNotIn(b"\r\n0\r\n", upstream.raw)

    def test_end_of_a_raw_body_waits_for_its_last_byte(self):
        """A body that is no form cannot end before its last byte has come."""
        body = forms.noise(500_000)
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            with client.Client(weir.address) as peer:
                peer.send(client.head(len(body), content_type="image/png"), body[:-1])
                request = upstream.wait_for_request()
                self.wait_for_bytes(request, len(body) - HOLD)
                peer.reset()
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.assertFalse(request.is_complete)

    def test_hold_is_a_setting(self):
        """With `hold` 0 a small part flows as it comes."""
        with Upstream() as upstream, Weir.serve(upstream, "--hold", "0") as weir, \
                client.Client(weir.address) as peer:
            part = forms.Part("a", b"v" * 500)
            request = self.start(upstream, peer, part.encoded[:-2])
            self.wait_for_bytes(request, len(part.encoded) - 2)
            self.assertIn(b"v" * 500, request.body)

    def test_committed_says_what_the_upstream_may_have(self):
        rest = forms.Part("b", b"x").encoded + b"junk"
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            total = len(LARGE.encoded) + len(rest)
            request = self.start(upstream, peer, LARGE.encoded, total)
            # All of its content: the line end behind it may be the next delimiter's.
            self.wait_for_bytes(request, len(LARGE.encoded) - 2)
            peer.send(rest)
            self.assertEqual(peer.read_response().status, 400)
            record = weir.wait_for_request()
            first = weir.parts()[0]
            self.check(first, {"upload.part.state": "complete", "upload.part.committed": True})
            self.assertEqual(
                field(record, "upload.parts.committed"),
                sum(field(part, "upload.part.committed") for part in weir.parts()))
            self.assertLess(field(record, "upload.forwarded_bytes"), total)

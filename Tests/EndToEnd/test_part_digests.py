"""What Weir tells of the parts: the upstream in a trailer, the client in the answer."""

import base64
import hashlib
import re

import client
import forms
from harness import TestCase, Weir
from upstream import Upstream

NAME = "Weir-Part-Digest"
FORGED = (NAME, '0;sha-256=:AAAA:')
FORM = forms.Form(
    forms.Part("title", b"A day out"),
    forms.Part("a, b;c", b"1"),
    forms.Part("caf\u00e9", b"2"),
    forms.Part("photo", forms.noise(300_000), "photo.bin", "application/octet-stream"),
)


def digest(content):
    return base64.b64encode(hashlib.sha256(content).digest()).decode()


def expected(form, names):
    return ", ".join(
        f"{index}{';name=' + name if name else ''};sha-256=:{digest(part.content)}:"
        for index, (part, name) in enumerate(zip(form.parts, names)))


EXPECTED = expected(FORM, ['"title"', '"a, b;c"', None, '"photo"'])


def values(fields):
    return [value for name, value in fields
            if name.lower().replace("_", "-") == NAME.lower()]


class PartDigests(TestCase):
    def test_each_way_tells_whom_it_says(self):
        ways = {"off": (False, False), "trailer": (True, False), "answer": (False, True),
                "both": (True, True)}
        for way, (to_upstream, to_client) in ways.items():
            with Upstream() as upstream, Weir.serve(upstream, "--part-digests", way) as weir:
                for number, chunked in enumerate((False, True), 1):
                    with self.subTest(way, chunked=chunked):
                        answer = client.post(weir.address, FORM.body, chunked)
                        self.assertEqual(answer.status, 200)
                        self.assertEqual(values(answer.fields), [EXPECTED] if to_client else [])
                        request = upstream.wait_for_complete(number)
                        self.assertEqual(bytes(request.body), FORM.body)
                        self.assertEqual(
                            request.trailers, [(NAME, EXPECTED)] if to_upstream else [])
                        self.assertEqual(request.field("Trailer"), NAME if to_upstream else None)
                        is_chunked = request.field("Transfer-Encoding") == "chunked"
                        self.assertEqual(is_chunked, chunked or to_upstream)

    def test_nobody_else_says_it(self):
        """Neither a client, in head or trailer, nor an upstream where Weir speaks to the client."""
        forged = [FORGED, ("weir_part_digest", "x"), ("WEIR-PART-DIGEST", "y")]

        def echo(request):
            request.connection.answer(200, b"", forged)

        for way, is_told in (("trailer", False), ("answer", True), ("both", True)):
            with self.subTest(way), Upstream(on_request=echo) as upstream, \
                    Weir.serve(upstream, "--part-digests", way) as weir, \
                    client.Client(weir.address) as peer:
                peer.send(client.head(chunked=True, fields=forged + [("Trailer", NAME)]))
                peer.send(b"%x\r\n%s\r\n0\r\n" % (len(FORM.body), FORM.body))
                peer.send(f"{FORGED[0]}: {FORGED[1]}\r\n\r\n".encode())
                answer = peer.read_response()
                if is_told:
                    self.assertEqual(values(answer.fields), [EXPECTED])
                request = upstream.wait_for_complete()
                self.assertEqual(values(request.fields), [])
                self.assertEqual(
                    values(request.trailers), [] if way == "answer" else [EXPECTED])
                # A request without a body has no parts, and nobody may say it has.
                peer.send(client.get(fields=forged))
                answer = peer.read_response("GET")
                if is_told:
                    self.assertEqual(values(answer.fields), [])
                request = upstream.wait_for_complete(2)
                self.assertEqual(values(request.fields), [])
                self.assertIsNone(request.field("Trailer"))

    def test_a_refused_upload_has_no_trailer(self):
        config = {"routes": [{"path": "/small", "partDigests": "both", "hold": 0,
                              "limits": {"partBytes": 100_000}}]}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(len(FORM.body), target="/small"), FORM.body[:50_000])
            self.assertEqual(upstream.wait_for_request().field("Trailer"), NAME)
            peer.send(FORM.body[50_000:150_000])
            answer = peer.read_response()
            self.assertEqual(answer.status, 413)
            self.assertEqual(values(answer.fields), [])
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.assertNotIn(NAME.encode() + b": 0", upstream.raw)
            # Elsewhere nothing is told.
            answer = client.post(weir.address, FORM.body)
            self.assertEqual((answer.status, values(answer.fields)), (200, []))

    def test_observing_changes_nothing(self):
        for mode in ("observe", "off"):
            with self.subTest(mode), Upstream() as upstream, \
                    Weir.serve(upstream, "--part-digests", "both", "--mode", mode) as weir:
                answer = client.post(weir.address, FORM.body)
                self.assertEqual((answer.status, values(answer.fields)), (200, []))
                request = upstream.wait_for_complete()
                self.assertEqual(request.field("Content-Length"), str(len(FORM.body)))
                self.assertEqual(request.trailers, [])

    def test_one_raw_part(self):
        body = forms.noise(200_000)
        with Upstream() as upstream, Weir.serve(upstream, "--part-digests", "both") as weir:
            answer = client.post(weir.address, body, content_type="image/x-raw")
            value = f"0;sha-256=:{digest(body)}:"
            self.assertEqual(values(answer.fields), [value])
            self.assertEqual(upstream.wait_for_complete().trailers, [(NAME, value)])

    def test_other_digests_in_the_records(self):
        """What is recorded is another matter than what is told."""
        with Upstream() as upstream, Weir.serve(
                upstream, "--part-digests", "answer", "--digests", "md5") as weir:
            self.assertEqual(values(client.post(weir.address, FORM.body).fields), [EXPECTED])
            weir.wait_for_request()
            self.assertEqual([list(part["file"]["hash"]) for part in weir.parts()
                              if "file" in part and "hash" in part["file"]][-1:], [["md5"]])

    def test_it_is_bounded(self):
        form = forms.Form(*[forms.Part(f"n{index}", b"%d" % index) for index in range(120)])
        with Upstream() as upstream, Weir.serve(upstream, "--part-digests", "both") as weir:
            answer = client.post(weir.address, form.body)
            self.assertEqual(answer.status, 200)
            value, = values(answer.fields)
            self.assertLessEqual(len(value), 4096)
            members = value.split(", ")
            omitted = int(re.fullmatch(r"\*;omitted=(\d+)", members[-1])[1])
            self.assertEqual(len(members) - 1 + omitted, 120)
            self.assertTrue(expected(form, [f'"n{i}"' for i in range(120)])
                            .startswith(", ".join(members[:-1])))
            self.assertGreater(len(members), 40)
            self.assertEqual(upstream.wait_for_complete().trailers, [(NAME, value)])

    def test_an_early_answer_tells_nothing(self):
        def early(request):
            request.connection.answer(200, b"", [("Connection", "close")])
            return True

        with Upstream(on_head=early) as upstream, \
                Weir.serve(upstream, "--part-digests", "both") as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(len(FORM.body)), FORM.body[:200_000])
            answer = peer.read_response()
            self.assertEqual((answer.status, values(answer.fields)), (200, []))

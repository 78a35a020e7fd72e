"""Broken uploads: the client is told what and where, and the upstream never sees a whole request."""

import client
import forms
import malformed
from harness import TestCase, Weir, field
from upstream import Upstream


class Refusal(TestCase):
    """What every refusal has in common."""

    def check_problem(self, answer, status, code, offset):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.field("Content-Type"), "application/problem+json")
        self.assertEqual(answer.field("Connection"), "close")
        self.assertRegex(answer.field("Proxy-Status") or "", r"^weir; *error=[a-z_]+")
        problem = answer.json
        self.assertEqual(problem["code"], code, problem)
        self.assertEqual(problem["type"], f"urn:weir:finding:{code}")
        self.assertEqual(problem["status"], status)
        self.assertTrue(problem["title"] and problem["detail"])
        self.assertRegex(problem["instance"], r"^urn:uuid:[0-9a-f-]{36}$")
        if offset is not None:
            self.assertEqual(problem["offset"], offset, problem)
        return problem

    def check_record(self, record, problem, blame="client"):
        self.check(record, {
            "event.kind": "alert",
            "event.type": ["access", "denied"],
            "event.outcome": "failure",
            "event.code": problem["code"],
            "event.reason": problem["detail"],
            "http.response.status_code": problem["status"],
            "upload.verdict": "blocked",
            "upload.blame": blame,
        })
        self.assertEqual(f"urn:uuid:{field(record, 'http.request.id')}", problem["instance"])
        blocking = [f for f in field(record, "upload.findings") if f["severity"] == "block"]
        self.assertIn(
            (problem["code"], problem["offset"]), [(f["code"], f["offset"]) for f in blocking])
        self.assertTrue(all(f["detail"] and f["reference"] for f in blocking))

    def check_upstream_saw_nothing(self, upstream):
        self.assertTrue(upstream.is_untouched(), upstream.raw)

    def check_upstream_saw_no_end(self, upstream):
        """Something may have come, but nothing that looks like an upload that is done."""
        self.assertEqual(upstream.wait_for_end(), "reset")
        self.assertEqual(upstream.complete_requests, [])
        self.assertNotIn(forms.DELIMITER + b"--", upstream.raw)
        self.assertNotIn(b"\r\n0\r\n\r\n", upstream.raw)


class MalformedBodies(Refusal):
    def test_small_ones_leave_nothing_upstream(self):
        for case in malformed.CASES:
            for chunked in (False, True):
                with self.subTest(case.name, chunked=chunked), Upstream() as upstream, \
                        Weir.serve(upstream, "--profile", case.profile) as weir:
                    answer = client.post(weir.address, case.body(False), chunked)
                    problem = self.check_problem(answer, 400, case.code, case.offset(False))
                    record = weir.wait_for_request()
                    self.check_record(record, problem)
                    self.assertEqual(field(record, "upload.forwarded_bytes"), 0)
                    self.check_upstream_saw_nothing(upstream)

    def test_large_ones_end_in_a_reset(self):
        for case in malformed.CASES:
            for chunked in (False, True):
                with self.subTest(case.name, chunked=chunked), Upstream() as upstream, \
                        Weir.serve(upstream, "--profile", case.profile) as weir:
                    answer = client.post(weir.address, case.body(True), chunked)
                    problem = self.check_problem(answer, 400, case.code, case.offset(True))
                    record = weir.wait_for_request()
                    self.check_record(record, problem)
                    self.check_upstream_saw_no_end(upstream)
                    sent = field(record, "upload.forwarded_bytes")
                    self.assertTrue(0 < sent <= len(malformed.LEAD), sent)

    def test_the_offset_does_not_depend_on_how_the_bytes_come(self):
        with Upstream() as upstream, Weir.serve(upstream, "--profile", "strict") as weir:
            for case in malformed.CASES:
                body = case.body(False)
                with self.subTest(case.name), client.Client(weir.address) as peer:
                    peer.send(client.head(len(body)))
                    try:
                        for byte in body:
                            peer.send(bytes([byte]))
                    except (BrokenPipeError, ConnectionResetError):
                        pass
                    self.check_problem(
                        peer.read_response(), 400, case.code, case.offset(False))
            self.check_upstream_saw_nothing(upstream)

    def test_nothing_like_a_form(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for body in (b"hello", b"--another\r\n\r\n--another--\r\n"):
                answer = client.post(weir.address, body)
                expected = {("preamble.present", 0), ("delimiter.missing_first", len(body))}
                problem = answer.json
                self.assertEqual(answer.status, 400)
                self.assertIn((problem["code"], problem["offset"]), expected)
            self.check_upstream_saw_nothing(upstream)

    def test_the_answer_can_be_read_while_the_client_still_sends(self):
        """A client that does not look before it has sent everything still gets the reason."""
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            bad = malformed.CASES[4]
            body = bad.body(True) + forms.noise(6 << 20)
            peer.send(client.head(len(body)), body)
            self.check_problem(peer.read_response(), 400, bad.code, bad.offset(True))


class MalformedContentType(Refusal):
    ROWS = [
        ("no boundary", "boundary.missing", 400, "multipart/form-data", []),
        ("empty boundary", "boundary.empty", 400, 'multipart/form-data; boundary=""', []),
        ("boundary of 71", "boundary.too_long", 400, "multipart/form-data; boundary=" + "a" * 71, []),
        ("two boundaries", "boundary.duplicate_parameter", 400,
         "multipart/form-data; boundary=a; boundary=b", []),
        ("two fields", "content_type.duplicate_header", 400, forms.CONTENT_TYPE,
         [("Content-Type", forms.CONTENT_TYPE)]),
    ]

    def test_it_is_refused_before_anything_is_sent(self):
        for name, code, status, content_type, fields in self.ROWS:
            with self.subTest(name), Upstream() as upstream, Weir.serve(upstream) as weir, \
                    client.Client(weir.address) as peer:
                # No byte of the body is needed to know.
                peer.send(client.head(1000, content_type=content_type, fields=fields))
                problem = self.check_problem(peer.read_response(), status, code, None)
                self.check_record(weir.wait_for_request(), problem)
                self.check_upstream_saw_nothing(upstream)

    def test_types_that_a_route_does_not_take(self):
        options = ("--content-types", "multipart/form-data")
        with Upstream() as upstream, Weir.serve(upstream, *options) as weir:
            answer = client.post(weir.address, b"{}", content_type="application/json")
            self.check_problem(answer, 415, "content_type.denied", 0)
            self.assertTrue(upstream.is_untouched())
            self.assertEqual(client.post(weir.address, forms.photo_form().body).status, 200)


class BrokenFraming(Refusal):
    """HTTP's own framing: the end of a body that cannot be trusted."""

    def test_bad_chunks(self):
        rows = [
            ("no size", "http.chunk_size_missing", b"\r\n", 0),
            ("no number", "http.chunk_size_invalid", b"zz\r\nab\r\n", 0),
            ("sign", "http.chunk_size_invalid", b"+5\r\nabcde\r\n", 0),
            ("number goes on oddly", "http.chunk_size_invalid", b"5g\r\nabcde\r\n", 1),
            ("size line ends in LF", "http.chunk_line_end_invalid", b"5\nabcde\r\n", 1),
            ("CR without LF", "http.chunk_line_end_invalid", b"5\rabcde\r\n", 2),
            ("data is longer", "http.chunk_data_end_invalid", b"5\r\nabcdefg\r\n", 8),
        ]
        leads = [forms.Part("f", b"").encoded[:-2], malformed.LEAD]
        for name, code, bad, offset in rows:
            for lead in leads:
                with self.subTest(name, lead=len(lead)), Upstream() as upstream, \
                        Weir.serve(upstream) as weir, client.Client(weir.address) as peer:
                    good = b"%x\r\n%s\r\n" % (len(lead), lead)
                    peer.send(client.head(chunked=True), good + bad)
                    problem = self.check_problem(
                        peer.read_response(), 400, code, len(good) + offset)
                    self.check_record(weir.wait_for_request(), problem)
                    if lead is malformed.LEAD:
                        self.check_upstream_saw_no_end(upstream)
                    else:
                        self.check_upstream_saw_nothing(upstream)

    def test_client_stops_halfway_and_shuts_its_side(self):
        form = forms.photo_form(900_000)
        for size in (700, 600_000):
            for chunked in (False, True):
                with self.subTest(size, chunked=chunked), Upstream() as upstream, \
                        Weir.serve(upstream) as weir, client.Client(weir.address) as peer:
                    whole = client.upload(form.body, chunked)
                    head_size = whole.index(b"\r\n\r\n") + 4
                    peer.send(whole[:head_size + size])
                    peer.finish_sending()
                    problem = self.check_problem(
                        peer.read_response(), 400, "http.body_truncated", size)
                    record = weir.wait_for_request()
                    self.check(record, {
                        "upload.termination": "CD", "upload.blame": "client",
                        "upload.verdict": "aborted", "event.code": problem["code"]})
                    # A length above `hold` says at once that this is no small body: its first
                    # part may have left.
                    if size > 100_000 or not chunked and not upstream.is_untouched():
                        self.check_upstream_saw_no_end(upstream)
                    else:
                        self.check_upstream_saw_nothing(upstream)

    def test_two_ways_to_say_the_length(self):
        rows = [
            ("both", [("Content-Length", "3"), ("Transfer-Encoding", "chunked")],
             "http.content_length_with_transfer_encoding", 400),
            ("two lengths", [("Content-Length", "3"), ("Content-Length", "4")],
             "http.content_length_duplicate", 400),
            ("signed length", [("Content-Length", "+3")], "http.content_length_invalid", 400),
            ("unknown coding", [("Transfer-Encoding", "gzip, chunked")],
             "http.transfer_encoding_unknown", 501),
        ]
        for name, fields, code, status in rows:
            with self.subTest(name), Upstream() as upstream, Weir.serve(upstream) as weir, \
                    client.Client(weir.address) as peer:
                peer.send(client.head(content_type="text/plain", fields=fields), b"0\r\n\r\nabc")
                problem = self.check_problem(peer.read_response(), status, code, None)
                self.check_record(weir.wait_for_request(), problem)
                # Nothing behind it is ever read as a request.
                peer.wait_for_end()
                self.assertTrue(upstream.is_untouched())

    def test_bad_heads(self):
        rows = [
            (b"GET / HTTP/1.1\r\n\r\n", 400, "http.host_missing"),
            (b"GET / HTTP/1.1\nHost: a\r\n\r\n", 400, "http.bare_lf"),
            (b"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400, "http.space_before_colon"),
            (b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, "http.host_duplicate"),
            (b"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400, "http.field_folded"),
            (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n", 414, "http.request_line_too_long"),
            (b"GET / HTTP/1.1\r\nA: " + b"a" * 9000 + b"\r\n", 431, "http.field_line_too_long"),
            (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 101, 431, "http.too_many_fields"),
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200, 400, None),
        ]
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for number, (sent, status, code) in enumerate(rows, 1):
                with self.subTest(sent[:40]), client.Client(weir.address) as peer:
                    peer.send(sent)
                    answer = peer.read_response()
                    problem = self.check_problem(
                        answer, status, code or answer.json["code"], None)
                    record = weir.wait_for_requests(number)[-1]
                    self.check_record(record, problem)
                    self.assertEqual(field(record, "upload.termination"), "PR")
            self.assertTrue(upstream.is_untouched())


class Limits(Refusal):
    ROWS = [
        ("body declared", {"bodyBytes": 1000}, 1001, "limit.body", 413),
        ("parts", {"parts": 2}, None, "limit.parts", 413),
        ("part size", {"partBytes": 100}, None, "limit.part_size", 413),
        ("header line", {"partHeaderLineBytes": 64}, None, "part_header.line_too_long", 400),
        ("name", {"nameBytes": 4}, None, "name.too_long", 400),
    ]

    def test_each_has_its_own_code(self):
        form = forms.Form(
            forms.Part("a", b"1"), forms.Part("longer", b"2" * 200),
            forms.Part("c", b"3", "x" * 50 + ".bin"))
        for name, limits, length, code, status in self.ROWS:
            config = {"limits": limits, "profile": "strict"}
            with self.subTest(name), Upstream() as upstream, \
                    Weir.serve(upstream, config=config) as weir, \
                    client.Client(weir.address) as peer:
                peer.send(client.head(length or len(form.body)))
                if length is None:
                    peer.send(form.body)
                self.check_problem(peer.read_response(), status, code, None)
                self.check_upstream_saw_nothing(upstream)

    def test_body_limit_of_a_chunked_body_is_exact(self):
        for size, status in ((5000, 200), (5001, 413)):
            with Upstream() as upstream, \
                    Weir.serve(upstream, config={"limits": {"bodyBytes": 5000}}) as weir:
                answer = client.post(
                    weir.address, b"x" * size, chunked=True, content_type="text/plain")
                self.assertEqual(answer.status, status)
                if status == 413:
                    self.check_problem(answer, 413, "limit.body", 5000)
                    self.assertFalse(upstream.complete_requests)

"""Connections on both sides: kept, shared, pipelined, and never used again after a broken request."""

import concurrent.futures

import client
import forms
import malformed
from harness import SOON, TestCase, Weir, field, wait_until
from upstream import Upstream

FORM = forms.photo_form(20_000)


class KeepAlive(TestCase):
    def test_many_requests_on_one_connection(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            for number in range(20):
                chunked = number % 2 == 1
                peer.send(client.upload(FORM.body, chunked, fields=[("X-Mark", number)]))
                answer = peer.read_response()
                self.assertEqual((answer.status, answer.json["mark"]), (200, str(number)))
                self.assertNotEqual(answer.field("Connection"), "close")
            self.assertEqual(len(upstream.connections), 1)
            self.assertEqual(len(weir.wait_for_requests(20)), 20)

    def test_pipelined_requests_are_answered_in_order(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            requests = b"".join(
                client.upload(FORM.body, number % 2 == 0, fields=[("X-Mark", number)])
                + client.get(f"/{number}") for number in range(8))
            peer.send(requests)
            for number in range(8):
                answer = peer.read_response()
                self.assertEqual(answer.json["mark"], str(number))
                self.assertEqual(answer.json["bytes"], len(FORM.body))
                self.assertEqual(peer.read_response().json["target"], f"/{number}")
            self.assertTrue(all(r.body == FORM.body or not r.body for r in upstream.requests))

    def test_bytes_beyond_an_answer_are_nobodys_answer(self):
        """What an upstream sends too much cannot answer the request that waits behind."""
        surplus = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"

        def answer(request):
            if request.target == "/first":
                request.connection.send(b"HTTP/1.1 204 No Content\r\n\r\n" + surplus)
            else:
                request.connection.answer(200, b"good")

        with Upstream(on_request=answer) as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.get("/first") + client.get("/second"))
            self.assertEqual(peer.read_response("GET").status, 204)
            self.assertEqual(peer.read_response("GET").body, b"good")
            self.assertEqual(len(upstream.connections), 2)

    def test_pipelined_request_behind_a_refused_one_is_never_read(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            bad = malformed.CASES[4].body(False)
            peer.send(client.upload(bad) + client.get("/smuggled"))
            self.assertEqual(peer.read_response().status, 400)
            self.assertIn(peer.wait_for_end(), ("fin", "reset"))
            self.assertTrue(upstream.is_untouched())
            self.assertEqual(len(weir.wait_for_requests()), 1)

    def test_connection_close_is_honoured(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.upload(FORM.body, fields=[("Connection", "close")]))
            answer = peer.read_response()
            self.assertEqual((answer.status, answer.field("Connection")), (200, "close"))
            self.assertEqual(peer.wait_for_end(), "fin")

    def test_http_1_0(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.upload(FORM.body, version="1.0"))
            self.assertEqual(peer.read_response().json["bytes"], len(FORM.body))
            self.assertEqual(peer.wait_for_end(), "fin")
            self.check(weir.wait_for_request(), {"http.version": "1.0"})

    def test_idle_connection_ends_in_time(self):
        config = {"timeouts": {"keepAlive": "300ms"}}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.upload(FORM.body))
            self.assertEqual(peer.read_response().status, 200)
            self.assertEqual(peer.wait_for_end(), "fin")
            # The pooled connection to the upstream grows old as well.
            self.assertEqual(upstream.wait_for_end(), "fin")
            self.assertEqual(len(weir.requests()), 1)


class Isolation(TestCase):
    def test_two_clients_never_mix(self):
        """Many uploads at once, each with its own mark in head and body."""
        with Upstream() as upstream, Weir.serve(upstream) as weir:

            def run(name):
                with client.Client(weir.address) as peer:
                    for number in range(60):
                        mark = f"{name}-{number}"
                        form = forms.Form(
                            forms.Part("mark", mark.encode()),
                            forms.Part("file", forms.noise(500 * number, name), "f.bin"))
                        peer.send(client.upload(
                            form.body, number % 3 == 0, fields=[("X-Mark", mark)]))
                        answer = peer.read_response()
                        expected = (200, mark, forms.Part("", form.body).sha256)
                        got = (answer.status, answer.json["mark"], answer.json["sha256"])
                        if got != expected:
                            return f"{got} instead of {expected}"

            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                for problem in pool.map(run, range(4)):
                    self.assertIsNone(problem)
            self.assertEqual(len(weir.wait_for_requests(240)), 240)
            self.assertEqual(len(upstream.complete_requests), 240)
            for request in upstream.complete_requests:
                self.assertIn(request.field("X-Mark").encode(), request.body)
            self.assertLess(len(upstream.connections), 60)


class UpstreamConnections(TestCase):
    def test_they_are_used_again(self):
        with Upstream() as upstream, Weir.serve(upstream, "--lanes", "1") as weir:
            for _ in range(10):
                self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            self.assertEqual(len(upstream.connections), 1)

    def test_not_after_a_refused_upload(self):
        with Upstream() as upstream, Weir.serve(upstream, "--lanes", "1") as weir:
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            case = malformed.CASES[0]
            self.assertEqual(client.post(weir.address, case.body(True)).status, 400)
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            self.assertEqual(len(upstream.connections), 2)
            self.assertEqual(len(upstream.complete_requests), 2)

    def test_not_after_a_client_that_left(self):
        for leave in ("reset", "close"):
            with self.subTest(leave), Upstream() as upstream, \
                    Weir.serve(upstream, "--lanes", "1") as weir:
                with client.Client(weir.address) as peer:
                    peer.send(client.head(1 << 30), malformed.LEAD[:-1000])
                    upstream.wait_for_request()
                    getattr(peer, leave)()
                self.assertEqual(upstream.wait_for_end(), "reset")
                self.assertEqual(client.post(weir.address, FORM.body).status, 200)
                self.assertEqual(len(upstream.connections), 2)
                self.assertEqual(len(upstream.complete_requests), 1)
                self.check(weir.wait_for_requests(2)[0], {
                    "upload.verdict": "aborted", "upload.blame": "client",
                    "upload.termination": "CD", "event.outcome": "failure"})
                self.check(weir.parts()[0], {"upload.part.state": "aborted"})

    def test_not_after_a_client_that_left_before_its_answer(self):
        """The answer that still comes must not meet the next request."""
        held = []

        def hold_first(request):
            if not held:
                held.append(request)
            else:
                upstream.describe(request)

        with Upstream(on_request=hold_first) as upstream, \
                Weir.serve(upstream, "--lanes", "1") as weir:
            with client.Client(weir.address) as peer:
                peer.send(client.upload(FORM.body))
                wait_until(lambda: held, "the request upstream")
                peer.reset()
            weir.wait_for_request()
            try:
                held[0].connection.answer(200, {"mark": "stale"})
            except OSError:
                pass
            answer = client.post(weir.address, FORM.body, fields=[("X-Mark", "fresh")])
            self.assertEqual(answer.json["mark"], "fresh")
            self.assertEqual(len(upstream.connections), 2)

    def test_stale_one_is_replaced(self):
        """The upstream has closed a connection that waited in the pool: nobody notices."""
        with Upstream() as upstream, Weir.serve(upstream, "--lanes", "1") as weir:
            for number in range(1, 4):
                self.assertEqual(client.post(weir.address, FORM.body).status, 200)
                upstream.connections[-1].close()
                wait_until(lambda: upstream.connections[-1].end, "the end", SOON)
            self.assertEqual(len(upstream.connections), 3)
            self.assertEqual(len(upstream.complete_requests), 3)

    def test_bytes_nobody_asked_for_end_it(self):
        """A second answer in the pool would be the next client's."""
        def twice(request):
            request.connection.send(
                b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
                b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")

        with Upstream(on_request=twice) as upstream, Weir.serve(upstream, "--lanes", "1") as weir:
            for count in (1, 2, 3):
                self.assertEqual(client.post(weir.address, FORM.body).body, b"a")
                self.assertEqual(len(upstream.connections), count)

    def test_upload_is_never_sent_twice(self):
        """A connection that breaks under an upload is no reason to repeat it."""
        def drop(request):
            request.connection.reset()

        with Upstream(on_request=drop) as upstream, Weir.serve(upstream) as weir:
            self.assertEqual(client.post(weir.address, FORM.body).status, 502)
            self.assertEqual(len(upstream.requests), 1)


class EarlyAnswers(TestCase):
    """The upstream has made up its mind before the upload ends."""

    def test_it_is_delivered_at_once(self):
        def refuse(request):
            request.connection.answer(413, {"why": "too large"}, reason="Too Large")
            return False

        for chunked in (False, True):
            with self.subTest(chunked=chunked), Upstream(on_head=refuse) as upstream, \
                    Weir.serve(upstream, "--lanes", "1") as weir:
                with client.Client(weir.address) as peer:
                    peer.send(client.head(1 << 30, chunked))
                    lead = malformed.LEAD
                    peer.send(b"%x\r\n%s\r\n" % (len(lead), lead) if chunked else lead)
                    answer = peer.read_response()
                    self.assertEqual((answer.status, answer.json["why"]), (413, "too large"))
                    self.assertEqual(answer.field("Connection"), "close")
                    self.assertIn(peer.wait_for_end(), ("fin", "reset"))
                record = weir.wait_for_request()
                self.check(record, {
                    "http.response.status_code": 413, "upload.termination": "SD"})
                self.assertNotEqual(field(record, "upload.verdict"), "allowed")
                self.assertLess(field(record, "upload.received_bytes"), 1 << 30)
                self.assertEqual(upstream.wait_for_end(), "reset")
                # The next request has a connection of its own.
                upstream.on_head = upstream.invite
                self.assertEqual(client.post(weir.address, FORM.body).status, 200)
                self.assertEqual(len(upstream.connections), 2)

    def test_a_client_that_only_sends_gets_it_too(self):
        """It reads when it is done, and by then the proxy has long stopped forwarding."""
        def refuse(request):
            request.connection.answer(403, b"no")
            return False

        with Upstream(on_head=refuse) as upstream, Weir.serve(upstream) as weir:
            body = malformed.LEAD * 8
            with client.Client(weir.address) as peer:
                peer.send(client.head(len(body)), body)
                self.assertEqual(peer.read_response().status, 403)
            upstream.wait_for_end()
            self.assertLess(upstream.requests[0].body_bytes, len(body))


class Expectation(TestCase):
    """`Expect: 100-continue` is a gate: no invitation before the head has passed."""

    FIELDS = [("Expect", "100-continue")]

    def test_invited_client_sends(self):
        rows = [
            ("form", forms.CONTENT_TYPE, FORM.body),
            ("large form", forms.CONTENT_TYPE, forms.photo_form(900_000).body),
            ("something else", "image/jpeg", forms.noise(300_000)),
        ]
        for name, content_type, body in rows:
            for chunked in (False, True):
                with self.subTest(name, chunked=chunked), Upstream() as upstream, \
                        Weir.serve(upstream) as weir, client.Client(weir.address) as peer:
                    request = client.upload(
                        body, chunked, content_type=content_type, fields=self.FIELDS)
                    split = request.index(b"\r\n\r\n") + 4
                    peer.send(request[:split])
                    self.assertEqual(peer.read_head()[0], 100)
                    # An invitation is only given where there is somebody to send to.
                    self.assertFalse(upstream.is_untouched())
                    peer.send(request[split:])
                    answer = peer.read_response()
                    self.assertEqual((answer.status, answer.interims), (200, []))
                    self.assertTrue(upstream.wait_for_complete().body == body)

    def test_client_that_does_not_wait(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            answer = client.post(weir.address, FORM.body, fields=self.FIELDS)
            self.assertEqual(answer.status, 200)
            self.assertLessEqual(len(answer.interims), 1)
            self.assertEqual(upstream.wait_for_complete().body, FORM.body)

    def test_refusal_instead_of_an_invitation(self):
        rows = [
            ("no boundary", "multipart/form-data", 400, "boundary.missing"),
            ("type", "text/plain", 415, "content_type.denied"),
        ]
        options = ("--content-types", "multipart/form-data")
        for name, content_type, status, code in rows:
            with self.subTest(name), Upstream() as upstream, \
                    Weir.serve(upstream, *options) as weir, client.Client(weir.address) as peer:
                peer.send(client.head(5000, content_type=content_type, fields=self.FIELDS))
                answer = peer.read_response()
                self.assertEqual((answer.status, answer.interims), (status, []))
                self.assertEqual(answer.json["code"], code)
                self.assertTrue(upstream.is_untouched())

    def test_no_upstream_is_said_instead_of_an_invitation(self):
        with Upstream() as upstream:
            url = upstream.url
        with Weir.serve(url) as weir, client.Client(weir.address) as peer:
            peer.send(client.head(5000, fields=self.FIELDS))
            answer = peer.read_response()
            self.assertEqual((answer.status, answer.interims), (502, []))

    def test_upstream_refuses_instead_of_inviting(self):
        """Where the upstream sees the head, its own word counts."""
        def refuse(request):
            request.connection.answer(401, b"who are you?")
            return False

        with Upstream(on_head=refuse) as upstream, Weir.serve(upstream, "--mode", "off") as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(5000, content_type="image/jpeg", fields=self.FIELDS))
            answer = peer.read_response()
            self.assertEqual((answer.status, answer.interims), (401, []))

    def test_unknown_expectation(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(5, fields=[("Expect", "the-unexpected")]))
            answer = peer.read_response()
            self.assertEqual((answer.status, answer.json["code"]),
                             (417, "http.expectation_unknown"))
            self.assertTrue(upstream.is_untouched())

    def test_interim_answers_are_relayed(self):
        def hint(request):
            request.connection.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 2)
            upstream.describe(request)

        with Upstream(on_request=hint) as upstream, Weir.serve(upstream) as weir:
            answer = client.post(weir.address, FORM.body)
            self.assertEqual((answer.status, answer.interims), (200, [103, 103]))

"""The main job: a photo goes through the proxy, is inspected, hashed, recorded and forwarded."""

import json
import os
import re
import subprocess
import uuid

import client
import forms
from harness import TestCase, Weir, clean_environment, field, url_of, wait_until
from upstream import Upstream

CAPTION = "Reading on the train ☕"


def curl(*arguments, cwd=None):
    """Runs curl and returns (status, body)."""
    done = subprocess.run(
        ["curl", "-sS", "--max-time", "20", "-w", "\n%{http_code}", *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
        env=clean_environment())
    assert done.returncode == 0, f"curl ended with {done.returncode}: {done.stderr.decode()}"
    body, _, status = done.stdout.rpartition(b"\n")
    return int(status), body


class PhotoThroughTheProxy(TestCase):
    """curl, the proxy, and the upload API for tests behind it."""

    @classmethod
    def setUpClass(cls):
        cls.photo = forms.noise(1_234_567)
        cls.sink = cls.enterClassContext(Weir.sink())
        cls.weir = cls.enterClassContext(Weir.serve(url_of(cls.sink.address, "")))
        folder = cls.weir.folder
        with open(os.path.join(folder, "x.jpg"), "wb") as file:
            file.write(cls.photo)
        cls.status, body = curl(
            "-F", f"caption={CAPTION}", "-F", "photo=@x.jpg",
            "-A", "end-to-end/1", url_of(cls.weir.address, "/upload?album=7"), cwd=folder)
        cls.answer = json.loads(body)
        cls.request = cls.weir.wait_for_request()
        cls.parts = cls.weir.parts()

    def test_answer_has_the_parts(self):
        self.assertEqual(self.status, 201)
        caption, photo = self.answer["parts"]
        self.assertEqual((caption["name"], photo["name"]), ("caption", "photo"))
        self.assertEqual(caption["size"], len(CAPTION.encode()))
        self.assertEqual(photo["filename"], "x.jpg")
        self.assertEqual(photo["content_type"], "image/jpeg")
        self.assertEqual(photo["size"], len(self.photo))

    def test_digests_are_those_of_the_bytes(self):
        digests = [part["sha256"] for part in self.answer["parts"]]
        expected = [forms.Part("", CAPTION.encode()).sha256, forms.Part("", self.photo).sha256]
        self.assertEqual(digests, expected)
        self.assertEqual([field(part, "file.hash.sha256") for part in self.parts], expected)
        self.assertEqual([part["related"]["hash"] for part in self.parts], [[d] for d in expected])

    def test_one_record_a_part_and_one_a_request(self):
        actions = [field(record, "event.action") for record in self.weir.records()]
        self.assertEqual(actions, ["upload-part", "upload-part", "upload"])

    def test_part_records(self):
        caption, photo = self.parts
        for index, part in enumerate(self.parts):
            self.check(part, {
                "event.kind": "event",
                "event.category": ["web", "file"],
                "event.action": "upload-part",
                "event.outcome": "success",
                "event.dataset": "weir.part",
                "source.ip": "127.0.0.1",
                "client.ip": "127.0.0.1",
                "upload.part.index": index,
                "upload.part.state": "complete",
                "upload.part.committed": True,
            })
            self.assertIsInstance(field(part, "event.duration"), int)
            self.assertTrue(field(part, "event.id"))
            start, end = field(part, "upload.part.offset.start"), field(part, "upload.part.offset.end")
            self.assertEqual(end - start, field(part, "file.size"))
        sequence = [field(part, "event.sequence") for part in self.parts]
        self.assertEqual(sequence, sorted(set(sequence)))
        self.check(caption, {
            "upload.part.name": "caption", "upload.part.kind": "field", "upload.part.headers": 1,
            "file.name": None, "file.size": len(CAPTION.encode()),
        })
        self.check(photo, {
            "upload.part.name": "photo", "upload.part.kind": "file", "upload.part.headers": 2,
            "upload.part.content_type": "image/jpeg",
            "file.name": "x.jpg", "file.extension": "jpg", "file.size": len(self.photo),
        })

    def test_request_record(self):
        self.check(self.request, {
            "event.kind": "event",
            "event.category": ["web"],
            "event.type": ["access", "allowed"],
            "event.action": "upload",
            "event.outcome": "success",
            "http.version": "1.1",
            "http.request.method": "POST",
            "http.response.status_code": 201,
            "url.path": "/upload",
            "url.query": "album=7",
            "url.original": "/upload?album=7",
            "user_agent.original": "end-to-end/1",
            "source.ip": "127.0.0.1",
            "upload.mode": "enforce",
            "upload.profile": "balanced",
            "upload.verdict": "allowed",
            "upload.would_block": None,
            "upload.termination": "--",
            "upload.blame": "none",
            "upload.framing": "length",
            "upload.parts": {"total": 2, "files": 1, "committed": 2},
            "observer.type": "proxy",
            "observer.product": "weir",
        })
        self.assertRegex(field(self.request, "observer.version"), r"^\d+\.\d+")
        self.assertRegex(field(self.request, "destination.address"), r"127\.0\.0\.1")

    def test_request_record_counts_bytes(self):
        body = field(self.request, "http.request.body.bytes")
        self.assertGreater(body, len(self.photo))
        for path in ("declared_bytes", "received_bytes", "forwarded_bytes"):
            self.assertEqual(field(self.request, f"upload.{path}"), body, path)
        self.assertGreater(field(self.request, "http.request.bytes"), body)
        self.assertGreater(field(self.request, "destination.bytes"), body)
        self.assertGreater(field(self.request, "http.response.bytes"), 100)
        for path in ("client_wait_ms", "upstream_wait_ms", "connect_ms", "total_ms"):
            self.assertGreaterEqual(field(self.request, f"upload.timing.{path}", -1), 0, path)

    def test_records_of_a_request_belong_together(self):
        transactions = {field(record, "transaction.id") for record in self.weir.records()}
        self.assertEqual(len(transactions), 1)
        self.assertTrue(transactions.pop())
        self.assertEqual(len({field(r, "event.id") for r in self.weir.records()}), 3)
        uuid.UUID(field(self.request, "http.request.id"))

    def test_records_have_times_and_a_schema(self):
        for record in self.weir.records():
            self.assertRegex(record["@timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,}Z$")
            self.assertTrue(field(record, "ecs.version"))

    def test_sink_records_the_same_parts(self):
        self.sink.wait_for_request()
        self.assertEqual(
            [field(part, "file.hash.sha256") for part in self.sink.parts()],
            [field(part, "file.hash.sha256") for part in self.parts])


class Demo(TestCase):
    """`weir demo`: everything in one command, and lines to paste."""

    def test_the_lines_it_prints_work(self):
        folder = self.folder()
        with Weir("demo", "--listen", "127.0.0.1:0", cwd=folder) as demo:
            lines = wait_until(
                lambda: re.findall(r"(?m)^ *(curl .*-F .*http://\S+)$", demo.stderr + demo.stdout),
                lambda: f"a curl line in {demo.stderr + demo.stdout!r}")
            for line in lines:
                self.assertIn(f"caption='{CAPTION}'", line)
                content = forms.noise(50_000)
                names = re.findall(r"=@([^\s';]+)", line)
                for name in names:
                    with open(os.path.join(folder, name), "wb") as file:
                        file.write(content)
                done = subprocess.run(
                    ["sh", "-c", line + " -sS --max-time 20 -w '\\n%{http_code}'"], cwd=folder,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=clean_environment())
                body, _, status = done.stdout.rpartition(b"\n")
                self.assertEqual(status, b"201")
                caption, *files = json.loads(body)["parts"]
                self.assertEqual(caption["sha256"], forms.Part("", CAPTION.encode()).sha256)
                self.assertEqual(len(files), 1)
                if names:
                    self.assertEqual(files[0]["filename"], names[0])
                    self.assertEqual(files[0]["sha256"], forms.Part("", content).sha256)
            # The terminal shows one readable line for each request, and one for each part.
            shown = wait_until(
                lambda: demo.stdout.count("allowed") == len(lines) and demo.stdout,
                lambda: f"{len(lines)} records in {demo.stdout!r}")
            self.assertRegex(shown, r"POST /upload 201 allowed 2 parts")
            self.assertIn(f'"{files[0]["filename"]}"', shown)


class Sink(TestCase):
    """The upload API for tests, without a proxy."""

    def test_it_answers_with_what_it_read(self):
        form = forms.photo_form()
        with Weir.sink() as sink:
            for chunked in (False, True):
                answer = client.post(sink.address, form.body, chunked)
                self.assertEqual(answer.status, 201)
                self.assertEqual(answer.field("Content-Type"), "application/json")
                for got, expected in zip(answer.json["parts"], form.expected_parts, strict=True):
                    for key in ("index", "name", "filename", "content_type", "size", "sha256"):
                        self.assertEqual(got.get(key), expected[key], key)

    def test_it_refuses_what_is_broken(self):
        with Weir.sink() as sink:
            self.assertEqual(client.post(sink.address, forms.photo_form().body[:-9]).status, 400)


class Forwarding(TestCase):
    """What the upstream sees of a request, and the client of an answer."""

    def test_head_is_written_anew(self):
        form = forms.photo_form()
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            answer = client.post(weir.address, form.body, target="/a%2Fb?c=%20d&e", fields=[
                ("Cookie", "a=1"), ("X-Twice", "1"), ("X-Twice", "2"), ("Connection", "X-Hop"),
                ("X-Hop", "secret"), ("X-Forwarded-For", "6.6.6.6"), ("Forwarded", "for=6.6.6.6")])
            self.assertEqual(answer.status, 200)
            request = upstream.wait_for_complete()
            self.assertEqual(request.target, "/a%2Fb?c=%20d&e")
            self.assertEqual(request.field("Host"), "weir.test")
            self.assertEqual(request.field("Cookie"), "a=1")
            twice = [value for name, value in request.fields if name == "X-Twice"]
            self.assertEqual(twice, ["1", "2"])
            self.assertIsNone(request.field("X-Hop"))
            self.assertEqual(request.field("X-Forwarded-For"), "127.0.0.1")
            self.assertNotIn(b"6.6.6.6", upstream.raw)
            self.assertIn("weir", request.field("Via"))
            self.assertEqual(request.field("Content-Length"), str(len(form.body)))
            self.assertEqual(request.body, form.body)

    def test_bodies_arrive_byte_for_byte(self):
        bodies = [
            ("a form", forms.CONTENT_TYPE, forms.photo_form().body),
            ("a large form", forms.CONTENT_TYPE, forms.photo_form(3_000_000).body),
            ("no parts", forms.CONTENT_TYPE, forms.CLOSE),
            ("an empty file", forms.CONTENT_TYPE,
             forms.Form(forms.Part("f", b"", "", "application/octet-stream")).body),
            ("no form", "application/octet-stream", forms.noise(300_000)),
            ("text without type", None, b"hello"),
            ("nothing", "application/octet-stream", b""),
            ("line ends", forms.CONTENT_TYPE, forms.Form(
                forms.Part("f", b"\r\n\n\r" * 5000 + b"--" + b"\r\n-" * 9000, "a.txt")).body),
            ("almost delimiters", forms.CONTENT_TYPE, forms.Form(
                forms.Part("f", b"\r\n--7MA4YWxk" * 20_000, "a.txt")).body),
        ]
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for name, content_type, body in bodies:
                for chunked in (False, True):
                    with self.subTest(name, chunked=chunked):
                        count = len(upstream.complete_requests)
                        answer = client.post(
                            weir.address, body, chunked, content_type=content_type)
                        self.assertEqual(answer.status, 200, answer)
                        self.assertEqual(len(upstream.complete_requests), count + 1)
                        self.assertEqual(answer.json["bytes"], len(body))
                        self.assertEqual(
                            answer.json["sha256"], forms.Part("", body).sha256)

    def test_answers_arrive_byte_for_byte(self):
        content = forms.noise(2_000_000)

        def chunked(request):
            framed = forms.chunks(content, (1, 50_000))
            request.connection.send(
                b"HTTP/1.1 202 Fine\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n" + framed)

        def until_close(request):
            request.connection.send(b"HTTP/1.1 202 Fine\r\nX-A: 1\r\n\r\n" + content)
            request.connection.close()

        def length(request):
            request.connection.answer(202, content, [("X-A", "1")], "Fine")

        for behaviour in (chunked, until_close, length):
            with self.subTest(behaviour.__name__), Upstream(on_request=behaviour) as upstream, \
                    Weir.serve(upstream) as weir:
                answer = client.post(weir.address, forms.photo_form().body)
                self.assertEqual((answer.status, answer.field("X-A")), (202, "1"))
                self.assertTrue(answer.body == content)
                record = weir.wait_for_request()
                self.assertEqual(field(record, "http.response.status_code"), 202)
                head_and_framing = field(record, "http.response.bytes") - len(content)
                self.assertTrue(0 < head_and_framing < 1000, head_and_framing)

    def test_requests_without_a_body(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for method in ("GET", "HEAD", "DELETE"):
                with client.Client(weir.address) as peer:
                    peer.send(client.head(content_type=None, method=method, target="/x"))
                    self.assertEqual(peer.read_response(method).status, 200, method)
            self.assertEqual(
                [request.method for request in upstream.complete_requests],
                ["GET", "HEAD", "DELETE"])
            for record in weir.wait_for_requests(3):
                self.check(record, {"upload.framing": "none", "upload.verdict": "allowed"})
            self.assertEqual(weir.parts(), [])


"""Programs that others wrote, on both sides of the proxy."""

import http.client
import json
import os
import subprocess
import urllib.request

import client
import forms
import malformed
from harness import TestCase, Weir, clean_environment, field, url_of, wait_until
from peers import LibraryServer, Nginx
from upstream import Upstream

DAV = "location / { root FILES; dav_methods PUT DELETE; create_full_put_path on; }"


class NginxBehind(TestCase):
    """nginx as the upstream."""

    def put(self, weir, name, body, chunked):
        return client.post(weir.address, body, chunked, method="PUT", target=f"/{name}")

    def test_what_it_stores_is_what_was_sent(self):
        form = forms.photo_form(3_000_000)
        with Nginx(DAV) as nginx, Weir.serve(nginx) as weir:
            for name, chunked in (("length", False), ("chunked", True)):
                self.assertEqual(self.put(weir, name, form.body, chunked).status, 201)
                with open(os.path.join(nginx.files, name), "rb") as file:
                    self.assertTrue(file.read() == form.body)
            with client.Client(weir.address) as peer:
                peer.send(client.get("/length"))
                self.assertTrue(peer.read_response().body == form.body)

    def test_it_never_stores_a_refused_upload(self):
        with Nginx(DAV) as nginx, Weir.serve(nginx) as weir:
            for number, case in enumerate(malformed.CASES):
                for chunked in (False, True):
                    answer = self.put(weir, f"bad-{number}", case.body(True), chunked)
                    self.assertIn(answer.status, (400, 200 if case.profile == "strict" else 400))
                    if answer.status != 400:
                        os.remove(os.path.join(nginx.files, f"bad-{number}"))
            self.assertEqual(self.put(weir, "good", forms.photo_form().body, False).status, 201)
            self.assertEqual(os.listdir(nginx.files), ["good"])

    def test_its_early_refusal_arrives(self):
        with Nginx("client_max_body_size 1k; " + DAV) as nginx, Weir.serve(nginx) as weir:
            answer = self.put(weir, "large", forms.photo_form(2_000_000).body, False)
            self.assertEqual(answer.status, 413)
            self.assertIsNone(answer.field("Proxy-Status"))
            self.assertIn(b"nginx", answer.body)

    def test_it_passes_uploads_on(self):
        form = forms.photo_form(500_000)
        for buffering in ("on", "off"):
            with self.subTest(request_buffering=buffering), Upstream() as upstream, \
                    Nginx(f"location / {{ proxy_http_version 1.1; proxy_request_buffering "
                          f"{buffering}; proxy_pass {upstream.url}; }}") as nginx, \
                    Weir.serve(nginx) as weir:
                for chunked in (False, True):
                    answer = client.post(weir.address, form.body, chunked)
                    self.assertEqual(answer.json["sha256"], forms.Part("", form.body).sha256)


class NginxInFront(TestCase):
    """nginx as the client's next hop, the proxy behind it."""

    def test_uploads_and_refusals_pass_through(self):
        form = forms.photo_form(500_000)
        bad = malformed.CASES[4]
        for buffering in ("on", "off"):
            with self.subTest(request_buffering=buffering), Upstream() as upstream, \
                    Weir.serve(upstream) as weir, \
                    Nginx("location / { proxy_http_version 1.1; proxy_request_buffering "
                          f"{buffering}; proxy_set_header Connection ''; "
                          f"proxy_pass {url_of(weir.address, '')}; }}") as nginx:
                for chunked in (False, True):
                    answer = client.post(nginx.address, form.body, chunked)
                    self.assertEqual(answer.status, 200)
                    self.assertEqual(answer.json["sha256"], forms.Part("", form.body).sha256)
                    answer = client.post(nginx.address, bad.body(False), chunked)
                    self.assertEqual(answer.status, 400)
                    self.assertEqual(answer.json["code"], bad.code)
                    self.assertEqual(answer.json["offset"], bad.offset(False))


class Clients(TestCase):
    def test_curl(self):
        folder = self.folder()
        photo = forms.noise(700_000)
        with open(os.path.join(folder, "x.jpg"), "wb") as file:
            file.write(photo)
        rows = [
            ("form", ["-F", "photo=@x.jpg"]),
            ("chunked form", ["-F", "photo=@x.jpg", "-H", "Transfer-Encoding: chunked"]),
            ("expectation", ["-F", "photo=@x.jpg", "-H", "Expect: 100-continue"]),
            ("HTTP/1.0", ["-F", "photo=@x.jpg", "--http1.0"]),
            ("form from standard input", ["-F", "photo=@-;filename=x.jpg;type=image/jpeg"]),
        ]
        with Weir.sink() as sink, Weir.serve(url_of(sink.address, "")) as weir:
            for name, options in rows:
                with self.subTest(name), open(os.path.join(folder, "x.jpg"), "rb") as stdin:
                    done = subprocess.run(
                        ["curl", "-sS", "--fail", "--max-time", "20", *options,
                         url_of(weir.address)],
                        cwd=folder, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        env=clean_environment())
                    self.assertEqual(done.returncode, 0, done.stderr)
                    part = json.loads(done.stdout)["parts"][0]
                    self.assertEqual(part["sha256"], forms.Part("", photo).sha256)
                    self.assertEqual(part["filename"], "x.jpg")

    def test_curl_sends_other_bodies(self):
        body = forms.noise(300_000)
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for method in ("-XPOST", "-XPUT", "-XPATCH"):
                done = subprocess.run(
                    ["curl", "-sS", "--fail", "--max-time", "20", method, "--data-binary", "@-",
                     "-H", "Content-Type: application/octet-stream", url_of(weir.address)],
                    input=body, stdout=subprocess.PIPE, env=clean_environment())
                self.assertEqual(
                    json.loads(done.stdout)["sha256"], forms.Part("", body).sha256)
            record = weir.wait_for_requests(3)[0]
            self.assertEqual(field(record, "upload.parts.total"), 1)
            self.check(weir.parts()[0], {
                "file.hash.sha256": forms.Part("", body).sha256, "upload.part.kind": "file"})

    def test_curl_reads_the_refusal(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            done = subprocess.run(
                ["curl", "-sS", "--max-time", "20", "--data-binary", "@-",
                 "-H", f"Content-Type: {forms.CONTENT_TYPE}", url_of(weir.address)],
                input=malformed.CASES[4].body(True), stdout=subprocess.PIPE,
                env=clean_environment())
            self.assertEqual(done.returncode, 0)
            self.assertEqual(json.loads(done.stdout)["code"], malformed.CASES[4].code)

    def test_library_client(self):
        form = forms.photo_form(400_000)
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            connection = http.client.HTTPConnection(*weir.address, timeout=10)
            pieces = [form.body[at:at + 70_000] for at in range(0, len(form.body), 70_000)]
            for body in (form.body, iter(pieces)):
                chunked = not isinstance(body, bytes)
                connection.request(
                    "POST", "/upload", body, {"Content-Type": form.content_type},
                    encode_chunked=chunked)
                answer = connection.getresponse()
                self.assertEqual(answer.status, 200)
                self.assertEqual(
                    json.loads(answer.read())["sha256"], forms.Part("", form.body).sha256)
            connection.close()
            request = urllib.request.Request(
                url_of(weir.address), form.body, {"Content-Type": form.content_type})
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(request, timeout=10) as answer:
                self.assertEqual(json.load(answer)["bytes"], len(form.body))


class LibraryServerBehind(TestCase):
    """A server that takes what it is given: the case the reset was made for."""

    def test_uploads_arrive(self):
        form = forms.photo_form(400_000)
        with LibraryServer() as server, Weir.serve(server) as weir:
            answer = client.post(weir.address, form.body)
            self.assertEqual((answer.status, answer.body), (201, b"done"))
            self.assertEqual(server.bodies, [form.body])

    def test_refused_uploads_are_never_processed(self):
        with LibraryServer() as server, Weir.serve(server, "--profile", "strict") as weir:
            for case in malformed.CASES:
                self.assertEqual(client.post(weir.address, case.body(True)).status, 400)
            form = forms.photo_form()
            self.assertEqual(client.post(weir.address, form.body).status, 201)
            wait_until(lambda: server.bodies, "the good upload")
            self.assertEqual(server.bodies, [form.body])

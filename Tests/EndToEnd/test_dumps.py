"""`weir inspect` reads what curl and browsers say of a request that has been sent."""

import base64
import json
import os
import subprocess

import forms
from harness import TestCase, run_weir
from upstream import Upstream


class Dumps(TestCase):
    def inspect(self, path, *options):
        done = run_weir("inspect", path, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_curl_traces(self):
        folder = self.folder()
        part = forms.Part("f", bytes(range(256)) * 300 + b"\r\n\r", "noise.bin")
        path = os.path.join(folder, part.filename)
        with open(path, "wb") as file:
            file.write(part.content)
        dump = os.path.join(folder, "dump")
        for kind in ("--trace", "--trace-ascii"):
            for more in ((), ("--trace-time",), ("-H", "Transfer-Encoding: chunked")):
                with self.subTest(kind, more=more), Upstream() as upstream:
                    subprocess.run(
                        ["curl", "-sS", "-o", os.devnull, kind, dump, *more, "-F", "a=hello",
                         "-F", f"f=@{path}", upstream.url + "/upload"],
                        check=True, timeout=20)
                    found = self.inspect(dump)
                    self.assertEqual(
                        [(p["name"], p["size"]) for p in found["parts"]],
                        [("a", 5), ("f", len(part.content))])
                    if kind == "--trace":
                        self.assertEqual(found["parts"][1]["sha256"], part.sha256)

    def test_archives(self):
        form = forms.photo_form(1000)
        path = os.path.join(self.folder(), "x.har")
        request = {
            "method": "POST", "url": "http://weir.test/upload", "bodySize": len(form.body),
            "headers": [{"name": "Content-Type", "value": form.content_type}],
            "postData": {"mimeType": form.content_type, "encoding": "base64",
                         "text": base64.b64encode(form.body).decode()}}
        with open(path, "w") as file:
            json.dump({"log": {"entries": [{"request": {"method": "GET"}},
                                           {"request": request}]}}, file)
        for options in ((), ("--entry", "1")):
            found = self.inspect(path, *options)
            self.assertEqual(
                [part["sha256"] for part in found["parts"]],
                [part.sha256 for part in form.parts])
        done = run_weir("inspect", path, "--entry", "0")
        self.assertEqual(done.returncode, 2)

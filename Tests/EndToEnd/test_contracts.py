"""Contracts: forms are held to what a route's configuration, or an OpenAPI document, says."""

import json
import os

import client
import forms
from harness import TestCase, Weir, run_weir
from upstream import Upstream

PNG = b"\x89PNG\r\n\x1a\n"
CONTRACT = {
    "fields": {
        "title": {"kind": "field", "required": True, "maxBytes": 20},
        "photo": {"kind": "file", "maxBytes": 200_000, "extensions": ["png"],
                  "contentTypes": ["image/*"], "sniffedTypes": ["image/png"]},
    },
}
TITLE = forms.Part("title", b"On the train")


def photo(content, filename="a.png", content_type="image/png"):
    return forms.Part("photo", content, filename, content_type)


class Contracts(TestCase):
    def test_what_breaks_the_contract_is_refused(self):
        large = PNG + forms.noise(150_000)
        rows = [
            ("kept", forms.Form(TITLE, photo(large)), 200, None),
            ("no file chosen", forms.Form(TITLE, photo(b"", "", "application/octet-stream")),
             200, None),
            ("unexpected", forms.Form(TITLE, forms.Part("admin", b"1")), 422,
             "contract.unexpected_field"),
            ("missing", forms.Form(photo(large)), 422, "contract.missing_field"),
            ("kind", forms.Form(forms.Part("title", b"x", "a.txt")), 422, "contract.wrong_kind"),
            ("twice", forms.Form(TITLE, TITLE), 422, "contract.too_many"),
            ("size", forms.Form(TITLE, photo(PNG + forms.noise(300_000))), 413,
             "contract.too_large"),
            ("declared", forms.Form(TITLE, photo(large, content_type="text/html")), 415,
             "contract.type_denied"),
            ("begins like", forms.Form(TITLE, photo(b"MZ" + large)), 415, "contract.type_denied"),
            ("extension", forms.Form(TITLE, photo(large, "a.php")), 422,
             "contract.extension_denied"),
        ]
        config = {"routes": [{"path": "/photos", "contract": CONTRACT, "hold": 0}]}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir:
            for name, form, status, code in rows:
                with self.subTest(name):
                    answer = client.post(weir.address, form.body, target="/photos")
                    self.assertEqual(answer.status, status)
                    if code:
                        self.assertEqual(answer.json["code"], code)
            accepted = [row[1].body for row in rows if row[2] == 200]
            self.assertEqual(
                [bytes(request.body) for request in upstream.complete_requests], accepted)
            # Elsewhere any form passes; here no other body does.
            self.assertEqual(client.post(weir.address, rows[2][1].body).status, 200)
            answer = client.post(weir.address, b"{}", target="/photos",
                                 content_type="application/json")
            self.assertEqual((answer.status, answer.json["code"]), (415, "contract.not_a_form"))

    def test_nothing_of_a_wrong_file_is_seen(self):
        """The upstream sees the parts before it, and not a byte of the file or its header."""
        config = {"contract": CONTRACT, "hold": 0}
        form = forms.Form(TITLE, photo(b"MZ" + forms.noise(100_000)))
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir:
            self.assertEqual(client.post(weir.address, form.body).status, 415)
            weir.wait_for_requests(1)
            self.assertFalse(upstream.complete_requests)
            for request in upstream.requests:
                self.assertNotIn(b"photo", request.body)

    def test_an_openapi_document_makes_one(self):
        schema = {"required": ["photo"], "properties": {
            "photo": {"type": "string", "format": "binary", "maxLength": 1000}}}
        content = {"multipart/form-data": {"schema": schema}}
        document = {"openapi": "3.0.0",
                    "paths": {"/p": {"post": {"requestBody": {"content": content}}}}}
        folder = self.folder()
        path = os.path.join(folder, "api.json")
        with open(path, "w") as file:
            json.dump(document, file)
        done = run_weir("contract", "--openapi", path)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        config = os.path.join(folder, "weir.json5")
        with open(config, "w") as file:
            file.write(done.stdout.decode())
        checked = json.loads(run_weir("check", "--config", config).stdout)
        self.assertEqual(checked["contract"], {"unknownFields": "deny", "fields": {
            "photo": {"kind": "file", "required": True, "maxBytes": 1000}}})
        for arguments in ([], ["--openapi", path, "--path", "/x"], ["--openapi", folder],
                          ["--openapi", config]):
            with self.subTest(arguments):
                done = run_weir("contract", *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertTrue(done.stderr.startswith(b"weir: "), done.stderr)

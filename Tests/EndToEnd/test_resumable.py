"""Resumable uploads: raw bodies that say where they belong."""

import client
import forms
from harness import TestCase, Weir, field
from upstream import Upstream


class Resumable(TestCase):
    def test_fields_are_recorded(self):
        body = forms.noise(300_000)
        fields = [("Upload-Offset", "70"), ("Tus-Resumable", "1.0.0"), ("UPLOAD-LENGTH", "x1"),
                  ("Upload-Complete", "?1")]
        with Upstream() as upstream, Weir.serve(upstream, "--profile", "strict") as weir:
            answer = client.post(
                weir.address, body, method="PATCH", fields=fields,
                content_type="application/offset+octet-stream")
            self.assertEqual(answer.status, 200)
            self.assertTrue(upstream.wait_for_complete().body == body)
            self.check(weir.wait_for_request(), {
                "http.request.method": "PATCH",
                "upload.resumable": {"offset": 70, "complete": True, "tus_version": "1.0.0"}})
            part = weir.parts()[0]
            self.check(part, {
                "file.hash.sha256": forms.Part("", body).sha256, "upload.part.kind": "file"})

    def test_others_have_none(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            client.post(weir.address, forms.photo_form(10).body)
            self.assertIsNone(field(weir.wait_for_request(), "upload.resumable"))


class Counterfactual(TestCase):
    def test_balanced_tells_what_strict_would_refuse(self):
        """A direction mark in a filename: balanced warns, strict refuses."""
        body = forms.Form(forms.Part("f", b"x", "gpj\u202e.exe")).body
        offset = body.index("\u202e".encode())
        for mode in ("enforce", "observe", "off"):
            with self.subTest(mode), Upstream() as upstream, \
                    Weir.serve(upstream, "--mode", mode) as weir:
                self.assertEqual(client.post(weir.address, body).status, 200)
                found = field(weir.wait_for_request(), "upload.would_block_strict")
                expected = {"code": "filename.bidi", "offset": offset, "part": 0}
                self.assertEqual(found, None if mode == "off" else expected)

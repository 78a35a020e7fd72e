"""Denied types: files are refused by how they begin, however that is hidden."""

import io
import json
import os
import zipfile

import client
import forms
from harness import TestCase, Weir, run_weir
from upstream import Upstream

DENIED = ["executable", "script", "markup", "application/zip"]


def package(*names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "content")
    return buffer.getvalue()


def utf16(text):
    return text.encode("utf-16-le")


class DeniedTypes(TestCase):
    def test_what_is_denied_never_leaves(self):
        gif = b"GIF89a" + bytes(20)
        rows = [
            ("program", b"MZ\x90\x00"), ("page", b"<html>"), ("NUL before", b"\0<script>"),
            ("control after", b"<html>\0"), ("UTF-16", b"\xff\xfe" + utf16("<html>")),
            ("UTF-16 without a mark", utf16("<html>")), ("behind a picture", gif + b"<?PHP x"),
            ("behind text", b"hello <script>"), ("drawing", b"<!-- c -->\n<svg>"),
            ("Office file", package("[Content_Types].xml", "word/document.xml")),
            ("package of Java", package("META-INF/MANIFEST.MF")),
            ("junk before an archive", b"\0\1" + package("a")),
        ]
        with Upstream() as upstream, Weir.serve(
                upstream, config={"deniedTypes": DENIED, "hold": 0}) as weir:
            for name, beginning in rows:
                content = beginning + forms.noise(100_000)
                with self.subTest(name):
                    form = forms.Form(forms.Part("a", content, "a.gif", "image/gif"))
                    answer = client.post(weir.address, form.body)
                    self.assertEqual((answer.status, answer.json["code"]), (415, "type.denied"))
                with self.subTest(name, raw=True):
                    answer = client.post(
                        weir.address, content, content_type="application/octet-stream")
                    self.assertEqual((answer.status, answer.json["code"]), (415, "type.denied"))
            for _, beginning in rows:
                self.assertNotIn(beginning, upstream.raw)
            self.assertEqual(upstream.complete_requests, [])
            form = forms.Form(forms.Part("a", gif + forms.noise(100_000), "a.gif", "image/gif"))
            self.assertEqual(client.post(weir.address, form.body).status, 200)

    def test_a_name_that_denies_nothing_is_an_error(self):
        for name, meant in [("application/x-executable", "executable"), ("text/htlm", "text/html")]:
            run = run_weir("check", "--denied-types", name)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"did you mean {meant}?".encode(), run.stderr)

    def test_real_packages_are_told_apart(self):
        rows = [
            (package("[Content_Types].xml", "xl/workbook.xml"), ".spreadsheetml.sheet"),
            (package("META-INF/MANIFEST.MF"), "application/java-archive"),
            (package("AndroidManifest.xml"), "application/vnd.android.package-archive"),
            (package("a.txt"), "application/zip"),
        ]
        for content, ending in rows:
            path = os.path.join(self.folder(), "form")
            form = forms.Form(forms.Part("a", content, "a"))
            with open(path, "wb") as file:
                file.write(form.body)
            run = run_weir("inspect", path, "--content-type", form.content_type, "--json")
            part = json.loads(run.stdout)["parts"][0]
            self.assertTrue(part["sniffed_type"].endswith(ending), part)

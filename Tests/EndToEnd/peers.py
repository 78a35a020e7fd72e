"""Real servers as peers: nginx, and the server in Python's standard library."""

import http.server
import os
import shutil
import subprocess
import tempfile
import threading

import client
from harness import stop_child, wait_until
from upstream import free_port


class Nginx:
    """nginx with a configuration of its own, in a folder of its own."""

    # Paths that nginx would else look for where it was installed.
    CONFIGURATION = """
        daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
        events {{ worker_connections 256; }}
        http {{
            access_log off; client_max_body_size 0;
            client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
            fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
            scgi_temp_path {folder}/scgi;
            server {{ listen 127.0.0.1:{port}; {server} }}
        }}
    """

    def __init__(self, server):
        self.folder = tempfile.mkdtemp(prefix="weir-nginx-")
        self.files = os.path.join(self.folder, "files")
        os.mkdir(self.files)
        self.address = ("127.0.0.1", free_port())
        self.url = "http://%s:%d" % self.address
        path = os.path.join(self.folder, "nginx.conf")
        with open(path, "w") as file:
            file.write(self.CONFIGURATION.format(
                folder=self.folder, port=self.address[1],
                server=server.replace("FILES", self.files)))
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.log_path = os.path.join(self.folder, "stderr")
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [program, "-e", f"{self.folder}/error.log", "-p", self.folder, "-c", path],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            wait_until(self._accepts, self._said)
        except BaseException:
            self.__exit__()
            raise

    def _said(self):
        with open(self.log_path, errors="replace") as log:
            return f"nginx accepts: {log.read()}"

    def _accepts(self):
        assert self.process.poll() is None, self._said()
        try:
            client.Client(self.address).close()
            return True
        except ConnectionRefusedError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop_child(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)


class LibraryServer:
    """`http.server` with a handler that keeps each body it has read to its end."""

    def __init__(self):
        bodies = self.bodies = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    self.close_connection = True
                    return
                bodies.append(body)
                self.send_response(201)
                self.send_header("Content-Length", "4")
                self.end_headers()
                self.wfile.write(b"done")

            def log_message(self, *_):
                pass

            def handle(self):
                try:
                    super().handle()
                except ConnectionError:
                    pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

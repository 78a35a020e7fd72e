"""An upstream that keeps the bytes of each request, and answers when it has come to its end."""

import re
import socket
import threading


class Recorder:
    """One request a connection: then what is forwarded behind it is seen as a request of its own."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        self._change = threading.Condition()
        self._open = 0
        self._whole, self._broken = [], []
        threading.Thread(target=self._accept, daemon=True).start()

    def take(self, within=5):
        """What has come since the last time: whole requests, and connections that broke off."""
        with self._change:
            self._change.wait_for(lambda: self._open == 0, within)
            found = self._whole, self._broken
            self._whole, self._broken = [], []
        return found

    def _accept(self):
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            with self._change:
                self._open += 1
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock):
        data, is_whole = b"", False
        try:
            sock.settimeout(10)
            while not (is_whole := self._ends(data)):
                piece = sock.recv(1 << 16)
                if not piece:
                    break
                data += piece
        except OSError:
            pass
        with self._change:
            if data:
                (self._whole if is_whole else self._broken).append(data)
            self._open -= 1
            self._change.notify_all()
        try:
            if is_whole:
                sock.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            sock.close()
        except OSError:
            pass

    def _ends(self, data):
        """Whether a request ends in the data; what may be behind it stays with it."""
        end = data.find(b"\r\n\r\n") + 4
        if end < 4:
            return False
        head = data[:end].lower()
        if b"\r\ntransfer-encoding:" in head:
            return self._chunks_end(data, end)
        length = re.search(rb"\r\ncontent-length: *(\d+)", head)
        return len(data) - end >= (int(length[1]) if length else 0)

    def _chunks_end(self, data, at):
        while size := re.compile(rb"([0-9a-fA-F]+)\r\n").match(data, at):
            at = size.end() + int(size[1], 16) + 2
            if int(size[1], 16) == 0:
                return data.find(b"\r\n\r\n", size.end() - 2) >= 0
        return False

    def close(self):
        self._listener.close()

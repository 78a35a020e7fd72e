"""What is measured: Weir, and the proxies people would otherwise use, each with two threads."""

import os
import resource
import shutil
import socket
import subprocess
import tempfile
import time

MODSECURITY = "/usr/lib/nginx/modules/ngx_http_modsecurity_module.so"

NGINX = """
    {load}
    daemon off; worker_processes 2; worker_rlimit_nofile 65536;
    pid {folder}/pid; error_log {folder}/log error;
    events {{ worker_connections {connections}; }}
    http {{
        access_log off; client_max_body_size 0;
        keepalive_timeout 1h; keepalive_requests 1000000000;
        client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
        fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
        scgi_temp_path {folder}/scgi;
        {http}
        upstream sink {{ server 127.0.0.1:{sink}; keepalive 64; keepalive_requests 1000000000; }}
        server {{
            listen 127.0.0.1:{port} backlog=4096;
            location / {{
                proxy_pass http://sink; proxy_http_version 1.1; proxy_set_header Connection "";
                proxy_request_buffering {buffering};
            }}
        }}
    }}
"""

# As large as Weir's. With its default of 16 KiB nginx takes three times as much time to relay a
# large body, and would make a poor measure.
LARGE_BUFFER = "client_body_buffer_size 256k;"

RULES = """
SecRuleEngine On
SecRequestBodyAccess On
SecRequestBodyLimit 2147483647
SecRequestBodyNoFilesLimit 2147483647
SecUploadDir {folder}
SecTmpDir {folder}
SecAuditEngine Off
SecRule REQBODY_ERROR "!@eq 0" "id:1,phase:2,deny,status:400"
SecRule MULTIPART_STRICT_ERROR "!@eq 0" "id:2,phase:2,deny,status:400"
"""

HAPROXY = """
global
    nbthread 2
    maxconn {connections}
    # Or else it gives up connections to the sink that it could use again, as descriptors get few.
    tune.pool-low-fd-ratio 99
    tune.pool-high-fd-ratio 100
defaults
    mode http
    timeout connect 5s
    timeout client 1h
    timeout server 1h
frontend front
    bind 127.0.0.1:{port} backlog 4096
    default_backend back
backend back
    server sink 127.0.0.1:{sink}
"""

CADDY = """
{{
    admin off
    auto_https off
    storage file_system {folder}
    servers {{
        timeouts {{
            idle 1h
        }}
    }}
}}
http://:{port} {{
    bind 127.0.0.1
    reverse_proxy 127.0.0.1:{sink} {{
        transport http {{
            keepalive 1h
            keepalive_idle_conns_per_host 64
        }}
    }}
}}
"""


class Server:
    """A running proxy in front of the sink: a process and those it has started."""

    def __init__(self, arguments, port, folder, env):
        self.port = port
        self.folder = folder
        self.log = os.path.join(folder.name, "output")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env,
                preexec_fn=allow_many_files)
        deadline = time.monotonic() + 20
        while not self._accepts():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"{arguments[0]} does not start:\n{self.said}")
            time.sleep(0.01)

    def _accepts(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def processes(self):
        """The process ids of the proxy."""
        found = [self.process.pid]
        for pid in found:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                found += map(int, file.read().split())
        return found

    def cpu_seconds(self):
        """User and system time of all its processes, also of those that have ended."""
        ticks = 0
        for pid in self.processes():
            with open(f"/proc/{pid}/stat") as file:
                ticks += sum(map(int, file.read().rpartition(")")[2].split()[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def forget_peak(self):
        """Lets the peak of memory begin anew, where the system allows it."""
        for pid in self.processes():
            try:
                with open(f"/proc/{pid}/clear_refs", "w") as file:
                    file.write("5")
            except OSError:
                pass

    def peak_bytes(self):
        """The sum of the peaks of its processes; pages that they share count for each."""
        total = 0
        for pid in self.processes():
            with open(f"/proc/{pid}/status") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        return total * 1024

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        with open(self.log, errors="replace") as log:
            self.said = log.read()
        self.folder.cleanup()


def allow_many_files():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_connections():
    """How many clients a proxy can have at once: each may take it two descriptors."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (most - 500) // 2 if most != resource.RLIM_INFINITY else 1 << 20


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def find(program):
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin")


def nginx(sink, port, folder, connections, buffering, load="", http=""):
    path = write(folder, "nginx.conf", NGINX.format(
        folder=folder, port=port, sink=sink, buffering=buffering, load=load,
        connections=2 * connections,  # those to the sink count as well
        http=http,
        # Workers of a master that is root change their user, who could not use our folder.
    ) + ("user root;" if os.getuid() == 0 else ""))
    return [find("nginx"), "-e", f"{folder}/log", "-p", folder, "-c", path]


def modsecurity(sink, port, folder, connections):
    rules = write(folder, "rules", RULES.format(folder=folder))
    return nginx(sink, port, folder, connections, "off", f"load_module {MODSECURITY};",
                 f"{LARGE_BUFFER} modsecurity on; modsecurity_rules_file {rules};")


def haproxy(sink, port, folder, connections):
    path = write(folder, "haproxy.cfg", HAPROXY.format(
        port=port, sink=sink, connections=connections))
    return [find("haproxy"), "-db", "-f", path]


def caddy(sink, port, folder, _):
    path = write(folder, "Caddyfile", CADDY.format(folder=folder, port=port, sink=sink))
    return [find("caddy"), "run", "--adapter", "caddyfile", "--config", path]


def weir(program, mode):
    def arguments(sink, port, folder, connections):
        return [program, "serve", "--listen", f"127.0.0.1:{port}", "--mode", mode, "--lanes", "2",
                "--upstream", f"http://127.0.0.1:{sink}", "--audit-log", f"{folder}/audit.jsonl",
                "--connections", str(connections), "--timeouts-keep-alive", "1h"]
    return arguments


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def servers(weir_program):
    """Names, and functions that make the command line of each that there is; nginx comes first."""
    found = {}
    if find("nginx"):
        found["nginx"] = lambda *place: nginx(*place, "off", http=LARGE_BUFFER)
        found["nginx, buffered"] = lambda *place: nginx(*place, "on")
    if find("haproxy"):
        found["HAProxy"] = haproxy
    if find("caddy"):
        found["Caddy"] = caddy
    if find("nginx") and os.path.exists(MODSECURITY):
        found["nginx + ModSecurity"] = modsecurity
    found["Weir, off"] = weir(weir_program, "off")
    found["Weir"] = weir(weir_program, "enforce")
    return found


def start(make_arguments, sink, connections):
    """One of them, ready for as many client connections."""
    folder = tempfile.TemporaryDirectory(prefix="weir-bench-")
    port = free_port()
    env = {k: v for k, v in os.environ.items() if not k.startswith("WEIR_")}
    # Go takes two threads for code where it is told so; the others are told in their arguments.
    env |= {"GOMAXPROCS": "2", "HOME": folder.name}
    return Server(make_arguments(sink, port, folder.name, connections), port, folder, env)

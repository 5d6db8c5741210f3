"""couplet serve as a child of a test, and raw and well-formed requests to it."""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

COUPLET = os.path.realpath(os.environ["COUPLET"])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
IS_SANITIZED = "asan" in COUPLET
PATIENCE = 120  # seconds until a wait is given up: a bound on hanging, not an expectation


def example(name):
    with open(os.path.join(ROOT, "examples", name), encoding="utf-8") as f:
        return f.read()


def eventually(condition, patience=PATIENCE):
    """Waits until it holds; whether it does at all is what is tested."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class Server:
    def __init__(self, *options):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([COUPLET, "serve", "--port", "0", "--no-open", *options], stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True, env={**os.environ, "COUPLET_CACHE": "off"})
        line = self.process.stdout.readline()
        found = re.search(r"http://\[?([0-9a-f.:]+?)\]?:(\d+)/#token=([0-9a-f]{32})\n", line)
        assert found, "no address: %r, %s" % (line, self.stderr())
        self.host, self.port, self.token = found[1], int(found[2]), found[3]
        self.authority = "%s:%d" % (self.host, self.port)

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read()

    def stop(self, how=signal.SIGINT):
        self.process.send_signal(how)
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.errors.close()
        return status

    def children(self):
        """Every process that descends from the server, zombies included."""
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open("/proc/%s/stat" % name) as f:
                    parent = int(f.read().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            if parent == self.process.pid:
                found.append(int(name))
        return found

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def resident_kb(self):
        with open("/proc/%d/status" % self.process.pid) as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1])

    # ---- requests ----

    def request(self, method, path, body=None, **headers):
        """Status, headers and body; a header of None is left out."""
        fields = {"Host": self.authority, "Content-Type": "application/json", "X-Couplet-Token": self.token}
        fields.update({k.replace("_", "-"): v for k, v in headers.items()})
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in fields.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None and "Content-Length" not in fields:
            connection.putheader("Content-Length", str(len(body)))
        try:
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (ConnectionResetError, BrokenPipeError):  # refused before all of it was sent
            return 0, {}, b""
        finally:
            connection.close()

    def post(self, name, fields, **headers):
        return self.request("POST", "/api/" + name, json.dumps(fields).encode(), **headers)

    def ask(self, request, /, **fields):
        status, _, body = self.post(request, fields)
        assert status == 200, (status, body)
        return json.loads(body)

    def verify(self, name, text, **headers):
        """The events of a verification."""
        status, _, body = self.post("verify", {"name": name, "text": text}, **headers)
        assert status == 200, (status, body)
        return [json.loads(line) for line in body.decode().splitlines() if line]

    def begin(self, name, text, job):
        """Sends a verification and leaves it running: the socket, after the first line of progress."""
        body = json.dumps({"name": name, "text": text}).encode()
        head = ("POST /api/verify HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nX-Couplet-Token: %s\r\n"
                "X-Couplet-Job: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % (self.authority, self.token, job, len(body)))
        s = self.connect()
        s.sendall(head.encode() + body)
        seen = b""
        while b'"progress"' not in seen:
            more = s.recv(65536)
            assert more, seen
            seen += more
        return s

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=PATIENCE)


class Folder:
    """A folder of examples for one test, with a secret beside it."""

    def __init__(self):
        self.top = tempfile.mkdtemp()
        self.path = os.path.join(self.top, "folder")
        os.mkdir(self.path)
        self.write("../secret.dp", "param secret_word : real;\n")

    def write(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def link(self, target, name):
        os.symlink(target, os.path.join(self.path, name))

    def remove(self):
        shutil.rmtree(self.top)

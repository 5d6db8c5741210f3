"""What the test modules share: a server per test, folders for files, the sample sources."""
import os
import pathlib
import shutil
import tempfile
import unittest

from client import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUPLET = os.path.abspath(os.environ["COUPLET"])

SVT = """\
/// How much may be lost.
param eps : real, eps > 0;
param n : int, n >= 0;

/// Index of the first query above a threshold.
mechanism above(private q : real[n], T : real) returns int
  adjacent all_within(q, 1)
{
  t <$ Lap(T, 2/eps);
  for i in 0..n {
    s <$ Lap(q[i], 4/eps);
    if s >= t {
      return i;
    }
  }
  return n;
}

claim private above epsilon eps proof {
  sample t: shift 1;
  loop {
    invariant t<2> = t<1> + 1;
    budget if returned then 0 else eps/2;
    sample s: when s >= t shift 1 within 2 else null;
  }
}
"""

LEAKY = """\
param eps : real, eps > 0;

mechanism leak(private x : real) returns real
  adjacent within(x, 1)
{
  s <$ Lap(x, 1/(3*eps));
  return s;
}

claim private leak epsilon eps;
"""


class Case(unittest.TestCase):
    capabilities = {}
    options = ()

    def setUp(self):
        self.server = self.new_server()
        self.info = self.server.initialize(capabilities=self.capabilities)

    def new_server(self):
        server = Server(COUPLET, *self.options)
        self.addCleanup(self.stop, server)
        return server

    def stop(self, server):
        try:
            server.process.stdin.close()
        except BrokenPipeError:
            pass
        server.process.wait(30)
        server.process.stdout.close()
        # a sanitizer or a crash would show here
        self.assertIn(server.process.returncode, (0, 1))

    def folder(self):
        path = tempfile.mkdtemp(prefix="couplet-lsp-")
        self.addCleanup(shutil.rmtree, path)
        return pathlib.Path(path)

    def uri(self, name="test.dp"):
        return f"file:///nowhere/{name}"

    def codes(self, diagnostics):
        return [d["code"] for d in diagnostics]

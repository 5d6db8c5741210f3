"""Classes above that are in another file: interfaces are read, anything that does something is refused."""

import os
import tempfile
import unittest

from couplet.translate import TranslationError, translate_file

HEAD = "from abc import ABC, ABCMeta, abstractmethod\nfrom typing import Protocol\nimport numpy as np\n\n"
METHOD = "    @abstractmethod\n    def m(self, x):\n        \"\"\"Runs it.\"\"\"\n"
INTERFACE = "class Mechanism(ABC):\n    \"\"\"All of them.\"\"\"\n" + METHOD + "        pass\n"
USER = """import numpy as np
import couplet
%s

class Noisy(%s):
    def __init__(self, eps):
        self.eps = eps

    @couplet.private(epsilon="eps", adjacent="within(x, 1)")
    def m(self, x):
        return x + np.random.laplace(scale=1 / self.eps)
"""
READ = {
    "abstract": INTERFACE,
    "protocol": "class Mechanism(Protocol):\n    name: str\n\n    def m(self, x):\n        ...\n\n    @property\n    def size(self):\n        ...\n",
    "metaclass": "class Mechanism(metaclass=ABCMeta):\n    def m(self, x):\n        raise NotImplementedError(\"write it\")\n",
    "a line of them": "class Top(ABC):\n    def __init__(self):\n        pass\n\nclass Mechanism(Top):\n" + METHOD,
    "one beside": "def helper(x):\n    return x\n\nLIMIT = 3\n\n" + INTERFACE,
}
REFUSED = {  # a piece of the message
    "another noise": ("import numpy\n\nclass Mechanism(ABC):\n    def noise(self):\n        return 0.0\n", "line 8 of base.py does something"),
    "a constant": ("class Mechanism(ABC):\n    eps = 3\n", "does something"),
    "hidden reading": ("class Mechanism(ABC):\n    def __getattribute__(self, name):\n        pass\n", "does something"),
    "at birth": ("class Mechanism(ABC):\n    def __init_subclass__(cls):\n        pass\n", "does something"),
    "arguments of __init__": ("class Mechanism(ABC):\n    def __init__(self, eps):\n        pass\n", "does something"),
    "__init__ that stores": ("class Mechanism(ABC):\n    def __init__(self):\n        self.eps = 1\n", "does something"),
    "a decorator": ("def less(c):\n    return c\n\n@less\n" + INTERFACE, "does something"),
    "a decorated method": ("def less(c):\n    return c\n\nclass Mechanism(ABC):\n    @less\n    def m(self, x):\n        pass\n", "does something"),
    "a metaclass": ("class Meta(type):\n    pass\n\nclass Mechanism(metaclass=Meta):\n    pass\n", "does something"),
    "what is above does": ("class Top(ABC):\n    def noise(self):\n        return 0.0\n\nclass Mechanism(Top):\n    pass\n", "does something"),
    "what is above is unknown": ("from nowhere import Top\n\nclass Mechanism(Top):\n    pass\n", "no file of this folder or package has `nowhere.Top`"),
    "itself": ("class Mechanism(Mechanism):\n    pass\n", "itself"),
    "twice": (INTERFACE + INTERFACE, "once, at its top"),
    "assigned later": (INTERFACE + "Mechanism = object\n", "once, at its top"),
    "in a branch": ("if True:\n    class Mechanism:\n        pass\n", "once, at its top"),
    "patched": (INTERFACE + "Mechanism.m = abs\n", "base.py, line 11"),
    "numpy patched": ("np.random.laplace = abs\n" + INTERFACE, "base.py, line 5"),
    "another ABC": ("class ABC:\n    pass\n\n" + INTERFACE, ""),
    "no class": ("Mechanism = object\n", "no class"),
    "not there": ("x = 1\n", "once, at its top"),
    "no Python": ("class Mechanism(:\n", "not Python"),
}


class Imported(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def translate(self, line="from base import Mechanism", base="Mechanism", name="user.py"):
        return translate_file(self.write(name, USER % (line, base))).text

    def refuse(self, message, *args, **rest):
        with self.assertRaises(TranslationError) as caught:
            self.translate(*args, **rest)
        self.assertEqual(len(caught.exception.errors), 1, caught.exception)
        self.assertIn(message, caught.exception.errors[0]["message"])
        return caught.exception.errors[0]

    def test_interfaces(self):
        for name, text in READ.items():
            with self.subTest(name):
                self.write("base.py", HEAD + text)
                out = self.translate()
                self.assertIn("Lap(x, 1/eps)", out)
                self.assertRegex(out, r"// With base.py, sha256 [0-9a-f]{64}\.")

    def test_what_does_something(self):
        for name, (text, message) in REFUSED.items():
            with self.subTest(name):
                self.write("base.py", HEAD + text)
                error = self.refuse(message)
                self.assertIn("interfaces can be read", error["hint"])
                source = (USER % ("from base import Mechanism", "Mechanism")).encode()
                self.assertEqual(source[error["begin"]:error["end"]], b"Mechanism")
                self.assertEqual(source[:error["begin"]].count(b"\n"), 4)

    def test_where_it_is(self):
        self.write("lib/mechanisms/abstract.py", HEAD + INTERFACE)
        self.write("lib/shapes/__init__.py", "from lib.mechanisms.abstract import Mechanism\n")
        for line, base in (("from lib.mechanisms.abstract import Mechanism", "Mechanism"), ("from .abstract import Mechanism", "Mechanism"),
                           ("from .abstract import Mechanism as M", "M"), ("from . import abstract", "abstract.Mechanism"),
                           ("from abstract import Mechanism", "Mechanism"), ("import lib.mechanisms.abstract", "lib.mechanisms.abstract.Mechanism"),
                           ("from lib.shapes import Mechanism", "Mechanism"), ("from ..shapes import Mechanism", "Mechanism")):
            with self.subTest(line):
                self.assertIn("Lap(x, 1/eps)", self.translate(line, base, "lib/mechanisms/user.py"))
        self.refuse("no file of this folder or package", "from lib.other import Mechanism", name="lib/mechanisms/user.py")
        self.refuse("defined once", "", "Unknown", name="lib/mechanisms/user.py")
        self.write("lib/mechanisms/lib/mechanisms/abstract.py", HEAD + INTERFACE)
        self.refuse("found in 2 files", "from lib.mechanisms.abstract import Mechanism", name="lib/mechanisms/user.py")

    def test_interface_before_a_class(self):
        """Its methods would be found first."""
        self.write("base.py", HEAD + INTERFACE)
        line = "from base import Mechanism\n\nclass Above:\n    def noise(self):\n        return 1.0"
        self.refuse("hide those", line, "Mechanism, Above")
        self.assertIn("Lap(x, 1/eps)", self.translate(line, "Above, Mechanism"))

    def test_abstract_methods_are_not_called(self):
        self.write("base.py", HEAD + "class Mechanism(ABC):\n    def noise(self):\n        pass\n")
        source = (USER % ("from base import Mechanism", "Mechanism")).replace("np.random.laplace(scale=1 / self.eps)", "self.noise()")
        with self.assertRaises(TranslationError) as caught:
            translate_file(self.write("user.py", source))
        self.assertIn("no method of `Noisy`", str(caught.exception))

    def test_configuration_of_another_file(self):
        """The fields of its dataclass say their types; what it computes is no field."""
        user = "import numpy as np\nimport couplet\n%s\n\n@couplet.private(epsilon=\"config.eps\", adjacent=\"within(x, 1)\", " \
            "requires=\"config.k >= 1\")\ndef f(x, config: %s):\n    t = 0\n    for i in range(config.k):\n        t = t + i\n" \
            "    return x + t + np.random.laplace(scale=1 / config.eps)\n"
        fields = "from dataclasses import dataclass\n\n@dataclass\nclass Config:\n    eps: float\n    k: %s\n"
        for line, name in (("from settings import Config", "Config"), ("import settings", "settings.Config")):
            self.write("settings.py", fields % "int")
            out = translate_file(self.write("user.py", user % (line, name))).text
            self.assertIn("param config_k : int", out)
            self.assertRegex(out, r"// With settings.py, sha256 [0-9a-f]{64}\.")
            for other, message in ((fields % "float", "a range needs ints"),
                                   (fields % "int" + "\n    @property\n    def eps(self):\n        return 1.0\n", "computed by the class")):
                self.write("settings.py", other)
                with self.assertRaises(TranslationError) as caught:
                    translate_file(self.write("user.py", user % (line, name)))
                self.assertIn(message, str(caught.exception))
            self.write("settings.py", fields % "float" + "\nConfig = object\n")  # no one knows which it is
            self.assertNotIn("settings.py", translate_file(self.write("user.py", user % (line, name))).text)

    def test_text_without_a_file(self):
        """Nothing is read beside a text that is no file."""
        from couplet.translate import translate_text
        self.write("base.py", HEAD + INTERFACE)
        with self.assertRaises(TranslationError):
            translate_text(USER % ("from base import Mechanism", "Mechanism"), os.path.join(self.folder.name, "user.py"))


if __name__ == "__main__":
    unittest.main()

"""Makes a wheel of python/couplet with the standard library alone, so that `pip install .` needs no network.

The hooks are those of PEP 517; pyproject.toml says that pip calls them.
"""

import base64
import hashlib
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SUFFIXES = (".py", ".pyi", ".typed")


def field(name):
    """A text of the [project] table."""
    text = (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(r'^%s = "(.*)"$' % re.escape(name), text, re.M).group(1)


def wheel_name():
    return "%s-%s" % (field("name"), field("version"))


def metadata():
    return {"METADATA": "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nRequires-Python: %s\n" % tuple(
                map(field, ("name", "version", "description", "requires-python"))),
            "WHEEL": "Wheel-Version: 1.0\nGenerator: couplet\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            "entry_points.txt": "[pytest11]\ncouplet = couplet.pytest_plugin\n"}


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = wheel_name() + ".dist-info/"
    files = {str(p.relative_to(HERE)): p.read_bytes() for p in sorted((HERE / "couplet").rglob("*")) if p.suffix in SUFFIXES}
    files.update({info + name: text.encode() for name, text in metadata().items()})
    record = "".join("%s,%s,%d\n" % (name, digest(data), len(data)) for name, data in files.items())
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    name = wheel_name() + "-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("the source of Couplet is its repository: there is no source distribution of the Python part")

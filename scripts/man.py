#!/usr/bin/env python3
"""The options in docs/couplet.1, from the --help of every command.

  scripts/man.py --write build/couplet     brings the page up to date
  scripts/man.py --check build/couplet     says what is missing, status 1

What stands between `.\\" options of NAME` and `.\\" end` is written here, the rest by people. A
command without an entry gets one, with its summary."""
import re
import subprocess
import sys

PAGE = "docs/couplet.1"
LAST = ".PP\n\\fBcouplet \\-\\-help\\fR lists"  # what follows the last command


def roff(text):
    """Plain text: nothing in it is an escape, and no line of it is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def help_of(couplet, *words):
    return subprocess.run([couplet, *words, "--help"], capture_output=True, text=True, check=True).stdout


def options_of(text):
    """[(option, argument, help)] of the lines that begin with a dash."""
    return re.findall(r"^  (--?[a-z][a-z-]*)(?: (\S+))? +(.*)$", text, re.M)


def block(couplet, command):
    text = help_of(couplet, command)
    lines = ['.\\" options of %s' % command, ".br", "\\fBcouplet %s\\fR %s" % (command, roff(text.split("\n")[0].split(command, 1)[1].strip()))]
    options = options_of(text)
    if options:
        lines.append(".RS")
    for name, argument, words in options:
        lines += [".TP", ".BI %s \" %s\"" % (roff(name), roff(argument)) if argument else ".B " + roff(name), roff(words)]
    if options:
        lines.append(".RE")
    return "\n".join(lines + ['.\\" end'])


def page(couplet):
    text = open(PAGE).read()
    for command, summary in re.findall(r"^  ([a-z]+) +(.*)$", help_of(couplet), re.M):
        pattern = r'\.\\" options of %s\n(?:.*\n)*?\.\\" end' % command
        if not re.search(pattern, text):
            entry = '.TP\n.B %s\n%s.\n.\\" options of %s\n.\\" end\n' % (command, roff(summary[0].upper() + summary[1:]), command)
            text = text.replace(LAST, entry + LAST, 1)
        made = block(couplet, command)
        text = re.sub(pattern, lambda _: made, text, count=1)
    return text


def main():
    mode, couplet = sys.argv[1:3]
    made = page(couplet)
    if mode == "--write":
        open(PAGE, "w").write(made)
    elif made != open(PAGE).read():
        print("%s is not what --help says: scripts/man.py --write %s" % (PAGE, couplet))
        return 1
    return 0


sys.exit(main())

#!/usr/bin/env python3
"""Validates JSON files: validate.py SCHEMA FILE...

The schemas allow fields that they do not know, so that programs which use them go on working when
fields are added. Here they must be complete: each object is closed, and an unknown field is a
failure. Then the schema itself is tried: every document is damaged in many places, and each damage
must be noticed."""
import copy
import json
import random
import sys

import jsonschema


def closed(schema):
    """The schema with no room for fields that it does not name."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if "properties" in result and "type" in result:
        result.setdefault("additionalProperties", False)
    return result


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], path + (key,))
    elif isinstance(value, list):
        for i in range(len(value)):
            yield from places(value[i], path + (i,))


def damaged(document, path):
    """A copy in which the value at the path is something that no field may be."""
    copied = copy.deepcopy(document)
    at = copied
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = {"no field": 1, "is like": [True]}
    return copied


def main():
    schema = closed(json.load(open(sys.argv[1])))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for name in sys.argv[2:]:
        document = json.load(open(name))
        for error in validator.iter_errors(document):
            print("FAIL: %s: /%s: %s" % (name, "/".join(map(str, error.absolute_path)), error.message[:300]))
            return 1
        # One object is like the other: a few damages of each document, the same in every run.
        paths = [p for p in places(document) if p]
        for path in random.Random(1).sample(paths, min(15, len(paths))):
            if validator.is_valid(damaged(document, path)):
                print("FAIL: %s: nobody notices that /%s is damaged" % (name, "/".join(map(str, path))))
                return 1
        if validator.is_valid({**document, "surprise": 1}):
            print("FAIL: %s: unknown fields pass" % name)
            return 1
    return 0


sys.exit(main())

# SPDX-License-Identifier: GPL-2.0-only
"""validate.py DIRECTORY: of each line NAME FILE of standard input: do the JSON documents in the file (one, or
one a line) obey DIRECTORY/NAME.json? Prints what does not, then "end" and how many these are. A key that
appears twice is an error too."""
import functools
import json
import os
import re
import sys

import jsonschema

LONGEST = 300  # elements of an array that are looked at: the first and the last ones
BLANK = re.compile(r"\s*")


def once(pairs):
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"the key {key!r} appears twice")
    return dict(pairs)


def documents(path):
    """The values in a file, one after the other."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    decoder = json.JSONDecoder(object_pairs_hook=once, parse_constant=refuse)
    at = BLANK.match(text, 0).end()
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        at = BLANK.match(text, at).end()
        yield value


def thinned(value):
    """Of long arrays, which hold rows of one kind, both ends."""
    if isinstance(value, dict):
        return {key: thinned(part) for key, part in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > LONGEST:
        value = value[: LONGEST // 2] + value[-LONGEST // 2 :]
    return [thinned(part) for part in value]


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def schema_of(directory, name):
    """With what it takes from common.json among its own definitions: versions of jsonschema differ in
    how they find other files."""
    with open(os.path.join(directory, name + ".json"), encoding="utf-8") as file:
        schema = json.loads(file.read().replace('"common.json#/$defs/', '"#/$defs/common-'))
    common = os.path.join(directory, "common.json")
    if os.path.exists(common):
        with open(common, encoding="utf-8") as file:
            shared = json.loads(file.read().replace('"#/$defs/', '"#/$defs/common-'))
        for key, value in shared["$defs"].items():
            schema.setdefault("$defs", {})["common-" + key] = value
    return schema


@functools.lru_cache(maxsize=None)
def validator_of(directory, name):
    schema = schema_of(directory, name)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def check(validator, path):
    count = bad = 0
    for value in documents(path):
        count += 1
        for error in list(validator.iter_errors(thinned(value)))[:5]:
            where = "/".join(str(part) for part in error.absolute_path)
            print(f"{path}: {where or 'the document'}: {error.message[:300]}")
            bad += 1
    if not count:
        print(f"{path}: is empty")
        bad += 1
    return bad


def main(directory):
    for line in sys.stdin:
        name, path = line.split()
        try:
            bad = check(validator_of(directory, name), path)
        except ValueError as error:
            print(error)
            bad = 1
        print("end", bad, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

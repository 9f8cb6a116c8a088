#!/usr/bin/env python3
"""Creates Tests/Vectors/formats/plist: property lists that Python's plistlib writes, in XML and binary, each with a description.

The description is JSON that names each type. So it contains the values that plistlib wrote, and not the result of a reader:
{"string": …}, {"integer": "…"}, {"real": "hexadecimal digits of the bits"}, {"bool": …}, {"date": seconds since 2001},
{"data": "hexadecimal digits"}, {"uid": "…"}, {"array": […]}, {"dictionary": [[key, value], …]}.
The same seed gives the same files. The script also creates binary copies of the pinned domains, as in the bundle of an app.
"""
import datetime
import json
import pathlib
import plistlib
import random
import struct

folder = pathlib.Path(__file__).parent / "formats" / "plist"
reference = datetime.datetime(2001, 1, 1)
words = ["", "a", "NSPinnedDomains", "key with blanks", "äöü", "日本語", "emoji 🙂", "<&>\"'", "line\nbreak\ttab", "]]>", " ends in blanks "]


def value(random, depth, uids):
    kinds = ["string", "integer", "real", "bool", "date", "data"] + ["uid"] * uids
    if depth < 5:
        kinds += ["array", "dictionary"] * 3
    kind = random.choice(kinds)
    if kind == "string":
        return random.choice(words) + "x" * random.choice([0, 1, 14, 15, 16, 300])
    if kind == "integer":
        size = random.choice([7, 8, 15, 16, 31, 32, 63])
        number = random.choice([0, 1, 2**size - 1, 2**size, random.getrandbits(size)])
        return min(number, 2**64 - 1) if random.random() < 0.7 else -min(number, 2**63)
    if kind == "real":
        return random.choice([0.0, -0.5, 1e300, 5e-324, 0.1, float(2**53), random.uniform(-1e6, 1e6), float("inf"), -float("inf")])
    if kind == "bool":
        return random.random() < 0.5
    if kind == "date":
        return reference + datetime.timedelta(seconds=random.randint(-60_000_000_000, 200_000_000_000))
    if kind == "data":
        return random.randbytes(random.choice([0, 1, 2, 3, 57, 58, 200]))
    if kind == "uid":
        return plistlib.UID(random.choice([0, 1, 255, 256, 65536, 2**32, 2**64 - 1]))
    if kind == "array":
        return [value(random, depth + 1, uids) for _ in range(random.choice([0, 1, 2, 3, 16]))]
    return {
        random.choice(words) + str(index): value(random, depth + 1, uids)
        for index in range(random.choice([0, 1, 2, 3, 16]))
    }


def described(value):
    if isinstance(value, str):
        return {"string": value}
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"integer": str(value)}
    if isinstance(value, float):
        return {"real": struct.pack(">d", value).hex()}
    if isinstance(value, datetime.datetime):
        return {"date": int((value - reference).total_seconds())}
    if isinstance(value, bytes):
        return {"data": value.hex()}
    if isinstance(value, plistlib.UID):
        return {"uid": str(value.data)}
    if isinstance(value, list):
        return {"array": [described(item) for item in value]}
    return {"dictionary": [[key, described(item)] for key, item in value.items()]}


folder.mkdir(parents=True, exist_ok=True)
source = random.Random(2001)
for number in range(12):
    # plistlib writes no references in XML.
    has_uids = number >= 10
    root = {f"root{index}": value(source, 1, has_uids) for index in range(6)}
    name = f"{number:02}"
    (folder / f"{name}.json").write_text(json.dumps(described(root), ensure_ascii=False) + "\n")
    (folder / f"{name}.binary").write_bytes(plistlib.dumps(root, fmt=plistlib.FMT_BINARY, sort_keys=False))
    if not has_uids:
        (folder / f"{name}.xml").write_bytes(plistlib.dumps(root, fmt=plistlib.FMT_XML, sort_keys=False))

for name in ["apple", "trustkit"]:
    file = folder.parent / name / "Info.plist"
    (folder.parent / name / "Info.binary").write_bytes(plistlib.dumps(plistlib.loads(file.read_bytes()), fmt=plistlib.FMT_BINARY, sort_keys=False))

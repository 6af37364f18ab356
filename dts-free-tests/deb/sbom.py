#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""sbom.py DOCUMENT TREE: is DOCUMENT what SPDX 2.3 demands, and true of the files in TREE?

Clauses are those of the specification 2.3. Prints what is wrong, a line for each; status 1 if anything is.
"""
import hashlib
import json
import os
import re
import sys

IDENTIFIER = r"SPDXRef-[A-Za-z0-9.-]+"
KINDS = {"DESCRIBES", "CONTAINS", "DYNAMIC_LINK", "STATIC_LINK", "COPY_OF"}
LICENCES = {"GPL-2.0-only", "GPL-2.0-only WITH Linux-syscall-note", "NOASSERTION"}
wrong = []


def demand(holds, text):
    if not holds:
        wrong.append(text)


def fields(thing, clause, **patterns):
    for name, pattern in patterns.items():
        demand(re.fullmatch(pattern, str(thing.get(name, ""))), f"{clause}: {name} is {thing.get(name)!r}")


def check_head(document):
    fields(document, "6", spdxVersion=r"SPDX-2\.3", dataLicense="CC0-1.0", SPDXID="SPDXRef-DOCUMENT", name=".+",
           documentNamespace=r"[a-z]+:[^#]+")
    fields(document["creationInfo"], "6.9", created=r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
    demand(all(re.match(r"(Person|Organization|Tool): .", one) for one in document["creationInfo"]["creators"])
           and document["creationInfo"]["creators"], "6.8: creators")


def check_package(package, files):
    fields(package, "7", SPDXID=IDENTIFIER, name=".+", downloadLocation="NOASSERTION|NONE|[a-z]+:.+",
           copyrightText=".+")
    demand(package["licenseConcluded"] in LICENCES, "7.13: " + package["name"])
    if not package["filesAnalyzed"]:
        demand("packageVerificationCode" not in package and "hasFiles" not in package, "7.8: " + package["name"])
        demand(package.get("versionInfo"), "no version of " + package["name"])
        return
    sums = sorted(file["checksums"][0]["checksumValue"] for file in files)
    code = hashlib.sha1("".join(sums).encode()).hexdigest()
    demand(package["packageVerificationCode"]["packageVerificationCodeValue"] == code, "7.9: verification code")


def check_file(file, tree):
    fields(file, "8", SPDXID=IDENTIFIER, fileName=r"\./.+", copyrightText=".+")
    demand(file["licenseConcluded"] in LICENCES, "8.5: " + file["fileName"])
    demand(file["checksums"][0]["algorithm"] == "SHA1", "8.4: SHA1 of " + file["fileName"])
    for one in file["checksums"]:
        with open(os.path.join(tree, file["fileName"]), "rb") as there:
            found = hashlib.new(one["algorithm"].lower(), there.read()).hexdigest()
        demand(found == one["checksumValue"], f"{one['algorithm']} of {file['fileName']}")


def files_of(tree, document):
    found = set()
    for directory, _, names in os.walk(tree):
        found.update("./" + os.path.relpath(os.path.join(directory, name), tree) for name in names
                     if not os.path.islink(os.path.join(directory, name)))
    return found - {"./" + os.path.relpath(document, tree)}


path, top = sys.argv[1], sys.argv[2]
with open(path, encoding="utf-8") as text:
    spdx = json.load(text)
check_head(spdx)
for each in spdx["packages"]:
    check_package(each, spdx["files"])
for each in spdx["files"]:
    check_file(each, top)
ids = [spdx["SPDXID"]] + [each["SPDXID"] for each in spdx["packages"] + spdx["files"]]
demand(len(ids) == len(set(ids)), "6.3: identifiers are not unique")
for each in spdx["relationships"]:
    demand(each["relationshipType"] in KINDS and each["spdxElementId"] in ids and
           each["relatedSpdxElement"] in ids, f"11.1: {each}")
listed = {each["fileName"] for each in spdx["files"]}
demand(listed == files_of(top, path), f"files: {sorted(listed ^ files_of(top, path))[:5]}")
print("\n".join(wrong))
sys.exit(bool(wrong))

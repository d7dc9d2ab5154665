# SPDX-License-Identifier: Apache-2.0
"""Holds matrix/version against PyPI's `packaging` on generated versions and specifiers.

Usage: python pep440_packaging_test.py PEP440_ANSWERS [--count N] [--seed S]
Needs `packaging` 26 or newer. Exits 1 with the first differences, each with its question and both answers.
"""

import argparse
import random
import subprocess
import sys

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

SEPARATORS = ["", "", ".", "-", "_"]
OPERATORS = ["==", "!=", "<=", ">=", "<", ">", "~=", "==="]


def cased(rng, text):
    return "".join(c.upper() if rng.random() < 0.05 else c for c in text)


def number(rng):
    return rng.choice(["0", "0", "1", "1", "2", "3", "10", "00", "01", "", "20240131", "99999999999999999999999"])


def digits(rng):
    return number(rng) or "0"


def part(rng, words):
    return rng.choice(SEPARATORS) + rng.choice(words) + rng.choice(SEPARATORS) + number(rng)


def release(rng):
    return ".".join(digits(rng) for _ in range(rng.choice([1, 1, 2, 2, 2, 3, 3, 4])))


def suffixes(rng):
    text = ""
    if rng.random() < 0.3:
        text += part(rng, ["a", "b", "c", "rc", "alpha", "beta", "pre", "preview"])
    if rng.random() < 0.25:
        text += "-" + digits(rng) if rng.random() < 0.3 else part(rng, ["post", "rev", "r"])
    if rng.random() < 0.25:
        text += part(rng, ["dev"])
    return text


def local(rng):
    labels = ["cu128", "1", "2", "10", "01", "a", "B", "ubuntu", "0"]
    parts = [rng.choice(labels) for _ in range(rng.choice([1, 1, 2, 3]))]
    return "+" + "".join(p + rng.choice("._-") for p in parts[:-1]) + parts[-1]


def damaged(rng, text):
    """Mostly the text itself; now and then with one character lost, doubled or strange, to try what is refused."""
    if rng.random() > 0.06 or not text:
        return text
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(["", text[at] * 2, ".", "-", "x", "*", "+", " ", "!"]) + text[at + 1:]


def version(rng):
    text = rng.choice(["", "", "", "v"])
    if rng.random() < 0.1:
        text += digits(rng) + "!"
    text += release(rng) + suffixes(rng)
    if rng.random() < 0.2:
        text += local(rng)
    return damaged(rng, cased(rng, text))


def relative(rng, base):
    """A version close to `base`, where the rules of specifiers differ most."""
    choice = rng.random()
    if choice < 0.25:
        return base
    if choice < 0.55:
        added = [".dev0", ".dev1", "a0", "rc1", ".post0", ".post1", ".post1.dev0", "+1", "+cu128", ".0", ".1"]
        return base + rng.choice(added)
    if choice < 0.7:
        return base.split("+")[0].rstrip("0123456789") + digits(rng)
    return version(rng)


def specifier(rng, base):
    operator = rng.choice(OPERATORS)
    text = operator + rng.choice(["", "", " "]) + relative(rng, base)
    return damaged(rng, text + rng.choice(["", "", "", ".*"]) if operator in ("==", "!=") else text)


def expected_compare(left, right):
    try:
        left, right = Version(left), Version(right)
    except InvalidVersion:
        return "invalid"
    return "-1" if left < right else "0" if left == right else "1"


def expected_normal(text):
    try:
        return str(Version(text))
    except InvalidVersion:
        return "invalid"


def expected_contains(text, candidate):
    try:
        allowed = SpecifierSet(text, prereleases=True)
    except InvalidSpecifier:
        return "invalid"
    refused = SpecifierSet(text, prereleases=False)
    # Our default is the plain rule of PEP 440, pre-releases only where one is named; that of `packaging` looks at
    # what else there is to choose from. So the policy is worked out here and given to it.
    named = any(s.prereleases for s in SpecifierSet(text))
    default = SpecifierSet(text, prereleases=named)
    sets = (allowed, refused, default)
    return "".join("1" if s.contains(candidate, prereleases=s.prereleases) else "0" for s in sets)


def questions(rng, count):
    for _ in range(count):
        base = version(rng)
        other = relative(rng, base)
        yield ("compare", base, other), expected_compare(base, other)
        yield ("normal", base), expected_normal(base)
        chosen = ",".join(specifier(rng, base) for _ in range(rng.choice([0, 1, 1, 1, 1, 2, 3])))
        yield ("contains", chosen, other), expected_contains(chosen, other)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("answers")
    parser.add_argument("--count", type=int, default=100_000, help="version pairs; as many specifier checks again")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    arguments = parser.parse_args()
    asked = list(questions(random.Random(arguments.seed), arguments.count))
    text = "".join("\t".join(question) + "\n" for question, _ in asked)
    got = subprocess.run([arguments.answers], input=text, capture_output=True, text=True, check=True).stdout.split("\n")
    different = [(question, wanted, found) for (question, wanted), found in zip(asked, got) if wanted != found]
    for question, wanted, found in different[:20]:
        print(f"{question!r}: packaging says {wanted}, crosswarp {found}")
    valid = sum(wanted != "invalid" for _, wanted in asked)
    print(f"seed {arguments.seed}: {len(asked)} questions ({valid} on valid input), {len(different)} differences")
    sys.exit(1 if different or len(got) != len(asked) + 1 else 0)


if __name__ == "__main__":
    main()

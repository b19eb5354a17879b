"""`python -m tests.audit --rust DIR --python DIR`: the locked packages against advisory databases kept as folders.

DIR is a checkout of RustSec's advisory-db (`crates/*/RUSTSEC-*.md`) or of the Python Packaging Authority's
advisory-database (`vulns/*/PYSEC-*.yaml`). Exit code 1 if a locked version has an advisory.

Ours because pip-audit asks services over the network and reads no checkout. cargo-deny can work offline, from a clone
in a folder of its own naming, but would replace only `of_rust` and is a tool to compile on every machine.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
Locked = set[tuple[str, str]]


def crates() -> Locked:
    """Names and versions of `Cargo.lock` that come from a registry."""
    packages = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    return {(package["name"], package["version"]) for package in packages if "source" in package}


def wheels() -> Locked:
    """Names and versions of all `requirements/*.lock`."""
    lines = "\n".join(path.read_text() for path in sorted((ROOT / "requirements").glob("*.lock")))
    return {(canonicalize_name(name), version) for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", lines, re.M)}


def of_rust(folder: Path, locked: Locked) -> Iterator[str]:
    """Advisories of crates; informational ones (unmaintained, a notice) are told as such."""
    for name, version in sorted(locked):
        for path in sorted(folder.glob(f"crates/{name}/RUSTSEC-*.md")):
            text = path.read_text().partition("```toml")[2].partition("```")[0]
            told = tomllib.loads(text)
            versions = told.get("versions", {})
            safe = [*versions.get("patched", []), *versions.get("unaffected", [])]
            if "withdrawn" not in told["advisory"] and not any(_within(version, rule) for rule in safe):
                kind = told["advisory"].get("informational", "vulnerability")
                yield f"{name} {version}: {told['advisory']['id']} ({kind})"


def of_python(folder: Path, locked: Locked) -> Iterator[str]:
    """Advisories of Python packages."""
    for name, version in sorted(locked):
        for path in sorted(folder.glob(f"vulns/{name}/*.yaml")):
            told = yaml.safe_load(path.read_text())
            affected = [one for one in told.get("affected", []) if canonicalize_name(one["package"]["name"]) == name]
            if "withdrawn" not in told and any(_affected(version, one) for one in affected):
                yield f"{name} {version}: {told['id']}"


def _affected(version: str, one: dict[str, list[dict[str, object]]]) -> bool:
    if version in one.get("versions", []):
        return True
    for found in one.get("ranges", []):
        if found.get("type") != "ECOSYSTEM":
            continue
        inside = False
        events: list[dict[str, str]] = found["events"]  # type: ignore[assignment]
        for event in events:
            if "introduced" in event and Version(version) >= Version(event["introduced"]):
                inside = True
            if "fixed" in event and Version(version) >= Version(event["fixed"]):
                inside = False
            if "last_affected" in event and Version(version) > Version(event["last_affected"]):
                inside = False
        if inside:
            return True
    return False


def _within(version: str, rule: str) -> bool:
    """Cargo's rule, `>= 1.2, < 2`, `^0.5.1`, `~1.4`, as Python's."""
    parts = []
    for part in (text.strip() for text in rule.split(",")):
        operator, _, number = re.fullmatch(r"(>=|<=|>|<|=|\^|~)?(\s*)(\S+)", part).groups()  # type: ignore[union-attr]
        if operator in ("^", "~", None):
            head = [int(digits) for digits in number.partition("-")[0].split(".")]
            fixed = 2 if operator == "~" else next((at + 1 for at, digit in enumerate(head) if digit), len(head))
            above = [*head[: fixed - 1], head[min(fixed, len(head)) - 1] + 1]
            parts += [f">={number}", f"<{'.'.join(map(str, above))}"]
        else:
            parts.append(("==" if operator == "=" else operator) + number)
    return SpecifierSet(",".join(parts)).contains(_plain(version), prereleases=True)


def _plain(version: str) -> str:
    return version.partition("+")[0]


def main() -> int:
    """Exit code 1 if an advisory was found, informational ones apart."""
    parser = argparse.ArgumentParser(prog="python -m tests.audit", description=__doc__)
    parser.add_argument("--rust", type=Path)
    parser.add_argument("--python", type=Path)
    given = parser.parse_args()
    bad = 0
    for folder, locked, advisories in ((given.rust, crates(), of_rust), (given.python, wheels(), of_python)):
        if folder is None:
            continue
        if not any(folder.iterdir()):
            parser.error(f"{folder} is empty")
        found = list(advisories(folder, locked))
        print(f"{folder.name}: {len(locked)} locked packages, {len(found)} advisories")
        print("".join(f"  {line}\n" for line in found), end="")
        bad += sum("(vulnerability)" in line or advisories is of_python for line in found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

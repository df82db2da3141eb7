"""Files about the project itself: CI, issue forms, metadata, the Makefile, generated pages."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import generated_pages
from tests.preloaded import ROOT

FORMS = sorted((ROOT / ".github").rglob("*.yml"))
METADATA: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("path", generated_pages.PAGES, ids=lambda path: str(path.name))
def test_a_generated_page_is_current(path: Path) -> None:
    assert path.read_text() == generated_pages.PAGES[path](), "Run `make docs`."


@pytest.mark.parametrize(("name", "last"), [("ci", "bash .ci/run"), ("soak", "make soak")])
def test_a_workflow_runs_what_it_is_named_after(name: str, last: str) -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())
    runs = [step["run"] for step in workflow["jobs"][name]["steps"] if "run" in step]
    assert "bash .ci/run" in runs and runs[-1].endswith(last)


@pytest.mark.parametrize("form", FORMS, ids=lambda path: str(path.name))
def test_a_form_of_github_is_valid_yaml(form: Any) -> None:
    assert isinstance(yaml.safe_load(form.read_text()), dict)
    assert len(FORMS) >= 4


def test_every_target_of_the_makefile_has_a_line_of_help() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    helped = re.findall(r"^([a-z-]+):.*## \S", MAKEFILE, re.MULTILINE)
    assert phony is not None and sorted(phony[1].split()) == sorted(helped)


def test_the_python_versions_agree() -> None:
    oldest = METADATA["project"]["requires-python"].removeprefix(">=")
    assert METADATA["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    assert f"--python-version {oldest}" in MAKEFILE
    assert f"sys.version_info < ({oldest.replace('.', ', ')})" in MAKEFILE
    assert f"Programming Language :: Python :: {oldest}" in METADATA["project"]["classifiers"]

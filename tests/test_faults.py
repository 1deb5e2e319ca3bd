"""Faults to plant: each one's text stands in its file, once, and the tests that should notice it
are there.
"""

import tomllib
from pathlib import Path

import pytest

from stacklaw.bench.faults import FOLDERS, faults

ROOT = Path(__file__).parents[1]
FAULTS = tomllib.loads((ROOT / "bench" / "faults.toml").read_text(encoding="utf-8"))["fault"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["what"])
def test_a_fault_can_be_planted(fault: dict[str, str | list[str]]) -> None:
    """A fault whose text is gone would be planted nowhere, and the share would be of fewer than are
    listed.
    """
    text = (ROOT / str(fault["file"])).read_text(encoding="utf-8")
    assert text.count(str(fault["old"])) == 1
    assert fault["new"] != fault["old"]
    for name in fault.get("first", []):
        assert (ROOT / "tests" / name.split("::")[0]).exists(), name


def test_each_fault_has_tests_to_run() -> None:
    """The folder of each fault is one whose tests the benchmark knows."""
    assert all(fault.folder in FOLDERS for fault in faults(ROOT))

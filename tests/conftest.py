"""Options of the test run (tests/README.md).

``--record`` writes the expected output of the cases anew, to be reviewed by ``git diff``;
``--anew`` lets random tests make new examples; ``--tiers`` notes which tests are slow;
``--kept=FOLDER`` names a folder for what runs one after the other need not make twice; ``--turn=N``
runs a part of the long tests, and a smaller one of the rare, another one for each N.
"""

from __future__ import annotations

import gc
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from .luck import load_profile
from .tiers import Tiers, has_turn, processor_time

BENCH = Path(__file__).parents[1] / "bench"
TIERS = Tiers()
RARELY = 100_000, 50, 100
"""How many things are made between two looks for garbage, of the youngest, of older ones, and of
all.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record", action="store_true", help="write the .expect files of tests/cases anew"
    )
    parser.addoption(
        "--tiers",
        action="store_true",
        help="write what tests take longer than their marks say into tiers.toml",
    )
    parser.addoption(
        "--kept",
        type=Path,
        metavar="FOLDER",
        help="keep there what only saves time, for the next run too",
    )
    parser.addoption(
        "--turn",
        metavar="N",
        type=int,
        help="of the long and the rare tests, only those whose turn it is in the N-th run",
    )
    parser.addoption(
        "--anew",
        type=int,
        default=0,
        metavar="TIMES",
        help="random tests make new examples, so many times as many as ever",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let random tests know their examples, and the benchmark be found, which the wheel goes
    without.

    Several workers take tests from each other at the end, rather than wait for the one with most to
    do.
    """
    if getattr(config.option, "dist", "no") == "load":
        config.option.dist = "worksteal"
    load_profile(config.getoption("--anew"))
    if not hasattr(config, "workerinput"):
        config.add_cleanup(_cache_of_this_run(config.getoption("--kept")))
    if find_spec("stacklaw.bench") is None:
        spec = spec_from_file_location(
            "stacklaw.bench", BENCH / "__init__.py", submodule_search_locations=[str(BENCH)]
        )
        assert spec is not None
        sys.modules["stacklaw.bench"] = module_from_spec(spec)


def _cache_of_this_run(kept: Path | None) -> Callable[[], None]:
    """Keep what only saves time apart from the user's, in one folder for all workers and all that
    they start; return what removes it.

    In the folder *kept* it stays.
    """
    folder, patch = kept or Path(tempfile.mkdtemp(prefix="stacklaw-tests-")), pytest.MonkeyPatch()
    patch.setenv("STACKLAW_CACHE", str(folder.absolute()))

    def remove() -> None:
        patch.undo()
        if kept is None:
            shutil.rmtree(folder, ignore_errors=True)

    return remove


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the slow tests, so that no worker is left with a long one at the end; leave out
    those whose turn it is not.
    """
    TIERS.mark(items)
    turn = config.getoption("--turn")
    others = [] if turn is None else [item for item in items if not has_turn(item, turn)]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    before = processor_time()
    done = yield
    if item.config.getoption("--tiers"):
        item.user_properties.append(("tier", TIERS.measured_tier(item, processor_time() - before)))
    return done


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    tier = dict(report.user_properties).get("tier")
    if report.when == "call" and tier is not None:
        TIERS.measured[report.nodeid] = str(tier)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.getoption("--tiers") and not hasattr(session.config, "workerinput"):
        TIERS.write()


def pytest_collection_finish() -> None:
    """Let Python look for garbage among what tests make, not among the modules and tests that stay:
    a tenth of a run went into that.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)


@pytest.fixture
def record(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--record"))

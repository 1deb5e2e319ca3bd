"""Compiled code is kept apart from the user's while the tests run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setenv("STACKLAW_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()

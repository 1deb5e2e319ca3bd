"""Scripts of the page run by Node: quick, and without a window."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from .compiled import Portable

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed (tests/README.md)")


def run(names: tuple[str, ...], script: str, given: Any) -> Any:
    """Return what *script* writes, JSON, which has the scripts *names* before it and what is
    *given*.
    """
    assert NODE is not None
    room = resources.files("stacklaw.reports.page")
    parts = [(room / f"{name}.js").read_text(encoding="utf-8") for name in names]
    parts += ['const given = JSON.parse(require("fs").readFileSync(0, "utf8"));', script]
    with TemporaryDirectory() as folder:
        whole = Path(folder, "script.cjs")  # too long for an argument
        # In a block, as scripts have names that are Node's in a file.
        whole.write_text("\n".join(['"use strict"; {', *parts, "}"]), encoding="utf-8")
        done = subprocess.run(
            [NODE, whole], input=json.dumps(given), capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def carried(game: Portable) -> dict[str, Any]:
    """Return *game* as JSON can hold it."""
    return {
        "tells": base64.b64encode(game.tells).decode(),
        "searches": [[base64.b64encode(one).decode() for one in pair] for pair in game.searches],
        **game.tables,
    }

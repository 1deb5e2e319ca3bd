"""Ray: begun for this process alone, unless the user names one that is there. Every part of this
process that wants workers there gets that Ray from here.

Ray passes objects between processes as code, so anyone who can speak to a Ray can do all that its
user can. So a Ray begun here listens on this machine only, keeps its files in a folder that only
its user can enter, and wants a token that only its own processes have.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

from ...models.diagnostics import InputError, wrong_input
from .interrupts import INTERRUPTS
from .survivor import guard

_STORE = 32 << 20
"""How many bytes of the object store a worker here can fill, more or less: its rows under way, and
those that wait for it.
"""
_PATIENCE = 5.0
"""How many seconds somebody at an address has to answer."""
_LOOK, _AT_HEAD, _SILENT = 0.5, 5.0, 20.0
"""How many seconds pass between two looks at the processes of a Ray begun here, and between two
knocks at the head of another, and after how many seconds without an answer that is gone.
"""
_HEAD = {"gcs_server", "raylet"}
"""The processes without which a Ray can do nothing."""
_LEAST_STORE = 100 << 20
_FOR_EVER = str(10**6)
_SETTINGS = b"\0\0\0\4\0\0\0\0\0"
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _SETTINGS
"""How each side begins whom Ray speaks to: HTTP/2 (RFC 9113, 3.4), a frame of settings, the fourth
byte of which says so.
"""


def ray_at(address: str, workers: int | None) -> tuple[Any, int]:
    """Return the Ray at *address*, and how many workers of one processor it is to have: *workers*,
    or one for each that it has.

    Raises InputError if it cannot be used.
    """
    processors = _begun(address, workers or 0)
    if not processors:
        raise _unusable("it has no processors", "begin it with some: `ray start --num-cpus=N`")
    if workers is not None and workers > processors:
        raise _unusable(
            f"it has {processors} processors, and {workers} workers are asked for",
            "ask for fewer with --workers",
        )
    return import_module("ray"), workers or processors


def most_on_one(ray: Any, workers: int) -> int:
    """Return how many of *workers* workers may be on one machine of *ray*."""
    return min(
        workers,
        max(
            (int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]),
            default=workers,
        ),
    )


def another_version(machine: str) -> InputError:
    """Return what is wrong with a worker on *machine* whose code is not that of this process."""
    hint = "install the same Stacklaw, and the same libraries, on all machines"
    return wrong_input(
        "C117", f"the worker on {machine} runs another version of Stacklaw than this one", hint=hint
    )


class _Head:
    """The head of the Ray that this process speaks to: *gone* says why that can do nothing any
    more.
    """

    def __init__(self) -> None:
        self.gone = ""
        self._looked = self._heard = monotonic()

    def why_gone(self, address: str) -> str:
        """Return why it is gone, empty if it is there, as far as anybody knows who looks now and
        then.
        """
        now = monotonic()
        if self.gone or now - self._looked < (_LOOK if address == "local" else _AT_HEAD):
            return self.gone
        self._looked = now
        if address == "local":
            dead = {
                kind
                for kind, _ in import_module("ray._private.worker")._global_node.dead_processes()
            } & _HEAD
            self.gone = f"the {' and the '.join(sorted(dead))} of Ray ended" if dead else ""
        elif _is_there(address):
            self._heard = monotonic()
        elif monotonic() - self._heard > _SILENT:
            self.gone = f"the head of Ray at {address} is gone"
        if self.gone:
            import_module("ray").shutdown()  # what is left of it here
        return self.gone


_FOUND = _Head()


def why_gone() -> str:
    """Return why the Ray that this process speaks to can do nothing any more; empty if it can, or
    there is none.
    """
    return next((_FOUND.why_gone(address) for address in _BEGUN), "")


def _is_there(address: str) -> bool:
    """Whether somebody takes a call at *address*."""
    host, _, port = address.rpartition(":")
    with suppress(OSError, OverflowError), socket.create_connection((host, int(port)), 1.0):
        return True
    return False


_BEGUN: dict[str, int] = {}
"""The Ray that this process speaks to, by its address, with the number of its processors."""


def _begun(address: str, workers: int) -> int:
    """Have this process speak to the Ray at *address*, or to one begun here for *workers* workers;
    return how many processors it has.
    """
    address = os.environ.get("RAY_ADDRESS") or "local" if address == "auto" else address
    if _FOUND.gone:
        raise _unusable(_FOUND.gone)
    if address in _BEGUN and not (address == "local" and _BEGUN[address] < workers):
        return _BEGUN[address]
    _BEGUN.clear()
    said: dict[str, Any] = {
        "address": address,
        "log_to_driver": False,
        "configure_logging": False,
        "logging_level": "ERROR",
    }
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault(
        "RAY_gcs_rpc_server_reconnect_timeout_s", _FOR_EVER
    )  # then it would end this process, with 1
    if address == "local":
        processors = max(workers, os.cpu_count() or 1)
        if "ray" not in sys.modules:  # it reads them once
            os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex()}
        said |= {
            "num_cpus": processors,
            "object_store_memory": max(_LEAST_STORE, processors * _STORE),
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
            "_temp_dir": str(_folder()),
        }
    else:
        _knock(address)
    try:
        with _signals_kept():
            ray: Any = import_module("ray")
            ray.shutdown()
            inside: Any = import_module("ray._private.worker")
            inside._worker_logs_enabled = False  # what becomes of workers we tell ourselves
            ray.init(**said)
        _BEGUN[address] = int(ray.cluster_resources().get("CPU", 0))
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        why = str(error).strip().partition("\n")[0]
        if address == "local":
            raise _unusable(f"Ray cannot be begun: {why}") from None
        raise _unusable(
            f"the Ray at {address} does not let us in: {why}",
            "RAY_AUTH_MODE=token, if it asks for a token",
        ) from None
    return _BEGUN[address]


def _knock(address: str) -> None:
    """Raise InputError if *address* does not answer, or does not answer as Ray does; Ray itself
    would try for minutes.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        hint = (
            "it is HOST:PORT, as `ray start --head` tells it; `--cluster auto` takes that of "
            "RAY_ADDRESS, if it is set"
        )
        raise _unusable(f"`{address}` is no address", hint)
    try:
        with (
            socket.create_connection((host, int(port)), _PATIENCE) as there,
            there.makefile("rb") as stream,
        ):
            if os.environ.get("RAY_USE_TLS", "0") == "1":
                return
            there.sendall(_PREFACE)
            said = stream.read(len(_SETTINGS))
    except (OSError, OverflowError) as error:
        raise _unusable(f"nothing answers at {address}: {error}") from None
    if said[3:4] != _SETTINGS[3:4]:
        raise _unusable(f"what answers at {address} is no Ray")


def _folder() -> Path:
    """Return a folder for Ray's files and sockets that only this user can enter, gone when the
    process ends.
    """
    folder = Path(tempfile.mkdtemp(prefix="stacklaw-"))

    def gone() -> None:
        if folder.exists():
            import_module("ray").shutdown()
            shutil.rmtree(folder, ignore_errors=True)

    guard(folder)
    atexit.register(gone)
    INTERRUPTS.at_end.append(gone)
    return folder / "ray"  # Ray opens its own folder to all; this one around it is closed


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Keep who handles SIGTERM and Ctrl-C; Ray puts itself there."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _unusable(why: str, hint: str = "docs/cluster.md says how to begin one") -> InputError:
    return wrong_input("C117", f"the cluster cannot be used: {why}", hint=hint)

"""The server: what an editor asks over stdin and stdout.

The text of a file is read at every key; its claims are typed after a pause.
"""

from __future__ import annotations

import asyncio
import sys
import webbrowser
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from ... import __version__
from ...models.diagnostics import Diagnostic, InputError, Report
from ...models.parsing.outline import LogicalLine, outline
from ...models.source import Source
from ..judging import CLAUSES, RULINGS, Background, SinceCommit, target_of
from .actions import RenameError, actions, layout, rename
from .completion import SHOW, completions, lenses
from .hover import goals, hover, walk
from .names import definition, references, words_of
from .texts import OpenTexts, by_file, changes_told, mistakes_in, uri_of

_SECONDS = 120


class Boards:
    """The pages that are served, by their rules."""

    def __init__(self) -> None:
        self._served: dict[str, tuple[str, Process, str]] = {}

    async def address(self, target: str, text: str) -> str:
        """Return where the page of *target*, whose files say *text*, is served; empty if it cannot
        be.
        """
        known = self._served.get(target)
        if known is not None and known[0] == text and known[1].returncode is None:
            return known[2]
        self._unserve(target)
        command = sys.executable, "-m", "stacklaw", "explore", target, "--beside-editor"
        # It ends when this process, however it ended, no longer holds its stdin.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), _SECONDS)
        except TimeoutError:
            line = b""
        address = line.decode().strip()
        self._served[target] = text, process, address
        return address

    def close(self) -> None:
        """Serve nothing any more."""
        for target in [*self._served]:
            self._unserve(target)

    def _unserve(self, target: str) -> None:
        if target in self._served:
            with suppress(ProcessLookupError):
                self._served.pop(target)[1].terminate()


_KINDS = {
    "stage": types.SymbolKind.Class,
    "clause": types.SymbolKind.Method,
    "claim": types.SymbolKind.Property,
    "term": types.SymbolKind.Function,
    "option": types.SymbolKind.Enum,
    "sequence": types.SymbolKind.Enum,
}


def symbols(texts: OpenTexts, path: str) -> list[types.DocumentSymbol]:
    """Return what the file at *path* declares."""
    source = texts.file(path)
    return [] if source is None else [*_below(texts, source, _outlined(source))]


def folds(texts: OpenTexts, path: str) -> list[types.FoldingRange]:
    """Return the blocks of the file at *path*, from their first lines to their last."""
    source = texts.file(path)
    return [
        types.FoldingRange(
            texts.range_of(source, line.span).start.line, _last_row(texts, source, line)
        )
        for line in walk(_outlined(source) if source else ())
        if source and line.children
    ]


def _outlined(source: Source) -> Sequence[LogicalLine]:
    if source.name.endswith((RULINGS, CLAUSES)):
        return ()
    return outline(source, Report(source)).lines


def _last_row(texts: OpenTexts, source: Source, line: LogicalLine) -> int:
    """Return the row on which *line* ends, with all below it."""
    while line.children:
        line = line.children[-1]
    return texts.range_of(source, line.pieces[-1].span).start.line


def _below(
    texts: OpenTexts, source: Source, lines: Sequence[LogicalLine]
) -> Iterator[types.DocumentSymbol]:
    for line in lines:
        inside = [*_below(texts, source, line.children)]
        words = words_of(line.place, line.language, tuple(line.pieces))
        declared = [one for one in words if one.declares and not one.reach and one.what != "tag"]
        if not declared and not (inside and line.opens):
            yield from inside
            continue
        text, at = line.pieces[0].text, line.pieces[0].column
        name = declared[0].span if declared else line.pieces[0].span
        start = texts.range_of(source, line.span).start
        whole = types.Range(start, types.Position(_last_row(texts, source, line) + 1, 0))
        yield types.DocumentSymbol(
            text[name.column - at : name.end - at],
            _KINDS.get(declared[0].what if declared else "", types.SymbolKind.Variable),
            whole,
            texts.range_of(source, name),
            detail=" ".join((text[: name.column - at] + text[name.end - at :]).split()),
            children=inside,
        )


PAUSE = 0.4
"""After how many seconds without a key the claims are typed."""
_LOOK = 0.2
"""After how many seconds somebody looks whether the background has found something."""


class _Protocol(LanguageServerProtocol):
    """Keeps no future of a notification that is done with; pygls 2.1 does, one of each key."""

    def _execute_handler(self, msg_id: str | int, *args: Any, **kwargs: Any) -> None:
        super()._execute_handler(msg_id, *args, **kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            del self._request_futures[msg_id]


class EditorServer(LanguageServer):
    """A server with the *texts* that are open in its editor."""

    def __init__(self) -> None:
        sync = types.TextDocumentSyncKind.Full
        super().__init__("stacklaw", __version__, sync, protocol_cls=_Protocol)
        self.texts = OpenTexts()
        self.told: dict[str, set[str]] = {}
        """Of each file, in which something was told when it was looked at."""
        self.hasty: set[str] = set()
        """The files of which only what is found at once was told last."""
        self.later: dict[str, asyncio.TimerHandle] = {}
        self.background, self.since, self.boards = Background(), SinceCommit(), Boards()
        self.changes: dict[str, list[types.Diagnostic]] = {}
        """What the edits since the last commit change, by the addresses of rules."""
        self.showing: asyncio.Task[None] | None = None

    def path_of(self, uri: str) -> str:
        """Return the file at *uri*, or what stands for one that has no file yet."""
        return to_fs_path(uri) or uri

    def changed(self, uri: str, pause: float = PAUSE) -> None:
        """Take the text at *uri* as it is now: tell mistakes at once, the rest after a *pause*."""
        path = self.path_of(uri)
        self.background.stop()
        self.since.stop()
        self.changes.pop(uri_of(target_of(path)), None)
        self.texts.codec = self.workspace.position_codec
        self.texts.hold(path, self.workspace.get_text_document(uri).source)
        with self.texts.in_sight():
            found = mistakes_in(self.texts, path, at_once=True)
            if found or path in self.hasty:
                self.publish(path, found)
            self.hasty = self.hasty | {path} if found else self.hasty - {path}
        self.after_pause(path, pause)

    def after_pause(self, path: str, pause: float = PAUSE) -> None:
        """Look at the ruleset of *path* after a *pause* of this many seconds in typing."""
        self.forget(path)
        self.later[path] = asyncio.get_running_loop().call_later(pause, self.settle, path)

    def forget(self, path: str) -> None:
        """Do not look at the ruleset of *path* after a pause."""
        if (waiting := self.later.pop(path, None)) is not None:
            waiting.cancel()

    def settle(self, path: str) -> None:
        """Tell all that the command says of *path*, and of the open files beside it."""
        self.later.pop(path, None)
        with self.texts.in_sight():
            self.examine(target_of(path))  # beside what follows
            for one in {path, *self.texts.are_open(target_of(path))}:
                self.publish(one, mistakes_in(self.texts, one, at_once=False))

    def examine(self, target: str) -> None:
        """Look in the background what the claims and rulings of *target* come to, if it can be
        read.
        """
        with suppress(InputError):
            if self.background.examine(target):
                self.refresh_lenses()
        if self.background.target:
            asyncio.get_running_loop().call_later(_LOOK, self.hear)

    def hear(self) -> None:
        """Have the editor ask for the lenses again if the background has found something."""
        if self.background.hear():
            self.refresh_lenses()
        if self.background.target:
            asyncio.get_running_loop().call_later(_LOOK, self.hear)

    def refresh_lenses(self) -> None:
        """Have the editor ask for them again, if it can."""
        if self.can("workspace.code_lens.refresh_support"):
            self.workspace_code_lens_refresh(None)

    def saved(self, uri: str) -> None:
        """Look what the edits of the rules at *uri* change for players since the last commit."""
        self.changed(uri)
        path = self.path_of(uri)
        with suppress(InputError), self.texts.in_sight():
            if path == target_of(path) and not mistakes_in(self.texts, path, at_once=True):
                self.since.examine(path)
                asyncio.get_running_loop().call_later(_LOOK, self.hear_changes, path)

    def hear_changes(self, path: str) -> None:
        """Tell what has changed of *path* as soon as that is known, unless somebody types."""
        if self.since.target != path:
            return
        found = self.since.hear()
        if found is None:
            asyncio.get_running_loop().call_later(_LOOK, self.hear_changes, path)
            return
        with self.texts.in_sight():
            self.changes[uri_of(path)] = changes_told(self.texts, path, found)
            self.publish(path, mistakes_in(self.texts, path, at_once=False))

    async def show(self, path: str, place: str) -> None:
        """Open the *place* of a play on the board of the ruleset of *path*, as it is on disk."""
        target, source = target_of(path), self.texts.rules(path)
        address = ""
        with suppress(InputError):
            if source is not None and not self.background.is_stale(target):
                address = await self.boards.address(target, source.text)
        if not address:
            self.say("The files were changed since they were checked: save them first.")
        elif self.can("window.show_document.support"):
            shown = types.ShowDocumentParams(address + place, external=True)
            await self.window_show_document_async(shown)
        else:
            webbrowser.open(address + place)

    def closed(self, uri: str) -> None:
        """Let the file at *uri* say what it says on disk; nothing more is told of it."""
        path = self.path_of(uri)
        target = target_of(path)
        self.forget(path)
        self.texts.drop(path)
        self.changes.pop(uri, None)
        self.publish(path, ())
        self.told.pop(path)
        self.hasty -= {path}
        others = self.texts.are_open(target)
        for other in others:
            self.after_pause(other)
        if not others:
            self.background.forget(target)

    def leave(self) -> None:
        """End the processes that were begun."""
        self.background.close()
        self.since.close()
        self.boards.close()

    def publish(self, path: str, found: Sequence[Diagnostic]) -> None:
        """Publish what was *found* of *path*, and nothing of what was told before."""
        told = by_file(self.texts, path, found)
        for uri in {uri_of(path), *self.told.get(path, ()), *told}:
            its = [*told.get(uri, ()), *self.changes.get(uri, ())]
            params = types.PublishDiagnosticsParams(uri, its)
            self.text_document_publish_diagnostics(params)
        self.told[path] = {*told}

    def can(self, what: str) -> bool:
        """Whether the editor says that it can do something, *what*: the path to it in all that it
        can do.
        """
        return bool(get_capability(self.client_capabilities, what, None))

    def say(self, why: str) -> None:
        """Show a sentence that says *why* something is not done."""
        said = types.ShowMessageParams(types.MessageType.Warning, why)
        self.window_show_message(said)

    def answered(self, answer: Callable[..., Any], asked: Any, *more: Any) -> Any:
        """Return what a feature has to *answer* of the file that is *asked* about."""
        with self.texts.in_sight():
            return answer(self.texts, self.path_of(asked.text_document.uri), *more)


def make_server() -> EditorServer:
    """Return a server with all its features."""
    server = EditorServer()
    for feature, answer in _FEATURES.items():
        server.feature(feature)(answer)
    server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions([" "]))(
        _asked(completions, "position")
    )
    server.command(SHOW)(_shown)
    return server


_Handler = Callable[[EditorServer, Any], Any]


def _asked(answer: Callable[..., Any], *given: str) -> _Handler:
    """Return what has a feature *answer* of a file, with what the editor has *given*."""
    return lambda ls, asked: ls.answered(answer, asked, *(getattr(asked, name) for name in given))


def _changed(ls: EditorServer, asked: types.DidOpenTextDocumentParams) -> None:
    ls.changed(asked.text_document.uri)


def _renamed(ls: EditorServer, asked: types.RenameParams) -> Any:
    try:
        return ls.answered(rename, asked, asked.position, asked.new_name)
    except RenameError as error:
        ls.say(str(error))
        return None


async def _shown(ls: EditorServer, path: str, place: str) -> None:
    ls.showing = asyncio.create_task(ls.show(path, place))


_FEATURES: dict[str, _Handler] = {
    types.TEXT_DOCUMENT_DID_OPEN: lambda ls, asked: ls.changed(asked.text_document.uri, 0),
    types.TEXT_DOCUMENT_DID_CHANGE: _changed,
    types.TEXT_DOCUMENT_DID_SAVE: lambda ls, asked: ls.saved(asked.text_document.uri),
    types.TEXT_DOCUMENT_DID_CLOSE: lambda ls, asked: ls.closed(asked.text_document.uri),
    types.TEXT_DOCUMENT_HOVER: _asked(hover, "position"),
    types.TEXT_DOCUMENT_DEFINITION: _asked(definition, "position"),
    types.TEXT_DOCUMENT_REFERENCES: _asked(references, "position", "context"),
    types.TEXT_DOCUMENT_RENAME: _renamed,
    types.TEXT_DOCUMENT_CODE_LENS: lambda ls, asked: ls.answered(lenses, asked, ls.background),
    types.TEXT_DOCUMENT_INLAY_HINT: _asked(goals, "range"),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _asked(symbols),
    types.TEXT_DOCUMENT_FOLDING_RANGE: _asked(folds),
    types.TEXT_DOCUMENT_FORMATTING: _asked(layout),
    types.TEXT_DOCUMENT_CODE_ACTION: _asked(actions, "range"),
    types.SHUTDOWN: lambda ls, _: ls.leave(),
}

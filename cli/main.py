"""The main command, `stacklaw`: finds the subcommand, and turns what goes wrong into a message and
an exit code.

A command's module is imported only when it is called, so that ``stacklaw --help`` answers at once.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import StringIO, TextIOWrapper
from typing import NoReturn

import click

from .. import __version__
from ..checker.process.interrupts import INTERRUPTS
from ..models.diagnostics import InputError
from ..models.words import clean
from .output.exits import Exit, interrupted
from .output.printing import cannot_be_written, finish, silence

SECTIONS = {
    "Ask": {
        "check": "Decide what the rules guarantee, and show the plays that break it.",
        "ask": "Ask a question as a judge would, and get a ruling.",
        "page": "Write a page on which a game can be read and played.",
        "explore": "Serve the page of a game to your browser, or edit rules beside it.",
        "simulate": "Play at random, and tell the play, or write a log of it.",
    },
    "Test an engine": {
        "conform": "Hold an engine's logs against the rules, and tell each deviation as a ruling.",
        "scenarios": "Write tests for an engine: plays that use the rules in every way.",
    },
    "Write": {
        "new": "Write a first game, to be changed.",
        "show": "Show a ruleset's stages and clauses.",
        "format": "Write rulesets in the standard layout.",
        "coverage": "Show which statements of a game's document its ruleset covers.",
        "mutate": "Edit a ruleset as people do by mistake, and tell which edits no claim notices.",
        "repair": "Look for edits that mend a property.",
        "prove": "Write what is proved of a ruleset into a file beside it.",
        "lsp": "Serve an editor: mistakes as you type, names, verdicts.",
    },
    "Compare": {
        "diff": "Tell what an edit changes, and what is lost by it.",
        "compare": "Set games side by side: which of them guarantees what.",
        "measure": "Count passes and windows, the fewest and the most, with plays.",
    },
    "Look closer": {
        "explain": "Explain an error code, a verdict, a property or a word of the glossary.",
        "games": "List the games and examples that come with stacklaw.",
        "properties": "List the properties of the catalogue.",
        "loops": "Tell which clauses keep a turn going, and who can end that.",
        "certify": "Check certificates of proofs again.",
    },
}
"""The commands by what a person wants, each with its help in one line."""
COMMANDS = {name: said for section in SECTIONS.values() for name, said in section.items()}
"""Each command and its help; the module of the same name in `commands` has it, or in `lookup`."""
_LOOKUP = frozenset(
    {"ask", "conform", "explain", "format", "games", "lsp", "new", "properties", "scenarios"}
)

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What goes wrong where stdout is a file on a full disk."""
_MORE = "stacklaw COMMAND --help says more of a command."


class _Lazy(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command *cmd_name*; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        with INTERRUPTS.undisturbed():
            room = "lookup" if cmd_name in _LOOKUP else "commands"
            command: click.Command = getattr(
                import_module(f".{room}.{cmd_name}", __package__), f"{cmd_name}_command"
            )
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their help from `SECTIONS`, importing none of them."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(max(map(len, COMMANDS))), said) for name, said in commands.items()]
                )


@click.group(cls=_Lazy, epilog=_MORE, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="stacklaw")
def cli() -> None:
    """Prove what a card game's priority and stack rules guarantee, or see the play that breaks
    them.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; *arguments* are those of the process unless they are given."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; nothing is raised but what ends the
    interpreter itself.
    """
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show must not end the run.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        INTERRUPTS.check()
        code = cli.main(args=arguments, prog_name="stacklaw", standalone_mode=False)
        finish()
        if code not in (Exit.INTERRUPTED, Exit.TERMINATED):
            INTERRUPTS.check()
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        page = StringIO()  # it may quote what stands in the command line
        error.show(page)
        _say(clean(page.getvalue()))
        return Exit.WRONG_INPUT
    except (click.Abort, KeyboardInterrupt):
        if INTERRUPTS.over and not INTERRUPTS.asked:
            _say(f"{INTERRUPTS.over}\n")
            return Exit.UNDECIDED
        _say("interrupted\n")
        return interrupted()
    except (BrokenPipeError, SystemExit):
        # The reader has seen enough. (Click makes a SystemExit of it, with the code of a claim
        # that is not met.)
        for stream in (sys.stdout, sys.stderr):
            silence(stream)
        return Exit.BROKEN_PIPE
    except Exception as error:
        if INTERRUPTS.asked and not isinstance(error, InputError):
            # Where Python makes a class, or imports a module, it puts another exception in the
            # place of KeyboardInterrupt.
            _say("interrupted\n")
            return interrupted()
        if isinstance(error, OSError) and error.errno in _FULL:
            # Click itself prints what an option says, such as --help.
            silence(sys.stdout)
            error = cannot_be_written(error)
        # The last place where a mistake can be told without a traceback; the module imports what
        # only a mistake needs.
        from .output.failure import tell  # noqa: PLC0415

        return tell(error)
    return code if isinstance(code, int) else Exit.OK


def _say(text: str) -> None:
    """Print *text* on stderr, if there is one that can be written."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()

"""``python -m stacklaw``: the command line."""

from .cli.main import main

main()
